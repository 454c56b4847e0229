#!/bin/sh
# What could not be handled is tried again, beside a daemon and before one starts. A trigger in the store makes an update
# one that cannot be handled, until it is taken out.
set -u
koikoi=${BUILD:-build}/koikoi
dir=$(mktemp -d)
trap 'kill -9 "$pid" 2>/dev/null; rm -rf "$dir"' EXIT
pid='' passed=0 failed=0
for v in $(env | sed -n 's/^\(KOIKOI_[A-Z_]*\)=.*/\1/p'); do unset "$v"; done
export KOIKOI_STATE_DIR="$dir/state" USER=ann
store=$dir/state/koikoi.db

check() { # check NAME COMMAND...
    name=$1
    shift
    if "$@" >"$dir/out" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $name"
        sed 's/^/    /' "$dir/out"
    fi
}
sql() { python3 -c 'import sqlite3, sys; c = sqlite3.connect(sys.argv[1], timeout=9); c.execute(sys.argv[2]); c.commit()' "$store" "$1"; }
refuse() { sql "CREATE TRIGGER refusing BEFORE INSERT ON outbox WHEN instr(NEW.said, '$1') BEGIN SELECT RAISE(ABORT, 'on purpose'); END"; }
accept() { sql 'DROP TRIGGER refusing'; }
# Whether a file holds the words; the daemon has 10 s to write them.
hears() {
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        grep -qF -- "$2" "$1" && return
        sleep 0.5
    done
    cat "$1"
    return 1
}
holds() { "$koikoi" quarantine | grep -q "^rows in quarantine: $1\$"; }
tried() { # tried STATUS WORDS ID
    "$koikoi" quarantine again "$3" >"$dir/said" 2>&1
    [ $? -eq "$1" ] && grep -qF -- "$2" "$dir/said" || { cat "$dir/said"; return 1; }
}

begin() {
    mkfifo "$dir/in$1"
    "$koikoi" run --adapter terminal <"$dir/in$1" >"$dir/heard" 2>"$dir/log" &
    pid=$!
}
begin 1
exec 3>"$dir/in1"
echo '/ping first' >&3
check "the daemon runs" hears "$dir/heard" 'pong first'
refuse 'pong bad'
echo '/ping bad' >&3
echo '/ping next' >&3
check "the next update is handled" hears "$dir/heard" 'pong next'
check "one row is in quarantine" holds 1
check "it cannot be handled yet" tried 1 'could not be handled: database: on purpose' 1
check "and stays" holds 1
accept
check "then it can" tried 0 'handled 1' 1
check "its answer comes" hears "$dir/heard" 'pong bad'
check "the quarantine is empty" holds 0
check "a row that is not there" tried 1 'there is no row 1' 1
refuse 'pong late'
echo '/ping late' >&3
echo '/ping last' >&3
check "the daemon goes on" hears "$dir/heard" 'pong last'
accept
kill -9 $pid
wait $pid 2>/dev/null
exec 3>&-

check "without a daemon it waits" tried 0 '2 waits: the daemon that has the store, or has it next, tries it' 2
check "which the list says" sh -c "'$koikoi' quarantine | grep -q 'waits to be tried again'"
begin 2
exec 3>"$dir/in2"
check "the next daemon handles it" hears "$dir/heard" 'pong late'
check "and nothing is left" holds 0
refuse 'pong gone'
echo '/ping gone' >&3
echo '/ping end' >&3
check "one more" hears "$dir/heard" 'pong end'
check "a row is dropped beside a daemon" sh -c "'$koikoi' quarantine drop 3 | grep -q 'dropped 3'"
check "and is gone" holds 0
kill -9 $pid
wait $pid 2>/dev/null
exec 3>&-
accept
check "the store is sound" sh tests/sound.sh "$koikoi" "$dir/state"

echo "[  PASSED  ] $passed test(s)."
[ $failed -eq 0 ] || echo "[  FAILED  ] $failed test(s)"
[ $failed -eq 0 ]
