#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Proves the netlists of synth/netlist.sh equal to the RTL, with Yosys and ABC's equivalence checker. docs/results/verification.md describes the method.
#   synth/equivalence.sh BLOCK [PARAM=VALUE]...
# Reads the netlists of this point in build/netlists, and writes equivalence.txt and equivalence.json next to them. A part that is not
# proven equal is an error.
# LIBERTY and PERIOD_PS: see synth/flow.bash
. "$(dirname "$0")/flow.bash"
[ $# -gt 0 ] || die "no block: synth/equivalence.sh BLOCK [PARAM=VALUE]..."
[[ $1 != -* ]] || die "unknown argument $1: synth/equivalence.sh BLOCK [PARAM=VALUE]..."
check_parameters "$@"
start equivalence equivalence equivalence
echo "equivalence: tens of minutes for an MSHR" >&2
block=$1
parameters=("${@:2}")
point=$(printf -- '-%s' "$@" | tr -d =)
point=${point#-}
at=build/netlists/$lib_name/$point
for other in "build/netlists/$lib_name/$1"-*; do # the same parameters in another order
    [ "$(tr - '\n' <<<"${other##*/}" | sort)" != "$(tr - '\n' <<<"$point" | sort)" ] || [ -d "$at" ] || at=$other
done
shift
rm -f "$at"/equivalence.*
gate= # clock gate cell of the netlist and its pins, if any

# Yosys commands: checks that each used net of a netlist has a driver; ABC would assume 0
no_loose_ends='flatten
    check -assert'

# ungated: Yosys commands that replace a flip-flop behind a clock gate by one with its enable. Equivalent, as the gate opens while the clock is low.
ungated() {
    [ -z "$gate" ] || echo "write_rtlil $tmp/gates.il
        exec -expect-return 0 -- awk -v gate=$gate -f synth/ungate.awk $tmp/gates.il $tmp/gates.il 2>&1 >$tmp/enables.il
        design -reset
        read_rtlil $tmp/enables.il"
}

# bits FILE: Yosys commands that write the design in BLIF: registers, two-input gates, and the pins of storage as ports. Nets keep their
# source names; constant registers are removed, as in the netlist.
bits() {
    echo "flatten
        memory -nomap
        memory_map
        expose -evert t:*mt_ram_slice* t:*mt_regfile_*
        delete -port o:*.clk
        techmap
        opt_clean
        $(ungated)
        dffunmap
        simplemap
        opt_expr
        opt_dff -nodffe -nosdff
        opt_expr
        opt_clean
        write_blif $1"
}

# registers RTL: cuts the registers of RTL and $tmp/netlist.blif and prints their number; on failure, $tmp/alone lists registers without counterpart
registers() {
    awk -v gold="$tmp/gold.blif" -v gate="$tmp/gate.blif" -v copies="$tmp/copies" -f synth/registers.awk "$1" "$tmp/netlist.blif" 2>"$tmp/alone"
}

# copies: writes to $tmp/copies the netlist registers without counterpart whose next state equals that of another register in every state, as proven by ABC
copies() {
    yosys-abc -c "read_blif $tmp/gate.blif; strash; fraig -C 100000; write_blif $tmp/fraiged.blif" >"$tmp/fraig" 2>&1 || true
    [ -s "$tmp/fraiged.blif" ] || die "ABC failed at the copies: $(tail -1 "$tmp/fraig")"
    awk -f synth/copies.awk "$tmp/fraiged.blif" >"$tmp/copies"
    rm "$tmp/fraiged.blif"
}

# prove NAME RTL: proves $tmp/netlist.blif equal to the RTL in every state and for all inputs, and prints {registers, copies, seconds}. A
# register created by the mapper must be a copy. A second RTL file is the same design with fewer registers.
prove() {
    local n started=$EPOCHREALTIME
    : >"$tmp/copies"
    if ! n=$(registers "$2") && grep -q '^the RTL' "$tmp/alone" && [[ $2 == */rtl.* && $2 != */rtl.fewer.* ]]; then
        rm -f "$tmp/rtl.fewer.blif"
        rtl fewer "$cut" "$block" "${parameters[@]}"
        prove "$1" "$tmp/rtl.fewer.blif"
        return
    fi
    if [ -s "$tmp/alone" ] && ! grep -qv '^the netlist' "$tmp/alone"; then
        copies
        n=$(registers "$2") || true
    fi
    [ ! -s "$tmp/alone" ] || die "$1 is not shown: $(head -1 "$tmp/alone")"
    yosys-abc -c "cec $tmp/gold.blif $tmp/gate.blif" >"$tmp/cec" 2>&1 || true
    grep -q '^Networks are equivalent' "$tmp/cec" || die "$1: not equal: $(grep -v '^ABC command\|^$\|non-driven\|^[a-z_]*\.' "$tmp/cec" | head -1 | cut -c 1-120)"
    jq -cn --argjson n "$n" --argjson copies "$(wc -l <"$tmp/copies")" --arg from "$started" --arg to "$EPOCHREALTIME" \
        '{registers: $n, copies: $copies, seconds: (($to | tonumber) - ($from | tonumber) | . * 100 | round / 100)}'
}

# rtl KIND CUT BLOCK PARAM=VALUE... -> $tmp/rtl.KIND.blif. The flat design for speed has fewer registers: those that become constant, and
# all but one of those with equal next state, are removed by the same passes. KIND fewer: those removed by these passes at gate level.
rtl() {
    local kind=$1 cut=$2 block=$3
    shift 3
    [ ! -e "$tmp/rtl.$kind.blif" ] || return 0
    run_yosys rtl <<-END
		$(sources "$block" whole "$@")
		$([ "$cut" = whole ] || echo 'blackbox =*mt_ram_slice* =*mt_regfile_*')
		$([ "$kind" = area ] || printf '%s\n' flatten 'memory -nomap' memory_map "$([ "$kind" = speed ] || echo techmap)" opt_dff 'opt -full')
		$(bits "$tmp/rtl.$kind.blif")
	END
}

# cells FOLDER/BLOCK: Yosys commands that read that netlist; clock gates remain cells
cells() {
    echo "read_verilog $1/cells.v $1/netlist.v
        $([ -z "$gate" ] || echo "blackbox ${gate%%,*}")"
}

# storage SHAPE MODULE WIDTH DEPTH [PARAM=VALUE]... -> $tmp/SHAPE.v: a wrapper around the storage; $tmp/SHAPE.blif: the wrapper with the
# rtl/lib module. An address beyond the last word reads an unspecified value and is not compared. A write there must have no effect, except
# with one word, which a mapper stores without an address.
storage() {
    local shape=$1 module=$2 w=$3 d=$4
    shift 4
    [ ! -e "$tmp/$shape.blif" ] || return 0
    run_yosys ports <<-END
		read_verilog $(storage_file "$module")
		chparam -set WIDTH $w -set DEPTH $d $(for p in "$@"; do printf '%s ' "-set ${p%%=*} ${p#*=}"; done) $module
		hierarchy -check -top $module
		proc
		rename $module inside
		write_rtlil $tmp/inside.il
		write_json $tmp/inside.json
	END
    jq -r --argjson words "$d" '.modules.inside.ports | to_entries
        | def range: .value.bits | length | "[\(. - 1):0]";
        "module storage(\(map("\(.value.direction) \(range) \(.key)") | join(", ")));",
        "inside u (\(map(if .key == "raddr" or .key == "waddr" and $words == 1 then ".\(.key)(\(.key) < \($words) ? \(.key) : {\(.value.bits | length){1\u0027b0}})" else ".\(.key)(\(.key))" end) | join(", ")));",
        "endmodule"' "$tmp/inside.json" >"$tmp/$shape.v"
    run_yosys rtl <<-END
		read_rtlil $tmp/inside.il
		read_verilog $tmp/$shape.v
		hierarchy -check -top storage
		proc
		$(bits "$tmp/$shape.blif")
	END
}

# shapes FOLDER/BLOCK KIND: proves each storage shape of that netlist against its module in rtl/lib
shapes() {
    local shape n module w d more
    while read -r shape n module w d more; do
        grep -q "^module $shape(" "$1/netlist.v" || continue
        storage "$shape" "$module" "$w" "$d" $more
        run_yosys netlist <<-END
			$(cells "$1")
			rename $shape inside
			read_verilog $tmp/$shape.v
			hierarchy -check -top storage
			proc
			$no_loose_ends
			$(bits "$tmp/netlist.blif")
		END
        proof "$shape" "storage in $2" "$n" "$tmp/$shape.blif"
    done <"$at/shapes"
}

# proof WHAT KIND TIMES RTL: runs prove and adds the result, with TIMES instances in the design, to the report
proof() {
    local result
    result=$(prove "$point: $1 ($2)" "$4")
    jq -c --arg what "$1" --arg kind "$2" --argjson n "$3" '{what: $what, netlist: $kind, n: $n} + .' <<<"$result" >>"$tmp/proofs"
}

# places BLOCK.v: hierarchical positions of the cut storage in the RTL, by its name in the netlist
places() {
    sed -nE 's/^ *mt_ram_slice_[0-9x]+ \\([^ ]+) \(\.clk\(clk\), \.we\((slots[0-9]+)_we\).*/\2 \1/p' "$1"
}

# netlist KIND PARAM=VALUE...
netlist() {
    local kind=$1 dir=$at/$1/$block cut=cut
    shift
    [ "$kind" != speed ] || cut=$(cut_of "$block")
    rtl "${kind/gated/area}" "$cut" "$block" "$@"
    run_yosys netlist <<-END
		$(cells "$dir")
		hierarchy -check -top ${block}_netlist
		proc
		rename ${block}_netlist $block
		cd $block
		$(places "$dir/$block.v" | while read -r slot place; do
        for pin in we waddr wdata re raddr rdata; do echo "rename $slot.$pin $place.$pin"; done
    done)
		cd
		$([ "$cut" = whole ] || echo 'blackbox mt_ram_slice_* mt_regfile_*')
		$no_loose_ends
		$(bits "$tmp/netlist.blif")
	END
    proof "$block" "$kind" 1 "$tmp/rtl.${kind/gated/area}.blif"
    shapes "$dir" "$kind"
}

for kind in area gated speed; do
    [ -d "$at/$kind" ] || continue
    [ $kind != gated ] || gate=$(clock_gate)
    netlist $kind "$@"
    gate=
done
[ -e "$tmp/proofs" ] || die "no netlist in $at (synth/netlist.sh)"
jq -s --arg library "$lib_name" --arg point "$point" '{library: $library, point: $point, proofs: .}' "$tmp/proofs" >"$tmp/equivalence.json"
jq -r '.proofs[] | [.netlist, .what, "\(.registers) registers", "\(.copies) copies", "equal, \(.seconds) s"] | @tsv' "$tmp/equivalence.json" | column -t -s "$(printf '\t')" >"$tmp/equivalence.txt"
mv "$tmp/equivalence.json" "$tmp/equivalence.txt" "$at/"
cat "$at/equivalence.txt"
