// SPDX-License-Identifier: Apache-2.0
// Inverse of addr_extract: moves packed bits back to their address positions; all other bits are 0. Wires only.
`default_nettype none

module addr_insert #(
    // address width, 1..48 bits
    parameter ADDR_W = 21,
    // mask of the positions to which the bits are moved
    parameter [47:0] MASK = 1,
    // number of ones in MASK
    parameter W = 1
) (
    input  wire [W-1:0]      bits,
    output wire [ADDR_W-1:0] addr
);
    // Returns the number of set bits of MASK below bit n.
    function integer rank(input integer n);
        integer i;
        begin
            rank = 0;
            for (i = 0; i < n; i = i + 1) if (MASK[i]) rank = rank + 1;
        end
    endfunction

    genvar i;
    generate
        for (i = 0; i < ADDR_W; i = i + 1) begin : gen_bit
            if (MASK[i]) begin : gen_given
                assign addr[i] = bits[rank(i)];
            end else begin : gen_other
                assign addr[i] = 1'b0;
            end
        end
    endgenerate
endmodule

`default_nettype wire
