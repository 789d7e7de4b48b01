#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 3 s
# --stats accelsim: the lines that Accel-Sim's get_stats.py searches (its default file of statistics), per kernel and at the end, agree with the
# JSON file; a cut-off run ends as theirs does; docs/use/output.md has the table of sim/accelsim.def.
. tests/lib.bash

is() { [ "$2" = "$3" ] || complain "$1: '$3' instead of '$2'"; }
expect 0 "$MEMTWIN" trace export -q -w gaussian:16 -o "$work/t"
expect 0 "$MEMTWIN" run -c v100 -t "$work/t" --kernels 1-6 --detail --json "$work/x.json" --stats accelsim
cp "$work/out" "$work/log"

# ---- What get_stats.py finds: the last line that matches, and lines of each kernel ----
last() { tac "$work/log" | grep -oP -m 1 "$1"; }
json() { jq -r "$1" "$work/x.json"; }
is gpu_tot_sim_insn "$(json .stats.thread_insts)" "$(last '^gpu_tot_sim_insn\s*=\s*\K.*')"
is gpu_tot_sim_cycle "$(json '[.kernels[].stats.cycles] | add')" "$(last '^gpu_tot_sim_cycle\s*=\s*\K.*')"
is gpgpu_n_tot_w_icount "$(json .stats.warp_insts)" "$(last 'gpgpu_n_tot_w_icount\s*=\s*\K.*')"
is 'L1D reads' "$(json '.stats | .l1d_hits + .l1d_primary_misses + .l1d_secondary_misses')" \
    "$(last '\s+Total_core_cache_stats_breakdown\[GLOBAL_ACC_R\]\[TOTAL_ACCESS\]\s*=\s*\K.*')"
is 'L1D read hits' "$(json .stats.l1d_hits)" "$(last '\s+Total_core_cache_stats_breakdown\[GLOBAL_ACC_R\]\[HIT\]\s*=\s*\K.*')"
is 'L1D writes' "$(json .stats.l1d_stores)" "$(last '\s+Total_core_cache_stats_breakdown\[GLOBAL_ACC_W\]\[TOTAL_ACCESS\]\s*=\s*\K.*')"
is 'L2 reads and writes' "$(json .stats.l2_accesses)" \
    $(($(last '\s+L2_cache_stats_breakdown\[GLOBAL_ACC_R\]\[TOTAL_ACCESS\]\s*=\s*\K.*') + $(last '\s+L2_cache_stats_breakdown\[GLOBAL_ACC_W\]\[TOTAL_ACCESS\]\s*=\s*\K.*')))
is 'L2 hits' "$(json .stats.l2_hits)" \
    $(($(last '\s+L2_cache_stats_breakdown\[GLOBAL_ACC_R\]\[HIT\]\s*=\s*\K.*') + $(last '\s+L2_cache_stats_breakdown\[GLOBAL_ACC_W\]\[HIT\]\s*=\s*\K.*')))
is 'L2 writes' "$(json .stats.l1d_stores)" "$(last '\s+L2_cache_stats_breakdown\[GLOBAL_ACC_W\]\[TOTAL_ACCESS\]\s*=\s*\K.*')" # write-through
is 'DRAM reads' "$(json .stats.dram_rd)" "$(last 'total dram reads\s*=\s*\K.*')"
is 'DRAM writes' "$(json .stats.dram_wr)" "$(last 'total dram writes\s*=\s*\K.*')"
near() { # WHAT EXPECTED GOT
    awk -v a="$2" -v b="$3" 'BEGIN { exit !(a > 0 && b > 0 && (a - b) ^ 2 < (a / 1000) ^ 2) }' || complain "$1: $3 instead of $2"
}
near 'total IPC' "$(json '[.kernels[].stats] | (map(.thread_insts) | add) / (map(.cycles) | add)')" "$(last '^gpu_tot_ipc\s*=\s*\K.*')"
near 'total bandwidth' "$(json '(.config_values["clock.sm_mhz"] * 0.032) as $f | [.kernels[].stats] | $f * (map(.l2_accesses) | add) / (map(.cycles) | add)')" \
    "$(last '^L2_BW_total\s*=\s*\K[0-9.]*')"
