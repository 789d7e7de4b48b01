#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Shows that a change alters no statistic of any run. Runs the program of a git revision and that of this tree, and compares their output,
# their files and their exit codes. Ignores only the version, the commit and host-dependent values.
#
#   tests/identical.sh [--fast] [--only REGEX] [REVISION]      REVISION is HEAD by default; only runs whose line matches REGEX are made
#
# JOBS=n: parallel runs (default 2). PROGRAM=path: program to use instead of REVISION's. MEMTWIN=path: program to use instead of this
# tree's, which is otherwise built first. SHOW=n: number of differing runs to show (default 10). LIST=1: only prints the runs.
#
# The runs are: every workload of tests/gpu/small_kernels.txt on every configuration; every policy, scheme and output below with every
# workload, half of them on `tiny` and half on a machine of the papers (--fast uses four workloads, which vary); each key at and beyond its
# limits; planted faults; traces; the DRAM channel alone. A new key or policy gets its runs automatically when REVISION has it. The program of
# REVISION is built in build/identity/COMMIT/tree, and its results are cached beside it (one checksum per run), so that a second call runs only
# the new program. The exit code is 1 if something differs, a run has a wrong exit code, or nothing was compared.
set -euo pipefail
. "$(dirname "$0")/../tb/env.bash"

# Contexts in which a key matters: key or pattern | machine in addition to tiny | options for both, after those that the key needs (memtwin list
# keys). A key may have several lines.
CONTEXTS='
sm.scheduler       | fermi15   |
sm.coalesce        | maxwell16 |
l1d.bypass_full    | fermi15   | -s l1d.bypass=global -s l1d.bypass_slots=8
l1d.bypass         | fermi15   |
l1d.ucp_cycles     | maxwell16_cke |
l1d.mdb_*          | fermi15   | -s l1d.mdb_interval=60
l1d.mrpb_*         | cart28    | -s l1d.mrpb_queues=16 -s l1d.bypass=line
l1d.set_index      | fermi15   | -s l1d.sets=32
l1d.dl_*           | pascal28  | -s l1d.dl_pools=shared
l2.set_index       | pascal28  | -s l2.sets=32
l2.sectored        | gtx480    | -s sm.coalesce=sector
l2.incoming_hold   | cart28    | -s l2.incoming=cart
l2.incoming_hold   | cart28    | -s l2.incoming=bank_queues -s l2.bank_queues=4
l2.incoming        | cart28    |
l2.partition_map   | cart28    | -s l2.partitions=16
sm.model           | gtx480    |
dram.*             | fermi_base |
cke.*              | maxwell16_cke | -s sim.max_cycles=20000
uvm.mode           | farfault15| --check
uvm.service        | farfault15| -s uvm.memory_percent=60 -s uvm.prefetch=locality
uvm.prefetch       | farfault15| -s uvm.memory_percent=60 -s uvm.service=set
uvm.prefetch       | hpe15     |
uvm.prefetch_full  | farfault15| -s uvm.memory_percent=60 -s uvm.prefetch=sl64
uvm.set_pages      | farfault15| -s uvm.memory_percent=60 -s uvm.service=set
uvm.seed           | farfault15| -s uvm.memory_percent=60 -s uvm.evict=random
uvm.*              | farfault15| -s uvm.memory_percent=60
uvm.evict          | hpe15     | -s uvm.memory_percent=75 -s tlb.l1_entries=4 -s tlb.l2_entries=0
pcie.copy_slow_kib | uvm28     | -s uvm.mode=copy -s pcie.model=curve
pcie.*             | farfault15| -s uvm.mode=paged -s uvm.memory_percent=60
tlb.*              | hpe15     | -s uvm.memory_percent=60
gmmu.cache_*       | hpe15     | -s uvm.memory_percent=60
gmmu.*             | hpe15     | -s uvm.memory_percent=60 -s uvm.evict=hpe -s tlb.l1_entries=4
cap.*              | uvm28     | -s uvm.memory_percent=0 -s uvm.memory_pages=16 -s uvm.prefetch=cap -s uvm.prefetch_full=cap
ture.*             | uvm28     | -s uvm.memory_pages=16 -s tlb.l1_entries=4
hir.*              | hpe15     | -s uvm.memory_percent=60 -s tlb.l1_entries=4
hpe.*              | hpe15     | -s uvm.memory_percent=60 -s tlb.l1_entries=4
sim.skip           | titanx    | -s l1d.mshr=dl -s l2.mshr=dl
sim.skip           | hpe15     | -s uvm.mode=paged -s uvm.memory_percent=60 -s uvm.evict=hpe
l2.*               | cart28    |
mil.*              | maxwell16_cke |
rrip.*             | hpe15     | -s uvm.memory_percent=60
clock_pro.*        | hpe15     | -s uvm.memory_percent=60
sm.lsu_latency     | gtx480    |
sm.*               | titanx    |
icache.*           | gtx480    |
*                  | pascal28  |
'

