#!/bin/sh
# Kills the program (SIGKILL) in the middle of a match, again and again. It must continue where it was:
# every accepted move is there, none twice.
set -u
koikoi=${BUILD:-build}/koikoi
dir=$(mktemp -d)
trap 'kill -9 "$pid" 2>/dev/null; rm -rf "$dir"' EXIT
passed=0
fail() {
    echo "failed: $1"
    cat "$dir/said"
    echo "[  FAILED  ] 1 test(s)"
    exit 1
}

# begin: starts the daemon reading from a pipe that we hold open. say LINE PATTERN: types, waits for the answer.
begin() {
    rm -f "$dir/in"
    mkfifo "$dir/in"
    : >"$dir/said"
    env -i PATH="$PATH" HOME="$dir" USER=ann KOIKOI_STATE_DIR="$dir/state" "$koikoi" run <"$dir/in" >>"$dir/said" 2>>"$dir/log" &
    pid=$!
    exec 3>"$dir/in"
}
say() {
    echo "$1" >&3
    wait_for "$2" || fail "\"$1\" was not answered with \"$2\""
}
# Follows the output until a line matches, at most 20 s.
wait_for() { timeout 20 tail -n +1 -F -s 0.02 "$dir/said" 2>/dev/null | grep -m 1 -qE -- "$1"; }
die() {
    kill -9 "$pid"
    wait "$pid" 2>/dev/null
    exec 3>&-
}

begin
# Deals are random; one that ends before the first move is no use here.
say '/challenge @bo standard 3 hand_yaku=null table_four=keep' 'Ann challenges Bo'
echo '/as bo' >&3
say '/accept' 'the match begins'
die
for turn in 1 2 3 4 5 6; do
    # The player to move plays the first card.
    begin
    say '/table' '^[A-Z][a-z]* to move'
    mover=$(sed -n 's/^\([A-Z][a-z]*\) to move.*/\1/p' "$dir/said" | tail -n 1 | tr A-Z a-z)
    [ -n "$mover" ] || fail "nobody is to move"
    stock=$(sed -n 's/.*to move.* stock \([0-9]*\).*/\1/p' "$dir/said" | tail -n 1)
    [ -z "${left:-}" ] || [ "$stock" -eq "$left" ] || fail "the stock was $left before the kill and is $stock"
    echo "/as $mover" >&3
    : >"$dir/said"
    echo '/hand' >&3
    wait_for "^→ $mover 1\. " || fail "no hand"
    : >"$dir/said"
    echo '1' >&3
    wait_for '^[A-Z][a-z]* to move|What does it take|Stop here|can take:' || fail "the move was not made"
    # So may the played card: take the first of the two.
    if grep -q 'can take:' "$dir/said"; then
        : >"$dir/said"
        echo '1' >&3
        wait_for '^[A-Z][a-z]* to move|What does it take|Stop here' || fail "the card took nothing"
    fi
    # The drawn card may take one of two; that belongs to this turn.
    if grep -q 'What does it take' "$dir/said"; then
        echo '1' >&3
        wait_for '^[A-Z][a-z]* to move|Stop here' || fail "the drawn card took nothing"
    fi
    # A yaku: stop, which ends the round.
    if grep -q 'Stop here' "$dir/said"; then
        passed=$((passed + 1))
        die
        break
    fi
    left=$(sed -n 's/.*to move.* stock \([0-9]*\).*/\1/p' "$dir/said" | tail -n 1)
    die
    passed=$((passed + 1))
done
[ $passed -gt 0 ] || fail "no turn was played"
[ -s "$dir/log" ] && grep -q ' error ' "$dir/log" && { cat "$dir/log"; fail "an error was logged"; }
sh tests/sound.sh "$koikoi" "$dir/state" >"$dir/said" || fail "the store is not sound"
echo "[  PASSED  ] 1 test(s)."
