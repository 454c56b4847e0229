#!/bin/sh
# Tests of the Debian package: BUILD=build tests/networks/deb.sh
#
# In a container that holds a bare Debian 12 from this machine's own mirror: installs a package, asks the doctor about a
# fake Telegram, plays a little, upgrades to the package of this version, asks again, removes and purges. lintian finds
# nothing. Needs what image.sh needs, and dpkg-dev and lintian; without them the tests are skipped, and counted so.
set -u
kind=package tools='podman runc debootstrap dpkg-shlibdeps lintian'
. "$(dirname "$0")/image/container.sh"
version=$(make -s packaged)
arch=$(dpkg --print-architecture)
older=$version~before
literal() { echo "$1" | sed 's/[+.]/\\&/g'; }
mkdir "$out/debs"
for v in "$older" "$version"; do
    sh docker/deb/build.sh "$build" "$v" >"$out/said" 2>&1 && mv "$build/koikoi_${v}_$arch.deb" "$out/debs/" ||
        { cat "$out/said"; echo "[  FAILED  ] 1 test(s): no package $v"; exit 1; }
done
check "lintian finds nothing" 0 '' lintian --allow-root --fail-on error,warning "$out/debs/koikoi_${version}_$arch.deb"

"$build/fake/telegram" --open=77 >"$out/address" &
serving=$!
until [ -s "$out/address" ]; do :; done
podman run -d --name "$name" --pull=never --network=host -v "$out/debs:/debs:ro" -e DEBIAN_FRONTEND=noninteractive \
    -e KOIKOI_TELEGRAM_API_ROOT="$(cat "$out/address")" -e KOIKOI_TELEGRAM_TOKEN=123456:TEST \
    localhost/debian:bookworm-slim sleep infinity >/dev/null || { echo "[  FAILED  ] 1 test(s): no container"; exit 1; }
inside() { podman exec "$name" sh -c "$1"; }
apt='apt-get -qq -o Dpkg::Use-Pty=0'
inside "$apt update" >"$out/said" 2>&1 || cat "$out/said"
release=$(sed -n 's/^VERSION := //p' Makefile)
check "a later commit upgrades an earlier one" 0 '' dpkg --compare-versions "$release+20260101000000.ffffffff" lt "$version"
check "the next release upgrades it" 0 '' dpkg --compare-versions "$version" lt "$release.1"
check "the older one is installed" 0 "^$(literal "$older")\$" inside \
    "$apt install -y --no-install-recommends /debs/koikoi_${older}_$arch.deb && dpkg-query -W -f '\${Version}\n' koikoi"
check "its secrets are for root alone" 0 '^700 root$' inside "stat -c '%a %U' /etc/koikoi/credentials"
check "the doctor finds all well" 0 'fine .*@koikoi_bot' inside 'koikoi doctor'
inside 'sed -i "1i language = ja" /etc/koikoi/koikoi.conf; echo 123456:TEST >/etc/koikoi/credentials/telegram_token'
check "the daemon runs" 0 'info stopping' inside \
    'koikoi run 2>/tmp/log & until grep -q logged_in /tmp/log || ! kill -0 $!; do :; done; kill $!; wait $!; cat /tmp/log'
check "the host's commands mean the store of the service" 0 '^store: /var/lib/koikoi/koikoi.db$' inside 'koikoi backup /tmp/copy 2>&1'
check "they need no network's secret" 0 'whole and sound' inside 'env -u KOIKOI_TELEGRAM_TOKEN koikoi backup /tmp/copy2'
check "the unit says nothing else" 0 '^0$' inside 'grep -c STATE_DIR= /lib/systemd/system/koikoi.service || true'
check "the upgrade replaces it" 0 "^$(literal "$version")\$" inside \
    "$apt install -y --no-install-recommends /debs/koikoi_${version}_$arch.deb && dpkg-query -W -f '\${Version}\n' koikoi"
check "the host's options are kept" 0 'language +ja' inside 'koikoi check-config'
check "the store is kept" 0 'running matches: 0' inside 'koikoi matches'
check "the doctor finds all well again" 0 'fine .*@koikoi_bot' inside 'koikoi doctor'
check "removing it keeps store and secrets" 0 '^kept$' inside \
    "$apt remove -y koikoi && ! command -v koikoi && test -s /var/lib/koikoi/koikoi.db -a -s /etc/koikoi/credentials/telegram_token && echo kept"
check "purging leaves nothing" 0 '^0$' inside \
    "$apt purge -y koikoi >/dev/null; find / -xdev -path /proc -prune -o -path /debs -prune -o -path '*koikoi*' -print | grep -v /var/log | tee /dev/stderr | wc -l"

counted
