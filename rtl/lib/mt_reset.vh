// SPDX-License-Identifier: Apache-2.0
// What a register with a reset is sensitive to, beside its clock.
`ifdef MT_ASYNC_RESET
`define MT_OR_RST or posedge rst
`else
`define MT_OR_RST
`endif
