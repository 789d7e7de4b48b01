#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 40 s
# synth/hir.sh on tiny designs: the report is complete, and a fault ends it with exit code 1 and a reason. Run from the root.
. tests/lib.bash
. tests/synth/report.bash
report_of hir.sh hir_quick

# A library of macros: 4x12 is closest to the entries (13 and 11 bits), and 4x4 to the order. One of them states its delays.
macro 4x12 144.0 # 3 um2 per bit
macro 4x4 32.0   # 2 um2 per bit
cat >>"$work/macros/fakeram45_4x12.lib" <<'END'
    timing_type : rising_edge; cell_rise(scalar) {
        values ("7.000");
    }
    timing_type : setup_rising; rise_constraint(scalar) {
        values ("2.000");
    }
    timing_type : hold_rising; rise_constraint(scalar) {
        values ("50.000");
    }
END

quick entries order lookup send rest logic 'all flops' 'entries as macro' 'order as macro' 'with macro' 'control flops' 'fast: um2' 'fast: ns' 'macros: um2' 'macros: ns' valid 'tags and counters, KB'
holds "not the two designs" '[.designs[].name] == ["hir_2x4", "hir_1x1"]'
# Tags have 6 - 2 or 6 bits. There are 4 counters, and an order of way and row numbers with at least one bit.
holds "not the bits" '[.designs[].bits | [.entries, .tags, .counters, .valid, .rows, .order, .all]] == [[8, 32, 64, 8, 4, 24, 132], [1, 6, 4, 1, 1, 2, 14]]'
holds "not the bits that are stored" '.designs | all(.bits | .in_entries == .tags + .counters + .valid)'
holds "not the paper's bits" '[.designs[].bits.paper] == [8 * (6 + 8), 6 + 4]'
holds "an area is not above 0" '[.designs[].area[]] | all(. > 0)'
holds "areas do not add up" '[.designs[].area | (.lookup + .send + .rest - .logic), (.entries + .order + .logic - .all_flops)] | all(fabs < 1)'
# A RAM has a register for the word that is read, one for each way and one for the order.
holds "not the flip-flops" '[.designs[] | .flops - .control_flops - .bits.in_entries - .bits.order] == [2 * 13 + 3, 11 + 2]'
# Set and page of a hit, tag of the last one, its counters; two positions in the order; lost hits; one flip-flop per row.
holds "too few flip-flops" '[.designs[] | .control_flops - .bits.rows] as [$two, $one] | $two >= 6 + 2 + 4 + 8 + 2 * 4 + 2 and $one >= 6 + 2 + 6 + 4 + 2 * 1 + 2'
holds "macros are not priced by their bits" '[.designs[].macro | .entries, .order] == [3 * 104, 2 * 24, 3 * 11, 2 * 2]'
holds "not the storage as macro" '.designs | all((.area.with_macro - .area.logic - .macro.entries - .macro.order) | fabs < 0.01)'
holds "no critical path" '.designs | all(.min_period_ns > 0 and .min_period_ns < 7)'
holds "not the times of the macro" '[.designs[] | .macro_period_ns - .min_period_ns] | all(. > 6 and . <= 9.01)'
holds "not the netlist of that period with its macros" '.designs | all(.fast_um2 > .area.logic * 0.95 and .macro_um2 > .macro.entries + .macro.order + .area.logic * 0.95)'
grep -qE '^paper +1024 +49152 +32768 .* 81920 +10 +4.2 ' "$work/out" || complain "the paper's bits are wrong"

expect 0 synth/hir.sh --quick
holds "macros without their library" '.designs | all(.macro.entries == null and .area.with_macro == null and .macro_period_ns == null and .macro_um2 == null)'
! grep -q macro "$work/out" || complain "a column of macros without their library"

# ---- errors
refuses
broken "an illegal parameter" rtl/hir/block.points '/^hir_2x4 /s/SETS=4/SETS=3/'
finish
