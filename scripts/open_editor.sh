#!/usr/bin/env bash
# open_editor.sh DIR: builds the sample project in DIR and opens a VS Code on it, with the extension from this checkout.
# An installed `code` is used when there is one, else the code-server of scripts/setup_editors.sh in your browser.
# The editor gets a profile of its own and the sample's memory; yours is not touched.
set -euo pipefail
dir=${1:-build/sample}
here=$(cd "$(dirname "$0")/.." && pwd)
python=$here/.venv/bin/python
port=${PORT:-8080}

"$python" "$here/scripts/make_sample.py" "$dir" >/dev/null
dir=$(cd "$dir" && pwd)
(cd "$here" && scripts/build_vsix.sh)
vsix=$here/dist/memdir-$(node -p "require('$here/package.json').version").vsix

profile=$dir/editor
mkdir -p "$profile/User" "$profile/Machine"
settings=$(printf '{"memdir.server.interpreter": "%s", "telemetry.telemetryLevel": "off", "workbench.startupEditor": "none"}' "$python")
printf '%s\n' "$settings" >"$profile/User/settings.json"
printf '%s\n' "$settings" >"$profile/Machine/settings.json"
unset CLAUDE_CODE_REMOTE_MEMORY_DIR CLAUDE_COWORK_MEMORY_PATH_OVERRIDE CLAUDE_CODE_PROJECT_DIR_NAME
export CLAUDE_CONFIG_DIR=$dir/home/.claude XDG_STATE_HOME=$dir/home/.local/state

if command -v code >/dev/null && [ -z "${MEMDIR_CODE_SERVER:-}" ]; then
  common=(--user-data-dir "$profile" --extensions-dir "$profile/extensions")
  code "${common[@]}" --install-extension "$vsix" --force
  exec code "${common[@]}" --new-window "$dir/harbour"
fi

editors=${MEMDIR_EDITORS_DIR:-$HOME/.cache/memdir-editors}/editors.json
if [ ! -e "$editors" ]; then
  echo "No VS Code found: neither 'code' nor the editors of scripts/setup_editors.sh." >&2
  exit 2
fi
place() { "$python" -c 'import json, sys; print(json.load(open(sys.argv[1]))[sys.argv[2]] or "")' "$editors" "$1"; }
node=$(place node)
server=$(place codeServer)
config=$profile/config.yaml
echo "auth: none" >"$config"
common=("$server" --config "$config" --user-data-dir "$profile" --extensions-dir "$profile/extensions")
HOME=$dir/home "$node" "${common[@]}" --install-extension "$vsix" --force
echo
echo "Open http://127.0.0.1:$port/?folder=$dir/harbour in your browser; stop with Ctrl+C."
HOME=$dir/home exec "$node" "${common[@]}" --auth none --bind-addr "127.0.0.1:$port" --disable-telemetry \
  --disable-update-check --disable-workspace-trust --disable-getting-started-override --ignore-last-opened "$dir/harbour"