# Values that satisfy conditions "key!=value".
declare -A OTHER=([l1d.bypass]=stall [l1d.mrpb_queues]=16 [icache.sets]=4 [sm.fetch]=1 [gmmu.cache_lines]=8 [uvm.memory_percent]=60 [l1d.banks]=4)

# Combinations of keys, as in the experiments and tests/gpu/skip.sh, and outputs: machine in addition to tiny | options.
SCHEMES='
pascal28   | -s l1d.mshr=dl -s l2.mshr=dl --check
pascal28   | -s l1d.mshr=dl -s l2.mshr=dl -s l1d.allocate=fill -s l2.allocate=fill
pascal28   | -s l1d.mshr=dl -s l1d.dl_pools=shared -s l1d.dl_tail=0 -s l2.mshr=dl -s l2.dl_tail=0
pascal28   | -s l1d.mshr_entries=2 -s l1d.mshr_slots=1 -s l2.mshr_entries=2 -s l2.mshr_slots=1
pascal28   | -s l1d.mshr_entries=256 -s l1d.mshr_slots=64 -s l2.mshr_entries=256 -s l2.mshr_slots=32
pascal28   | -s l1d.mshr=dl -s l1d.dl_pools=shared -s l1d.dl_reserved_heads=0 -s l2.mshr=unlimited
pascal28   | -s l1d.write=wbwa -s l1d.bypass=stall -s l1d.allocate=fill --check
pascal28   | -s l1d.write=local_wb -s l2.write=wbwa -s l2.write_fetch=lazy --check
cart28     | -s l2.incoming=cart -s icnt.flit_bytes=136 --check
cart28     | -s l2.incoming=cart -s l2.incoming_hold=no -s l2.cart_age_limit=16
cart28     | -s l2.incoming=cart -s l2.cart_fill=branch -s l2.cart_column_lines=2 -s icnt.flit_bytes=136 --check
cart28     | -s l2.incoming=cart -s l2.cart_rows=1 -s l2.cart_cols=1 -s l2.cart_depth=1
cart28     | -s l2.incoming=cart -s l2.cart_rows=8 -s l2.cart_cols=4 -s l2.cart_depth=4 -s icnt.flit_bytes=136
cart28     | -s l2.incoming=cart -s l1d.mrpb_queues=16 -s l1d.bypass=line -s l1d.mrpb_drain=lowest
cart28     | -s l2.incoming=cart -s l1d.bypass=stall -s l2.bypass=stall -s l2.mshr_entries=2
cart28     | -s l2.incoming=bank_queues -s l2.bank_queues=2 -s l2.bank_queue_depth=128
cart28     | -s l2.incoming=bank_queues -s l2.bank_queues=4 -s l2.incoming_hold=no -s icnt.flit_bytes=136
cart28     | -s l2.incoming=nonblocking -s l2.in_queue=64 -s icnt.flit_bytes=136
cart28     | -s l1d.mrpb_queues=4
fermi15    | -s l1d.bypass=mdb_local -s l1d.mdb_interval=60 -s l1d.mdb_scale=no -s l1d.mdb_failures=accesses
fermi15    | -s l1d.bypass=mdb_global -s l1d.mdb_interval=60 -s l1d.bypass_slots=8 -s sm.scheduler=lrr --check
fermi15    | -s l1d.bypass=mdb_local -s l1d.mdb_interval=200 -s l1d.enabled=yes -s sm.scheduler=two_level --detail
fermi15    | -s l1d.bypass=static -s l1d.cache_users=0
fermi15    | -s sm.scheduler=swl -s sm.active_warps=1 -s l1d.bypass=pdp -s l1d.protect_distance=4 -s l1d.bypass_slots=2
fermi15    | -s clock.sm_mhz=1400 -s clock.icnt_mhz=1400
gtx480     | -s icnt.latency=900 -s l1d.hit_latency=300
gtx480     | -s l1d.enabled=no -s dram.scheduler=fcfs -s dram.model=simple
titanx     | -s dram.buses=2 -s dram.streak_cap=0 -s dram.refi=1000 -s dram.rfc=100
titanx     | -s icnt.in_queue=1 -s icnt.out_queue=1 -s l1d.miss_queue=1 -s l1d.response_queue=1 -s l2.reply_queue=1 -s l2.evict_buffer=1
farfault15 | -s uvm.mode=paged --check --detail
farfault15 | -s uvm.mode=paged -s uvm.memory_percent=60 -s uvm.faults=blocking -s uvm.fault_us=5 --detail
farfault15 | -s uvm.mode=paged -s uvm.far_faults=1 -s uvm.memory_pages=8 -s uvm.fault_us=1 -s tlb.l1_misses=4 -s tlb.l1_waiting=9
farfault15 | -s uvm.mode=paged -s uvm.memory_percent=60 -s uvm.prefetch=oracle -s uvm.service=set -s uvm.prefetch_full=locality
farfault15 | -s uvm.mode=paged -s uvm.memory_percent=50 -s uvm.prefetch=tree -s uvm.prefetch_full=tree -s uvm.evict=tree
farfault15 | -s uvm.mode=paged -s uvm.memory_percent=50 -s uvm.prefetch=sl64 -s uvm.prefetch_full=sl64 -s uvm.evict=sl64
farfault15 | -s uvm.mode=copy -s pcie.model=curve --check --detail
hpe15      | -s uvm.mode=paged -s uvm.memory_percent=60 -s uvm.evict=hpe -s uvm.write_back=dirty --check
hpe15      | -s uvm.mode=paged -s uvm.memory_percent=70 -s uvm.evict=hpe -s hir.sets=1 -s hir.ways=1 -s hir.transfer_interval=70 -s tlb.l1_entries=4 -s tlb.l2_entries=0
hpe15      | -s uvm.mode=paged -s uvm.memory_percent=50 -s uvm.evict=hpe -s hpe.set_pages=8 -s hpe.interval=8 -s hpe.transfer=1 -s gmmu.report_replays=yes
hpe15      | -s uvm.mode=paged -s uvm.memory_percent=50 -s uvm.evict=hpe -s hpe.hits=ideal -s hpe.strategy=mru_c
hpe15      | -s uvm.mode=paged -s uvm.memory_percent=50 -s uvm.evict=rrip -s rrip.insert=distant
hpe15      | -s uvm.mode=paged -s uvm.memory_percent=50 -s uvm.evict=clock_pro -s clock_pro.cold=4
hpe15      | -s uvm.mode=paged -s tlb.l2_entries=0 -s gmmu.walkers=1 -s gmmu.walk_queue=1 -s gmmu.cache_lines=8 -s gmmu.walk_merge=no
cart28     | -s uvm.mode=paged -s uvm.memory_percent=70 -s l1d.mrpb_queues=16 -s l1d.bypass=line -s l2.incoming=cart --detail
gtx480     | --check
titanx     | --detail --csv run.csv
maxwell16  | --csv run.csv --sample 700 --series series.csv
maxwell16  | -s sim.max_cycles=1777 --sample 100 --series series.csv --detail
pascal28   | -s sim.skip=no --sample 500 --series series.csv
hpe15      | -s uvm.mode=paged -s uvm.memory_percent=60 --sample 5000 --series series.csv --csv run.csv --detail
'

