#!/bin/sh
# The daemon with real peers, one network after the other: tests/networks.sh BUILD
#
# Each tests/networks/NAME.sh starts and stops its own peers, gets them from npm or pip, and prints one
# line for each story it plays, then "[  PASSED  ] N test(s)." and, if so, "[  FAILED  ] N test(s)". What
# it says is shown as it goes. One that is not done after LIMIT seconds, that plays no story or that lacks
# its tools has failed. The last line counts them all. NETWORK=NAME: that one alone.
set -u
build=$1
limit=$((${LIMIT:-1200} * ${PATIENCE:-1}))
passed=0 failed=0
log=$(mktemp)
running=''
trap 'rm -f "$log"' EXIT
# What a script has started ends with it, and takes its folders along.
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
    good=$(sum PASSED) bad=$(sum FAILED)
    case $code in 124 | 137) echo "$name: not done after $limit seconds" ;; esac
    [ "$good" -gt 0 ] || [ "$bad" -gt 0 ] || echo "$name: played no story"
    if [ "$code" -ne 0 ] || [ "$good" -eq 0 ]; then
        [ "$bad" -gt 0 ] || bad=1
    fi
    passed=$((passed + good)) failed=$((failed + bad))
    echo "-- $name: $good passed, $bad failed, $(($(date +%s) - begun)) s"
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
