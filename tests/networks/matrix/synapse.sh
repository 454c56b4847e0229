#!/bin/sh
# A throw-away Synapse on 127.0.0.1, with SQLite and without federation.
#
#   synapse.sh install                             by pip, in the versions below, with matrix-nio
#   synapse.sh start DIR PORT [limits] [LINE...]   limits: the server's own default limits, else none;
#                                                  each LINE is added to homeserver.yaml
#   synapse.sh again DIR                           restarts it with the same data
#   synapse.sh users DIR NAME...                   each with the password password-NAME
#   synapse.sh stop DIR
#
# $SYNAPSE is the virtual environment it lives in.
set -eu
version=1.163.2 nio=0.26.0
venv=${SYNAPSE:?where the virtual environment is}
todo=$1 dir=${2:-}
python=$venv/bin/python

# Replaces an unfinished installation.
install() {
    [ -f "$venv/installed-$version-$nio" ] && return
    rm -rf "$venv"
    python3 -m venv "$venv"
    "$venv/bin/pip" -q --disable-pip-version-check install "matrix-synapse==$version" "matrix-nio[e2e]==$nio" >&2
    touch "$venv/installed-$version-$nio"
}

# People register and log in more often than the bot: these limits are always off.
configure() {
    all='{per_second: 9999, burst_count: 9999}'
    cat <<YAML
server_name: koi.test
public_baseurl: http://127.0.0.1:$1/
pid_file: $dir/pid
listeners: [{port: $1, type: http, tls: false, bind_addresses: ['127.0.0.1'], resources: [{names: [client, openid], compress: false}]}]
database: {name: sqlite3, args: {database: $dir/homeserver.db}}
log_config: $dir/log.yaml
media_store_path: $dir/media
signing_key_path: $dir/signing.key
macaroon_secret_key: throwaway
form_secret: throwaway
bcrypt_rounds: 4
report_stats: false
trusted_key_servers: []
suppress_key_server_warning: true
federation_domain_whitelist: []
url_preview_enabled: false
rc_registration: $all
rc_login: {address: $all, account: $all, failed_attempts: $all}
YAML
}

no_limits() {
    for key in rc_message rc_admin_redaction rc_joins_per_room rc_media_create \
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
        [ $tries -lt 900 ] && kill -0 "$(cat "$dir/process")" || { tail -5 "$dir/out" >&2; exit 1; }
        sleep 0.1
    done
}

case $todo in
install) install ;;
start)
    port=$3 limits=${4:-}
    mkdir -p "$dir"
    echo "http://127.0.0.1:$port" >"$dir/url"
    configure "$port" >"$dir/homeserver.yaml"
    [ "$limits" = limits ] || no_limits >>"$dir/homeserver.yaml"
    case "$*" in
    *matrix_authentication_service*) echo "password_config: {enabled: false}" ;;
    *) printf 'enable_registration: true\nenable_registration_without_verification: true\n' ;;
    esac >>"$dir/homeserver.yaml"
    shift 3
    [ $# -gt 0 ] && shift
    for line in "$@"; do echo "$line" >>"$dir/homeserver.yaml"; done
    printf 'version: 1\nhandlers: {file: {class: logging.FileHandler, filename: %s}}\nroot: {level: ERROR, handlers: [file]}\n' \
        "$dir/homeserver.log" >"$dir/log.yaml"
    echo "ed25519 a_koi $(head -c 32 /dev/urandom | base64 | tr -d =)" >"$dir/signing.key"
    serve
    ;;
again) serve ;;
users)
    shift 2
    for name; do
        curl -sf -o /dev/null "$(cat "$dir/url")/_matrix/client/v3/register" -H 'Content-Type: application/json' \
            -d "{\"auth\": {\"type\": \"m.login.dummy\"}, \"username\": \"$name\", \"password\": \"password-$name\", \"inhibit_login\": true}"
    done
    ;;
stop)
    kill "$(cat "$dir/process")"
    while kill -0 "$(cat "$dir/process")" 2>/dev/null; do sleep 0.1; done
    ;;
esac
