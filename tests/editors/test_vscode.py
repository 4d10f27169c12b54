"""The extension in a real VS Code (code-server) and Chromium.

Most tests run inside the extension host (`vscode-client/test/host`); the scenarios go through the workbench as a person
does and leave pictures in `artifacts/screenshots`. `MEMDIR_TEST_VSIX` names a package to install instead of the
checkout's own files.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from tests.editors.rig import CACHE, ROOT, need

pytestmark = pytest.mark.editor
HERE = Path(__file__).parent
SPECIAL = {"first_start"}  # needs a package of its own
SCENARIOS = sorted(p.stem for p in (HERE / "scenarios").glob("*.mjs") if p.stem not in SPECIAL)


@pytest.fixture(scope="module")
def node() -> str:
    """Node of the rig, with the extension and its tests built."""
    node, *_ = need("node", "codeServer", "playwright", "chromium")
    if not (ROOT / "node_modules" / "esbuild").is_dir():
        if os.environ.get("CI") == "true":
            pytest.fail("npm ci has not run")
        pytest.skip("npm ci has not run")
    subprocess.run([node, "vscode-client/esbuild.mjs", "--tests"], cwd=ROOT, check=True)
    return node


def _run(node: str, *arguments: str, **extra: str) -> None:
    """Run a scenario. VS Code loses a click or a key now and then while it draws, so what fails is run once more;
    the first failure is told in the summary of warnings, and what fails twice fails."""
    failed = _once(node, *arguments, **extra)
    if failed is not None:
        warnings.warn(f"{arguments} failed at first:\n{failed[:3000]}", stacklevel=2)
        failed = _once(node, *arguments, **extra)
    assert failed is None, failed


def _once(node: str, *arguments: str, **extra: str) -> str | None:
    """The output of a run that failed, None of one that passed."""
    # The tests' home is not where the editors are
    env = {**os.environ, "MEMDIR_EDITORS_DIR": str(CACHE), "MEMDIR_TEST_PYTHON": sys.executable, **extra}
    done = subprocess.run(
        [node, *arguments],
        cwd=ROOT,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        timeout=400,
        check=False,
    )
    print(done.stdout)
    return None if done.returncode == 0 else done.stdout[-12_000:]


def _host_tests(node: str, **extra: str) -> None:
    failed = _once(node, str(HERE / "run_host_tests.mjs"), **extra)
    assert failed is None, failed


def test_inside_the_extension_host(node: str) -> None:
    _host_tests(node)


@pytest.mark.parametrize("name", SCENARIOS)
def test_scenario(node: str, name: str) -> None:
    _run(node, str(HERE / "scenarios" / f"{name}.mjs"))


def test_main_job_in_light(node: str) -> None:
    _run(node, str(HERE / "scenarios" / "main_job.mjs"), "light")


def test_the_oldest_supported_version(node: str) -> None:
    """The least that `engines.vscode` promises, in that very version: the tests inside the host, and the main job."""
    promised = json.loads((ROOT / "package.json").read_text())["engines"]["vscode"]
    entry = Path(need("codeServerOldest")[0])
    vscode = json.loads((entry.parents[2] / "lib" / "vscode" / "package.json").read_text())["version"]
    assert promised == "^" + ".".join([*vscode.split(".")[:2], "0"])
    _host_tests(node, MEMDIR_TEST_VSCODE="oldest")
    _run(node, str(HERE / "scenarios" / "main_job.mjs"), "dark", MEMDIR_TEST_VSCODE="oldest")


def test_first_start_without_memdir_and_without_network(node: str) -> None:
    """The package with all wheels inside makes its own environment, with visible progress."""
    built = subprocess.run(
        ["bash", "scripts/build_vsix.sh", "--offline"],
        cwd=ROOT,
        env={**os.environ, "PYTHON": sys.executable},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stdout[-4000:]
    package = re.findall(r"^build_vsix: (dist/\S+\.vsix) ", built.stdout, re.M)[-1]
    _run(node, str(HERE / "scenarios" / "first_start.mjs"), MEMDIR_TEST_OFFLINE_VSIX=str(ROOT / package))
