# Common part of image.sh and deb.sh, which read it in: containers, and a count of checks.
#
# They name their $kind ("image") and the $tools they need. Without one of those, or without root, the tests are skipped,
# and counted so. $name is the container's name, $out a scratch folder, $serving a process that is ended with them.
build=${BUILD:-build}
here=$(dirname "$0")/image
mkdir -p "$build/networks/image"
dir=${IMAGE_DIR:-$(cd "$build/networks/image" && pwd)}
name=koikoi-$kind-$$
for tool in $tools; do
    [ "$(id -u)" = 0 ] && command -v $tool >/dev/null && continue
    echo "$tool, or root: not found; the $kind is not tested"
    echo "[  SKIPPED ] 1 test(s)"
    exit 0
done
podman() { sh "$here/podman.sh" "$dir" podman "$@"; }
sh "$here/podman.sh" "$dir" base || { echo "[  FAILED  ] 1 test(s): no base image"; exit 1; }

out=$(mktemp -d "${TMPDIR:-/tmp}/koikoi-$kind.XXXXXX")
serving=''
clean() {
    podman rm -f -t 0 "$name" >/dev/null 2>&1
    podman volume rm -f "$name" >/dev/null 2>&1
    [ -z "$serving" ] || kill "$serving" 2>/dev/null
    # What stays mounted could not be deleted later.
    awk -v dir="$dir/store/" 'index($2, dir) == 1 {print $2}' /proc/mounts | sort -r | xargs -r -n 1 umount -l
    rm -rf "$out"
}
trap clean EXIT
trap 'exit 1' INT TERM HUP
passed=0 failed=0
# check TITLE STATUS PATTERN COMMAND...: what the command must end with, and print
check() {
    title=$1 status=$2 pattern=$3
    shift 3
    "$@" >"$out/said" 2>&1
    got=$?
    if [ $got -eq "$status" ] && { [ -z "$pattern" ] || grep -qE -- "$pattern" "$out/said"; }; then
        passed=$((passed + 1))
        echo "  ok    $title"
    else
        failed=$((failed + 1))
        echo "  FAIL  $title: expected status $status and \"$pattern\", got $got and"
        tail -n 20 "$out/said"
    fi
}
# counted: prints the counts; fails after a failure
counted() {
    echo "[  PASSED  ] $passed test(s)."
    [ $failed -eq 0 ] || echo "[  FAILED  ] $failed test(s)"
    [ $failed -eq 0 ] && [ $passed -gt 0 ]
}
