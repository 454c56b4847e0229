#!/bin/sh
# Throw-away PostgreSQL and pgbouncer on the loopback, as a user without rights:
#
#   server.sh start DIR [synced]
#   server.sh stop DIR
#
# It looks for a free port, which DIR/port then names; pgbouncer, in transaction mode, has the next one. Any database that
# is there can be asked for, by the user koi without a password. Nothing is synced unless it is to be: tests kill daemons,
# not machines.
set -eu
dir=$2
bin=$(ls -d /usr/lib/postgresql/*/bin | tail -n 1)
# The server refuses to run as root.
as() {
    if [ "$(id -u)" = 0 ]; then setpriv --reuid=postgres --regid=postgres --init-groups "$@"; else "$@"; fi
}
# listen PORT: both of them, or neither if one of the ports is taken
listen() {
    as "$bin/pg_ctl" -D "$dir/data" -l "$dir/log" -w -s start \
        -o "-k $dir -h 127.0.0.1 -p $1 -c fsync=$sync -c full_page_writes=$sync -c max_connections=60" 2>/dev/null || return 1
    cat >bouncer.ini <<END
[databases]
* = host=127.0.0.1 port=$1
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = $(($1 + 1))
unix_socket_dir =
auth_type = trust
auth_file = $dir/users
pool_mode = transaction
default_pool_size = 3
server_idle_timeout = 5
logfile = $dir/bouncer.log
pidfile = $dir/bouncer.pid
END
    as pgbouncer -q -d "$dir/bouncer.ini"
    for wait in 1 2 3 4 5 6 7 8 9 10; do
        "$bin/pg_isready" -q -h 127.0.0.1 -p $(($1 + 1)) && break
        sleep 0.1
    done
    pid=$(cat bouncer.pid 2>/dev/null) && [ -n "$pid" ] && kill -0 "$pid" 2>/dev/null && return 0
    as "$bin/pg_ctl" -D "$dir/data" -m immediate -s stop
    return 1
}
case $1 in
start)
    sync=off
    [ "${3:-}" != synced ] || sync=on
    mkdir -p "$dir"
    [ "$(id -u)" != 0 ] || chown postgres "$dir"
    cd "$dir"
    as "$bin/initdb" -D "$dir/data" -A trust -U koi --no-sync --locale=C.UTF-8 -E UTF8 >initdb.log 2>&1
    echo '"koi" ""' >users
    # Below those that the system lends to clients, where a free port can be gone the next moment.
    port=$((20000 + $$ % 5000 * 2))
    for try in 1 2 3 4 5 6 7 8 9 10; do
        if listen "$port"; then
            echo "$port" >port
            exit 0
        fi
        port=$((20000 + (port - 20000 + 1234) % 12000))
    done
    tail -n 5 log bouncer.log >&2
    exit 1
    ;;
stop)
    cd "$dir"
    [ ! -f bouncer.pid ] || kill "$(cat bouncer.pid)" || true
    as "$bin/pg_ctl" -D "$dir/data" -m immediate -s stop
    ;;
esac
