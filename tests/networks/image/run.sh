#!/bin/sh
# The daemon in a container, in the foreground, as docker/compose.yml runs it: run.sh DIR NAME [ARG...]
#
# DIR is that of podman.sh, with the token in DIR/token; further arguments go to podman run. When this process is
# killed, so is the container: without SIGTERM, as a machine that loses its power.
set -eu
dir=$1 name=$2 podman=$(dirname "$0")/podman.sh
shift 2
sh "$podman" "$dir" podman rm -f -t 0 "$name" >/dev/null 2>&1 || true
# By its number: the next one has the same name.
setsid sh -c 'tail -s 0.1 --pid="$1" -f /dev/null; sh "$2" "$3" podman kill -s KILL "$(cat "$3/$4.$1")"; rm -f "$3/$4.$1"' watch \
    $$ "$podman" "$dir" "$name" >/dev/null 2>&1 </dev/null &
exec sh "$podman" "$dir" podman run --rm --name "$name" --cidfile "$dir/$name.$$" --pull=never --network=host --read-only \
    --tmpfs /tmp --cap-drop=all --security-opt=no-new-privileges --memory=256m -v "$name:/var/lib/koikoi" \
    -v "$dir/token:/run/secrets/telegram_token:ro" -e KOIKOI_TELEGRAM_TOKEN_FILE=/run/secrets/telegram_token \
    -e KOIKOI_TELEGRAM_API_ROOT="${KOIKOI_TELEGRAM_API_ROOT:-}" -e KOIKOI_TELEGRAM_PACE=0 -e KOIKOI_TELEGRAM_PICTURES=no \
    "$@" localhost/koikoi run
