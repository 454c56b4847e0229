#!/bin/sh
# Throw-away PostgreSQL and pgbouncer on the loopback, as a user without rights:
#
#   server.sh start DIR PORT [synced]
#   server.sh stop DIR
#
# The server listens on PORT, pgbouncer in transaction mode on PORT + 1; any database that is there can be asked for,
# by the user koi without a password. Nothing is synced unless it is to be: tests kill daemons, not machines.
set -eu
dir=$2
bin=$(ls -d /usr/lib/postgresql/*/bin | tail -n 1)
# The server refuses to run as root.
as() {
    if [ "$(id -u)" = 0 ]; then setpriv --reuid=postgres --regid=postgres --init-groups "$@"; else "$@"; fi
}
case $1 in
start)
    sync=off
    [ "${4:-}" != synced ] || sync=on
    mkdir -p "$dir"
    [ "$(id -u)" != 0 ] || chown postgres "$dir"
    cd "$dir"
    as "$bin/initdb" -D "$dir/data" -A trust -U koi --no-sync --locale=C.UTF-8 -E UTF8 >initdb.log 2>&1
    as "$bin/pg_ctl" -D "$dir/data" -l "$dir/log" -w -s start \
        -o "-k $dir -h 127.0.0.1 -p $3 -c fsync=$sync -c full_page_writes=$sync -c max_connections=60"
    echo '"koi" ""' >users
    cat >bouncer.ini <<END
[databases]
* = host=127.0.0.1 port=$3
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = $(($3 + 1))
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
    ;;
stop)
    cd "$dir"
    [ ! -f bouncer.pid ] || kill "$(cat bouncer.pid)" || true
    as "$bin/pg_ctl" -D "$dir/data" -m immediate -s stop
    ;;
esac
