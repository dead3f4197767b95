#!/usr/bin/env bash
# ci/nightly over several nights with one small point: the first night, a slower one, a faster one, and one with a wrong kernel.
#   test_nightly.sh ASSAY MUTANT   MUTANT: a kernel module whose axpy naive is wrong
set -u
assay=$1
mutant=$(realpath "$2")
tree=$(realpath "$(dirname "$0")/../../..")
. "$(dirname "$0")/cli.sh"
export OMP_NUM_THREADS=1
unset ASSAY_NIGHTLY_DB

# A program with one small point: it adds the words of $SELECTION to each run.
mkdir small
cat >small/assay <<END
#!/usr/bin/env bash
case \$1 in
check | bench | gate | profile) exec "$assay" "\$@" \$SELECTION ;;
*) exec "$assay" "\$@" ;;
esac
END
chmod +x small/assay
point="--axis grid=8x9x10 --axis boundary=periodic --axis time=first_order --axis vjp=residual --axis pass=both"
export SELECTION="--variant cpu_omp $point"
night() { "$tree/ci/nightly" --prebuilt small --db kept.db --output out --device host --processes 7 "$@"; }
timed() { night --cases physics_loss; }
# Multiplies all times of the baseline.
scale() {
    sqlite3 kept.db "DROP TRIGGER IF EXISTS measurement_kept; DROP TRIGGER IF EXISTS sample_block_kept;
        CREATE TEMP TABLE scaled AS SELECT measurement_id FROM measurement AS m JOIN point AS p ON p.point_id = m.point_id
            JOIN baselines AS b ON b.run_id = p.run_id;
        UPDATE sample_block SET median_ns = median_ns * $1 WHERE measurement_id IN scaled;
        UPDATE measurement SET median_ns = median_ns * $1, p05_ns = p05_ns * $1, p95_ns = p95_ns * $1
            WHERE measurement_id IN scaled"
}
runs() { ask kept.db "SELECT group_concat(verb, ' ') FROM (SELECT verb FROM run ORDER BY started_utc)"; }

echo "# options"
ends 4 "there is no option '--dbs'" night --dbs x
ends 4 "--db needs a value" "$tree/ci/nightly" --db
ends 4 "there is no program" "$tree/ci/nightly" --prebuilt nothing --db kept.db --output out
ends 4 "must not be tonight.db" "$tree/ci/nightly" --prebuilt small --db out/tonight.db --output out
ends 0 "the database kept between nights" "$tree/ci/nightly" --help

echo "# the first night has nothing to be compared with"
ends 3 "There is no baseline 'main' yet" timed
holds "what was found is kept" is "$(runs)" "check bench"
holds "it was the night that asked" is "$(ask kept.db "SELECT DISTINCT reason FROM run")" nightly
for file in bench.html bench.csv bench.md check.html summary.md gate.log; do
    holds "there is $file" test -s "out/$file"
done
holds "nothing is compared with a night before" test ! -e out/compare.log
ends 0 "main is run 2" "$assay" baseline accept --name main --why "the first night" --db kept.db

echo "# slower than a baseline whose times were made a million times shorter"
scale 1e-6
ends 1 "FAILED: a confirmed regression" timed
holds "all nights are kept, with the repetition" is "$(runs)" "check bench check bench bench"
holds "the summary says so" grep -qF "exit status 1" out/summary.md
holds "and why" grep -qE "^  SLOWER +physics_loss/cpu_omp" out/summary.md
holds "the night before is told of" test -s out/compare.md
holds "and so is the history" test -s out/history.log
holds "the page is that of the timing run" page_has out/bench.html "$(ask out/night.db "SELECT uuid FROM run WHERE run_id = 4")"

echo "# faster than a baseline whose times were made far longer"
scale 1e12
ends 0 "gate main: passed" timed
holds "the logs of the night before are gone" is "$(grep -c "confirmed regression" out/gate.log)" 0

echo "# a database that cannot be read ends the night before it begins"
n=$(runs)
cp kept.db whole.db
printf 'no database' >kept.db
ends 4 "cannot be read" timed
mv whole.db kept.db
holds "nothing was lost" is "$(runs)" "$n"

echo "# the next night keeps the results of an interrupted one"
n=$(ask kept.db "SELECT count(*) FROM run")
ends 0 "" "$assay" check axpy --axis n=64 --device host --quiet --db out/tonight.db
SELECTION="--axis n=1000"
ends 0 "" night --cases axpy
holds "its run and tonight's two are there" is "$(ask kept.db "SELECT count(*) FROM run")" $((n + 3))
printf 'no database' >out/tonight.db
ends 4 "cut off and cannot be merged" night --cases axpy
holds "it was left where it is" is "$(cat out/tonight.db)" "no database"
rm out/tonight.db

echo "# a wrong kernel, and one that cannot be timed here"
SELECTION="--axis n=1000"
ends 0 "nothing to compare" night --cases axpy
SELECTION="--axis n=1000 --kernels $mutant"
ends 2 "WRONG_VALUE" night --cases axpy
holds "is told first in the summary" grep -qE "^check +2 " out/summary.md
SELECTION="--axis n=1000 --variant no_such"
ends 4 "no_such" night --cases axpy
finish
