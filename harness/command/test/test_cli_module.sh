#!/usr/bin/env bash
# Kernel modules that end the process, are damaged, or were built for another lane: a sentence and exit status 4.
#   test_cli_module.sh ASSAY EXITS LANE SANITIZED
# EXITS: axpy with a constructor and a launcher that call exit(0) or leave a process behind, as the environment says. LANE: a
# module that claims to be built with ThreadSanitizer. SANITIZED: one built with AddressSanitizer, "" if this compiler has none.
set -u
assay=$1
exits=$(realpath "$2")
lane=$(realpath "$3")
sanitized=${4:+$(realpath "$4")}
. "$(dirname "$0")/cli.sh"
db=x.db
check() { "$assay" check axpy --axis n=100 --device host --db $db "$@"; }

echo "# the module as it is"
ends 0 "2 passed" check --kernels "$exits"
ends 0 "2 passed" check --kernels "$exits" --in-process
rm -f $db*

echo "# exit(0) while it is loaded"
export ASSAY_TEST_EXITS=constructor
ends 4 "ended the process: exit status 0" check --kernels "$exits"
ends 4 "ended the process: exit status 0" check --kernels "$exits" --in-process
holds "nothing is stored of it" test ! -e $db
export ASSAY_TEST_EXITS=destructor
ends 0 "2 passed" check --kernels "$exits"
rm -f $db*

echo "# exit(0) in a launcher"
export ASSAY_TEST_EXITS=launcher
ends 2 "the process ended with exit status 0" check --kernels "$exits"
holds "in a worker it is a crash" is "$(ask $db "SELECT DISTINCT verdict FROM verdict")" CRASHED
rm -f $db*
ends 4 "ended this process (exit) before the run had its verdicts" check --kernels "$exits" --in-process
holds "without one the points are left" is "$(ask $db "SELECT count(*) FROM point" )|$(ask $db "SELECT count(*) FROM verdict")" "2|0"
rm -f $db*

echo "# a function that no library has: only its call fails"
export ASSAY_TEST_EXITS=library
ends 2 "undefined symbol: no_library_has_this" check --kernels "$exits"
holds "and is a crash" is "$(ask $db "SELECT DISTINCT verdict FROM verdict")" CRASHED
rm -f $db*

echo "# a process that a launcher starts dies with its worker"
export ASSAY_TEST_MARK=77$$ # seconds
is_left() { pgrep -xf "sleep $ASSAY_TEST_MARK" >/dev/null; }
export ASSAY_TEST_EXITS=fork
ends 2 "a process that it started is still there" check --kernels "$exits"
holds "it is found" is "$(ask $db "SELECT DISTINCT verdict FROM verdict")" SUSPECT
holds "and killed" is "$(is_left && echo left)" ""
rm -f $db*
export ASSAY_TEST_EXITS="fork and exit"
ends 2 "the process ended with exit status 0" check --kernels "$exits"
holds "it keeps nobody waiting for its worker's end" is "$(ask $db "SELECT DISTINCT verdict FROM verdict")" CRASHED
holds "and is killed" is "$(is_left && echo left)" ""
unset ASSAY_TEST_EXITS
rm -f $db*

echo "# a module that is cut off, and a file that is none"
size=$(stat -c %s "$exits")
for part in 1 2 3 5 8 20 100 1000; do
    head -c $((size - size / part)) "$exits" >cut.so
    if [ "$part" = 1 ]; then words="not a kernel module"; else words="cut.so is damaged: the file ends after"; fi
    ends 4 "$words" check --kernels cut.so
done
head -c 40 "$exits" >cut.so
ends 4 "not a kernel module" check --kernels cut.so
seq 1000 >text.so
ends 4 "not a kernel module" check --kernels text.so
ends 4 "not a kernel module" check --kernels "$PWD"
holds "nothing is stored of them" test ! -e $db

echo "# a module of another lane"
ends 4 "built with ThreadSanitizer, and this program without a sanitizer" check --kernels "$lane"
if [ -n "$sanitized" ]; then
    ends 4 "built with AddressSanitizer, and this program without a sanitizer" check --kernels "$sanitized"
fi
holds "nothing is stored of them" test ! -e $db
finish
