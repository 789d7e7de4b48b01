// SPDX-License-Identifier: Apache-2.0
// Port assertions beside every static_mshr of a design. Made by `make cores`.
bind static_mshr static_mshr_checks #(
    .ENTRIES(ENTRIES),
    .SLOTS(SLOTS),
    .ADDR_W(ADDR_W),
    .OFF_W(OFF_W),
    .ID_W(ID_W),
    .DATA_W(DATA_W),
    .LOOKUP(LOOKUP)
) u_checks (
    .clk(clk),
    .rst(rst),
    .look(look),
    .look_addr(look_addr),
    .req_valid(req_valid),
    .req_addr(req_addr),
    .req_off(req_off),
    .req_id(req_id),
    .req_write(req_write),
    .req_data(req_data),
    .req_mask(req_mask),
    .req_ready(req_ready),
    .req_refuse(req_refuse),
    .req_primary(req_primary),
    .req_head(req_head),
    .ret_valid(ret_valid),
    .ret_head(ret_head),
    .ret_ready(ret_ready),
    .rsp_valid(rsp_valid),
    .rsp_ready(rsp_ready),
    .rsp_last(rsp_last),
    .rsp_off(rsp_off),
    .rsp_id(rsp_id),
    .rsp_write(rsp_write),
    .rsp_data(rsp_data),
    .rsp_mask(rsp_mask),
    .err(err)
);