# Planted faults: exit code | workload and options, on tiny. Each value of sim.planted_fault must be here.
PLANTS='
4 | bfs:512 --check -s sm.count=4 -s l1d.sets=256 -s l1d.ways=4 -s sim.planted_fault=lose_store
4 | bfs:512 --check -s sm.count=4 -s l1d.sets=256 -s l1d.ways=4 -s sim.planted_fault=stale_line
4 | bfs:512 --check -s sm.count=4 -s l1d.sets=256 -s l1d.ways=4 -s sim.planted_fault=double_reply
4 | bfs:512 --check -s sm.count=4 -s l1d.sets=256 -s l1d.ways=4 -s sim.planted_fault=lose_lane
5 | bfs:512 -s sim.planted_fault=lose_reply
5 | bfs:512 -s sim.planted_fault=lose_reply -s l1d.mshr=dl -s l2.mshr=dl -s l2.incoming=cart -s sim.no_progress_cycles=2000
5 | atax:64 -s sim.planted_fault=lose_reply -s l1d.mrpb_queues=16 -s l1d.bypass=mdb_local -s l2.incoming=nonblocking -s sim.skip=no
4 | sssp:512 --check -s sim.planted_fault=lost_update
4 | mvt:64 --check -s uvm.mode=paged -s uvm.memory_percent=50 -s sim.planted_fault=no_shootdown
4 | bfs:512 --check -s uvm.mode=paged -s uvm.memory_percent=50 -s sim.planted_fault=lose_page
4 | mvt:64 --check -s uvm.mode=paged -s uvm.memory_percent=50 -s sim.planted_fault=keep_lines
4 | bfs:512 --check -s uvm.mode=paged -s uvm.memory_percent=50 -s sim.planted_fault=lose_frame
5 | mvt:64 -s uvm.mode=paged -s uvm.memory_percent=50 -s sim.planted_fault=lose_arrival -s sim.no_progress_cycles=2000
2 | bfs:512 -s sim.planted_fault=wrong_bank -s sim.check_hash=yes
2 | bfs:512 -s sim.planted_fault=wrong_rest -s sim.check_hash=yes
4 | bfs:512 -s sim.planted_fault=wrong_set -s sim.check_hash=yes
4 | atax:192 -s uvm.mode=paged -s uvm.memory_percent=50 -s uvm.prefetch=cap -s sim.planted_fault=wrong_size
4 | atax:192 -s uvm.mode=paged -s uvm.memory_percent=50 -s uvm.evict=ture -s ture.table=2 -s ture.unit=accesses -s sim.planted_fault=lose_expiry
1 | addvect:256 -s uvm.mode=paged -s sim.planted_fault=lose_frame --check
'

