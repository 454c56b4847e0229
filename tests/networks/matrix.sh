#!/bin/sh
# The daemon on a real homeserver, played with by people's real clients: BUILD=build tests/networks/matrix.sh
#
# Gets the peers and plays each story of matrix/story.sh; needs node, npm, curl and python3 with venv. Two
# stories are told at a time (JOBS), and beside them the one that mostly waits for the server's limits.
#
# STORIES="standard limits" plays only those.
set -u
build=${BUILD:-build}
here=$(dirname "$0")/matrix
peers=$build/networks/matrix
stories=${STORIES:-limits standard sensei mongolopedia okoshki pictures three hands thread again tokens oauth restarts upgrade encrypted
    doctor doctor_encrypted doctor_tokens
    ours_three ours_faults ours_gaps ours_upgrade ours_killed ours_pictures ours_pictures_killed ours_encrypted ours_oauth}
SYNAPSE=${SYNAPSE:-$(mkdir -p "$peers" && cd "$peers" && pwd)/synapse}
export SYNAPSE
sh "$here/peers.sh" "$peers" || { echo "[  FAILED  ] 1 test(s): the peers are not here"; exit 1; }

log=$(mktemp)
trap 'rm -f "$log"' EXIT
trap 'exit 1' INT TERM HUP
tell() { printf '%s\n' "$@" | xargs -P "${JOBS:-2}" -n 1 sh "$here/story.sh" "$build"; }
{
    # shellcheck disable=SC2086
    case " $stories " in *" limits "*) tell limits & set -- ${stories%%limits*} ${stories#*limits} ;; *) set -- $stories ;; esac
    [ $# -eq 0 ] || tell "$@"
    wait
} 2>&1 | tee "$log"
passed=$(grep -c '^  ok ' "$log")
# shellcheck disable=SC2086
failed=$(($(echo $stories | wc -w) - passed))
echo "[  PASSED  ] $passed test(s)."
[ $failed -eq 0 ] || echo "[  FAILED  ] $failed test(s)"
[ $failed -eq 0 ] && [ "$passed" -gt 0 ]
