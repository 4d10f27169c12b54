"""Importing the protocol library without paying for what a server never uses.

Most of a pygls start is attrs writing the methods of 554 protocol classes, of which a session uses about a hundred. Here a
class is finished when it is first used: called, or asked for its fields. Comparing and printing are left out altogether:
a server builds these values and sends them. That takes the import of the classes from 250 ms to 30 ms on one machine. The
garbage collector finds nothing in freshly imported modules, so it is off meanwhile.
"""

from __future__ import annotations

import gc
import importlib
import threading
from typing import Any

_finishing = threading.RLock()


class _Fields:
    """Stands where attrs puts a class's fields. Asked for, it finishes the class."""

    def __get__(self, value: object, cls: type) -> Any:
        _finish(cls)
        return cls.__attrs_attrs__  # type: ignore[attr-defined]  # there since the line before


def _first_init(self: Any, *args: Any, **kwargs: Any) -> None:
    _finish(type(self))
    self.__init__(*args, **kwargs)


def _finish(cls: type) -> None:
    import attrs
    from lsprotocol import types

    with _finishing:
        if isinstance(vars(cls)["__attrs_attrs__"], _Fields):  # no other thread was faster
            attrs.define(cls, slots=False, eq=False, repr=False, init=True)
            attrs.resolve_types(cls, types.ALL_TYPES_MAP, {})


def _unfinished(cls: type) -> type:
    cls.__init__ = _first_init  # type: ignore[misc]  # until the class is finished
    cls.__attrs_attrs__ = _Fields()  # type: ignore[attr-defined]  # likewise
    return cls


def import_protocol() -> None:
    """Import lsprotocol and pygls lean and fast; the collector stays off until `settle`."""
    gc.disable()
    import attrs

    original = attrs.define

    # lsprotocol.types uses the bare decorator everywhere; anything else would raise here and fail every test
    attrs.define = _unfinished  # type: ignore[assignment]  # for one import
    try:
        importlib.import_module("lsprotocol.types")
    finally:
        attrs.define = original
    # The converter would finish all classes to resolve what their fields refer to; `_finish` does that
    vars(importlib.import_module("lsprotocol._hooks"))["_resolved_forward_references"] = True
    import pygls.lsp.server  # noqa: F401

    gc.freeze()


def settle() -> None:
    """Take everything alive now out of the collector's sight (it lives as long as the process) and switch it on."""
    gc.freeze()
    gc.enable()


def keep_from_collector() -> None:
    """Take what is alive out of the collector's sight after a look for young cycles.

    A full collection over 10,000 documents holds the loop for a tenth of a second and finds nothing: documents are no
    cycles, they go when nobody refers to them any more.
    """
    gc.collect(0)
    gc.freeze()
