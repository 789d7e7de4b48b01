// Register file with one address: in a cycle one word is read, and written if wanted. For few words: they are read by an AND-OR with the
// decoded address, which is smaller and faster than a tree of multiplexers while the decoder is small.
//   read:  `rdata` is the word of `addr` in the same cycle; where it is written, the old word.
//   write: the word is stored at the clock edge at which `we` is 1. Nothing is reset.
// To use a macro, put another file with this module name and these ports in its place in the file list.
`default_nettype none

module mt_regfile_1rw #(
    // bits of a word, 1 and up
    parameter WIDTH = 32,
    // words, 1 and up
    parameter DEPTH = 4,
    // bits of an address, at least log2(DEPTH)
    parameter ADDR_W = 2
) (
    input  wire              clk,
    input  wire [DEPTH-1:0] at,
    input  wire              we,
    input  wire [WIDTH-1:0]  wdata,
    output reg  [WIDTH-1:0]  rdata
);
    reg  [WIDTH*DEPTH-1:0] mem;
    integer                i;

    always @* begin
        rdata = {WIDTH{1'b0}};
        for (i = 0; i < DEPTH; i = i + 1) begin
            rdata = rdata | (mem[i*WIDTH+:WIDTH] & {WIDTH{at[i]}});
        end
    end
    integer j;
    always @(posedge clk) for (j = 0; j < DEPTH; j = j + 1) if (we && at[j]) mem[j*WIDTH+:WIDTH] <= wdata;
endmodule

`default_nettype wire
