#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Makes the files for integrating a block, from its port list: the module without st_ ports, and in SystemVerilog an interface, a module
# with it, port assertions and their binding (docs/use/systemverilog.md). tb/cores/cores.sh calls it.
#   tb/sv/sv.sh [FOLDER]     writes FOLDER/rtl/BLOCK/BLOCK_bare.v and FOLDER/rtl/sv/*; default: this tree
# tb/sv/BLOCK.rules, if it exists, adds rules that the ports alone do not give: lines of SystemVerilog, which are copied, and
#   use NAME                               the lines of tb/sv/NAME.rules
#   check NAME | WHEN | MUST | TEXT        an assertion that the block keeps:  WHEN |-> MUST
#   owed NAME | WHEN | MUST | TEXT         one that its user keeps; a NAME that the list gives too takes that one's place
set -euo pipefail
. "$(dirname "$0")/../../tb/env.bash"
. tb/harness/blocks.bash
. tb/integration/port_list.bash
to=${1:-.}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# parameters BLOCK: the lines of the module's parameters with their comments, but OBSERVE
parameters() {
    awk '/^module / { on = 1; next } /^\) \(/ { exit }
         on && /^    \/\/ / { comment = $0; next }
         on && /^    parameter / && $2 != "OBSERVE" { print comment; sub(/,$/, ""); print }' "rtl/$1/$1.v"
}

# used FILE: those of the parameters in $tmp/parameters that the text of FILE names, or whose defaults another one's needs
used() {
    awk -v text="$(cat "$1")" '
        function named(name, where) { return where ~ "(^|[^A-Za-z0-9_.])" name "([^A-Za-z0-9_]|$)" }
        { line[NR] = $0; if ($1 == "parameter") name[NR] = $2 }
        END {
            for (i = NR; i > 0; i--) if (i in name && named(name[i], text)) { keep[i] = 1; value = line[i]; sub(/.*= /, "", value); text = text " " value }
            for (i = 2; i <= NR; i += 2) if (i in keep) { print line[i - 1]; print line[i] }
        }' "$tmp/parameters"
}

names() { awk '$1 == "parameter" { print $2 }' "$1"; }            # of the parameters of a file
listed() { awk '/parameter/ { n++ } { line[NR] = $0; last = /parameter/ ? NR : last } END { for (i = 1; i <= NR; i++) print line[i] (line[i] ~ /^ *parameter/ && i != last ? "," : "") }' "$1"; }
passed() { names "$1" | sed 's/.*/        .&(&)/' | sed '$!s/$/,/'; }  # .NAME(NAME)

# range BITS: as a range of a declaration
range() {
    case $1 in
    1) ;;
    [0-9]*[0-9]) [[ $1 =~ ^[0-9]+$ ]] && echo "[$(($1 - 1)):0] " || echo "[$1-1:0] " ;;
    [0-9]) echo "[$(($1 - 1)):0] " ;;
    \(*\) | *[!A-Za-z0-9_\$\(\)+]*) [[ $1 == \(* ]] && echo "[$1-1:0] " || echo "[($1)-1:0] " ;;
    *) echo "[$1-1:0] " ;;
    esac
}

# ports TYPE: the functional ports as declarations of a module: Verilog with wire, SystemVerilog with logic
ports() { # KEYWORD
    local direction name bits means
    while IFS=$'\t' read -r direction name bits means; do
        printf '    %-6s %s %s%s,\n' "$direction" "$1" "$(range "$bits")" "$name"
    done <"$tmp/ports" | sed '$s/,$//'
}

bare() { # BLOCK
    local name bits
    printf '// SPDX-License-Identifier: Apache-2.0\n// %s without the st_ ports, for synthesis: OBSERVE=0. Made by `make cores`.\n`default_nettype none\n\n' "$1"
    printf 'module %s_bare #(\n' "$1"
    listed "$tmp/parameters"
    printf ') (\n'
    ports wire
    printf ');\n'
    while IFS=$'\t' read -r name bits; do printf '    wire %s%s;\n' "$(range "$bits")" "$name"; done <"$tmp/observed"
    [ ! -s "$tmp/observed" ] || printf '    wire unused_state = &{1'"'"'b0, %s};\n\n' "$(cut -f1 "$tmp/observed" | paste -sd, | sed 's/,/, /g')"
    printf '    %s #(\n' "$1"
    passed "$tmp/parameters" | sed '$s/$/,/'
    printf '        .OBSERVE(0)\n    ) u_block (\n'
    { cut -f2 "$tmp/ports"; cut -f1 "$tmp/observed"; } | sed 's/.*/        .&(&),/; $s/,$//'
    printf '    );\nendmodule\n\n`default_nettype wire\n'
}

