"""`secret-in-memory`: a credential in a memory file."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.document import Document
from memdir.core.fixing import unsafe
from memdir.core.i18n import Message, msg
from memdir.core.model import Finding, Safety, Severity
from memdir.core.rule import Context, Example, Rule
from memdir.core.secrets import Secret, redact, scan


def check(document: Document, context: Context) -> Iterator[Finding]:
    found = scan(document.text)
    team = document.scope == "team"
    for secret in found:
        fixes = [
            unsafe(
                msg("Redact: {label}", label=_called(secret)),
                document.edit(*redact(document.text, (secret,))),
            )
        ]
        if len(found) > 1:
            fixes.append(
                unsafe(msg("Redact every secret in this file"), document.edit(*redact(document.text, found)))
            )
        message = (
            msg(
                "{label} in team memory: it stays on this machine until it is taken out.",
                label=_called(secret),
            )
            if team
            else msg(
                "{label} in a memory file: every session of the agent reads it. Keep it in a secret store.",
                label=_called(secret),
            )
        )
        yield Finding(
            secret.span,
            message,
            tuple(fixes),
            data={"kind": secret.kind, "verified": secret.verified},
            severity=Severity.ERROR if team else Severity.WARNING,
        )


def _called(secret: Secret) -> Message | str:
    """What people call it; formats of providers have a proper name, which is not translated."""
    return _GENERIC.get(secret.kind) or secret.label[:1].upper() + secret.label[1:]


_GENERIC: dict[str, Message] = {
    "password": msg("Password"),
    "password-in-url": msg("Password in a URL"),
    "private-key": msg("Private key"),
    "json-web-token": msg("JSON web token"),
    "secret-value": msg("Secret value"),
    "bearer-token": msg("Bearer token"),
    "basic-credentials": msg("User and password"),
}

# FAKE: the shape of a password manager's key, put together here so that scanners of this source stay quiet
_FAKE = "-".join(("A3", "ABC2DE", "F4G7HJ", "K2MNP", "QR4ST", "V7WXY", "Z2BCD"))

RULE = Rule(
    name="secret-in-memory",
    severity=Severity.WARNING,
    summary=msg("A memory holds a password, key or token."),
    rationale=msg(
        "Memory files are plain text, go into every session's context and, in `team/`, to other people. Formats of providers are "
        "recognised by mark, length and checksum; other values by what they are called (`api_key = …`, “the password is …”). "
        "The value is never shown or logged. In team memory this is an error: the file is not uploaded. Once a secret has been "
        "shared, redacting is not enough: revoke it."
    ),
    check=check,
    kinds=frozenset({"index", "topic", "log"}),
    fix=Safety.UNSAFE,
    examples=(
        Example(
            "reference_vault.md",
            bad=f"---\nname: Vault\ndescription: How to open the team vault on a new machine\ntype: reference\n---\nSecret key: {_FAKE}\n",
            good="---\nname: Vault\ndescription: How to open the team vault on a new machine\ntype: reference\n---\nThe secret key is in the emergency kit.\n",
        ),
    ),
)
