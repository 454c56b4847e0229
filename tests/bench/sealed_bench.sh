#!/bin/sh
# What encryption costs the daemon, beside the same without it in the same run: tests/bench/sealed_bench.sh BUILD [RUNS]
#
# One JSON object a line. Start: wall time in ms from exec to the first sync, on an empty store and on the same again, with
# a homeserver that answers at once; medians of 10. Moves: CPU a move behind the third one (two people, so two moves of
# theirs) and the most memory, in a match on a throw-away Synapse with matrix-js-sdk; medians of RUNS (3) in turn. Wants
# libkoikoi_olm.so beside the program, for the moves also what networks/matrix.sh installs. SMOKE=1: one start. Ends with 1
# if a story fails.
set -u
build=$1
runs=${2:-3}
here=$(dirname "$0")
peers=$build/networks/matrix
SYNAPSE=${SYNAPSE:-$(cd "$peers" 2>/dev/null && pwd)/synapse}
export SYNAPSE
skip() { echo "{\"bench\":\"sealed\",\"skipped\":\"$1\"}"; exit 0; }
[ -e "$build/libkoikoi_olm.so" ] || skip "libkoikoi_olm.so: not found"
command -v python3 >/dev/null || skip "python3: not found"

times=10
[ -z "${SMOKE:-}" ] || times=1
starts=$(python3 "$here/sealed_start.py" "$build" "$times") || exit 1
echo "{\"bench\":\"sealed\",\"what\":\"start\",${starts#\{}"
[ -z "${SMOKE:-}" ] || exit 0
[ -x "$SYNAPSE/bin/python" ] || skip "Synapse: not found"
command -v node >/dev/null || skip "node: not found"

out=$(mktemp -d "${TMPDIR:-/tmp}/koikoi-bench.XXXXXX")
trap 'rm -rf "$out"' EXIT
trap 'exit 1' INT TERM HUP
# CPU a move and kB of memory, from the line of a story that went well.
play() { # STORY
    sh "$here/../networks/matrix/story.sh" "$build" "$1" >"$out/line"
    sed -n 's/^  ok .*"moves":\([0-9]*\),.* \([0-9]*\) ms of CPU, \([0-9]*\) by move \([0-9]*\), \([0-9]*\) kB$/\1 \2 \3 \4 \5/p' "$out/line" |
        awk '$1 > $4 {printf "%.2f %d\n", ($2 - $3) / ($1 - $4), $5; good = 1} END {exit !good}' >>"$out/$1" && return
    cat "$out/line" >&2
    exit 1
}
median() { sort -n | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'; }
of() { cut -d ' ' -f "$2" "$out/$1" | median; } # STORY COLUMN
for run in $(seq "$runs"); do
    play standard
    play sealed_standard
done
awk -v runs="$runs" -v a="$(of standard 1)" -v b="$(of sealed_standard 1)" -v m="$(of standard 2)" -v n="$(of sealed_standard 2)" 'BEGIN {
    printf "{\"bench\":\"sealed\",\"what\":\"moves\",\"runs\":%d,\"cpu_ms_a_move\":%s,\"sealed_cpu_ms_a_move\":%s,\"ratio\":%.2f,", runs, a, b, b / a
    printf "\"rss_mb\":%.1f,\"sealed_rss_mb\":%.1f}\n", m / 1024, n / 1024
}'
