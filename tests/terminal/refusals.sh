#!/bin/sh
# Nonsense to every command, and a daemon that cannot start or is told to stop: one sentence that names the
# place and the reason, the right exit status, and never a crash. No test here waits for a clock.
set -u
build=${BUILD:-build}
case $build in /*) koikoi=$build/koikoi ;; *) koikoi=$PWD/$build/koikoi ;; esac
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
for v in $(env | sed -n 's/^\(KOIKOI_[A-Z_]*\)=.*/\1/p'); do unset "$v"; done
export HOME="$dir/home"
passed=0 failed=0

good() { passed=$((passed + 1)); }
bad() {
    failed=$((failed + 1))
    echo "FAILED: $1"
    sed 's/^/    /' "$dir/err"
}

# refused STATUS WORDS COMMAND...: it exits so, and says one line on stderr that holds WORDS; how the command is
# used may follow.
refused() {
    want=$1 words=$2
    shift 2
    "$koikoi" "$@" </dev/null >"$dir/out" 2>"$dir/err"
    code=$?
    if [ $code -eq "$want" ] && [ "$(sed '/^usage: /,$d' "$dir/err" | wc -l)" -le 1 ] && head -n 1 "$dir/err" | grep -qF -- "$words"; then
        good
    else
        bad "koikoi $* (exit $code, wanted $want and \"$words\")"
    fi
}

: >"$dir/empty"
# Lehmer's generator: every byte turns up, and the same ones in every run.
LC_ALL=C awk 'BEGIN { for (i = x = 1; i <= 65536; i++) { x = x * 16807 % 2147483647; printf "%c", int(x / 65536) % 256 } }' >"$dir/junk"
head -c 10000000 /dev/zero | tr '\0' 'x' >"$dir/long"
mkdir "$dir/folder" "$dir/empty_folder"

# ---- commands ----
refused 2 '"nonsense" is no command' nonsense
refused 2 '"--bogus" is no option' run --bogus
refused 2 '--config needs a value' run --config
refused 2 'no adapter is called "carrier"' run --adapter carrier
for command in replay verify review; do
    refused 2 'usage' $command
    for file in none empty junk long folder; do
        refused 1 "$file" $command "$dir/$file"
    done
done
refused 2 '--visits must be' review --visits 0 "$dir/empty"
refused 2 'an option that there is not' review --nonsense "$dir/empty"
refused 2 'one file at a time' review "$dir/empty" "$dir/junk"
refused 1 'no catalogue' review --language xx "$dir/empty"
refused 2 'are needed' selfplay
refused 2 'bogus' selfplay --bogus
refused 2 'nosuch' selfplay --rules nosuch --levels easy,easy --matches 1 --seed 1 --record "$dir/empty_folder"
for file in empty junk long folder; do
    refused 2 "$file" selfplay --rules "$dir/$file" --levels easy,easy --matches 1 --seed 1 --record "$dir/empty_folder"
done
for number in -1 0 x 99999999999999999999; do
    refused 2 "must be a whole number" selfplay --rules standard --levels easy,easy --matches $number --seed 1 --record "$dir/empty_folder"
done
refused 1 'empty/none' selfplay --rules standard --rounds 3 --levels easy,easy --visits 1 --matches 1 --seed 1 \
    --record "$dir/empty/none"
refused 1 'none' run --script "$dir/none"
refused 1 'folder' run --script "$dir/folder"
refused 1 'junk:1: not UTF-8 text' run --script "$dir/junk"
printf 'ann> /ping one\n<  pong one\n<  \377\n' >"$dir/bytes"
refused 1 'bytes:3: not UTF-8 text' run --script "$dir/bytes"
printf 'ann> /ping \000\n' >"$dir/zero"
refused 1 'zero:1: not UTF-8 text' run --script "$dir/zero"

