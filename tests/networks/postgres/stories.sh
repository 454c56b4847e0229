# Stories of a host, for postgres.sh, which has set dir, here, port, build, bin, database and verdict.
# shellcheck shell=sh disable=SC2154
unset KOIKOI_CONFIG
export KOIKOI_STATE_DIR="$dir/state"
# tell STORY PORT NAME TITLE: tells it, if STORIES does not name others; the store that it leaves is sound
tell() {
    case " ${STORIES:-$1} " in *" $1 "*) ;; *) return ;; esac
    "$1" "$2" "$3" && sh "$here/../../sound.sh" "$build/koikoi" "$KOIKOI_STATE_DIR"
    verdict "$4" $?
}

# The match goes on where a daemon died by kill -9, in the first transaction of the next one.
# killed PORT NAME
killed() {
    database "$2" || return 1
    export KOIKOI_STORE="postgresql://koi:sesame@127.0.0.1:$1/$2"
    mkfifo "$dir/$2.in"
    "$build/koikoi" run <"$dir/$2.in" >"$dir/$2.out" 2>&1 &
    daemon=$!
    exec 9>"$dir/$2.in"
    printf '/challenge computer\na\n' >&9
    timeout 60 sh -c "until grep -q 'Your move' '$dir/$2.out'; do :; done"
    kill -9 $daemon
    wait $daemon 2>/dev/null
    exec 9>&-
    "$build/koikoi" matches >"$dir/matches" || return 1
    grep -q 'running matches: 1' "$dir/matches" || return 1
    printf '/resign\n/resign\n' | "$build/koikoi" run >"$dir/$2.again" 2>&1 || return 1
    "$build/koikoi" matches | grep -q 'running matches: 0' && "$build/koikoi" doctor >"$dir/doctor"
}
tell killed "$port" killed "a match goes on after kill -9 (direct)"
tell killed $((port + 1)) killed_pooled "a match goes on after kill -9 (pooled)"

# A second daemon stands by. It takes the store over from one that dies, is told to end, or is stopped; that one finds
# out when it runs again. Its lines tell when: a death is followed within 5 s, an end within 1 s.
# began NAME NUMBER MS: the daemon has started so often before so much time has passed
began() { timeout "$3" sh -c "until [ \$(grep -c ' started ' '$dir/$1.out') -ge $2 ]; do sleep 0.05; done"; }
waits() { timeout 10 sh -c "until [ \$(grep -c ' standing_by ' '$dir/$1.out') -ge $2 ]; do sleep 0.05; done"; }
# stands NAME: sets pid
stands() {
    KOIKOI_STATE_DIR="$dir/state.$1" KOIKOI_KEY_FILE="$dir/key" "$build/koikoi" run --adapter terminal \
        <"$dir/lines" >>"$dir/$1.out" 2>&1 &
    pid=$!
}
# taken_over PORT NAME
taken_over() {
    database "$2" || return 1
    export KOIKOI_STORE="postgresql://koi:sesame@127.0.0.1:$1/$2"
    mkfifo "$dir/lines" || return 1
    exec 9<>"$dir/lines"
    one="$2.one" two="$2.two" held=0
    stands "$one"; first=$pid
    began "$one" 1 10 || held=1
    stands "$two"; second=$pid
    waits "$two" 1 && KOIKOI_STATE_DIR="$dir/state.$two" "$build/koikoi" health >/dev/null || held=1
    kill -9 $first
    began "$two" 1 5 || held=1
    stands "$one"; first=$pid
    waits "$one" 1 || held=1
    kill -TERM $second
    began "$one" 2 1 && wait $second || held=1
    stands "$two"; second=$pid
    waits "$two" 2 && kill -STOP $first
    began "$two" 2 5 || held=1
    kill -CONT $first
    waits "$one" 2 && grep -q ' store_lost ' "$dir/$one.out" || held=1
    kill -TERM $first $second
    wait $first && wait $second || held=1
    exec 9>&-
    rm "$dir/lines"
    [ $held -eq 0 ] || tail "$dir/$one.out" "$dir/$two.out"
    return $held
}
tell taken_over "$port" taken "a second daemon takes over (direct)"
tell taken_over $((port + 1)) taken_pooled "a second daemon takes over (pooled)"
# A daemon whose server is away when it starts waits, says so, ends when it is told to, and plays once the server is
# there: a link to its socket, which is made later.
# says NAME TIMES WORD
says() { timeout 10 sh -c "until [ \$(grep -c ' $3 ' '$dir/$1.out') -eq $2 ]; do sleep 0.05; done"; }
waits_for_it() {
    database "$2" || return 1
    place="$dir/place" bad=0
    export KOIKOI_STORE="postgresql://koi:sesame@/$2?host=$place"
    mkdir "$place" && mkfifo "$dir/lines" || return 1
    exec 9<>"$dir/lines"
    stands "$2"; first=$pid
    says "$2" 1 waits_for_store || bad=1
    KOIKOI_STATE_DIR="$dir/state.$2" "$build/koikoi" health >"$dir/$2.health" && bad=1
    grep -q '^waits for the store: ' "$dir/$2.health" || bad=1
    "$build/koikoi" doctor >"$dir/$2.doctor" && bad=1
    grep -q 'wrong .*No such file' "$dir/$2.doctor" || bad=1
    kill -TERM $first
    wait $first || bad=1
    stands "$2"; first=$pid
    says "$2" 2 waits_for_store || bad=1
    ln -s "$dir/server/.s.PGSQL.$1" "$place/.s.PGSQL.5432"
    says "$2" 1 store_works_again && says "$2" 1 started || bad=1
    KOIKOI_STATE_DIR="$dir/state.$2" "$build/koikoi" health | grep -qx ok || bad=1
    kill -TERM $first
    wait $first || bad=1
    exec 9>&-
    rm "$dir/lines"
    KOIKOI_STORE=postgresql://koi:sesame@127.0.0.1:$1/nowhere "$build/koikoi" run --adapter terminal \
        </dev/null >"$dir/$2.wrong" 2>&1 && bad=1
    grep -q '"nowhere" does not exist' "$dir/$2.wrong" || bad=1
    [ $bad -eq 0 ] || tail "$dir/$2".*
    return $bad
}
tell waits_for_it "$port" away "a daemon waits for a server that is away"

