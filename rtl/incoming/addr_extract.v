// SPDX-License-Identifier: Apache-2.0
// Extracts and packs the address bits of a constant mask: the lowest set bit of MASK becomes bit 0. Wires only.
`default_nettype none

module addr_extract #(
    // address width, 1..48 bits
    parameter ADDR_W = 21,
    // mask of the extracted bits
    parameter [47:0] MASK = 1,
    // number of ones in MASK
    parameter W = 1
) (
    input  wire [ADDR_W-1:0] addr,
    output wire [W-1:0]      bits
);
    // Returns the number of set bits of MASK below bit n.
    function integer rank(input integer n);
        integer i;
        begin
            rank = 0;
            for (i = 0; i < n; i = i + 1) if (MASK[i]) rank = rank + 1;
        end
    endfunction

    wire   unused_addr = &{1'b0, addr};
    genvar i;
    generate
        for (i = 0; i < ADDR_W; i = i + 1) begin : gen_bit
            if (MASK[i]) begin : gen_taken
                assign bits[rank(i)] = addr[i];
            end
        end
    endgenerate
endmodule

`default_nettype wire
