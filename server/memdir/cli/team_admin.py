"""`memdir team token`, `member` and `restored`: who may use a service; run where its database is."""

from __future__ import annotations

import argparse
import re
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from memdir.cli.env import CliEnv
from memdir.cli.team_open import print_json
from memdir.core.i18n import Message, msg

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memdir.team.service.accounts import Accounts

_SPAN = re.compile(r"(\d{1,5})([hdwy])")
_HOURS = {"h": 1, "d": 24, "w": 168, "y": 8766}


def _database(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--database",
        metavar="URL|FILE",
        default="memdir-team.db",
        help=str(msg("SQLite file, or postgresql:// address.")),
    )
    parser.add_argument("--json", action="store_true", help=str(msg("Print JSON.")))


def token_arguments(parser: argparse.ArgumentParser) -> None:
    """create, list, revoke."""
    parser.add_argument("action", choices=("create", "list", "revoke"), help=str(msg("What to do.")))
    parser.add_argument(
        "id", nargs="?", metavar="ID", help=str(msg("With revoke: the token, as list prints it."))
    )
    parser.add_argument("--subject", metavar="NAME", help=str(msg("With create: whose token it is.")))
    parser.add_argument(
        "--repository",
        metavar="NAME",
        help=str(msg("With create: make the person a member of this repository.")),
    )
    parser.add_argument(
        "--scopes", default="read,write", metavar="LIST", help=str(msg("With create: read, or read,write."))
    )
    parser.add_argument(
        "--expires",
        default="90d",
        metavar="SPAN",
        help=str(msg("With create: how long it is good, such as 12h, 90d, 1y, or never.")),
    )
    parser.add_argument("--label", default="", metavar="TEXT", help=str(msg("With create: what it is for.")))
    _database(parser)


def token(args: argparse.Namespace, env: CliEnv) -> int:
    """0: done, 1: there is no such token, 2: wrong usage."""
    with _accounts(args) as accounts:
        if args.action == "create":
            return _create(args, env, accounts)
        if args.action == "revoke":
            if not args.id:
                return env.error(
                    msg("Give the ID of the token to revoke; `memdir team token list` prints it.")
                )
            if accounts.revoke(args.id, env.now()):
                env.out(env.text(msg("revoked {id}", id=args.id)))
                return 0
            env.error(msg("There is no active token {id}.", id=args.id))
            return 1
        rows = accounts.list_tokens()
        if args.json:
            print_json(
                env,
                [
                    {
                        "id": t.id,
                        "subject": t.subject,
                        "scopes": list(t.scopes),
                        "label": t.label,
                        "created": t.created,
                        "expires": t.expires,
                        "state": t.state(env.now()),
                    }
                    for t in rows
                ],
            )
            return 0
        for t in rows:
            env.out(
                f"{t.id}  {t.state(env.now()):8}  {t.subject}  {','.join(t.scopes)}  {t.expires or '-'}  {t.label}".rstrip()
            )
        return 0


def _create(args: argparse.Namespace, env: CliEnv, accounts: Accounts) -> int:
    scopes = tuple(s.strip() for s in args.scopes.split(","))
    if not args.subject or not set(scopes) <= {"read", "write"}:
        return env.error(msg("A token needs --subject, and scopes out of read and write."))
    expires: datetime | None = None
    if args.expires != "never":
        m = _SPAN.fullmatch(args.expires)
        if m is None:
            return env.error(
                msg("“{span}” is no span of time; write 12h, 90d, 4w, 1y or never.", span=args.expires)
            )
        expires = env.now() + timedelta(hours=int(m[1]) * _HOURS[m[2]])
    if args.repository:
        try:
            repository = accounts.create_repository(args.repository, env.now())
        except ValueError:
            return env.error(_bad_name(args.repository))
        accounts.set_member(repository, args.subject, "write" if "write" in scopes else "read")
    value, made = accounts.create_token(
        args.subject, scopes, label=args.label, expires=expires, now=env.now()
    )
    if args.json:
        print_json(env, {"id": made.id, "token": value, "expires": made.expires})
        return 0
    env.out(value)
    print(
        env.text(
            msg(
                "Token {id} is shown this once; hand it over privately. It goes into `memdir team login`.",
                id=made.id,
            )
        ),
        file=env.stderr,
    )
    return 0


def member_arguments(parser: argparse.ArgumentParser) -> None:
    """add, remove, list."""
    parser.add_argument("action", choices=("add", "remove", "list"), help=str(msg("What to do.")))
    parser.add_argument(
        "repository",
        metavar="REPOSITORY",
        help=str(msg("Name of the repository, such as github.com/acme/app.")),
    )
    parser.add_argument(
        "subject",
        nargs="?",
        metavar="NAME",
        help=str(msg("The person; for tokens of an issuer: ISSUER#SUBJECT.")),
    )
    parser.add_argument(
        "--role", choices=("read", "write"), default="write", help=str(msg("What the person may do."))
    )
    _database(parser)


def member(args: argparse.Namespace, env: CliEnv) -> int:
    """0: done, 2: wrong usage."""
    with _accounts(args) as accounts:
        try:
            repository = accounts.create_repository(args.repository, env.now())
        except ValueError:
            return env.error(_bad_name(args.repository))
        if args.action == "list":
            rows = accounts.list_members(repository)
            if args.json:
                print_json(env, dict(rows))
            for subject, role in () if args.json else rows:
                env.out(f"{role:5}  {subject}")
            return 0
        if not args.subject:
            return env.error(msg("Give the NAME of the person."))
        accounts.set_member(repository, args.subject, args.role if args.action == "add" else None)
        return 0


def restored_arguments(parser: argparse.ArgumentParser) -> None:
    """--database."""
    _database(parser)


def restored(args: argparse.Namespace, env: CliEnv) -> int:
    """0: every client will compare everything anew."""
    with _accounts(args) as accounts:
        count = accounts.begin_new_epochs()
    env.out(
        env.text(
            msg(
                "{count} repositories begin a new epoch; clients compare everything at their next pull.",
                count=count,
            )
        )
    )
    return 0


def _bad_name(name: str) -> Message:
    return msg("“{name}” is no repository name (lower-case letters, digits and . _ - /).", name=name)


@contextmanager
def _accounts(args: argparse.Namespace) -> Iterator[Accounts]:
    from memdir.store.errors import StoreError
    from memdir.team.service.accounts import Accounts
    from memdir.team.service.database import Database
    from memdir.team.service.errors import ServiceError

    try:
        database = Database(args.database)
    except ServiceError as error:
        raise StoreError(
            msg("The database {url} can't be opened.", url=args.database.rpartition("@")[2])
        ) from error
    try:
        yield Accounts(database)
    finally:
        database.close()
