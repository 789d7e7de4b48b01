// SPDX-License-Identifier: Apache-2.0
// expiry: the coalescing table of true-usage eviction. Cycle-by-cycle contract: docs/understand/expiry.md; ports:
// rtl/expiry/ports.md. Cycles of an operation:
//   idle    the operation is accepted in this cycle or earlier
//   look    the operation's block is compared with the blocks of all entries (expiry_tags)
//   find    the entry number is encoded
//   read    the mask and links of the entry are read
//   out     the entry is at the output if it must leave
//   change  the entry and the links are written while the next operation starts
`default_nettype none
`include "mt_reset.vh"

module expiry #(
    // number of entries, 2..1024, less than 2**BLOCK_W
    parameter ENTRIES = 256,
    // block number width, 2..32 bits
    parameter BLOCK_W = 16,
    // number of pages per block, 2..32, a power of two
    parameter PAGES = 16,
    // maximum number of entries evicted to make room for one allocation, 1..16
    parameter TAKE = 4
) ( // late: may arrive after the outputs of the cycle are computed
    input  wire                     clk,
    input  wire                     rst,
    input  wire                     exp_valid,  // late
    input  wire [BLOCK_W-1:0]       exp_block,  // late
    input  wire [$clog2(PAGES)-1:0] exp_page,   // late
    output wire                     exp_ready,
    input  wire                     rec_valid,  // late
    input  wire [BLOCK_W-1:0]       rec_block,  // late
    output wire                     rec_ready,
    input  wire                     take,  // late
    output reg                      out_valid,
    output wire [BLOCK_W-1:0]       out_block,
    output wire [PAGES-1:0]         out_mask,
    output wire [1:0]               out_why,
    output reg                      out_last,
    input  wire                     out_ready  // late
);
    // clamped so that an illegal value reaches its ILLEGAL_ message
    localparam N = (ENTRIES < 2) ? 2 : ENTRIES;
    localparam WAY_W = $clog2(N);
    localparam COUNT_W = $clog2(N + 1);
    localparam PAGE_W = $clog2(PAGES);
    localparam TAKE_W = (TAKE < 2) ? 1 : $clog2(TAKE);
    localparam [COUNT_W-1:0] ONE = 1;
    localparam [COUNT_W-1:0] ALL = N[COUNT_W-1:0];
    localparam [PAGES-1:0] PAGE0 = 1;
    localparam [TAKE_W-1:0] TAKE_ONE = 1;
    localparam [31:0] MOST = TAKE - 1;
    localparam [TAKE_W-1:0] TAKE_LAST = MOST[TAKE_W-1:0];

    expiry_legal #(
        .ENTRIES(ENTRIES),
        .BLOCK_W(BLOCK_W),
        .PAGES  (PAGES),
        .TAKE   (TAKE)
    ) u_legal ();

    // ---- accepted operations
    reg                look, find, read;
    reg                exp_waits, rec_waits, take_waits;  // accepted or requested, but not started
    reg                exp_first;                         // an expiration has waited at its port longer than a recall
    wire               idle = !(look || find || read || out_valid);
    wire               ready = idle && !exp_waits && !rec_waits;
    reg  [BLOCK_W-1:0] exp_block_r, rec_block_r;
    reg  [PAGE_W-1:0]  exp_page_r;
    assign exp_ready = ready;
    assign rec_ready = ready;
    always @(posedge clk) begin
        if (exp_valid && ready) begin
            exp_block_r <= exp_block;
            exp_page_r  <= exp_page;
        end
        if (rec_valid && ready) rec_block_r <= rec_block;
    end

    // ---- start of an operation
    wire exp_now = exp_waits || (exp_valid && ready);
    wire rec_now = rec_waits || (rec_valid && ready);
    wire take_now = take_waits || take;
    wire exp_begins = exp_now && (!rec_now || exp_first) && idle;
    wire rec_begins = rec_now && !exp_begins && idle;
    wire take_begins = take_now && !exp_now && !rec_now && idle;
    reg  op_exp, op_rec;  // kind of the operation; it is a take if neither bit is set
    always @(posedge clk `MT_OR_RST)
        if (rst) begin
            {exp_waits, rec_waits, take_waits, exp_first} <= 4'd0;
        end else begin
            exp_waits  <= exp_now && !exp_begins;
            rec_waits  <= rec_now && !rec_begins;
            take_waits <= take_now && !take_begins;
            exp_first  <= exp_valid && !ready && (!rec_valid || exp_first);
        end
    always @(posedge clk)
        if (idle) begin
            op_exp <= exp_begins;
            op_rec <= rec_begins;
        end

    // ---- look, find: entry
    reg  [COUNT_W-1:0] count;
    wire               full = count == ALL;
    wire               none = count == {COUNT_W{1'b0}};
    reg                change;                // last cycle of the operation, not counting `append`
    reg                found_r, has_entry, is_new;  // the block was found; there is an entry to change; it was free
    reg  [WAY_W-1:0]   way;
    wire               found;
    wire [WAY_W-1:0]   found_way, free_way, oldest, newer;
    expiry_tags #(
        .ENTRIES(N),
        .BLOCK_W(BLOCK_W),
        .WAY_W  (WAY_W)
    ) u_tags (
        .clk      (clk),
        .rst      (rst),
        .block    (op_rec ? rec_block_r : exp_block_r),
        .found    (found),
        .found_way(found_way),
        .free_way (free_way),
        .set      (change && op_exp),
        .clear    (change && !op_exp && has_entry),
        .way      (way)
    );
    wire is_take = !op_exp && !op_rec;
    wire first_free = op_exp && !found && !full;
    always @(posedge clk)
        if (find) begin
            found_r   <= found && !is_take;
            has_entry <= op_exp || (op_rec ? found : !none);
            is_new    <= first_free;
            // directly after a take, the order is not updated yet, so the successor of the taken entry is used
            way     <= (is_take && change) ? newer : (found && !is_take) ? found_way : first_free ? free_way : oldest;
        end

    // ---- read, out
    wire leaves = out_valid && out_ready;
    wire stays = op_exp && (found_r || is_new);  // the operation has no output
    reg  [TAKE_W-1:0] take_count;
    always @(posedge clk) begin
        if (idle) take_count <= {TAKE_W{1'b0}};
        else if (leaves) take_count <= take_count + TAKE_ONE;
        if (read) out_last <= !is_take || count <= ONE || take_count == TAKE_LAST;
    end
    always @(posedge clk `MT_OR_RST)
        if (rst) begin
            {look, find, read, out_valid, change} <= 5'd0;
        end else begin
            look      <= exp_begins || rec_begins || take_begins;
            find      <= look || (leaves && !out_last);
            read      <= find;
            out_valid <= (read && !stays) || (out_valid && !out_ready);
            change    <= (read && stays) || leaves;
        end
    always @(posedge clk `MT_OR_RST)
        if (rst) count <= {COUNT_W{1'b0}};
        else if (read && stays && is_new) count <= count + ONE;
        else if (leaves && !op_exp && has_entry) count <= count - ONE;

    wire [PAGES-1:0] bit_of_page = PAGE0 << exp_page_r;
    mt_ram_1r1w #(
        .WIDTH (BLOCK_W + PAGES),
        .DEPTH (N),
        .ADDR_W(WAY_W)
    ) u_entries (
        .clk  (clk),
        .we   (change && op_exp),
        .waddr(way),
        .wdata({exp_block_r, (out_mask & {PAGES{found_r}}) | bit_of_page}),
        .re   (read),
        .raddr(way),
        .rdata({out_block, out_mask})
    );
    assign out_why = !has_entry ? 2'd3 : op_exp ? 2'd0 : op_rec ? 2'd2 : 2'd1;

    // ---- change, and append one cycle later
    reg append;
    always @(posedge clk `MT_OR_RST)
        if (rst) append <= 1'b0;
        else append <= change && op_exp;
    expiry_order #(
        .ENTRIES(N),
        .WAY_W  (WAY_W)
    ) u_order (
        .clk   (clk),
        .rst   (rst),
        .way   (way),
        .read  (read),
        .empty (none),
        .unlink(change && has_entry && !is_new),
        .append(append),
        .oldest(oldest),
        .newer (newer)
    );

`ifdef FORMAL
`include "expiry_contract.vh"
`endif
endmodule

`default_nettype wire
