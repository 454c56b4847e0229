#!/bin/sh
# The walls of the house, as far as the compiler does not hold them: tests/rooms.sh BUILD
#
#   - no include climbs out of its room with "../"
#   - each library has one door
#   - engine and core are pure: what their objects ask of the outside is on a short list
#   - no sentence for players stands in engine or core
#   - banned functions are nowhere, also not behind a name that the compiler is not told of
#   - SQL stands in the store alone, and nothing waits but the loop
#
# Each check is counted and prints what it found. Sizes of files are told, never judged here.
set -u
build=${1:-build}
. tests/verdict.sh

sources() { find engine bot adapters -name '*.[ch]' | sort; }

sources | xargs grep -n '#include *"[^"]*\.\./' | verdict "no include climbs out of its room"

# Each library and the files that may include it; the C library, for all; anything else has no door at all.
doors='
cjson/     -                                           wherever bytes become our types; see below
curl/      bot/shell/http.c bot/shell/http_slot.h       many transfers, and one of them
sqlite3.h  bot/shell/db_sqlite.c
pthread.h  bot/shell/work.c bot/shell/painting.c
microhttpd.h bot/shell/server.c
arpa/inet.h bot/shell/server.c                      reading an address
histedit.h adapters/terminal/line.c
sodium.h   bot/core/chance.c bot/core/press.c          the fair shuffle and the seal of buttons: hashes alone
sodium.h   bot/shell/clock.c                           fresh bytes
sodium.h   bot/shell/deck.c bot/shell/picture.c        what a picture is called: hashes alone
cairo.h    bot/shell/painting.h
librsvg/   bot/shell/painting.h
dlfcn.h    bot/shell/painting.c
immintrin.h engine/score.c                            the wide instructions of x86-64
utf8proc.h bot/core/text.c bot/core/command.c
'
c_library='assert|ctype|dirent|errno|fcntl|ftw|langinfo|limits|locale|math|poll|regex|signal|stdarg|stdbool|stddef|stdint|
stdio|stdlib|string|strings|time|unistd|wchar|sys/[a-z]+'
c_library=$(echo "$c_library" | tr -d '\n')
sources | xargs grep -o '#include *<[^>]*>' | sed 's/:#include *</ /; s/>$//' | grep -vE " ($c_library)\.h\$" | while read -r file header; do
    echo "$doors" | awk -v h="$header" -v f="$file" '$1 != "" && index(h, $1) == 1 {for (i = 2; i <= NF; i++) if ($i == f || $i == "-") ok = 1}
        END {exit !ok}' || echo "$file includes <$header>"
done | verdict "each library has one door"
{
    find engine bot/core bot/base bot/port -name '*.[ch]' -print0 | xargs -0 grep -l 'cJSON' | sed 's/$/ speaks JSON/'
} | verdict "JSON stays at the edges"

# What pure code may ask for: bytes in memory, one bounded printer, the compiler's own, the hash of the
# fair shuffle.
allowed='memcpy|memmove|memset|memcmp|memchr|memmem|strlen|strnlen|strcmp|strncmp|strchr|strstr|snprintf|vsnprintf|
__assert_fail|abort|qsort|bsearch|__stack_chk_fail|_GLOBAL_OFFSET_TABLE_|__(mem|str|v?snprintf)[a-z]*_chk|
log|logf|exp|expf|sqrt|sqrtf|pow|powf|tanh|tanhf|erfcf?|fabsf?|fmaxf?|fminf?|fmodf?|lroundf?|floorf?|ceilf?|
__cpu_model|__cpu_indicator_init|__popcountdi2|__ctzdi2|__clzdi2|__(u)?(div|mod|mul)[dt]i[34]|
crypto_[a-z0-9_]*|sodium_(bin2hex|memzero|memcmp|hex2bin)|utf8proc_[a-z_]*|
__asan_.*|__ubsan_.*|__sanitizer_.*|__gcov_.*'
allowed=$(echo "$allowed" | tr -d '\n')
# own ROOM...: what those rooms define themselves.
own() { for room in "$@"; do nm --defined-only "$build/$room"/*.o 2>/dev/null | awk 'NF == 3 {print $3}'; done | sort -u; }
asked() { nm -u "$build/$1"/*.o 2>/dev/null | awk '$1 == "U" {print $2}' | sort -u; }
for room in engine bot/core; do
    others=$room
    [ "$room" = bot/core ] && others="bot/core bot/base engine"
    if ! ls "$build/$room"/*.o >/dev/null 2>&1; then
        echo "no objects in $build/$room: build first" | verdict "$room is pure"
        continue
    fi
    # shellcheck disable=SC2086
    own $others >"$work/own"
    asked "$room" | grep -vxFf "$work/own" | grep -vxE "$allowed" | sed "s,^,$room asks for ," | verdict "$room is pure"
done

# A literal with two blanks between words, outside of includes, comments and asserts, is a sentence.
find engine bot/core -name '*.c' -print0 | xargs -0 awk '
    /^[ \t]*\/?\*/ || /^#/ || /assert\(/ {next}
    {line = $0; sub(/\/\*.*/, "", line)
     while (match(line, /"([^"\\]|\\.)*"/)) {
         text = substr(line, RSTART, RLENGTH); line = substr(line, RSTART + RLENGTH)
         gsub(/%[-0-9.*l]*[a-z]/, "", text)
         if (text ~ /[A-Za-z]{2,}[,.!?:]* [A-Za-z]{2,}[,.!?:]* [A-Za-z]{2,}/) print FILENAME ":" FNR ": " text
     }}' | verdict "no sentence for players in engine and core"

banned='sprintf|vsprintf|strcpy|strcat|strncat|strncpy|strtok|atoi|atol|atof|rand|srand|system|gets|sleep|usleep|popen|mktemp|tmpnam|alloca|setjmp|longjmp|localtime|gmtime|ctime|asctime'
sources | grep -v bot/base/banned.h | xargs grep -nE "\\b($banned) *\(" | grep -vE '^[^:]*:[0-9]*: *(/?\*|//)' |
    verdict "no banned function"

find engine bot adapters -name '*.c' | grep -vE '^bot/shell/(store[a-z_]*|db_[a-z]*)\.c$' |
    xargs grep -nE '"(SELECT|INSERT|UPDATE|DELETE|REPLACE|CREATE|DROP|ALTER|PRAGMA|BEGIN) ' | verdict "SQL is in the store"

# The loop waits in http.c; line.c where a screen is slow. To ask epoll without waiting is no sleep.
find engine bot adapters -name '*.c' | grep -vxE 'bot/shell/http\.c|adapters/terminal/line\.c' | xargs awk '
    {line = $0; sub(/\/\*.*/, "", line)}
    line !~ /^ \*/ && line !~ /epoll_wait\(.*, 0\);/ && line ~ /(^|[^>.a-z_])(p?poll|p?select|epoll_p?wait|(clock_)?nanosleep|curl_multi_(poll|wait)|curl_easy_perform|sem_wait|pause) *\(/ {
        print FILENAME ":" FNR ": " $0}' | verdict "one line sleeps"

sources | xargs grep -nE '\b(TODO|FIXME|XXX|HACK)\b' | verdict "nothing is left to do in the code"

find engine bot adapters tests -name '*manager*' -o -name '*helper*' -o -name '*util*' | grep -v '^tests/terminal' |
    verdict "no file is named for nothing"

echo "files above 400 lines, headers above 150:"
sources | while read -r file; do
    lines=$(wc -l <"$file")
    case $file in *.h) most=150 ;; *) most=400 ;; esac
    [ "$lines" -gt $most ] && echo "        $lines $file"
done

counted
