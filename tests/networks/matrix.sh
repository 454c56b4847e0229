#!/bin/sh
# Tests of the daemon on a real homeserver with real clients: BUILD=build tests/networks/matrix.sh
#
# Installs the peers and plays each story of matrix/story.sh; needs node, npm, curl and python3 with venv. Two
# stories run at a time (JOBS), and beside them, all at once, those that mostly wait for the server's limits.
#
# STORIES="standard limits_standard" plays only those. After failures the line "once more: STORY ..." names theirs.
set -u
build=${BUILD:-build}
here=$(dirname "$0")/matrix
peers=$build/networks/matrix
stories=${STORIES:-limits_standard limits_sensei limits_mongolopedia limits_okoshki
    standard sensei mongolopedia okoshki pictures three hands reactions newcomers widget thread again tokens oauth restarts upgrade encrypted
    doctor doctor_tokens doctor_profile
    ours_three ours_faults ours_gaps ours_upgrade ours_killed ours_pictures ours_pictures_killed ours_encrypted ours_oauth}
SYNAPSE=${SYNAPSE:-$(mkdir -p "$peers" && cd "$peers" && pwd)/synapse}
export SYNAPSE
sh "$here/peers.sh" "$peers" || { echo "[  FAILED  ] 1 test(s): the peers are not here"; exit 1; }

log=$(mktemp)
unwell=$(mktemp)
trap 'rm -f "$log" "$unwell"' EXIT
trap 'exit 1' INT TERM HUP
tell() {                                    # tell JOBS STORY...
    at_once=$1
    shift
    # shellcheck disable=SC2016
    [ $# -eq 0 ] || printf '%s\n' "$@" | xargs -P "$at_once" -n 1 sh -c 'sh "$0" "$1" "$3" || echo "$3" >>"$2"' "$here/story.sh" "$build" "$unwell"
}
of_kind() { printf '%s\n' $stories | grep "$@" '^limits_'; }
{
    # shellcheck disable=SC2046
    tell 4 $(of_kind -e) &
    # shellcheck disable=SC2046
    tell "${JOBS:-2}" $(of_kind -v -e)
    wait
} 2>&1 | tee "$log"
passed=$(grep -c '^  ok ' "$log")
# shellcheck disable=SC2086
failed=$(($(echo $stories | wc -w) - passed))
echo "[  PASSED  ] $passed test(s)."
[ $failed -eq 0 ] || echo "[  FAILED  ] $failed test(s)"
[ $failed -eq 0 ] || [ "$(wc -l <"$unwell")" -ne $failed ] || echo "once more:" $(cat "$unwell")
[ $failed -eq 0 ] && [ "$passed" -gt 0 ]
