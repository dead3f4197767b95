#!/usr/bin/env bash
# ci/slurm on a Slurm that the test starts: one machine, a private configuration, nothing of the system's Slurm.
#   test_slurm.sh ASSAY CI_SLURM WRONG_MODULE
# Ends with 77 where Slurm is not installed.
set -u
assay=$1
slurm=$(realpath "$2") || exit 1
wrong_module=$(realpath "$3") || exit 1
for program in munged slurmctld slurmd sbatch sinfo; do
    PATH=$PATH:/usr/sbin command -v $program >/dev/null || { echo "skipped: no $program (Debian: slurm-wlm)"; exit 77; }
done
. "$(dirname "$0")/cli.sh"
PATH=$PATH:/usr/sbin

# ---- the cluster ----

stop() {
    local name
    for name in slurmd slurmctld munged; do
        [ -s "$folder/$name.pid" ] && kill "$(cat "$folder/$name.pid")" 2>/dev/null
    done
    for name in slurmd slurmctld munged; do
        for _ in {1..300}; do
            [ -s "$folder/$name.pid" ] && kill -0 "$(cat "$folder/$name.pid")" 2>/dev/null || break
            sleep 0.1
        done
    done
    rm -rf "$folder"
}
trap stop EXIT

ports() {
    python3 -c '
import socket
sockets = [socket.socket() for _ in range(2)]
for s in sockets: s.bind(("127.0.0.1", 0))
print(*(s.getsockname()[1] for s in sockets))'
}

configure() { # node controller_port node_port
    cat <<EOF
ClusterName=private
SlurmctldHost=$1(127.0.0.1)
SlurmctldPort=$2
SlurmdPort=$3
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
CredType=cred/munge
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
ReturnToService=2
MinJobAge=300
SchedulerParameters=sched_interval=1,batch_sched_delay=0
NodeName=$1 NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=$1 Default=YES MaxTime=INFINITE State=UP
EOF
}

start() {
    local node controller_port node_port
    node=$(hostname -s)
    read -r controller_port node_port < <(ports)
    mkdir state spool
    chmod 755 "$folder"
    (umask 077 && head -c 1024 /dev/urandom >munge.key)
    configure "$node" "$controller_port" "$node_port" >slurm.conf
    export SLURM_CONF=$folder/slurm.conf
    munged --force --key-file="$folder/munge.key" --socket="$folder/munge.socket" --pid-file="$folder/munged.pid" \
        --log-file="$folder/munged.log" --seed-file="$folder/munged.seed" || return 1
    slurmctld -f slurm.conf && slurmd -f slurm.conf -N "$node" -b || return 1
    for _ in {1..1500}; do # minutes: on a busy machine this takes long
        [ "$(sinfo -h -o %T 2>/dev/null)" = idle ] && return 0
        sleep 0.2
    done
    tail -n 20 slurmctld.log slurmd.log 2>/dev/null
    return 1
}

holds "a private Slurm starts" start || { finish; exit 1; }

# ---- runs ----

verdicts() { ask "$1" "SELECT key || ' ' || verdict || ' ' || outcome FROM verdicts ORDER BY key"; }
submit() { timeout 900 "$slurm" --assay "$assay" --wait "$@"; }

echo "# a check in three shards"
export TMPDIR=$folder/disk
mkdir disk
ends 0 "3 shards of 'assay check axpy" submit --shards 3 --output three -- check axpy --device host --quiet --axis n=1,5,64,100
"$assay" check axpy --device host --quiet --axis n=1,5,64,100 --db once.db
holds "the same points with the same verdicts as in one" is "$(verdicts three/assay.db)" "$(verdicts once.db)"
holds "each shard was a run of its own" is "$(ask three/assay.db "SELECT count(*) FROM run")" 3
holds "each had something to do" is "$(ask three/assay.db "SELECT count(DISTINCT run_id) FROM verdicts")" 3
holds "the status" is "$(cat three/status)" 0
holds "the report tells of all" is "$(grep -c '^Assay report' three/report.txt)" 3
holds "the CSV has a line for each point, and one header" is "$(wc -l <three/results.csv)" \
    "$(($(verdicts once.db | wc -l) + 1))"
ends 0 "3 new runs" "$assay" import three/results.csv --db again.db
ends 0 "whole" "$assay" doctor --db three/assay.db
holds "nothing is left on the node's disk" is "$(ls disk)" ""
holds "databases were there, not in the common folder" grep -q "database in $folder/disk/assay\." three/shard_1.log

echo "# failures, and shards without points"
ends 2 "" submit --shards 2 --output wrong -- check axpy --device host --quiet --axis n=5,64 --kernels "$wrong_module"
holds "the status" is "$(cat wrong/status)" 2
holds "the failing points are there" [ "$(ask wrong/assay.db "SELECT count(*) FROM verdicts WHERE outcome = 'failed'")" -gt 0 ]
ends 0 "" submit --shards 3 --output few -- check axpy --device host --quiet --axis n=5
holds "empty shards are no failure" is "$(cat few/shard_{1,2,3}.status | xargs)" "0 77 77"
ends 77 "" submit --shards 2 --output none -- profile axpy --device host --axis n=5
holds "nothing came of it" [ ! -e none/assay.db ]
ends 4 "" submit --shards 2 --output broken -- check axpy --device host --quiet --axis m=5
holds "its log says why" grep -q "no selected case has an axis 'm'" broken/shard_1.log

echo "# a task that is lost, and one that takes too long"
cat >fragile <<EOF
#!/usr/bin/env bash
case "\$*" in
*"--shard 2/3"*) kill -9 \$PPID ;; # kills the batch script, as if the node died
*"--shard 3/3"*) "$assay" "\$@"; kill -TERM \$PPID; exec sleep 60 ;; # as Slurm does a minute before the end
esac
exec "$assay" "\$@"
EOF
chmod +x fragile
ends 4 "" timeout 900 "$slurm" --assay fragile --wait --shards 3 --output lost -- \
    check axpy --device host --quiet --axis n=1,5,64,100
holds "the lost one is named" grep -q "shard 2 left nothing: see .*/lost/shard_2.log" lost/merge.log
holds "the late one is named" grep -q "the time is up" lost/shard_3.log
holds "what the others had is there" is "$(ask lost/assay.db "SELECT count(DISTINCT run_id) FROM verdicts")" 2
holds "the status" is "$(cat lost/status)" 4

echo "# wrong"
ends 4 "is not empty" submit --shards 2 --output three -- check axpy
ends 4 "--shards takes a number" submit --shards 0 --output x -- check axpy
ends 4 "check, bench, run or profile" submit --shards 2 --output x -- report
ends 4 "ci/slurm's own" submit --shards 2 --output x -- check --db y.db
ends 4 "there is no option '--shard'" submit --shard 2
ends 4 "there is no program" "$slurm" --assay nothing --shards 2 --output x -- check
ends 4 "" submit --shards 2 --output y --sbatch "--partition=nowhere" -- check axpy
holds "nothing was made" [ ! -e x ]
finish
