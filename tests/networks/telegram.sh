#!/bin/sh
# Tests of the daemon on the fake Telegram: BUILD=build tests/networks/telegram.sh
#
# A real client library talks to the fake; the doctor examines it, and loads run with transient errors. Then the
# daemon plays each story below telegram/stories, and a third party's description of the Bot API checks every call and
# every answer. Needs node and npm; the packages go to BUILD/networks/telegram.
#
# STORIES="kill.play; guest.play void" plays only those, with their options. When stories alone have failed
# the line "once more: STORY; ..." names them.
set -u
build=${BUILD:-build}
here=$(dirname "$0")/telegram
fake=$build/fake/telegram
peers=$build/networks/telegram
command -v npm >/dev/null || { echo "[  FAILED  ] 1 test(s): npm: not found"; exit 1; }

mkdir -p "$peers"
cp "$here/package.json" "$here/package-lock.json" "$peers/"
if ! cmp -s "$here/package-lock.json" "$peers/installed"; then
    for try in 1 2 3; do
        npm ci --prefix "$peers" --prefer-offline --silent --no-audit --no-fund && break
        [ $try -lt 3 ] || { echo "[  FAILED  ] 1 test(s): npm could not install package.json"; exit 1; }
    done
    cp "$here/package-lock.json" "$peers/installed"
    rm -f "$peers/api.json"
fi
[ -f "$peers/api.json" ] || node "$here/schema.mjs" "$peers" "$peers/api.json" || exit 1

out=$(mktemp -d "${TMPDIR:-/tmp}/koikoi-telegram.XXXXXX")
serving=''
trap 'kill $serving 2>/dev/null; rm -rf "$out"' EXIT
trap 'exit 1' INT TERM HUP
passed=0 failed=0 bad=0

# The doctor: all well, a wrong token, nobody there. The token is never shown.
doctor() {
    env KOIKOI_STATE_DIR="$out/state" KOIKOI_TELEGRAM_API_ROOT="$(cat "$out/address")" \
        KOIKOI_TELEGRAM_TOKEN="$1" "$build/koikoi" doctor >"$out/doctor" 2>&1
    if [ $? -eq "$2" ] && grep -q "$3" "$out/doctor" && ! grep -q "${1#*:}" "$out/doctor"; then
        passed=$((passed + 1))
        echo "  ok    koikoi doctor: $3"
    else
        failed=$((failed + 1))
        echo "  FAIL  koikoi doctor: $3"
        cat "$out/doctor"
    fi
}
examine() {
    "$fake" --open=77 >"$out/address" &
    serving=$!
    until [ -s "$out/address" ]; do :; done
    node "$here/probe.cjs" "$peers" "$(cat "$out/address")" 123456:TEST 77
    bad=$?
    doctor 123456:TEST 0 "fine .*@koikoi_bot"
    doctor 123456:TEST 0 "fine .*privacy mode is on"
    doctor 123456:TEST 0 "fine .*/setinlinefeedback"
    doctor 123456:TEST 0 "fine .*the clock of this machine agrees"
    doctor 123456:TEST 0 "fine .*no webhook is in the way"
    curl -s -o "$out/said" "$(cat "$out/address")/bot123456:TEST/setWebhook?url=https://elsewhere.example/x"
    doctor 123456:TEST 0 "advice .*a webhook of another program is set"
    curl -s -o "$out/said" "$(cat "$out/address")/bot123456:TEST/deleteWebhook"
    doctor 123456:WRONG 1 "wrong .*the token is refused"
    doctor nonsense 1 "wrong .*not of the form"
    kill "$serving"
    wait "$serving" 2>/dev/null
    doctor 123456:TEST 1 "wrong .*no answer"
}

# Loads with faults at some percent: nothing is lost, nothing is sent before Telegram allows it, and no answer takes
# five seconds. A reset answer belongs to a message that arrived, so those may come twice.
slow=${PATIENCE:-1}
load() {
    mkdir -p "$out/state"
    node "$here/validate.mjs" "$peers/api.json" "$peers" "$fake" --load \
        --chats=10 --n=800 --warmup=100 --settle-s=1 --max-s=$((100 * slow)) --lost-s=$((5 * slow)) \
        --log="$out/daemon" "$@" \
        --exec="env KOIKOI_STATE_DIR=$out/state KOIKOI_TELEGRAM_PACE=0 $build/koikoi run" >"$out/load" 2>&1
    if grep -q '"badCalls":0,"badAnswers":0,' "$out/load" &&
        grep -q '"lost":0,"forgotten":0,.*"reordered":0,"foreign":0,.*"ran_out":false,.*"early_429":0,' "$out/load" &&
        [ "$(sed -n 's/.*"max_ms":\([0-9]*\).*/\1/p' "$out/load")" -lt $((5000 * slow)) ]; then
        passed=$((passed + 1))
        echo "  ok    load with $*"
    else
        failed=$((failed + 1))
        echo "  FAIL  load with $*"
        cut -c 1-1500 "$out/load"
        tail -n 20 "$out/daemon"
    fi
    rm -rf "$out/state" "$out/daemon"
}
loads() {
    for fault in "--p-429=0.03 --retry-after=1" --p-502=0.03 --p-reset=0.03 --p-cut=0.05 --p-double=0.05 --p-swap=0.5; do
        # shellcheck disable=SC2086
        load $fault
    done
}
[ -n "${STORIES:-}" ] || { examine; loads; }

# ---- the stories: each by itself, then one whole match with transient errors, at the pace of a real group, and with
# the bot killed at every request ----
stories() {
    if [ -n "${STORIES:-}" ]; then
        echo "$STORIES" | sed 's/; */\n/g'
        return
    fi
    find "$here/stories" -name '*.play' ! -name turns.play ! -name hidden_counts.play -exec basename {} ';' | sort
    for play in guest inline inline_hand inline_popups newest webhook_side computer closed pictures_alone three; do
        echo "$play.play void"
    done
    echo "paced.play pace=18 --limits"
    echo "turns.play pace=18 turns=1 report=n_429.:0, --limits"
    echo "hidden_counts.play pace=18 report=n_429.:[1-3], --limits --hidden-counts"
    for way in asked done told soon; do
        echo "whole.play --die=$way --restart-ms=0"
        echo "turns.play pace=0 --die=$way --restart-ms=0"
    done
    for fault in "--p-429=0.05 --retry-after=1" --p-502=0.05 --p-reset=0.05 --p-cut=0.05 --p-double=0.3 --p-swap=0.3; do
        echo "whole.play $fault"
    done
}
stories | xargs -P "${AT_ONCE:-3}" -L 1 sh "$here/story.sh" "$build" | tee "$out/stories"
passed=$((passed + $(grep -c '^  ok  ' "$out/stories")))
untold=$(sed -n 's/^  FAIL  //; T; s/ *$//p' "$out/stories")
[ $failed -gt 0 ] || [ $bad -gt 0 ] || [ -z "$untold" ] || echo "once more: $(echo "$untold" | paste -sd ';')"
failed=$((failed + $(grep -c '^  FAIL' "$out/stories")))
echo "[  PASSED  ] $passed test(s)."
[ $failed -gt 0 ] && echo "[  FAILED  ] $failed test(s)"
[ $bad -eq 0 ] && [ $failed -eq 0 ] && [ $passed -gt 0 ]
