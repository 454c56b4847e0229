#!/bin/sh
# Nonsense for every command, and a daemon that cannot start or is stopped: one sentence with the place and
# the reason, the right exit status, and no crash. No test here waits for a clock.
set -u
build=${BUILD:-build}
case $build in /*) ;; *) build=$PWD/$build ;; esac
koikoi=$build/koikoi
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

# refused STATUS WORDS COMMAND...: exits with STATUS and prints one line on stderr that holds WORDS; the usage
# may follow. Which store is meant and a busy machine's slow steps are no part of it. It starts nothing but the command.
refused() {
    want=$1 words=$2 first='' lines=0
    shift 2
    "$koikoi" "$@" </dev/null >"$dir/out" 2>"$dir/err"
    code=$?
    while IFS= read -r line || [ "$line" ]; do
        case $line in
        'store: '* | *' warn slow_step '*) continue ;;
        esac
        [ $lines -gt 0 ] || first=$line
        case $line in 'usage: '*) break ;; esac
        lines=$((lines + 1))
    done <"$dir/err"
    case $code-$lines-$first in
    "$want-"[01]-*"$words"*) good ;;
    *) bad "koikoi $* (exit $code, wanted $want and \"$words\")" ;;
    esac
}

: >"$dir/empty"
# Lehmer's generator: every byte value, and the same bytes in every run.
LC_ALL=C awk 'BEGIN { for (i = x = 1; i <= 65536; i++) { x = x * 16807 % 2147483647; printf "%c", int(x / 65536) % 256 } }' >"$dir/junk"
head -c 10000000 /dev/zero | tr '\0' 'x' >"$dir/long"
mkdir "$dir/folder" "$dir/empty_folder"

# ---- commands ----
# answered CHECK ARGUMENTS...: koikoi ends well, and the check finds nothing amiss in what it prints
answered() {
    check=$1
    shift
    if "$koikoi" "$@" </dev/null >"$dir/out" 2>"$dir/err" && [ ! -s "$dir/err" ] && $check "$dir/out"; then good; else bad "koikoi $*"; fi
}
answered 'grep -qxE koikoi.[0-9.]+(.[(].*[)])?,.schema.[0-9]+' version
for help in help --help -h; do
    answered 'grep -q ^..koikoi.run' $help
    answered 'grep -qxE koikoi.[0-9.]+(.[(].*[)])?:.the.card.game.Koi-Koi.in.group.chats' $help
done
refused 2 'unknown command "nonsense"' nonsense
refused 2 'unknown option "--bogus"' run --bogus
refused 2 '--config needs a value' run --config
refused 2 'no adapter is called "carrier"' run --adapter carrier
for command in replay verify review; do
    refused 2 'usage' $command
    refused 2 'expected no empty argument' $command ''
    for file in none empty junk long folder; do
        refused 1 "$file" $command "$dir/$file"
    done
done
for command in backup restore forget picture texts quarantine run selfplay; do
    refused 2 'expected no empty argument' $command ''
done
refused 2 'expected no empty argument' move-store '' "$dir/none"
refused 2 '--visits: expected' review --visits 0 "$dir/empty"
refused 2 'unknown option' review --nonsense "$dir/empty"
refused 2 'expected one FILE' review "$dir/empty" "$dir/junk"
refused 1 'no catalogue' review --language xx "$dir/empty"
refused 2 '--levels: missing' selfplay
refused 2 'bogus' selfplay --bogus
refused 2 'nosuch' selfplay --rules nosuch --levels easy,easy --matches 1 --seed 1 --record "$dir/empty_folder"
for file in empty junk long folder; do
    refused 2 "$file" selfplay --rules "$dir/$file" --levels easy,easy --matches 1 --seed 1 --record "$dir/empty_folder"
done
for number in -1 0 x 99999999999999999999; do
    refused 2 "expected a whole number" selfplay --rules standard --levels easy,easy --matches $number --seed 1 --record "$dir/empty_folder"
done
refused 1 'empty/none' selfplay --rules standard --rounds 3 --levels easy,easy --visits 1 --matches 1 --seed 1 \
    --record "$dir/empty/none"

# Arguments at the ends of what they may be. A table without words: it is taken.
play='selfplay --rules standard --visits 1 --seed 1'
while IFS='|' read -r status words arguments; do
    if [ "$words" ]; then refused "$status" "$words" $arguments; else answered 'grep -q ,.draws.' $arguments; fi
done <<END
0||$play --levels easy,hard
0||$play --levels=easy,hard --matches=1 --rounds=3
2|--levels: expected a number of players that the rule set allows, got 1|$play --levels easy
2|--levels: expected a number of players that the rule set allows, got 3|$play --levels easy,easy,easy
2|--levels: expected at most 3, got more|$play --levels easy,easy,easy,easy
2|--levels: expected beginner, easy, normal, hard or master, got "eas"|$play --levels eas,easy
2|--rounds: expected a whole number from 1 to|$play --levels easy,easy --rounds 0
2|--rounds: expected a number that the rule set allows, got 5|$play --levels easy,easy --rounds 5
2|--visits: expected a whole number from 1 to|$play --levels easy,easy --visits 0
2|--visits: expected a whole number from 1 to|$play --levels easy,easy --visits 4294967296
2|--matches: expected a whole number from 1 to|$play --levels easy,easy --matches 1000001
2|--seed: expected a whole number from 0 to|$play --levels easy,easy --seed -1
2|--seed needs a value|$play --levels easy,easy --seed
2|--seed needs a value|$play --levels easy,easy --seed=
2|--seed needs a value|selfplay --config $dir/empty --rules standard --levels easy,easy --visits 1 --seed
2|usage: koikoi selfplay|$play --levels easy,easy more
2|--rules and --levels: missing|selfplay --rules standard
2|--rules and --levels: missing|selfplay --levels easy,easy
2|none.json|$play --rules standard.json/none.json --levels easy,easy
2|--visits: expected a whole number from 1 to 1000000, got 1000001|review --visits 1000001 $dir/empty
2|--seed: expected a whole number from 0 to 1000000, got 1000001|review --seed 1000001 $dir/empty
1|empty|review --visits 1000000 --seed 1000000 $dir/empty
2|usage: koikoi quarantine|quarantine 0
2|usage: koikoi quarantine|quarantine x
2|usage: koikoi quarantine|quarantine drop
2|usage: koikoi quarantine|quarantine drop 0
2|usage: koikoi quarantine|quarantine keep 1
2|usage: koikoi quarantine|quarantine drop 1 2
1|unable to open|quarantine 1
1|unable to open|quarantine drop 1
1|unable to open database file: No such file|matches
2|usage: koikoi matches|matches 1
1|no daemon at|health
1|no daemon at|status
2|usage: koikoi picture|picture
2|--decks needs a value|picture --decks
2|usage: koikoi picture|picture $dir/empty $dir/empty
1|deck: expected|picture $dir/empty
2|usage: koikoi texts|texts
1|none|texts $dir/none
END
# The totals of self-play: each match has a winner or is drawn, and the same seed plays the same.
for matches in 1 2 3; do
    for again in 1 2; do "$koikoi" $play --levels easy,normal --rounds 3 --matches $matches >"$dir/played$again" 2>"$dir/err"; done
    if cmp -s "$dir/played1" "$dir/played2" && awk -v n=$matches '
        NR == 1 {ok = $0 ~ "^standard, 3 rounds, " n (n > 1 ? " matches" : " match") ", seed 1, draws [0-9]+$"; all = $NF}
        NR == 2 {ok = ok && /^easy 1: wins [0-9]+, points [0-9]+$/} NR == 3 {ok = ok && /^normal 2: wins [0-9]+, points [0-9]+$/}
        NR > 1 {all += $4; points += $6} END {exit !(ok && NR == 3 && all == n && points > 0)}' "$dir/played1"; then
        good
    else
        bad "the totals of $matches matches"
    fi
done

# Files: what is said of a good one, and of one with so many faults.
says() { # says STATUS LINE COMMAND...: the last line of what is printed
    want=$1 line=$2
    shift 2
    "$koikoi" "$@" </dev/null >"$dir/out" 2>"$dir/err"
    if [ $? -eq "$want" ] && tail -n 1 "$dir/out" | grep -qxF -- "$line"; then good; else bad "koikoi $*"; fi
}
printf '{' >"$dir/cut.json"
says 0 "config/texts/en.json: 0 faults" texts config/texts/en.json
says 1 "$dir/cut.json: 1 fault" texts "$dir/cut.json"
says 1 "config/texts/en.json: 0 faults" texts "$dir/cut.json" config/texts/en.json
$koikoi $play --levels easy,easy --rounds 3 --record "$dir/records" >"$dir/out"
record=$dir/records/selfplay-1-000001.koikoi
points=$(sed -n 's/.*points //p' "$dir/out" | sort -n | tr '\n' ' ')
says 0 "$record: every deck is the one that its sealed seed gives" verify "$record"
says 0 "$("$koikoi" replay "$record" | grep '^match over: ')" replay "$record"
if [ "$(tail -n 1 "$dir/out" | grep -oE '[0-9]+(,|$)' | tr -d , | sort -n | tr '\n' ' ')" = "$points" ]; then good; else bad "a record has the points of the totals"; fi
sed '$!{h;d}' "$record" >"$dir/end"
refused 1 'end: line 1: ' verify "$dir/end"
for layout in board card; do
    answered 'grep -aq PNG' picture config/decks/$layout.layout
done

# ---- the player of scripts ----
koikoi=$build/tests/terminal/script_test
refused 1 'none' "$dir/none"
refused 1 'folder' "$dir/folder"
refused 1 'junk:1: not UTF-8 text' "$dir/junk"
printf 'ann> /ping one\n<  pong one\n<  \377\n' >"$dir/bytes"
refused 1 'bytes:3: not UTF-8 text' "$dir/bytes"
printf 'ann> /ping \000\n' >"$dir/zero"
refused 1 'zero:1: not UTF-8 text' "$dir/zero"
koikoi=$build/koikoi

# ---- the engine as a service: one answer a line, then the next ----
{ cat "$dir/long"; echo; head -c 2000 "$dir/junk" | tr -d '\n'; echo; echo; echo '[]'; echo '{"id":7,"do":"rules","rules":"standard"}'; } |
    "$koikoi" engine >"$dir/out" 2>"$dir/err"
if [ $? -eq 0 ] && [ "$(wc -l <"$dir/out")" -eq 5 ] && [ "$(grep -c '"error"' "$dir/out")" -eq 4 ] &&
    tail -n 1 "$dir/out" | grep -q '^{"id":7,"rules"'; then good; else bad "engine: five lines in, five answers out"; fi

# ---- a daemon that cannot start: 3 its configuration, 5 its store ----
state=$dir/state
export KOIKOI_STATE_DIR="$state"
for file in empty_folder junk long; do
    refused 3 "$file" run --config "$dir/$file"
done
refused 3 'none' run --config "$dir/none"
printf 'threads = 1\nbogus = 2\n' >"$dir/unknown.conf"
refused 3 'unknown.conf:2: outside a section there is no option bogus' run --config "$dir/unknown.conf"
KOIKOI_BOGUS=1 refused 3 'KOIKOI_BOGUS: there is no such option' run
KOIKOI_THREADS=many refused 3 'KOIKOI_THREADS: threads: expected a whole number' run
refused 3 'koikoi: [telegram] token: not of the form' run --adapter telegram
KOIKOI_TELEGRAM_TOKEN='' refused 3 '[telegram] is half set up (KOIKOI_TELEGRAM_TOKEN): token is missing or empty' run
KOIKOI_TELEGRAM_PACE=0 refused 3 '[telegram] is half set up (KOIKOI_TELEGRAM_PACE): token is missing or empty' run
KOIKOI_MATRIX_USER=@koi:example.org refused 3 '[matrix] is half set up (KOIKOI_MATRIX_USER): token, password' run
refused 3 'no network is configured, and standard input is empty' run
KOIKOI_TERMINAL_ROOM='two words' refused 3 'koikoi: [terminal] room: must be one word' run --adapter terminal
KOIKOI_WEB_LISTEN=127.0.0.1:99999 refused 3 '[web] listen: expected ADDRESS:PORT in numbers' run --adapter web
KOIKOI_LISTEN=:8080 refused 3 'listen: expected ADDRESS:PORT in numbers' run --adapter terminal
KOIKOI_RULES=nosuch refused 3 'nosuch' run --adapter terminal
KOIKOI_RULES_DIR="$dir/none" refused 3 "KOIKOI_RULES_DIR: rules_dir: there is no folder $dir/none" run
KOIKOI_DECKS_DIR="$dir/junk" refused 3 "there is no folder $dir/junk" run
KOIKOI_STATE_DIR="$dir/junk" refused 3 "$dir/junk" run --adapter terminal
KOIKOI_STATE_DIR=/proc/koikoi refused 3 '/proc/koikoi cannot be made' run
KOIKOI_STORE="$dir/junk" refused 5 "$dir/junk" run --adapter terminal
KOIKOI_STORE="$dir/folder" refused 1 "$dir/folder" run --adapter terminal
: >"$dir/cut.db"
KOIKOI_STORE="$dir/cut.db" refused 5 'got an empty file' run --adapter terminal
KOIKOI_STORE=mysql://u:sesame@h/d refused 3 'an address of another kind' run --adapter terminal
KOIKOI_METRICS=yes KOIKOI_TELEGRAM_TOKEN=1:a refused 3 'metrics: expected listen or metrics_listen' run
# Standard input that is closed is no terminal, and no number for the next file that is opened.
if timeout 20 "$koikoi" run <&- >"$dir/out" 2>"$dir/err" || [ $? -ne 3 ] || ! grep -q 'standard input is empty' "$dir/err"; then
    bad "run without standard input is refused"
else
    good
fi
if timeout 20 "$koikoi" run --adapter terminal <&- >&- 2>"$dir/err"; then good; else bad "a terminal without input ends"; fi

# ---- 4: an account that its network refuses, and systemd does not start again ----
cat >"$dir/refuses.py" <<'END'
import http.server
class Refuses(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    def do_POST(self):
        self.rfile.read(int(self.headers.get('Content-Length', 0)))
        body = b'{"ok":false,"error_code":401,"description":"Unauthorized"}'
        self.send_response(401)
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *words):
        pass
server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Refuses)
print(server.server_port, flush=True)
server.serve_forever()
END
mkfifo "$dir/port"
python3 "$dir/refuses.py" >"$dir/port" &
server=$!
read -r port <"$dir/port"
KOIKOI_TELEGRAM_TOKEN=1:sesame KOIKOI_TELEGRAM_API_ROOT=http://127.0.0.1:$port timeout 30 "$koikoi" run </dev/null >"$dir/out" 2>"$dir/err"
code=$?
kill $server
if [ $code -eq 4 ] && grep -q 'account_refused account=telegram why="Telegram refuses the token (401)' "$dir/err" && ! grep -q sesame "$dir/err" && grep -q '^RestartPreventExitStatus=.*4' docker/koikoi.service; then
    good
else
    bad "a token that is refused: exit $code, wanted 4"
fi

# ---- a configuration is checked without a start ----
KOIKOI_RULES=nosuch refused 1 'no rule set is called "nosuch"' check-config
KOIKOI_LANGUAGE=xx refused 1 '"xx"' check-config
# A file of rules that nobody has chosen yet has to be sound as well: the daemon reads them all.
mkdir "$dir/rules" "$dir/unstarted"
for text in '' '{"extends":"standard","rounds":99}' '{"extends":"nosuch"}' '{"extends":"standard","table":{"2":40}}'; do
    printf '%s' "$text" >"$dir/rules/mine.json"
    KOIKOI_RULES_DIR=$dir/rules refused 1 'mine.json: ' check-config
    KOIKOI_RULES_DIR=$dir/rules KOIKOI_STATE_DIR=$dir/unstarted refused 3 'mine.json: ' run --adapter terminal
    if KOIKOI_RULES_DIR=$dir/rules "$koikoi" doctor >"$dir/out" 2>"$dir/err" || ! grep -q '  wrong   mine.json: ' "$dir/out"; then
        bad "doctor with rules_dir/mine.json: $text"
    else
        good
    fi
done
KOIKOI_TELEGRAM_TOKEN=never refused 1 '[telegram] token: not of the form' check-config
for listen in 8 nonsense 127.0.0.1:99999; do
    KOIKOI_WEB_LISTEN=$listen refused 1 '[web] listen: ' check-config
done
for proxies in nonsense 10.0.0.0/8 127.0.0.1:80 '127.0.0.1 proxy'; do
    KOIKOI_WEB_LISTEN=127.0.0.1:8094 KOIKOI_WEB_TRUSTED_PROXY=$proxies refused 1 '[web] trusted_proxy: ' check-config
done
for url in play.example.org ftp://play.example.org https:// https://play.example.org/koikoi; do
    KOIKOI_WEB_LISTEN=127.0.0.1:8094 KOIKOI_WEB_URL=$url refused 1 '[web] url: ' check-config
done
refused 2 'usage: koikoi check-config' check-config --nonsense
# What plays without a word of configuration is well.
for command in check-config doctor; do
    if env -i HOME="$HOME" "$koikoi" $command >"$dir/out" 2>"$dir/err"; then good; else bad "$command with nothing configured"; fi
done
# What a start would fail at.
mkdir "$dir/taken"
python3 -c 'import socket, subprocess, sys
with socket.socket() as s:
    s.bind(("127.0.0.1", 0))
    s.listen()
    for option in "KOIKOI_WEB_LISTEN", "KOIKOI_LISTEN":
        env = {"HOME": sys.argv[2] + "/taken", option: "127.0.0.1:%d" % s.getsockname()[1]}
        told = subprocess.run([sys.argv[1], "doctor"], env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        print(told.returncode, "in use" in told.stdout)' "$koikoi" "$dir" >"$dir/err" 2>&1
if [ "$(cat "$dir/err")" = "$(printf '1 True\n1 True')" ]; then good; else bad "doctor says that a port is taken"; fi
if ! env -i HOME="$HOME" KOIKOI_STORE="$dir/empty/koikoi.db" "$koikoi" doctor >"$dir/err" 2>&1 && grep -q 'cannot be written' "$dir/err"; then
    good
else
    bad "doctor says that nothing can be written beside the store"
fi
if KOIKOI_TELEGRAM_TOKEN=1:a KOIKOI_STATE_DIR="$dir/unmade" "$koikoi" check-config >"$dir/out" 2>"$dir/err" &&
    grep -q '^networks *telegram$' "$dir/out" && grep -q "^store *$dir/unmade/koikoi.db\$" "$dir/out" && [ ! -e "$dir/unmade/koikoi.db" ]; then
    good
else
    bad "check-config prints what it found and makes no store"
fi

# Each file with a secret that others may read is named when the daemon starts, the first and the last.
mkdir "$dir/open" && chmod 711 "$dir/open"
printf '[telegram]\ntoken = 123:secret\n' >"$dir/open/koikoi.conf"
: >"$dir/open/koikoi.db"
: >"$dir/open/koikoi.key"
chmod 644 "$dir"/open/koikoi.*
env -i HOME="$HOME" KOIKOI_STORE="$dir/open/koikoi.db" KOIKOI_KEY_FILE="$dir/open/koikoi.key" "$koikoi" run --adapter terminal --config "$dir/open/koikoi.conf" </dev/null >"$dir/out" 2>"$dir/err"
for file in koikoi.conf koikoi.db koikoi.key; do
    if grep -q "warn others_may_read file=$dir/open/$file do=" "$dir/err"; then good; else bad "$file is open to others"; fi
done

# ---- signals ----
# start: runs a daemon with input $dir/say and output $dir/heard, and waits for its first answer.
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
if grep -q " info started version=[0-9.]* commit=[^ ]* schema=[0-9]* store=$state/koikoi.db networks=terminal\$" "$dir/err"; then good; else bad "a start says what was started"; fi
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
