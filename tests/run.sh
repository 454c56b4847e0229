#!/bin/sh
# Runner and counter of tests: tests/run.sh BUILD PROGRAM...
#
# A PROGRAM is a cmocka program, or a .sh that prints cmocka's lines "[  PASSED  ] N test(s)." and
# "[  FAILED  ] N test(s)". Unless BUILD is "none", every tests/terminal/*.sh and tests/web/*.sh runs too, on
# BUILD/koikoi. Those scripts and the programs named in WAITING mostly wait: four at once beside one program more than
# there are cores, in the order given; the longest should come first. Each one's output goes to a log and is shown if it
# failed; its line tells the CPU seconds that it took. A program that crashes, runs no test, or is not done after LIMIT
# seconds fails.
#
# RUN is what runs programs of another architecture. With AGAIN=1, as on a shared machine, what failed runs once more when
# all is done, alone, and the second run counts; its line says "flaky" if it passes.
#
# The last line is "N passed, N failed"; the exit status agrees.
set -u
limit=$((${LIMIT:-300} * ${PATIENCE:-1}))
export LC_ALL=C.UTF-8 # the daemon speaks the language of the system
export LSAN_OPTIONS=suppressions=tests/lsan.supp:print_suppressions=0

# Ends a test with all processes that it started.
limited() { timeout -k 10 "$limit" "$@"; }

# One test: writes "passed failed skipped name" to $out. It costs few processes, as there are many tests.
one() {
    test=$1
    # shellcheck disable=SC2086
    log=$out/$(set -f && IFS=/ && set -- $test && IFS=_ && echo "$*").log
    case $test in
    *.sh) BUILD=$build limited sh "$test" </dev/null >"$log" 2>&1 ;;
    *) limited ${RUN:-} "$test" </dev/null >"$log" 2>&1 ;;
    esac
    code=$?
    times >"$log.times"
    case $code in 124 | 137) echo "not done after $limit seconds" >>"$log" ;; esac
    counts=$(grep -aoE '\[  (PASSED|FAILED|SKIPPED) *\] [0-9]+ test' "$log" | awk '
        FNR == 2 && FILENAME != "-" {split($1 " " $2, t, /[ms ]+/)}
        FILENAME == "-" {n[$2] += $(NF - 1)}
        END {printf "%d %d %d %.1f", n["PASSED"], n["FAILED"], n["SKIPPED"], 60 * (t[1] + t[3]) + t[2] + t[4]}' "$log.times" -)
    read -r passed failed skipped spent <<EOF
$counts
EOF
    if [ $code -ne 0 ] && [ "$failed" -eq 0 ]; then failed=1; fi
    if [ $((passed + failed + skipped)) -eq 0 ]; then
        failed=1
        echo "ran no test" >>"$log"
    fi
    echo "$passed $failed $skipped $test" >"$log.count"
    if [ "$failed" -gt 0 ]; then
        echo "FAILED  $test (exit $code)"
        grep -v '^\[ RUN      \]\|^\[       OK \]' "$log" | tail -n 60 | sed 's/^/        /'
    else
        echo "  ok    $test ($passed) $spent s"
    fi
}

if [ "$1" = --one ]; then               # how this script calls itself, as often as there are cores
    build=$2 out=$3
    one "$4"
    exit 0
fi
build=$1
shift
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
scripts=
[ "$build" = none ] || scripts="$(find tests/web -name '*.sh' | sort) $(find tests/terminal -name '*.sh' | sort)"
at_once() { xargs -r -P "$1" -n 1 sh "$0" --one "$build" "$out"; }
# shellcheck disable=SC2086
printf '%s\n' $scripts ${WAITING:-} | at_once 4 &
printf '%s\n' "$@" | at_once $(($(nproc) + 1))
wait
if [ -n "${AGAIN:-}" ]; then
    for test in $(cat "$out"/*.count | awk '$2 > 0 {print $4}'); do
        echo "  again $test"
        one "$test"
        [ "$failed" -gt 0 ] || echo " flaky  $test"
    done
fi

cat "$out"/*.count 2>/dev/null | awk '
    {p += $1; f += $2; s += $3}
    END {printf "%d passed, %d failed", p, f; if (s) printf ", %d skipped", s; print ""; exit f > 0 || p == 0}'
