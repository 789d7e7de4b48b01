// SPDX-License-Identifier: Apache-2.0
// Compares mt_part_map with the vectors in the file VECTORS. Prints their number; exit code 1 at the first difference.
`default_nettype none

module part_map;
    parameter ADDR_W = 40;
    parameter PARTITIONS = 16;
    parameter MAP = 0;
    parameter INTERLEAVE = 1;
    localparam PART_W = (PARTITIONS < 2) ? 1 : $clog2(PARTITIONS);
    localparam KEY_W = (MAP == 4) ? PART_W + 1 : PART_W;

    reg  [47:0]       line, expected_rest;
    reg  [7:0]        expected_part;
    wire [KEY_W-1:0]  key;
    wire [PART_W-1:0] part;
    wire [ADDR_W-1:0] rest;
    reg  [1023:0]     name;
    integer           file, n;

    mt_part_map #(
        .ADDR_W    (ADDR_W),
        .PARTITIONS(PARTITIONS),
        .MAP       (MAP),
        .INTERLEAVE(INTERLEAVE),
        .PART_W    (PART_W),
        .KEY_W     (KEY_W)
    ) u_part_map (
        .line     (line[ADDR_W-1:0]),
        .key      (key),
        .held_line(line[ADDR_W-1:0]),
        .held_key (key),
        .part     (part),
        .rest     (rest)
    );

    initial begin
        if (!$value$plusargs("VECTORS=%s", name)) $finish_and_return(2);
        file = $fopen(name, "r");
        n = 0;
        while ($fscanf(file, "%h %h %h\n", line, expected_part, expected_rest) == 3) begin
            #1;
            if (part !== expected_part || rest !== expected_rest) begin
                $display("line %h: partition %h, line %h there, instead of %h, %h", line, part, rest, expected_part, expected_rest);
                $finish_and_return(1);
            end
            n = n + 1;
        end
        $display("%0d", n);
        $finish;
    end
endmodule

`default_nettype wire
