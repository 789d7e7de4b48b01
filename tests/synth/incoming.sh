#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 40 s
# synth/incoming.sh on tiny designs: the report is complete, and a fault ends it with exit code 1 and a reason. Run from the root.
. tests/lib.bash
. tests/synth/report.bash
report_of incoming.sh incoming_quick

# A library of macros: 32x4 is closest to the IDs of cart, and 4x8 to all else. 64x21 and 1024x32 are those of the L2 partition.
macro 1024x32 16000.0
macro 64x21 1000.0
macro 32x4 384.0 # 3 um2 per bit
macro 4x8 64.0   # 2 um2 per bit

quick 'place bits' places tags queues drain fill rest control 'all flops' 'fast: um2' 'fast: ns' 'as macro' '% of L2'
holds "not the three designs" '[.designs[].name] == ["in_fifo", "bank_queues", "cart"]'
# in_fifo: 4 entries of 8 + 4 bits. bank_queues: 8 of 6 + 4 bits. cart: 32 IDs of 4 bits, and tags of 4 branches: 2 rows, 4 columns, the last drained row.
holds "not the bits of storage" '[.designs[].bits | .places, .tags] == [48, 0, 80, 0, 128, 4 * (2 * 4 + 4 * 2 + 4)]'
holds "an area is not above 0" '[.designs[] | .area | .places, .rest, .control] + [.designs[2].area | .tags, .queues, .drain, .fill] | all(. > 0)'
holds "areas do not add up" '[.designs[].area | (.places + .tags + .control - .all_flops), ([.queues, .drain, .fill, .rest] | add) - .control] | all(fabs < 1)'
holds "too few flip-flops" '.designs | all(.control_flops > 0 and .flops == .control_flops + .bits.places + .bits.tags)'
# At least the lengths and heads of 16 queues, two bits "after" per group, and held.
holds "too few flip-flops in the control of cart" '.designs[2].control_flops >= 16 * (2 + 1) + 8 * 2 + 1'
holds "no critical path" '.designs | all(.min_period_ns > 0)'
# Storage with two reads, such as the tags of groups and queues, takes two macros. The last drained row is read once.
holds "macros are not priced by their bits" '[.designs[].macro | .places, .tags] == [96, 0, 160, 0, 384, 2 * (2 * (4 * 8 + 4 * 8) + 16)]'
holds "the L2 partition is not its macros" '.l2 | [.data_bits, .tag_bits, .area] == [1048576, 21504, 32 * 16000 + 16 * 1000]'
holds "not the share of L2" '.l2.area as $l2 | .designs | all((.percent_of_l2.with_macro - 100 * .area.with_macro / $l2) | fabs < 0.01)'

# ---- errors
refuses
rm "$work/macros/fakeram45_64x21.lib"
expect_line 1 "no fakeram45_64x21.lib" env FAKERAM="$work/macros" synth/incoming.sh --quick
broken "an illegal parameter" rtl/cart/block.points '/^cart_2R2C2E_tiny /s/COLS=2/COLS=9/'
finish
