#!/bin/sh
# Backups of a store while its daemon takes commands, and restores of them: the match goes on where the backup was made.
# Bad files are refused with a sentence and change nothing. Last, what `koikoi matches` lists.
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
refused() { # refused WORDS COMMAND...: fails with a line that holds WORDS, and the store stays as it is
    words=$1
    shift
    sum=$(cksum <"$store")
    ! "$koikoi" "$@" >"$dir/said" 2>&1 && grep -qF -- "$words" "$dir/said" && [ "$(cksum <"$store")" = "$sum" ] ||
        { cat "$dir/said"; return 1; }
}
typed() { printf '%s\n' "$@" | "$koikoi" run --adapter terminal 2>&1; }

typed '/challenge @bo standard 3 hand_yaku=null table_four=keep' '/as bo' '/accept' | grep -q 'the match begins' ||
    { echo "no match began"; exit 1; }
stock_left() { typed /table | sed -n 's/.* stock \([0-9]*\)$/\1/p' | tail -n 1; }
before=$(stock_left)

# A daemon that writes all the time.
mkfifo "$dir/in"
"$koikoi" run --adapter terminal <"$dir/in" >"$dir/heard" 2>"$dir/log" &
pid=$!
exec 3>"$dir/in"
(i=0; while [ $i -lt 3000 ]; do echo "/ping $i"; i=$((i + 1)); done >&3) &
for i in 1 2 3 4 5; do
    check "backup $i beside a daemon" "$koikoi" backup "$dir/copy$i"
done
check "a backup is for its owner alone" test "$(stat -c %a "$dir/copy1")" = 600
check "no half of a backup is left" test ! -e "$dir/copy1.part"
check "a backup replaces no file" refused 'expected a new file' backup "$dir/copy1"
check "a backup is not named as the store" refused 'got the store itself' backup "$store"
check "a backup says which store it copies, and who plays with it" \
    sh -c "'$koikoi' backup '$dir/copy6' 2>&1 | grep -qxF 'store: $store (open in process $pid)'"
check "it needs no network's options" \
    sh -c "KOIKOI_TELEGRAM_PACE=5 '$koikoi' backup '$dir/copy7' 2>&1 | grep -q 'whole and sound'"
check "matches are listed beside a daemon" sh -c "'$koikoi' matches | grep -qE '^#1  playing  standard .*(Ann – Bo|Bo – Ann)  round 1 of 3\$'"
check "they are counted" sh -c "'$koikoi' matches 2>&1 | grep -qxF 'running matches: 1'"
check "so is the outbox" sh -c "'$koikoi' outbox | grep -q '^waiting messages: '"
check "so is the quarantine" sh -c "'$koikoi' quarantine | grep -q '^rows in quarantine: 0\$'"
check "a running daemon's store is not replaced" sh -c "'$koikoi' restore '$dir/copy1' 2>&1 | grep -q 'another koikoi is running'"
kill -9 $pid
wait $pid 2>/dev/null
exec 3>&-

# A move after the backup is gone once it is restored, and the match goes on.
seat=$(typed /table | sed -n 's/^\([A-Z][a-z]*\) to move.*/\1/p' | tail -n 1 | tr A-Z a-z)
typed "/as $seat" '/play 1' '/play 1' >/dev/null
later=$(stock_left)
check "a move was played" test "$later" -lt "$before"
check "a backup is restored" "$koikoi" restore "$dir/copy5"
check "the match stands where it stood" test "$(stock_left)" = "$before"
typed "/as $seat" '/play 1' '/play 1' >/dev/null
check "and goes on" test "$(stock_left)" = "$later"
check "what was there before is kept" test -s "$store.before-1"

