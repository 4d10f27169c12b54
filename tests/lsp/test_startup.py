"""What a start imports, and that the protocol classes finished late are the library's own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_nothing_that_knows_memories_is_imported_before_initialize() -> None:
    code = (
        "import sys; from memdir.lsp.startup import import_protocol; import_protocol()\n"
        "import memdir.lsp.run; from memdir.lsp.server import create_server; from memdir.lsp.world import World\n"
        "create_server(World({}, '/', None))\n"
        "print(sorted(m for m in sys.modules if m.startswith(('memdir.core.', 'memdir.store', 'memdir.ide', 'yaml', 'watchfiles', 'anthropic', 'pyromark'))))"
    )
    root = Path(__file__).parents[2] / "server"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root)
    assert done.stdout.strip() == "['memdir.core.i18n']"


LEAN = """
import importlib.util, sys
from memdir.lsp.startup import import_protocol
import_protocol()
import attrs
from lsprotocol import types
from memdir.lsp.protocol import converter

def unfinished():
    return sum(not isinstance(vars(c).get("__attrs_attrs__", ()), tuple) for c in vars(types).values() if isinstance(c, type))

convert = converter()
"""


def lean(code: str) -> str:
    """What `code` prints in a process that has imported the protocol as the server does."""
    root = Path(__file__).parents[2] / "server"
    done = subprocess.run(
        [sys.executable, "-c", LEAN + code], capture_output=True, text=True, check=False, cwd=root
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_protocol_classes_are_finished_when_they_are_used() -> None:
    code = """
first = unfinished()
r = types.Range(types.Position(1, 2), end=types.Position(3, 4))
assert unfinished() == first - 2
back = convert.structure(convert.unstructure(r), types.Range)
assert back.start == types.Position(1, 2) and back.end > back.start
assert unfinished() == first - 2
try:
    types.Position("1", 2)
except (TypeError, ValueError):
    print(first)
@attrs.define
class Own:
    x: int
assert Own(1) == Own(1) and repr(Own(1)) == "Own(x=1)"
"""
    assert int(lean(code)) > 500


def test_finished_late_a_protocol_class_is_the_same() -> None:
    code = """
spec = importlib.util.spec_from_file_location("lsprotocol.eager", types.__file__)
eager = importlib.util.module_from_spec(spec)
sys.modules["lsprotocol.eager"] = eager
spec.loader.exec_module(eager)

def fields(module, name):
    cls = getattr(module, name)
    attrs.resolve_types(cls, module.ALL_TYPES_MAP, {})
    known = [(f.name, f.default, f.type, f.kw_only, f.init, f.alias, type(f.validator)) for f in attrs.fields(cls)]
    return repr(known).replace("lsprotocol.eager.", "lsprotocol.types.")

names = [n for n, c in vars(eager).items() if isinstance(c, type) and attrs.has(c)]
for name in names:
    ours, theirs = fields(types, name), fields(eager, name)
    assert ours == theirs, (name, ours, theirs)
print(len(names), unfinished())
"""
    assert lean(code) == "554 0"


def test_many_threads_finish_a_class_once() -> None:
    code = """
import threading
sys.setswitchinterval(1e-6)
classes = [types.Position, types.Range, types.Location, types.Diagnostic, types.CodeAction]
go, wrong = threading.Barrier(16), []

def use():
    go.wait()
    for cls in classes:
        try:
            assert attrs.fields(cls) is attrs.fields(cls)
            types.Position(line=1, character=2)
        except Exception as error:
            wrong.append(repr(error))

threads = [threading.Thread(target=use) for _ in range(16)]
for t in threads: t.start()
for t in threads: t.join()
print(wrong)
"""
    assert lean(code) == "[]"
