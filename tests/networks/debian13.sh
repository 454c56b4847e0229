#!/bin/sh
# The tests on Debian 13, in a short form: BUILD=build tests/networks/debian13.sh
#
# In a bare chroot from this machine's own mirror `make deps` installs what it says is needed, gcc 14 builds the
# program, and the tests of engine, core, formats and reviews and the golden chats run. Needs root and debootstrap;
# without them it is skipped, and counted so. A second run uses the chroot of the first.
set -u
release=trixie rooms='engine core formats golden analysis'
dir=${BUILD:-build}/networks/debian13
root=$dir/root
[ "$(id -u)" = 0 ] && command -v debootstrap >/dev/null || {
    echo "debootstrap, or root: not found; Debian 13 is not tested"
    echo "[  SKIPPED ] 1 test(s)"
    exit 0
}
# STEP COMMAND...: a step that ends everything if it fails
must() {
    step=$1 begun=$(date +%s)
    shift
    "$@" >"$dir/log" 2>&1 || { tail -n 40 "$dir/log"; echo "[  FAILED  ] 1 test(s): $step"; exit 1; }
    echo "        $step: $(($(date +%s) - begun)) s"
}
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive sh -c "cd /src && $1"; }

mkdir -p "$dir"
if [ ! -e "$root/src" ]; then
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Identifier: Packages' 'Component: main' | grep '/debian/*$' | head -n 1)
    rm -rf "$root"
    must "a bare Debian 13" debootstrap --variant=minbase --include=make,ca-certificates $release "$root" "${mirror:-http://deb.debian.org/debian}"
    echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/here"
    mkdir "$root/src"
fi
git ls-files -z | tar -c --null --ignore-failed-read -T - | tar -x -C "$root/src" || exit 1
must "make deps" inside 'make -s deps FOR=test'
tests=$(cd "$root/src" && for r in $rooms; do find "tests/$r" -name '*_test.c'; done | sed 's,\(.*\)\.c$,build/\1,' | sort)
must "the program" inside 'make -s'
check=$(inside "make -s test-covers COVERS='$(echo $tests)'" 2>&1)
echo "$check" | grep -v '^  \(ok\|cc\|link\)' | sed '$d'
set -- $(echo "$check" | tail -n 1 | tr -dc '0-9 ')
[ $# -ge 2 ] || set -- 0 1
echo "        gcc $(inside 'gcc -dumpversion'): $1 passed, $2 failed"
echo "[  PASSED  ] $1 test(s)."
[ "$2" -eq 0 ] || echo "[  FAILED  ] $2 test(s)"
[ "$2" -eq 0 ] && [ "$1" -gt 0 ]
