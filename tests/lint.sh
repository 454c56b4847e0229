#!/bin/sh
# Formatter and analysers over the code, whether each language says all, how large the page is: BUILD=build tests/lint.sh
#
# gcc's analyser follows allocations and descriptors, cppcheck and clang-tidy look for probable mistakes
# (their lists are .clang-tidy and the arguments below). Each finding fails. CLANG_FORMAT is the formatter,
# FORMATTED the pattern of the files that it lays out.
set -u
check() {                               # TOOL FILE FLAGS...: prints findings
    tool=$1 file=$2
    shift 2
    set -- "$@" '-DKOIKOI_VERSION="0"'
    # shellcheck disable=SC2086
    case $tool in
    clang-tidy) clang-tidy --quiet $paths "$file" -- "$@" 2>/dev/null ;;
    gcc) gcc "$@" -DHOT_CLONES= -O1 -fanalyzer $deaf -Werror -c -o /dev/null "$file" 2>&1 ;;
    esac
}
# How many steps clang's analyser follows through one function. It takes nine tenths of the time of this script; by
# default, three times as many steps, nearly three times as long.
analyser() { for word in "$@"; do printf ' --extra-arg=-Xclang --extra-arg=%s' "$word"; done; }
paths=$(analyser -analyzer-config max-nodes=75000)
# gcc's analyser cannot know that cJSON_IsString(NULL) and its like are false (clang's looks at null
# pointers, too), and that memory of an arena or a library is freed with it (the leak checker knows).
deaf='-Wno-analyzer-null-dereference -Wno-analyzer-malloc-leak'
[ $# -ge 2 ] && { check "$@" && exit 0 || { echo "$1 $2: exit $?"; exit 1; }; }

. tests/verdict.sh
# failing COMMAND...: prints the output of the command, if it failed.
failing() {
    "$@" >"$work/said" 2>&1 && return
    status=$?
    head -n 60 "$work/said"
    echo "exit $status"
}
each() {                                # TOOL: over all files, as many at once as there are cores
    MAKEFLAGS='' make -s --no-print-directory flags-of | xargs -P "$(nproc)" -L 1 timeout -k 10 240 sh "$0" "$1"
}
find engine bot adapters tests -name "${FORMATTED:-*.c}" | sort | xargs "${CLANG_FORMAT:-clang-format-14}" --dry-run -Werror 2>&1 | grep error |
    verdict "clang-format (make format lays it out)"
# A sentence that is new may stand in English in the other languages until somebody translates it, but not for good.
"${BUILD:-build}/koikoi" texts config/texts/*.json | grep -v ': 0 faults$' | verdict "each language has all sentences"
# The page: script and style at most 40 KB compressed, the first table 64 KB with the dearest deck and 6 KB of data.
packed() { for file in "$@"; do gzip -9nc "$file" | wc -c; done | awk '{n += $1} END {print n}'; }
for deck in config/decks/*/; do sh config/web/sheet.sh "$deck" >"$work/$(basename "$deck").svg"; done
code=$(packed config/web/*.js config/web/*.css)
sheet=$(for deck in "$work"/*.svg; do packed "$deck"; done | sort -n | tail -n 1)
{ [ "$code" -le 40960 ] || echo "config/web: script and style: expected 40960 bytes at most, got $code"
  first=$((code + $(packed config/web/index.html) + sheet + 6144))
  [ "$first" -le 65536 ] || echo "config/web: the first table: expected 65536 bytes at most, got $first"; } |
    verdict "the page is small"
failing each clang-tidy | verdict "clang-tidy"
failing each gcc | verdict "gcc -fanalyzer"
# Left out are errors of cppcheck itself: it takes NULL for an integer (here it is a pointer), and does not
# follow a pointer into the struct that it gets (both compilers do).
failing cppcheck --quiet --std=c11 --language=c --enable=warning,portability --inline-suppr --error-exitcode=1 \
    --suppress=missingInclude --suppress=preprocessorErrorDirective --suppress=unknownMacro \
    --suppress=varFuncNullUB --suppress=uninitvar:engine/player/equity.c -j "$(nproc)" \
    -DKOIKOI_VERSION='"0"' -D'__attribute__(x)=' $(find engine bot -type d | sed 's/^/-I/') -Ibuild/gen -Ibuild/gen/text \
    engine bot adapters |
    verdict "cppcheck"
counted
