#!/bin/sh
# What encryption and pictures cost the daemon on Matrix, beside the same without them in the same run:
# tests/bench/sealed_bench.sh BUILD [RUNS]
#
# One JSON object a line. Start: wall time in ms from exec to the first sync, on an empty store and on the same again, with
# a homeserver that answers at once; medians of 10. Moves: CPU a move behind the third one (two people, so two moves of
# theirs) and the most memory, in a match on a throw-away Synapse with matrix-js-sdk; medians of RUNS (3) in turn, and the
# same with pictures and polls, with the seconds from one move of Ann's to her next. Wants libkoikoi_olm.so beside the
# program, for the moves also what networks/matrix.sh installs. SMOKE=1: one start. Ends with 1 if a story fails.
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
# CPU a move, kB of memory and seconds a move, from the line of a story that went well.
play() { # STORY
    sh "$here/../networks/matrix/story.sh" "$build" "$1" >"$out/line"
    sed -n 's/^  ok .*"moves":\([0-9]*\),.*"seconds_per_move":\([0-9.]*\),.* \([0-9]*\) ms of CPU, \([0-9]*\) by move \([0-9]*\), \([0-9]*\) kB$/\1 \3 \4 \5 \6 \2/p' "$out/line" |
        awk '$1 > $4 {printf "%.2f %d %s\n", ($2 - $3) / ($1 - $4), $5, $6; good = 1} END {exit !good}' >>"$out/$1" && return
    cat "$out/line" >&2
    exit 1
}
median() { sort -n | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'; }
of() { cut -d ' ' -f "$2" "$out/$1" | median; } # STORY COLUMN
for run in $(seq "$runs"); do
    play standard
    play sealed_standard
    play pictures
done
awk -v runs="$runs" -v a="$(of standard 1)" -v b="$(of sealed_standard 1)" -v m="$(of standard 2)" -v n="$(of sealed_standard 2)" 'BEGIN {
    printf "{\"bench\":\"sealed\",\"what\":\"moves\",\"runs\":%d,\"cpu_ms_a_move\":%s,\"sealed_cpu_ms_a_move\":%s,\"ratio\":%.2f,", runs, a, b, b / a
    printf "\"rss_mb\":%.1f,\"sealed_rss_mb\":%.1f}\n", m / 1024, n / 1024
}'
awk -v runs="$runs" -v a="$(of pictures 1)" -v m="$(of pictures 2)" -v s="$(of pictures 3)" -v t="$(of standard 3)" 'BEGIN {
    printf "{\"bench\":\"sealed\",\"what\":\"pictures\",\"runs\":%d,\"cpu_ms_a_move\":%s,\"s_a_move\":%s,\"s_a_move_without\":%s,\"rss_mb\":%.1f}\n", runs, a, s, t, m / 1024
}'
