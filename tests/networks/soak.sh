#!/bin/sh
# Weeks of play under all faults together, on both stores: BUILD=build SOAK=60 tests/networks/soak.sh
#
# SOAK=N minutes, both at once (default 1, a quick look), SEED=N for another order: see soak/soak.py.
set -u
build=$(cd "${BUILD:-build}" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
seconds=$((${SOAK:-1} * 60))
seed=${SEED:-1} sqlite=''
ls /usr/lib/*/faketime/libfaketimeMT.so.1 >/dev/null 2>&1 || {
    echo "soak: expected faketime, got none: make deps FOR=test-networks"
    exit 1
}
export PYTHONDONTWRITEBYTECODE=1
dir=$(mktemp -d)
chmod 755 "$dir"
trap 'kill "$sqlite" 2>/dev/null; sh "$here/postgres/server.sh" stop "$dir/server" 2>/dev/null; rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM HUP
mkdir "$dir/server" "$dir/sqlite" "$dir/postgresql"
status=0
python3 "$here/soak/soak.py" "$build/koikoi" "$dir/sqlite" "$seconds" "$seed" &
sqlite=$!
if ls -d /usr/lib/postgresql/*/bin >/dev/null 2>&1 && command -v pgbouncer >/dev/null; then
    sh "$here/postgres/server.sh" start "$dir/server" || exit 1
    port=$(cat "$dir/server/port")
    bin=$(ls -d /usr/lib/postgresql/*/bin | tail -n 1)
    "$bin/createdb" -h 127.0.0.1 -p "$port" -U koi cluster || exit 1
    python3 "$here/soak/soak.py" "$build/koikoi" "$dir/postgresql" "$seconds" "$seed" "$port" || status=1
else
    echo '{"soak":"postgresql","skipped":"expected a PostgreSQL server and pgbouncer, got none of one"}'
    echo "[  SKIPPED ] 1 test(s)"
fi
wait "$sqlite" || status=1
exit $status
