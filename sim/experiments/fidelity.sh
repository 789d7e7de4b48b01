#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# gtx480 and titanx beside Accel-Sim, whose figures are in sim/experiments/fidelity/*.txt: writes build/report/fidelity.md (docs/results/fidelity.md).
#
#   sim/experiments/fidelity.sh                        micro traces and kernels, a minute
#   sim/experiments/fidelity.sh --micro [CONFIG]       (also gtx480_plain, titanx_plain) micro traces alone: a line each, "CONFIG TRACE theirs ours error bound", error and bound in percent
#   sim/experiments/fidelity.sh --kernels [CONFIG]     kernels alone, exported as traces: "GROUP CONFIG KERNEL", then theirs and ours of cycles, L1D misses, L2 read misses, DRAM reads
# EXTRA="-s key=value": further options of every run.
set -euo pipefail
. "$(dirname "$0")/../../tb/env.bash"
MEMTWIN=${MEMTWIN:-build/memtwin}
data=sim/experiments/fidelity
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A run that fails or is cut off is no measurement. (Where the caller says `|| exit`, set -e is off in here.)
ours() { # CONFIG TRACE: cycles, L1D misses, L2 read misses, DRAM reads
    # shellcheck disable=SC2086
    "$MEMTWIN" run -c "$1" -t "$2" -q ${EXTRA:-} --json "$work/$1.json" >/dev/null || return
    jq -er 'select(.end == "done") | [.cycles, .stats.l1d_primary, .stats.l2_primary, .stats.dram_reads] | @tsv' "$work/$1.json"
}

# The machine of a configuration in Accel-Sim: that which its name begins with.
machine() { # CONFIG
    case $1 in
    gtx480 | gtx480_*) echo gtx480 ;;
    titanx | titanx_*) echo titanx ;;
    *) echo "fidelity.sh: $1 is no gtx480 or titanx, whose figures we have" >&2 && exit 1 ;;
    esac
}

micro() { # CONFIG
    local name g gb t tb what theirs bound cycles machine
    machine=$(machine "$1") || exit
    while read -r name g gb t tb what; do
        [ "$name" != "#" ] || continue
        [ "$machine" = gtx480 ] && theirs=$g bound=$gb || theirs=$t bound=$tb
        cycles=$(ours "$1" "$data/micro/$name.traceg.xz" | cut -f 1) || exit
        awk -v c="$1" -v n="$name" -v t="$theirs" -v o="$cycles" -v b="$bound" 'BEGIN { printf "%s %s %d %d %+.1f %d\n", c, n, t, o, 100 * (o - t) / t, b }'
    done <$data/micro.txt
}

kernels() { # CONFIG
    local group config kernel cycles l1 l2 dram trace figures a b c d machine
    machine=$(machine "$1") || exit
    while read -r group config kernel cycles l1 l2 dram; do
        [ "$config" = "$machine" ] || continue
        trace=$work/${kernel//[:,]/-}
        [ -d "$trace" ] || case $kernel in
            make:*) "$MEMTWIN" trace make "${kernel#make:}" -o "$trace" >/dev/null ;;
            *) "$MEMTWIN" trace export -w "$kernel" -o "$trace" >/dev/null ;;
        esac
        figures=$(ours "$1" "$trace/kernelslist.g") || exit
        read -r a b c d <<<"$figures"
        echo "$group $1 $kernel $cycles $a $l1 $b $l2 $c $dram $d"
    done <$data/kernels.txt
}

micro_table() {
    micro gtx480 >"$work/gtx480"
    micro titanx >"$work/titanx"
    paste -d' ' "$work/gtx480" "$work/titanx" | awk '
        BEGIN { print "| trace | gtx480: Accel-Sim | ours | error, % | titanx: Accel-Sim | ours | error, % |\n|---|---|---|---|---|---|---|" }
        { printf "| %s | %d | %d | %s | %d | %d | %s |\n", $2, $3, $4, $5, $9, $10, $11 }'
}

kernel_table() { # CONFIG
    kernels "$1" >"$work/kernels"
    awk '
        function off(theirs, ours) { return theirs ? 100 * (ours - theirs) / theirs : ours ? 100 : 0 }
        function add(group, e,   i, x) {
            n[group]++
            for (i = 1; i <= 4; i++) {
                x = e[i] < 0 ? -e[i] : e[i]
                sum[group, i] += x
                if (x > most[group, i]) most[group, i] = x
            }
        }
        function sums(group) {
            printf "| **%s: mean of %d, without sign** | | | %.1f | %.1f | %.1f | %.1f |\n", group, n[group], sum[group, 1] / n[group], sum[group, 2] / n[group], sum[group, 3] / n[group], sum[group, 4] / n[group]
            printf "| **%s: greatest** | | | %.1f | %.1f | %.1f | %.1f |\n", group, most[group, 1], most[group, 2], most[group, 3], most[group, 4]
        }
        BEGIN { print "| kernel | cycles: Accel-Sim | ours | error, % | L1D misses, % | L2 read misses, % | DRAM reads, % |\n|---|---|---|---|---|---|---|" }
        {
            e[1] = off($4, $5); e[2] = off($6, $7); e[3] = off($8, $9); e[4] = off($10, $11)
            printf "| %s (%s) | %d | %d | %+.1f | %+.1f | %+.1f | %+.1f |\n", $3, $1, $4, $5, e[1], e[2], e[3], e[4]
            add($1, e); add("all", e)
        }
        END { n_groups = split("A B C D E F G all", name); for (i = 1; i <= n_groups; i++) sums(name[i]) }' "$work/kernels"
}

usage() {
    sed -n '3,/^set/{s/^# \{0,1\}//p}' "$0"
}

case ${1:-} in
-h | --help) usage && exit ;;
--micro | --kernels) most=2 ;;
*) most=0 ;;
esac
[ $# -le "$most" ] || { usage >&2 && exit 1; }

case ${1:-} in
--micro) for config in ${2:-gtx480 titanx}; do micro "$config"; done ;;
--kernels) for config in ${2:-gtx480 titanx}; do kernels "$config"; done ;;
*)
    mkdir -p build/report
    {
        printf '# gtx480 and titanx beside Accel-Sim\n\nWritten by `make experiment-fidelity`.\n\n## Micro traces: cycles\n\n'
        micro_table
        for config in gtx480 titanx; do
            printf '\n## Kernels on %s\n\n' "$config"
            kernel_table "$config"
        done
    } >"$work/fidelity.md"
    mv "$work/fidelity.md" build/report/fidelity.md
    cat build/report/fidelity.md
    ;;
esac
