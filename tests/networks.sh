#!/bin/sh
# Runner of the tests with real peers, one network after the other: tests/networks.sh BUILD
#
# Each tests/networks/NAME.sh starts and stops its own peers, gets them from npm or pip, and prints one
# line for each story it plays, then "[  PASSED  ] N test(s)." and, if so, "[  FAILED  ] N test(s)" and
# "[  SKIPPED ] N test(s)" for those that this machine has no tools for. The
# runner shows the output as it comes. A script fails if it takes longer than LIMIT seconds, plays no story or
# lacks its tools. The last line counts all of them. NETWORK=NAME runs that one alone.
set -u
export LC_ALL=C.UTF-8 # the daemon speaks the language of the system
build=$1
limit=$((${LIMIT:-1200} * ${PATIENCE:-1}))
passed=0 failed=0 skipped=0
log=$(mktemp)
running=''
trap 'rm -f "$log"' EXIT
# Processes that a script started end with it; it removes its folders.
trap '[ -z "$running" ] || { kill "$running"; wait "$running"; }; exit 1' INT TERM HUP
sum() { grep -o "\[  $1 *\] [0-9]* test" "$log" | tr -cd '0-9\n' | awk '{n += $1} END {print n + 0}'; }

for network in tests/networks/${NETWORK:-*}.sh; do
    name=$(basename "$network" .sh)
    begun=$(date +%s)
    echo "-- $name"
    : >"$log"
    BUILD=$build timeout -k 20 "$limit" sh "$network" </dev/null >"$log" 2>&1 &
    running=$!
    tail -n +1 -f --pid="$running" "$log" &
    wait "$running"
    code=$?
    running=''
    wait
    good=$(sum PASSED) bad=$(sum FAILED) not=$(sum SKIPPED)
    case $code in 124 | 137) echo "$name: not done after $limit seconds" ;; esac
    [ "$good" -gt 0 ] || [ "$bad" -gt 0 ] || [ "$not" -gt 0 ] || echo "$name: played no story"
    if [ "$code" -ne 0 ] || [ $((good + not)) -eq 0 ]; then
        [ "$bad" -gt 0 ] || bad=1
    fi
    passed=$((passed + good)) failed=$((failed + bad)) skipped=$((skipped + not))
    echo "-- $name: $good passed, $bad failed, $(($(date +%s) - begun)) s"
done
[ $skipped -eq 0 ] && echo "$passed passed, $failed failed" || echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ] && [ $((passed + skipped)) -gt 0 ]
