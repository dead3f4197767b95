#!/usr/bin/env bash
# Runs docs/your_kernel.md as it is written, in an empty folder, with an installation.
#   test_your_kernel.sh BUILD_TREE SOURCE_TREE PYTHON
set -u
assay=$1/assay
build=$(realpath "$1")
source=$(realpath "$2")
here=$(realpath "$(dirname "$0")")
python=$3
. "$here/cli.sh"

generator=()
command -v ninja >/dev/null && generator=(CMAKE_GENERATOR=Ninja)
ends 0 "" cmake --install "$build" --prefix "$folder/installed"
page() { "$python" -B "$here/page_test.py" "$1" PATH="$folder/installed/bin" CMAKE_PREFIX_PATH="$folder/installed" "${generator[@]}"; }
ends 0 "commands of $source/docs/your_kernel.md as written" page "$source/docs/your_kernel.md"

echo "# a difference from the page is found"
fence='```'
try() { # text of a page
    printf '%b\n' "$1" >page.md
    page page.md
}
ends 1 "line 3: 'two' was not printed there" try "${fence}console\n$ echo one\ntwo\n$fence"
ends 1 "line 4: 'one' was not printed there" try "${fence}console\n$ echo one; echo two; echo three\ntwo\none\n$fence"
ends 0 "1 commands" try "${fence}console\n$ echo one; echo two; echo three\none\n...\nthree\n$fence"
ends 1 "line 2: exit status 3, not 0" try "${fence}console\n$ exit 3\n$fence"
ends 0 "1 commands" try "${fence}console\n$ exit 3 # exit status 3\n$fence"
ends 0 "1 commands" try "${fence}c a.c\nint a;\n$fence\n${fence}console\n$ cat a.c\nint a;\n$fence"
ends 1 "lies outside the folder" try "${fence}c ../a.c\nint a;\n$fence"
ends 1 "does not end" try "${fence}console\n$ true"
ends 1 "no command" try "nothing"
finish
