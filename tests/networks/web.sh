#!/bin/sh
# Tests of the page in real browsers: BUILD=build tests/networks/web.sh
#
# chromium, Firefox and WebKitGTK play on the daemon, also against people of the fake networks; each story of
# web/stories.mjs has a daemon of its own. Needs node, npm and the browsers (make deps FOR=test-networks NETWORK=web; of a
# share chromium alone); the packages go to BUILD/networks/web.
#
# STORIES="two keyboard" plays only those; SHARE=4 a part in two minutes, those of chromium that say most; SHOTS=folder
# keeps screenshots. PICTURE=file draws the picture of the README alone.
set -u
build=$(cd "${BUILD:-build}" && pwd)
here=$(dirname "$0")/web
peers=$build/networks/web
tools='node npm chromium python3 nginx caddy faketime'
if [ -n "${PICTURE:-}" ]; then
    tools='node npm chromium'
elif [ -n "${SHARE:-}" ]; then
    STORIES=${STORIES:-keyboard budget watch puzzle mini_app proxies room shots}
    export VIEWS="${VIEWS:-hand decide}"
else
    tools="$tools firefox-esr WebKitWebDriver xvfb-run"
fi
for tool in $tools; do
    command -v $tool >/dev/null || { echo "[  FAILED  ] 1 test(s): $tool: not found"; exit 1; }
done
mkdir -p "$peers"
cp "$here"/*.mjs "$here"/package*.json "$here/../../web/networks.py" "$peers/"
if ! cmp -s "$here/package-lock.json" "$peers/installed"; then
    npm ci --prefix "$peers" --prefer-offline --silent --no-audit --no-fund --ignore-scripts ||
        { echo "[  FAILED  ] 1 test(s): npm could not install package.json"; exit 1; }
    cp "$here/package-lock.json" "$peers/installed"
fi
[ -z "${PICTURE:-}" ] || exec node "$peers/picture.mjs" "$build" "$PICTURE"
# Letters are as wide as their font, and a machine may have any: all engines see these two alone.
cat >"$peers/fonts.conf" <<END
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
<dir>/usr/share/fonts/truetype/dejavu</dir>
<dir>/usr/share/fonts/truetype/noto</dir>
<cachedir>$peers/fonts</cachedir>
<selectfont><acceptfont>
<pattern><patelt name="family"><string>DejaVu Sans</string></patelt></pattern>
<pattern><patelt name="family"><string>Noto Color Emoji</string></patelt></pattern>
</acceptfont><rejectfont><pattern/></rejectfont></selectfont>
<alias><family>sans-serif</family><prefer><family>DejaVu Sans</family></prefer></alias>
</fontconfig>
END
export FONTCONFIG_FILE="$peers/fonts.conf"
for font in 'DejaVu Sans' 'Noto Color Emoji'; do
    fc-list "$font" | grep -q . || { echo "[  FAILED  ] 1 test(s): $font: no such font"; exit 1; }
done
# shellcheck disable=SC2086
exec node "$peers/stories.mjs" "$build" ${STORIES:-}
