// Block addresses and comparators of an MSHR block. Bit b of all addresses is one column tag[b*N +: N]: simulators then compare all
// entries with a few wide operations; the gates are those of N comparators.
`default_nettype none

module mshr_cam #(
    // entries
    parameter N = 128,
    // bits of a block address
    parameter ADDR_W = 25,
    // 1: the comparator of an entry that cannot match sees zeros (saves switching, costs an AND a bit)
    parameter GATE = 1
) (
    input  wire              clk,
    input  wire [N-1:0]      matchable,
    input  wire [ADDR_W-1:0] addr,
    output wire [N-1:0]      match,      // matchable and equal
    input  wire [N-1:0]      store       // entries that store addr at the edge
);
    reg [N*ADDR_W-1:0] tag;
    reg [N-1:0]        differ;
    integer            b;

    always @* begin
        differ = {N{1'b0}};
        for (b = 0; b < ADDR_W; b = b + 1)
            differ = differ | (tag[b*N+:N] ^ ({N{addr[b]}} & (GATE != 0 ? matchable : {N{1'b1}})));
    end
    assign match = matchable & ~differ;

    integer c;
    always @(posedge clk)
        for (c = 0; c < ADDR_W; c = c + 1) tag[c*N+:N] <= (tag[c*N+:N] & ~store) | (store & {N{addr[c]}});
endmodule

`default_nettype wire
