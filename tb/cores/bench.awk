# SPDX-License-Identifier: Apache-2.0
# The bench of a vector file, in Verilog: awk -v block=NAME -f bench.awk FILE.vec. Its vectors are the file's lines between "data" and "end".
function place(list, width) {
    at[list] += width
    return "[" at[list] - 1 ":" at[list] - width "]"
}

$1 == "params" {
    for (i = 2; i <= NF; i++) {
        split($i, p, "=")
        params = params (i > 2 ? ", " : "") "." p[1] "(" p[2] ")"
    }
}

$1 == "port" && $2 == "IN" {
    connections = connections sprintf(",\n        .%-14s (given[%d] ? in%s : %d'bx)", $3, n_in++, place("in", $4), $4)
}

$1 == "port" && $2 != "IN" {
    where = place("out", $4)
    connections = connections sprintf(",\n        .%-14s (got%s)", $3, where)
    masks = masks sprintf("    assign mask%s = {%d{cmp[%d]}};\n", where, $4, n_out)
    reports = reports sprintf("            if (|wrong%s !== 1'b0) $display(\"%s: %%h instead of %%h\", got%s, want%s);\n", where, $3, where, where)
    n_out++
}

$1 == "data" { exit }

END {
    print "// SPDX-License-Identifier: Apache-2.0"
    printf "// Self-checking bench of %s: applies recorded inputs and compares each output that means something, every cycle, in four states.\n", block
    print "// VECTORS, or +vectors=FILE, is a recording of the C model, in hexadecimal: inputs, one bit for each of them that means something (the others"
    print "// are x), outputs, one bit for each of them that is compared. The first cycle is not compared: nothing has been reset yet. Ends with \"PASS\", or with $fatal at the first difference. +wave=FILE writes waves."
    print "// Made by `make cores`; docs/use/integration.md has the commands for Icarus and Verilator."
    print "`default_nettype none\n"
    printf "module %s_bench #(\n    parameter VECTORS = \"%s.vec\"\n);\n", block, block
    printf "    reg          clk;\n    reg  [%d:0] in, next_in;\n    reg  [%d:0] given, next_given;\n    reg  [%d:0] want, next_want;\n    reg  [%d:0] cmp, next_cmp;\n    wire [%d:0] got;\n    wire [%d:0] mask;\n", \
        at["in"] - 1, n_in - 1, at["out"] - 1, n_out - 1, at["out"] - 1, at["out"] - 1
    printf "    wire [%d:0] wrong = (got ^ want) & mask;\n    reg  [8*1024-1:0] vectors, wave;  // names of files\n    integer      file, read, cycle;\n\n%s\n", at["out"] - 1, masks
    printf "    %s #(\n        %s\n    ) dut (\n        .clk            (clk)%s\n    );\n\n", block, params, connections
    print "    initial begin"
    print "        if ($value$plusargs(\"wave=%s\", wave)) begin"
    print "            $dumpfile(wave);"
    printf "            $dumpvars(0, %s_bench);\n", block
    print "        end"
    print "        if (!$value$plusargs(\"vectors=%s\", vectors)) $sformat(vectors, \"%0s\", VECTORS);"
    print "        file = $fopen(vectors, \"r\");"
    print "        if (file == 0) begin"
    print "`ifdef VERILATOR"
    print "            // $fatal would abort the program, with a core dump"
    print "            $display(\"no file of vectors: %0s\", vectors);"
    print "            $c(\"std::exit(1);\");"
    print "`else"
    print "            $fatal(1, \"no file of vectors: %0s\", vectors);"
    print "`endif"
    print "        end"
    print "        clk = 1'b0;"
    print "        cycle = 0;"
    print "        read = $fscanf(file, \"%h %h %h %h\", next_in, next_given, next_want, next_cmp);"
    print "        while (read == 4) begin"
    print "            // not by $fscanf itself: in Verilator 5.006 nothing follows what that writes"
    print "            in = next_in;"
    print "            given = next_given;"
    print "            want = next_want;"
    print "            cmp = next_cmp;"
    print "            #5;"
    printf "%s", reports
    print "            if (|wrong !== 1'b0) $fatal(1, \"FAIL: cycle %0d\", cycle);"
    print "            clk = 1'b1;"
    print "            #5;"
    print "            clk = 1'b0;"
    print "            cycle = cycle + 1;"
    print "            read = $fscanf(file, \"%h %h %h %h\", next_in, next_given, next_want, next_cmp);"
    print "        end"
    print "        if (cycle == 0) $fatal(1, \"no vectors in the file\");"
    print "        $display(\"PASS %0d cycles\", cycle);"
    print "        $finish;"
    print "    end"
    print "endmodule\n"
    print "`default_nettype wire"
}
