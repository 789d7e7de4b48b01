// mt_regfile_1r1w with a second read port. In flip-flops that is the cheaper way to read two words: a copy costs a flip-flop and
// a write multiplexer a bit beside the read multiplexer. With macros, put two copies of the 1r1w one in here.
`default_nettype none

module mt_regfile_2r1w #(
    // bits of a word, 1 and up
    parameter WIDTH = 32,
    // words, 1 and up
    parameter DEPTH = 16,
    // bits of an address, at least log2(DEPTH)
    parameter ADDR_W = 4
) (
    input  wire              clk,
    input  wire              we,
    input  wire [ADDR_W-1:0] waddr,
    input  wire [WIDTH-1:0]  wdata,
    input  wire [ADDR_W-1:0] raddr0,
    output wire [WIDTH-1:0]  rdata0,
    input  wire [ADDR_W-1:0] raddr1,
    output wire [WIDTH-1:0]  rdata1
);
    reg [WIDTH-1:0] mem[0:DEPTH-1];

    always @(posedge clk) if (we) mem[waddr] <= wdata;
    assign rdata0 = mem[raddr0];
    assign rdata1 = mem[raddr1];
endmodule

`default_nettype wire