echo "no store" >"$dir/text"
: >"$dir/empty"
head -c 20000 "$dir/copy1" >"$dir/cut"
check "a text is refused" refused 'file is not a database' restore "$dir/text"
check "an empty file is refused" refused 'without its tables' restore "$dir/empty"
check "a cut file is refused" refused 'damaged' restore "$dir/cut"
check "the store itself is no backup" refused 'got the store itself' restore "$store"
check "no file is refused" refused 'there is no such file' restore "$dir/none"
check "a refusal names the backup" refused "the backup $dir/text cannot be restored" restore "$dir/text"
check "and gives no advice about it" sh -c "! '$koikoi' restore '$dir/text' 2>&1 | grep 'last backup'"
check "nothing is left of them" test ! -e "$store.restored"
rm "$store"
check "a backup is restored where there is no store" "$koikoi" restore "$dir/copy2"
check "and can be played" test "$(stock_left)" = "$before"

# Root restores for a daemon that is not root: what it makes is that daemon's. (Where we are not root, all is ours anyway.)
owner() { stat -c %u:%g "$1"; }
[ "$(id -u)" != 0 ] || chown 65534:65534 "$dir/state" "$store"
check "the store keeps its owner" sh -c "'$koikoi' restore '$dir/copy2' && [ '$(owner "$store")' = \"\$(stat -c %u:%g '$store')\" ]"
rm "$store"
check "a new one is the folder's owner's" sh -c "'$koikoi' restore '$dir/copy2' && [ '$(owner "$dir/state")' = \"\$(stat -c %u:%g '$store')\" ]"
rm "$store"
check "so is an empty one" sh -c "'$koikoi' recount && [ '$(owner "$dir/state")' = \"\$(stat -c %u:%g '$store')\" ]"
rm "$store"

# A log whose store was taken away belongs to no other: SQLite would write it into the one that comes.
"$koikoi" restore "$dir/copy2" >/dev/null 2>&1
mkfifo "$dir/in2"
"$koikoi" run --adapter terminal <"$dir/in2" >/dev/null 2>&1 &
pid=$!
exec 3>"$dir/in2"
while [ ! -s "$store-wal" ]; do echo /help >&3; done
kill -9 $pid
wait $pid 2>/dev/null
exec 3>&-
rm "$store"
check "a log alone begins no store: a person must act" sh -c "'$koikoi' run --adapter terminal </dev/null 2>'$dir/said'; [ \$? = 5 ] && grep -q 'its log alone' '$dir/said' && [ ! -e '$store' ]"
check "a backup is restored in its place" "$koikoi" restore "$dir/copy2"
check "the log is kept aside" sh -c "ls '$store'.before-*-wal && [ ! -e '$store-wal' ]"
check "and is what was backed up" test "$(stock_left)" = "$before"
rm "$store"
check "a backup is of who made it" sh -c "'$koikoi' restore '$dir/copy2' && '$koikoi' backup '$dir/state/copy' && [ '$(id -u):$(id -g)' = \"\$(stat -c %u:%g '$dir/state/copy')\" ]"
check "and is sound" sh tests/sound.sh "$koikoi" "$dir/state"

# A match's row says when the time for the move is over, not when its next timer is due, which may be a warning's.
export KOIKOI_STATE_DIR="$dir/timed"
deadline() { # deadline TIME: of one begun and listed within the same minute
    rm -rf "$dir/timed"
    now=$(date -u -d "+$2" '+%F %H:%M')
    typed "/challenge @bo standard 3 $1 hand_yaku=null table_four=keep" '/as bo' '/accept' >"$dir/said"
    listed=$("$koikoi" matches 2>/dev/null)
    [ "$now" = "$(date -u -d "+$2" '+%F %H:%M')" ] || { deadline "$@"; return; }
    echo "$listed" | grep -qF "until $now:" || { echo "expected $now, got $listed"; return 1; }
}
for time in '2h 2hours' '3d 3days' '10m 10minutes'; do
    check "the deadline of $time" deadline ${time% *} ${time#* }
done

echo "[  PASSED  ] $passed test(s)."
[ $failed -eq 0 ] || echo "[  FAILED  ] $failed test(s)"
[ $failed -eq 0 ]
