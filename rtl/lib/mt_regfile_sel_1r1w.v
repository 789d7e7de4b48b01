// SPDX-License-Identifier: Apache-2.0
// mt_regfile_1r1w whose place is chosen by one-hot selects instead of an address, where these are there anyway: nothing is encoded and
// decoded again, and gates that select by one-hot are smaller than a tree of multiplexers. The words are in parts of 2**ADDR_W, the parts
// in FILES: part p is of file p % FILES.
//   write: into word `waddr` of the part with `we`, at the clock edge. Nothing is reset.
//   read:  `rdata` is the word `rsel` of the file `rfile`, in the part of it that `rpart` says, in the same cycle; one-hot each, rpart in
//          each file. 0 without any of them. `rfile` may come late.
// To use a macro, encode the selects, and put another file with this module name and these ports in its place in the file list.
`default_nettype none

module mt_regfile_sel_1r1w #(
    // bits of a word, 1 and up
    parameter WIDTH = 32,
    // words, 1 and up
    parameter DEPTH = 16,
    // bits of an address in a part
    parameter ADDR_W = 4,
    // 1 and up, up to the number of parts
    parameter FILES = 1,
    // derived
    parameter WORDS = 1 << ADDR_W,
    parameter PARTS = (DEPTH + WORDS - 1) / WORDS
) (
    input  wire              clk,
    input  wire [PARTS-1:0]  we,
    input  wire [ADDR_W-1:0] waddr,
    input  wire [WIDTH-1:0]  wdata,
    input  wire [FILES-1:0]  rfile,
    input  wire [PARTS-1:0]  rpart,
    input  wire [WORDS-1:0]  rsel,
    output reg  [WIDTH-1:0]  rdata
);
    wire [FILES*WIDTH-1:0] words;  // of each file
    genvar                 p, i;
    generate
        for (p = 0; p < PARTS; p = p + 1) begin : gen_part
            reg [WIDTH-1:0] mem[0:WORDS-1];
            always @(posedge clk) if (we[p]) mem[waddr] <= wdata;
            for (i = 1; i < 2 * WORDS; i = i + 1) begin : gen_node  // a tree: 1 is the root, the children of i are 2i and 2i+1
                wire [WIDTH-1:0] read;
                if (i < WORDS) begin : gen_inner
                    assign read = gen_node[2*i].read | gen_node[2*i+1].read;
                end else begin : gen_word
                    assign read = mem[i-WORDS] & {WIDTH{rsel[i-WORDS]}};
                end
            end
            wire [WIDTH-1:0] upto_part;  // what is read of this part and those before it in the file
            if (p < FILES) begin : gen_first
                assign upto_part = rpart[p] ? gen_node[1].read : {WIDTH{1'b0}};
            end else begin : gen_next
                assign upto_part = gen_part[p-FILES].upto_part | (rpart[p] ? gen_node[1].read : {WIDTH{1'b0}});
            end
        end
        for (p = 0; p < FILES; p = p + 1) begin : gen_file
            assign words[p*WIDTH+:WIDTH] = rfile[p] ? gen_part[(PARTS-1-p)/FILES*FILES+p].upto_part : {WIDTH{1'b0}};
        end
    endgenerate

    integer k;
    always @* begin
        rdata = {WIDTH{1'b0}};
        for (k = 0; k < FILES; k = k + 1) rdata = rdata | words[k*WIDTH+:WIDTH];
    end

`ifdef FORMAL
`include "mt_regfile_sel_1r1w_contract.vh"
`endif
endmodule

`default_nettype wire
