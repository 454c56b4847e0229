#!/bin/sh
# The files of pages, made ready to be served: sh bot/web/files.sh FOLDER
#
# Each file of config/web is compressed as it is written, and the cards of each deck as one sheet of symbols, if
# config/web/sheet.sh makes one. They are named by a hash of all (FOLDER/f/HASH/NAME.gz), so that a browser keeps them for
# ever; in index.html @f@ stands for /f/HASH. Prints a line FILE(symbol, name, path) for each.
set -eu
out=$1
rm -rf "$out"
mkdir -p "$out/raw"
find config/web -type f ! -name '*.sh' ! -name '*.awk' ! -name '*.md' | sort | while read -r file; do
    to=$out/raw/${file#config/web/}
    mkdir -p "${to%/*}"
    cp "$file" "$to"
done
if [ -e config/web/sheet.sh ]; then
    mkdir -p "$out/raw/decks"
    for deck in config/decks/*/; do
        deck=${deck%/}
        sh config/web/sheet.sh "$deck" >"$out/raw/decks/${deck##*/}.svg"
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
    else
        name=f/$hash/$name
    fi
    mkdir -p "$out/$(dirname "$name")"
    gzip -9 -n -c "$file" >"$out/$name.gz"
    echo "FILE(web_$i, \"web/$name\", \"$out/$name.gz\")"
done
