"""Swap two directory entries in one atomic step, where the system can (Linux, macOS).

A plain rename destroys whatever is at its target, also a version written a moment ago. After a swap the old file is
still there to be looked at, so a change made between check and write is found and put back instead of lost.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from typing import TypeAlias

from memdir.store.files import Place

_Call: TypeAlias = Callable[[int, bytes, int, bytes, int], int]
_RENAME_EXCHANGE = 2  # linux/fs.h RENAME_EXCHANGE and Darwin's sys/stdio.h RENAME_SWAP have the same value

# "not here": old kernels, file systems without it (NFS, some FUSE and overlay mounts)
_UNSUPPORTED = frozenset((errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EPERM))

_found: list[_Call | None] = []


def exchange(a: Place, b: Place) -> bool:
    """Swap `a` and `b`; False when the system or file system has no such call. Raises OSError for other failures."""
    call = _system_call()
    if call is None or a.fd is None or b.fd is None:
        return False
    if call(a.fd, os.fsencode(a.name), b.fd, os.fsencode(b.name), _RENAME_EXCHANGE) == 0:
        return True
    import ctypes

    code = ctypes.get_errno()
    if code in _UNSUPPORTED:
        return False
    raise OSError(code, os.strerror(code), b.name)


def _system_call() -> _Call | None:
    if not _found:
        _found.append(_look_up())
    return _found[0]


def _look_up() -> _Call | None:
    name = {"linux": "renameat2", "darwin": "renameatx_np"}.get(sys.platform)
    if name is None:
        return None
    import ctypes

    try:
        function = getattr(ctypes.CDLL(None, use_errno=True), name)
    except (AttributeError, OSError):  # a C library without the wrapper (glibc before 2.28)
        return None
    function.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint)
    function.restype = ctypes.c_int
    call: _Call = function
    return call
