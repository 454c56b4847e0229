#!/bin/sh
# A throw-away Synapse on 127.0.0.1, with SQLite and without federation.
#
#   synapse.sh start DIR PORT [limits] [LINE...]   limits: the server's own default limits, else none;
#                                                  each LINE is added to homeserver.yaml
#   synapse.sh again DIR                           starts what was stopped, with the same data
#   synapse.sh user DIR NAME PASSWORD
#   synapse.sh stop DIR
#
# The server is installed by pip, in the version below, into $SYNAPSE (a virtual environment).
set -eu
version=1.163.2
venv=${SYNAPSE:?where the virtual environment is}
todo=$1 dir=$2
python=$venv/bin/python

install() {
    [ -f "$venv/installed-$version" ] && return
    python3 -m venv "$venv"
    "$venv/bin/pip" -q install "matrix-synapse==$version" "matrix-nio==0.25.2" >&2
    touch "$venv/installed-$version"
}

configure() {
    cat <<YAML
server_name: koi.test
public_baseurl: http://127.0.0.1:$1/
pid_file: $dir/pid
listeners: [{port: $1, type: http, tls: false, bind_addresses: ['127.0.0.1'], resources: [{names: [client], compress: false}]}]
database: {name: sqlite3, args: {database: $dir/homeserver.db}}
log_config: $dir/log.yaml
media_store_path: $dir/media
signing_key_path: $dir/signing.key
registration_shared_secret: throwaway
macaroon_secret_key: throwaway
form_secret: throwaway
bcrypt_rounds: 4
report_stats: false
trusted_key_servers: []
suppress_key_server_warning: true
federation_domain_whitelist: []
url_preview_enabled: false
YAML
}

no_limits() {
    all='{per_second: 9999, burst_count: 9999}'
    for key in rc_message rc_registration rc_admin_redaction rc_joins_per_room rc_media_create \
        rc_room_creation rc_user_directory rc_delayed_event_mgmt; do
        echo "$key: $all"
    done
    echo "rc_joins: {local: $all, remote: $all}"
    echo "rc_invites: {per_room: $all, per_user: $all, per_issuer: $all}"
    echo "rc_presence: {per_user: $all}"
}

serve() {
    "$python" -m synapse.app.homeserver -c "$dir/homeserver.yaml" >>"$dir/out" 2>&1 &
    echo $! >"$dir/process"
    tries=0
    until curl -sf "$(cat "$dir/url")/health" >/dev/null; do
        tries=$((tries + 1))
        [ $tries -lt 600 ] && kill -0 "$(cat "$dir/process")" || { tail -5 "$dir/out" >&2; exit 1; }
        sleep 0.1
    done
}

case $todo in
start)
    port=$3 limits=${4:-}
    install
    mkdir -p "$dir"
    echo "http://127.0.0.1:$port" >"$dir/url"
    configure "$port" >"$dir/homeserver.yaml"
    # People log in more often than the bot; its own login is never the one that is limited away.
    all='{per_second: 9999, burst_count: 9999}'
    echo "rc_login: {address: $all, account: $all, failed_attempts: $all}" >>"$dir/homeserver.yaml"
    [ "$limits" = limits ] || no_limits >>"$dir/homeserver.yaml"
    shift 3
    [ $# -gt 0 ] && shift
    for line in "$@"; do echo "$line" >>"$dir/homeserver.yaml"; done
    printf 'version: 1\nhandlers: {file: {class: logging.FileHandler, filename: %s}}\nroot: {level: ERROR, handlers: [file]}\n' \
        "$dir/homeserver.log" >"$dir/log.yaml"
    "$python" -m synapse.app.homeserver -c "$dir/homeserver.yaml" --generate-keys >"$dir/out" 2>&1
    serve
    ;;
again) serve ;;
user)
    "$python" -m synapse._scripts.register_new_matrix_user -u "$3" -p "$4" --no-admin -k throwaway \
        "$(cat "$dir/url")" >/dev/null
    ;;
stop)
    kill "$(cat "$dir/process")"
    while kill -0 "$(cat "$dir/process")" 2>/dev/null; do sleep 0.1; done
    ;;
esac
