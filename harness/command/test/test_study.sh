#!/usr/bin/env bash
# ci/study on a page of three small commands: killed in the middle, run again, and its CSV imported.
#   test_study.sh ASSAY
set -u
assay=$1
tree=$(realpath "$(dirname "$0")/../../..")
build=$(realpath "$(dirname "$1")")
. "$(dirname "$0")/cli.sh"
export OMP_NUM_THREADS=1

page() { # commands: the page tiny.md
    printf '# A page\n\n```sh\nassay no such command\n```\n\n```sh study\n# a word to the reader\n' >tiny.md
    printf '%s\n' "$@" >>tiny.md
    printf '```\n' >>tiny.md
}
study() { "$tree/ci/study" tiny.md --prebuilt "$build" --device host --output out; }
n_runs() { ask out/tiny.db "SELECT count(*) FROM run"; }
first="assay check axpy --axis n=1,5 # 2 sizes"
sizes=$(seq -s, 1 600)
long="assay check axpy --axis n=$sizes"
timed="assay bench physics_loss --variant cpu_omp --axis grid=8x8x4 --axis boundary=periodic --axis time=first_order"
timed+=" --axis vjp=residual --axis pass=both --processes 1 --time 0.01s"

echo "# options and pages"
page "$first"
ends 0 "it leaves out what is finished" "$tree/ci/study" --help
ends 4 "of which case" "$tree/ci/study"
ends 4 "there is no option '--db'" "$tree/ci/study" tiny.md --db x
ends 4 "--output needs a value" "$tree/ci/study" tiny.md --output
ends 4 "one case, not 'axpy' as well" "$tree/ci/study" tiny.md axpy
ends 4 "holds no study" "$tree/ci/study" rationale
ends 4 "holds no study" "$tree/ci/study" no_such
ends 4 "there is no program" "$tree/ci/study" tiny.md --prebuilt nothing --output out

# In the background, until 20 points are finished.
start() { # output folder
    setsid "$tree/ci/study" tiny.md --prebuilt "$build" --device host --output "$1" >first 2>&1 &
    parent=$!
    for ((i = 0; i < 1200; i++)); do
        n=$(ask "$1/tiny.db" "SELECT count(*) FROM verdict" 2>/dev/null || echo 0)
        { [ "$n" -ge 20 ] || ! kill -0 $parent 2>/dev/null; } && break
        sleep 0.05
    done
}
cut_off() { # output folder
    kill -9 -- -$parent
    wait $parent 2>/dev/null
    for ((i = 0; i < 1200; i++)); do flock --nonblock "$1/tiny.done" true && break; sleep 0.05; done
}

echo "# killed in the middle of its second command"
page "$first" "$long" "$timed"
start out
ends 4 "another one is at this study" study
cut_off out
holds "some points of the second run are finished, some are not" is \
    "$(ask out/tiny.db "SELECT count(*) > 0 AND count(*) < 1200 FROM verdict JOIN point USING (point_id) WHERE run_id = 2")" 1
holds "the second run has no end" is "$(ask out/tiny.db "SELECT group_concat(run_id) FROM run_end")" 1

echo "# run again"
ends 0 "3 new runs" study
holds "the first was left out" is "$(grep -c "finished before" said)" 1
holds "the second is one run with its end" is "$(ask out/tiny.db "SELECT count(*) FROM run JOIN run_end USING (run_id)")" 3
holds "every point is finished once" is "$(ask out/tiny.db "SELECT count(*) FROM verdict JOIN point USING (point_id) WHERE run_id = 2")" 1200
ends 0 "finished before" study
holds "nothing ran" is "$(n_runs)" 3

echo "# its files"
ends 0 "3 new runs" "$assay" import out/tiny.csv --db there.db
holds "every point" is "$(ask there.db "SELECT count(*) FROM point")" "$(ask out/tiny.db "SELECT count(*) FROM point")"
holds "and its times" is "$(ask there.db "SELECT count(*) FROM measurement")" "$(ask out/tiny.db "SELECT count(*) FROM measurement")"
for file in tiny.txt tiny.1.html tiny.2.html tiny.3.html; do
    holds "there is $file" test -s "out/$file"
done
holds "the page is that of its run" page_has out/tiny.3.html "$(ask out/tiny.db "SELECT uuid FROM run WHERE run_id = 3")"

echo "# a database that cannot be read"
cp out/tiny.db whole.db
printf 'no database' >out/tiny.db
ends 4 "could not be reported" study
mv whole.db out/tiny.db

echo "# another command, another program, the worst exit status"
page "$first" "assay check axpy --axis n=7" "assay check no_such" "no_such_program"
ends 4 "there is no program" study
holds "one new run" is "$(n_runs)" 4
holds "wrong use is tried again" is "$(study | grep -c "finished before")" 2
mkdir other && cp "$build/assay" "$build"/assay_kernels_host.so other
printf ' ' >>other/assay
ends 4 "" "$tree/ci/study" tiny.md --prebuilt other --device host --output out
holds "another program runs all of it" is "$(n_runs)" 6

echo "# a run is resumed by the command that began it, and not by a command that began none"
page "assay check no_such" "$long"
start theirs
cut_off theirs
ends 4 "there is no case 'no_such'" "$tree/ci/study" tiny.md --prebuilt "$build" --device host --output theirs
holds "it was resumed once" is "$(ask theirs/tiny.db "SELECT group_concat(exit_status) FROM run_end")" 0
holds "and is the only one" is "$(ask theirs/tiny.db "SELECT count(*) FROM run")" 1

echo "# without the database nothing is finished"
page "$first"
ends 0 "1 new runs, 4 points" "$tree/ci/study" tiny.md --prebuilt "$build" --device host --output gone
rm gone/tiny.db
ends 0 "1 new runs, 4 points" "$tree/ci/study" tiny.md --prebuilt "$build" --device host --output gone

echo "# a command that skipped all its points is tried again"
page "assay check axpy --axis n=1 --variant vec4 --shard 9/9" "$first"
skips() { "$tree/ci/study" tiny.md --prebuilt "$build" --device host --output skips; }
ends 0 "exit status 77" skips
ends 0 "exit status 77" skips
holds "only the other one is finished" is "$(skips | grep -c "finished before")" 1

echo "# a program of the build, which is interrupted the first time"
cat >other/mine_host <<'END'
#!/usr/bin/env bash
echo "$COLOUR $*" >>"$(dirname "$0")/words"
[ "$3" != --resume ] || exit 0
"$(dirname "$0")/assay" check axpy --axis n=9 --device host --quiet --db "$2"
kill -9 $$
END
chmod +x other/mine_host
page "$first" "COLOUR=red mine question 7"
mine() { "$tree/ci/study" tiny.md --prebuilt other --device host --output own; }
ends 4 "exit status 137" mine
ends 0 "" mine
holds "it was asked to go on with its run" is "$(cat other/words)" "red --db $folder/own/tiny.db question 7
red --db $folder/own/tiny.db --resume question 7"
printf '#!/usr/bin/env bash\necho "$*" >>%s/early\n[ -e %s/once ] || { touch %s/once; kill -9 $$; }\n' "$folder" "$folder" "$folder" >other/early_host
chmod +x other/early_host
page "$first" "early question"
ends 4 "exit status 137" mine
ends 0 "" mine
holds "one that was cut off before its run began begins" is "$(cat early)" "--db $folder/own/tiny.db question
--db $folder/own/tiny.db question"
finish
