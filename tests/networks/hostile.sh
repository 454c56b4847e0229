#!/bin/sh
# Tests of the daemon on hostile servers: BUILD=build tests/networks/hostile.sh
#
# Answers that are huge, deep, slow, broken, of wrong types: see hostile/hostile.py. SHARE=N plays every N-th of them.
set -u
build=${BUILD:-build}
PYTHONDONTWRITEBYTECODE=1 exec python3 "$(dirname "$0")/hostile/hostile.py" "$build/koikoi" "${SHARE:-1}"
