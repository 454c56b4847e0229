#!/bin/sh
# Tests of the daemon in encrypted rooms: BUILD=build tests/networks/matrix-encrypted.sh
#
# The stories sealed_... of matrix/story.sh, with libkoikoi_olm.so, which `make crypto` builds if cargo is there.
# Without either they are skipped, and counted so.
set -u
build=${BUILD:-build}
stories='sealed_standard sealed_pictures sealed_nio sealed_later sealed_devices sealed_killed sealed_points sealed_lost sealed_recovery sealed_replaced'
if [ ! -e "$build/libkoikoi_olm.so" ] && ! command -v cargo >/dev/null; then
    echo "cargo: not found; encrypted rooms are not tested"
    echo "[  SKIPPED ] $(echo $stories | wc -w) test(s)"
    exit 0
fi
make BUILD="$build" crypto || { echo "[  FAILED  ] 1 test(s): make crypto"; exit 1; }
STORIES=${STORIES:-$stories} exec sh "$(dirname "$0")/matrix.sh"
