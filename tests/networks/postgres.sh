#!/bin/sh
# Tests of the store on a real PostgreSQL server: BUILD=build tests/networks/postgres.sh
#
# The suites that `make test` runs on SQLite, each on a database of its own: straight to the server, those of SHARED
# through pgbouncer in transaction mode, and those of PARTED on tables in partitions. Then a daemon that is killed in mid-match, and a store that is moved.
# ONLY names suites (as in store/store_test), STORIES stories of postgres/stories.sh (as in hangs), which then run alone.
set -u
build=$(cd "${BUILD:-build}" && pwd)
here=$(cd "$(dirname "$0")/postgres" && pwd)
command -v pgbouncer >/dev/null && ls -d /usr/lib/postgresql/*/bin >/dev/null 2>&1 || {
    echo "postgres: expected a PostgreSQL server and pgbouncer, got none of one: make deps FOR=test-networks"
    exit 1
}
dir=$(mktemp -d)
chmod 755 "$dir"
trap 'sh "$here/server.sh" stop "$dir/server" 2>/dev/null; rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM HUP
passed=0 failed=0
# verdict NAME STATUS: counts and prints
verdict() {
    if [ "$2" -eq 0 ]; then passed=$((passed + 1)); echo "  ok    $1"; else failed=$((failed + 1)); echo "  FAIL  $1"; fi
}
bin=$(ls -d /usr/lib/postgresql/*/bin | tail -n 1)
database() { "$bin/createdb" -h 127.0.0.1 -p "$port" -U koi "$1"; }
in_parts() { "$bin/psql" -Xq -h 127.0.0.1 -p "$port" -U koi -c "ALTER DATABASE $1 SET koikoi.partitions = 4" postgres; }

mkdir "$dir/server"
sh "$here/server.sh" start "$dir/server" || exit 1
port=$(cat "$dir/server/port")

suites='store/store_test store/store_migrate_test store/store_results_test store/store_daily_test store/sum_test store/store_look_test store/store_people_test store/store_link_test
store/store_tournament_test store/store_seek_test store/retention_test store/store_move_test store/db/db_postgres_test store/db/db_lease_test store/store_beside_test
daemon/stop_test daemon/prune_test daemon/crash_test daemon/two_networks_test
loop/loop_test loop/loop_attempt_test inbox/results_test inbox/puzzle_days_test store/vault_test
outbox/outbox_picture_test golden/newcomer_test golden/golden_test'
# What asks most of a session that is shared.
shared='store/store_test store/store_beside_test store/sum_test store/store_look_test store/store_move_test store/db/db_postgres_test store/db/db_lease_test loop/loop_test loop/loop_attempt_test
store/vault_test daemon/stop_test'
# What uses the tables that can be cut into partitions.
parted='store/store_test store/store_beside_test store/store_results_test store/store_daily_test store/store_migrate_test store/store_move_test store/retention_test store/vault_test
daemon/crash_test daemon/two_networks_test golden/golden_test'
[ -z "${STORIES:-}" ] || suites='' shared='' parted=''

# run SUITE PORT WAY
run() {
    name=$(echo "$1_$3" | tr / _)
    database "$name" && { [ "$3" != parted ] || in_parts "$name"; } &&
        TEST_STORE=postgresql://koi@127.0.0.1:$2/$name "$build/tests/$1" >"$dir/said" 2>&1 </dev/null
    code=$?
    [ $code -eq 0 ] || grep -vE '\[ +(RUN|OK|PASSED) +\]|\[ +FAILED +\] [0-9]' "$dir/said" | head -n 40
    verdict "$1 ($3)" $code
}
for suite in ${ONLY:-$suites}; do run "$suite" "$port" direct; done
for suite in ${ONLY:-$shared}; do run "$suite" $((port + 1)) pooled; done
for suite in $parted; do
    case " ${ONLY:-$suite} " in *" $suite "*) run "$suite" "$port" parted ;; esac
done
[ -n "${ONLY:-}" ] && [ -z "${STORIES:-}" ] || . "$here/stories.sh"

[ $failed -eq 0 ] || echo "[  FAILED  ] $failed test(s)"
echo "[  PASSED  ] $passed test(s)."
[ $failed -eq 0 ]
