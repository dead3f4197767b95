#!/usr/bin/env bash
# assay check --watch, with a build that copies modules: a saved file is built and checked again.
#   test_cli_watch.sh ASSAY MUTANT   MUTANT: a kernel module whose axpy_naive has one sign changed
set -u
assay=$1
right=$(realpath "$(dirname "$1")/assay_kernels_host.so")
wrong=$(realpath "$2")
. "$(dirname "$0")/cli.sh"

# Like the result of a build: a program, its module, and the commands that build them. The build reads one word of the source.
mkdir sources
cp "$assay" mine
cp "$right" mine_kernels_host.so
cat >build <<'END'
#!/bin/sh
echo once >>built
case $(cat sources/axpy.cu) in
    *right*) from=$1 ;;
    *wrong*) from=$2 ;;
    *program*) cp new mine.part && mv mine.part mine && exit ;;
    *) echo 'FAILED: axpy.o'; echo 'axpy.cu:1:1: error: no kernel'; exit 1 ;;
esac
cp "$from" part && mv part mine_kernels_host.so
END
printf '#!/bin/sh\necho "another program: $*"\nexit 77\n' >new
chmod +x build new
printf 'build\thost\t%s\nsource\taxpy\t%s\nsource\tsum\t%s\n' "$PWD/build	$right	$wrong" \
    "$PWD/sources/axpy.cu" "$PWD/sources/sum.cu" >mine.build
echo '#include "axpy.h"' >sources/axpy.cu
echo '// right' >>sources/axpy.cu
echo >sources/axpy.h
echo >sources/sum.cu

# begins ARGUMENT...: starts the program in the background; its output goes to `said`.
begins() {
    ./mine check axpy --axis n=255 --device host --db watch.db --watch "$@" >said 2>&1 &
    watcher=$!
}
# says N "words": waits for the Nth line that contains the words, also on a slow host.
says() {
    for _ in $(seq 3000); do
        [ "$(grep -cF -- "$2" said)" -ge "$1" ] && return 0
        kill -0 "$watcher" 2>/dev/null || break
        sleep 0.1
    done
    cat said
    return 1
}
# stops STATUS: as Ctrl-C does.
stops() {
    kill -INT "$watcher"
    wait "$watcher"
    is $? "$1"
}

echo "# saved files"
begins
holds "it says what it looks at" says 1 "watching 2 files"
holds "the first check needs no save" says 1 "2 points: 2 passed"
echo '// wrong' >sources/axpy.cu
holds "a source that is written" says 1 "2 points: 1 passed, 1 failed (1 WRONG_VALUE); first: axpy/naive/n=255 WRONG_VALUE"
echo '// right' >sources/axpy.new
mv sources/axpy.new sources/axpy.cu
holds "a source that is replaced" says 2 "2 points: 2 passed"
holds "    is seen as well" is "$(wc -l <built)" 3
echo '// nothing' >sources/axpy.cu
holds "a build that fails says why" says 1 "the build failed: axpy.cu:1:1: error: no kernel"
echo '// wrong' >sources/axpy.cu
holds "    and is waited for" says 2 "WRONG_VALUE); first"
holds "lines have time of day, duration and run" grep -qE '^[0-9]{2}:[0-9]{2}:[0-9]{2} +[0-9]+\.[0-9] s  run [0-9]+: ' said
holds "the last status is its own" stops 2
holds "runs are kept" is "$(ask watch.db "SELECT count(*), sum(exit_status = 2) FROM run_end")" "4|2"

echo "# included files, and a build that replaces the program"
printf '#include "axpy.h"\n// right\n' >sources/axpy.cu
begins
holds "a header is looked at" says 1 "watching 2 files"
holds "checked" says 1 "2 points: 2 passed"
echo '// more' >sources/axpy.h
holds "a header that is saved" says 2 "2 points: 2 passed"
echo '// another case' >sources/sum.cu
echo '// program' >sources/axpy.cu
holds "the new program is asked" says 1 "another program: check --brief axpy --axis n=255 --device host --db watch.db"
holds "of a case that is not checked nothing is seen" is "$(grep -c 'passed' said)" 2
holds "the last status is that of the new one" stops 77

echo "# several lanes, each built on its own"
echo '// right' >sources/axpy.cu # before the programs, since a lane's program that is older than its source is refused
cp "$assay" mine
cp "$assay" mine_asan
cp "$wrong" mine_asan_kernels_host.so
sed -i 's/^build.host/build\tlanes/' mine.build
./mine check axpy --axis n=255 --db watch.db --lane host,asan --watch >said 2>&1 &
watcher=$!
holds "are one line" says 1 "2 points: 2 passed | asan: run 8: 2 points: 1 passed, 1 failed"
holds "    and the worst status" stops 2

echo "# runs that cannot be watched"
ends 4 "--quiet prints nothing" ./mine check axpy --watch --quiet
ends 4 "own kernel modules: leave out --kernels" ./mine check axpy --watch --kernels x.so
ends 4 "there is no case 'axpi'" ./mine check axpi --watch --device host
printf 'build\tcuda\tmake\n' >mine.build
ends 4 "this build has no kernel module for 'host'" ./mine check axpy --watch --device host
rm mine.build
ends 4 "run the program in its build folder" ./mine check axpy --watch --device host

echo "# one line"
ends 0 "run 1: 2 points: 2 passed" "$assay" check axpy --axis n=255 --device host --db brief.db --brief
holds "    and no more" is "$(wc -l <said)" 1
ends 4 "--quiet prints nothing" "$assay" check axpy --brief --quiet
finish
