"""Files of a proposal, as a client sees and names them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memdir.core.diff import FileDiff
from memdir.core.i18n import Message
from memdir.lsp import ext_review
from memdir.lsp.buffers import path_of
from memdir.lsp.jobs.site import shown_text

if TYPE_CHECKING:
    from memdir.lsp.jobs.site import Site


def read_present(path: str) -> bytes | None:
    """Present content of a file, None when there is none."""
    from memdir.store.files import read_file

    try:
        return read_file(path).content
    except (FileNotFoundError, NotADirectoryError):
        return None


def paths_of_uris(value: object) -> set[str]:
    """Paths of a list of URIs."""
    uris = value if isinstance(value, list) else ()
    return {p for u in uris if isinstance(u, str) and (p := path_of(u)) is not None}


def file_of(
    site: Site,
    diff: FileDiff,
    base: str,
    *,
    consent: Message | None = None,
    lost: Sequence[Message] = (),
    group: int = 0,
) -> ext_review.ReviewFile:
    """A file of a proposal for the client; its path is shown below `base`."""
    return {
        "uri": site.uri(diff.path),
        "oldUri": site.uri(diff.old_path) if diff.old_path != diff.path else None,
        "label": _label(diff.path, base),
        "kind": diff.kind,
        "before": shown_text(diff.before),
        "after": shown_text(diff.after),
        "reasons": [site.text(r) for r in dict.fromkeys(diff.reasons)],
        "consent": site.text(consent) if consent else None,
        "lost": [site.text(m) for m in lost],
        "group": group,
        "hunks": [
            {
                "id": h.id,
                "header": h.header,
                "lines": [line.encode("utf-8", "replace").decode() for line in h.lines],
            }
            for h in diff.hunks
        ],
    }


def _label(path: str, base: str) -> str:
    prefix = base.rstrip("/\\")
    return path[len(prefix) + 1 :] if path.startswith((prefix + "/", prefix + "\\")) else path
