#!/bin/sh
# Installer of the peers, in fixed versions: peers.sh DIR
#
# Clients and the checker from npm into DIR, Synapse and a client by pip into $SYNAPSE. An installed version
# stays; each install is tried three times.
set -eu
peers=$1
here=$(dirname "$0")
three_times() {
    for try in 1 2 3; do
        "$@" && return
        echo "not done, attempt $try: $*" >&2
    done
    return 1
}
mkdir -p "$peers"
three_times sh "$here/synapse.sh" install
cmp -s "$here/package-lock.json" "$peers/installed" && exit
cp "$here/package.json" "$here/package-lock.json" "$peers/"
three_times npm ci --prefix "$peers" --prefer-offline --silent --no-audit --no-fund
cp "$here/package-lock.json" "$peers/installed"
