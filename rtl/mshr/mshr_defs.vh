// SPDX-License-Identifier: Apache-2.0
// Defines the codes that the MSHR blocks share, as cmodel/mshr/mshr_ports.h does.
`ifndef MSHR_DEFS_VH
`define MSHR_DEFS_VH
`define MSHR_REFUSE_NONE       2'd0
`define MSHR_REFUSE_ENTRY_FULL 2'd1
`define MSHR_REFUSE_MERGE_FULL 2'd2
`define MSHR_REFUSE_WALK       2'd3
`define MSHR_REFUSE_STALE      2'd3
`define MSHR_OK         1'd0
`define MSHR_ERR_RETURN 1'd1
`define MSHR_S0   4'd0
`define MSHR_S1   4'd1
`define MSHR_S2   4'd2
`define MSHR_S3   4'd3
`define MSHR_S4   4'd4
`define MSHR_S5   4'd5
`define MSHR_S6   4'd6
`define MSHR_S7   4'd7
`define MSHR_S8   4'd8
`define MSHR_S9   4'd9
`define MSHR_S10  4'd10
`define MSHR_SERR 4'd15
`endif
