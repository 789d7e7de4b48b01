#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 40 s
# synth/bpg.sh on tiny designs: the report is complete, and a fault ends it with exit code 1 and a reason. Run from the root.
. tests/lib.bash
. tests/synth/report.bash
report_of bpg.sh bpg_quick

# A library of macros: 4x8 is closest to the tags, and 32x32 to those of the L1D.
macro 128x32 4096.0
macro 32x32 3072.0 # 3 um2 per bit
macro 4x8 64.0     # 2 um2 per bit

quick 'tag bits' 'state bits' tags lookup counters judge index rest 'all flops' 'fast: um2' 'fast: ns' 'tags as macro' 'with macro' 'um2 a bit' 'SMs, mm2' '% of L1D arrays'
grep -qE '^paper: arrays, CACTI +5,800 +1.29 +0.087 +0.0058 +0.016 ' "$work/out" || complain "the paper's figures are wrong"
holds "not the two designs" '[.designs[].name] == ["bpg_2x2", "bpg_3x1"]'
holds "not the bits of tags" '[.designs[].bits.tags] == [2 * 2 * 2 * 6, 3 * 4]'
# There is one valid bit per way. With two or more ways there is an order.
holds "not the bits of state" '[.designs[].bits.state] as [$two, $one] | $two >= 2 * 2 * (2 + 1) and $two <= 2 * 2 * (2 + 2) and $one == 3'
holds "an area is not above 0" '[.designs[].area[]] | all(. > 0)'
holds "areas do not add up" '[.designs[].area | (.tags + .lookup + .counters + .judge + .index + .rest - .all_flops), (.tags + .lookup - .arrays)] | all(fabs < 1)'
holds "not the flip-flops" '.designs | all(.flops == .control_flops + .bits.tags + 17 * .parameters.CALCULATORS)'
# Four bits per counter, including the counter of failures; the interval; set, tag, operation and user.
holds "too few flip-flops" '.designs | all(.control_flops >= .bits.state + 4 * (.parameters.CALCULATORS + 1) + 3 + 3 + .parameters.TAG_W + 3 + 2)'
holds "no critical path" '.designs | all(.min_period_ns > 0)'
holds "macros are not priced by their bits" '[.designs[].macro.tags] == [96, 24]'
holds "not the tags alone as macro" '.designs | all(.area as $a | [$a.all_flops - $a.with_macro, $a.arrays - $a.arrays_with_macro] | all((. - $a.tags) as $d | $d < 0) and .[0] == .[1])'
holds "the L1D is not its macros" '.l1d | [.data_bits, .tag_bits, .area] == [131072, 4864, 32 * 4096 + 4864 * 3]'

expect 0 synth/bpg.sh --quick
holds "macros without their library" '.l1d.area == null and (.designs | all(.macro.tags == null and .area.with_macro == null))'
! grep -qE 'macro|L1D' "$work/out" || complain "a column of macros without their library"

# ---- errors
refuses
rm "$work/macros/fakeram45_128x32.lib"
expect_line 1 "no fakeram45_128x32.lib" env FAKERAM="$work/macros" synth/bpg.sh --quick
broken "an illegal parameter" rtl/bpg/block.points '/^bpg_2x2 /s/SAMPLED=2/SAMPLED=3/'
finish