die() {
    echo "identical: $*" >&2
    exit 1
}

# ---- The runs, one per line: exit code, or - if it must only be equal, then commands of the program separated by ` ; ` ----

run_line() { # CODE CONFIG WORKLOAD OPTION...
    local code=$1 config=$2 workload=$3
    shift 3
    echo "$code run -c $config -w $workload --json run.json $*"
}

# variant MACHINE OPTION...: adds runs with these options for the workloads, alternately on that machine and on tiny. leukocyte is cut off, since
# its smallest size takes as long as thirty others.
variants=0
variant() {
    local machine=$1 i n=${#WORKLOADS[@]} count=${#WORKLOADS[@]} config w cut
    shift
    [ -z "$fast" ] || count=4
    for ((i = 0; i < count; i++)); do
        config=tiny
        [ $(((i + variants) % 2)) = 0 ] || config=$machine
        w=${WORKLOADS[$(((i * (n / count) + variants) % n))]}
        cut=
        [[ $w != leukocyte* ]] || cut='-s sim.max_cycles=100000'
        run_line 0 "$config" "$w" $cut "$@"
    done
    variants=$((variants + 1))
}

# needed KEY: adds to `options` what the key needs, and what those keys need; takes the first alternative, or the one that OTHER has a value for
declare -A needs=()
needed() {
    local condition key value wants=${needs[$1]:-}
    while read -r condition; do
        [ -n "$condition" ] || continue
        [[ $condition != *'!='* || $condition != *' or '* ]] || condition=${condition##* or }
        condition=${condition%% or *}
        key=${condition%%[=!]*} value=${condition#*=}
        needed "$key"
        [[ $condition != *'!='* ]] || value=${OTHER[$key]:-}
        [ -z "$value" ] || options+=" -s $key=${value%%|*}"
    done <<<"${wants//, /$'\n'}"
}

# settings KEY VALUE...: adds a variant for each value, in each context of the key.
settings() {
    local key=$1 found= pattern machine context value options
    shift
    while IFS='|' read -r pattern machine context; do
        pattern=${pattern// /}
        [ -n "$pattern" ] && [[ $key = $pattern ]] || continue
        [ -z "$found" ] || [ "$found" = "$pattern" ] || continue # only the first matching pattern, with all its lines
        found=$pattern options=
        needed "$key"
        options+=" $context"
        for value; do variant ${machine// /} $options -s "$key=$value"; done
    done <<<"$CONTEXTS"
}

# policies_of KEY RANGE: sets `values` to the key's values if it selects a policy or enables a feature
declare -A policies=()
policies_of() {
    values=
    case $1 in
    sim.planted_fault) ;;
    uvm.prefetch*) values=${policies[uvm.prefetch]} ;;
    *)
        if [[ $2 = *'|'* ]]; then
            values=${2//|/ }
        elif [[ $2 = 0..[12] ]]; then
            values=$(seq 0 "${2#*..}")
        else
            values=${policies[$1]:-}
        fi
        ;;
    esac
}

# options_of KEY: sets `options` to what the key needs, and to the options of the first pattern that matches its beginning
options_of() {
    local pattern context
    options=
    needed "$1"
    while IFS='|' read -r pattern _ context; do
        pattern=${pattern// /}
        [[ ${pattern%\*} = '' || $1 != "${pattern%\*}"* ]] || break
        context=
    done <<<"$CONTEXTS"
    options+=" $context"
}

workload_lines() {
    local config w
    for config in "${CONFIGS[@]}"; do
        for w in "${WORKLOADS[@]}"; do run_line 0 "$config" "$w"; done
    done
}

policy_lines() {
    local key range values
    while read -r key range; do
        policies_of "$key" "$range"
        [ -z "$values" ] || settings "$key" $values
    done <"$lists/keys.range"
}

scheme_lines() {
    local machine options
    while IFS='|' read -r machine options; do
        [ -z "$machine" ] || variant ${machine// /} $options
    done <<<"$SCHEMES"
}

# Prints short runs with each key at its least and greatest value, and at illegal values.
limit_lines() {
    local key range value w n=0 options
    while read -r key range; do
        w=${WORKLOADS[$((n++ % ${#WORKLOADS[@]}))]}
        echo "1 run -c tiny -w $w -s $key=no_such_value"
        [[ $range =~ ^([0-9]+)\.\.([0-9]+)$ ]] || continue
        echo "1 run -c tiny -w $w -s $key=$((BASH_REMATCH[2] + 1))"
        options_of "$key"
        for value in "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"; do
            run_line - tiny "$w" $options -s sim.max_cycles=20000 -s "$key=$value"
        done
    done <"$lists/keys.range"
    echo "1 run -c tiny -w bfs:512 -s l1d.no_such_key=1"
}

plant_lines() {
    local code options value
    while IFS='|' read -r code options; do
        [ -z "$code" ] || run_line ${code// /} tiny $options
    done <<<"$PLANTS"
    for value in $(awk '$1 == "sim.planted_fault" { print $2 }' "$lists/keys.range" | tr '|' ' '); do
        [ "$value" = none ] || grep -qE "sim.planted_fault=$value( |\$)" <<<"$PLANTS" || die "sim.planted_fault=$value is not in PLANTS of $0"
    done
}

# Prints runs with traces of every second workload (--fast: every tenth) and of every synthetic kernel.
trace_lines() {
    local i kind xz='' w config
    for ((i = 0; i < ${#WORKLOADS[@]}; i += fast ? 10 : 2)); do
        w=${WORKLOADS[i]}
        config=${CONFIGS[$((i / 2 % ${#CONFIGS[@]}))]}
        [ -n "$xz" ] && xz= || xz=--xz
        echo "0 trace export -w $w -o trace $xz ; trace check -t trace/kernelslist.g ; run -c $config -t trace/kernelslist.g --json run.json"
    done
    for kind in vecadd vecadd16 divergent random; do
        for config in titanx gtx480; do
            echo "0 trace make $kind -o trace --warps 64 --scale 2 ; run -c $config -t trace/kernelslist.g --json run.json --detail"
        done
    done
}

# Prints runs of the DRAM channel alone, with each configuration and each channel policy.
dram_lines() {
    local config requests options
    for requests in rows random mixed; do
        for config in "${CONFIGS[@]}"; do
            for options in '' '-s dram.model=simple -s dram.scheduler=fcfs' '-s dram.buses=2' '-s dram.streak_cap=0 -s dram.refi=1000 -s dram.rfc=100'; do
                echo "0 dram -c $config -t ../$requests --commands commands --json run.json $options"
            done
        done
    done
}

write_requests() { # DIR
    awk 'BEGIN { for (i = 0; i < 1000; i++) printf "0 R %x\n", int(i / 16) * 65536 + int(i % 16 / 2) * 8192 + i % 2 * 256 }' >"$1/rows"
    awk 'BEGIN { x = 7; for (i = 0; i < 1000; i++) { x = (x * 69069 + 1) % 16777216; printf "%d %s %x\n", i * 3, x % 3 ? "R" : "W", x } }' >"$1/random"
    awk 'BEGIN { for (i = 0; i < 1000; i++) printf "%d %s %x\n", int(i / 100) * 900, i % 50 < 20 ? "W" : "R", i * 32 + i % 2 * 32768 }' >"$1/mixed"
}

list_lines() {
    local what
    for what in workloads configs blocks policies stats keys; do echo "0 list $what"; done
}

# Prints all runs. Reads the keys and configurations of the reference, so that none of them is missing.
all_lines() { # PROGRAM
    local what key
    mapfile -t WORKLOADS <tests/gpu/small_kernels.txt
    lists=$work/lists
    mkdir -p "$lists"
    for what in configs keys policies workloads; do "$1" list $what >"$lists/$what" || die "$1 list $what fails"; done
    for what in $(awk '/^[a-z0-9]/ { print $1 }' "$lists/workloads"); do
        [[ " ${WORKLOADS[*]}" = *" $what"[:\ ]* || ${WORKLOADS[*]} = *" $what" ]] || die "tests/gpu/small_kernels.txt has no $what"
    done
    awk '$1 ~ /[.]/ { print $1, $3 }' "$lists/keys" >"$lists/keys.range"
    while read -r key what; do needs[$key]=$what; done < <(sed -n 's/^\([^ ]*\) .*; needs /\1 /p' "$lists/keys")
    while read -r what key _; do policies[$what]+=" $key"; done < <(awk 'NF > 1' "$lists/policies")
    mapfile -t CONFIGS < <(cut -d' ' -f1 "$lists/configs")
    list_lines
    workload_lines
    policy_lines
    scheme_lines
    limit_lines
    plant_lines
    trace_lines
    dram_lines
}

# ---- Running ----

# record PROGRAM COMMANDS: runs the commands in the current folder, which is empty. Writes the output to `out` and `err`, and the exit code. Removes
# the version, the commit, host-dependent values, the lines of the configurations and the names of the run (trace, identity, last columns of a CSV).
NORMAL='/^\t"trace":.*\{$/,/^\t\}/d; /^\t"(trace|identity)":/d; s/^(scope,.*|cycle,.*),config,workload,version,identity$/\1/
    s/,[^,]*,([^,"]*|"[^"]*"),("[^"]*"|[^,"]*),[0-9a-f]{32}$//; /^memtwin [0-9]/d; /^host  /d; s/^(.* cycles, IPC .*), [0-9.]+ s$/\1/; s/ in [0-9.]+ s of processor time, [0-9.]+ MB\/s$//; s/\.ini:[0-9]+/.ini/g
    s/^([^ ]+ on [^ ;:]+); [0-9]+ keys? from -s: /\1: /; /^\t"config_base":/d; /^\t"config_sources":/,/^\t\}/d
    s/^(\t"version":\t).*/\1"",/; s/^(\t"cpu_seconds":\t)[^,]*/\10/; /^\t"host":/,/}/s/:\t[0-9][^,]*/:\t0/'
record() {
    local program=$1 rest=$2 command
    code=0
    while [ -n "$rest" ] && [ $code = 0 ]; do
        command=${rest%% ; *}
        [ "$command" = "$rest" ] && rest= || rest=${rest#* ; }
        "$program" $command >>out 2>>err </dev/null || code=$?
    done
}

# one_chunk PROGRAM RESULTS WORK LINE...: appends a line with checksum, exit code and run to RESULTS for each run.
one_chunk() {
    local program=$1 results=$2 dir line code file files
    dir=$(mktemp -d "$3/run.XXXXXX")/here
    shift 3
    mkdir -p "$dir" && ln -s ../rows ../random ../mixed "$dir/.." && cd "$dir" || exit 1
    for line; do
        record "$program" "${line#* }"
        files=()
        for file in **; do [ -d "$file" ] || files+=("$file"); done
        printf '%s %s\t%s\n' "$({ echo "$code ${files[*]}"; sed -sE "$NORMAL" "${files[@]}"; } | md5sum | cut -c1-32)" "$code" "$line" >>"$results"
        rm -rf "$dir"/*
    done
}

# run_lines PROGRAM RESULTS <lines: makes the runs that RESULTS lacks.
run_lines() {
    local results
    results=$(realpath "$2")
    awk -F'\t' 'FILENAME != "-" { have[$2]; next } !($0 in have)' "$results" - |
        xargs -r -d '\n' -n 20 -P "${JOBS:-2}" bash -O globstar -O nullglob -c 'one_chunk "$@"' _ "$1" "$results" "$work"
}

# ---- Differences ----

# show_files BEFORE AFTER: prints the differences between two folders, statistics by name if the JSON differs.
FLAT='tostream | select(length == 2) | "\(.[0] | map(tostring) | join("."))\t\(.[1] | tojson)"'
show_files() {
    {
        [ ! -s "$1/run.json" ] || [ ! -s "$2/run.json" ] || awk -F'\t' 'NR == FNR { before[$1] = $2; order[++n] = $1; next }
            { after[$1] = $2; if (!($1 in before)) extra[++m] = $1 }
            END {
                for (i = 1; i <= n; i++) {
                    k = order[i]
                    if (!(k in after)) printf "    %s: %s -> not there\n", k, before[k]
                    else if (before[k] != after[k]) printf "    %s: %s -> %s\n", k, before[k], after[k]
                }
                for (i = 1; i <= m; i++) printf "    %s: not there -> %s\n", extra[i], after[extra[i]]
            }' <(jq -r "$FLAT" "$1/run.json") <(jq -r "$FLAT" "$2/run.json")
    } | sed -n 1,12p | grep . || diff -r "$1" "$2" | sed -n "1,12s/^/    /p" || true # diff exits with 1
}

show() { # LINE: runs both programs again, in folders that are kept
    local line=$1 dir side program code
    dir=build/identity/differences/$((++shown))
    for side in before after; do
        mkdir -p "$dir/$side"
        ln -sf "$work"/{rows,random,mixed} "$dir"
        program=$before
        [ $side = before ] || program=$after
        (cd "$dir/$side" && record "$program" "${line#* }" && echo $code >code && find . -type f -exec sed -i -sE "$NORMAL" {} +)
    done
    echo "differs ($dir): memtwin ${line#* }"
    diff -rq "$dir/before" "$dir/after" >/dev/null && echo "    not when run again: a program does not always give the same" && return
    cmp -s "$dir/before/code" "$dir/after/code" || echo "    exit code: $(cat "$dir/before/code") -> $(cat "$dir/after/code")"
    show_files "$dir/before" "$dir/after"
}

# ---- The two programs ----

build_reference() { # COMMIT: builds the program of the commit
    local tree=build/identity/$1/tree
    if [ ! -x "$tree/build/memtwin" ]; then
        echo "identical: building $1" >&2
        rm -rf "$tree"
        mkdir -p "$tree"
        git archive "$1" | tar -x -C "$tree"
        env -u MEMTWIN_HOME -u MAKEFLAGS -u MFLAGS make -s -C "$tree" -j"${JOBS:-2}" build/memtwin >"$tree.log" 2>&1 ||
            die "$1 cannot be built: $(tail -n 5 "$tree.log")"
    fi
    realpath "$tree/build/memtwin"
}

# configs_of PROGRAM: prints the configurations that the program ships, if any
configs_of() {
    local folder
    folder=$(dirname "$1")
    while [ "$folder" != / ] && [ ! -e "$folder/tb/harness/twin.mk" ]; do folder=$(dirname "$folder"); done
    ls "$folder"/sim/configs/*.ini 2>/dev/null || true
}

usage() { sed -n '2,/^set /{/^#/s/^# \?//p}' "$0"; }
fast= regex=.
while [[ ${1:-} = -* ]]; do
    case $1 in
    --fast) fast=1 ;;
    --only) regex=${2:?a REGEX} && shift ;;
    --help) usage && exit ;;
    *) usage >&2 && exit 1 ;;
    esac
    shift
done
revision=${1:-HEAD}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset MEMTWIN_HOME # each program finds its own configurations
write_requests "$work"
export -f one_chunk record
export NORMAL

if [ -n "${PROGRAM:-}" ]; then
    before=$(realpath "$PROGRAM")
    kept=build/identity/$(cat "$before" $(configs_of "$before") | md5sum | cut -c1-12)
else
    commit=$(git rev-parse --verify -q "$revision^{commit}") || die "no revision '$revision'"
    kept=build/identity/${commit:0:12}
    before=$(build_reference "${commit:0:12}")
fi
all_lines "$before" >"$work/all"
grep -E -- "$regex" "$work/all" | sed 's/ *$//' | sort -u >"$work/lines" || die "no run matches '$regex'"
[ -z "${LIST:-}" ] || { cat "$work/lines" && exit; }

if [ -z "${MEMTWIN:-}" ]; then
    make -s build/memtwin >"$work/make" 2>&1 || die "this tree cannot be built: $(tail -n 5 "$work/make")"
fi
after=$(realpath "${MEMTWIN:-build/memtwin}")
# Cached results are valid only for this text of the script, since another version may record other things.
mkdir -p "$kept"
results=$kept/results.$(md5sum <"$0" | cut -c1-12)
touch "$results" "$work/after"
run_lines "$before" "$results" <"$work/lines"
# Key values and statistics that only this tree has are not differences.
names_of() { "$1" list keys | awk '$1 ~ /^[a-z0-9_]+\.[a-z0-9_]+$/ { print $1 }'; "$1" list stats | awk '$1 ~ /^[a-z0-9_]+$/ { print $1 }'; }
new=$(comm -13 <(names_of "$before" | sort -u) <(names_of "$after" | sort -u) | sed 's/\./\\./' | paste -sd'|')
[ -z "$new" ] || NORMAL+=$'\n'"/^\t+\"($new)\":/d; /^total,0,,($new),/d"
run_lines "$after" "$work/after" <"$work/lines"

# Prints one line per run with a problem.
awk -F'\t' '
    FILENAME == ARGV[1] { before[$2] = $1; next }
    FILENAME == ARGV[2] { after[$2] = $1; next }
    {
        if (!($1 in before) || !($1 in after)) { print "not run\t" $1; next }
        want = $1
        sub(/ .*/, "", want)
        split(before[$1], b, " ")
        if (before[$1] != after[$1]) print "differs\t" $1
        else if (want != "-" && want != b[2]) print "exits " b[2] "\t" $1
    }' "$results" "$work/after" "$work/lines" >"$work/bad"

rm -rf build/identity/differences
shown=0
while IFS=$'\t' read -r why line; do
    case $why in
    differs) [ $shown -ge "${SHOW:-10}" ] || show "$line" ;;
    exits*) echo "both programs: $why instead of ${line%% *}: memtwin ${line#* }" ;;
    *) echo "$why: memtwin ${line#* }" ;;
    esac
done <"$work/bad"
runs=$(wc -l <"$work/after")
bad=$(wc -l <"$work/bad")
[ "$bad" -le "$shown" ] || echo "all that are not good: $(cut -f1 "$work/bad" | sort | uniq -c | xargs)"
echo "$runs runs compared, $bad not good"
[ "$runs" -gt 0 ] && [ "$bad" -eq 0 ]
