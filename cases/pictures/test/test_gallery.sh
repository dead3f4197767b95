#!/usr/bin/env bash
# The gallery: one command makes the page and all its pictures.
set -u
assay=$1 gallery=$1 build=$2
. "$(dirname "$0")/../../../harness/command/test/cli.sh"

holds 'the gallery is made, from any folder' "$gallery" "$build" pictures
sources=$(grep -o 'src="[^"]*"' pictures/index.html | cut -d'"' -f2)
holds 'it has pictures' test "$(wc -w <<<"$sources")" -ge 14
for source in $sources; do
    holds "$source is there" test -s "pictures/$source"
done
holds 'each has its command' test "$(grep -c 'class="command"' pictures/index.html)" -eq "$(wc -w <<<"$sources")"
holds 'the page is whole' grep -qF '</html>' pictures/index.html
"$gallery" "$build" >said 2>&1
holds 'one folder alone ends with 4' test $? -eq 4
holds 'and says how it is called' grep -q 'BUILD FOLDER' said
"$gallery" "$folder" pictures >said 2>&1
holds 'a folder without programs ends with 1' test $? -eq 1
holds 'and says which picture is missing' grep -q 'trails.gif could not be made' said

finish
