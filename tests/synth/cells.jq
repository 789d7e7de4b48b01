# SPDX-License-Identifier: Apache-2.0
# Generates a bench for two sets of cells, CELL and lib_CELL: the same inputs, one changing at a time, in an endless order; their outputs
# are equal, and known once flip-flops have been clocked.
def of($direction): .value.ports | to_entries | map(select(.value.direction == $direction).key);
def connect($pins; $wire): $pins | to_entries | map(".\(.value)(\($wire)[\(.key)])");

.modules | to_entries
| "`timescale 1ns/1ns",
  "module bench;",
  "    reg [7:0] in;",
  "    reg [31:0] dice;",
  "    integer i, bad;",
  (.[] | of("output") as $out | "    wire [\($out | length - 1):0] \(.key)_a, \(.key)_b;"),
  (.[] | .key as $cell | of("input") as $in | of("output") as $out
   | "    \($cell) \($cell)_ua (\(connect($in; "in") + connect($out; "\($cell)_a") | join(", ")));",
     "    lib_\($cell) \($cell)_ub (\(connect($in; "in") + connect($out; "\($cell)_b") | join(", ")));"),
  "    initial begin",
  "        bad = 0; dice = 1; in = 0;",
  "        for (i = 0; i < 20000; i = i + 1) begin",
  "            #10 in[dice[18:16]] = !in[dice[18:16]];",
  "            dice = dice * 1664525 + 1013904223;",
  "            #10;",
  "            if (i > 200) begin",
  (.[].key | "                if (\(.)_a !== \(.)_b || ^\(.)_a === 1'bx) begin bad = bad + 1; $display(\"\(.) differs\"); end"),
  "            end",
  "        end",
  "        $display(\"%0d cells, %0d differences\", \(length), bad);",
  "        $finish;",
  "    end",
  "endmodule"
