#!/usr/bin/env bash
# Writes requirements/{run,dev}.txt: every package pinned with hashes, no index address. Run it after changing *.in.
set -euo pipefail
cd "$(dirname "$0")/../requirements"
tool=../.venv/bin/pip-compile
[ -x "$tool" ] || ../.venv/bin/python -m pip install --quiet pip-tools
for name in run dev; do
  CUSTOM_COMPILE_COMMAND="scripts/lock.sh" "$tool" --quiet --generate-hashes --no-emit-index-url --no-emit-find-links \
    --no-emit-trusted-host --no-emit-options --allow-unsafe --strip-extras --output-file "$name.txt" "$name.in"
done