modport() { # NAME input|output of the block's inputs, of its outputs
    local inputs outputs
    inputs=$(awk -F '\t' '$1 == "input" { print $2 }' "$tmp/signals" | paste -sd, | sed 's/,/, /g')
    outputs=$(awk -F '\t' '$1 == "output" { print $2 }' "$tmp/signals" | paste -sd, | sed 's/,/, /g')
    case $2$3 in
    inputinput) printf '    modport %s (\n        input clk, rst, %s, %s\n    );\n' "$1" "$inputs" "$outputs" ;;
    *) printf '    modport %s (\n        input clk, rst,\n        %s %s,\n        %s %s\n    );\n' "$1" "$2" "$inputs" "$3" "$outputs" ;;
    esac
}

interface() { # BLOCK
    local name bits
    printf '// SPDX-License-Identifier: Apache-2.0\n// The ports of %s as an interface. Made by `make cores` from the port list.\n' "$1"
    cut -f3 "$tmp/signals" >"$tmp/widths"
    used "$tmp/widths" >"$tmp/if_parameters"
    printf 'interface %s_if #(\n' "$1"
    listed "$tmp/if_parameters"
    printf ') (\n    input logic clk,\n    input logic rst\n);\n'
    printf '    // A design need not read every output.\n    /* verilator lint_off UNUSEDSIGNAL */\n'
    while IFS=$'\t' read -r _ name bits _; do printf '    logic %s%s;\n' "$(range "$bits")" "$name"; done <"$tmp/signals"
    printf '    /* verilator lint_on UNUSEDSIGNAL */\n'
    printf '\n    // the block, what drives it, what looks on\n'
    modport block input output
    modport user output input
    modport monitor input input
    printf 'endinterface\n'
}

behind() { # BLOCK
    printf '// SPDX-License-Identifier: Apache-2.0\n// %s behind its interface. Made by `make cores` from the port list.\n' "$1"
    printf 'module %s_sv #(\n' "$1"
    listed "$tmp/parameters"
    printf ') (\n    %s_if.block bus\n);\n' "$1"
    printf '`ifndef YOSYS  // which knows the interface only when it has read the conditions\n'
    names "$tmp/if_parameters" | sed "s/.*/    if (bus.& != &) \$error(\"$1_sv: & is %0d, and %0d in its interface\", &, bus.&);/"
    printf '`endif\n    %s_bare #(\n' "$1"
    passed "$tmp/parameters"
    printf '    ) u_bare (\n'
    cut -f2 "$tmp/ports" | sed 's/.*/        .&(bus.&),/; $s/,$//'
    printf '    );\nendmodule\n'
}

# rules BLOCK: its rules with those that they use in place
rules() {
    [ -e "tb/sv/$1.rules" ] || return 0
    awk '$1 == "use" { file = "tb/sv/" $2 ".rules"; while ((getline line <file) > 0) print line; next } { print }' "tb/sv/$1.rules"
}

# known BLOCK: rules that follow from the list: what means something is not X
known() {
    awk -F '\t' '
        function valid_of(ready) { sub(/ready$/, "valid", ready); return ready }
        { direction[NR] = $1; name[NR] = $2; bits[NR] = $3; means[NR] = $4; way[$2] = $1 }
        END {
            for (i = 1; i <= NR; i++) {
                n = name[i]
                if (n == "clk" || n == "rst") continue
                valid = (n ~ /_/ && way[substr(n, 1, index(n, "_") - 1)] == "input") ? substr(n, 1, index(n, "_") - 1) : ""  # look_addr: look
                for (j in name) {
                    stem = name[j]
                    if (direction[j] == "input" && sub(/valid$/, "", stem) && index(n, stem) == 1) valid = name[j]
                }
                if (direction[i] == "output") {
                    when = means[i] == "ALWAYS" ? "1'"'"'b1" : means[i]
                    if (n == "ask_past") when = "!$isunknown(ask_id)"
                    print "check known_" n " | " when " | !$isunknown(" n ") | " n " is known" (means[i] == "ALWAYS" ? "" : " where it means something")
                } else if (n ~ /ready$/ && way[valid_of(n)] == "output") {
                    print "owed known_" n " | " valid_of(n) " | !$isunknown(" n ") | " n " is known where it means something"
                } else if (n ~ /(valid|ready)$/ || (bits[i] == 1 && valid == "")) {
                    print "owed known_" n " | 1'"'"'b1 | !$isunknown(" n ") | " n " is known in every cycle"
                } else if (valid != "") {
                    when = valid (n ~ /^req_(data|mask)$/ ? " && req_write" : "")
                    print "owed known_" n " | " when " | !$isunknown(" n ") | " n " is known where it means something"
                }
            }
        }' "$tmp/ports"
}