# ---- the engine is a service: an answer a line, and it goes on ----
{ cat "$dir/long"; echo; head -c 2000 "$dir/junk" | tr -d '\n'; echo; echo; echo '[]'; echo '{"id":7,"do":"rules","rules":"standard"}'; } |
    "$koikoi" engine >"$dir/out" 2>"$dir/err"
if [ $? -eq 0 ] && [ "$(wc -l <"$dir/out")" -eq 5 ] && [ "$(grep -c '"error"' "$dir/out")" -eq 4 ] &&
    tail -n 1 "$dir/out" | grep -q '^{"id":7,"rules"'; then good; else bad "engine: five lines in, five answers out"; fi

# ---- what keeps the daemon from starting ----
state=$dir/state
export KOIKOI_STATE_DIR="$state"
for file in empty_folder junk long; do
    refused 1 "$file" run --config "$dir/$file"
done
refused 1 'none' run --config "$dir/none"
printf 'threads = 1\nbogus = 2\n' >"$dir/unknown.conf"
refused 1 'unknown.conf:2: outside a section there is no option bogus' run --config "$dir/unknown.conf"
KOIKOI_BOGUS=1 refused 1 'KOIKOI_BOGUS: there is no such option' run
KOIKOI_THREADS=many refused 1 'KOIKOI_THREADS: threads: not a whole number' run
refused 1 'koikoi: [telegram] token: not of the form' run --adapter telegram
KOIKOI_TERMINAL_ROOM='two words' refused 1 'koikoi: [terminal] room: must be one word' run
KOIKOI_RULES=nosuch refused 1 'nosuch' run
KOIKOI_RULES_DIR="$dir/none" refused 1 "KOIKOI_RULES_DIR: rules_dir: there is no folder $dir/none" run
KOIKOI_DECKS_DIR="$dir/junk" refused 1 "there is no folder $dir/junk" run
KOIKOI_STATE_DIR="$dir/junk" refused 1 "$dir/junk" run
KOIKOI_STATE_DIR=/proc/koikoi refused 1 '/proc/koikoi cannot be made' run
KOIKOI_STORE="$dir/junk" refused 1 "$dir/junk" run
KOIKOI_STORE="$dir/folder" refused 1 "$dir/folder" run

# ---- signals: a daemon that has answered is told to stop ----
# start: runs one with its words in $dir/say and out of $dir/heard, and waits until it has answered.
start() {
    rm -f "$dir/say" "$dir/heard"
    mkfifo "$dir/say" "$dir/heard"
    "$koikoi" run --adapter terminal <"$dir/say" >"$dir/heard" 2>"$dir/err" &
    daemon=$!
    exec 3>"$dir/say" 4<"$dir/heard"
    echo '/ping started' >&3
    while read -r line <&4; do case $line in *"pong started"*) return 0 ;; esac; done
    return 1
}
finish() {
    wait $daemon
    code=$?
    exec 3>&- 4<&-
}
for signal in TERM INT HUP; do
    start || bad "it did not start"
    if [ $signal = HUP ]; then              # a lost terminal is no reason to die
        kill -HUP $daemon
        echo '/ping still' >&3
        while read -r line <&4; do case $line in *"pong still"*) break ;; esac; done
        kill -TERM $daemon
    else
        kill -$signal $daemon
    fi
    finish
    if [ $code -eq 0 ]; then good; else bad "SIG$signal: exit $code"; fi
done

start || bad "it did not start"
refused 1 "koikoi.db: another koikoi is running on this file" run --adapter terminal
exec 4<&-                                   # nobody listens any more: a broken pipe is no reason to die
echo '/ping into the void' >&3
kill -TERM $daemon
wait $daemon
code=$?
exec 3>&-
if [ $code -eq 0 ] || [ $code -eq 1 ]; then good; else bad "a broken pipe: exit $code"; fi

echo "[  PASSED  ] $passed test(s)."
[ $failed -eq 0 ] || echo "[  FAILED  ] $failed test(s)"
[ $failed -eq 0 ]
