// SPDX-License-Identifier: Apache-2.0
// Stores the quotas of lease's groups, and reports how many entries each group may still get in the window: none, one,
// or more. The outputs already count the entry that `grow` reports. A quota applies to accesses from the next cycle on.
`default_nettype none
`include "mt_reset.vh"

module lease_groups #(
    // number of page groups, 1..64
    parameter GROUPS = 32,
    // widths of a group number and a quota (set by lease)
    parameter GROUP_W = 5,
    parameter QUOTA_W = 5
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               clear,        // a window starts in the next cycle
    input  wire               quota_valid,  // late
    input  wire [GROUP_W-1:0] quota_group,  // late
    input  wire [QUOTA_W-1:0] quota,        // late
    input  wire               grow,         // the group gets one more entry
    input  wire [GROUP_W-1:0] grow_group,
    output wire [GROUPS-1:0]  none,         // the group has reached its quota
    output wire [GROUPS-1:0]  one           // the group is one entry below its quota
);
    localparam [QUOTA_W:0] ONE = 1;
    localparam [QUOTA_W:0] TWO = 2;

    reg               set;
    reg [GROUP_W-1:0] set_group;
    reg [QUOTA_W-1:0] set_quota;
    always @(posedge clk `MT_OR_RST)
        if (rst) set <= 1'b0;
        else set <= quota_valid;
    always @(posedge clk) begin
        set_group <= quota_group;
        set_quota <= quota;
    end

    genvar g;
    generate
        for (g = 0; g < GROUPS; g = g + 1) begin : gen_group
            localparam [GROUP_W-1:0] THIS = g;
            reg  [QUOTA_W-1:0] limit, entries;
            wire               grows = grow && grow_group == THIS;
            wire [QUOTA_W:0]   entries_1 = {1'b0, entries} + ONE;
            wire               room_0 = entries >= limit;
            wire               room_1 = entries_1 == {1'b0, limit};
            wire               room_2 = {1'b0, entries} + TWO == {1'b0, limit};
            assign none[g] = room_0 || (room_1 && grows);
            assign one[g]  = grows ? room_2 : room_1;
            always @(posedge clk `MT_OR_RST)
                if (rst) limit <= {QUOTA_W{1'b0}};
                else if (set && set_group == THIS) limit <= set_quota;
            always @(posedge clk `MT_OR_RST)
                if (rst) entries <= {QUOTA_W{1'b0}};
                else if (clear) entries <= {QUOTA_W{1'b0}};
                else if (grows) entries <= entries_1[QUOTA_W-1:0];
        end
    endgenerate

`ifdef FORMAL
`include "lease_groups_contract.vh"
`endif
endmodule

`default_nettype wire
