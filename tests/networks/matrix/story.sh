#!/bin/sh
# One story on Matrix: story.sh BUILD NAME
#
# The server is a throw-away Synapse, or with HOMESERVER=dendrite a Dendrite (see dendrite.sh); Ann is matrix-js-sdk, the
# others are matrix-nio. A proxy between the daemon and the server checks every request and every answer against the
# specification; player.mjs checks what the clients show. The stories called ours_... play on the fake homeserver of the
# fast tests, behind the same proxy. Prints a line for each check, and more for those that failed. Packages of npm and pip
# must be in BUILD/networks/matrix: see ../matrix.sh.
set -u
build=$1 story=$2
here=$(dirname "$0")
peers=$build/networks/matrix
homeserver=$here/${HOMESERVER:-synapse}.sh
out=$(mktemp -d "${TMPDIR:-/tmp}/koikoi-matrix.XXXXXX")
server=$out/server url='' daemon='' proxy='' people='' authority='' cost='' pace=0 pictures=no sealed=no options='' failed=0
clean() {
    # shellcheck disable=SC2086
    kill -9 $daemon $proxy $people $authority 2>/dev/null
    [ -f "$server/process" ] && kill -9 "$(cat "$server/process")" 2>/dev/null
    rm -rf "$out"
}
trap clean EXIT
trap 'exit 1' INT TERM HUP

