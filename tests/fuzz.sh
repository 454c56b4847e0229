#!/bin/sh
# Runs fuzz targets: tests/fuzz.sh BUILD SECONDS TARGET...
#
# Each target starts from tests/fuzz/seeds/NAME/ and tests/fuzz/corpus/NAME/ if they exist, keeps its corpus in
# BUILD/corpus, and runs SECONDS. It fails by a crash, whose input stays in BUILD/crashes, by an input that takes 10 s,
# and if it does not end.
set -u
# ASan keeps short stacks of allocations, and little freed memory waits: both cost time with each input.
export ASAN_OPTIONS="quarantine_size_mb=2:malloc_context_size=4:${ASAN_OPTIONS:-}"
build=$1 seconds=$2
shift 2
passed=0 failed=0
mkdir -p "$build/crashes"
for target in "$@"; do
    name=$(basename "$target")
    mkdir -p "$build/corpus/$name"
    seeds=
    for folder in seeds corpus; do
        [ -d "tests/fuzz/$folder/$name" ] && seeds="$seeds tests/fuzz/$folder/$name"
    done
    # shellcheck disable=SC2086
    if timeout -k 10 $((seconds + 120)) "$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 -verbosity=0 \
        -artifact_prefix="$build/crashes/$name-" "$build/corpus/$name" $seeds >"$build/$name.log" 2>&1; then
        passed=$((passed + 1))
        echo "  ok    $name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$build/$name.log") inputs"
    else
        failed=$((failed + 1))
        echo "FAILED  $name"
        tail -n 40 "$build/$name.log" | sed 's/^/        /'
    fi
done
echo "[  PASSED  ] $passed test(s)."
[ $failed -eq 0 ] || { echo "[  FAILED  ] $failed test(s)"; exit 1; }
