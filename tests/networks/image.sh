#!/bin/sh
# Tests of the image that docker/Dockerfile makes: BUILD=build tests/networks/image.sh
#
# buildah builds both, the slim and the full one, upon a Debian 12 from this machine's own mirror, and podman runs them
# as docker/compose.yml does; no registry and no engine is needed. Then a match is played on the fake Telegram against
# the full one, which is killed on the way. Encrypted rooms are left out of both. Needs root and Debian's buildah,
# podman, runc, netavark and debootstrap; without them the tests are skipped, and counted so.
set -u
kind=image tools='buildah podman runc debootstrap'
. "$(dirname "$0")/image/container.sh"
for target in slim full; do
    sh "$here/podman.sh" "$dir" build -q --build-arg CRYPTO=none --target $target -t localhost/koikoi:$target -f docker/Dockerfile . >"$dir/built" 2>&1 ||
        { tail -n 20 "$dir/built"; echo "[  FAILED  ] 1 test(s): the image is not built"; exit 1; }
done
podman tag localhost/koikoi:full localhost/koikoi
bare() { podman run --rm --pull=never --network=none --read-only "$@"; }
megabytes() { podman image inspect -f '{{.Size}}' "localhost/koikoi:$1" | awk '{printf "%d\n", $1 / 1e6}'; }

echo "        $(megabytes full) MB, slim $(megabytes slim) MB"
check "the slim one is at most 120 MB" 0 '' [ "$(megabytes slim)" -le 120 ]
check "it knows its version" 0 '^koikoi ' bare localhost/koikoi:slim version
drawn() { bare -v "$PWD/config/decks:/decks:ro" "localhost/koikoi:$1" picture /decks/hand.layout; }
check "it draws no picture, and says why" 1 'cannot load librsvg' drawn slim
check "the full one draws" 0 'PNG' drawn full
python3 -m venv "$dir/kubernetes" && "$dir/kubernetes/bin/pip" -q install kubernetes-validate==1.37.0 >"$out/said" 2>&1 || cat "$out/said"
check "what is for Kubernetes holds its schemas" 0 'cronjob/koikoi-backup against' \
    "$dir/kubernetes/bin/kubernetes-validate" --strict docker/kubernetes.yml
check "its user has no rights" 0 '^10001$' bare --entrypoint id localhost/koikoi -u
check "its root may be read-only, and holds no compiler" 0 '^none$' bare --entrypoint sh localhost/koikoi -c \
    '! touch /x 2>/dev/null && ! command -v gcc make cargo >/dev/null && echo none'
check "without a network it says what is missing" 3 'no network is configured' bare localhost/koikoi
check "without a daemon it is not healthy" 1 'no daemon at' bare localhost/koikoi health
printf '123456:TEST\n' >"$out/hers"
chmod 600 "$out/hers"
check "a secret that its user cannot read is named" 3 'telegram_token: cannot be read: Permission denied' bare \
    -v "$out/hers:/run/secrets/telegram_token:ro" -e KOIKOI_TELEGRAM_TOKEN_FILE=/run/secrets/telegram_token localhost/koikoi
install -m 400 -o 10001 "$out/hers" "$dir/token"

# Health, on a fake Telegram; a process that is stopped stands for one that hangs.
"$build/fake/telegram" --open=77 >"$out/address" &
serving=$!
until [ -s "$out/address" ]; do :; done
KOIKOI_TELEGRAM_API_ROOT=$(cat "$out/address") sh "$here/run.sh" "$dir" "$name" >"$out/daemon" 2>&1 &
daemon=$!
until grep -q logged_in "$out/daemon" || ! kill -0 $daemon 2>/dev/null; do :; done
check "it is healthy" 0 '' podman healthcheck run "$name"
process=$(podman inspect -f '{{.State.Pid}}' "$name")
kill -STOP "$process"
check "one that hangs is not" 1 '' podman healthcheck run "$name"
kill -CONT "$process"
check "it is healthy again" 0 '' podman healthcheck run "$name"
podman stop -t 20 "$name" >/dev/null 2>&1
wait $daemon
check "SIGTERM ends it in order" 0 '^0$' echo $?
grep -q ' stopping' "$out/daemon" || { failed=$((failed + 1)); echo "  FAIL  it did not say that it stops"; tail -n 5 "$out/daemon"; }
kill "$serving"
wait "$serving" 2>/dev/null
serving=''
podman volume rm -f "$name" >/dev/null

# The match.
check "a match, killed three times and played on" 0 '' "$build/fake/telegram" --play="$here/match.play" --max-s=900 \
    --patience="${PATIENCE:-1}" --log="$out/match" --events="$out/events" --exec="sh $here/run.sh $dir $name"
check "it was started four times" 0 '^4$' grep -c ' info started ' "$out/match"
grep -hoE 'Ann wins match.*|Bo wins match.*|.*is a draw.*' "$out/events" | sed 's,\\n.*,,; s,^,        ,' | head -n 1
[ $failed -eq 0 ] || tail -n 20 "$out/match"

counted
