#!/bin/sh
# A hundred matches against the best computer player at once, by one thread that computes: how many of its
# moves came, and whether the loop was held up. tests/bench/computer_bench.sh BUILD
#
# slow_steps counts the loop's steps over 50 ms, longest_ms the longest of them (0: none).
set -u
build=$1
out=$(mktemp -d "${TMPDIR:-/tmp}/koikoi-bench.XXXXXX")
trap 'rm -rf "$out"' EXIT
mkdir "$out/state"
copies=100 seconds=30
[ -n "${SMOKE:-}" ] && copies=10 seconds=5
timeout -k 5 120 "$build/fake/telegram" --play=tests/bench/computer.play --copies=$copies --max-s=$seconds \
    --exec="env KOIKOI_TELEGRAM_PACE=0 KOIKOI_STATE_DIR=$out/state $build/koikoi run" --log="$out/log" \
    >"$out/one" 2>"$out/errors"
cat "$out/one"
sed -n 's/.*slow_step.*ms=\([0-9]*\).*/\1/p' "$out/log" | sort -n |
    awk -v copies=$copies '{n++; most = $1} END {printf "{\"bench\":\"computer\",\"matches\":%d,\"slow_steps\":%d,\"longest_ms\":%d}\n", copies, n, most}'
