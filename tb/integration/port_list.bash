# SPDX-License-Identifier: Apache-2.0
# Sourced from the root by scripts that generate files from port lists.

# port_list BLOCK: prints direction, name, width and qualifier of each port, separated by tabs, in module order. Names and widths come from
# the Verilog, with macros expanded to numbers; the qualifier (ALWAYS, or an expression of ports) comes from the C port list. clk is in the
# Verilog only.
port_list() {
    local header
    header=$(sed -n 's/^#include "\(mshr\/mshr_ports.h\|incoming\/incoming_ports.h\)"/\1/p' "cmodel/$1/${1}_ports.h")
    awk '/^\) \(/ { on = 1; next } /^\);/ { exit } on && $1 ~ /^(in|out)put$/ {
            sub(/ *\/\/.*/, "")
            name = $NF; sub(/,$/, "", name)
            width = $0; if (!sub(/^[^[]*\[/, "", width)) width = "0"
            sub(/:0\][^]]*$/, "", width)
            print $1 "\t" name "\t" width
        }' "rtl/$1/$1.v" |
        sed -f <(sed 's/^`define \([A-Z_0-9]*\) \([0-9]*\)$/s,`\1-1,\2-1,/; t; d' rtl/*/*.vh) |
        awk -F '\t' -v OFS='\t' -v block="$1" '
            FNR == NR {
                line = $0; sub(/ *\\$/, "", line); sub(/^#define [A-Z_]+\(X\) /, "", line)
                if (line ~ /X\((IN|OUT|OBS),/) text = ""
                text = text line
                if ($0 ~ /\)( *\\)?$/ && text ~ /^ *X\((IN|OUT|OBS),/) {
                    sub(/^ *X\(/, "", text); sub(/\) *$/, "", text)
                    split(text, p, /, */); name = p[3]
                    sub(/.*, */, "", text); gsub(/out->|in->/, "", text)
                    means[name] = text; text = ""
                }
                next
            }
            { if (!sub(/-1$/, "", $3)) $3 = $3 ~ /^[0-9]+$/ ? $3 + 1 : $3 " + 1" }
            $2 != "clk" && !($2 in means) { print "ports: " block ": " $2 " is not in the port list of the model" >"/dev/stderr"; exit 1 }
            { print $1, $2, $3, means[$2] }' "cmodel/${header:-$1/${1}_ports.h}" -
}
