// SPDX-License-Identifier: Apache-2.0
// Contract of static_mshr: what its ports promise (mshr_contract.vh), and that words leave as they came (mshr_word_contract.vh). What the entries
// keep so that they can is in static_one_contract.vh and static_two_contract.vh, by LOOKUP, which drive these wires.
localparam F_SETS = ENTRIES;
localparam F_RESERVED = ENTRIES;
localparam F_LINKS = 0;
localparam F_WALK = 0;
localparam F_SPLIT = 0;
`include "mshr_contract.vh"

wire [ENTRIES*FILL_W-1:0] f_rows;
wire [ENTRIES-1:0]  f_live_at, f_drain_at;
`include "mshr_word_contract.vh"
