"""`memdir hook stop`: a turn is finished. What follows it runs in a process of its own, so that the client need not wait."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from memdir.cli.env import CliEnv

MAX_INPUT = 1_000_000  # characters
_DETACHED = 0x00000008 | 0x00000200  # Windows: DETACHED_PROCESS, CREATE_NEW_PROCESS_GROUP


def stop(env: CliEnv) -> int:
    """Start `memdir extract --after-turn` for the session of the event on stdin. Always 0: an agent must not stumble over
    its memory. MEMDIR_DEBUG=1 says on stderr why nothing was started."""
    try:
        why = _start(env)
    except Exception as error:  # whatever it is, the agent goes on
        why = f"{type(error).__name__}: {error}"
    if why and env.environ.get("MEMDIR_DEBUG"):
        print(f"memdir hook: {why}", file=env.stderr)
    return 0


def _start(env: CliEnv) -> str:
    """Start the work; gives the reason when nothing is to be done."""
    from memdir.cli.place import environment
    from memdir.store.config import load_configuration
    from memdir.store.jobs import job_off
    from memdir.store.locate import locate

    try:
        said = json.loads(env.stdin.read(MAX_INPUT))
    except (ValueError, RecursionError):
        return "the input is no JSON"
    if not isinstance(said, dict) or said.get("hook_event_name", "Stop") != "Stop":
        return "the input is another event's"
    session, given = said.get("transcript_path"), said.get("cwd")
    if not isinstance(session, str) or not session.endswith(".jsonl") or not os.path.isabs(session):
        return "the event names no session file"
    cwd = given if isinstance(given, str) and os.path.isabs(given) else env.cwd
    outside = environment(env, cwd)
    location = locate(cwd, outside)
    off = job_off(location)
    if off is not None:
        return str(off)
    settings = load_configuration(
        location.owner, env.environ, env.home, top=location.top, trusted=outside.trusted
    ).settings
    if settings.extract.auto == "off" and settings.consolidate.auto == "off" and not settings.notes.enabled:
        return "extraction, notes and consolidation are switched off"
    command = [
        sys.executable,
        "-m",
        "memdir.cli.main",
        "extract",
        "--after-turn",
        "--session",
        session,
        "--cwd",
        cwd,
    ]
    subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=dict(env.environ),
        cwd=os.sep,  # the work must not keep a directory from being removed
        start_new_session=True,
        creationflags=_DETACHED if sys.platform == "win32" else 0,
    )
    return ""
