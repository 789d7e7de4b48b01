// SPDX-License-Identifier: Apache-2.0
// Holds mt_set_index against the vectors in the file VECTORS. Prints how many they were; exit code 1 at the first that differs.
`default_nettype none

module set_index;
    parameter ADDR_W = 48;
    parameter SETS = 32;
    parameter INDEX = 1;
    localparam SET_W = (SETS < 2) ? 1 : $clog2(SETS);

    reg  [47:0]      line;
    reg  [11:0]      expected;
    wire [SET_W-1:0] set;
    reg  [1023:0]    name;
    integer          file, n;

    mt_set_index #(
        .ADDR_W(ADDR_W),
        .SETS  (SETS),
        .INDEX (INDEX),
        .SET_W (SET_W)
    ) u_set_index (
        .line(line[ADDR_W-1:0]),
        .set (set)
    );

    initial begin
        if (!$value$plusargs("VECTORS=%s", name)) $finish_and_return(2);
        file = $fopen(name, "r");
        n = 0;
        while ($fscanf(file, "%h %h\n", line, expected) == 2) begin
            #1;
            if (set !== expected) begin
                $display("line %h: set %h instead of %h", line, set, expected);
                $finish_and_return(1);
            end
            n = n + 1;
        end
        $display("%0d", n);
        $finish;
    end
endmodule

`default_nettype wire
