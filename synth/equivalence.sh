#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Proves the netlists of synth/netlist.sh equal to the RTL, with Yosys and the equivalence checker of its ABC. docs/results/verification.md says what is shown.
#   synth/equivalence.sh BLOCK [PARAM=VALUE]...
# takes the netlists of this point that are in build/netlists, and writes equivalence.txt and equivalence.json beside them. What is not equal, or is not
# shown to be, is an error.
# LIBERTY and PERIOD_PS: see synth/flow.bash
. "$(dirname "$0")/flow.bash"
[ $# -gt 0 ] || die "no block: synth/equivalence.sh BLOCK [PARAM=VALUE]..."
start equivalence equivalence equivalence
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
gate= # in a netlist with clock gates: their cell and its pins

# Yosys commands: each net of a netlist that something reads has one driver; ABC would take 0 for it
no_loose_ends='flatten
    check -assert'

# ungated: Yosys commands: a flip-flop behind a clock gate has its enable instead. The gate opens when the clock is low: that is the same.
ungated() {
    [ -z "$gate" ] || echo "write_rtlil $tmp/gates.il
        exec -expect-return 0 -- awk -v gate=$gate -f synth/ungate.awk $tmp/gates.il $tmp/gates.il 2>&1 >$tmp/enables.il
        design -reset
        read_rtlil $tmp/enables.il"
}

# bits FILE: Yosys commands that write the design in BLIF: registers, gates of two inputs, and pins of storage as ports. Nets keep the names that the
# source has for them; registers that can hold one value only are gone, as they are from the netlist.
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

# registers RTL: takes them out of that and of $tmp/netlist.blif -> how many there are; an error if one has no like, in $tmp/alone
registers() {
    awk -v gold="$tmp/gold.blif" -v gate="$tmp/gate.blif" -v copies="$tmp/copies" -f synth/registers.awk "$1" "$tmp/netlist.blif" 2>"$tmp/alone"
}

# copies: $tmp/copies: which of the netlist's registers without their like have the next state of another, whatever the state: ABC proves it
copies() {
    yosys-abc -c "read_blif $tmp/gate.blif; strash; fraig -C 100000; write_blif $tmp/fraiged.blif" >"$tmp/fraig" 2>&1 || true
    [ -s "$tmp/fraiged.blif" ] || die "ABC failed at the copies: $(tail -1 "$tmp/fraig")"
    awk -f synth/copies.awk "$tmp/fraiged.blif" >"$tmp/copies"
    rm "$tmp/fraiged.blif"
}

# prove NAME RTL: $tmp/netlist.blif and that of the RTL -> {registers, copies, seconds}; they have to be equal in every state and for all inputs. A register
# that the mapper has made has to be a copy. If the RTL has one more, it is that with fewer.
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

# rtl KIND CUT BLOCK PARAM=VALUE... -> $tmp/rtl.KIND.blif. The flat design for speed has lost more registers: those that, once written, hold one value
# only, and all but one of those with the same next state, which are found by the same passes. KIND fewer: those that the same passes find in gates.
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

# cells FOLDER/BLOCK: Yosys commands that read that netlist; clock gates stay cells
cells() {
    echo "read_verilog $1/cells.v $1/netlist.v
        $([ -z "$gate" ] || echo "blackbox ${gate%%,*}")"
}

# storage SHAPE MODULE WIDTH DEPTH [PARAM=VALUE]... -> $tmp/SHAPE.v: a module around the storage, and $tmp/SHAPE.blif: with that of rtl/lib in it. An
# address beyond the last word reads anything: it is none that is compared. A write there has to write nothing, but where there is one word: a mapper
# takes that for storage without an address.
storage() {
    local shape=$1 module=$2 w=$3 d=$4
    shift 4
    [ ! -e "$tmp/$shape.blif" ] || return 0
    run_yosys ports <<-END
		read_verilog rtl/lib/$module.v
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

# slices FOLDER/BLOCK KIND: each shape of storage in that netlist against its module of rtl/lib
slices() {
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

# proof WHAT KIND TIMES RTL: prove, and one more in the report; it is so often in the design
proof() {
    local result
    result=$(prove "$point: $1 ($2)" "$4")
    jq -c --arg what "$1" --arg kind "$2" --argjson n "$3" '{what: $what, netlist: $kind, n: $n} + .' <<<"$result" >>"$tmp/proofs"
}

# places BLOCK.v: where the RTL has the storage that is cut, by its name in the netlist
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
    slices "$dir" "$kind"
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
