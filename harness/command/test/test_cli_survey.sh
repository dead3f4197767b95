#!/usr/bin/env bash
# survey: files that are taken and files that are not, each with a reason; the folder is not changed.
#   test_cli_survey.sh ASSAY CXX
set -u
assay=$1
cxx=$2
. "$(dirname "$0")/cli.sh"
export TMPDIR=$PWD/temporary
mkdir temporary

survey() { "$assay" survey --cxx "$cxx" "$@"; }
says() { holds "    says '$1'" grep -qF -- "$1" said; }
field() { # file column: of survey.csv
    awk -F, -v file="$1" -v column="$2" '$1 == file { print $column }' survey.csv
}

echo "# a folder with files of every kind"
mkdir -p src/below src/empty "src/a \"b' c" include
cat >src/plain.cu <<'END'
#include <cuda_runtime.h>
__global__ void scale(float *x, float a) { x[threadIdx.x] *= a; }
template <class T> __global__ void clear(T *x) { *x = T(); }
int main() { scale<<<1, 32>>>(nullptr, 2.0f); }
END
echo 'static int of_the_host() { return 1; }' >src/below/none.cu
echo '#include "absent_thing.h"' >src/header.cu
echo '#include <thrust/sort.h>' >src/thrust.cu
printf 'void f() {}\n__global__ void k() { __shared__ int f(int), x[2]; }\n' >src/refused.cu
echo '__global__ void k() { asm volatile("no.such.thing.u32 1;" ::: "memory"); }' >src/ptx.cu
echo 'void f() { cudaNoSuchCall(0); }' >src/name.cu
echo 'void f() { cudaGraph_t g; }' >src/graph.cu
echo '(A letter) and no program.' >src/letter.cu
printf '\0\377\033[2J"\0' >src/bytes.cu
cp src/plain.cu "src/a \"b' c/k \"d' e.cu"
cp src/plain.cu src/-x.cu
cp src/plain.cu src/notes.txt
: >src/nothing.cu
mkfifo src/pipe.cu
mkdir src/folder.cu
ln -s .. src/below/up
ln -s absent.cu src/dangling.cu
ln -s plain.cu src/linked.cu
before=$(find src -printf '%p %s %T@\n' | sort)
ends 0 "7 of 14 files are taken as they are" survey src
says "In them: 9 __global__ functions; files without one: 2"
says "      1  no header absent_thing.h"
says "--include DIR says where headers are"
says "      1  thrust"
says "      1  graphs"
says "      1  not there: cudaNoSuchCall"
says "      1  refused: this declaration of shared memory cannot be read"
says "      1  no.such.thing.u32"
says "  src/refused.cu:2"
says "      this declaration of shared memory cannot be read: one type"
says "another error of the compiler"
holds "    a file a line" is "$(grep -c '^  src/' said)" 7
holds "    nothing steers the terminal" is "$(LC_ALL=C tr -d '\n -~' <said | wc -c)" 0
holds "    80 columns" is "$(awk 'length > 80' said)" ""
holds "the folder is as it was" is "$(find src -printf '%p %s %T@\n' | sort)" "$before"
holds "nothing is left" is "$(ls -A temporary)" ""
ends 0 "2 of 3 files are taken as they are" survey --jobs 1 src/below src/below/ src/plain.cu src/thrust.cu

echo "# CSV"
mkdir some # of these files
cp --parents --no-dereference src/plain.cu src/header.cu src/linked.cu src/ptx.cu "src/a \"b' c/k \"d' e.cu" some
cd some || exit 1
ends 0 "" survey src --format csv --output ../survey.csv
rm said
cd ..
holds "    a line a file" is "$(wc -l <survey.csv)" 6
holds "    taken" is "$(field src/plain.cu 2) $(field src/plain.cu 3)" "1 2"
holds "    not taken" is "$(field src/header.cu 2) $(field src/header.cu 4) $(field src/header.cu 5)" \
    "0 header absent_thing.h"
holds "    a link" is "$(field src/linked.cu 3)" 2
holds "    PTX" is "$(field src/ptx.cu 7 | tr -d '\r')" no.such.thing.u32
holds "    a name with quotes" grep -q "^\"src/a \"\"b' c/k \"\"d' e.cu\",1,2," survey.csv

echo "# options"
echo '#define NUMBER 3' >include/absent_thing.h
ends 0 "1 of 1 files are taken as they are" survey src/header.cu --include include
echo '#if WANTED == 2 && defined OTHER
__global__ void k() {}
#endif' >wanted.cu
ends 0 "In them: 1 __global__ functions" survey wanted.cu --define WANTED=2 --define OTHER
ends 0 "In them: 0 __global__ functions" survey wanted.cu --define WANTED=2
cd src || exit 1
ends 0 "1 of 1 files are taken as they are" survey -- -x.cu
rm said
cd ..

echo "# long lists"
mkdir many
for i in $(seq 25); do echo "#include \"absent_$i.h\"" >"many/m$i.cu"; done
ends 0 "and 5 more reasons: --verbose shows them" survey many
says "and 5 more files: --verbose shows them"
ends 0 "no header absent_25.h" survey many --verbose
holds "    all of them" is "$(grep -c '^  many/' said)" 25

echo "# a compiler that never ends, one that dies, one that is not there"
real=$(command -v "$cxx")
printf '#!/bin/sh\ncase "$*" in *wanted.cu*) while :; do :; done;; esac\nexec "%s" "$@"\n' "$real" >endless
printf '#!/bin/sh\ncase "$*" in *wanted.cu*) kill -9 $$;; esac\nexec "%s" "$@"\n' "$real" >dying
chmod +x endless dying
ends 0 "not done within its CPU time" "$assay" survey wanted.cu --cxx ./endless --limit 1s
says "0 of 1 files are taken as they are"
ends 0 "another error of the compiler" "$assay" survey wanted.cu --cxx ./dying
ends 4 "cannot run nosuch" "$assay" survey src --cxx nosuch
ends 4 "does not compile a kernel of one line" "$assay" survey src --cxx false
"$assay" survey wanted.cu --cxx ./endless --limit 1h >said 2>&1 &
until ls temporary/*/1.log >listed 2>&1; do sleep 0.1; done
kill "$!"
wait "$!"
holds "a signal ends it with 4" is "$?" 4
says "ended by a signal: "
holds "nothing is left" is "$(ls -A temporary)" ""

echo "# what cannot be read"
mkdir src/below/closed
chmod 0 src/below/closed
if [ "$(id -u)" = 0 ]; then
    # Without root's right to read everything.
    bare() { setpriv --bounding-set=-all --inh-caps=-all -- "$@"; }
else
    bare() { "$@"; }
fi
ends 0 "cannot read src/below/closed: Permission denied" bare "$assay" survey --cxx "$cxx" src/below
says "Folders and files that could not be read: 1"
says "1 of 1 files are taken as they are"
chmod 755 src/below/closed

echo "# nothing, and wrong use"
ends 4 "there is no .cu file in src/empty" survey src/empty
ends 4 "cannot read absent: No such file or directory" survey src absent
ends 4 "src/notes.txt is neither a folder nor a .cu file" survey src/notes.txt
ends 4 "survey takes folders of .cu files" survey
ends 4 "cannot make a folder" env TMPDIR=/nonexistent "$assay" survey src
ends 4 "--format does not know" survey src --format json
cp "$assay" alone
ends 4 "there is no assay-cc beside this program" env PATH=/nonexistent ./alone survey src
finish
