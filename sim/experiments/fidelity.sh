#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Compares gtx480, titanx, qv100, titanv, rtx2060, rtx3070 and sm90_h100 with Accel-Sim's figures in sim/experiments/fidelity/*.txt. Writes build/report/fidelity.md (docs/results/fidelity.md).
#
#   sim/experiments/fidelity.sh                        micro traces and kernels, five minutes
#   sim/experiments/fidelity.sh --micro [CONFIG]       micro traces only: a line each, "CONFIG TRACE theirs ours error bound", error and bound in percent
#   sim/experiments/fidelity.sh --kernels [CONFIG]     kernels only, exported as traces: "GROUP CONFIG KERNEL", then theirs and ours of cycles, L1D misses, L2 read misses, DRAM reads
#   sim/experiments/fidelity.sh --theirs FOLDER [CONFIG] [WORKLOAD..]
#       runs Accel-Sim, which must be built in FOLDER, a checkout of accel-sim-framework: prints a line for each row of kernels.txt or each WORKLOAD (also the name of a micro trace)
# EXTRA="-s key=value": further options of every run of memtwin. OUT=folder: folder of fidelity.md. EVERY=n: only the first of n kernels of a machine.
set -euo pipefail
. "$(dirname "$0")/../../tb/env.bash"
MEMTWIN=${MEMTWIN:-build/memtwin}
machines="gtx480 titanx qv100 titanv rtx2060 rtx3070 sm90_h100"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

. sim/experiments/fidelity/accelsim.bash

# A run that fails or is cut off is not a measurement. (set -e is off here if the caller writes `|| exit`.)
ours() { # CONFIG TRACE: cycles, L1D misses, L2 read misses, DRAM reads
    local options=
    case $1 in
    *_simple) options=$(printf ' -s %s.model=simple' sm l1d icnt l2 dram) ;;
    sm90_h100) options='-s l2.partition_map=modulo' ;; # the hash of SM90_H100 stops Accel-Sim (run_theirs)
    esac
    # shellcheck disable=SC2086
    "$MEMTWIN" run -c "${1%_simple}" -s sm.launch_latency=0 -t "$2" -q $options ${EXTRA:-} --json "$work/$1.json" >/dev/null || return
    jq -er 'select(.end == "done") | [.cycles, .stats.l1d_primary_misses, .stats.l2_primary_misses, .stats.dram_reads] | @tsv' "$work/$1.json"
}

# Prints the machine of a configuration in Accel-Sim; CONFIG_simple is CONFIG with simple models.
machine() { # CONFIG
    case $1 in
    *_simple) echo "${1%_simple}" ;;
    *)
        [[ " $machines " == *" $1 "* ]] || fail "$1: expected a machine whose figures we have: $machines"
        echo "$1"
        ;;
    esac
}

micro() { # CONFIG
    local name g gb t tb theirs bound cycles machine
    machine=$(machine "$1") || exit
    while read -r name g _ gb t _ tb _; do
        [ "$name" != "#" ] || continue
        [ "$machine" = gtx480 ] && theirs=$g bound=$gb || theirs=$t bound=$tb
        cycles=$(ours "$1" "$data/micro/$name.traceg.xz" | cut -f 1) || exit
        awk -v c="$1" -v n="$name" -v t="$theirs" -v o="$cycles" -v b="$bound" 'BEGIN { printf "%s %s %d %d %+.1f %d\n", c, n, t, o, 100 * (o - t) / t, b }'
    done <$data/micro.txt
}

kernels() { # CONFIG
    local group config kernel cycles l1 l2 dram trace figures a b c d machine n=0
    machine=$(machine "$1") || exit
    while read -r group config kernel cycles l1 l2 dram; do
        [ "$config" = "$machine" ] && [ $((n++ % ${EVERY:-1})) -eq 0 ] || continue
        trace=$(exported "$kernel") || exit
        figures=$(ours "$1" "$trace") || exit
        read -r a b c d <<<"$figures"
        echo "$group $1 $kernel $cycles $a $l1 $b $l2 $c $dram $d"
    done <$data/kernels.txt
}

theirs() { # FOLDER CONFIG KERNEL
    local config=$2 kernel=$3 trace group figures
    trace=$(exported "$kernel") || exit
    run_theirs "$1" "$config" "$trace" >"$work/log" || fail "$kernel on $config: Accel-Sim failed: $(grep . "$work/log" | tail -n 1)"
    figures=$(their_figures "$work/log" "$config") || fail "$kernel on $config: Accel-Sim did not end well: $(grep . "$work/log" | tail -n 1)"
    group=$(awk -v k="$kernel" -v c="$config" '$2 == c && $3 == k { print $1 }' $data/kernels.txt)
    [[ $kernel != m_* ]] || group=micro
    echo "${group:--} $config $kernel $figures"
}

