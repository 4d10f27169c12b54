"""Making a team directory that travels through git."""

from __future__ import annotations

import os
from collections.abc import Mapping

from memdir.core.i18n import Message, msg
from memdir.team.errors import TeamError
from memdir.team.gitcheckout import Checkout
from memdir.team.gitrun import Git
from memdir.team.guard import PathTraversalError, contained


def init_git(
    root: str, top: str, remote: str | None, folder: str | None, environ: Mapping[str, str]
) -> Message | None:
    """Prepare `root`: a repository of its own (with `remote`, or local), or a link to `folder` of the checkout `top`.

    Nothing is fetched into the directory yet; the first pull does that, screened. A message when it can't be done; nothing of what
    was there is changed then.
    """
    try:
        return _folder(root, top, folder, environ) if folder else _own(root, remote, environ)
    except TeamError as error:
        return error.message
    except OSError as error:
        return msg("{path} can't be made ({error}).", path=root, error=error.strerror or str(error))


def _own(root: str, remote: str | None, environ: Mapping[str, str]) -> Message | None:
    if os.path.islink(root):
        return msg("{path} is a link already; remove it first.", path=root)
    os.makedirs(root, exist_ok=True)
    git = Git(root, environ)
    if not os.path.exists(os.path.join(root, ".git")):
        git.run("init", "--quiet", "--initial-branch=main")
    if remote is None:
        return None
    present = git.maybe("remote", "get-url", "origin")
    if present is not None and present != remote:
        return msg("{path} has another remote already.", path=root)
    branch = _default_branch(git, remote)
    if git.maybe("rev-parse", "-q", "--verify", "HEAD") is None:
        git.run("symbolic-ref", "HEAD", f"refs/heads/{branch}")
    if present is None:
        git.run("remote", "add", "origin", "--", remote)
    git.run("config", f"branch.{branch}.remote", "origin")
    git.run("config", f"branch.{branch}.merge", f"refs/heads/{branch}")
    return None


def _default_branch(git: Git, remote: str) -> str:
    """The branch that the remote's HEAD names; `main` for an empty one. TeamError when it can't be reached."""
    out = git.text("ls-remote", "--symref", "--", remote, "HEAD")
    for line in out.splitlines():
        if line.startswith("ref: refs/heads/"):
            return line.removeprefix("ref: refs/heads/").split("\t")[0]
    return "main"


def _folder(root: str, top: str, folder: str, environ: Mapping[str, str]) -> Message | None:
    try:
        target = contained(top, folder.replace(os.sep, "/").strip("/"))
    except PathTraversalError as error:
        return error.message
    if os.path.realpath(root) == os.path.realpath(target):
        return _ignored(root, environ)
    if os.path.islink(root) or (os.path.isdir(root) and os.listdir(root)):
        return msg(
            "{path} exists already; move its files to {folder} and remove it first.", path=root, folder=target
        )
    os.makedirs(target, exist_ok=True)
    if not os.path.realpath(target).startswith(os.path.realpath(top) + os.sep):
        return msg("{path} leads out of the repository.", path=target)
    os.makedirs(os.path.dirname(root), exist_ok=True)
    if os.path.isdir(root):
        os.rmdir(root)
    os.symlink(target, root, target_is_directory=True)
    return _ignored(root, environ)


def _ignored(root: str, environ: Mapping[str, str]) -> Message | None:
    notes = Checkout(root, environ).notes()
    return next((n for n in notes if "ignored by git" in n.template), None)
