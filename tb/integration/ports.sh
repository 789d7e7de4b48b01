#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Prints the ports of a block as a Markdown table: tb/integration/ports.sh BLOCK [NAME=VALUE]..
# Names and widths come from the Verilog, qualifiers from the C port list. Yosys finds the combinational inputs of
# each output in the netlist without flip-flops, at the point tagged core with the given
# parameters replaced.
set -euo pipefail
. "$(dirname "$0")/../../tb/env.bash"
show_help "$@"
[ $# -ge 1 ] && [ -e "rtl/$1/$1.f" ] || { echo "usage: tb/integration/ports.sh BLOCK [NAME=VALUE].." >&2; exit 1; }
command -v yosys >/dev/null || { echo 'ports: yosys is not installed' >&2; exit 1; }
. tb/harness/blocks.bash
. tb/integration/port_list.bash
block=$1
shift
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

port_list "$block" >"$tmp/list"
cut -f2 "$tmp/list" >"$tmp/names"

# ---- combinational inputs
set_point=$({
    point_of core "$block" | tr ' ' '\n'
    [ $# -eq 0 ] || printf '%s\n' "$@"
} | sed 's/^\(.*\)=/-chparam \1 /' | paste -sd' ')
{
    echo "read_verilog -defer $(printf -- '-I%s ' rtl/*/) $(paste -sd' ' "rtl/$block/$block.f")"
    printf 'hierarchy -check -top %s %s\nproc\nflatten\nmemory\nopt\ndelete t:$*dff*\n' "$block" "$set_point"
    awk -F '\t' -v dir="$tmp" '$1 == "output" { printf "tee -q -o %s/of.%s select -list o:%s %%ci* i:* %%i\n", dir, $2, $2 }' "$tmp/list"
} >"$tmp/cone.ys"
yosys -q -s "$tmp/cone.ys" >"$tmp/log" 2>&1 || { echo "ports: $block: $(grep -m1 ERROR "$tmp/log")" >&2; exit 1; }

echo '| port | direction | bits | valid when | combinational inputs |'
echo '|---|---|---|---|---|'
echo '| `clk` | input | 1 | rising edge | |'
while IFS=$'\t' read -r direction name width means; do
    [ "$name" != clk ] || continue
    case $means in ALWAYS) means=always ;; *) means="\`$means\`" ;; esac
    on=
    if [ "$direction" = output ]; then
        # in port order
        on=$(sed "s,^$block/,," "$tmp/of.$name" | grep -vx clk | grep -xFf - "$tmp/names" | sed 's/.*/`&`/' | paste -sd, | sed 's/,/, /g') || true
        on=${on:-none}
    fi
    echo "| \`$name\` | $direction | \`$width\` | $means | $on |" | sed 's/| `\([0-9]*\)` |/| \1 |/'
done <"$tmp/list"
