#!/usr/bin/env bash
# Installs what tests/real runs against (once, under target/real) and runs those tests. At most about six minutes.
set -euo pipefail
cd "$(dirname "$0")/../.."
export GEODE_REAL_DIR="${GEODE_REAL_DIR:-$PWD/target/real}"
timeout 150 scripts/real/install.sh "$GEODE_REAL_DIR"
# Built apart, so that the limit is on the runs alone. Two at a time: each starts servers and programs of its own.
cargo test --locked --test real --no-run
timeout 210 cargo test --locked --test real -- --nocapture --test-threads=2
