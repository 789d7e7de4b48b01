#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# No Verilog (.v, .vh) uses a keyword of SystemVerilog (tests/lint/keywords.txt) with a meaning other than Verilog-2005's, so all of it is
# legal SystemVerilog. Prints each such use. Tools do not find all of them: Yosys accepts most as names, and Verilator and Icarus reject only
# those of the selected language.
. tests/lib.bash

# Keywords that the Verilog here uses. A tool that reads it refuses them as names.
used='always assign begin case default else end endcase endfunction endgenerate endmodule endtask for function generate genvar if initial input integer localparam module negedge or
    output parameter posedge reg signed task while wire'

# misused FILE...: prints FILE:LINE: WORD. assert, assume and cover are accepted only before a bracket, as Yosys accepts them in a contract
misused() {
    awk -v used="$used" '
        BEGIN { n = split(used, word, /[ \n]+/); for (i = 1; i <= n; i++) fine[word[i]] }
        FILENAME ~ /keywords\.txt$/ { if (!/^#/) for (i = 1; i <= NF; i++) keyword[$i]; next }
        {
            gsub(/"[^"]*"/, ""); sub(/\/\/.*/, ""); gsub(/\\[^ ]*/, "")
            gsub(/(^|[^A-Za-z_0-9$])(assert|assume|cover) \(/, " (")
            n = split($0, word, /[^A-Za-z_0-9$`]+/)
            for (i = 1; i <= n; i++) if (word[i] in keyword && !(word[i] in fine)) print FILENAME ":" FNR ": " word[i]
        }' tests/lint/keywords.txt "$@"
}

{ git ls-files -co --exclude-standard 2>/dev/null || find . -path ./build -prune -o -type f -print; } | grep -E '\.vh?$' >"$work/verilog"
[ "$(wc -l <"$work/verilog")" -gt 80 ] || complain "only $(wc -l <"$work/verilog") files of Verilog"
misused $(cat "$work/verilog") >"$work/out"
[ ! -s "$work/out" ] || complain "keywords of SystemVerilog: $(cat "$work/out")"

# Each keyword is found as a name in every position where a name may be. Similar words are not found.
words=$(sed '/^#/d' tests/lint/keywords.txt)
[ "$(wc -w <<<"$words")" -eq 248 ] || complain "IEEE 1800-2017 has 248 keywords, tests/lint/keywords.txt $(wc -w <<<"$words")"
refused=$(tr ' ' '\n' <<<"$words" | grep -vxFf <(tr -s ' ' '\n' <<<"$used"))
for word in $refused; do printf '    wire [1:0] %s;\n    assign y = a.%s[0] &&!%s;\n    sub u (.%s(y));\n' "$word" "$word" "$word" "$word"; done >"$work/names.v"
misused "$work/names.v" | cut -d' ' -f2 >"$work/out"
cmp -s "$work/out" <(for word in $refused; do printf '%s\n' "$word" "$word" "$word" "$word"; done) || complain "keywords that are not found as names"
printf '// before\n    `include "bit.vh"\n    $display("this %%0d", was_before, before_was, \\bit [0], bit$a); a_x: assert (y);\n' >"$work/names.v"
misused "$work/names.v" >"$work/out"
[ ! -s "$work/out" ] || complain "no keywords as names: $(cat "$work/out")"
finish
