#!/bin/sh
# How fast the daemon turns updates into answers, beside the reference loop of the same machine in the
# same run, in turn: tests/bench/loop_bench.sh BUILD [RUNS]
#
# Each update is stored before it is answered (SQLite, synchronous=FULL) by both. One JSON object a line:
# medians of RUNS (5) for each load and their ratio; then refusals and broken connections; then kill -9
# twenty times in the middle of a load. Ends with 1 if an answer was lost. With SMOKE=1 each load is run
# once and a twentieth as long: that it runs and loses nothing is seen, its figures mean little.
set -u
build=$1
runs=${2:-${SMOKE:+1}}
runs=${runs:-5}
out=$(mktemp -d "${TMPDIR:-/tmp}/koikoi-bench.XXXXXX")
trap 'rm -rf "$out"' EXIT
bad=0

# Hands are words here (pictures = no), as the reference has none: what is measured is what a press costs.
daemon() { echo "env KOIKOI_TELEGRAM_PACE=0 KOIKOI_TELEGRAM_PICTURES=no KOIKOI_STATE_DIR=$out/state $build/koikoi run"; }
reference() { echo "$build/tests/bench/reference $out/reference.db 1000"; }
fresh() { rm -rf "$out/state" "$out"/reference.db*; mkdir -p "$out/state"; }
# The load generator, or the player of a story, with shorter loads in a smoke run.
load() {
    for option in "$@"; do
        shift
        case ${SMOKE:+smoke}$option in
        smoke--n=* | smoke--warmup=* | smoke--kill-every=*) option=${option%%=*}=$((${option##*=} / 20)) ;;
        esac
        set -- "$@" "$option"
    done
    timeout -k 5 300 "$build/fake/telegram" --load "$@"
}
# The value of a field in a result line.
field() { sed -n "s/.*\"$2\":\([-0-9.]*\).*/\1/p" "$1"; }
median() { sort -n | awk '{v[NR] = $1} END {if (NR) print v[int((NR + 1) / 2)]}'; }
medians() { # FILE-PREFIX FIELD
    for f in "$out/$1".*; do field "$f" "$2"; done | median
}
lost() { # all result lines given: what was lost or not finished
    for f in "$@"; do
        field "$f" lost
        grep -q '"ran_out":true' "$f" && echo 1
    done | awk '{n += $1} END {print n + 0}'
}

pair() { # NAME OPTIONS...
    name=$1
    shift
    rm -f "$out"/daemon.* "$out"/reference.[0-9]*
    for i in $(seq "$runs"); do
        fresh
        load --exec="$(daemon)" --log="$out/daemon-log" "$@" >"$out/daemon.$i"
        fresh
        load --exec="$(reference)" "$@" >"$out/reference.$i"
    done
    missing=$(lost "$out"/daemon.*)
    bad=$((bad + missing))
    ours=$(medians daemon updates_per_s)
    theirs=$(medians reference updates_per_s)
    printf '{"bench":"loop","load":"%s","runs":%d,"updates_per_s":%s,"reference":%s,"ratio":%s,' \
        "$name" "$runs" "${ours:-0}" "${theirs:-0}" \
        "$(awk "BEGIN {printf \"%.3f\", (${theirs:-0} > 0 ? ${ours:-0} / ${theirs:-1} : 0)}")"
    for f in p50_ms p99_ms whole_p99_ms cpu_s_per_10k rss_mb startup_ms; do
        printf '"%s":%s,"reference_%s":%s,' $f "$(medians daemon $f)" $f "$(medians reference $f)"
    done
    printf '"lost":%d}\n' "$missing"
}

one() { # NAME OPTIONS...: a single run of the daemon, its fields as they are
    name=$1
    shift
    fresh
    load --exec="$(daemon)" --log="$out/daemon-log" --label="$name" "$@" >"$out/one"
    cat "$out/one"
    bad=$((bad + $(lost "$out/one")))
}

pair "100 chats, 0 ms" --chats=100 --n=20000 --warmup=3000
pair "10000 chats, 0 ms" --chats=10000 --n=20000 --warmup=10000
pair "new people, 0 ms" --chats=20000 --n=20000 --warmup=0
pair "100 chats, 50 ms" --chats=100 --n=4000 --warmup=500 --delay-ms=50
pair "10000 chats, 50 ms" --chats=10000 --n=20000 --warmup=10000 --delay-ms=50
pair "new people, 50 ms" --chats=20000 --n=20000 --warmup=0 --delay-ms=50
one "30/s over 300 chats, 50 ms" --chats=300 --n=300 --rate=30 --delay-ms=50
one "matches by buttons" --play=tests/bench/presses.play --copies=300 --max-s=20
one "429 on 1%" --chats=100 --n=5000 --p-429=0.01
one "502 on 2%" --chats=100 --n=5000 --p-502=0.02
one "reset on 2%" --chats=100 --n=5000 --p-reset=0.02
one "cut on 2%" --chats=100 --n=5000 --p-cut=0.02
one "doubled updates on 5%" --chats=100 --n=5000 --p-double=0.05
one "kill -9 twenty times" --chats=100 --n=25000 --kill-every=1200 --kills=20 --max-s=120

exit $((bad > 0))