checks() { # BLOCK
    rules "$1" >"$tmp/rules"
    { known; sed -nE '/^(owed|check) /p' "$tmp/rules"; } | awk '{ last[$2] = $0; name[NR] = $2; line[NR] = $0 } END { for (i = 1; i <= NR; i++) if (line[i] == last[name[i]]) print line[i] }' >"$tmp/asserted"
    { cut -f3 "$tmp/signals"; cat "$tmp/rules"; } >"$tmp/text"
    used "$tmp/text" >"$tmp/check_parameters"
    printf '// SPDX-License-Identifier: Apache-2.0\n// Port assertions of %s: owed_.. are kept by its user, check_.. by the block. Made by `make cores` from the port list and tb/sv/%s.rules.\n' "$1" "$1"
    printf 'module %s_checks #(\n' "$1"
    listed "$tmp/check_parameters"
    printf ') (\n'
    ports 'logic' | sed 's/output logic/input  logic/'
    printf ');\n    // From the first reset on, but in cycles of reset.\n    logic seen_reset = 1'"'"'b0;\n    always @(posedge clk) if (rst) seen_reset <= 1'"'"'b1;\n    wire on = seen_reset && !rst;\n\n'
    sed -E '/^(owed|check) /d; s/^(.)/    \1/' "$tmp/rules"
    for kind in owed check; do
        printf '\n    // ---- %s\n' "$([ $kind = owed ] && echo 'what the user owes the block' || echo 'what the block keeps')"
        sed -n "s/^$kind //p" "$tmp/asserted" | awk -F ' [|] ' -v kind=$kind -v block="$1" '{
            printf "    %s_%s:\n        assert property (@(posedge clk) on%s |-> (%s))\n        else $error(\"%s: %s_%s: %s\");\n", \
                kind, $1, $2 == "1'"'"'b1" ? "" : " && (" $2 ")", $3, block, kind, $1, $4 }'
    done
    printf 'endmodule\n'
}

binding() { # BLOCK
    printf '// SPDX-License-Identifier: Apache-2.0\n// Port assertions beside every %s of a design. Made by `make cores`.\n' "$1"
    printf 'bind %s %s_checks #(\n' "$1" "$1"
    passed "$tmp/check_parameters" | sed 's/^    //'
    printf ') u_checks (\n'
    cut -f2 "$tmp/ports" | sed 's/.*/    .&(&),/; $s/,$//'
    printf ');\n'
}

mkdir -p "$to/rtl/sv"
for block in $(blocks); do
    mkdir -p "$to/rtl/$block"
    parameters "$block" >"$tmp/parameters"
    port_list "$block" >"$tmp/list"
    awk -F '\t' '$2 !~ /^st_/' "$tmp/list" >"$tmp/ports"
    awk -F '\t' '$2 != "clk" && $2 != "rst"' "$tmp/ports" >"$tmp/signals"
    awk -F '\t' -v OFS='\t' '$2 ~ /^st_/ { print $2, $3 }' "$tmp/list" >"$tmp/observed"
    bare "$block" >"$to/rtl/$block/${block}_bare.v"
    interface "$block" >"$to/rtl/sv/${block}_if.sv"
    behind "$block" >"$to/rtl/sv/${block}_sv.sv"
    checks "$block" >"$to/rtl/sv/${block}_checks.sv"
    binding "$block" >"$to/rtl/sv/${block}_bind.sv"
    printf "rtl/$block/${block}_bare.v\n" >"$to/rtl/sv/$block.f"
    printf "rtl/sv/${block}_%s.sv\n" if sv checks bind >>"$to/rtl/sv/$block.f"
done
