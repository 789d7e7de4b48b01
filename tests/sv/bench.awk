# SPDX-License-Identifier: Apache-2.0
# Generates a bench of port assertions from a recording: awk -v block=NAME -f bench.awk FILE.rec. The assertions `checks` see recorded
# ports. +trials=N: N times, the run starts at a reset of the recording, and some cycles later ports get wrong values (also X, if the
# simulator has X), one per cycle. +mute=PORT: this input is always 0. In Verilator the block is included, behind its interface, with bound
# assertions.
$1 == "params" {
    for (i = 2; i <= NF; i++) {
        split($i, p, "=")
        params[p[1]] = p[2]
        all = all (i > 2 ? ", " : "") "." p[1] "(" p[2] ")"
    }
}
$1 == "port" {
    list = $2 == "IN" ? "in" : "out"
    at[list] += $4
    if ($2 == "IN") place[n + 1] = n_in++
    if ($2 == "OBS") next
    n++
    if (words < ($4 + 31) / 32) words = int(($4 + 31) / 32)
    name[n] = $3; bits[n] = $4; input[n] = $2 == "IN"; from[n] = list "[" at[list] - 1 ":" at[list] - $4 "]"
}
$1 == "data" { data = 1; next }
$1 == "end" { exit }
data { cycles++ }

# parameters of a generated module or interface: .NAME(VALUE) of those that it has
function of(file,    line, w, list) {
    while ((getline line <file) > 0) {
        if (line ~ /^\) \(/) break
        if (split(line, w, " ") && w[1] == "parameter") list = list (list ? ", " : "") "." w[2] "(" params[w[2]] ")"
    }
    return list
}

END {
    print "module bench;"
    print "    reg clk = 0;"
    printf "    reg [%d:0] ins [0:%d], in, next_in;\n    reg [%d:0] givens [0:%d], given, next_given;\n    reg [%d:0] outs [0:%d], out, next_out;\n", at["in"] - 1, cycles - 1, n_in - 1, cycles - 1, at["out"] - 1, cycles - 1
    print "    reg [8*1024-1:0] vectors, skip;\n    reg [8*32-1:0] mute;"
    printf "    integer file, read, c, i, trial, trials, first, wrong, resets;\n    integer reset_at [0:%d];\n", cycles
    printf "    reg [%d:0] noise;\n", 32 * words - 1
    for (i = 1; i <= n; i++) {
        printf "    reg [%d:0] %s;\n", bits[i] - 1, name[i]
        ports = ports ", ." name[i] "(" name[i] ")"
        if (input[i] && name[i] != "rst") assigns = assigns "    assign bus." name[i] " = " name[i] ";\n"
    }
    printf "    %s_checks #(%s) checks (.clk(clk)%s);\n", block, of("rtl/sv/" block "_checks.sv"), ports
    printf "`ifdef VERILATOR\n    %s_if #(%s) bus (.clk(clk), .rst(rst));\n%s    %s_sv #(%s) dut (.bus(bus));\n`endif\n", block, of("rtl/sv/" block "_if.sv"), assigns, block, all
    print "    task step;\n        begin\n            in = ins[i];\n            given = givens[i];\n            out = outs[i];"
    for (i = 1; i <= n; i++) printf "            %s = %s;\n", name[i], from[i]
    print "`ifndef VERILATOR"  # invalid ports are X
    for (i = 1; i <= n; i++) if (input[i]) printf "            if (!given[%d]) %s = {%d{1'bx}};\n", place[i], name[i], bits[i]
    print "`endif\n            if (mute != 0) begin"
    for (i = 1; i <= n; i++) if (input[i]) printf "                if (mute == \"%s\") %s = 0;\n", name[i], name[i]
    print "            end"
    print "            #1;\n        end\n    endtask"
    print "    task edges;\n        begin\n            clk = 1;\n            #1 clk = 0;\n            #1;\n        end\n    endtask"
    print "    task corrupt;\n        begin\n            case ($urandom % " n ")"
    for (i = 1; i <= n; i++)
        if (name[i] != "rst")
            printf "                %d: if ($urandom %% 3 == 0) %s = {%d{1'bx}}; else if ($urandom %% 2 == 0) %s = %s + 1'b1; else begin noise = {%d{$urandom}}; %s = noise[%d:0]; end\n", \
                i - 1, name[i], bits[i], name[i], name[i], words, name[i], bits[i] - 1
    print "                default: ;\n            endcase\n            #1;\n        end\n    endtask"
    print "    initial begin"
    print "        if (!$value$plusargs(\"vectors=%s\", vectors)) $finish;"
    print "        if (!$value$plusargs(\"trials=%d\", trials)) trials = 0;\n        if (!$value$plusargs(\"mute=%s\", mute)) mute = 0;"
    print "        file = $fopen(vectors, \"r\");\n        c = 0;\n        resets = 0;"
    print "        read = $fscanf(file, \"%h %h %h %h\", next_in, next_given, next_out, skip);"
    print "        while (read == 4) begin\n            ins[c] = next_in;\n            givens[c] = next_given;\n            outs[c] = next_out;"
    printf "            if (next_%s) begin\n                reset_at[resets] = c;\n                resets = resets + 1;\n            end\n", from[1]
    print "            c = c + 1;\n            read = $fscanf(file, \"%h %h %h %h\", next_in, next_given, next_out, skip);\n        end"
    print "        if (trials == 0) begin\n            for (i = 0; i < c; i = i + 1) begin\n                step;\n                edges;\n            end"
    print "            $display(\"seen %0d cycles\", c);\n        end"
    print "        for (trial = 0; trial < trials; trial = trial + 1) begin"
    print "            first = reset_at[$urandom % resets];\n            wrong = first + 1 + $urandom % 250;"
    print "            for (i = first; i < c && i < wrong + 12; i = i + 1) begin\n                step;"
    print "                if (i == wrong || (i > wrong && $urandom % 3 == 0)) corrupt;\n                edges;\n            end\n        end"
    print "        $finish;\n    end\nendmodule"
}
