#!/usr/bin/env bash
# Installs what tests/real runs against (once, under target/real) and runs those tests: on an idle machine five minutes
# the first time, three after that. What can't be installed is left out with a note; what is there has to pass.
set -euo pipefail
cd "$(dirname "$0")/../.."
export GEODE_REAL_DIR="${GEODE_REAL_DIR:-$PWD/target/real}"
scripts/real/install.sh "$GEODE_REAL_DIR"
# Built apart, so that the limit is on the runs alone. Two at a time: each starts servers and programs of its own.
cargo test --all-features --locked --test real --no-run
timeout 600 cargo test --all-features --locked --test real -- --nocapture --test-threads=2
