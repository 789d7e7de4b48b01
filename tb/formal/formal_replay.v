// SPDX-License-Identifier: Apache-2.0
// Replays a violation found by the prover in a simulator: steps.vh sets the inputs of each cycle. The ports
// are printed in each cycle, and a waveform is written.
`default_nettype none
`include "formal_point.vh"

module formal_replay;
    reg               clk = 1'b0;
    reg               any_rst, fill_valid, drain_ready;
    reg [`ADDR_W-1:0] fill_addr;
    reg [`ID_W-1:0]   choose;
    wire              bad;
    integer           cycle = 0;
    reg [8*400-1:0]   vcd;

    formal_top u_top (
        .clk        (clk),
        .any_rst    (any_rst),
        .fill_valid (fill_valid),
        .fill_addr  (fill_addr),
        .drain_ready(drain_ready),
        .choose     (choose),
        .bad        (bad)
    );

    task tick;
        begin
            #5;
            $write("%0d: rst %b | fill valid %b addr %h id %h ready %b refuse %0d | drain valid %b addr %h id %h why %0d ready %b", cycle,
                   u_top.rst, fill_valid, fill_addr, u_top.fill_id, u_top.fill_ready, u_top.fill_refuse, u_top.drain_valid, u_top.drain_addr,
                   u_top.drain_id, u_top.drain_why, drain_ready);
            // X if the property depends on a value that was never written
            if (bad !== 1'b0) $write(" | VIOLATED %b", bad);
            $display;
            clk = 1'b1;
            #5 clk = 1'b0;
            cycle = cycle + 1;
        end
    endtask

    initial begin
        if ($value$plusargs("vcd=%s", vcd)) begin
            $dumpfile(vcd);
            $dumpvars(0, u_top);
        end
`include "steps.vh"
    end
endmodule

`default_nettype wire
