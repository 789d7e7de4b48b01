// SPDX-License-Identifier: Apache-2.0
// The block addresses of an MSHR block's heads once more, in a RAM, for its responses: written with the primary miss, read with RET. The word
// stays until the next RET, whatever becomes of the head meanwhile. With ADDR_OUT=0 there is none.
`default_nettype none

module mshr_addr #(
    // sets, 2..256
    parameter SETS = 128,
    // bits of a block address
    parameter ADDR_W = 25,
    // bits of a set number
    parameter SET_W = 7,
    // cycles of a lookup: with 2 a request is for the address that was looked up last
    parameter LOOKUP = 1,
    // 1: there is a RAM, 0: none
    parameter ADDR_OUT = 0
) (
    input  wire              clk,
    input  wire              look,
    input  wire [ADDR_W-1:0] look_addr,
    input  wire [ADDR_W-1:0] req_addr,
    input  wire              take,       // a primary miss takes req_head
    input  wire [SET_W-1:0]  req_head,
    input  wire              ret_start,  // the drain of ret_head begins
    input  wire [SET_W-1:0]  ret_head,
    output wire [ADDR_W-1:0] addr        // of the super-entry under drain
);
    generate
        if (ADDR_OUT != 0) begin : gen_addr
            wire [ADDR_W-1:0] sought;
            if (LOOKUP == 2) begin : gen_looked
                wire             unused_addr = &{1'b0, req_addr};
                reg [ADDR_W-1:0] looked;
                always @(posedge clk) if (look) looked <= look_addr;
                assign sought = looked;
            end else begin : gen_asked
                wire unused_look = &{1'b0, look, look_addr};
                assign sought = req_addr;
            end

            mt_ram_1r1w #(
                .WIDTH (ADDR_W),
                .DEPTH (SETS),
                .ADDR_W(SET_W)
            ) u_ram (
                .clk  (clk),
                .we   (take),
                .waddr(req_head),
                .wdata(sought),
                .re   (ret_start),
                .raddr(ret_head),
                .rdata(addr)
            );
        end else begin : gen_no_addr
            wire unused_all = &{1'b0, clk, look, look_addr, req_addr, take, req_head, ret_start, ret_head};
            assign addr = {ADDR_W{1'b0}};
        end
    endgenerate
endmodule

`default_nettype wire
