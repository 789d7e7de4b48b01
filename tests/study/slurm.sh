#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 45 s
# A study on a Slurm cluster: slurmctld and two slurmd on this machine, with separate ports, and a munged with its own key. A task is
# requeued, a node is killed, and results are collected meanwhile. The database equals that of the same study run locally.
. tests/lib.bash
. tests/study.bash
MEMTWIN=$(realpath "$MEMTWIN")

# skip WHY: a missing prerequisite is not a failure of the program
skip() {
    echo "no Slurm here, nothing is tested: $*"
    exit 0
}
[ "$(id -u)" = 0 ] || skip "slurmctld and slurmd want to be root"
for program in munged slurmctld slurmd sbatch squeue scontrol; do
    PATH=$PATH:/usr/sbin command -v $program >/dev/null || skip "$program is not installed"
done
PATH=$PATH:/usr/sbin
unset "${!SLURM@}" "${!SBATCH@}" "${!SQUEUE@}"
cd "$work"
mkdir cluster "a study"
cluster=$work/cluster
chmod 755 "$work" cluster # munged requires this
export SLURM_CONF=$cluster/slurm.conf

node() { # NAME: prints the node's processes: slurmd, the parents of its jobs, which would report their end, and their children
    local pid jobs
    jobs=$(grep -lzxF "SLURM_CONF=$SLURM_CONF" /proc/[0-9]*/environ 2>/dev/null | xargs -r grep -lzxF "SLURMD_NODENAME=$1" 2>/dev/null | cut -d/ -f3)
    cat "$cluster/$1.pid"
    for pid in $jobs; do
        pid=$(awk '/^PPid:/ { print $2 }' "/proc/$pid/status")
        [[ $(cat "/proc/${pid:-0}/comm") != slurmstepd ]] || echo "$pid"
    done
    echo "$jobs"
} 2>/dev/null
stop_cluster() {
    kill -9 $(cat "$cluster"/{slurmctld,munged}.pid) $(node node1) $(node node2)
    rm -rf "$work"
} 2>/dev/null
trap stop_cluster EXIT
trap 'exit 130' INT TERM HUP

start_cluster() {
    local port=$((20000 + RANDOM % 30000)) me
    me=$(id -un)
    head -c 128 /dev/urandom >cluster/key
    chmod 400 cluster/key
    munged --force --key-file="$cluster/key" --socket="$cluster/munge" --pid-file="$cluster/munged.pid" --log-file="$cluster/munged.log" \
        --seed-file="$cluster/seed" 2>&1 || return 1
    cat >"$SLURM_CONF" <<CONF
ClusterName=memtwin
SlurmctldHost=$(hostname)(127.0.0.1)
SlurmctldPort=$port
SlurmUser=$me
SlurmdUser=$me
AuthType=auth/munge
AuthInfo=socket=$cluster/munge,cred_expire=5
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0
StateSaveLocation=$cluster/state
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmctldLogFile=$cluster/slurmctld.log
SlurmdSpoolDir=$cluster/%n
SlurmdPidFile=$cluster/%n.pid
SlurmdLogFile=$cluster/%n.log
SlurmdTimeout=5
KillWait=1
ReturnToService=2
NodeName=node1 NodeHostname=$(hostname) NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=1
NodeName=node2 NodeHostname=$(hostname) NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=1
PartitionName=all Nodes=ALL Default=YES State=UP
CONF
    mkdir cluster/state cluster/node1 cluster/node2
    slurmctld -i 2>&1 && slurmd -N node1 2>&1 && slurmd -N node2 2>&1
}
why=$(start_cluster | tail -n 1)
until_true() { # SECONDS COMMAND
    local end=$((SECONDS + $1))
    until eval "$2"; do
        [ $SECONDS -lt $end ] || return 1
        sleep 0.1
    done
}
until_true 60 '[ "$(sinfo --noheader --states=idle --format=%D 2>/dev/null)" = 2 ]' ||
    { complain "Slurm's daemons do not come up: $why: $(tail -qn 2 "$cluster"/*.log)" && finish; }

cat >"a study/it's.ini" <<'END2'
[study]
config = tiny
workload = bfs:8192 atax:128 gemm:64 hotspot:128,2
check = yes
detail = yes
baseline = small
[scheme small]
l1d.mshr = static
[scheme dl]
l1d.mshr = dl
[axis]
l1d.ways = 2 4 8
END2
cd "a study"
db="it's.db" tasks="it's.tasks"
ended() { # DB: prints the number of finished runs
    [ ! -s "$1" ] && echo 0 || sql "$1" "SELECT count(*) FROM run WHERE state IN ('done', 'failed')" 2>/dev/null
}
queued() { squeue --noheader --array --format='%K %T %N' "$@"; }

expect 0 "$MEMTWIN" study "it's.ini" --slurm --tasks 4 --partition all --sbatch '--time=10'
cat "$work/out"
task_on() { queued --states=running | awk -v node="$1" '$3 == node { print $1 }'; }
until_true 60 'first=$(task_on node1); [ -n "$first" ] && [ "$(ended "$tasks/$first.db")" -gt 1 ]' ||
    complain "no task has come to its second run: $(queued; tail -n 3 "$tasks"/*.log)"

# ---- A node is lost, with all its processes ----
other=$(task_on node2)
kill -9 $(node node1) 2>/dev/null
echo "node1 killed with task $first on it, $(ended "$tasks/$first.db") of its 6 runs have ended"
sql "$tasks/$first.db" "SELECT identity, started FROM run WHERE state = 'done' ORDER BY identity" >before
expect 0 "$MEMTWIN" study --collect "$db"
cat "$work/out"
[ "$(ended "$db")" -ge "$(wc -l <before)" ] || complain "the results of the lost task were not collected"
expect_line 1 "is still in the queue" "$MEMTWIN" study "it's.ini" --slurm

# ---- A task is requeued by hand ----
[ -z "$other" ] || expect 0 scontrol requeue "$(squeue --noheader --array --format='%A %K' | awk -v k="$other" '$2 == k { print $1 }')"

until_true 240 '! queued | grep -q .' || complain "tasks do not end: $(queued; tail -n 3 "$tasks"/*.log)"
grep -h -e 'Node node1\|node1 not resp\|Requeuing\|requeu' "$cluster/slurmctld.log" | sed 's/^\[[^]]*\] //' | sort | uniq -c | head
expect 0 "$MEMTWIN" study --collect "$db"
cat "$work/out"
expect 0 "$MEMTWIN" study --collect "$db"
is "twice" "$db: 0 results from 0 tasks, 0 tasks still running" "$(cat "$work/out")"
is "all" "done 24" "$(states "$db")"
whole "$db"
is "not run again" "" "$(comm -23 before <(sql "$db" 'SELECT identity, started FROM run ORDER BY identity'))"
expect 0 "$MEMTWIN" study "it's.ini" -o here.db -q
same here.db "$db"
expect 0 "$MEMTWIN" study "it's.ini" --slurm
is "nothing to do" "it's: 24 runs, nothing to do; $MEMTWIN study --list 'it'\\''s.db'" "$(cat "$work/out")"
cat "$tasks"/*.log
finish
