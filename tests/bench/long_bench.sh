#!/bin/sh
# What a daemon that runs for years must keep: tests/bench/long_bench.sh BUILD
#
# Start with a store to be made, a small one, and one of 100,000 matches; the cost of an update that reads and writes a
# match, with few and with many stored; memory over many updates; kill -9 twenty times between presses of
# a button, and every record played again afterwards, to the last move that was answered. One JSON object a line, each with its target. Ends
# with 1 if an answer was lost or a record is wrong, never because of time.
#
# BENCH_FULL=1: up to 1,000,000 stored matches and 1,000,000 updates, some minutes. SMOKE=1: hardly any.
set -u
build=$1
out=$(mktemp -d "${TMPDIR:-/tmp}/koikoi-bench.XXXXXX")
trap 'rm -rf "$out"' EXIT
bad=0

if [ -n "${SMOKE:-}" ]; then
    few=100 many=500 stored=500 turns=1 n=200 updates=2000 copies=4 every=20 kills=2 seconds=10
elif [ -n "${BENCH_FULL:-}" ]; then
    few=1000 many=1000000 stored=100000 turns=5 n=20000 updates=1000000 copies=60 every=200 kills=20 seconds=60
else
    few=1000 many=100000 stored=100000 turns=3 n=5000 updates=100000 copies=60 every=200 kills=20 seconds=60
fi

field() { sed -n "s/.*\"$2\":\([-0-9.]*\).*/\1/p" "$1"; }
median() { sort -n | awk '{v[NR] = $1} END {if (NR) print v[int((NR + 1) / 2)]; else print 0}'; }
ratio() { awk "BEGIN {printf \"%.2f\", ($2 > 0 ? $1 / $2 : 0)}"; }
load_average() { cut -d ' ' -f 1 /proc/loadavg; }

# A store that holds so many matches, made once; 0 is none. The daemon gets a copy.
filled() {
    [ "$1" = 0 ] || [ -e "$out/$1.db" ] || "$build/tests/bench/fill" "$out/$1.db" "$1" || exit 1
}
run() { # MATCHES RESULT OPTIONS...
    matches=$1 result=$2
    shift 2
    filled "$matches"
    rm -rf "$out/state"
    mkdir -p "$out/state"
    [ "$matches" = 0 ] || cp "$out/$matches.db" "$out/state/koikoi.db"
    timeout -k 5 1800 "$build/fake/telegram" --load --log="$out/log" \
        --exec="env KOIKOI_TELEGRAM_PACE=0 KOIKOI_STATE_DIR=$out/state $build/koikoi run" "$@" >"$result"
}
lost() { # all result lines given
    for f in "$@"; do
        grep -q '"ran_out":false' "$f" && field "$f" lost || echo 1
    done | awk '{n += $1} END {print n + 0}'
}

start() { # MATCHES TARGET
    rm -f "$out"/start.*
    for i in $(seq "$turns"); do
        run "$1" "$out/start.$i" --n=20 --chats=2
    done
    missing=$(lost "$out"/start.*)
    bad=$((bad + missing))
    printf '{"bench":"start","stored":%d,"first_reply_ms":%s,"target":%d,"load_average":%s,"lost":%d}\n' "$1" \
        "$(for f in "$out"/start.*; do field "$f" startup_ms; done | median)" "$2" "$(load_average)" "$missing"
}

# In turn, so that whatever else the machine does falls on both; each update is somebody's words for the
# next shuffle of a match of theirs, which is read, changed, stored and answered.
cost() {
    rm -f "$out"/few.* "$out"/many.*
    for i in $(seq "$turns"); do
        run "$few" "$out/few.$i" --group --chats=$((few / 2)) --text='/cut %d' --match=any --n="$n" --warmup="$few"
        run "$many" "$out/many.$i" --group --chats=$((few / 2)) --text='/cut %d' --match=any --n="$n" --warmup="$few"
    done
    missing=$(lost "$out"/few.* "$out"/many.*)
    bad=$((bad + missing))
    for f in cpu_s_per_10k updates_per_s; do
        eval "few_$f=\$(for r in $out/few.*; do field \$r $f; done | median)"
        eval "many_$f=\$(for r in $out/many.*; do field \$r $f; done | median)"
    done
    printf '{"bench":"cost","stored":%d,"than":%d,"cpu_s_per_10k":%s,"than_cpu_s_per_10k":%s,"cpu_ratio":%s,' \
        "$many" "$few" "$many_cpu_s_per_10k" "$few_cpu_s_per_10k" "$(ratio "$many_cpu_s_per_10k" "$few_cpu_s_per_10k")"
    printf '"updates_per_s":%s,"than_updates_per_s":%s,"time_ratio":%s,"target":1.3,"load_average":%s,"lost":%d}\n' \
        "$many_updates_per_s" "$few_updates_per_s" "$(ratio "$few_updates_per_s" "$many_updates_per_s")" \
        "$(load_average)" "$missing"
}

# The store keeps 4 MB of its file in memory, filled after some 60,000 updates: only the full run begins to
# look behind that.
memory() {
    run 0 "$out/memory" --chats=100 --n="$updates" --max-s=1500
    missing=$(lost "$out/memory")
    bad=$((bad + missing))
    printf '{"bench":"memory","updates":%d,"rss_at_tenth_mb":%s,"rss_at_end_mb":%s,"ratio":%s,"target":1.05,"lost":%d}\n' \
        "$updates" "$(field "$out/memory" rss_at_tenth_mb)" "$(field "$out/memory" rss_at_end_mb)" \
        "$(ratio "$(field "$out/memory" rss_at_end_mb)" "$(field "$out/memory" rss_at_tenth_mb)")" "$missing"
}

kills() {
    run 0 "$out/kills" --play=tests/bench/presses.play --copies="$copies" --max-s="$seconds" \
        --kill-every="$every" --kills="$kills" --events="$out/events"
    printf '{"bench":"kills","kills":%s,"target":%d,"presses":%s,"failed":%s}\n' "$(field "$out/kills" kills)" "$kills" \
        "$(field "$out/kills" presses)" "$(field "$out/kills" failed)"
    [ "$(field "$out/kills" failed)" = 0 ] || bad=$((bad + 1))
    "$build/tests/bench/records" "$out/state/koikoi.db" "$out/events" || bad=$((bad + 1))
}

start 0 50
start "$few" 50
start "$stored" 200
cost
memory
kills
exit $((bad > 0))
