// SPDX-License-Identifier: Apache-2.0
// Compares bpg_judge with exact arithmetic: every table entry floor(k^3 * 2^16 / N^3) for k up to 8 and N up to 48,
// once, with every failure count (in steps of FAIL_STEP), and with no, some and the most hits. Checks each Adjusted(k)
// and the chosen k.
`default_nettype none
`include "bpg_defs.vh"

module judge #(
    parameter CALCULATORS = 8,
    parameter HIT_W = 10,
    parameter FAIL_W = 12,
    parameter HIT_SCALE = 3,
    parameter FAIL_STEP = 1
);
    localparam INDEX_W = (CALCULATORS < 2) ? 1 : $clog2(CALCULATORS);
    localparam LMAX_W = $clog2(CALCULATORS + 1);
    localparam ADJUSTED_W = ((HIT_W + HIT_SCALE > FAIL_W - 1) ? HIT_W + HIT_SCALE : FAIL_W - 1) + 1;

    reg                          clk, rst, cube_valid, start, started, done;
    reg  [INDEX_W-1:0]           cube_index;
    reg  [`BPG_CUBE_W-1:0]       cube_value;
    reg  [FAIL_W-1:0]            fails;
    reg  [CALCULATORS*HIT_W-1:0] hits;
    wire [LMAX_W-1:0]            lmax, judged_k;
    wire                         update, judged;
    wire signed [ADJUSTED_W-1:0] adjusted;

    bpg_judge #(
        .CALCULATORS(CALCULATORS),
        .HIT_W      (HIT_W),
        .FAIL_W     (FAIL_W),
        .HIT_SCALE  (HIT_SCALE),
        .INDEX_W    (INDEX_W),
        .LMAX_W     (LMAX_W),
        .ADJUSTED_W (ADJUSTED_W)
    ) u_judge (
        .clk       (clk),
        .rst       (rst),
        .clear     (1'b0),
        .cube_valid(cube_valid),
        .cube_index(cube_index),
        .cube_value(cube_value),
        .start     (start),
        .fails     (fails),
        .started   (started),
        .hits      (hits),
        .lmax      (lmax),
        .update    (update)
    );
    assign judged   = u_judge.busy[2];
    assign judged_k = u_judge.k;
    assign adjusted = u_judge.value;

    initial begin
        clk  = 1'b0;
        done = 1'b0;
        while (!done) #1 clk = !clk;
    end

    reg        [63:0] table_of[0:CALCULATORS-1];
    reg               seen    [0:65536];
    reg        [63:0] hit, random, n, x, entry;
    reg signed [63:0] exact, best;
    integer           filled, mode, f, k, best_k;
    reg        [63:0] values;

    // Checks a decision; `wrong` reports an error and ends the run.
    task check(input right);
        if (!done && !right) begin
            $display("wrong: failures %0d, entry %0d, hits %0d, k %0d: %0d, exactly %0d; lmax %0d, best %0d", f, entry, hit, judged_k, adjusted, exact, lmax, best_k);
            done = 1'b1;
        end
    endtask

    task one_decision;
        begin
            start = 1'b1;
            fails = f[FAIL_W-1:0];
            @(negedge clk);
            start   = 1'b0;
            fails   = ~fails;
            started = 1'b1;
            for (k = 0; k < CALCULATORS; k = k + 1) begin
                random = random * 64'd6364136223846793005 + 64'd1442695040888963407;
                hits[k*HIT_W+:HIT_W] = mode == 0 ? {HIT_W{1'b0}} : mode == 1 ? random[63-:HIT_W] >> random[35:32] : {HIT_W{1'b1}};
            end
            @(negedge clk);
            started = 1'b0;
            for (k = 1; k <= CALCULATORS; k = k + 1) begin
                @(negedge clk);
                entry = table_of[k-1];
                hit   = {{(64 - HIT_W) {1'b0}}, hits[(k-1)*HIT_W+:HIT_W]};
                exact = $signed(hit << HIT_SCALE) - $signed((f * entry) >> 17);
                if (k == 1 || exact >= best) begin
                    best   = exact;
                    best_k = k;
                end
                check(judged && {{(32 - LMAX_W) {1'b0}}, judged_k} == k && {{(64 - ADJUSTED_W) {adjusted[ADJUSTED_W-1]}}, adjusted} == exact);
                values = values + 1;
            end
            @(negedge clk);
            check(update && {{(32 - LMAX_W) {1'b0}}, lmax} == best_k);
        end
    endtask

    task write_entry(input integer at);
        begin
            cube_valid = 1'b1;
            cube_index = at[INDEX_W-1:0];
            cube_value = entry[`BPG_CUBE_W-1:0];
            table_of[at] = entry;
            @(negedge clk);
            cube_valid = 1'b0;
        end
    endtask

    task all_decisions;
        for (mode = 0; mode < 3; mode = mode + 1) for (f = 0; !done && f < 1 << FAIL_W; f = f + FAIL_STEP) one_decision;
    endtask

    initial begin
        {rst, cube_valid, start, started} = 4'b1000;
        values = 0;
        random = 1;
        filled = 0;
        for (f = 0; f <= 65536; f = f + 1) seen[f] = 1'b0;
        @(negedge clk) rst = 1'b0;
        for (n = 1; n <= 48; n = n + 1)
        for (x = 1; x <= 8 && x <= n; x = x + 1) begin
            entry = (x * x * x << 16) / (n * n * n);
            if (!seen[entry[16:0]]) begin
                seen[entry[16:0]] = 1'b1;
                write_entry(filled);
                filled = filled + 1;
                if (filled == CALCULATORS) begin
                    all_decisions;
                    filled = 0;
                end
            end
        end
        while (filled != 0) begin // the last ones, with 1.0 to fill the table
            entry = 65536;
            write_entry(filled);
            filled = filled + 1;
            if (filled == CALCULATORS) begin
                all_decisions;
                filled = 0;
            end
        end
        if (!done) $display("CALCULATORS=%0d HIT_W=%0d FAIL_W=%0d HIT_SCALE=%0d: %0d exact", CALCULATORS, HIT_W, FAIL_W, HIT_SCALE, values);
        done = 1'b1;
    end
endmodule

// Published widths, and the limits of the widths.
module judges;
    judge u_published ();
    judge #(.HIT_SCALE(0)) u_unscaled ();
    judge #(.HIT_SCALE(7)) u_scaled ();
    judge #(.FAIL_W(2)) u_few ();
    judge #(.HIT_W(2), .FAIL_W(2), .HIT_SCALE(0)) u_narrow ();
    judge #(.HIT_W(2), .FAIL_W(16), .HIT_SCALE(0), .FAIL_STEP(15)) u_many ();
    judge #(.CALCULATORS(16), .HIT_W(16), .FAIL_W(16), .HIT_SCALE(7), .FAIL_STEP(15)) u_wide ();
    judge #(.CALCULATORS(1), .FAIL_W(11)) u_one ();
    judge #(.CALCULATORS(3), .FAIL_W(13), .FAIL_STEP(3)) u_three ();
endmodule

`default_nettype wire
