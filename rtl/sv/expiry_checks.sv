// SPDX-License-Identifier: Apache-2.0
// Port assertions of expiry: owed_.. are kept by its user, check_.. by the block. Made by `make cores` from the port list and tb/sv/expiry.rules.
module expiry_checks #(
    // entries, 2..1024, less than 2**BLOCK_W
    parameter ENTRIES = 256,
    // bits of a block number, 2..32
    parameter BLOCK_W = 16,
    // pages of a block, 2..32, a power of two
    parameter PAGES = 16,
    // most entries that leave for one take, 1..16
    parameter TAKE = 4
) (
    input  logic clk,
    input  logic rst,
    input  logic exp_valid,
    input  logic [BLOCK_W-1:0] exp_block,
    input  logic [$clog2(PAGES)-1:0] exp_page,
    input  logic exp_ready,
    input  logic rec_valid,
    input  logic [BLOCK_W-1:0] rec_block,
    input  logic rec_ready,
    input  logic take,
    input  logic out_valid,
    input  logic [BLOCK_W-1:0] out_block,
    input  logic [PAGES-1:0] out_mask,
    input  logic [1:0] out_why,
    input  logic out_last,
    input  logic out_ready
);
    // From the first reset on, but in cycles of reset.
    logic seen_reset = 1'b0;
    always @(posedge clk) if (rst) seen_reset <= 1'b1;
    wire on = seen_reset && !rst;

    // What the ports have shown so far: the pages that have expired, and not left, of the block that was first since reset; which operations were taken, and when.
    logic                     watching, both, take_alone, exp_older, exp_behind;
    logic [BLOCK_W-1:0]       watched, behind_block, recalled;
    logic [$clog2(PAGES)-1:0] behind_page;
    logic [PAGES-1:0]         pages;         // of the block watched
    logic [4:1]               begun;         // cycles since an operation was taken, or a take without another
    logic [31:0]              came, shown;   // expirations, less the entries that have left; entries that have left for this take
    logic                     reset_before, held;
    logic [BLOCK_W+PAGES+2:0] held_word;
    wire                      exp = exp_valid && exp_ready;
    wire                      rec = rec_valid && rec_ready;
    wire                      goes = out_valid && out_ready;
    wire                      entry = out_why != 2'd3;
    wire                      behind = exp && rec && !exp_older;
    wire                      first = exp && !watching;
    wire                      here = first || exp_block == watched;
    wire [PAGES-1:0]          page = PAGES'(1) << exp_page;
    wire [PAGES-1:0]          page_behind = exp_behind && behind_block == watched ? PAGES'(1) << behind_page : '0;
    wire [BLOCK_W+PAGES+2:0]  word = {out_last, out_why, entry ? {out_block, out_mask} : '0};
    always_ff @(posedge clk) begin
        if (first) watched <= exp_block;
        if (exp) watching <= 1'b1;
        if (goes) pages <= (entry && out_block == watched ? '0 : pages) | page_behind;
        else if (exp && here && !behind) pages <= first ? page : pages | page;
        // of both, the recall goes first, unless the expiration has waited longer
        exp_older <= exp_valid && !exp_ready && (exp_older || !rec_valid);
        if (exp_ready) begin
            exp_behind   <= behind;
            behind_block <= exp_block;
            behind_page  <= exp_page;
            both         <= exp && rec;
        end else if (goes) begin
            exp_behind <= 1'b0;
        end
        if (rec) recalled <= rec_block;
        came         <= came + 32'(exp) - 32'(goes && entry);
        shown        <= goes && !out_last ? shown + 1 : goes ? 0 : shown;
        begun        <= rst ? '0 : {begun[3:1], exp || rec || take_alone};
        reset_before <= rst;
        held         <= out_valid && !out_ready && !rst;
        held_word    <= word;
        if (rst) begin
            {watching, exp_older, exp_behind, both} <= '0;
            pages <= '0;
            came  <= '0;
            shown <= '0;
        end
    end
    assign take_alone = take && exp_ready && !exp && !rec;


    // ---- what the user owes the block
    owed_known_exp_valid:
        assert property (@(posedge clk) on |-> (!$isunknown(exp_valid)))
        else $error("expiry: owed_known_exp_valid: exp_valid is known in every cycle");
    owed_known_rec_valid:
        assert property (@(posedge clk) on |-> (!$isunknown(rec_valid)))
        else $error("expiry: owed_known_rec_valid: rec_valid is known in every cycle");
    owed_known_take:
        assert property (@(posedge clk) on |-> (!$isunknown(take)))
        else $error("expiry: owed_known_take: take is known in every cycle");
    owed_known_out_ready:
        assert property (@(posedge clk) on && (out_valid) |-> (!$isunknown(out_ready)))
        else $error("expiry: owed_known_out_ready: out_ready is known where it means something");
    owed_known_operations:
        assert property (@(posedge clk) on |-> (^{exp_valid, rec_valid, take} !== 1'bx))
        else $error("expiry: owed_known_operations: whether something comes is known in every cycle");
    owed_known_exp_block:
        assert property (@(posedge clk) on && (exp_valid && exp_ready) |-> (!$isunknown(exp_block)))
        else $error("expiry: owed_known_exp_block: exp_block is known when it is taken");
    owed_known_exp_page:
        assert property (@(posedge clk) on && (exp_valid && exp_ready) |-> (!$isunknown(exp_page)))
        else $error("expiry: owed_known_exp_page: exp_page is known when it is taken");
    owed_known_rec_block:
        assert property (@(posedge clk) on && (rec_valid && rec_ready) |-> (!$isunknown(rec_block)))
        else $error("expiry: owed_known_rec_block: rec_block is known when it is taken");

    // ---- what the block keeps
    check_known_exp_ready:
        assert property (@(posedge clk) on |-> (!$isunknown(exp_ready)))
        else $error("expiry: check_known_exp_ready: exp_ready is known");
    check_known_rec_ready:
        assert property (@(posedge clk) on |-> (!$isunknown(rec_ready)))
        else $error("expiry: check_known_rec_ready: rec_ready is known");
    check_known_out_valid:
        assert property (@(posedge clk) on |-> (!$isunknown(out_valid)))
        else $error("expiry: check_known_out_valid: out_valid is known");
    check_known_out_block:
        assert property (@(posedge clk) on && (out_valid && out_why < 3) |-> (!$isunknown(out_block)))
        else $error("expiry: check_known_out_block: out_block is known where it means something");
    check_known_out_mask:
        assert property (@(posedge clk) on && (out_valid && out_why < 3) |-> (!$isunknown(out_mask)))
        else $error("expiry: check_known_out_mask: out_mask is known where it means something");
    check_known_out_why:
        assert property (@(posedge clk) on && (out_valid) |-> (!$isunknown(out_why)))
        else $error("expiry: check_known_out_why: out_why is known where it means something");
    check_known_out_last:
        assert property (@(posedge clk) on && (out_valid) |-> (!$isunknown(out_last)))
        else $error("expiry: check_known_out_last: out_last is known where it means something");
    check_both_ready:
        assert property (@(posedge clk) on |-> (exp_ready == rec_ready))
        else $error("expiry: check_both_ready: both ports take in the same cycle");
    check_starts:
        assert property (@(posedge clk) on && (reset_before) |-> (exp_ready && !out_valid))
        else $error("expiry: check_starts: reset ends what is under way");
    check_works:
        assert property (@(posedge clk) on && (begun[1] || begun[2] || begun[3]) |-> (!exp_ready && !out_valid))
        else $error("expiry: check_works: an operation takes three cycles more");
    check_works_ends:
        assert property (@(posedge clk) on && (begun[4]) |-> (exp_ready || out_valid || both))
        else $error("expiry: check_works_ends: behind these it is done, or its output stands");
    check_out_busy:
        assert property (@(posedge clk) on && (out_valid) |-> (!exp_ready))
        else $error("expiry: check_out_busy: nothing is taken while an output stands");
    check_out_stays:
        assert property (@(posedge clk) on && (held) |-> (out_valid && word === held_word))
        else $error("expiry: check_out_stays: an output stays until it is taken");
    check_out_last:
        assert property (@(posedge clk) on && (out_valid && out_why != 2'd1) |-> (out_last))
        else $error("expiry: check_out_last: only a take has several outputs");
    check_out_most:
        assert property (@(posedge clk) on && (out_valid && out_why == 2'd1) |-> (shown < TAKE && (out_last || shown < TAKE - 1)))
        else $error("expiry: check_out_most: a take has TAKE outputs at most");
    check_out_some:
        assert property (@(posedge clk) on && (out_valid && entry) |-> (out_mask != '0))
        else $error("expiry: check_out_some: an entry has a page that has expired");
    check_out_recalled:
        assert property (@(posedge clk) on && (out_valid && out_why == 2'd2) |-> (out_block === recalled))
        else $error("expiry: check_out_recalled: what is recalled is of the block asked for");
    check_out_full:
        assert property (@(posedge clk) on && (out_valid && out_why == 2'd0) |-> (came > ENTRIES))
        else $error("expiry: check_out_full: an entry goes for another where there can be no room");
    check_out_watched:
        assert property (@(posedge clk) on && (out_valid && entry && watching && out_block == watched) |-> (pages != '0 && out_mask === pages))
        else $error("expiry: check_out_watched: the pages that leave are those that have expired since the block left last");
    check_none_watched:
        assert property (@(posedge clk) on && (out_valid && out_why == 2'd3 && pages != '0) |-> (recalled != watched))
        else $error("expiry: check_none_watched: word that there is nothing is not of a block that has an entry");
endmodule
