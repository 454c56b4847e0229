#!/bin/sh
# Runs fuzz targets, as many at once as there are cores: tests/fuzz.sh BUILD SECONDS TARGET...
#
# SEED=N in the environment draws the same inputs each time, as a gate must; without it every run looks elsewhere.
# Each target starts from tests/fuzz/seeds/NAME/ and tests/fuzz/corpus/NAME/ if they exist, keeps its corpus in
# BUILD/corpus, and runs SECONDS. It fails by a crash, whose input stays in BUILD/crashes, by an input that takes 10 s,
# and if it does not end.
set -u
# ASan keeps short stacks of allocations, and little freed memory waits: both cost time with each input.
export ASAN_OPTIONS="quarantine_size_mb=2:malloc_context_size=4:${ASAN_OPTIONS:-}"
one() {                                 # BUILD SECONDS TARGET
    name=$(basename "$3")
    mkdir -p "$1/corpus/$name"
    seeds=
    for folder in seeds corpus; do
        [ -d "tests/fuzz/$folder/$name" ] && seeds="$seeds tests/fuzz/$folder/$name"
    done
    # shellcheck disable=SC2086
    if timeout -k 10 $(($2 + 120)) "$3" -max_total_time="$2" -seed="${SEED:-0}" -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 -verbosity=0 \
        -artifact_prefix="$1/crashes/$name-" "$1/corpus/$name" $seeds >"$1/$name.log" 2>&1; then
        echo "  ok    $name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$1/$name.log") inputs"
    else
        echo "FAILED  $name"
        tail -n 40 "$1/$name.log" | sed 's/^/        /'
    fi
}
[ "$1" != --one ] || { shift; one "$@"; exit 0; } # how this script calls itself
build=$1 seconds=$2
shift 2
mkdir -p "$build/crashes"
printf '%s\n' "$@" | xargs -P "$(nproc)" -n 1 sh "$0" --one "$build" "$seconds" >"$build/fuzz.log"
cat "$build/fuzz.log"
passed=$(grep -c '^  ok' "$build/fuzz.log") failed=$(($# - passed))
echo "[  PASSED  ] $passed test(s)."
[ "$failed" -eq 0 ] || { echo "[  FAILED  ] $failed test(s)"; exit 1; }
