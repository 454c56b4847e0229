#!/bin/sh
# Walls between rooms that the compiler's include paths do not hold: tests/rooms.sh BUILD
#
#   - no include climbs out of its room with "../"
#   - each library has its door; JSON and SQL stay behind theirs
#   - rows with a checksum are written by the calls that make it; a step of the schema names it
#   - calls between files make no circle, in a room or across rooms
#   - engine and core are pure: their objects ask for the functions of a short list alone
#   - no sentence for players stands in engine or core
#   - banned functions are nowhere, also where banned.h is not included
#   - the process waits in one place
#   - a struct, union, enum or typedef has one meaning, in tests too
#   - no source is longer than 800 lines, no header than 150, but for a short list
#   - no source is shorter than 60 lines, no room has fewer than 4 files, but for a list with reasons
#   - no folder holds more than 40 files
#   - the name of a feature stays in its own files and rows, but for a list with reasons
#
# Each check is counted and prints its findings.
set -u
build=${1:-build}
. tests/verdict.sh

sources() { find engine bot adapters -name '*.[ch]' | sort; }

sources | xargs grep -n '#include *"[^"]*\.\./' | verdict "no include climbs out of its room"

# Doors: a header, or a folder of headers, and the files or folders that may include it. The headers of the C library
# are open to all; any other header is open to none.
doors='
cjson/       bot/base/json.c bot/formats/
curl/        bot/net/http.c bot/net/http_transfer.h
sqlite3.h    bot/store/db/
libpq-fe.h   bot/store/db/
pthread.h    bot/sys/work.c bot/picture/paper.c
microhttpd.h bot/net/server.c
zlib.h       bot/net/server.c bot/picture/pack.c
arpa/inet.h  bot/net/server.c
netinet/     bot/net/server.c bot/net/address.c
histedit.h   adapters/terminal/
sodium.h     adapters/web/ adapters/telegram/start_data.c adapters/matrix/direct.c bot/web/web_who.c bot/core/session/chance.c bot/core/step/press.c bot/picture/deck.c bot/picture/picture.c bot/sys/clock.c bot/store/account_vault.c
cairo.h      bot/picture/paper.h
librsvg/     bot/picture/paper.h
pango/       bot/picture/paper.h
malloc.h     bot/base/alloc.c
dlfcn.h      bot/picture/paper.c adapters/matrix/crypto.c
utf8proc.h   bot/core/text/text.c
'
c_library='assert|ctype|dirent|errno|fcntl|ftw|langinfo|limits|locale|math|poll|regex|signal|stdarg|stdbool|stddef|stdint|
stdio|stdlib|string|strings|time|unistd|wchar|sys/[a-z]+'
c_library=$(echo "$c_library" | tr -d '\n')
sources | xargs grep -o '#include *<[^>]*>' | sed 's/:#include *</ /; s/>$//' | grep -vE " ($c_library)\.h\$" | while read -r file header; do
    echo "$doors" | awk -v h="$header" -v f="$file" '
        $1 != "" && index(h, $1) == 1 {for (i = 2; i <= NF; i++) if ($i == f || ($i ~ /\/$/ && index(f, $i) == 1)) ok = 1}
        END {exit !ok}' || echo "$file includes <$header>"
done | verdict "each library has its door"

find engine bot adapters -name '*.c' -not -path 'bot/store/*' |
    xargs grep -nE '"(SELECT|INSERT|UPDATE|DELETE|REPLACE|CREATE|DROP|ALTER|PRAGMA|BEGIN) ' | verdict "SQL is in the store"

