#!/bin/sh
# The daemon on a real homeserver, played with by people's real clients: BUILD=build tests/networks/matrix.sh
#
# A throw-away Synapse; one player is matrix-js-sdk, the other matrix-nio; between the daemon and the
# server stands a proxy that checks every request and every answer against the specification. Needs
# node, npm and python3 with venv; what they fetch goes to BUILD/networks/matrix.
#
# STORIES="standard limits" plays only those.
set -u
build=${BUILD:-build}
here=$(dirname "$0")/matrix
peers=$build/networks/matrix
for tool in npm python3 curl; do
    command -v $tool >/dev/null || { echo "[  SKIPPED ] 1 test(s): $tool is not here"; exit 0; }
done
mkdir -p "$peers"
cp "$here/package.json" "$here/package-lock.json" "$peers/"
if ! cmp -s "$here/package-lock.json" "$peers/installed"; then
    npm ci --prefix "$peers" --silent --no-audit --no-fund || { echo "[  FAILED  ] 1 test(s)"; exit 1; }
    cp "$here/package-lock.json" "$peers/installed"
fi
SYNAPSE=${SYNAPSE:-$(cd "$peers" && pwd)/synapse}
export SYNAPSE
out=$(mktemp -d "${TMPDIR:-/tmp}/koikoi-matrix.XXXXXX")
server=$out/server url= daemon= proxy=
# Two neighbours that nobody listens on: the server's, and that of the proxy in front of it. They lie below those
# that the kernel gives to connections, one of which might take them before they are used.
free_port() {
    python3 -c '
import random, socket
while True:
    port = random.randrange(10240, 32000, 2)
    a, b = socket.socket(), socket.socket()
    try:
        a.bind(("127.0.0.1", port))
        b.bind(("127.0.0.1", port + 1))
        break
    except OSError:
        a.close()
        b.close()
print(port)'
}
port=${PORT:-$(free_port)}
passed=0 failed=0

begin() {                                   # begin PACE [limits] [LINE...]: server, proxy, daemon
    pace=$1
    shift
    rm -rf "$out/state" "$server"
    mkdir -p "$out/state"
    sh "$here/synapse.sh" start "$server" "$port" "$@" || exit 1
    url=$(cat "$server/url")
    for who in bot ann bo kei; do sh "$here/synapse.sh" user "$server" $who pw-$who; done
    node "$here/check.mjs" "$peers" $((port + 1)) "$port" "$out/verdict" &
    proxy=$!
    until curl -s "http://127.0.0.1:$((port + 1))/_matrix/client/versions" >/dev/null; do :; done
    start_daemon
}

start_daemon() {
    KOIKOI_STATE_DIR=$out/state KOIKOI_MATRIX_HOMESERVER=http://127.0.0.1:$((port + 1)) \
        KOIKOI_MATRIX_USER=@bot:koi.test KOIKOI_MATRIX_PASSWORD=pw-bot KOIKOI_MATRIX_PACE=$pace \
        "$build/koikoi" run >>"$out/daemon" 2>&1 &
    daemon=$!
}

end() {
    kill "$daemon" 2>/dev/null && wait "$daemon"
    kill "$proxy" 2>/dev/null && wait "$proxy"
    sh "$here/synapse.sh" stop "$server"
}
trap 'kill $daemon $proxy 2>/dev/null; [ -f "$server/process" ] && kill "$(cat "$server/process")" 2>/dev/null; rm -rf "$out"' EXIT

# One match: match PRESET VOTES UPGRADE SECONDS [OPPONENTS]; while it goes on, the function `meanwhile` runs.
match() {
    : >"$out/bo"
    most=$(($4 * ${PATIENCE:-1}))
    others=
    for who in $(echo "${5:-bo}" | tr , ' '); do
        timeout "$most" "$SYNAPSE/bin/python" "$here/player.py" "$url" "$who" >>"$out/bo" 2>&1 &
        others="$others $!"
    done
    timeout "$most" node "$here/player.mjs" "$peers" "$url" ann "${5:-bo}" "$1" "$2" "$3" >"$out/ann" 2>&1 &
    ann=$!
    meanwhile
    wait $ann
    result=$?
    # shellcheck disable=SC2086
    kill $others 2>/dev/null
    # shellcheck disable=SC2086
    wait $others 2>/dev/null
    return $result
}

meanwhile() { :; }

verdict() {                                 # verdict NAME RESULT [MOST_429]
    figures=$(tail -n 1 "$out/ann")
    judged=$(cat "$out/verdict" 2>/dev/null)
    limited=$(echo "$judged" | sed 's/.*"limited":\([0-9]*\).*/\1/')
    if [ "$2" = 0 ] && echo "$judged" | grep -q '"bad":0' && [ "${limited:-99}" -le "${3:-0}" ]; then
        passed=$((passed + 1))
        echo "  ok    $1 $figures $(echo "$judged" | cut -c 1-60)"
    else
        failed=$((failed + 1))
        echo "  FAIL  $1 (exit $2)"
        tail -n 5 "$out/ann" "$out/bo"
        echo "$judged" | cut -c 1-2000
        tail -n 20 "$out/daemon"
    fi
    : >"$out/daemon"
}

