// SPDX-License-Identifier: Apache-2.0
// Defines the sensitivity of a register with a reset, in addition to its clock.
`ifdef MT_ASYNC_RESET
`define MT_OR_RST or posedge rst
`else
`define MT_OR_RST
`endif
