#!/bin/sh
# Matches on three daemons whose PostgreSQL is a cluster run by Patroni: BUILD=build tests/networks/patroni.sh
#
# ROUNDS=N faults of each kind (default 1), SEED=N for another order, STORIES="kill stop" those alone: see patroni/failover.py. The three servers, Patroni and
# etcd run on the loopback as a user without rights, in a folder of their own.
set -u
build=$(cd "${BUILD:-build}" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -n 1)
command -v patroni >/dev/null && command -v etcd >/dev/null && [ -n "$bin" ] || {
    echo "patroni: expected Patroni, etcd and a PostgreSQL server, got none of one: make deps NETWORK=patroni FOR=test-networks"
    exit 1
}
dir=$(mktemp -d)
chmod 755 "$dir"
mkdir "$dir/nodes"
[ "$(id -u)" != 0 ] || chown postgres "$dir/nodes"
# The story ends what it started; if it was killed, the folder knows the processes.
leave() {
    for name in "$dir"/nodes/*.pid "$dir"/nodes/*/postmaster.pid; do
        pid=$(head -n 1 "$name" 2>/dev/null) && grep -aqF "$dir/nodes" "/proc/$pid/cmdline" 2>/dev/null || continue
        # shellcheck disable=SC2046
        kill -KILL "$pid" $(pgrep -P "$pid") 2>/dev/null
    done
    rm -rf "$dir"
}
trap leave EXIT
trap 'exit 1' INT TERM HUP
export SPEED=1 ACCOUNTS=3 TABLES="${TABLES:-3}" PYTHONDONTWRITEBYTECODE=1
python3 "$here/patroni/failover.py" "$build/koikoi" "$dir" "$bin" "${ROUNDS:-1}" "${SEED:-1}"
