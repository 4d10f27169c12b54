#!/usr/bin/env bash
# Builds the VS Code extension with the language server inside.
#
#   scripts/build_vsix.sh [--offline]
#
# dist/memdir-<version>.vsix           the server's wheel is bundled; what it depends on is fetched on first start
# dist/memdir-<version>-<target>.vsix  with --offline: the dependencies for this platform and this Python are bundled too
set -euo pipefail
cd "$(dirname "$0")/.."

OFFLINE=
for argument in "$@"; do
  case "$argument" in
  --offline) OFFLINE=1 ;;
  *)
    sed -n '2,8s/^# \{0,1\}//p' "$0"
    exit 2
    ;;
  esac
done

PYTHON=${PYTHON:-$([ -x .venv/bin/python ] && echo .venv/bin/python || echo python3)}
VERSION=$(node -p "require('./package.json').version")
WHEELS=bundled/wheels
PIP=("$PYTHON" -m pip --disable-pip-version-check --quiet)
say() { printf '%s\n' "build_vsix: $*"; }

[ -x node_modules/.bin/vsce ] || npm ci

say "building the server's wheel"
rm -rf bundled
mkdir -p "$WHEELS" dist
# With the build backend at hand nothing has to be fetched
ISOLATION=()
"$PYTHON" -c 'import hatchling' 2>/dev/null && ISOLATION=(--no-build-isolation)
"${PIP[@]}" wheel --no-deps "${ISOLATION[@]}" --wheel-dir "$WHEELS" .
[ -e "$WHEELS/memdir-$VERSION-py3-none-any.whl" ] || {
  say "the versions of pyproject.toml and package.json differ:" "$WHEELS"/*
  exit 2
}
# The environment is made with this pip: Debian's Python has none of its own
"${PIP[@]}" download --no-deps --only-binary :all: --dest "$WHEELS" pip

NAME=dist/memdir-$VERSION.vsix
TARGET=()
if [ -n "$OFFLINE" ]; then
  PLATFORM=$(node -p "process.platform + '-' + process.arch")
  say "collecting the dependencies for $PLATFORM and $("$PYTHON" --version)"
  "${PIP[@]}" download --only-binary :all: --dest "$WHEELS" "$WHEELS/memdir-$VERSION-py3-none-any.whl"
  NAME=dist/memdir-$VERSION-$PLATFORM.vsix
  TARGET=(--target "$PLATFORM")
fi

say "packaging"
node_modules/.bin/vsce package --no-dependencies --allow-missing-repository --skip-license \
  --no-rewrite-relative-links "${TARGET[@]}" --out "$NAME" >/dev/null
say "$NAME ($(du -h "$NAME" | cut -f1))"
