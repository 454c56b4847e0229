#!/bin/sh
# Tests of the daemon in encrypted rooms: BUILD=build tests/networks/matrix-encrypted.sh
#
# The stories sealed_... of matrix/story.sh, with libkoikoi_olm.so, which `make crypto` builds if cargo is there.
# Without either they are skipped, and counted so. POINTS=every plays sealed_points once more for each request of the
# story, instead: twenty minutes.
set -u
build=${BUILD:-build}
stories='sealed_standard sealed_pictures sealed_nio sealed_again sealed_later sealed_devices sealed_killed sealed_points sealed_lost sealed_lost_key sealed_recovery sealed_replaced'
if [ ! -e "$build/libkoikoi_olm.so" ] && ! command -v cargo >/dev/null; then
    echo "cargo: not found; encrypted rooms are not tested"
    echo "[  SKIPPED ] $(echo $stories | wc -w) test(s)"
    exit 0
fi
make BUILD="$build" crypto || { echo "[  FAILED  ] 1 test(s): make crypto"; exit 1; }
[ "${POINTS:-}" = every ] || STORIES=${STORIES:-$stories} exec sh "$(dirname "$0")/matrix.sh"
here=$(dirname "$0")/matrix passed=0 failed=0
SYNAPSE=${SYNAPSE:-$(mkdir -p "$build/networks/matrix" && cd "$build/networks/matrix" && pwd)/synapse}
export SYNAPSE
sh "$here/peers.sh" "$build/networks/matrix" || { echo "[  FAILED  ] 1 test(s): the peers are not here"; exit 1; }
for KILL_FIRST in $(seq 22); do
    export KILL_FIRST
    if sh "$here/story.sh" "$build" sealed_points; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
done
echo "[  PASSED  ] $passed test(s)."
[ $failed -eq 0 ] || echo "[  FAILED  ] $failed test(s)"
[ $failed -eq 0 ]