all_theirs() { # FOLDER [CONFIG] [KERNEL..]
    local folder configs=$machines config kernel list
    folder=$(their_folder "$1") || exit
    shift
    if [ -n "${1:-}" ] && [[ " $machines " == *" $1 "* ]]; then configs=$1 && shift; fi
    for config in $configs; do
        list="$*"
        [ -n "$list" ] || list=$(awk -v c="$config" '$2 == c { print $3 }' $data/kernels.txt)
        for kernel in $list; do theirs "$folder" "$config" "$kernel"; done
    done
}

micro_table() {
    micro gtx480 >"$work/gtx480"
    micro titanx >"$work/titanx"
    paste -d' ' "$work/gtx480" "$work/titanx" <(grep -v '^#' $data/micro.txt) | awk '
        BEGIN { print "| trace | what | gtx480: Accel-Sim | before | now | error, % | titanx: Accel-Sim | before | now | error, % |\n|---|---|---|---|---|---|---|---|---|---|" }
        {
            what = $20
            for (i = 21; i <= NF; i++) what = what " " $i
            printf "| `%s`%s | %s | %d | %d | %d | %s | %d | %d | %d | %s |\n", $2, ($6 > 3 ? "*" : ""), what, $3, $15, $4, $5, $9, $18, $10, $11
        }'
}

off='function off(theirs, ours) { return theirs ? 100 * (ours - theirs) / theirs : ours ? 100 : 0 }'
# Prints the mean and maximum absolute error of each group of kernels and of all kernels; for the simple models, only of all kernels.
group_rows() { # CONFIG
    awk -v config="$1" -v machine="${1%_simple}" "$off"'
        function add(group, column, theirs, ours,   x) {
            x = off(theirs, ours)
            if (x < 0) x = -x
            sum[group, column] += x
            if (x > most[group, column]) most[group, column] = x
            if (theirs || ours) some[group, column] = 1
        }
        function row(group, name, bold,   i, cell) {
            printf "| %s |", name
            for (i = 1; i <= 4; i++) {
                cell = some[group, i] ? sprintf("%.1f / %.1f", sum[group, i] / n[group], most[group, i]) : "none"
                printf i == 1 && bold ? " **%s** |" : " %s |", cell
            }
            print ""
        }
        {
            if (!n[$1]++) name[++groups] = $1
            apart = $1 ~ /^[HILM]$/ # local memory, and modern kernels: not among all
            n["all"] += !apart
            for (i = 1; i <= 4; i++) {
                add($1, i, $(2 * i + 2), $(2 * i + 3))
                if (!apart) add("all", i, $(2 * i + 2), $(2 * i + 3))
            }
        }
        END {
            plain = config ~ /_simple$/
            for (g = 1; g <= groups && !plain; g++) row(name[g], config ", " name[g] " (" n[name[g]] ")", 0)
            row("all", plain ? machine ", simple models" : "**" config ", all (" n["all"] ")**", !plain)
        }' "$work/$1.kernels"
}

group_table() {
    echo '| | cycles | L1D misses | L2 read misses | DRAM reads |'
    echo '|---|---|---|---|---|'
    for config in $measured; do group_rows "$config"; done
}

kernel_table() { # CONFIG
    awk "$off"'
        BEGIN { print "| kernel | cycles: Accel-Sim | ours | error, % | L1D misses, % | L2 read misses, % | DRAM reads, % |\n|---|---|---|---|---|---|---|" }
        { printf "| %s (%s) | %d | %d | %+.1f | %+.1f | %+.1f | %+.1f |\n", $3, $1, $4, $5, off($4, $5), off($6, $7), off($8, $9), off($10, $11) }' "$work/$1.kernels"
}

usage() {
    sed -n '3,/^set/{s/^# \{0,1\}//p}' "$0"
}

case ${1:-} in
-h | --help) usage && exit ;;
--micro | --kernels) most=2 ;;
--theirs) [ $# -ge 2 ] && most=$# || most=0 ;;
*) most=0 ;;
esac
[ $# -le "$most" ] || { usage >&2 && exit 1; }

case ${1:-} in
--micro) for config in ${2:-gtx480 titanx}; do micro "$config"; done ;;
--kernels) for config in ${2:-$machines}; do kernels "$config"; done ;;
--theirs) all_theirs "${@:2}" ;;
*)
    : "${OUT:=build/report}"
    mkdir -p "$OUT"
    recorded=$(for config in ${machines#gtx480 titanx }; do grep -q "^[A-Z] $config " $data/kernels.txt && echo "$config"; done)
    measured="gtx480 gtx480_simple titanx titanx_simple $recorded"
    for config in $measured; do kernels "$config" >"$work/$config.kernels"; done
    {
        printf '# Beside Accel-Sim\n\nWritten by `make experiment-fidelity`.\n\n## How close\n\nError without sign, mean / greatest, in percent:\n\n'
        group_table
        printf '\n## Micro traces\n\n'
        micro_table
        for config in gtx480 titanx $recorded; do
            printf '\n## Kernels on %s\n\n' "$config"
            kernel_table "$config"
        done
    } >"$work/fidelity.md"
    mv "$work/fidelity.md" "$OUT/fidelity.md"
    cat "$OUT/fidelity.md"
    ;;
esac
