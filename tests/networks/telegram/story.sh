#!/bin/sh
# One story on Telegram, every call and every answer checked: story.sh BUILD PLAY [void] [pace=N] [OPTION...]
#
# The options are the fake's: faults, limits, ways to die. A play that ends with /export has its ledger looked
# back over. Prints one line, and more if it failed. void: the first deal of every match is. pace=N: messages a minute into one chat, with both clocks
# ten times as fast; else no limit. In a play a line "#env NAME=VALUE ..." sets options of the daemon ({port} is a
# free one), and one "#report PATTERN" says what the fake has to report in the end.
set -u
build=$1 play=$2
shift 2
here=$(dirname "$0")
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
    printf '#!/bin/sh\nexec faketime -m -f "+0 x10" %s "$@"\n' "$fake" >"$out/fake"
    fake=$out/fake
    chmod +x "$fake"
    shift
    ;;
esac
for option; do
    [ "$option" = "${option#--die=}" ] || ways=${option#--die=} patience=20000
done

free_port() {
    node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => {
        console.log(s.address().port); s.close(); });'
}
settings() {
    ! grep -q '^#env.*{port}' "$here/$play" || port=$(free_port)
    sed -n 's/^#env //p' "$here/$play" | sed "s/{port}/${port:-}/g" | tr '\n' ' '
}
play() {
    node "$here/validate.mjs" "$peers/api.json" "$peers" "$fake" --play="$here/$play" --max-s=4000 \
        --patience="${PATIENCE:-1}" --log="$out/daemon" --ledger="$out/ledger" "$@" \
        --exec="env KOIKOI_STATE_DIR=$out/state KOIKOI_TELEGRAM_PACE=$pace $(settings) $koikoi run" >"$out/log" 2>&1
}
reported() {
    sed -n 's/^#report //p' "$here/$play" | while read -r pattern; do
        grep -q "$pattern" "$out/log" || { echo "not in the report: $pattern"; return 1; }
    done
}
look_back() {
    ! grep -q '/export' "$here/$play" || node "$here/ledger.mjs" "$out/ledger" "$build/koikoi" "$ways" $((patience * ${PATIENCE:-1}))
}
mkdir "$out/state"
dealt_anew() {
    [ "$koikoi" = "$build/koikoi" ] || grep -q 'is dealt anew' "$out/ledger" || { echo "no deal was void"; return 1; }
}
early() {
    grep -q '"early_429":0,' "$out/log" || { echo "something was sent before it might be"; return 1; }
}
if play "$@" && { early && dealt_anew && reported && look_back; } >"$out/account" 2>&1; then
    echo "  ok    $title$([ ! -s "$out/account" ] || echo ": $(cat "$out/account")")"
else
    echo "  FAIL  $title"
    cat "$out/account" 2>/dev/null
    tail -n 20 "$out/log" | cut -c 1-1500
    tail -n 20 "$out/daemon"
    exit 1
fi
