#!/bin/sh
# The tests on a big-endian machine, s390x, in a short form: BUILD=build tests/networks/bigendian.sh
#
# Debian's cross compiler builds the rooms of the tests against the libraries of that architecture, which come from this
# machine's own mirror into a folder, and qemu runs the tests of rules and nets, formats and store. ONLY="store/sum_test"
# runs that alone. Without the compiler or qemu it is skipped, and counted so. A second run uses what the first has built.
set -u
arch=s390x
dir=$PWD/${BUILD:-build}/networks/bigendian
root=$dir/root
command -v qemu-$arch >/dev/null && command -v $arch-linux-gnu-gcc >/dev/null || {
    echo "qemu-$arch, or $arch-linux-gnu-gcc: not found; a big-endian machine is not tested"
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
# An apt of its own, with nothing installed, so that it fetches every library that another needs.
libraries() {
    mkdir -p "$dir/apt/state/lists/partial" "$dir/apt/cache/archives/partial" && : >"$dir/apt/status" || return 1
    cat >"$dir/apt/conf" <<CONF
APT::Architecture "$arch";
APT::Architectures { "$arch"; };
Dir::State "$dir/apt/state";
Dir::State::status "$dir/apt/status";
Dir::Cache "$dir/apt/cache";
APT::Sandbox::User "root";
CONF
    # What the program links; pictures need libraries that are loaded when the first is drawn.
    APT_CONFIG=$dir/apt/conf apt-get -q update &&
        APT_CONFIG=$dir/apt/conf apt-get -q install -y --no-install-recommends --download-only libc6-dev libcmocka-dev \
            libcurl4-openssl-dev libcjson-dev libsodium-dev libsqlite3-dev libpq-dev libedit-dev libutf8proc-dev \
            libmicrohttpd-dev zlib1g-dev || return 1
    for p in "$dir"/apt/cache/archives/*.deb; do dpkg-deb -x "$p" "$root.new" || return 1; done
    rm -rf "$dir/apt" && mv "$root.new" "$root"
}

mkdir -p "$dir"
[ -e "$root" ] || must "libraries of $arch" libraries
# Without those that reckon much, which take minutes each under qemu: of rules, formats and nets the others look at the same
# bytes.
long=' engine/rules/break_test engine/rules/match_test engine/rules/perft_test engine/rules/score_test
formats/record_test formats/texts_test formats/texts_style_test formats/texts_planted_test formats/puzzle_file_test store/row_cache_test '
short() {
    (cd tests && find engine/rules formats store -name '*_test.c') | sed 's/\.c$//' | sort
    printf 'engine/player/%s_test\n' nets equity search_policy
}
tests=${ONLY:-$(short | grep -vxF "$(echo $long | tr ' ' '\n')")}
programs=$(printf "$dir/build/tests/%s " $tests)
# The rooms that those tests ask for, and what of the tests they share.
sources=$(find engine bot/base bot/port bot/sys bot/core bot/store bot/formats bot/analysis -name '*.c' ! -path 'bot/core/present/*' \
    ! -path 'bot/core/scene/*' | tr '\n' ' ')
shared=$(find tests/engine tests/fixture/match tests/fixture/scratch.c tests/fixture/store_fixture.c tests/fixture/statements.c \
    tests/fixture/statements_sent.c tests/golden/table_walks.c tests/fake/db_faulty.c -name '*.c' ! -name '*_test.c' |
    sed "s,\(.*\)\.c\$,$dir/build/\1.o," | tr '\n' ' ')
export PKG_CONFIG_LIBDIR="$root/usr/lib/$arch-linux-gnu/pkgconfig:$root/usr/share/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$root"
# shellcheck disable=SC2086
must "the tests are built" env -u MAKEFLAGS -u MAKELEVEL make -s -j"$(nproc)" CC="${CROSS_CC:-$arch-linux-gnu-gcc} --sysroot=$root" BUILD="$dir/build" OPT=-O1 \
    LOADED= LINKER= LDFLAGS=-Wl,--as-needed SOURCES="$sources" TEST_LIB="$shared" $programs
# shellcheck disable=SC2086
check=$(RUN="qemu-$arch -L $root" sh tests/run.sh none $programs 2>&1)
echo "$check" | sed "s,$dir/build/,," | sed '$d'
set -- $(echo "$check" | tail -n 1 | tr -dc '0-9 ')
[ $# -ge 2 ] || set -- 0 1
echo "        $arch: $1 passed, $2 failed"
echo "[  PASSED  ] $1 test(s)."
[ "$2" -eq 0 ] || echo "[  FAILED  ] $2 test(s)"
[ "$2" -eq 0 ] && [ "$1" -gt 0 ]
