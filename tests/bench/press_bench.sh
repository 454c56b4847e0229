#!/bin/sh
# Presses in a running match, calm and under each load, and typed questions in a mute group: see press_bench.py.
# tests/bench/press_bench.sh BUILD; two minutes, with SMOKE=1 some seconds. Needs python3.
set -u
command -v python3 >/dev/null || { echo '{"bench":"press","skipped":"python3: not found"}'; exit 0; }
PYTHONDONTWRITEBYTECODE=1 exec python3 "$(dirname "$0")/press_bench.py" "$1/koikoi" "$([ -n "${SMOKE:-}" ] && echo 0.05 || echo 1)"
