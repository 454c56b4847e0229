#!/bin/sh
# What an update costs on a PostgreSQL server beside a file, with few and with many matches stored:
# tests/bench/server_bench.sh BUILD
#
# The same load as in long_bench.sh: somebody's words for the next shuffle of a match of theirs, which is read, changed,
# stored and answered. Each store is filled once, moved to the server (which syncs every commit, on this machine), and
# loaded in turn, a copy each time. One JSON object a line: medians, of the daemon's own CPU and of updates a second.
# Ends with 1 if an answer was lost. Without a server (make deps FOR=test-networks NETWORK=postgres) it says so and ends.
#
# Then people who only say /ping, always the same ones and new ones each time, with the server on this machine and 1, 20 and
# 100 ms away. A relay on the way (relay.py) is the distance, and counts the round trips an update, from the start of the
# daemon on. It shares the processors, which alone costs a tenth of the updates: at 0 ms nothing stands between.
#
# BENCH_FULL=1: up to 1,000,000 matches. SMOKE=1: hardly any.
set -u
build=$(cd "$1" && pwd)
server=tests/networks/postgres/server.sh
command -v pgbouncer >/dev/null && bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -n 1) && [ -n "$bin" ] || {
    echo '{"bench":"server","skipped":"no PostgreSQL server"}'
    exit 0
}
out=$(mktemp -d "${TMPDIR:-/tmp}/koikoi-bench.XXXXXX")
chmod 755 "$out"
trap 'sh "$server" stop "$out/server" 2>/dev/null; rm -rf "$out"' EXIT
trap 'exit 1' INT TERM HUP
few=1000 many=100000 turns=3 n=5000 said=10000 ways='0 1 20 100'
[ -z "${BENCH_FULL:-}" ] || many=1000000
[ -z "${SMOKE:-}" ] || { few=100 many=500 turns=1 n=200 said=300 ways='0 1'; }
sh "$server" start "$out/server" synced || exit 1
port=$(cat "$out/server/port")

field() { sed -n "s/.*\"$2\":\([-0-9.]*\).*/\1/p" "$1"; }
median() { sort -n | awk '{v[NR] = $1} END {if (NR) print v[int((NR + 1) / 2)]; else print 0}'; }
medians() { for f in "$out/$1".*; do field "$f" "$2"; done | median; }
server() { # COMMAND ARGUMENTS: of the server's programs
    command=$1
    shift
    "$bin/$command" -h 127.0.0.1 -p "$port" -U koi "$@"
}
load() { # RESULT STORE
    timeout -k 5 600 "$build/fake/telegram" --load --log="$out/log" --group --chats=$((few / 2)) --text='/cut %d' --match=any \
        --n=$n --warmup=$few --exec="env KOIKOI_TELEGRAM_PACE=0 KOIKOI_STORE=$2 KOIKOI_KEY_FILE=$out/key KOIKOI_STATE_DIR=$out/state $build/koikoi run" \
        >"$out/$1"
}
# Each load has a copy: a store knows the updates that it has heard.
load_both() { # MATCHES TURN
    cp "$out/$1.db" "$out/copy.db"
    load "file$1.$2" "$out/copy.db"
    rm -f "$out"/copy.db*
    server createdb -T "k$1" copy
    load "server$1.$2" "postgresql://koi@127.0.0.1:$port/copy"
    server dropdb copy
}
# ping RESULT STORE CHATS: each says something as soon as the last answer is there
ping() {
    timeout -k 5 600 "$build/fake/telegram" --load --log="$out/log" --chats="$3" --text='/ping %d' --n=$said --warmup=0 --max-s=100 --lost-s=60 \
        --exec="env KOIKOI_TELEGRAM_PACE=0 KOIKOI_TELEGRAM_PICTURES=no KOIKOI_STORE=$2 KOIKOI_KEY_FILE=$out/key KOIKOI_STATE_DIR=$out/state $build/koikoi run" \
        >"$out/$1"
}
# ping_both WAY CHATS MS TURN: a new file, and a new database MS away
ping_both() {
    ping "near$1.$4" "$out/ping.db" "$2"
    rm -f "$out"/ping.db* "$out/relay" "$out/trips"
    server createdb ping
    if [ "$3" = 0 ]; then
        ping "far$1.$4" "postgresql://koi@127.0.0.1:$port/ping" "$2"
    else
        python3 tests/bench/relay.py "$port" "$3" "$out/trips" >"$out/relay" &
        relay=$!
        until [ -s "$out/relay" ]; do sleep 0.05; done
        ping "far$1.$4" "postgresql://koi@127.0.0.1:$(cat "$out/relay")/ping" "$2"
        kill $relay
        wait $relay
        awk -v n=$said '{printf "{\"trips\":%.3f}\n", $1 / n}' "$out/trips" >"$out/trips$1.$4"
    fi
    server dropdb --force ping
}
mkdir "$out/state"
for stored in $few $many; do
    "$build/tests/bench/fill" "$out/$stored.db" "$stored" &&
        server createdb "k$stored" &&
        "$build/koikoi" move-store "$out/$stored.db" "postgresql://koi@127.0.0.1:$port/k$stored" >"$out/moved" 2>&1 ||
        { cat "$out/moved"; exit 1; }
