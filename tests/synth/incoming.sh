#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 40 s
# synth/incoming.sh on tiny designs: the report has what it should, a fault ends it with exit code 1 and a reason. And OBSERVE=0, whose area is
# taken, is proven to be the block that the twins verify. Run from the root. Exit code: 0 if all is well.
. tests/lib.bash
. tests/synth/same_block.bash
. tests/synth/report.bash
report_of incoming.sh incoming_quick

# A library of macros: the nearest to the ids of cart is 32x4, to all else 4x8; 64x21 and 1024x32 are those of the L2 partition.
macro 1024x32 16000.0
macro 64x21 1000.0
macro 32x4 384.0 # 3 um2 a bit
macro 4x8 64.0   # 2

quick 'place bits' places tags queues drain fill rest control 'all flops' 'as macro' '% of L2'
holds "not the three designs" '[.designs[].name] == ["in_fifo", "bank_queues", "cart"]'
# in_fifo: 4 places of 8 + 4 bits. bank_queues: 8 of 6 + 4. cart: 32 ids of 4; tags of 4 branches: 2 rows, 4 columns, the row of last time.
holds "not the bits of storage" '[.designs[].bits | .places, .tags] == [48, 0, 80, 0, 128, 4 * (2 * 4 + 4 * 2 + 4)]'
holds "an area is not above 0" '[.designs[] | .area | .places, .rest, .control] + [.designs[2].area | .tags, .queues, .drain, .fill] | all(. > 0)'
holds "areas do not add up" '[.designs[].area | (.places + .tags + .control - .all_flops), ([.queues, .drain, .fill, .rest] | add) - .control] | all(fabs < 1)'
holds "too few flip-flops" '.designs | all(.control_flops > 0 and .flops == .control_flops + .bits.places + .bits.tags)'
# Lengths and heads of 16 queues, two bits "after" a group, held; at least.
holds "too few flip-flops in the control of cart" '.designs[2].control_flops >= 16 * (2 + 1) + 8 * 2 + 1'
holds "no critical path" '.designs | all(.min_period_ns > 0)'
# Read twice, as tags of groups and queues are, means two macros; the row of last time is read once.
holds "macros are not priced by their bits" '[.designs[].macro | .places, .tags] == [96, 0, 160, 0, 384, 2 * (2 * (4 * 8 + 4 * 8) + 16)]'
holds "the L2 partition is not its macros" '.l2 | [.data_bits, .tag_bits, .area] == [1048576, 21504, 32 * 16000 + 16 * 1000]'
holds "not the share of L2" '.l2.area as $l2 | .designs | all((.percent_of_l2.with_macro - 100 * .area.with_macro / $l2) | fabs < 0.01)'

# ---- what ends it
refuses
rm "$work/macros/fakeram45_64x21.lib"
expect_line 1 "no fakeram45_64x21.lib" env FAKERAM="$work/macros" synth/incoming.sh --quick
broken "an illegal parameter" rtl/cart/block.points '/^cart_2R2C2E_tiny /s/COLS=2/COLS=9/'

# ---- OBSERVE=0 is the same block, without the counters of requests and queues
# INCOMING_COUNT_W and INCOMING_QUEUES_W, 18 and 13 flip-flops
same_blocks in_fifo bank_queues cart
finish
