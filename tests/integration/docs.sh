#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 40 s; long, 150 s
# The tables of ports and the timing diagrams are up to date with the Verilog, and a change of either is found. In tier full, combinational
# inputs are checked at every sixth point.
. tests/lib.bash
. tb/harness/blocks.bash
expect 0 tb/integration/docs.sh --check
cat "$work/err"

mkdir -p "$work/tree/docs/figures"
cp -r docs/figures/waves "$work/tree/docs/figures"
cp --parents rtl/*/ports.md "$work/tree"
stale() { # FILE EDIT [NAMED]: makes FILE out of date
    sed -i "$2" "$work/tree/$1"
    ! cmp -s "$1" "$work/tree/$1" || complain "cannot change $1: $2"
}
stale rtl/dl_mshr/ports.md '/`ret_ready` | output/s/`rsp_ready`/none/'
stale rtl/cart/ports.md 's/^| `COLS` | 2/| `COLS` | 3/'
stale docs/figures/waves/hir.wave 's/^flush=1/-/'
stale docs/figures/waves/cart.svg 's/>clk</>clock</'
expect 1 env TREE="$work/tree" BLOCKS="cart dl_mshr hir" tb/integration/docs.sh --check
for file in rtl/dl_mshr/ports.md rtl/cart/ports.md docs/figures/waves/{hir.json,hir.svg,cart.svg}; do
    grep -qF "$file is out of date" "$work/err" || complain "stale file not found: $file"
done
[ "$(grep -c ' is out of date' "$work/err")" -eq 5 ] || complain "more files reported than changed: $(grep ' is out of date' "$work/err")"

# WaveDrom: in each diagram all rows are as long as its cycles, with one value for each position that shows one
for wave in docs/figures/waves/*.wave; do
    cycles=$(sed '/^#/d; /^$/d; /^\(block\|params\|show\) /d' "$wave" | wc -l)
    expect 0 jq -e --argjson n "$cycles" '[.signal[] | (.wave | length == $n) and (.wave | test("^[p01x=]")) and ((.data // "" | split(" ") | length) == (.wave | explode | map(select(. == 61)) | length))] | length > 5 and all' "${wave%.wave}.json"
done
expect 0 jq -e '.signal | map({(.name): .wave}) | add | .req_valid == "01..0...." and .req_primary == "x101x...." and .rsp_payload == "x.....==x"' docs/figures/waves/dl_mshr_miss.json

# each parameter has a default and a range
for block in $(blocks); do
    sed -n '/^| parameter/,/^$/p' "rtl/$block/ports.md" | sed '/^$/q' | grep '^| `' >"$work/parameters"
    [ "$(wc -l <"$work/parameters")" -ge 3 ] || complain "$block: $(wc -l <"$work/parameters") parameters"
    ! grep -vE '^\| `[A-Z_]+` \| [^|]+ \| [^|]*[0-9][^|]* \|$' "$work/parameters" || complain "$block: a parameter without its default or range"
done
expect_line 1 'no input req_vld' bash -c "sed 's/req_valid=1/req_vld=1/' docs/figures/waves/dl_mshr_miss.wave >$work/x.wave; tb/integration/wave.sh $work/x.wave $work/x.json $work/x.svg"

# combinational inputs at a second point, which must differ; integration.md promises that a loop arises only through a listed input
grep -q '^With `LOOKUP=2`, .* other combinational inputs:$' rtl/static_mshr/ports.md && grep -q '^| `rsp_last` .* | `req_valid` |$' rtl/static_mshr/ports.md || complain "static_mshr: no inputs with LOOKUP=2"
copy=$work/cones
mkdir "$copy" && cp -r rtl tb cmodel docs "$copy"
sed -i 's/^cones: LOOKUP=2/cones: ENTRIES=4/' "$copy/rtl/static_mshr/block.points"
expect_line 1 'ENTRIES=4 changes no combinational input' env BLOCKS=static_mshr "$copy/tb/integration/docs.sh" --check

# combinational inputs do not depend on other options
points ports >"$work/points"
[ -s "$work/points" ] || complain "no points"
while read -r block _ _ point; do
    turn 6 6 || continue
    [ -s "$work/$block.ports" ] || tb/integration/ports.sh "$block" >"$work/$block.ports"
    expect 0 tb/integration/ports.sh "$block" $point
    cmp -s "$work/out" "$work/$block.ports" || complain "$block $point: $(diff "$work/$block.ports" "$work/out")"
done <"$work/points"

# widths BLOCK NAME=VALUE...: checks that wires with the widths of the table fit the block's ports at these parameters
widths() {
    local block=$1
    shift
    [ -s "$work/$block.ports" ] || tb/integration/ports.sh "$block" >"$work/$block.ports"
    {
        echo 'module widths;'
        sed -nE '/^module /,/^\) \(/s/^ *parameter ([A-Z_0-9]+) = ([^,]*),?$/\1 \2/p' "rtl/$block/$block.v" | awk -v given="$*" '
            BEGIN { n = split(given, g, " "); for (i = 1; i <= n; i++) { split(g[i], w, "="); value[w[1]] = w[2] } }
            { name = $1; sub(/^[^ ]* /, ""); print "localparam " name " = " (name in value ? value[name] : $0) ";"; list = list (list ? ", " : "") "." name "(" name ")" }
            END { print "`define POINT " list }'
        awk -F ' *[|] *' '$2 ~ /^`/ { gsub(/`/, ""); print "wire [(" $4 ") - 1:0] " $2 ";"; list = list (list ? ", " : "") "." $2 "(" $2 ")" } END { print "`define PORTS " list }' "$work/$block.ports"
        printf '%s #(`POINT) u (`PORTS);\nendmodule\n' "$block"
    } >"$work/widths.v"
    # -Wno-fatal: these undriven wires cause warnings, but only widths matter
    verilator --lint-only -Wno-fatal -Wall --language 1364-2005 $(printf -- '-I%s ' rtl/*/) --top-module widths "$work/widths.v" $(cat "rtl/$block/$block.f") >"$work/widths" 2>&1 || true
    ! grep -E '%Error|WIDTH' "$work/widths"
}
while read -r block _ _ point; do
    widths "$block" || complain "$block: a width of its table is wrong"
    widths "$block" $point || complain "$block $point: a width of its table is wrong"
done < <(points core)
sed -i 's/`lmax` | output | `[^`]*`/`lmax` | output | 1/' "$work/bpg.ports"
widths bpg >/dev/null && complain "a wrong width is not found"

# every block is in the timing budget
sed -n '/^## Timing budget/,/^## Memories/s/^| \([^|]*\) |.*/\1/p' docs/use/integration.md | sed 's/^MSHRs/`dl_mshr`, `dl_mshr_paper`, `static_mshr`/' >"$work/budget"
for block in $(blocks); do
    grep -qF "\`$block\`" "$work/budget" || complain "docs/use/integration.md: no timing budget of $block"
done

# the memories in the table exist
for wrapper in $(grep -oh 'mt_\(ram_1r1w\|regfile_[a-z0-9_]*\) #' rtl/*/*.v | tr -d ' #' | sort -u); do
    grep -q "${wrapper%_[12]r1w}" docs/use/integration.md || complain "docs/use/integration.md: no word about $wrapper"
done

finish
