#!/bin/sh
# A thousand browsers at five hundred tables beside a chat's load: see web_bench.py.
# tests/bench/web_bench.sh BUILD; a minute, with SMOKE=1 some seconds. Needs python3.
set -u
command -v python3 >/dev/null || { echo '{"bench":"web","skipped":"python3: not found"}'; exit 0; }
ulimit -n 8192 2>/dev/null
PYTHONDONTWRITEBYTECODE=1 exec python3 "$(dirname "$0")/web_bench.py" "$1" "$([ -n "${SMOKE:-}" ] && echo 0.05 || echo 1)"
