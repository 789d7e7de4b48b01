// SPDX-License-Identifier: Apache-2.0
// Random packets through cart_stream. Each output packet must be an input packet that was not output before, unchanged,
// with its line number, and after earlier ones of its line; an output is stable until accepted. +packets=N +seed=S.
// Ends with PASS and the count of each situation, or FAIL.
`default_nettype none

module stream_bench #(
    parameter ADDR_W = 8,
    parameter PACKET_W = 100,
    parameter DEPTH = 2,
    parameter BANKS = 4,
    parameter BANK_MASK = 6,
    parameter COL_MASK = 57,
    parameter ROWS = 2,
    parameter COLS = 2,
    parameter POLICY = 0,
    parameter AGE_LIMIT = 0,
    parameter FILL = 0,
    parameter COL_DROP = 0,
    parameter MOST = 40000
);
    localparam PLACES = BANKS * ROWS * COLS * DEPTH;
    reg                 clk, rst;
    reg                 s_tvalid, m_tready;
    reg  [PACKET_W-1:0] s_tdata;
    reg  [ADDR_W-1:0]   s_tuser;
    wire                s_tready, m_tvalid;
    wire [PACKET_W-1:0] m_tdata;
    wire [ADDR_W-1:0]   m_tuser;

    cart_stream #(
        .ADDR_W   (ADDR_W),
        .PACKET_W (PACKET_W),
        .DEPTH    (DEPTH),
        .BANKS    (BANKS),
        .BANK_MASK(BANK_MASK),
        .COL_MASK (COL_MASK),
        .ROWS     (ROWS),
        .COLS     (COLS),
        .POLICY   (POLICY),
        .AGE_LIMIT(AGE_LIMIT),
        .FILL     (FILL),
        .COL_DROP (COL_DROP)
    ) dut (
        .clk     (clk),
        .rst     (rst),
        .s_tvalid(s_tvalid),
        .s_tready(s_tready),
        .s_tdata (s_tdata),
        .s_tuser (s_tuser),
        .m_tvalid(m_tvalid),
        .m_tready(m_tready),
        .m_tdata (m_tdata),
        .m_tuser (m_tuser)
    );

    // A packet consists of its number and a pattern derived from it.
    function [PACKET_W-1:0] packet(input [31:0] n);
        integer i;
        begin
            packet = {PACKET_W{1'b0}};
            for (i = 0; i < (PACKET_W + 31) / 32; i = i + 1) packet = (packet << 32) | ((n * 32'd2654435761) ^ (i * 32'd40503));
            packet[31:0] = n;
        end
    endfunction

    reg  [ADDR_W-1:0]   line[0:MOST-1];
    reg                 is_out[0:MOST-1];
    reg  [32:0]         last_of[0:(1 << ADDR_W)-1];  // number of the last output packet for a line, plus 1
    reg                 held;
    reg  [PACKET_W-1:0] held_data;
    reg  [ADDR_W-1:0]   held_user;
    integer             packets, seed, sent, got, cycle, still, rate_in, rate_out, i;
    integer             refused, full, pressed, reordered, row, longest_row;
    wire [31:0]         n = m_tdata[31:0];
    reg  [31:0]         word;

    task fail(input [8*40-1:0] why);
        begin
            $display("FAIL cycle %0d: %0s", cycle, why);
            $finish;
        end
    endtask

    initial begin
        if (!$value$plusargs("packets=%d", packets)) packets = 5000;
        if (!$value$plusargs("seed=%d", seed)) seed = 1;
        for (i = 0; i < MOST; i = i + 1) is_out[i] = 1'b0;
        for (i = 0; i < (1 << ADDR_W); i = i + 1) last_of[i] = 33'd0;
        sent = 0; got = 0; still = 0; held = 1'b0; refused = 0; full = 0; pressed = 0; reordered = 0; row = 0; longest_row = 0;
        rate_in = 100; rate_out = 100;
        clk = 1'b0; rst = 1'b1; s_tvalid = 1'b0; m_tready = 1'b0; s_tuser = {ADDR_W{1'b0}}; s_tdata = {PACKET_W{1'b0}};
        #5 clk = 1'b1;
        #5 clk = 1'b0;
        rst = 1'b0;
        for (cycle = 0; got < packets && still < 2000; cycle = cycle + 1) begin
            if (cycle % 100 == 0 && cycle > 0) begin
                rate_in  = ($random(seed) & 3) == 0 ? 100 : 20 + ($random(seed) & 63);
                rate_out = ($random(seed) & 3) == 0 ? 100 : 5 + ($random(seed) & 63);
            end
            // an output is stable, as AXI requires, including its packet
            if (!s_tvalid) begin
                word     = $random(seed);
                s_tuser  = word[ADDR_W-1:0];
                if (($random(seed) & 1) == 0) s_tuser = s_tuser & 7;
                s_tvalid = sent < packets && ($random(seed) & 127) % 100 < rate_in;
                s_tdata  = s_tvalid ? packet(sent) : ~packet(sent);
            end
            m_tready = ($random(seed) & 127) % 100 < rate_out;
            if (cycle % 500 == 499 && still < 100) begin  // the reset drops packets in flight; a stuck one does not recover
                rst = 1'b1;
                #5 clk = 1'b1;
                #5 clk = 1'b0;
                rst = 1'b0;
                for (i = 0; i < sent; i = i + 1) is_out[i] = 1'b1;
                got   = sent;
                held  = 1'b0;
                still = 0;
                if (m_tvalid) fail("an offer after reset");
            end
            #5;
            if (s_tready !== 1'b0 && s_tready !== 1'b1 && s_tvalid || m_tvalid !== 1'b0 && m_tvalid !== 1'b1) fail("X");
            if (held && (!m_tvalid || m_tdata !== held_data || m_tuser !== held_user)) fail("an offer has changed");
            if (m_tvalid && m_tready) begin
                if (n >= sent) fail("a packet that was not sent");
                else if (is_out[n]) fail("a packet for the second time");
                else if (m_tdata !== packet(n)) fail("a packet that was changed");
                else if (m_tuser !== line[n]) fail("another line number");
                else if (last_of[m_tuser] > {1'b0, n}) fail("order within a line");
                is_out[n]        = 1'b1;
                last_of[m_tuser] = n + 33'd1;
                if (n != got) reordered = reordered + 1;
                got = got + 1;
                row = row + 1;
                if (row > longest_row) longest_row = row;
            end else begin
                row = 0;
            end
            if (s_tvalid && !s_tready) refused = refused + 1;
            if (sent - got > PLACES) full = full + 1;  // one more waits at the output
            if (m_tvalid && !m_tready) pressed = pressed + 1;
            held      = m_tvalid && !m_tready;
            held_data = m_tdata;
            held_user = m_tuser;
            still     = (m_tvalid && m_tready) ? 0 : still + 1;
            if (s_tvalid && s_tready) begin
                line[sent] = s_tuser;
                sent       = sent + 1;
                clk        = 1'b1;
                #5 s_tvalid = 1'b0;
            end else begin
                clk = 1'b1;
                #5;
            end
            clk = 1'b0;
        end
        if (got != packets) fail("packets that never come out");
        if (m_tvalid) fail("one too many");
        $display("PASS %0d packets, %0d cycles, %0d refused, %0d full, %0d waiting, %0d reordered, %0d in a row", got, cycle, refused, full, pressed, reordered, longest_row);
        $finish;
    end
endmodule

`default_nettype wire
