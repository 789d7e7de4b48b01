// SPDX-License-Identifier: Apache-2.0
// Compares mt_set_index with the vectors in the file VECTORS. Prints their number; exit code 1 at the first difference.
`default_nettype none

module set_index;
    parameter ADDR_W = 48;
    parameter SETS = 32;
    parameter INDEX = 1;
    localparam SET_W = (SETS < 2) ? 1 : $clog2(SETS);
    localparam KEY_W = (INDEX == 4) ? SET_W + 4 : (INDEX == 5) ? SET_W + 5 : SET_W;

    reg  [47:0]      line;
    reg  [11:0]      expected;
    wire [KEY_W-1:0] key;
    wire [SET_W-1:0] set;
    reg  [1023:0]    name;
    integer          file, n;

    mt_set_index #(
        .ADDR_W(ADDR_W),
        .SETS  (SETS),
        .INDEX (INDEX),
        .SET_W (SET_W),
        .KEY_W (KEY_W)
    ) u_set_index (
        .line    (line[ADDR_W-1:0]),
        .key     (key),
        .held_key(key),
        .set     (set)
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
