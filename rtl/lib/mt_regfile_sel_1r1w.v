// SPDX-License-Identifier: Apache-2.0
// Register file like mt_regfile_1r1w, but with one-hot selects instead of an address. It is meant for users that have
// the selects anyway: no encoder and decoder are needed, and one-hot gates are smaller than a multiplexer tree. The
// words are divided into parts of 2**ADDR_W, and the parts among FILES: part p belongs to file p % FILES.
//   write: word `waddr` of the part whose `we` is 1 is written at the clock edge. There is no reset.
//   read:  `rdata` is word `rsel` of part `rpart` of file `rfile` in the same cycle, or 0 if no word is selected. Each
//          select is one-hot, rpart in each file. `rfile` may arrive late.
// To use a macro, encode the selects, and replace this file in the file list with a module of the same name and ports.
`default_nettype none

module mt_regfile_sel_1r1w #(
    // word width, at least 1 bit
    parameter WIDTH = 32,
    // number of words, at least 1
    parameter DEPTH = 16,
    // width of an address within a part
    parameter ADDR_W = 4,
    // number of files, 1 to the number of parts
    parameter FILES = 1,
    // derived: number of words per part
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
    wire [FILES*WIDTH-1:0] words;  // word read from each file
    genvar                 p, i;
    generate
        for (p = 0; p < PARTS; p = p + 1) begin : gen_part
            reg [WIDTH-1:0] mem[0:WORDS-1];
            always @(posedge clk) if (we[p]) mem[waddr] <= wdata;
            // binary tree: 1 is the root, 2i and 2i+1 are the children of i
            for (i = 1; i < 2 * WORDS; i = i + 1) begin : gen_node
                wire [WIDTH-1:0] read;
                if (i < WORDS) begin : gen_inner
                    assign read = gen_node[2*i].read | gen_node[2*i+1].read;
                end else begin : gen_word
                    assign read = mem[i-WORDS] & {WIDTH{rsel[i-WORDS]}};
                end
            end
            wire [WIDTH-1:0] upto_part;  // OR of the words of this part and the parts before it in the file
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