done
for turn in $(seq $turns); do
    for stored in $few $many; do
        load_both "$stored" "$turn"
    done
done
for people in known new; do
    for ms in $ways; do
        for turn in $(seq $((ms < 20 ? turns : 1))); do
            ping_both "$people$ms" $([ $people = known ] && echo 100 || echo $said) "$ms" "$turn"
        done
    done
done
# of RESULTS...: how many answers were lost, one more for each load that did not end
missing() {
    for f in "$@"; do
        grep -q '"ran_out":false' "$f" && field "$f" lost || echo 1
    done | awk '{n += $1} END {print n + 0}'
}
bad=0
for stored in $few $many; do
    lost=$(missing "$out/file$stored".* "$out/server$stored".*)
    bad=$((bad + lost))
    awk -v stored="$stored" -v lost="$lost" -v f="$(medians "file$stored" updates_per_s)" -v s="$(medians "server$stored" updates_per_s)" \
        -v fc="$(medians "file$stored" cpu_s_per_10k)" -v sc="$(medians "server$stored" cpu_s_per_10k)" 'BEGIN {
        printf "{\"bench\":\"server\",\"stored\":%d,\"updates_per_s\":%s,\"on_a_server\":%s,\"ratio\":%.2f,", stored, f, s, (f > 0 ? s / f : 0)
        printf "\"cpu_s_per_10k\":%s,\"cpu_on_a_server\":%s,\"lost\":%d}\n", fc, sc, lost}'
done
for people in known new; do
    for ms in $ways; do
        way=$people$ms
        lost=$(missing "$out/near$way".* "$out/far$way".*)
        bad=$((bad + lost))
        awk -v people="$people" -v ms="$ms" -v lost="$lost" -v f="$(medians "near$way" updates_per_s)" -v s="$(medians "far$way" updates_per_s)" \
            -v fc="$(medians "near$way" cpu_s_per_10k)" -v sc="$(medians "far$way" cpu_s_per_10k)" -v trips="$([ "$ms" = 0 ] || medians "trips$way" trips)" 'BEGIN {
            printf "{\"bench\":\"server\",\"people\":\"%s\",\"away_ms\":%d,\"updates_per_s\":%s,\"on_a_server\":%s,\"ratio\":%.2f,", people, ms, f, s, (f > 0 ? s / f : 0)
            printf "\"cpu_s_per_10k\":%s,\"cpu_on_a_server\":%s,%s\"lost\":%d}\n", fc, sc, trips == "" ? "" : "\"round_trips\":" trips ",", lost}'
    done
done
exit $((bad > 0))