# A daemon whose sessions the server ends while it opens its store begins anew until it plays.
harried() {
    database "$2" || return 1
    export KOIKOI_STORE="postgresql://koi:sesame@127.0.0.1:$1/$2"
    mkfifo "$dir/lines" || return 1
    exec 9<>"$dir/lines"
    echo "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '$2' AND application_name = 'koikoi'
\\watch 0.02" | "$bin/psql" -XAtq "postgresql://koi@127.0.0.1:$1/postgres" >"$dir/$2.ended" 2>/dev/null &
    ender=$! bad=0
    touch "$dir/$2.ended"
    stands "$2"
    timeout 20 sh -c "until [ \$(grep -c '^t' '$dir/$2.ended') -ge 20 ]; do sleep 0.05; done" || bad=1
    kill $ender
    wait $ender 2>/dev/null
    began "$2" 1 20 || bad=1
    kill -TERM $pid
    wait $pid || bad=1
    exec 9>&-
    rm "$dir/lines"
    [ $bad -eq 0 ] || tail -n 5 "$dir/$2.out"
    return $bad
}
tell harried "$port" harried "a daemon whose sessions are ended while it starts"
silent() {
    grep -rlF sesame "$dir"/*.out "$dir"/*.again "$dir"/away.* "$dir"/harried.* "$dir/doctor" "$dir/matches"
    [ $? -eq 1 ]
}
tell silent "$port" harried "no password in what the program says"

# A store goes from a file to the server and back; the last program still knows the match.
moved() {
    unset KOIKOI_STORE
    database "$2" || return 1
    url=postgresql://koi@127.0.0.1:$1/$2
    printf '/challenge computer\na\n' | KOIKOI_STORE=$dir/file.db "$build/koikoi" run >"$dir/moved.out" 2>&1
    "$build/koikoi" move-store "$dir/file.db" "$url" >"$dir/moved" || return 1
    "$build/koikoi" move-store "$dir/file.db" "$url" 2>"$dir/refused" && return 1
    grep -q 'expected an empty store' "$dir/refused" || return 1
    KOIKOI_STORE=$url "$build/koikoi" matches | grep -q 'running matches: 1' || return 1
    "$build/koikoi" move-store "$url" "$dir/back.db" >"$dir/moved.back" && cmp "$dir/moved" "$dir/moved.back" &&
        export KOIKOI_STORE="$dir/back.db" && "$build/koikoi" matches | grep -q 'running matches: 1'
}
tell moved "$port" moved "a store moves to the server and back"

# A server that is stopped keeps its connections: only its silence tells. `koikoi health` says so within 5 s, the log in
# one line; the daemon plays on once the server does, or ends within 10 s of a SIGTERM, and nothing is lost.
# server SIGNAL: to all processes of the server
server() {
    master=$(head -n 1 "$dir/server/data/postmaster.pid")
    # shellcheck disable=SC2046
    kill -"$1" "$master" $(pgrep -P "$master")
}
# within MS COMMAND...: it succeeds in that time
within() { timeout "$1" sh -c "until $2 >/dev/null 2>&1; do sleep 0.1; done"; }
# hangs PORT NAME
hangs() {
    database "$2" || return 1
    export KOIKOI_STORE="postgresql://koi:sesame@127.0.0.1:$1/$2" KOIKOI_STATE_DIR="$dir/state.$2"
    bad=0
    mkfifo "$dir/$2.in"
    "$build/koikoi" run --adapter terminal <"$dir/$2.in" >"$dir/$2.out" 2>&1 &
    pid=$!
    exec 9>"$dir/$2.in"
    printf '/challenge computer\na\n' >&9
    within 20 "grep -q 'Your move' $dir/$2.out" || bad=1
    server STOP
    within 5 "$build/koikoi health | grep -q 'the store takes nothing'" || { echo "health says nothing"; bad=1; }
    printf '/ping stopped\n' >&9
    sleep 4
    timeout 5 "$build/koikoi" health | grep -q 'the store takes nothing' || { echo "health is silent"; bad=1; }
    server CONT
    within 10 "grep -q 'pong stopped' $dir/$2.out" && within 5 "$build/koikoi health" || { echo "it does not go on"; bad=1; }
    [ "$(grep -c ' store_failed ' "$dir/$2.out") $(grep -c ' store_works_again' "$dir/$2.out")" = "1 1" ] || { echo "not one line"; bad=1; }
    server STOP
    sleep 1
    kill -TERM $pid
    timeout 10 tail --pid=$pid -f /dev/null || { echo "it does not end"; bad=1; kill -9 $pid; }
    wait $pid
    exec 9>&-
    server CONT
    "$build/koikoi" matches | grep -q 'running matches: 1' || { echo "the match is lost"; bad=1; }
    [ $bad -eq 0 ] || cat "$dir/$2.out"
    return $bad
}
tell hangs "$port" hung "a server that hangs holds nothing (direct)"
tell hangs $((port + 1)) hung_pooled "a server that hangs holds nothing (pooled)"
