#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The ports of a block as a table in Markdown: tb/integration/ports.sh BLOCK [NAME=VALUE]..
# Names and widths are those of the Verilog; when a port means something is the qualifier of the C port list; which inputs an output
# depends on in the same cycle is what Yosys finds in the netlist without its flip-flops (at its point tagged core, with
# the parameters given instead of its own).
set -euo pipefail
. "$(dirname "$0")/../../tb/env.bash"
[ $# -ge 1 ] && [ -e "rtl/$1/$1.f" ] || { echo "usage: tb/integration/ports.sh BLOCK [NAME=VALUE].." >&2; exit 1; }
command -v yosys >/dev/null || { echo 'ports: yosys is not installed' >&2; exit 1; }
. tb/harness/blocks.bash
block=$1
shift
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# ---- direction, name, width
sed 's/^`define \([A-Z_0-9]*\) \([0-9]*\)$/s,`\1-1,\2-1,/; t; d' rtl/*/*.vh >"$tmp/macros"
awk '/^\) \(/ { on = 1; next } /^\);/ { exit } on && $1 ~ /^(in|out)put$/ {
        sub(/ *\/\/.*/, "")
        name = $NF; sub(/,$/, "", name)
        width = $0; if (!sub(/^[^[]*\[/, "", width)) width = "0"
        sub(/:0\][^]]*$/, "", width)
        print $1 "\t" name "\t" width
    }' "rtl/$block/$block.v" | sed -f "$tmp/macros" | awk -F '\t' -v OFS='\t' '{
        if (!sub(/-1$/, "", $3)) $3 = $3 ~ /^[0-9]+$/ ? $3 + 1 : $3 " + 1"
        print }' >"$tmp/ports"

# ---- when it means something
header=$(sed -n 's/^#include "\(mshr\/mshr_ports.h\|incoming\/incoming_ports.h\)"/\1/p' "cmodel/$block/${block}_ports.h")
awk '/X\((IN|OUT|OBS),/ { on = 1; text = "" }
     on { line = $0; sub(/ *\\$/, "", line); text = text line }
     on && /\)( *\\)?$/ {
        sub(/^ *X\(/, "", text); sub(/\) *$/, "", text)
        split(text, p, /, */); name = p[3]
        sub(/.*, */, "", text); gsub(/out->|in->/, "", text)
        print name "\t" text; on = 0 }' "cmodel/${header:-$block/${block}_ports.h}" >"$tmp/means"

# ---- depends on
set_point=$({
    point_of core "$block" | tr ' ' '\n'
    [ $# -eq 0 ] || printf '%s\n' "$@"
} | sed 's/^\(.*\)=/-set \1 /' | paste -sd' ')
{
    echo "read_verilog $(printf -- '-I%s ' rtl/*/) $(paste -sd' ' "rtl/$block/$block.f")"
    printf 'chparam %s %s\nhierarchy -check -top %s\nproc\nflatten\nmemory\nopt\ndelete t:$*dff*\n' "$set_point" "$block" "$block"
    awk -F '\t' -v dir="$tmp" '$1 == "output" { printf "tee -q -o %s/of.%s select -list o:%s %%ci* i:* %%i\n", dir, $2, $2 }' "$tmp/ports"
} >"$tmp/cone.ys"
yosys -q -s "$tmp/cone.ys" >"$tmp/log" 2>&1 || { echo "ports: $block: $(grep -m1 ERROR "$tmp/log")" >&2; exit 1; }

echo '| port | | bits | means something | depends in the same cycle on |'
echo '|---|---|---|---|---|'
echo '| `clk` | input | 1 | rising edge | |'
while IFS=$'\t' read -r direction name width; do
    [ "$name" != clk ] || continue
    means=$(awk -F '\t' -v name="$name" '$1 == name { print $2 }' "$tmp/means")
    [ -n "$means" ] || { echo "ports: $block: $name is not in the port list of the model" >&2; exit 1; }
    case $means in ALWAYS) means=always ;; *) means="\`$means\`" ;; esac
    on=
    if [ "$direction" = output ]; then
        # in the order of the module's ports
        on=$(sed "s,^$block/,," "$tmp/of.$name" | grep -vx clk | grep -xFf - <(cut -f2 "$tmp/ports") | sed 's/.*/`&`/' | paste -sd, | sed 's/,/, /g') || true
        on=${on:-the state alone}
    fi
    echo "| \`$name\` | $direction | \`$width\` | $means | $on |" | sed 's/| `\([0-9]*\)` |/| \1 |/'
done <"$tmp/ports"
