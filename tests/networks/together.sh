#!/bin/sh
# Test of one match on two networks, to its end: BUILD=build tests/networks/together.sh
#
# Ann plays in a group on the fake Telegram, Bo with a real client in a room of a throw-away Synapse; the daemon
# serves both, and two kills interrupt it. At the end both clients have shown the same result, and the match is
# in the season of both chats. Needs python3 with venv; packages go to BUILD/networks/matrix.
set -u
build=${BUILD:-build}
here=$(dirname "$0")
peers=$build/networks/matrix
SYNAPSE=${SYNAPSE:-$(mkdir -p "$peers" && cd "$peers" && pwd)/synapse}
export SYNAPSE
sh "$here/matrix/peers.sh" "$peers" || { echo "[  FAILED  ] 1 test(s): the peers are not here"; exit 1; }
out=$(mktemp -d "${TMPDIR:-/tmp}/koikoi-together.XXXXXX")
server=$out/server bo='' watch=''
clean() {
    kill $bo $watch 2>/dev/null
    [ -f "$server/process" ] && kill "$(cat "$server/process")" 2>/dev/null
    rm -rf "$out"
}
trap clean EXIT
trap 'exit 1' INT TERM HUP

sh "$here/matrix/synapse.sh" start "$server" "${PORT:-9218}" || { echo "[  FAILED  ] 1 test(s): no homeserver"; exit 1; }
url=$(cat "$server/url")
sh "$here/matrix/synapse.sh" users "$server" bot bo
most=$((240 * ${PATIENCE:-1}))
mkdir -p "$out/state"
: >"$out/code"
: >"$out/telegram"
PYTHONPATH=$here/matrix timeout --foreground "$most" "$SYNAPSE/bin/python" "$here/together/player.py" "$url" bo "$out/code" >"$out/bo" 2>&1 &
bo=$!
# The code goes from one chat to the other as people would take it: read here, typed there.
timeout --foreground "$most" sh -c 'tail -n +1 -f "$1/telegram" | grep -m 1 -oE "[0-9]+-[a-km-z2-9]{8}" >"$1/code.new"; mv "$1/code.new" "$1/code"' code "$out" &
watch=$!
"$build/fake/telegram" --play="$here/together/match.play" --trace --max-s=$((220 * ${PATIENCE:-1})) --log="$out/daemon" \
    --exec="env KOIKOI_STATE_DIR=$out/state KOIKOI_TELEGRAM_PACE=0 KOIKOI_MATRIX_PACE=0 KOIKOI_MATRIX_HOMESERVER=$url \
    KOIKOI_MATRIX_USER=@bot:koi.test KOIKOI_MATRIX_PASSWORD=pw-bot $build/koikoi run" >"$out/ann" 2>"$out/telegram"
ann=$?
wait $bo
bo_result=$?
result=$(grep -m 1 'wins match\|is a draw' "$out/bo")
names=$(grep -cE '^ +[12]  (Ann|bo)' "$out/bo")
if [ $ann -eq 0 ] && [ $bo_result -eq 0 ] && [ -n "$result" ] && [ "$names" -eq 2 ] &&
    grep -qF "${result#* }" "$out/telegram"; then
    echo "  ok    one match on two networks: ${result#* }"
    echo "[  PASSED  ] 1 test(s)."
else
    echo "  FAIL  one match on two networks (ann $ann, bo $bo_result)"
    tail -n 5 "$out/ann" "$out/bo" | cut -c 1-1500
    tail -n 20 "$out/telegram" | cut -c 1-500
    tail -n 20 "$out/daemon"
    echo "[  FAILED  ] 1 test(s)"
    exit 1
fi
