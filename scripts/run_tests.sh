#!/usr/bin/env bash
# Everything that guards main, in the order in which it fails fastest. Needs `make setup`.
# What this machine can't run is skipped and listed; under CI=true a skip is a failure.
set -uo pipefail
cd "$(dirname "$0")/.."
export PATH="$PWD/.venv/bin:$PATH" PYTHONDONTWRITEBYTECODE=
failed=()
step() {
  local name=$1
  shift
  printf '\n== %s\n' "$name"
  "$@" || failed+=("$name")
}
echo "== Editors for the end-to-end tests"
if ! scripts/setup_editors.sh; then
  echo "Some editors could not be installed; their tests are skipped below."
  [ "${CI:-}" = true ] && failed+=("editors")
fi
scripts/setup_services.sh || { [ "${CI:-}" = true ] && failed+=("services"); }
step "format" ruff format --check server tests scripts
step "ruff" ruff check server tests scripts
step "mypy (strict)" mypy
step "biome" npm run --silent lint
step "tsc (strict)" npm run --silent typecheck
step "client unit tests" npm run --silent test
workers=$(python -c 'import os; print(min(4, os.cpu_count() or 1))')
mkdir -p artifacts
step "unit tests" python -m pytest -m "not editor and not crash and not bench" -n "$workers" -rs --junitxml artifacts/unit.xml
step "crash tests" python -m pytest -m "crash and not editor" -rs
step "package" scripts/build_vsix.sh
step "editors" python -m pytest -m editor tests/editors -rs
if [ "${CI:-}" = true ] && grep -q 'skipped="[1-9]' artifacts/unit.xml 2>/dev/null; then
  failed+=("a unit test was skipped")
fi
echo
if [ ${#failed[@]} -gt 0 ]; then
  printf 'FAILED: %s\n' "${failed[@]}"
  exit 1
fi
echo "All steps passed."
