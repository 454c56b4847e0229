#!/bin/sh
# A throw-away Dendrite on 127.0.0.1, with SQLite and without federation and limits; called like synapse.sh:
#
#   dendrite.sh start DIR PORT [nolimits]
#   dendrite.sh again DIR                      restarts it with the same data
#   dendrite.sh users DIR NAME...              each with the password password-NAME
#   dendrite.sh stop DIR
#
# $DENDRITE is the folder of its programs dendrite, generate-config and generate-keys.
set -eu
programs=${DENDRITE:?where its programs are}
todo=$1 dir=$2

serve() {
    (cd "$dir" && exec "$programs/dendrite" -config dendrite.yaml -really-enable-open-registration \
        -http-bind-address "$(cut -d / -f 3 url)" >>out 2>&1) &
    echo $! >"$dir/process"
    tries=0
    until curl -sf "$(cat "$dir/url")/_matrix/client/versions" >/dev/null; do
        tries=$((tries + 1))
        [ $tries -lt 900 ] && kill -0 "$(cat "$dir/process")" || { tail -5 "$dir/out" >&2; exit 1; }
        sleep 0.1
    done
}

case $todo in
start)
    mkdir -p "$dir"
    echo "http://127.0.0.1:$3" >"$dir/url"
    "$programs/generate-config" -dir "$dir" -server koi.test |
        sed '/rate_limiting:/,/enabled:/ s/enabled: true/enabled: false/
            s/registration_disabled: true/registration_disabled: false/
            s/disable_federation: false/disable_federation: true/' >"$dir/dendrite.yaml"
    "$programs/generate-keys" -private-key "$dir/matrix_key.pem" >/dev/null
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
