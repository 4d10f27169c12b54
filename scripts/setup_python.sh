#!/usr/bin/env bash
# setup_python.sh PYTHON VENV LOCK: a virtual environment with the locked, hash-checked packages and Memdir itself.
# On Debian and Ubuntu it installs python3-venv when that is missing and it may.
set -euo pipefail
python=$1 venv=$2 lock=$3
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
  echo "Memdir needs Python 3.11 or newer; $("$python" --version) was found. Name another one: make PYTHON=/path/to/python3" >&2
  exit 1
}
if [ ! -x "$venv/bin/python" ]; then
  if ! "$python" -m venv "$venv" 2>/dev/null; then
    rm -rf "$venv"
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
      apt-get update -qq && apt-get install -y -qq python3-venv >/dev/null
      "$python" -m venv "$venv"
    else
      echo "Python's venv module is missing; install it (Debian: apt install python3-venv) and try again." >&2
      exit 1
    fi
  fi
fi
say() { printf '%s\n' "setup: $*"; }
say "Python packages from $lock"
"$venv/bin/python" -m pip install --quiet --require-hashes -r "$lock" 2> >(grep -v "is ignored: it is neither" >&2)
"$venv/bin/python" -m pip install --quiet --no-deps --no-build-isolation -e . 2> >(grep -v "is ignored: it is neither" >&2)
# compiled once here, so that the first start is as fast as the next ones
"$venv/bin/python" -m compileall -q server/memdir "$venv"/lib/python*/site-packages >/dev/null 2>&1 || true