play_preset() { begin 0; match "$1" 0 0 240; r=$?; end; verdict "$1" $r; }
story_sensei() { play_preset "sensei 3"; }
story_mongolopedia() { play_preset "mongolopedia 6"; }
story_okoshki() { play_preset okoshki; }
story_standard() { play_preset "standard 3"; }

story_three() { begin 0; match "mongolopedia 6" 0 0 400 bo,kei; r=$?; end; verdict "three seats" $r; }

# The doctor beside the daemon: what it must say of this server.
doctor() {                                  # doctor NAME WORD SENTENCE
    KOIKOI_STATE_DIR=$out/state KOIKOI_MATRIX_HOMESERVER=http://127.0.0.1:$((port + 1)) \
        KOIKOI_MATRIX_USER=@bot:koi.test KOIKOI_MATRIX_PASSWORD=pw-bot KOIKOI_MATRIX_PACE=$pace \
        "$build/koikoi" doctor >"$out/ann" 2>&1
    r=$?
    grep -q "fine .*we are @bot:koi.test" "$out/ann" || r="$r, not us"
    grep -q "$2 .*$3" "$out/ann" || r="$r, no word of it"
    : >"$out/bo"
    end
    verdict "$1" "$r" 2
}
story_doctor() {
    begin 12 limits
    doctor "doctor: default limits" "[a-z]*" "10 events at once and then 1[0-4] a minute"
    begin 0 nolimits "encryption_enabled_by_default_for_room_type: all"
    doctor "doctor: forced encryption" advice "encrypts private chats by itself"
    begin 0 nolimits "refreshable_access_token_lifetime: 5m"
    doctor "doctor: tokens that expire" fine "live for [23][0-9][0-9] s and are renewed"
}

# Tokens that live for some seconds: renewed in mid-match, never by another login.
story_tokens() {
    begin 0 nolimits "refreshable_access_token_lifetime: 10s"
    match "standard 3" 0 0 240
    r=$?
    grep -q "waiting before the next login" "$out/daemon" && r="$r, logged in twice"
    end
    verdict "tokens that expire" "$r"
}

# The daemon is killed twice and the server is restarted once, in mid-match.
story_restarts() {
    meanwhile() {
        sleep 6
        kill -9 "$daemon"
        wait "$daemon" 2>/dev/null
        start_daemon
        sleep 4
        sh "$here/synapse.sh" stop "$server"
        sh "$here/synapse.sh" again "$server"
        sleep 4
        kill -9 "$daemon"
        wait "$daemon" 2>/dev/null
        start_daemon
    }
    begin 0
    match "standard 3" 0 0 240
    r=$?
    end
    meanwhile() { :; }
    verdict restarts $r
}

story_upgrade() { begin 0; match "standard 3" 0 1 240; r=$?; end; verdict upgrade $r; }

# The server's own limits and the pace we have by default, from the first move to the last: playable, and
# hardly a refusal.
story_limits() { begin 12 limits; match "standard 3" 0 0 600; r=$?; end; verdict "default limits" $r 3; }

# The server makes every private chat an encrypted one.
story_encrypted() {
    begin 0 nolimits "encryption_enabled_by_default_for_room_type: invite"
    match "standard 3" 0 0 300
    r=$?
    end
    verdict encrypted $r
}

# On our own homeserver, which the fast tests stand on: judged by the same proxy, it and the daemon alike.
# ours NAME ANSWERS OPTION...: at most so many wrong answers (those that it was told to spoil).
ours() {
    name=$1 answers=$2
    shift 2
    rm -rf "$out/state"
    mkdir -p "$out/state"
    node "$here/check.mjs" "$peers" $((port + 1)) "$port" "$out/verdict" &
    proxy=$!
    "$build/fake/matrix" --port="$port" --through=$((port + 1)) --log="$out/daemon" "$@" \
        --exec="env KOIKOI_STATE_DIR=$out/state ${PACE:-KOIKOI_MATRIX_PACE=0} $build/koikoi run" >"$out/ann" 2>&1
    r=$?
    kill "$proxy" && wait "$proxy"
    wrong=$(sed 's/.*"answers":\([0-9]*\).*/\1/' "$out/verdict")
    [ "${wrong:-99}" -le "$answers" ] || r="$r, $wrong wrong answers"
    : >"$out/bo"
    verdict "$name" "$r" 99
}
story_ours() {
    ours "ours: three seats" 0 --preset="mongolopedia 6" --players=3
    ours "ours: faults" 14 --faults --preset="sensei 3"
    ours "ours: gaps, tokens that die" 0 --page=2 --token-ms=1500 --preset=okoshki
    ours "ours: upgrade" 0 --upgrade=9
    ours "ours: kill -9 after each third event" 0 --kill-every=3 --preset="standard 3"
    ours "ours: private chats encrypted by force" 0 --encrypts
    ours "ours: the device grant" 0 --oauth --token-ms=3000
}

for story in ${STORIES:-ours doctor sensei mongolopedia okoshki standard three tokens restarts upgrade encrypted limits}; do
    story_$story
done
echo "[  PASSED  ] $passed test(s)."
[ $failed -gt 0 ] && echo "[  FAILED  ] $failed test(s)"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
