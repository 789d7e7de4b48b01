# SPDX-License-Identifier: Apache-2.0
# Sourced from the root, for what is made from port lists.

# port_list BLOCK: direction, name, bits and qualifier of each port, by tabs, in the order of the module. Names and bits are those of the Verilog, where a macro
# is its number; when a port means something (ALWAYS, or an expression of ports) is the qualifier of the C port list. clk is in the Verilog alone.
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
                line = $0; sub(/ *\\$/, "", line)
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
