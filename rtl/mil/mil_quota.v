// SPDX-License-Identifier: Apache-2.0
// Stores the quotas of the kernels, and selects the kernel with the greatest quota among those able to issue; if quotas
// are equal, the lowest kernel.
`default_nettype none
`include "mt_reset.vh"

module mil_quota #(
    // number of kernels on the SM, 1..4
    parameter KERNELS = 2,
    // quota width, 8..24 bits
    parameter QUOTA_W = 20,
    // width of a value of 0..SCHEDULERS, 1..3 bits (set by mil)
    parameter ROOM_W = 3
) (
    input  wire                       clk,
    input  wire                       rst,
    input  wire [KERNELS-1:0]         live,
    input  wire [KERNELS-1:0]         start,
    input  wire [KERNELS*ROOM_W-1:0]  iss,
    input  wire [KERNELS*QUOTA_W-1:0] share,
    input  wire [KERNELS-1:0]         able,
    output wire [KERNELS-1:0]         first,
    output reg  [KERNELS*QUOTA_W-1:0] quota
);
    localparam [QUOTA_W-1:0] ONE = 1;
    wire [KERNELS-1:0] used_up;  // the quota is used up in this cycle
    wire               refill = |(live & used_up);
    genvar k, j;
    generate
        for (k = 0; k < KERNELS; k = k + 1) begin : gen_kernel
            wire [QUOTA_W-1:0] old = quota[k*QUOTA_W+:QUOTA_W];
            wire [QUOTA_W-1:0] used = {{QUOTA_W - ROOM_W{1'b0}}, iss[k*ROOM_W+:ROOM_W]};
            wire [QUOTA_W-1:0] refund = |start ? ONE : share[k*QUOTA_W+:QUOTA_W];
            wire [QUOTA_W:0]   total = {1'b0, old} + {1'b0, refund} - {1'b0, used};
            wire [QUOTA_W-1:0] left = old - used;
            assign used_up[k] = start[k] || old <= used;
            always @(posedge clk `MT_OR_RST)
                if (rst) quota[k*QUOTA_W+:QUOTA_W] <= {QUOTA_W{1'b0}};
                else if (refill && live[k]) quota[k*QUOTA_W+:QUOTA_W] <=
                    used_up[k] ? refund : total[QUOTA_W] ? {QUOTA_W{1'b1}} : total[QUOTA_W-1:0];
                else quota[k*QUOTA_W+:QUOTA_W] <= used_up[k] ? {QUOTA_W{1'b0}} : left;

            // other kernels that are able to issue and have priority over this kernel
            wire [KERNELS-1:0] ahead;
            for (j = 0; j < KERNELS; j = j + 1) begin : gen_other
                if (j < k) begin : gen_lower
                    assign ahead[j] = able[j] && quota[j*QUOTA_W+:QUOTA_W] >= old;
                end else begin : gen_higher
                    assign ahead[j] = able[j] && quota[j*QUOTA_W+:QUOTA_W] > old;
                end
            end
            assign first[k] = able[k] && ahead == {KERNELS{1'b0}};
        end
    endgenerate
endmodule

`default_nettype wire
