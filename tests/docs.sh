#!/bin/sh
# Checks of what the pages promise: tests/docs.sh BUILD
#
#   - every room has its README.md, and links between pages lead somewhere
#   - every test that a page names exists (named_tests.py)
#   - every `make X` and `koikoi X` that a page names exists, and every KOIKOI_ variable
#   - config/koikoi.conf is what the program's own tables say
#   - the dashboard is JSON (that its metrics exist is a test of bot/loop)
#   - transcripts are what their scripts print, word for word
#   - pictures are what the program draws from their layouts
#   - the manual page names every command
#   - what bot/README.md says of who may see whom is what the Makefile gives; README.md shows the folders that there are
#   - make mutate draws from every room
#   - the schemas of config/formats agree with the program (formats/check_schemas.py)
set -u
build=${1:-build}
koikoi=$build/koikoi
. tests/verdict.sh

pages=$(find . -name '*.md' -not -path './build/*' -not -path './.git/*' | sort)
# Folders that the page of the room above them describes.
mirror='^(engine/(rules|player)(/.*)?|bot/core/.*|config/.*|tests/golden/.*)$'
tests='^tests/(engine|analysis|base|config|core|daemon|fixture|formats|inbox|loop|net|outbox|picture|port|store|sys|tools|adapters|fake|networks|bench|fuzz)(/.*)?$'

find engine bot adapters config tests docker -type f -not -name '.*' | sed 's,/[^/]*$,,' | sort -u |
    grep -vE "$mirror|$tests" | while read -r room; do
        [ -f "$room/README.md" ] || echo "$room has no README.md"
    done | verdict "every room has its page"

for page in $pages; do
    folder=$(dirname "$page")
    grep -oE '\]\([^)#]+[^)]*\)' "$page" | sed 's/^](//; s/)$//; s/#.*//' | grep -vE '^(https?|mailto):' | while read -r link; do
        [ -z "$link" ] || [ -e "$folder/$link" ] || echo "$page: $link is not there"
    done
done | verdict "links lead somewhere"

# shellcheck disable=SC2086
python3 tests/named_tests.py $pages 2>&1 | verdict "every test that a page names exists"
mkdir "$work/tests"
printf '| field | story |\n|---|---|\n| x | `a story that is not told`, `power levels` |\n\n`tests/no-such/{a,b}.c`\n' >"$work/tests/slip.md"
{
    [ "$(python3 tests/named_tests.py "$work/tests/slip.md" | grep -c 'a story that is not told\|no-such/[ab].c')" -eq 3 ] ||
        echo "named_tests.py overlooks a slip"
} | verdict "a slip in a page is found"

# shellcheck disable=SC2086
cat $pages | grep -oE '\bmake [a-z][a-z-]*\b' | sort -u | while read -r _ goal; do
    case $goal in build | it | a | the | sure | no | them | up | an | your | one) continue ;; esac
    grep -qE "^($goal|[a-zA-Z \$()-]* $goal|$goal [a-z -]*):|^(\.PHONY:|SUITES [:+]=).* $goal( |\$)" Makefile tests/tests.mk engine/player/nets.mk bot/core/*/*.mk || echo "make $goal: there is no such goal"
done | verdict "every make goal exists"

# shellcheck disable=SC2086
cat $pages | grep -oE '`(build/)?koikoi [a-z-]+|^ *(build/)?koikoi [a-z-]+|\| (build/)?koikoi [a-z-]+' | sed 's/.*koikoi //' | sort -u | while read -r command; do
    "$koikoi" help | grep -q "^  koikoi $command\b" || echo "koikoi $command: there is no such command"
done | verdict "every command exists"

"$koikoi" help | sed -n 's/^  koikoi \([a-z-]*\).*/\1/p' | while read -r command; do
    grep -qxF ".B $(echo "$command" | sed 's/-/\\-/g')" docker/koikoi.1 || echo "docker/koikoi.1 lacks koikoi $command"
