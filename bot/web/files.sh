#!/bin/sh
# The files of pages, made ready to be served: sh bot/web/files.sh FOLDER
#
# Each file of config/web is compressed, scripts and styles without indentation and comments, styles without line breaks
# (an eighth of a page), and the cards of each deck as one sheet of symbols with the portraits, and one without, for
# replays of people. They are named by a hash of all (FOLDER/f/HASH/NAME.gz), so that a
# browser keeps them for ever; in index.html @f@ stands for /f/HASH, and it is there uncompressed as well, for pages with
# a preview. Prints a line FILE(symbol, name, path) for each.
set -eu
out=$1
rm -rf "$out"
mkdir -p "$out/raw"
find config/web -type f ! -name '*.sh' ! -name '*.awk' ! -name '*.md' | sort | while read -r file; do
    to=$out/raw/${file#config/web/}
    mkdir -p "${to%/*}"
    case $file in
    *.js | *.css)
        awk -v css="${file##*.}" '
        /^ *\/\*/ && !/\*\/ *[^ ]/ {comment = 1}
        !comment && NF {
            sub(/^ +/, "")
            sub(/ *\/\*[^*]*\*\/ *$/, "")
            if (css == "css" && sub(/ *[{};,]$/, substr($0, length))) {
                if (/;$/) sub(/: /, ":")
                printf "%s", $0
            } else print
        }
        /\*\/ *$/ {comment = 0}' "$file" >"$to"
        ;;
    *) cp "$file" "$to" ;;
    esac
done
if [ -e config/web/sheet.sh ]; then
    mkdir -p "$out/raw/decks"
    for deck in config/decks/*/; do
        deck=${deck%/}
        sh config/web/sheet.sh "$deck" >"$out/raw/decks/${deck##*/}.svg"
        sh config/web/sheet.sh "$deck" cards >"$out/raw/decks/${deck##*/}.cards.svg"
    done
fi
hash=$(find "$out/raw" -type f | sort | xargs cat | sha256sum | cut -c1-16)
i=0
find "$out/raw" -type f | sort | while read -r file; do
    i=$((i + 1))
    name=${file#"$out/raw/"}
    if [ "$name" = index.html ]; then
        sed "s,@f@,/f/$hash,g" "$file" >"$file.ready"
        mv "$file.ready" "$file"
        cp "$file" "$out/index.plain"
        echo "FILE(web_plain, \"web/index.plain\", \"$out/index.plain\")"
    else
        name=f/$hash/$name
    fi
    mkdir -p "$out/$(dirname "$name")"
    gzip -9 -n -c "$file" >"$out/$name.gz"
    echo "FILE(web_$i, \"web/$name\", \"$out/$name.gz\")"
done
