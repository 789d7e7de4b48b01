#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Draws a timing diagram by running the Verilog in Icarus: tb/integration/wave.sh FILE.wave FILE.json FILE.svg
# FILE.json is for WaveDrom. A block with an observer has its st_ ports too.
# FILE.wave:
#   block NAME                     params NAME=VALUE..
#   show PORT[?PORT]..             the rows; after ? come one-bit ports that must all be 1 for the value to be shown
#   then one line per cycle: PORT=VALUE.. (Verilog numbers), or - for none; all other inputs are 0. Earlier cycles reset the block.
# Values are sampled at the end of a cycle, just before its clock edge.
set -euo pipefail
. "$(dirname "$0")/../../tb/env.bash"
show_help "$@"
[ $# -eq 3 ] || { echo "usage: tb/integration/wave.sh FILE.wave FILE.json FILE.svg" >&2; exit 1; }
[ -r "$1" ] || { echo "wave: cannot read $1" >&2; exit 1; }
command -v iverilog >/dev/null || { echo 'wave: iverilog is not installed' >&2; exit 1; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
block=$(awk '$1 == "block" { print $2 }' "$1")
. tb/harness/blocks.bash
[ -e "rtl/$block/$block.f" ] || { echo "wave: $1: no block '$block'" >&2; exit 1; }

awk -v top="$(observed "$block")" -v inputs="$(sed -n '/^) (/,/^);/ { s/ *\/\/.*//; s/^ *input .* \([a-z_]*\),\{0,1\}$/\1/p }' "rtl/$block/$block.v" | grep -vx clk | paste -sd' ')" '
    function fail(why) { print "wave: " FILENAME ":" FNR ": " why >"/dev/stderr"; failed = 1; exit 1 }
    BEGIN { n = split(inputs, input, " "); for (i = 1; i <= n; i++) known[input[i]] = 1 }
    /^#/ || !NF { next }
    $1 == "block" { next }
    $1 == "params" { for (i = 2; i <= NF; i++) { split($i, p, "="); params = params (i > 2 ? ", " : "") "." p[1] "(" p[2] ")" } next }
    $1 == "show" { for (i = 2; i <= NF; i++) { show[++shown] = $i } next }
    {
        body = body "        cycle;\n"
        for (i = 1; i <= NF && $1 != "-"; i++) {
            split($i, p, "=")
            if (!(p[1] in known)) fail("no input " p[1])
            body = body "        " p[1] " = " p[2] ";\n"
        }
        body = body "        show;\n"
    }
    END {
        if (failed) exit 1
        print "module wave;\n    reg clk = 1'"'"'b0;"
        for (i = 1; i <= n; i++) printf "    reg [1087:0] %s;\n", input[i]
        printf "    %s #(%s) dut (.clk(clk)", top, params
        for (i = 1; i <= n; i++) printf ", .%s(%s)", input[i], input[i]
        print ");\n    task cycle;\n        begin\n            #5 clk = 1;\n            #5 clk = 0;"
        for (i = 1; i <= n; i++) printf "            %s = 0;\n", input[i]
        print "        end\n    endtask\n    task show;\n        begin\n            #1;"
        for (i = 1; i <= shown; i++) {
            parts = split(show[i], p, "?")
            means = "1"
            for (j = 2; j <= parts; j++) means = means " & dut." p[j]
            printf "            $display(\"%s %%b %%h %%b\", dut.%s, dut.%s, %s);\n", p[1], p[1], p[1], means
        }
        print "            $display(\"-\");\n        end\n    endtask\n    initial begin\n        cycle;\n        rst = 1;"
        print "        cycle;\n        rst = 1;\n" body "        $finish;\n    end\nendmodule"
    }' "$1" >"$tmp/wave.v"
iverilog -g2005 $(printf -- '-I%s ' rtl/*/ .) -s wave -o "$tmp/wave" $(cat "rtl/$block/$block.f") $(observer "$block") "$tmp/wave.v" >"$tmp/log" 2>&1 ||
    { echo "wave: $1: $(head -n 1 "$tmp/log")" >&2; exit 1; }
vvp -n "$tmp/wave" >"$tmp/values"

# Prints WaveJSON. A bit is 0 or 1, x if invalid, . if unchanged. A number is = with its value in hexadecimal.
awk -v title="$(basename "$1" .wave)" '
    $1 == "-" { cycles++; next }
    !($1 in row) { row[$1] = ++rows; name[rows] = $1 }
    {
        r = row[$1]
        now = $4 !~ /1$/ ? "x" : length($2) == 1 ? $3 : "="
        wave[r] = wave[r] (now "" == last[r] "" && now != "=" ? "." : now)
        last[r] = now
        if (now == "=") { sub(/^0+/, "", $3); data[r] = data[r] (data[r] == "" ? "" : " ") ($3 == "" ? "0" : $3) }
    }
    END {
        clock = "p"
        for (c = 1; c < cycles; c++) clock = clock "."
        printf "{\"head\": {\"text\": \"%s\", \"tick\": 0}, \"signal\": [\n  {\"name\": \"clk\", \"wave\": \"%s\"}", title, clock
        for (r = 1; r <= rows; r++) printf ",\n  {\"name\": \"%s\", \"wave\": \"%s\"%s}", name[r], wave[r], data[r] == "" ? "" : ", \"data\": \"" data[r] "\""
        print "\n]}"
    }' "$tmp/values" >"$2"

# Prints SVG, with one row per port and 44 pixels per cycle. A bit is a line, a number a box with its value in hexadecimal. Both are gray if invalid.
awk -v title="$(basename "$1" .wave)" '
    $1 == "-" { cycles++; next }
    !($1 in row) { row[$1] = ++rows; name[rows] = $1 }
    { r = row[$1]; bit[r] = length($2) == 1; now = $4 !~ /1$/ ? "" : $3; if (now != "" && !bit[r]) { sub(/^0+/, "", now); if (now == "") now = "0" } value[r, cycles + 0] = now }
    function text(x, y, anchor, s) { printf "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, s }
    END {
        left = 120; w = 44; h = 24; wide = left + cycles * w + 10; high = (rows + 2) * h
        printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" font-family=\"monospace\" font-size=\"12\">\n", wide, high, wide, high
        printf "<title>%s</title>\n<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n", title, wide, high
        for (c = 0; c < cycles; c++) {
            text(left + c * w + w / 2, 16, "middle", c)
            printf "<line x1=\"%d\" y1=\"22\" x2=\"%d\" y2=\"%d\" stroke=\"#ddd\"/>\n", left + c * w, left + c * w, high
        }
        d = ""
        for (c = 0; c < cycles; c++) d = d sprintf("M%d %dV%dH%dV%dH%d", left + c * w, 2 * h - 4, h + 6, left + c * w + w / 2, 2 * h - 4, left + (c + 1) * w)
        text(left - 8, 2 * h - 7, "end", "clk")
        printf "<path d=\"%s\" fill=\"none\" stroke=\"black\"/>\n", d
        for (r = 1; r <= rows; r++) {
            y = (r + 1) * h; low = y + h - 4; top = y + 6
            text(left - 8, low - 3, "end", name[r])
            d = ""; last = ""
            for (c = 0; c < cycles; c++) {
                x = left + c * w; v = value[r, c]
                if (v == "") printf "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#eee\"/>\n", x, top, w, low - top
                else if (bit[r]) { d = d (last == "" ? sprintf("M%d %d", x, v ? top : low) : sprintf("V%d", v ? top : low)) sprintf("H%d", x + w) }
                else {
                    printf "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#eef4fb\" stroke=\"black\"/>\n", x + 2, top, w - 4, low - top
                    text(x + w / 2, low - 3, "middle", v)
                }
                last = v
            }
            if (d != "") printf "<path d=\"%s\" fill=\"none\" stroke=\"black\"/>\n", d
        }
        print "</svg>"
    }' "$tmp/values" >"$3"
