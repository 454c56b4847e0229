#!/bin/sh
# What tools that read code say of ours: tests/lint.sh
#
# gcc's analyser follows allocations and descriptors, cppcheck and clang-tidy look for what is probably a
# mistake (their lists are .clang-tidy and the arguments below), and the formatter looks at the form.
# Each finding fails.
set -u
# The flags a file is compiled with are asked of make itself.
check() {                               # TOOL FILE: prints findings
    flags="$(MAKEFLAGS= make -s --no-print-directory flags-of FILE="$2") -DKOIKOI_VERSION=\"0\""
    # shellcheck disable=SC2086
    case $1 in
    clang-tidy) clang-tidy --quiet "$2" -- $flags 2>/dev/null ;;
    gcc) gcc $flags -O1 -fanalyzer $deaf -Werror -c -o /dev/null "$2" 2>&1 ;;
    esac
}
# What gcc's analyser cannot know: that cJSON_IsString(NULL) and its like are false (clang's looks at null
# pointers, too), and that what hangs in an arena or a library is freed with it (the leak checker knows).
deaf='-Wno-analyzer-null-dereference -Wno-analyzer-malloc-leak'
[ $# -eq 2 ] && { check "$1" "$2" && exit 0 || { echo "$1 $2: exit $?"; exit 1; }; }

. tests/verdict.sh
# failing COMMAND...: what it said, if it failed.
failing() {
    "$@" >"$work/said" 2>&1 && return
    status=$?
    head -n 60 "$work/said"
    echo "exit $status"
}
each() {                                # TOOL: over all files, as many at once as there are cores
    find engine bot adapters -name '*.c' | sort | xargs -P "$(nproc)" -n 1 timeout -k 10 240 sh "$0" "$1"
}
find engine bot adapters tests -name '*.c' | sort | xargs clang-format --dry-run -Werror 2>&1 | grep error |
    verdict "clang-format (make format lays it out)"
failing each clang-tidy | verdict "clang-tidy"
failing each gcc | verdict "gcc -fanalyzer"
# cppcheck's own errors, left out: it takes NULL for an integer (here it is a pointer), and does not follow a
# pointer into the struct it is handed (both compilers do).
failing cppcheck --quiet --std=c11 --language=c --enable=warning,portability --inline-suppr --error-exitcode=1 \
    --suppress=missingInclude --suppress=preprocessorErrorDirective --suppress=unknownMacro \
    --suppress=varFuncNullUB --suppress=uninitvar:engine/equity.c -j "$(nproc)" \
    -DKOIKOI_VERSION='"0"' -D'__attribute__(x)=' -Iengine -Ibot/base -Ibot/port -Ibot/core -Ibot/shell -Ibuild/gen \
    engine bot adapters |
    verdict "cppcheck"
counted
