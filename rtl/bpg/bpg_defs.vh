// SPDX-License-Identifier: Apache-2.0
// Defines the codes and widths of bpg, as cmodel/bpg/bpg.h does.
`ifndef BPG_DEFS_VH
`define BPG_DEFS_VH

`define BPG_LOAD 3'd1
`define BPG_UPDATE 3'd2
`define BPG_EVICT 3'd3
`define BPG_WRITE 3'd4

`define BPG_CUBE_W 17
`define BPG_COUNT_W 20

`endif