# Three unused neighbouring ports: the server's, its proxy's, and one more. They lie below the range that the
# kernel gives to connections, so that no connection takes them first.
port=$(python3 -c '
import random, socket
while True:
    port = random.randrange(10240, 32000, 3)
    three = [socket.socket() for _ in range(3)]
    try:
        for i in range(3):
            three[i].bind(("127.0.0.1", port + i))
        break
    except OSError:
        for one in three:
            one.close()
print(port)')
front=http://127.0.0.1:$((port + 1))

# until_true COMMAND...: looks again and again; gives up after a minute.
until_true() {
    tries=0
    until "$@"; do
        tries=$((tries + 1))
        [ $tries -lt $((600 * ${PATIENCE:-1})) ] || return 1
        sleep 0.1
    done
}

start_proxy() {                             # start_proxy [UPSTREAM]
    rm -f "$out/verdict"
    node "$here/check.mjs" "$peers" $((port + 1)) "$port" "$out/verdict" "$out/listens" &
    proxy=$!
    until_true test -e "$out/listens"
}

make_people() { sh "$homeserver" users "$server" "$@"; }

begin() {                                   # begin PACE [limits|nolimits] [LINE...]: server, proxy, daemon
    pace=$1
    shift
    mkdir -p "$out/state"
    sh "$homeserver" start "$server" "$port" "$@" || { echo "  FAIL  $story: no server"; exit 1; }
    url=$(cat "$server/url")
    make_people bot ann bo kei
    start_proxy
    start_daemon
}

# The daemon's command line, before what it is to do.
koikoi() {
    # shellcheck disable=SC2086
    exec env KOIKOI_STATE_DIR="$out/state" KOIKOI_MATRIX_HOMESERVER="$front" KOIKOI_MATRIX_USER=@bot:koi.test \
        KOIKOI_MATRIX_PASSWORD=password-bot KOIKOI_MATRIX_PACE="$pace" KOIKOI_MATRIX_PICTURES="$pictures" KOIKOI_MATRIX_E2EE="$sealed" $options "$build/koikoi" "$@"
}
start_daemon() { koikoi run >>"$out/daemon" 2>&1 & daemon=$!; }
kill_daemon() {
    kill -9 "$daemon"
    wait "$daemon" 2>/dev/null
}

spent() { awk -v hz="$(getconf CLK_TCK)" '{print ($14 + $15) * 1000 / hz}' "/proc/$daemon/stat"; }
end() {                                     # the rest of the story's result, $r, too
    cost="$(spent) ms of CPU, ${early:-none} by move $settled, $(sed -n 's/VmHWM:[\t ]*//p' "/proc/$daemon/status")"
    kill "$daemon" && wait "$daemon"
    left=$?
    daemon=''
    kill "$proxy" && wait "$proxy"
    proxy=''
    sh "$homeserver" stop "$server"
    [ $left -eq 0 ] || r="$r, the daemon did not end well: $left"
    sh tests/sound.sh "$build/koikoi" "$out/state" >>"$out/daemon" || r="$r, the store is not sound"
}

# One match to its end: match PRESET SECONDS [OPPONENTS [OPTION...]], options as in player.mjs; they who oppose play
# in the way $bo_plays. While it goes on, `meanwhile` runs. By the third move private chats and their keys are there:
# what is spent after that is spent on moves.
bo_plays=vote bo_is=js secrets=''
early='' settled=3
is_settled() { has_moved "$settled" || [ -s "$out/ann" ]; }
meanwhile() { until_true is_settled && early=$(spent); }
match() {
    preset=$1 most=$(($2 * ${PATIENCE:-1})) opponents=${3:-bo}
    shift $(($# < 3 ? $# : 3))
    people=''
    : >"$out/moves"
    for who in $(echo "$opponents" | tr , ' '); do
        [ "$sealed" = no ] || [ "$bo_is" = nio ] || { guest "$who" "$most"; continue; }
        [ "$sealed" = no ] || export SIGN="node $here/identity.mjs $peers $url $who sign"
        timeout --foreground "$most" "$SYNAPSE/bin/python" "$here/player.py" "$url" "$who" $bo_plays >>"$out/people" 2>&1 &
        people="$people $!"
    done
    timeout --foreground "$most" node "$here/player.mjs" "$peers" "$url" ann "$opponents" "$preset" ${secrets:+"secrets=$out/secrets.ann"} "$@" >"$out/ann" 2>"$out/moves" &
    ann=$!
    meanwhile
    wait $ann
    result=$?
    [ -z "$secrets" ] || until_true test -s "$out/secrets.bo"
    # shellcheck disable=SC2086
    kill $people 2>/dev/null
    # shellcheck disable=SC2086
    wait $people 2>/dev/null
    people=''
    return $result
}
guest() {                                   # guest NAME SECONDS: an opponent whose client has encryption
    timeout --foreground "$2" node "$here/player.mjs" "$peers" "$url" "$1" ann any sealed=1 guest=1 ${secrets:+"secrets=$out/secrets.$1"} >>"$out/people" 2>&1 &
    people="$people $!"
}
moved() { grep -c moved "$out/moves"; }
has_moved() { [ "$(moved)" -ge "$1" ]; }
of_ann() { tail -n 1 "$out/ann" | sed "s/.*\"$1\":\"*\([^,\"]*\).*/\1/"; }

verdict() {                                 # verdict NAME RESULT [MOST_429 [MOST_WRONG_ANSWERS]]
    judged=$(cat "$out/verdict" 2>/dev/null)
    count() { echo "$judged" | sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p"; }
    if [ "$2" = 0 ] && [ "$(count requests)" -gt 0 ] && [ "$(count bad)" -eq 0 ] &&
        [ "$(count limited)" -le "${3:-0}" ] && [ "$(count answers)" -le "${4:-0}" ]; then
        echo "  ok    $1: $(tail -n 1 "$out/ann" | cut -c 1-400) $(count requests) requests, $(count limited) refused${cost:+; $cost}"
    else
        echo "  FAIL  $1 (exit $2)"
        tail -n 20 "$out/ann" "$out/moves" "$out/people" 2>/dev/null | cut -c 1-1000
        echo "$judged" | cut -c 1-2000
        tail -n 20 "$out/daemon"
        failed=1
    fi
}

# ---- whole matches, as fast as the server can ----

play_preset() { begin 0; match "$1" 240; r=$?; end; verdict "$1" "$r"; }
story_sensei() { play_preset "sensei 3"; }
story_mongolopedia() { play_preset "mongolopedia 6"; }
story_okoshki() { play_preset okoshki; }
story_pictures() { pictures=yes; play_preset "standard 3"; }
story_standard() { play_preset "standard 3"; }
story_three() { begin 0; match "mongolopedia 6" 400 bo,kei; r=$?; end; verdict "three seats" "$r"; }

# Without polls: Ann types the numbers of her cards, Bo reacts with them to his hand.
story_hands() {
    options=KOIKOI_MATRIX_POLLS=no bo_plays=react
    begin 0
    match "standard 3" 240 bo way=type
    r=$?
    end
    verdict "moves by typing and reacting" "$r"
}

# A number as a reaction to the poll, or to the picture above it, plays; neither rings twice.
story_reactions() {
    pictures=yes
    begin 0
    match "standard 3" 240 bo way=react
    r=$?
    [ "$(of_ann pictured)" -gt 2 ] || r="$r, $(of_ann pictured) reactions to pictures"
    end
    verdict "reactions to polls and pictures" "$r"
}

# What newcomers try that is no whole match: see newcomers.py.
story_newcomers() {
    begin 0
    make_people eve
    timeout --foreground $((240 * ${PATIENCE:-1})) python3 "$here/newcomers.py" "$url" >"$out/ann" 2>&1
    r=$?
    end
    verdict newcomers "$r" 0 9     # Synapse gives null for no picture
}

# The table beside a room, for those whom the server's own OpenID tokens prove: see widget.py.
story_widget() {
    options="KOIKOI_WEB_LISTEN=127.0.0.1:$((port + 2)) KOIKOI_WEB_URL=https://koi.test"
    begin 0
    timeout --foreground $((120 * ${PATIENCE:-1})) python3 "$here/widget.py" "$url" "http://127.0.0.1:$((port + 2))" >"$out/ann" 2>&1
    r=$?
    end
    verdict "the table beside a room" "$r"
}

story_thread() {
    options=KOIKOI_MATRIX_THREADS=yes
    begin 0
    match "standard 3" 240 bo thread=1
    r=$?
    end
    verdict "in a thread" "$r"
}

# The state of the daemon is lost between two matches: it still knows whose private chat is whose.
story_again() {
    begin 0
    match "standard 3" 240 bo moves=3
    r=$?
    direct=$(of_ann direct)
    kill_daemon
    rm -rf "$out/state"
    mkdir "$out/state"
    start_daemon
    match "standard 3" 240 bo moves=3 "direct=$direct" || r="$r, not the same again"
    end
    verdict "private chats are used again" "$r"
}

# ---- what goes wrong ----

# The server's own limits and the pace and pictures we have by default, from the first move to the last: playable, and
# hardly a refusal.
limits() { pictures=yes; begin 12 limits; match "$1" 1800; r=$?; end; verdict "default limits, $1" "$r" 8; }
story_limits_standard() { limits "standard 3"; }
story_limits_sensei() { limits "sensei 3"; }
story_limits_mongolopedia() { limits "mongolopedia 6"; }
story_limits_okoshki() { limits okoshki; }

# Tokens that live for some seconds: renewed in mid-match, never by another login.
story_tokens() {
    begin 0 nolimits "refreshable_access_token_lifetime: 10s"
    match "standard 3" 240
    r=$?
    grep -q "waiting before the next login" "$out/daemon" && r="$r, logged in twice"
    end
    verdict "tokens that expire" "$r"
}

# No passwords: a person opens the page the daemon has logged, once; the tokens live for some seconds, and are renewed
# beyond the death of the daemon.
story_oauth() {
    : >"$out/authority"
    node "$here/auth.mjs" "$peers" $((port + 2)) "http://127.0.0.1:$port" throwaway 3 >>"$out/authority" 2>&1 &
    authority=$!
    until_true grep -q listening "$out/authority"
    make_people() { curl -sf "http://127.0.0.1:$((port + 2))/people/$(echo "$@" | tr ' ' ,)" >/dev/null; }
    granted() { grep -c "granted.*$1" "$out/authority"; }
    has_renewed() { [ "$(granted refresh_token)" -ge "$1" ]; }
    meanwhile() {
        until_true grep -q "open http" "$out/daemon"
        node "$here/confirm.mjs" "$(grep -o 'open http[^ ]*' "$out/daemon" | cut -c 6-)" bot >"$out/page"
        until_true has_renewed 1
        until_true has_moved $(($(moved) + 2))
        before=$(granted refresh_token)
        kill_daemon
        start_daemon
    }
    options="KOIKOI_MATRIX_OAUTH=yes KOIKOI_MATRIX_PASSWORD="
    export LOGIN=token
    begin 0 nolimits "matrix_authentication_service: {enabled: true, endpoint: 'http://127.0.0.1:$((port + 2))/', secret: throwaway}"
    match okoshki 240
    r=$?
    until_true has_renewed $((before + 1)) || r="$r, $(granted refresh_token) renewals, $before before the daemon's death"
    end
    [ "$(granted device_code)" -eq 1 ] || r="$r, $(granted device_code) logins"
    grep refused "$out/authority" && r="$r, refused"
    [ "$r" = 0 ] || cat "$out/authority" "$out/page"
    kill "$authority"
    authority=''
    verdict "next-generation login" "$r"
}

# The daemon is killed twice and the server is restarted once, in mid-match.
story_restarts() {
    meanwhile() {
        until_true has_moved 4
        kill_daemon
        start_daemon
        until_true has_moved 8
        sh "$homeserver" stop "$server"
        sh "$homeserver" again "$server"
        until_true has_moved 12
        kill_daemon
        start_daemon
    }
    begin 0
    match "standard 3" 300
    r=$?
    end
    verdict restarts "$r"
}

story_upgrade() { begin 0; match "standard 3" 240 bo upgrade=3; r=$?; end; verdict upgrade "$r"; }

# The server makes every private chat an encrypted one: the bot leaves it before Ann has accepted, and makes another.
story_encrypted() {
    begin 0 nolimits "encryption_enabled_by_default_for_room_type: invite"
    match "standard 3" 300 bo late=600
    r=$?
    end
    verdict encrypted "$r"
}

# ---- in encrypted rooms: the daemon has libkoikoi_olm.so beside it ----

sealed_match() {                            # sealed_match NAME PRESET SECONDS [OPTION...]
    name=$1 preset=$2 seconds=$3
    shift 3
    sealed=yes
    begin 0
    match "$preset" "$seconds" bo sealed=1 "$@"
    r=$?
    end
    grep -q '"sealed":0' "$out/ann" && r="$r, nothing was sealed"
    [ $pictures = no ] || ! grep -q '"openedPictures":0' "$out/ann" || r="$r, no picture"
    verdict "$name" "$r"
}
# All that each was told in private is opened with the keys of both: it opens with the owner's alone.
story_sealed_standard() {
    secrets=yes
    sealed_match "sealed, standard" "standard 3" 300
    node "$here/secrets.mjs" "$peers" "$out/secrets.ann" "$out/secrets.bo" || failed=1
}
# Bo's client is another implementation, matrix-nio; as it signs no device, another client of his does that.
story_sealed_nio() {
    bo_is=nio
    sealed_match "sealed, with matrix-nio" "sensei 3" 400
    grep "cannot be read" "$out/people" && failed=1
}
# A ciphertext of Ann's comes once more and is heard once; the room wants a key for each event and gets it.
story_sealed_again() {
    sealed_match "sealed, a ciphertext again, a key for each event" "standard 3" 300 replay=1 rotate=1 moves=4
    grep -q '"pongs":1,' "$out/ann" && ! grep -q '"keys":[01],' "$out/ann" || failed=1
}
# Ann has two more devices: a signed one reads everything; one that is not signed reads nothing and is not heard, which
# the bot says once.
story_sealed_devices() { sealed_match "sealed, three devices" "standard 3" 400 devices=1; }
# The room is encrypted in mid-match; the private chats are from the start.
story_sealed_later() {
    sealed=yes
    begin 0
    match "steam 6" 400 bo sealed=4
    r=$?
    end
    verdict "sealed in mid-match" "$r"
}
# The daemon is killed twelve times, the server restarts in between: everything it says can still be read, and is there
# once.
story_sealed_killed() {
    meanwhile() {
        for kill in 1 2 3 4 5 6 7 8 9 10 11 12; do
            until_true has_moved $kill
            kill_daemon
            if [ $kill = 7 ]; then
                sh "$homeserver" stop "$server"
                sh "$homeserver" again "$server"
            fi
            start_daemon
        done
    }
    sealed_match "sealed, killed twelve times" "mongolopedia 6" 400
}
# The daemon is killed at each eleventh request, and starts again: no key is lost, nothing is said twice. With KILL_FIRST
# from 1 to 22 each request of the story is hit twice, once before and once after the server carries it out.
story_sealed_points() {
    export KILL_EVERY=11 VICTIM="$out/victim"
    start_daemon() { koikoi run >>"$out/daemon" 2>&1 & daemon=$!; [ -s "$out/ann" ] || echo "$daemon" >"$VICTIM"; }
    lives() { case $(sed 's/.*) \(.\).*/\1/' "/proc/$1/stat" 2>/dev/null) in '' | Z) false ;; esac; }
    again() { lives "$daemon" || { wait "$daemon" 2>/dev/null; start_daemon; }; }
    meanwhile() {
        while lives "$ann"; do
            again
            sleep 0.1
        done
        echo >"$VICTIM"                     # no more
        again
    }
    sealed_match "sealed, killed at each eleventh request" okoshki 400
    [ "$(sed -n 's/.*"kills":\([0-9]*\).*/\1/p' "$out/verdict")" -ge 20 ] || { echo "  FAIL  $story: hardly killed"; failed=1; }
}
# The store is lost, the device is not new: the daemon says so and does not write over the device's keys.
# The account's identity was made in a client. The bot takes it over with its recovery key, and leaves it alone with
# a wrong one.
identity() { node "$here/identity.mjs" "$peers" "$url" bot "$1"; }
story_sealed_recovery() {
    make_people() {
        sh "$homeserver" users "$server" "$@"
        identity make >"$out/identity"
        right=$(cut -d ' ' -f 1 "$out/identity")
        options=KOIKOI_MATRIX_RECOVERY_KEY=$(echo "$right" | tr 1-8 2-9)
    }
    sealed=yes
    begin 0
    r=0
    wait "$daemon" && r="the daemon went on"
    grep -q "recovery_key: does not open" "$out/daemon" || r="$r, no word of the wrong key"
    options=KOIKOI_MATRIX_RECOVERY_KEY=$right
    start_daemon
    match "standard 3" 240 bo sealed=1 moves=3 || r="$r, not read by those who want a signed device"
    [ "$(identity look)" = "$(cut -d ' ' -f 2 "$out/identity")" ] || r="$r, another identity"
    end
    verdict "sealed, a recovery key" "$r"
}
# The store is lost with all keys: with the recovery key the bot takes another device by itself, and is read.
story_sealed_lost() {
    make_people() {
        sh "$homeserver" users "$server" "$@"
        identity make >"$out/identity"
        options=KOIKOI_MATRIX_RECOVERY_KEY=$(cut -d ' ' -f 1 "$out/identity")
    }
    is_signed() { (koikoi doctor) | grep -q "KOIKOI-DAEMON is signed"; }
    sealed=yes
    begin 0
    r=0
    until_true is_signed || r="$r, not signed before the loss"
    kill_daemon
    rm -rf "$out/state"
    mkdir "$out/state"
    (koikoi doctor) >"$out/doctor" 2>&1
    grep -q "it was lost. Bring the store and its key file back" "$out/doctor" || r="$r, the doctor sees no loss"
    start_daemon
    match "standard 3" 240 bo sealed=1 moves=3 || r="$r, not read after the loss"
    grep -q "are lost; logging in as another one" "$out/daemon" || r="$r, no word of the loss"
    [ "$(identity look)" = "$(cut -d ' ' -f 2 "$out/identity")" ] || r="$r, another identity"
    end
    verdict "sealed, a lost store" "$r"
}
# The same with the password alone: the identity is replaced, too, and the bot is read.
story_sealed_lost_key() {
    is_signed() { (koikoi doctor) | grep -q "KOIKOI-DAEMON is signed"; }
    sealed=yes
    begin 0
    r=0
    until_true is_signed || r="$r, not signed before the loss"
    match "standard 3" 240 bo sealed=1 moves=3 || r="$r, not read before the loss"
    kill_daemon
    rm -rf "$out/state"
    mkdir "$out/state"
    start_daemon
    match "standard 3" 240 bo sealed=1 moves=3 || r="$r, not read after the loss"
    grep -q "are lost; logging in as another one" "$out/daemon" || r="$r, no word of the loss"
    end
    verdict "sealed, a lost store without a recovery key" "$r"
}
# Without the recovery key the identity is replaced, by the account's password.
story_sealed_replaced() {
    make_people() { sh "$homeserver" users "$server" "$@"; identity make >"$out/identity"; }
    sealed=yes
    begin 0
    match "standard 3" 240 bo sealed=1 moves=3
    r=$?
    [ "$(identity look)" != "$(cut -d ' ' -f 2 "$out/identity")" ] || r="$r, the same identity"
    end
    verdict "sealed, an identity replaced" "$r"
}
story_sealed_pictures() { pictures=yes; sealed_match "sealed, with pictures" "console 3" 300; }

# ---- the doctor beside the daemon: what it must say of this server ----

doctor() {                                  # doctor NAME ADVICE LINE...: it finds so much to advise, nothing wrong
    name=$1 advice=$2
    shift 2
    (koikoi doctor) >"$out/ann" 2>&1
    r=$?
    [ "$(grep -c '^  wrong' "$out/ann") $(grep -c '^  advice' "$out/ann")" = "0 $advice" ] || r="$r, other advice"
    for line in "fine .*we are @bot:koi.test" "$@"; do
        grep -q "$line" "$out/ann" || r="$r, not: $line"
    done
    end
    verdict "doctor: $name" "$r" 2
}
story_doctor() {
    begin 12 limits
    doctor "default limits" 1 "advice .*has no picture" "fine .*live for [23][0-9][0-9] s and are renewed"
}
story_doctor_profile() {
    begin 0
    (koikoi doctor --set-profile) >>"$out/daemon" 2>&1
    doctor "name and picture" 0 "fine .*people see it as Koi-Koi, with a picture"
}
story_doctor_tokens() {
    begin 0 nolimits "refreshable_access_token_lifetime: 15m"
    doctor "tokens of a quarter of an hour" 1 "fine .*live for [89][0-9][0-9] s and are renewed"
}

# ---- on our own homeserver ----

ours() {                                    # ours NAME MOST_WRONG_ANSWERS OPTION...: those it was told to spoil
    name=$1 answers=$2
    shift 2
    mkdir -p "$out/state"
    start_proxy
    "$build/fake/matrix" --port="$port" --through=$((port + 1)) --log="$out/daemon" "$@" \
        --exec="env KOIKOI_STATE_DIR=$out/state KOIKOI_MATRIX_PACE=0 KOIKOI_MATRIX_PICTURES=$pictures KOIKOI_MATRIX_E2EE=no $build/koikoi run" >"$out/ann" 2>&1
    r=$?
    kill "$proxy" && wait "$proxy"
    proxy=''
    verdict "ours, $name" "$r" 99 "$answers"
}
story_ours_three() { ours "three seats" 0 --preset="mongolopedia 6" --players=3; }
story_ours_faults() { ours faults 14 --faults --preset=okoshki; }
story_ours_gaps() { ours "gaps, tokens that die" 0 --page=2 --token-ms=1500 --preset=okoshki; }
story_ours_upgrade() { ours upgrade 0 --upgrade=9; }
story_ours_killed() { ours "kill -9 after each third event" 0 --kill-every=3 --preset="standard 3"; }
story_ours_pictures() { pictures=yes; ours "hands as pictures" 0 --preset=okoshki; }
story_ours_pictures_killed() { pictures=yes; ours "hands as pictures, kill -9 after each seventh event" 0 --kill-every=7 --preset="standard 3"; }
story_ours_encrypted() { ours "private chats encrypted by force" 0 --encrypts; }
story_ours_oauth() { ours "the device grant" 0 --oauth --token-ms=3000; }

story_"$story"
exit $failed
