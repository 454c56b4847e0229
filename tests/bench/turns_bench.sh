#!/bin/sh
# Turns in a group at the delivered pace, on a fake Telegram that sets the real one's limits, in real time: how long
# people wait, and what a turn costs. tests/bench/turns_bench.sh BUILD
#
# People tap after 2 to 6 s; pictures are on; the bot is no administrator, but in one story. All stories run at once. A
# line each: times in ms from the tap that plays to its answer, the own hand, the board, and until the next player knows;
# from "My hand" to the hand; messages, edits and bytes a turn; 429s. BENCH_FULL=1: 12 rounds, a quarter of an hour;
# else 3 rounds. SMOKE=1: some turns. Ends with 1 if a story had no turn. Needs node.
set -u
export LC_ALL=C
build=$1
here=$(dirname "$0")
command -v node >/dev/null || { echo '{"bench":"turns","skipped":"node: not found"}'; exit 0; }
out=$(mktemp -d "${TMPDIR:-/tmp}/koikoi-bench.XXXXXX")
trap 'rm -rf "$out"' EXIT
trap 'exit 1' INT TERM HUP
rounds=3 most=2000
[ -z "${BENCH_FULL:-}" ] || rounds=12
[ -z "${SMOKE:-}" ] || most=2
buttons="My hand|Yaku|Score|Cards|Rules|How to play|A turn|The sets|This table|More|Rematch|Review|Verify|Give up|Decline|Accept|Open|Ready"

turn() { # SECONDS WHO [STEP]: the step without a hand on the screen
    echo "  try within $1 tea: this is only to wait"
    echo "  try within 0 who tea: ($2) to move"
    echo "  try within 1 mover@tea presses random but $buttons"
    echo "  otherwise ${3:-try within 0 mover@tea presses again My hand}"
}
look() { # SECONDS WHO
    echo "  try within $1 tea: this is only to wait"
    echo "  try within 0 who tea: ($2) to move"
    echo "  try within 1 mover@tea presses again My hand"
}
people() { # KEY...
    n=0
    for key; do
        n=$((n + 1))
        name=$(echo "$key" | cut -c 1 | tr a-z A-Z)$(echo "$key" | cut -c 2-)
        echo "person $key $n $name @$key opened"
    done
}
quiet() { # after a start the bot takes it that half a minute's messages have just been sent
    [ -n "${SMOKE:-}" ] || echo "try within 60 tea: this is only to wait"
}
begin() { # CHALLENGER WORDS ACCEPTING...
    echo "$1@tea> /challenge $2"
    echo "within 30 tea: challenges"
    shift 2
    for key; do
        echo "within 30 $key@tea presses Accept"
    done
    echo "within 30 tea: to move"
}
ready() {
    for key; do
        echo "always $key@tea presses Ready"
    done
}

two_players() { # GROUP
    people ann bo
    echo "group tea 5 \"Tea room\" $1"
    quiet
    ready ann bo
    begin ann "@bo standard rounds=$rounds" bo
    echo "repeat $most until tea: wins match|is a draw"
    for s in 2 5 3 6 4; do
        turn $s 'Ann|Bo'
    done
    look 2 'Ann|Bo'
    echo end
}
three_players() {
    people ann bo kei
    echo 'group tea 5 "Tea room" super'
    quiet
    ready ann bo kei
    begin ann "@bo @kei mongolopedia rounds=$((rounds > 6 ? rounds : 6))" bo kei
    echo "repeat $most until tea: wins match|is a draw"
    for s in 2 5 3 6 4; do
        turn $s 'Ann|Bo|Kei'
    done
    look 2 'Ann|Bo|Kei'
    echo end
}
two_matches() { # a tap every two seconds, now in this match, now in that
    people ann bo kei dan
    echo 'group tea 5 "Tea room" super'
    quiet
    ready ann bo kei dan
    begin ann "@bo standard rounds=$rounds" bo
    begin kei "@dan standard rounds=$rounds" dan
    echo "repeat $most until tea: wins match|is a draw"
    for s in 1 2 3 1 2; do
        turn $s 'Ann|Bo' 'mover@tea>> /hand'
        turn $s 'Kei|Dan' 'mover@tea>> /hand'
    done
    echo end
}
flood() { # some thousand commands of a member without a private chat: all is answered in the group
    people ann bo kei
    echo 'person dan 4 Dan @dan'
    echo 'group tea 5 "Tea room" super'
    quiet
    ready ann bo
    begin ann "@bo standard rounds=$rounds" bo
    echo "repeat $most until tea: wins match|is a draw"
    for s in 2 5 3 6 4; do
        for word in "ping a" "rules" "ping b" "help" "score" "ping c" "games" "ping d" "board" "ping e" \
            "settings" "ping f" "verify" "ping g" "yaku" "ping h" "privacy" "ping i" "help ping" "ping k"; do
            echo "  dan@tea> /$word"
        done
        turn $s 'Ann|Bo'
    done
    look 2 'Ann|Bo'
    echo end
}

play() { # NAME
    mkdir "$out/$1"
    timeout -k 5 1500 "$build/fake/telegram" --play="$out/$1.play" --limits --max-s=1400 --events="$out/$1/events" \
        --exec="env KOIKOI_TELEGRAM_PICTURES=yes KOIKOI_STATE_DIR=$out/$1 $build/koikoi run" --log="$out/$1/log" >"$out/$1/result" 2>"$out/$1/errors"
    figures=$(node "$here/../networks/telegram/turns.mjs" "$out/$1/events")
    counted() { sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p" "$out/$name/result"; }
    name=$1
    turns=$(echo "$figures" | sed -n 's/{"turns":\([0-9]*\).*/\1/p')
    [ "${turns:-0}" -gt 0 ] || cat "$out/$1/errors" >&2
    bytes=$(counted bytes)
    echo "{\"bench\":\"turns\",\"story\":\"$1\",\"rounds\":$rounds,${figures#\{}" |
        sed "s/}\$/,\"bytes_a_turn\":$((${bytes:-0} / (${turns:-0} > 0 ? turns : 1))),\"n_429\":$(counted n_429)}/"
}
two_players super >"$out/two.play"
two_players "super admin" >"$out/administrator.play"
three_players >"$out/three.play"
two_matches >"$out/two_matches.play"
flood >"$out/flood.play"
for story in ${STORIES:-two administrator three two_matches flood}; do
    play "$story" >"$out/$story.line" &
done
wait
cat "$out"/*.line
[ -z "${KEEP:-}" ] || cp -r "$out" "$KEEP"
! cat "$out"/*.line | grep -qv '"turns":[1-9]'
