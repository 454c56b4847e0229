#!/bin/sh
# One story on Telegram, every call and every answer checked:
#     story.sh BUILD NAME.play [void] [pace=N] [turns=N] [report=PATTERN] [OPTION...]
#
# The story is a file below stories/. The options are the fake's: faults, limits, ways to die. After a story that ends
# with /export, events.mjs compares its events with the record. Prints one line, and more if it failed.
#
#   void      the first deal of every match is void
#   pace=N    N messages a minute into one chat, with both clocks ten times as fast; otherwise no limit
#   turns=N   a turn within a round costs the group N messages at most
#   report=PATTERN    what the fake must report at the end, beside the story's own
#
# In a story a line "#env NAME=VALUE ..." sets options of the daemon ({port} is a free port), and "#report PATTERN" is
# what the fake must report at the end.
set -u
build=$1 play=$2
shift 2
here=$(dirname "$0")
file=$(find "$here/stories" -name "$play")
[ -f "$file" ] || { echo "  FAIL  $play: expected one story of this name, got: ${file:-none}"; exit 1; }
peers=$build/networks/telegram
fake=$build/fake/telegram pace=0 ways='' patience=5000 title="$play $*"
out=$(mktemp -d "${TMPDIR:-/tmp}/koikoi-story.XXXXXX")
trap 'rm -rf "$out"' EXIT
trap 'exit 1' INT TERM HUP
koikoi=$build/koikoi
if [ "${1:-}" = void ]; then
    koikoi=$build/fake/koikoi_void
    shift
fi
case ${1:-} in pace=*)
    pace=${1#pace=} patience=60000
    # faketime does not begin where one that was killed left its shared memory under the same process number
    # shellcheck disable=SC2016
    printf '#!/bin/sh\nrm -f "/dev/shm/sem.faketime_sem_$$" "/dev/shm/faketime_shm_$$"\nexec faketime -m -f "+0 x10" %s "$@"\n' "$fake" >"$out/fake"
    fake=$out/fake
    chmod +x "$fake"
    shift
    ;;
esac
turns='' expected=''
case ${1:-} in turns=*)
    turns=${1#turns=}
    shift
    ;;
esac
case ${1:-} in report=*)
    expected=${1#report=}
    shift
    ;;
esac
for option; do
    [ "$option" = "${option#--die=}" ] || ways=${option#--die=} patience=$((patience > 20000 ? patience : 20000))
    # A limit learned from a 429 makes one wait for its pause and then a turn in the minute's queue.
    [ "$option" != --hidden-counts ] || patience=90000
done

free_port() {
    node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => {
        console.log(s.address().port); s.close(); });'
}
settings() {
    ! grep -q '^#env.*{port}' "$file" || port=$(free_port)
    sed -n 's/^#env //p' "$file" | sed "s/{port}/${port:-}/g" | tr '\n' ' '
}
play() {
    node "$here/validate.mjs" "$peers/api.json" "$peers" "$fake" --play="$file" --max-s=4000 \
        --patience="${PATIENCE:-1}" --log="$out/daemon" --events="$out/events" "$@" \
        --exec="env KOIKOI_STATE_DIR=$out/state KOIKOI_TELEGRAM_PACE=$pace $(settings) $koikoi run" >"$out/log" 2>&1
}
reported() {
    { sed -n 's/^#report //p' "$file"; [ -z "$expected" ] || echo "$expected"; } | while read -r pattern; do
        grep -q "$pattern" "$out/log" || { echo "not in the report: $pattern"; return 1; }
    done
}
look_back() {
    ! grep -q '/export' "$file" || node "$here/events.mjs" "$out/events" "$build/koikoi" "$ways" $((patience * ${PATIENCE:-1}))
}
mkdir "$out/state"
dealt_anew() {
    [ "$koikoi" = "$build/koikoi" ] || grep -q 'is dealt anew' "$out/events" || { echo "no deal was void"; return 1; }
}
early() {
    grep -q '"early_429":0,' "$out/log" || { echo "something was sent before it might be"; return 1; }
}
sound() { sh tests/sound.sh "$build/koikoi" "$out/state"; }
budget() {
    [ -z "$turns" ] || node "$here/turns.mjs" "$out/events" "$turns"
}
if play "$@" && { early && dealt_anew && reported && budget && look_back && sound; } >"$out/account" 2>&1; then
    echo "  ok    $title$([ ! -s "$out/account" ] || echo ": $(cat "$out/account")")"
else
    echo "  FAIL  $title"
    cat "$out/account" 2>/dev/null
    tail -n 20 "$out/log" | cut -c 1-1500
    tail -n 20 "$out/daemon"
    exit 1
fi