seconds=$(last 'gpgpu_simulation_time\s*=.*\(\K[0-9]+')
is 'instructions a second' "$(json ".stats.thread_insts / $seconds | floor")" "$(last 'gpgpu_simulation_rate = \K[0-9]+(?= \(inst)')"
is 'cycles a second' "$(json "([.kernels[].stats.cycles] | add) / $seconds | floor")" "$(last 'gpgpu_simulation_rate = \K[0-9]+(?= \(cycle)')"
for text in 'gpgpu_simulation_time\s*=.*\(([0-9]+) sec\).*' 'gpu_ipc\s*=\s*(.*)' 'L2_BW\s*=\s*(.*)+GB\/Sec' 'gpgpu_simulation_rate\s+=\s+(.*)\s+\(inst\/sec\)' \
    'gpu_tot_ipc\s*=\s*(.*)' '^GPGPU-Sim: \*\*\* exit detected \*\*\*' '^Accel-Sim.*\[build\s+(.*)\].*'; do
    grep -qP "$text" "$work/log" || complain "no line matches $text"
done
is 'cycles of each kernel' "$(json '.detail[] | select(.scope == "kernel").stats.cycles')" "$(sed -n 's/^gpu_sim_cycle = //p' "$work/log")"
is 'names of kernels' "$(json '.detail[] | select(.scope == "kernel").name')" "$(sed -n 's/^kernel_name = \(.*\) $/\1/p' "$work/log")"
is 'differences of totals' "$(json '.detail[] | select(.scope == "kernel").stats.l2_accesses')" \
    "$(awk '/^L2_total_cache_accesses/ { print $3 - last; last = $3 }' "$work/log")"
! grep -q 'break due' "$work/log" || complain "a whole run ends as if cut off"

# ---- Cut off: the kernel that did not end comes last ----
expect 0 "$MEMTWIN" run -c v100 -t "$work/t" --stats accelsim -s sim.max_cycles=1000
is 'cycles of a run that was cut off' 1000 "$(awk '/^gpu_sim_cycle/ { n += $3 } END { print n }' "$work/out")"
grep -q '^GPGPU-Sim: \*\* break due to reaching the maximum cycles (or instructions) \*\*$' "$work/out" || complain "no line of the break: $(cat "$work/out")"
expect_line 1 "expected one workload" "$MEMTWIN" run -c tiny -w atax:32 -w atax:32 --stats accelsim
expect_line 1 "use either -q or --stats" "$MEMTWIN" run -c tiny -w atax:32 -q --stats accelsim

# ---- Kernels that overlap: totals are those of the run ----
"$MEMTWIN" trace make vecadd -o "$work/two" --warps 512 -q
sed 's/^-cuda stream id = 0/-cuda stream id = 1/; s/^-kernel id = 1/-kernel id = 2/' "$work/two/kernel-1.traceg" >"$work/two/kernel-2.traceg"
printf 'kernel-1.traceg\nkernel-2.traceg\n' >"$work/two/kernelslist.g"
expect 0 "$MEMTWIN" run -c titanx -s cke.kernels=2 -t "$work/two/kernelslist.g" --stats accelsim --json "$work/two.json"
totals=$(sed -n 's/^gpu_tot_sim_cycle = //p; s/^gpu_tot_issued_cta = //p' "$work/out" | tail -n 2 | xargs)
[ "$totals" = "$(jq -r '"\(.cycles) \(.stats.ctas)"' "$work/two.json")" ] || complain "kernels that overlap: $totals, not $(jq -c '[.cycles, .stats.ctas]' "$work/two.json")"

# ---- Table ----
{
    printf '#define COUNT(text, value) ROW text @#value@\n#define REAL(text, value, unit) ROW text @#value@\n'
    cat sim/accelsim.def
} | gcc -E -P - | sed -E -n 's/^ROW "(\\t)?(.*[^ =]) *= *" @"(.*)"@$/| `\2` | \3 |/p' |
    sed -E 's/K\((\w+)\)/`\1` of the kernel/g; s/T\((\w+)\)/`\1`/g; s/RATIO\((.*), (.*)\) \|$/(\1) \/ \2 |/; s/BANDWIDTH\((.*), (.*)\)/32 B x \1 \/ \2 (as time)/; s/\(([^+]*)\) \//\1 \//' >"$work/table"
[ "$(wc -l <"$work/table")" -eq "$(grep -c '^COUNT\|^REAL' sim/accelsim.def)" ] || complain "rows are lost: $(cat "$work/table")"
sed -n '/^| Accel-Sim | MemTwin |$/,/^$/p' docs/use/output.md | sed '1,2d;/^$/d' | diff "$work/table" - >"$work/diff" || complain "docs/use/output.md differs: $(cat "$work/diff")"
while read -r name; do
    grep -qx "STAT($name,.*\|STALL($name,.*" cmodel/stats/stats.def || complain "no statistic $name"
done < <(grep '^COUNT\|^REAL' sim/accelsim.def | grep -o '[KT]([a-z0-9_]*)' | sed 's/..//; s/)//' | sort -u)
finish
