#!/bin/sh
# A thousand watchers of one table, and its players beside them and alone: see watch_bench.py.
# tests/bench/watch_bench.sh BUILD; half a minute, with SMOKE=1 some seconds. Needs python3.
set -u
command -v python3 >/dev/null || { echo '{"bench":"watch","skipped":"python3: not found"}'; exit 0; }
ulimit -n 4096 2>/dev/null
if [ -n "${SMOKE:-}" ]; then set -- "$1" 20 10; else set -- "$1" 1000 150; fi
PYTHONDONTWRITEBYTECODE=1 exec python3 "$(dirname "$0")/watch_bench.py" "$1/koikoi" "$2" "$3"
