"""Which values may name the memory directory: every refusal has its reason."""

from __future__ import annotations

import posixpath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.core.directory_value import override_directory, project_name, settings_directory

HOME, WIN_HOME = "/home/ann", "C:\\Users\\Ann"

POSIX = [
    ("~/um", "/home/ann/um", None),
    ("~/a/../b", "/home/ann/b", None),
    ("~/../bob/m", "/home/bob/m", None),
    ("/srv/memory", "/srv/memory", None),
    ("/srv/memory/", "/srv/memory", None),
    ("//srv/memory", "/srv/memory", None),
    ("/srv/./x/../memory", "/srv/memory", None),
    ("/srv/中文 dir", "/srv/中文 dir", None),
    ("", None, "empty"),
    ("   ", None, "empty"),
    ("~", None, "home directory"),
    ("~/", None, "home directory"),
    ("~/.", None, "home directory"),
    ("~/x/..", None, "home directory"),
    ("~/..", None, "home directory"),
    ("~/x/../..", None, "home directory"),
    ("~bob/x", None, "no other user"),
    ("um", None, "not an absolute path"),
    ("./um", None, "not an absolute path"),
    ("$HOME/um", None, "not an absolute path"),
    ("/", None, "root"),
    ("//", None, "root"),
    ("/..", None, "root"),
    ("/x", None, "directly below the root"),
    ("/x/", None, "directly below the root"),
    ("/x/y/..", None, "directly below the root"),
    ("C:\\memory\\x", None, "drive letter"),
    ("c:/memory", None, "drive letter"),
    ("C:", None, "drive letter"),
    ("/srv/a\0b", None, "NUL"),
    ("~/a\0b", None, "NUL"),
    ("/srv/\ud800x", None, "no file name"),
]
WINDOWS = [
    ("C:\\memory\\x", "C:\\memory\\x", None),
    ("c:/memory/x", "c:\\memory\\x", None),
    ("~\\um", "C:\\Users\\Ann\\um", None),
    ("~/um", "C:\\Users\\Ann\\um", None),
    ("~", None, "home directory"),
    ("~\\..", None, "home directory"),
    ("C:", None, "drive letter"),
    ("C:memory\\x", None, "drive letter"),
    ("C:\\", None, "root"),
    ("C:\\x", None, "directly below the root"),
    ("\\memory\\x", None, "drive letter"),
    ("/srv/x", None, "drive letter"),
    ("\\\\server\\share\\x", None, "network"),
    ("//server/share/x", None, "network"),
    ("\\\\?\\C:\\a\\b", None, "network"),
    ("um", None, "drive letter"),
]
CASES = [("linux", HOME, *c) for c in POSIX] + [("win32", WIN_HOME, *c) for c in WINDOWS]


@pytest.mark.parametrize(("platform", "home", "value", "path", "why"), CASES)
def test_settings_values(platform: str, home: str, value: str, path: str | None, why: str | None) -> None:
    found, reason = settings_directory(value, home, platform)
    assert found == path
    assert (why is None) == (reason is None)
    if why:
        assert why in str(reason)


@pytest.mark.parametrize(
    ("value", "path", "why"),
    [
        ("/srv/x", "/srv/x", None),
        ("/srv/../x", "/x", None),
        ("/x", "/x", None),
        ("/x/..", None, "root"),
        ("~/x", None, "not an absolute path"),
        ("mem/x", None, "not an absolute path"),
    ],
)
def test_override_values(value: str, path: str | None, why: str | None) -> None:
    found, reason = override_directory(value, "linux")
    assert found == path
    assert (why or "None") in str(reason)


@pytest.mark.parametrize(
    ("value", "fits"),
    [
        ("my-proj_1", True),
        ("a" * 64, True),
        ("a" * 65, False),
        ("a/b", False),
        ("..", False),
        ("é", False),
        ("a b", False),
        ("a\n", False),
    ],
)
def test_project_name(value: str, fits: bool) -> None:
    assert (project_name(value) is None) is fits


@given(st.text(alphabet="/.~ab\0C:\\ ", max_size=12))
def test_what_is_taken_is_absolute_normal_and_deep(value: str) -> None:
    found, why = settings_directory(value, HOME, "linux")
    assert (found is None) is (why is not None)
    if found is not None:
        assert found == posixpath.normpath(found)
        assert found.startswith("/") and not found.startswith("//")
        assert found.count("/") >= 2
