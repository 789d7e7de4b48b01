#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Compares the energies of energy.csv, table accelwattch, with AccelWattch's for the same kernels on qv100, with 512 L1D MSHRs and with 48. Prints
# two Markdown tables. AccelWattch's energies are in accelwattch.txt.
#
#   sim/energy/accelwattch.sh                          half a minute
#   sim/energy/accelwattch.sh --theirs FOLDER          runs Accel-Sim, which must be built with AccelWattch in FOLDER, a checkout of accel-sim-framework:
#                                                      prints the lines of accelwattch.txt; ten minutes
set -euo pipefail
. "$(dirname "$0")/../../tb/env.bash"
MEMTWIN=$(realpath "${MEMTWIN:-build/memtwin}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. sim/experiments/fidelity/accelsim.bash
list=sim/energy/accelwattch.txt

# A sample of 500 cycles, because these kernels are short. The kernel's power is the mean over its samples.
theirs() { # FOLDER KERNEL ENTRIES
    local at log=$work/log
    rm -rf "$work/accel-sim-qv100"
    at=$(their_configuration "$1" qv100) || return
    sed -i "s/^\(-gpgpu_cache:dl1 .*,A:\)[0-9]*/\1$3/" "$at/gpgpusim.config"
    printf '\n%s' '-power_simulation_enabled 1' '-accelwattch_xml_file accelwattch_sass_sim.xml' '-gpgpu_runtime_stat 500' >>"$at/gpgpusim.config"
    run_theirs "$1" qv100 "$(exported "$2")" >"$log" || return
    awk -v kernel="$2" -v entries="$3" '/^kernel_avg_power = / { power[++n] = $3 } /^gpu_sim_cycle = / { cycles[++m] = $3; all += $3 }
        END { for (i = 1; i <= m; i++) sum += power[i] * cycles[i] / 1132; if (n != m || !m) exit 1; printf "%s %d %d %.2f\n", kernel, entries, all, sum }' \
        "$at/accelwattch_power_report.log" "$log" || fail "$2: $(tail -n 1 "$log")"
}
if [ "${1:-}" = --theirs ] && [ $# -eq 2 ]; then
    folder=$(their_folder "$2")
    grep -v '^#' $list | while read -r kernel entries _; do theirs "$folder" "$kernel" "$entries"; done
    exit
fi
[ $# -eq 0 ] || fail "expected nothing, or --theirs FOLDER"

{
    printf '[study]\nconfig = qv100\nbaseline = 512\ntrace ='
    for kernel in $(grep -v '^#' $list | cut -d ' ' -f 1 | sort -u); do printf ' %s' "$(dirname "$(exported "$kernel")")"; done
    # flits of 40 B as in Accel-Sim's own file; a packet is one flit either way
    printf '\n[set]\nsm.launch_latency = 0\nicnt.flit_bytes = 40\n[scheme 512]\n[scheme 48]\nl1d.mshr_entries = 48\n'
} >"$work/compare.ini"
tool "$MEMTWIN" study "$work/compare.ini" -j 1 -o "$work/compare.db" >&2
{
    awk '!/^#/ { name = $1; gsub(/[:,]/, "-", name); print "theirs", name, $2, $3, $4, $1 }' $list
    SQL="SELECT 'ours', replace(r.workload, rtrim(r.workload, replace(r.workload, '/', '')), ''), r.scheme, r.cycles, sum(pj) / 1e6 FROM energy
        JOIN chosen r USING (study, n) GROUP BY study, n" sim/energy/energy.sh "$work/compare.db" accelwattch | tr '|' ' '
} | awk '
    { cycles[$1, $2, $3] = $4; uj[$1, $2, $3] = $5; if ($1 == "theirs") { names[++n] = $2; entries[n] = $3; title[n] = $6 } }
    function of(a, b) { return 100 * (a / b - 1) }
    function line(x) { if (x < 0) x = -x; sum += x; if (x > most) most = x; count++ }
    END {
        print "\nEnergy in uJ, table accelwattch over our counts beside AccelWattch over those of Accel-Sim\n"
        print "| kernel | AccelWattch | here | difference, % | of the cycles, % |\n|---|---|---|---|---|"
        for (i = 1; i <= n; i++) if (entries[i] == 512) {
            t = uj["theirs", names[i], 512]; o = uj["ours", names[i], 512]; line(of(o, t))
            printf "| %s | %.1f | %.1f | %+.1f | %+.1f |\n", title[i], t, o, of(o, t), of(cycles["ours", names[i], 512], cycles["theirs", names[i], 512])
        }
        printf "| **mean, without sign** | - | - | **%.1f** | - |\n| **most** | - | - | **%.1f** | - |\n", sum / count, most
        sum = most = count = 0
        print "\nWhat 48 L1D MSHRs instead of 512 change, %\n"
        print "| kernel | energy, AccelWattch | energy, here | difference, points | cycles, Accel-Sim | cycles, here |\n|---|---|---|---|---|---|"
        for (i = 1; i <= n; i++) if (entries[i] == 48) {
            t = of(uj["theirs", names[i], 48], uj["theirs", names[i], 512]); o = of(uj["ours", names[i], 48], uj["ours", names[i], 512]); line(o - t)
            printf "| %s | %+.1f | %+.1f | %+.1f | %+.1f | %+.1f |\n", title[i], t, o, o - t,
                of(cycles["theirs", names[i], 48], cycles["theirs", names[i], 512]), of(cycles["ours", names[i], 48], cycles["ours", names[i], 512])
        }
        printf "| **mean, without sign** | - | - | **%.1f** | - | - |\n", sum / count
    }'
