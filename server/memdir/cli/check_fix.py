"""The writing half of `memdir check`: collects fixes, shows them as a diff or applies them with a journal entry."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from memdir.cli.env import CliEnv
from memdir.core.fixall import fix_all
from memdir.core.i18n import Message, msg
from memdir.core.model import ChangeSet
from memdir.core.secrets import masked
from memdir.store.apply import apply
from memdir.store.errors import StoreError
from memdir.store.journal import Limits

if TYPE_CHECKING:
    from memdir.cli.check_target import Target


def fix_targets(
    targets: Sequence[Target], now: datetime, env: CliEnv, *, unsafe: bool, diff: bool
) -> Message | int | None:
    """Mend `targets`. Gives the closing sentence, None when there was nothing to mend, or an exit code on failure.

    With `diff`, prints the unified diff and writes nothing.
    """
    fixed: dict[str, int] = {}
    changes: ChangeSet | None = None
    title = msg("memdir check --fix")
    roots = list(dict.fromkeys(t.store.root for t in targets))
    for target in targets:
        chosen = None if target.only is None else target.documents()
        result = fix_all(target.workspace.context(target.store, now), title, chosen, unsafe=unsafe)
        for rule, count in result.fixed.items():
            fixed[rule] = fixed.get(rule, 0) + count
        merged = (*(changes.changes if changes else ()), *result.change_set.changes)
        changes = ChangeSet(title, merged, "fix-all")
    if not changes:
        return None
    total = sum(fixed.values())
    rules = ", ".join(f"{rule} {count}" for rule, count in sorted(fixed.items()))
    if diff:
        from memdir.core.diff import diff_files, unified
        from memdir.store.snapshot import read_bytes

        def read(path: str) -> bytes | None:
            try:
                return read_bytes(path)
            except FileNotFoundError:
                return None

        base = roots[0] if len(roots) == 1 else ""
        env.stdout.write(
            masked(
                unified(diff_files(changes, read), base=base, colour=env.colour, escape=env.stdout.isatty())
            )
        )
        return msg("{n} problems would be fixed ({rules}).", n=total, rules=rules)
    try:
        limits = Limits.of(targets[0].workspace.settings)
        applied = apply(changes, roots=roots, state_dir=env.state_dir, now=now, limits=limits)
    except StoreError as error:
        return env.error(error.message)
    except OSError as error:
        return env.error(
            msg(
                "{path} could not be written: {reason}.",
                path=error.filename or "",
                reason=error.strerror or str(error),
            )
        )
    for target in targets:
        target.store.refresh()
    return msg(
        "Fixed {n} problems ({rules}); `memdir undo {id}` takes it back.",
        n=total,
        rules=rules,
        id=applied.id or "",
    )
