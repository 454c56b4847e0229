#!/bin/sh
# Three daemons on one PostgreSQL store, one of which dies, ends, sleeps or is cut off: BUILD=build tests/networks/cluster.sh
#
# ROUNDS=N faults of each kind (default 1), SEED=N for another order, STORIES="pages" those alone. First with one account,
# which one of them has, and a store of some size: see cluster/cluster.py; then with six, of which each has two: see cluster/spread.py; then two daemons
# with pages, a browser at each: cluster/pages.py.
set -u
build=$(cd "${BUILD:-build}" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
command -v pgbouncer >/dev/null && ls -d /usr/lib/postgresql/*/bin >/dev/null 2>&1 || {
    echo "cluster: expected a PostgreSQL server and pgbouncer, got none of one: make deps FOR=test-networks"
    exit 1
}
dir=$(mktemp -d)
chmod 755 "$dir"
trap 'sh "$here/postgres/server.sh" stop "$dir/server" 2>/dev/null; rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM HUP
mkdir "$dir/server"
sh "$here/postgres/server.sh" start "$dir/server" || exit 1
port=$(cat "$dir/server/port")
bin=$(ls -d /usr/lib/postgresql/*/bin | tail -n 1)
# What is stored must not delay who follows another: some thousand matches.
fill() {
    "$build/tests/bench/fill" "$dir/filled.db" 8000 &&
        "$build/koikoi" move-store "$dir/filled.db" "postgresql://koi@127.0.0.1:$port/cluster" >"$dir/moved" 2>&1 && return
    cat "$dir/moved"
    return 1
}
status=0
for story in ${STORIES:-cluster spread pages}; do
    "$bin/createdb" -h 127.0.0.1 -p "$port" -U koi $story || exit 1
    [ $story != cluster ] || fill || exit 1
    PYTHONDONTWRITEBYTECODE=1 python3 "$here/cluster/$story.py" "$build/koikoi" "$port" "$dir" "${ROUNDS:-1}" "${SEED:-1}" || status=1
    KOIKOI_STORE="postgresql://koi@127.0.0.1:$port/$story" sh "$here/../sound.sh" "$build/koikoi" "$dir" || status=1
done
exit $status
