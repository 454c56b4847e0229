#!/bin/sh
# Test of one match on two networks, to its end: BUILD=build tests/networks/together.sh
#
# Ann plays in a group on the fake Telegram, Bo with a real client in a room of a throw-away Synapse; the daemon
# serves both, and two kills interrupt it. At the end both clients have shown the same result, and the match is
# in the season of both chats. With libkoikoi_olm.so in BUILD (make crypto) they play once more, with Bo's room and his
# private chat encrypted. Needs python3 with venv and node; packages go to BUILD/networks/matrix.
set -u
build=${BUILD:-build}
here=$(dirname "$0")
peers=$build/networks/matrix
SYNAPSE=${SYNAPSE:-$(mkdir -p "$peers" && cd "$peers" && pwd)/synapse}
export SYNAPSE
sh "$here/matrix/peers.sh" "$peers" || { echo "[  FAILED  ] 1 test(s): the peers are not here"; exit 1; }
out=$(mktemp -d "${TMPDIR:-/tmp}/koikoi-together.XXXXXX")
server='' bo='' watch='' passed=0 failed=0
clean() {
    kill $bo $watch 2>/dev/null
    [ -f "$server/process" ] && kill "$(cat "$server/process")" 2>/dev/null
    rm -rf "$out"
}
trap clean EXIT
trap 'exit 1' INT TERM HUP
most=$((240 * ${PATIENCE:-1}))

# One match: match TITLE yes|no, whether Bo's room is encrypted. What it writes goes into $at.
match() {
    title=$1 sealed=$2 at=$out/sealed-$2 server=$out/sealed-$2/server
    mkdir -p "$at/state"
    sh "$here/matrix/synapse.sh" start "$server" "${PORT:-9218}" || { echo "  FAIL  $title: no homeserver"; return 1; }
    url=$(cat "$server/url")
    sh "$here/matrix/synapse.sh" users "$server" bot bo
    : >"$at/code"
    : >"$at/telegram"
    SIGN=
    [ "$sealed" = no ] || SIGN="node $here/matrix/identity.mjs $peers $url bo sign"
    export SIGN
    PYTHONPATH=$here/matrix timeout --foreground "$most" "$SYNAPSE/bin/python" "$here/together/player.py" "$url" bo "$at/code" >"$at/bo" 2>&1 &
    bo=$!
    # The code goes from one chat to the other as people would take it: read here, typed there.
    timeout --foreground "$most" sh -c 'until grep -m 1 -oE "[0-9]+-[a-km-z2-9]{8}" "$1/telegram" >"$1/code.new"; do sleep 0.2; done; mv "$1/code.new" "$1/code"' code "$at" &
    watch=$!
    "$build/fake/telegram" --play="$here/together/match.play" --trace --max-s=$((220 * ${PATIENCE:-1})) --log="$at/daemon" \
        --exec="env KOIKOI_STATE_DIR=$at/state KOIKOI_TELEGRAM_PACE=0 KOIKOI_MATRIX_PACE=0 KOIKOI_MATRIX_HOMESERVER=$url \
        KOIKOI_MATRIX_USER=@bot:koi.test KOIKOI_MATRIX_PASSWORD=password-bot KOIKOI_MATRIX_E2EE=$sealed $build/koikoi run" >"$at/ann" 2>"$at/telegram"
    ann=$?
    wait $bo
    bo_result=$?
    kill $watch 2>/dev/null
    sh "$here/matrix/synapse.sh" stop "$server"
    result=$(grep -m 1 'wins match\|is a draw' "$at/bo")
    [ $ann -eq 0 ] && [ $bo_result -eq 0 ] && [ -n "$result" ] && [ "$(grep -cE '^ +[12]  (Ann|bo)' "$at/bo")" -eq 2 ] &&
        sh tests/sound.sh "$build/koikoi" "$at/state" && ! grep 'cannot be read' "$at/bo" && grep -qF "${result#* }" "$at/telegram"
}
try() {
    if match "$@"; then
        echo "  ok    $1: ${result#* }"
        passed=$((passed + 1))
    else
        echo "  FAIL  $1 (ann ${ann:-}, bo ${bo_result:-})"
        tail -n 5 "$at/ann" "$at/bo" | cut -c 1-1500
        tail -n 20 "$at/telegram" | cut -c 1-500
        tail -n 20 "$at/daemon"
        failed=$((failed + 1))
    fi
}
try "one match on two networks" no
[ ! -e "$build/libkoikoi_olm.so" ] || try "one match on two networks, one encrypted" yes
echo "[  PASSED  ] $passed test(s)."
[ $failed -eq 0 ] || echo "[  FAILED  ] $failed test(s)"
[ $failed -eq 0 ]
