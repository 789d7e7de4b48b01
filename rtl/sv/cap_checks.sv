// SPDX-License-Identifier: Apache-2.0
// Port assertions of cap: owed_.. are kept by its user, check_.. by the block. Made by `make cores` from the port list and tb/sv/cap.rules.
module cap_checks #(
    // page groups, 1..64
    parameter GROUPS = 32,
    // bits of a number of pages, 4..28
    parameter AVAIL_W = 22,
    // bits of a number of blocks, 5..24
    parameter SIZE_W = 18,
    // numerator of c, 1..255
    parameter C_NUM = 11,
    // denominator of c, 1..C_NUM
    parameter C_DEN = 10,
    // log2 of the blocks of a prefetch while memory is oversubscribed, 0..4
    parameter OVER = 3
) (
    input  logic clk,
    input  logic rst,
    input  logic set_valid,
    input  logic [(GROUPS < 2 ? 1 : $clog2(GROUPS))-1:0] set_group,
    input  logic [SIZE_W-1:0] set_req,
    input  logic agg_valid,
    input  logic [SIZE_W-1:0] agg,
    input  logic ask_valid,
    input  logic [(GROUPS < 2 ? 1 : $clog2(GROUPS))-1:0] ask_group,
    input  logic [AVAIL_W-1:0] ask_avail,
    input  logic ask_full,
    input  logic ans_valid,
    input  logic [2:0] ans_size
);
    // From the first reset on, but in cycles of reset.
    logic seen_reset = 1'b0;
    always @(posedge clk) if (rst) seen_reset <= 1'b1;
    wire on = seen_reset && !rst;

    // What the ports have shown so far: what was set, and what the questions of the last two cycles have to be answered.
    logic [GROUPS-1:0] known;
    logic [SIZE_W-1:0] reqs[0:GROUPS-1];
    logic              agg_known;
    logic [SIZE_W-1:0] agg_set;
    logic [1:0]        asked, unset, full;
    logic [2:0]        limit, fit, limit_1, fit_1, limit_2, fit_2;
    wire               in_range = 32'(ask_group) < GROUPS;
    wire [63:0]        req = 64'(reqs[ask_group]);
    wire [63:0]        have = 64'(C_DEN) * 64'(ask_avail) * req;
    wire [63:0]        need = 64'(C_NUM) * 64'(agg_set) * 64'd16;
    always_comb begin
        limit = 3'd0;
        fit   = 3'd0;
        for (int k = 1; k <= 4; k++) begin
            if (req >> k != '0) limit = 3'(k);
            if (have >= need << k) fit = 3'(k);
        end
    end
    always_ff @(posedge clk) begin
        if (set_valid && 32'(set_group) < GROUPS) begin
            known[set_group] <= 1'b1;
            reqs[set_group]  <= set_req;
        end
        if (agg_valid) begin
            agg_known <= 1'b1;
            agg_set   <= agg;
        end
        asked   <= {asked[0], ask_valid};
        unset   <= {unset[0], !(in_range && known[ask_group] && agg_known)};
        full    <= {full[0], ask_full};
        limit_1 <= limit;
        limit_2 <= limit_1;
        fit_1   <= fit;
        fit_2   <= fit_1;
        if (rst) begin
            known     <= '0;
            agg_known <= 1'b0;
            asked     <= '0;
        end
    end
    wire answers = ans_valid && !unset[1];
    wire [2:0] over = limit_2 > 3'(OVER) ? 3'(OVER) : limit_2;


    // ---- what the user owes the block
    owed_known_set_valid:
        assert property (@(posedge clk) on |-> (!$isunknown(set_valid)))
        else $error("cap: owed_known_set_valid: set_valid is known in every cycle");
    owed_known_set_group:
        assert property (@(posedge clk) on && (set_valid) |-> (!$isunknown(set_group)))
        else $error("cap: owed_known_set_group: set_group is known where it means something");
    owed_known_set_req:
        assert property (@(posedge clk) on && (set_valid) |-> (!$isunknown(set_req)))
        else $error("cap: owed_known_set_req: set_req is known where it means something");
    owed_known_agg_valid:
        assert property (@(posedge clk) on |-> (!$isunknown(agg_valid)))
        else $error("cap: owed_known_agg_valid: agg_valid is known in every cycle");
    owed_known_ask_valid:
        assert property (@(posedge clk) on |-> (!$isunknown(ask_valid)))
        else $error("cap: owed_known_ask_valid: ask_valid is known in every cycle");
    owed_known_ask_group:
        assert property (@(posedge clk) on && (ask_valid) |-> (!$isunknown(ask_group)))
        else $error("cap: owed_known_ask_group: ask_group is known where it means something");
    owed_known_ask_avail:
        assert property (@(posedge clk) on && (ask_valid) |-> (!$isunknown(ask_avail)))
        else $error("cap: owed_known_ask_avail: ask_avail is known where it means something");
    owed_known_ask_full:
        assert property (@(posedge clk) on && (ask_valid) |-> (!$isunknown(ask_full)))
        else $error("cap: owed_known_ask_full: ask_full is known where it means something");

    // ---- what the block keeps
    check_known_ans_valid:
        assert property (@(posedge clk) on |-> (!$isunknown(ans_valid)))
        else $error("cap: check_known_ans_valid: ans_valid is known");
    check_known_ans_size:
        assert property (@(posedge clk) on && (ans_valid) |-> (!$isunknown(ans_size)))
        else $error("cap: check_known_ans_size: ans_size is known where it means something");
    check_answer:
        assert property (@(posedge clk) on |-> (ans_valid == asked[1]))
        else $error("cap: check_answer: each question is answered two cycles later");
    check_unset:
        assert property (@(posedge clk) on && (ans_valid && unset[1]) |-> (ans_size == 3'd0))
        else $error("cap: check_unset: a group that was not set gets one block");
    check_within:
        assert property (@(posedge clk) on && (answers) |-> (ans_size <= limit_2))
        else $error("cap: check_within: no more than the group has");
    check_fits:
        assert property (@(posedge clk) on && (answers && !full[1]) |-> (ans_size <= fit_2))
        else $error("cap: check_fits: no more than the capacity allows");
    check_greatest:
        assert property (@(posedge clk) on && (answers && !full[1]) |-> (ans_size == limit_2 || ans_size >= fit_2))
        else $error("cap: check_greatest: as much as the capacity allows");
    check_over:
        assert property (@(posedge clk) on && (answers && full[1]) |-> (ans_size == over))
        else $error("cap: check_over: OVER while memory is oversubscribed");
endmodule
