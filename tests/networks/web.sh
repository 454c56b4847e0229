#!/bin/sh
# Tests of the page in real browsers: BUILD=build tests/networks/web.sh
#
# chromium, Firefox and WebKitGTK play on the daemon; each story of web/stories.mjs has a daemon of its own. Needs node,
# npm and the browsers (make deps FOR=test-networks NETWORK=web); the packages go to BUILD/networks/web.
#
# STORIES="two keyboard" plays only those; SHOTS=folder keeps screenshots.
set -u
build=$(cd "${BUILD:-build}" && pwd)
here=$(dirname "$0")/web
peers=$build/networks/web
for tool in node npm chromium firefox-esr WebKitWebDriver xvfb-run; do
    command -v $tool >/dev/null || { echo "[  FAILED  ] 1 test(s): $tool: not found"; exit 1; }
done
mkdir -p "$peers"
cp "$here"/*.mjs "$here"/package*.json "$peers/"
if ! cmp -s "$here/package-lock.json" "$peers/installed"; then
    npm ci --prefix "$peers" --prefer-offline --silent --no-audit --no-fund --ignore-scripts ||
        { echo "[  FAILED  ] 1 test(s): npm could not install package.json"; exit 1; }
    cp "$here/package-lock.json" "$peers/installed"
fi
# shellcheck disable=SC2086
exec node "$peers/stories.mjs" "$build" ${STORIES:-}
