#!/bin/sh
# Runs fuzz targets: tests/fuzz.sh BUILD SECONDS TARGET...
#
# Each target starts from tests/fuzz/seeds/NAME/ if there is one, keeps what it finds in BUILD/corpus, and
# runs SECONDS. A crash leaves its input in BUILD/crashes and fails; so does an input that takes 10 s, and
# a target that does not end.
set -u
build=$1 seconds=$2
shift 2
passed=0 failed=0
mkdir -p "$build/crashes"
for target in "$@"; do
    name=$(basename "$target")
    mkdir -p "$build/corpus/$name"
    seeds=
    [ -d "tests/fuzz/seeds/$name" ] && seeds="tests/fuzz/seeds/$name"
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
