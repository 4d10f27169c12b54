"""Whether the process that left a lock behind still lives, also when its PID was given to another one meanwhile."""

from __future__ import annotations

import os
import subprocess
import sys


def process_alive(pid: int) -> bool:
    """True when a process with this number exists, whoever owns it; a zombie counts as dead."""
    if pid <= 0:
        return False
    if sys.platform == "win32":
        return process_started(pid) is not None
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return isinstance(sys.exc_info()[1], PermissionError)
    return _state(pid) != "Z"


def process_started(pid: int, *, proc: str = "/proc") -> float | None:
    """When the process started, in seconds since the epoch (to about a second); None: no such process, or unknown."""
    if sys.platform == "win32":
        return _windows_started(pid)
    fields = _stat_fields(pid, proc)
    if fields is not None:
        try:
            with open(os.path.join(proc, "stat"), "rb") as file:
                boot = next(int(line.split()[1]) for line in file if line.startswith(b"btime "))
            return boot + int(fields[19]) / os.sysconf("SC_CLK_TCK")
        except (OSError, ValueError, IndexError, StopIteration):
            return None
    return None if os.path.isdir(os.path.join(proc, "self")) else _ps_started(pid)


def process_token(pid: int, *, proc: str = "/proc") -> str:
    """A text that differs between two processes that had the same number one after the other; "" when unknown.

    On Linux boot id and start tick (exact, and immune to clock changes); elsewhere the start time.
    """
    fields = _stat_fields(pid, proc)
    if fields is not None and len(fields) > 19:
        try:
            with open(os.path.join(proc, "sys/kernel/random/boot_id"), encoding="ascii") as file:
                boot = file.read().strip()
        except OSError:
            boot = ""
        return f"{boot}:{fields[19]}"
    started = process_started(pid, proc=proc)
    return "" if started is None else f"{started:.0f}"


def _stat_fields(pid: int, proc: str) -> list[str] | None:
    """Fields of /proc/<pid>/stat after the command name (which may hold blanks and brackets): [0] is the state."""
    try:
        with open(os.path.join(proc, str(pid), "stat"), encoding="utf-8", errors="replace") as file:
            text = file.read()
    except OSError:
        return None
    return text[text.rfind(")") + 1 :].split()


def _state(pid: int) -> str:
    fields = _stat_fields(pid, "/proc")
    return fields[0] if fields else ""


def _ps_started(pid: int) -> float | None:
    """Start time from ps, for systems without /proc (macOS, BSD)."""
    from datetime import datetime

    try:
        found = subprocess.run(
            ["ps", "-o", "lstart=", "-p", str(pid)],
            capture_output=True,
            text=True,
            timeout=5,
            check=True,
            env={"LC_ALL": "C", "PATH": os.defpath},
        )
        return datetime.strptime(" ".join(found.stdout.split()), "%a %b %d %H:%M:%S %Y").timestamp()
    except (OSError, ValueError, subprocess.SubprocessError):
        return None


if sys.platform == "win32":

    def _windows_started(pid: int) -> float | None:
        import ctypes
        from ctypes import wintypes

        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.OpenProcess.restype = wintypes.HANDLE
        handle = kernel.OpenProcess(0x1000, False, pid)  # PROCESS_QUERY_LIMITED_INFORMATION
        if not handle:
            return None
        try:
            created, ended, used_kernel, used_user = (wintypes.FILETIME() for _ in range(4))
            refs = [ctypes.byref(t) for t in (created, ended, used_kernel, used_user)]
            if not kernel.GetProcessTimes(wintypes.HANDLE(handle), *refs) or ended.dwHighDateTime:
                return None
            # FILETIME counts 100 ns since 1601-01-01, 11,644,473,600 s before the epoch
            return ((created.dwHighDateTime << 32) | created.dwLowDateTime) / 1e7 - 11_644_473_600
        finally:
            kernel.CloseHandle(wintypes.HANDLE(handle))