done | verdict "the manual page has every command"

find engine bot adapters -name '*.c' | sed 's,/[^/]*$,,' | sort -u >"$work/rooms"
python3 tests/mutate.py --rooms | sort | diff "$work/rooms" - 2>&1 | verdict "make mutate draws from every room"

# The column "what it may see" of bot/README.md against the include paths that the Makefile gives the files of the room.
sed -n 's/^| \[\([a-z]*\)\](.*) | .* | \(.*\) |$/\1 \2/p' bot/README.md >"$work/rows"
cut -d' ' -f1 "$work/rows" | sort | sed 's,.*,bot/&/,' >"$work/listed"
ls -d bot/*/ | sort | diff "$work/listed" - 2>&1 | verdict "bot/README.md lists every room"
while read -r room said; do
    said=$(echo "$said" | tr -d ',' | tr ' ' '\n' | grep -vx nothing | sort -u | xargs)
    seen=$(MAKEFLAGS='' make -s --no-print-directory flags-of FILE="$(find "bot/$room" -name '*.c' | xargs)" |
        grep -oE -- '-I(bot|engine)/[a-z/]+' | sed "s,^-I,,; s,^engine/.*,engine,; s,^bot/,,; /^$room\(\/\|$\)/d" | sort -u)
    case $seen in *core/present*) seen=$(echo "$seen" | sed 's,^core/.*,core,') ;; esac
    seen=$(echo "$seen" | sed 's,^\([a-bd-z][a-z]*\)/.*,\1,' | sort -u | xargs)
    [ "$said" = "$seen" ] || [ "$said" = "all it of" ] || echo "$room: the page says $said; the Makefile $seen"
done <"$work/rows" | verdict "bot/README.md says what each room may see"
sed -n '/^```$/,/^```$/s,^\([a-z]*/[a-z/]*\) .*,\1,p' README.md | sort >"$work/tree"
{ ls -d engine/*/ bot/*/; printf '%s/\n' adapters config tests docker; } | sort | diff "$work/tree" - 2>&1 | verdict "README.md shows the tree"

"$koikoi" options >"$work/options" 2>&1
# shellcheck disable=SC2086
cat $pages docker/* 2>/dev/null | grep -oE 'KOIKOI_[A-Z_]+' | sed 's/_FILE$//; /_$/d' | sort -u | grep -vxE 'KOIKOI_(CONFIG|SECTION_KEY|KEY|VERSION|TELEGRAM_NAME_KEY)' | while read -r name; do
    awk '/^\[/ {section = substr($0, 2, length($0) - 2) "_"} /^#?[a-z_]+ *=/ {sub(/^#/, ""); sub(/ *=.*/, ""); print toupper("koikoi_" section $0)}' \
        "$work/options" | grep -qx "$name" || echo "$name: there is no such option"
done | verdict "every variable exists"

diff "$work/options" config/koikoi.conf 2>&1 | verdict "koikoi.conf lists every option (koikoi options > config/koikoi.conf)"

awk '/^ *- alert:/ {if (name) print name ": expected a line `do:`"; name = $3} /^ *do: / {name = ""} END {if (name) print name ": expected a line `do:`"}' docker/alerts.yml |
    verdict "each alert says what to do"
python3 -c 'import json; json.load(open("docker/grafana.json"))' 2>&1 | verdict "the dashboard is JSON"

for page in $pages; do
    ! grep -q '^<!-- transcript: ' "$page" || sh tests/transcript.sh "$build" "$page" 2>&1 | diff "$page" -
done | verdict "transcripts are what the program prints (make refresh)"

/usr/bin/python3 tests/formats/check_schemas.py "$koikoi" >"$work/formats" 2>&1 || echo failed >>"$work/count"
cat "$work/formats"
grep '^  ok ' "$work/formats" | sed 's/.*/passed/' >>"$work/count"

counted
