#!/usr/bin/env bash
# run_sample.sh DIR: builds the sample project and shows the main job on it. Touches nothing outside DIR.
set -euo pipefail
dir=${1:-build/sample}
here=$(cd "$(dirname "$0")/.." && pwd)
py="$here/.venv/bin/python"
"$py" "$here/scripts/make_sample.py" "$dir" >/dev/null
dir=$(cd "$dir" && pwd)
now=$("$py" -c "import json,sys; print(json.load(open(sys.argv[1]))['now'])" "$dir/sample.json")
# an environment of its own: the sample's memory, never yours
memdir() {
  env -u CLAUDE_CONFIG_DIR -u CLAUDE_CODE_REMOTE_MEMORY_DIR -u CLAUDE_COWORK_MEMORY_PATH_OVERRIDE \
    HOME="$dir/home" CLAUDE_CONFIG_DIR="$dir/home/.claude" XDG_STATE_HOME="$dir/home/.local/state" \
    XDG_CONFIG_HOME="$dir/home/.config" "$here/.venv/bin/memdir" "$@"
}
title() { printf '\n\033[1m== %s\033[0m\n\n' "$*"; }
cd "$dir/harbour"
title "Where the memory of this repository is (memdir where)"
memdir where
title "What is wrong with it (memdir check)"
memdir check --now "$now" --exit-zero
title "Index entries the agent never sees (memdir index --lost)"
memdir index --lost
title "What 'memdir check --fix' would change (memdir check --fix --diff)"
memdir check --fix --diff --now "$now" --exit-zero
title "Next"
cat <<TEXT
The sample is in     $dir
Fix it for real:     cd $dir/harbour && HOME=$dir/home CLAUDE_CONFIG_DIR=$dir/home/.claude $here/.venv/bin/memdir check --fix
In the editor:       make editor
Your own project:    cd YOUR/REPOSITORY && $here/.venv/bin/memdir check
TEXT
