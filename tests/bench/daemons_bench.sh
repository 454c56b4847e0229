#!/bin/sh
# Updates a second of several daemons that share a PostgreSQL store, beside one daemon on a file: tests/bench/daemons_bench.sh BUILD
#
# ACCOUNTS=N accounts of Telegram (8), each with a load server of its own; 1, 2 and 4 daemons share them out. Somebody
# writes /ping in each of many groups as soon as the last one is answered. One JSON object a line: updates a second over all
# accounts, and their ratio to the file's. Ends with 1 if an answer was lost. Without a server it says so and ends.
#
# DISTANCE=MS: the server is as far away (2: two cores alone hide what a turn costs); 0: on this machine.
#
# SMOKE=1: two accounts, one and two daemons, hardly any updates.
set -u
build=$(cd "$1" && pwd)
server=tests/networks/postgres/server.sh
command -v pgbouncer >/dev/null && bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -n 1) && [ -n "$bin" ] || {
    echo '{"bench":"daemons","skipped":"no PostgreSQL server"}'
    exit 0
}
out=$(mktemp -d "${TMPDIR:-/tmp}/koikoi-bench.XXXXXX")
chmod 755 "$out"
daemons='' loads='' relay=''
end_all() {
    # shellcheck disable=SC2086
    kill $daemons $loads 2>/dev/null
    # shellcheck disable=SC2086
    wait $daemons $loads 2>/dev/null
    daemons='' loads=''
}
trap '[ -z "$relay" ] || kill $relay; end_all; sh "$server" stop "$out/server" 2>/dev/null; rm -rf "$out"' EXIT
trap 'exit 1' INT TERM HUP
accounts=${ACCOUNTS:-8} counts='1 2 4' n=3000
[ -z "${SMOKE:-}" ] || { accounts=2 counts='1 2' n=50; }
sh "$server" start "$out/server" synced || exit 1
port=$(cat "$out/server/port") away=$(cat "$out/server/port") distance=${DISTANCE:-2}
[ "$distance" = 0 ] || {
    python3 "${0%/*}/relay.py" "$port" "$distance" >"$out/relay" &
    relay=$!
    until [ -s "$out/relay" ]; do :; done
    away=$(cat "$out/relay")
}

field() { sed -n "s/.*\"$2\":\([-0-9.]*\).*/\1/p" "$1"; }
# run NAME STORE DAEMONS: prints updates a second and lost answers
run() {
    mkdir -p "$out/$1"
    : >"$out/$1/koikoi.conf"
    chmod 600 "$out/$1/koikoi.conf"
    for i in $(seq "$accounts"); do
        timeout -k 5 300 "$build/fake/telegram" --load --token="$i:TEST" --group --chats=40 --text='/ping %d' --n=$n --warmup=$((n / 10)) --max-s=250 \
            --exec="sh -c 'echo \$KOIKOI_TELEGRAM_API_ROOT >$out/$1/root$i; exec sleep 300'" >"$out/$1/result$i" 2>/dev/null &
        loads="$loads $!"
        until [ -s "$out/$1/root$i" ]; do :; done
        printf '[telegram.a%d]\ntoken = %d:TEST\napi_root = %s\npace = 0\npictures = no\n' "$i" "$i" "$(cat "$out/$1/root$i")" >>"$out/$1/koikoi.conf"
    done
    for i in $(seq "$3"); do
        env KOIKOI_CONFIG="$out/$1/koikoi.conf" KOIKOI_STORE="$2" KOIKOI_KEY_FILE="$out/key" KOIKOI_STATE_DIR="$out/$1/state$i" \
            "$build/koikoi" run </dev/null >"$out/$1/log$i" 2>&1 &
        daemons="$daemons $!"
    done
    # shellcheck disable=SC2086
    wait $loads
    loads=''
    end_all
    for i in $(seq "$accounts"); do
        grep -q '"ran_out":false' "$out/$1/result$i" || echo "0 1"
        echo "$(field "$out/$1/result$i" updates_per_s) $(field "$out/$1/result$i" lost)"
    done | awk '{n += $1; lost += $2} END {printf "%.1f %d\n", n, lost}'
}
bad=0
set -- $(run file "$out/koikoi.db" 1)
file=$1
bad=$((bad + $2))
echo "{\"bench\":\"daemons\",\"store\":\"file\",\"accounts\":$accounts,\"daemons\":1,\"updates_per_s\":$1,\"lost\":$2}"
for daemons_at_once in $counts; do
    "$bin/createdb" -h 127.0.0.1 -p "$port" -U koi "d$daemons_at_once"
    set -- $(run "server$daemons_at_once" "postgresql://koi@127.0.0.1:$away/d$daemons_at_once" "$daemons_at_once")
    bad=$((bad + $2))
    echo "$1 $2" | awk -v accounts="$accounts" -v daemons="$daemons_at_once" -v file="$file" -v distance="$distance" '{
        printf "{\"bench\":\"daemons\",\"store\":\"server\",\"distance_ms\":%g,\"accounts\":%d,\"daemons\":%d,\"updates_per_s\":%s,\"ratio\":%.2f,\"lost\":%d}\n", distance, accounts, daemons, $1, (file > 0 ? $1 / file : 0), $2}'
done
exit $((bad > 0))
