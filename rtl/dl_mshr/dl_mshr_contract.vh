// SPDX-License-Identifier: Apache-2.0
// Contract of dl_mshr: what its ports promise (mshr_contract.vh), and that words leave as they came (mshr_word_contract.vh). What the sets keep
// so that they can is in dlm_sets_contract.vh and dlm_split_contract.vh, which drive these wires.
localparam F_SETS = SETS;
localparam F_RESERVED = RESERVED_HEADS;
localparam F_LINKS = 1;
localparam F_WALK = HEADS == SETS && TAIL == 0;
localparam F_SPLIT = HEADS < SETS;
`include "mshr_contract.vh"

wire [SETS*FILL_W-1:0] f_rows;
wire [SETS-1:0] f_live_at, f_drain_at;
`include "mshr_word_contract.vh"