# Tables with a column `sum` are written through store_table.h alone, which makes the checksum. A literal may be cut into
# pieces, and name its table in any case. A step of the schema has no checksum to write either.
summed=$(cat config/schema/*.sql | awk '/^CREATE TABLE/ {t = $3} /^ *sum / {print t}' | paste -sd'|')
writes_past_sum() {
    awk -v tables="$summed" '
    function look() {
        gsub(/"[ \t\n]*"/, "", text)
        text = tolower(text); gsub(/[ \t\n]+/, " ", text)
        n = split(text, statement, /[;{}]/)
        for (i = 1; i <= n; i++)
            if (match(statement[i], "((update|into)( only)? (" tables ")|(update|insert into) %[.*]*s)[^a-z_]"))
                print file ": " substr(statement[i], RSTART, 60)
    }
    FNR == 1 {if (file) look(); text = ""; file = FILENAME}
    {sub(/^--.*/, ""); text = text $0 "\n"}
    END {look()}' "$@"
}
printf '%s\n' 'f("UPDATE "' '  "Session SET chats = $1");' 'f("INSERT INTO session_chat (chat)", "INSERT INTO " "meta(name)");' >"$work/door.c"
printf '%s\n' 'UPDATE record SET lines = 1, sum = 1;' >"$work/door.sql"
{
    [ "$(writes_past_sum "$work/door.c" "$work/door.sql" | wc -l)" = 3 ] || echo "the check itself misses an example"
    # shellcheck disable=SC2046
    writes_past_sum $(sources | grep -vxE 'bot/store/store_(table|host)\.c') config/schema/*.sql
} | verdict "rows with a checksum have one door"

# Functions that pure code may call: bytes in memory, one bounded printer, the compiler's own, the hashes of the fair
# shuffle.
allowed='memcpy|memmove|memset|memcmp|memchr|memmem|strlen|strnlen|strcmp|strncmp|strchr|strrchr|strstr|snprintf|vsnprintf|
__assert_fail|abort|qsort|bsearch|__stack_chk_fail|_GLOBAL_OFFSET_TABLE_|__(mem|str|v?snprintf)[a-z]*_chk|
log|logf|exp|expf|sqrt|sqrtf|pow|powf|tanh|tanhf|erfcf?|fabsf?|fmaxf?|fminf?|fmodf?|lroundf?|floorf?|ceilf?|
__cpu_model|__cpu_features2|__cpu_indicator_init|__popcountdi2|__ctzdi2|__clzdi2|__(u)?(div|mod|mul)[dt]i[34]|
crypto_[a-z0-9_]*|sodium_(bin2hex|memzero|memcmp|hex2bin)|utf8proc_[a-z_]*|
__asan_.*|__ubsan_.*|__sanitizer_.*|__gcov_.*'
allowed=$(echo "$allowed" | tr -d '\n')
# own ROOM...: the symbols that those rooms define; asked ROOM: those that it leaves undefined.
# Objects of sources that are gone do not count.
objects() {
    find "$build/$1" -name '*.o' | while read -r object; do
        file=${object#"$build/"}
        [ -f "${file%.o}.c" ] && echo "$object"
    done
}
own() { for room in "$@"; do objects "$room" | xargs nm --defined-only | awk 'NF == 3 {print $3}'; done | sort -u; }
asked() { objects "$1" | xargs nm -u | awk '$1 == "U" {print $2}' | sort -u; }
for room in engine bot/core; do
    others=$room
    [ "$room" = bot/core ] && others="bot/core bot/base engine"
    if [ -z "$(objects "$room" 2>/dev/null)" ]; then
        echo "no objects in $build/$room: build first" | verdict "$room is pure"
        continue
    fi
    # shellcheck disable=SC2086
    own $others >"$work/own"
    asked "$room" | grep -vxFf "$work/own" | grep -vxE "$allowed" | sed "s,^,$room asks for ," | verdict "$room is pure"
done

# Calls between files make no circle, in a room or across rooms: whoever calls stands above whoever is called. Tried on
# the objects, by which file defines and which one asks for a symbol; all circles hang together, so tsort names one.
find "$build/engine" "$build/bot" "$build/adapters" -name '*.o' | while read -r object; do
    file=${object#"$build/"}
    file=${file%.o}.c
    [ -f "$file" ] || continue
    nm --defined-only "$object" | awk -v f="$file" 'NF == 3 && $2 ~ /^[A-TV-Z]$/ {print "has", $3, f}'
    nm -u "$object" | awk -v f="$file" '$1 == "U" {print "asks", $2, f}'
done | sort -r | awk '$1 == "has" {at[$2] = $3} $1 == "asks" && ($2 in at) && at[$2] != $3 {print $3, at[$2]}' |
    sort -u >"$work/calls"
if [ -s "$work/calls" ]; then
    tsort "$work/calls" 2>&1 >/dev/null | sed 's/^tsort: //; s/.*: input contains a loop:/a circle of/'
else
    echo "no objects in $build: build first"
fi | verdict "no circle of calls between files"

# A sentence is a literal of three words, outside of includes, comments and asserts.
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

# The loop waits in http.c, line.c for a slow screen, db_postgres_link.c for an answer of the server. poll() and
# epoll_wait() with a timeout of 0 do not wait.
find engine bot adapters -name '*.c' | grep -vxE 'bot/net/http\.c|adapters/terminal/line\.c|bot/store/db/db_postgres_link\.c' | xargs awk '
    {line = $0; sub(/\/\*.*/, "", line)}
    line !~ /^ \*/ && line !~ /poll(_wait)?\(.*, 0\)/ && line ~ /(^|[^>.a-z_])(p?poll|p?select|epoll_p?wait|(clock_)?nanosleep|curl_multi_(poll|wait)|curl_easy_perform|sem_wait|pause) *\(/ {
        print FILENAME ":" FNR ": " $0}' | verdict "the process waits in one place"

sources | xargs grep -nE '\b(TODO|FIXME|XXX|HACK)\b' | verdict "nothing is left to do in the code"

find engine bot adapters tests -name '*manager*' -o -name '*helper*' -o -name '*util*' | grep -v '^tests/terminal' |
    verdict "no file is a manager, helper or util"

# Definitions of tags, and of typedefs of one line or at the end of a body.
{ sources; find tests -name '*.[ch]' | sort; } | xargs awk '
    FNR == 1 {in_typedef = 0}
    {line = $0; sub(/\/\*.*/, "", line)}
    match(line, /(^|[ \t])(struct|union|enum) [A-Za-z_][A-Za-z0-9_]* *\{/) {
        split(substr(line, RSTART), word, /[ \t{]+/); name = word[1] == "" ? word[3] : word[2]; print name, FILENAME}
    /^typedef / {in_typedef = 1}
    in_typedef && /^(typedef .*|\} *[A-Za-z_0-9]+ *);/ {
        if (match(line, /\(\*[A-Za-z_0-9]+\)/)) print substr(line, RSTART + 2, RLENGTH - 3), FILENAME
        else if (match(line, /[A-Za-z_0-9]+ *(\[[^]]*\])* *;/)) {name = substr(line, RSTART); sub(/[^A-Za-z_0-9].*/, "", name); print name, FILENAME}
        in_typedef = 0}
    /^(typedef )?.*;/ && !/^typedef .*\{/ {in_typedef = 0}' | sort -u |
    awk '{files[$1] = files[$1] " " $2; n[$1]++} END {for (t in n) if (n[t] > 1) print t ":" files[t]}' | sort |
    verdict "a type name means one thing"

# Longer files that stay so, one a line: FILE MOST-LINES, and the reason behind a "#".
longer='
'
# A line of the list that is not needed any more counts as a finding, so that ceilings only sink.
{
    echo "$longer" | sed 's/#.*//'
    sources | xargs wc -l | awk '$2 != "total" {print "has", $1, $2}'
} | awk '
    $1 == "has" {
        most = $3 ~ /\.h$/ ? 150 : 800; top = $3 in allowed ? allowed[$3] : most
        if ($2 > top) print $3 " has " $2 " lines, most " top
        else if ($3 in allowed && $2 <= most) print $3 " has " $2 " lines: take it off the list of longer files"
        seen[$3]; next}
    NF == 2 {allowed[$1] = $2}
    END {for (f in allowed) if (!(f in seen)) print f " is on the list of longer files and not there"}' |
    verdict "no source above 800 lines, no header above 150"

# Sources below 60 lines and rooms of fewer than 4 files that stay so, one a line: FILE or ROOM, and why.
shorter='
bot/base/alloc.c               the only file that includes malloc.h; arenas and caches stand above it
bot/base/err.c                 the two functions behind err_set() and err_wrap(), which need no strings
bot/core/duel/scene.c          the scenes of a feature are above its pages
bot/core/puzzle/scene.c        the scenes of a feature are above its pages
bot/core/seek/page.c           the pages of a feature are above its step
bot/core/seasons/scene.c       the scenes of a feature are above its pages
bot/core/session/character.c   a table that grows: one row a character of the computer
bot/core/week/week.c           a page with a timer: three handlers, the facts come as they are shown
bot/formats/badges_file.c      the format of one file, as puzzle_file is that of another
bot/port/registry.c            a list that the Makefile makes
bot/store/db/db.c              what both databases share; db_open.c, which calls them, would close a circle
bot/store/rating.c             the SQL of a feature is a file of its own
bot/sys/clock.c                the one door to the clocks and random bytes of the machine
bot/sys/embedded.c             a list that the Makefile makes
engine/player/nets.c           the rule set that numbers were learned from, asked by all that read some
adapters/matrix/olm            the header of a library in Rust, whose sources stand beside it
adapters/web                   what is said becomes letters; all that people do comes in by bot/web
bot                            main.c: the one file that names concrete things
bot/config                     seen by loop and tools, and alone with the rows of all options
bot/core/absence               a feature is a folder
bot/core/operator              a feature is a folder
bot/core/rating                a feature is a folder
bot/core/scene                 above bot/core/present, whose words it writes; seen by the inbox alone
bot/core/seek                  a feature is a folder
bot/core/layout                seen by pictures, which see nothing else of the core
bot/core/week                  a feature is a folder
bot/core/text                  below all of the core: sentences and plural rules know no session
'
{
    echo "$shorter"
    sources | grep '\.c$' | xargs wc -l | awk '$2 != "total" && $1 < 60 {print "short", $2, $1 " lines, least 60"}'
    sources | sed 's,/[^/]*$,,' | sort | uniq -c | awk '$1 < 4 {print "short", $2, $1 " files, least 4"}'
} | awk '
    $1 == "short" {seen[$2]; if (!($2 in why)) print $2 " has " $3 " " $4 " " $5 " " $6; next}
    NF > 0 {why[$1]; if (NF < 4) print $1 " is on the list of shorter files without a reason"}
    END {for (f in why) if (!(f in seen)) print f " is on the list of shorter files and is not short"}' |
    verdict "no source below 60 lines, no room below 4 files"

# The name of a feature stands in its own files, in lists of rows (*.def, store_table.h) and in the lines of the page named
# here, FEATURE|TEXT|why; comments may name it. Others follow as their walls go.
named='
puzzle|async function puzzle(|its block of the page
puzzle|    puzzle,|its row of the page
puzzle|{VERB_PUZZLE}},|the row of what people guess
'
for feature in puzzle seek; do
    find engine bot adapters config/web -type f \( -name '*.[ch]' -o -name '*.js' -o -name '*.css' \) ! -path "bot/core/$feature/*" \
        ! -name "$feature.*" ! -name "*_$feature.[ch]" ! -name "${feature}_file.[ch]" ! -name store_table.h |
        sort | xargs awk -v feature="$feature" -v named="$named" '
        BEGIN {n = split(named, line, "\n")}
        FNR == 1 {comment = 0}
        {code = $0; if (comment && !sub(/^.*\*\//, "", code)) next; comment = 0
         gsub(/\/\*([^*]|\*[^\/])*\*\//, "", code); if (sub(/\/\*.*/, "", code)) comment = 1
         if (!index(tolower(code), feature)) next
         for (i = 1; i <= n; i++) {
             split(line[i], part, "|")
             if (part[1] == feature && index(code, part[2])) {seen[i]; next}}
         print FILENAME ":" FNR ": " code}
        END {for (i = 1; i <= n; i++) if (index(line[i], feature "|") == 1 && !(i in seen)) print "listed and not there: " line[i]}'
done | verdict "the name of a feature stays in its files and rows"

# Sources, scripts, schemas and chats; the page of a folder and data are not counted.
find engine bot adapters tests config docker -type f \( -name '*.[ch]' -o -name '*.def' -o -name '*.inc' -o -name '*.py' \
    -o -name '*.sh' -o -name '*.sql' -o -name '*.chat' \) | sed 's,/[^/]*$,,' | sort | uniq -c |
    awk '$1 > 40 {print $2 " has " $1 " files, most 40"}' | verdict "no folder holds more than 40 files"

counted
