// SPDX-License-Identifier: Apache-2.0
// Defines the codes of the incoming blocks, as cmodel/incoming/incoming_ports.h does.
`ifndef INCOMING_DEFS_VH
`define INCOMING_DEFS_VH

`define INCOMING_REFUSE_NONE 2'd0
`define INCOMING_REFUSE_FULL 2'd1
`define INCOMING_REFUSE_ROW 2'd2
`define INCOMING_REFUSE_COLUMN 2'd3

`define INCOMING_WHY_NEXT 3'd0
`define INCOMING_WHY_HELD 3'd1
`define INCOMING_WHY_AGED 3'd2
`define INCOMING_WHY_QUEUE 3'd3
`define INCOMING_WHY_ROW 3'd4
`define INCOMING_WHY_LONGEST 3'd5

`define INCOMING_COUNT_W 18
`define INCOMING_QUEUES_W 13

`endif
