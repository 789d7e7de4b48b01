#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The netlists that the reports of area and of time count, as Verilog that the twin harness runs. docs/results/silicon.md says how.
#   synth/netlist.sh [--area | --gated] BLOCK [PARAM=VALUE]...
# writes to build/netlists/LIBRARY/BLOCK-PARAM.../
#   area/    the netlist of the area, in modules as it is counted, and of each shape of storage the one that is counted
#   gated/   the same with clock gates, if the library has one; not with --area
#   speed/   the flat netlist of the critical path, and that storage where it is cut; not with --area, --gated
# Each is a folder like rtl/: MEMTWIN_RTL names it. In it are BLOCK/netlist.v, the cells' functions (cells.v), a module BLOCK around both with the
# parameters and ports of the RTL (BLOCK.v), and BLOCK.f. Beside them area.json and gated.json: cells, flip-flops and um2 of area/ and gated/, and
# shapes: name, how often, module and parameters of each shape of storage. OBSERVE=1 as a parameter: with the st_ ports, which are not counted.
# The cells' functions are those of the library; that of the clock gate, which a library does not spell out, is the latch and AND that it says it is. For osu018 there is area-vendor/ too,
# with the Verilog that comes with it. The flip-flops of speed/ wake up at random: its mapper leaves gates at which an x outlives a reset.
# Netlists that are there, of the same RTL by the same scripts, stay as they are.
# LIBERTY and PERIOD_PS: see synth/flow.bash
. "$(dirname "$0")/flow.bash"
. synth/gates.bash
usage='synth/netlist.sh [--area | --gated] BLOCK [PARAM=VALUE]...'
kinds='area gated speed'
case ${1:-} in
--area)
    kinds=area
    shift
    ;;
--gated)
    kinds='area gated'
    shift
    ;;
-*) die "unknown argument $1: $usage" ;;
esac
[ $# -gt 0 ] || die "no block: $usage"
start netlist netlist netlist
block=$1
parts=$(parts_of "$block")
point=$(printf -- '-%s' "$@" | tr -d =)
to=build/netlists/$lib_name/${point#-}
parameters=()
for p in "${@:2}"; do
    case $p in
    OBSERVE=*) observe=${p#*=} ;;
    *=*) parameters+=("$p") ;;
    *) die "'$p' is not PARAM=VALUE" ;;
    esac
done

# verilog KIND: end of a Yosys script: checks, and the netlist as Verilog and its ports as JSON. OpenSTA cannot read an assignment to a concatenation.
verilog() {
    echo "read_liberty -lib -ignore_miss_func $lib
        hierarchy -check -top ${block}_netlist
        splitnets
        opt_clean -purge
        check -mapped -assert
        write_json $tmp/$1.json
        write_verilog -noattr -noexpr -nohex -nodec $tmp/$1.v"
}

# part_names: Yosys commands that give each module of the area's netlist the name that it has in the RTL, numbered where parameters make several
part_names() {
    awk -v block="$block" '{
        name = $1; sub(/^\$paramod[^\\]*\\/, "", name); sub(/\\.*/, "", name)
        if (name == block) name = block "_netlist"
        if (n[name]++) name = name "_" n[name]
        if (name == $1) next
        print "rename", $1, name
        gsub(/\\/, "?", $1) # a backslash would quote
        print "chtype -set", name, "t:" $1
    }' "$tmp/point.log.n"
}

# area KIND: the netlist as map counts it; in the place of black boxes the storage that shape counts. KIND is area, or gated, with gated=1
area() {
    local cell w d more s n p
    map point "$parts" "$block" "${parameters[@]}"
    awk -F '\t' '{ at = $0; sub(/^[^\t]*\t[^\t]*\t/, "", at); n[at] += $1 } END { for (at in n) print n[at] "\t" at }' "$tmp/point.shapes" | sort -k 2 |
        while IFS=$'\t' read -r n cell w d more; do
            echo "$(shape_name "$cell" "$w" "$d" $more) $n $cell $w $d $more"
        done >"$tmp/storage.shapes"
    run_yosys "$1" <<-END
		read_rtlil $tmp/point.il
		$(part_names)
		$(while read -r s n cell w d more; do
        echo "read_rtlil $tmp/$s.il"
        echo "chtype -set $s t:$cell r:WIDTH=$w %i r:DEPTH=$d %i $(for p in $more; do printf 'r:%s %%i ' "$p"; done)"
        echo "setparam -unset WIDTH -unset DEPTH $(for p in $more; do printf '%s ' "-unset ${p%%=*}"; done) t:$s"
    done <"$tmp/storage.shapes")
		$(verilog "$1")
		stat -liberty $lib
	END
    ! grep -q 'Resizing' "$tmp/$1.log" || die "storage of another width in $block: $(grep -m1 Resizing "$tmp/$1.log")"
    : >"$tmp/$1.slots"
    same_area "$1"
}

# gated: the same with clock gates
gated() {
    gated=1
    area gated
    gated=0
    rm -f "$tmp"/mt_* # the shapes: they are mapped again, without
}

# same_area KIND: the netlist that is written has the area that a report counts -> $tmp/KIND.counted
same_area() {
    local written
    jq -n -L synth --slurpfile modules "$tmp/point.count" --slurpfile stored "$tmp/point.stored" 'include "common";
        def all(f): ($modules[0] | total(f)) + ($stored[0] | total(.n * f));
        {um2: all(.area), cells: all(.cells), flops: all(.flops)}' >"$tmp/$1.counted"
    written=$(awk '/Chip area for/ { area = $NF } END { print area }' "$tmp/$1.log")
    jq -e --argjson written "$written" '.um2 - $written | fabs < 0.01' "$tmp/$1.counted" >/dev/null ||
        die "the netlist of $block has $written um2, and $(jq .um2 "$tmp/$1.counted") are counted"
}

# speed: the netlist as critical_path writes it; what was cut, its shape, and its place in the RTL in $tmp/speed.slots
speed() {
    local name w d
    critical_path point timing "$(cut_of "$block")" "$block" "${parameters[@]}"
    awk '
        $1 == "module" { module = $2 }
        $1 == "parameter" { value[module, substr($2, 2)] = $3 }
        $2 == "\\hdlname" { place = $0; gsub(/^[^"]*"|"$/, "", place); gsub(/ /, ".", place) }
        $1 == "cell" { print substr($3, 2), value[$2, "WIDTH"], value[$2, "DEPTH"], place }' "$tmp/point.cut" >"$tmp/speed.slots"
    run_yosys speed <<-END
		read_verilog $tmp/point.v
		rename $block ${block}_netlist
		$(verilog speed)
	END
    cut -d ' ' -f 2,3 "$tmp/speed.slots" | sort -u | while read -r w d; do
        run_yosys "slice_$w" <<-END
			read_rtlil $tmp/mt_ram_slice_${w}x$d.il
			splitnets
			opt_clean -purge
			write_verilog -noattr -noexpr -nohex -nodec $tmp/slice.v
		END
        cat "$tmp/slice.v" >>"$tmp/speed.v"
    done
}

# write KIND MODELS: the folder of a netlist, with cells as that file has them -> $tmp/tree
write() {
    local dir=$tmp/tree/$block f
    rm -rf "$tmp/tree"
    mkdir -p "$dir"
    cp "$2" "$dir/cells.v"
    cp "$tmp/$1.v" "$dir/netlist.v"
    jq -r --arg block "$block" --arg slots "$(cat "$tmp/$1.slots")" -f synth/netlist.jq "$tmp/area.json" >"$dir/$block.v"
    for f in cells netlist "$block"; do echo "rtl/$block/$f.v"; done >"$dir/$block.f"
}

# models: the functions of all cells in the netlists, by the library -> $tmp/models.v
models() {
    local used gate clock enable out
    IFS=, read -r gate clock enable out < <(clock_gate; echo)
    used=$(jq -rs --arg gate "$gate" 'map(.modules as $m | $m[] | select(.attributes.blackbox == null) | .cells[].type | select($m[.].attributes.blackbox != null)) | unique - [$gate] | .[]' \
        $(printf "$tmp/%s.json " $kinds))
    run_yosys models <<-END
		read_liberty -ignore_miss_func $lib
		select $(echo $used)
		write_verilog -noattr -selected $tmp/models.v
	END
    [ -z "$gate" ] || echo "module $gate(input $clock, input $enable, output $out);
    reg open;
    always @($clock or $enable) if (!$clock) open = $enable;
    assign $out = $clock & open;
endmodule" >>"$tmp/models.v"
}

# is_made: the same netlists, or more, are there, as they were written
is_made() {
    local kind
    [ -r "$to/made" ] && [ "$(head -1 "$to/made")" = "$made" ] || return 1
    for kind in $kinds; do [ -d "$to/$kind" ] || return 1; done
    (cd "$to" && sed 1d made | sha256sum --check --status)
}

vendor=${LIBERTY%.lib}.v
made=$(key "$@" "${PERIOD_PS:-}" "$storage" "$versions" "${recipes[@]}" \
    "$(declare -f clock_gate to_gates shape_name shape sources parts_of cut_of map map_for_speed critical_path fastest time_paths slowest awake)" -- \
    $(rtl_of "$block") $lib "$tmp/io.constr" synth/{gate.awk,timing.tcl,netlist.sh,netlist.jq} $([ ! -r "$vendor" ] || echo "$vendor"))
[ -n "$(clock_gate)" ] || kinds=${kinds/ gated/}
if is_made; then
    echo "$to"
    exit
fi
[[ $kinds != *gated* ]] || gated
area area
[[ $kinds != *speed* ]] || speed
models
awake "$tmp/models.v" >"$tmp/awake.v"
! cmp -s "$tmp/models.v" "$tmp/awake.v" || die "no flip-flop in $block"
rm -rf "$to"
mkdir -p "$to"
for kind in $kinds; do [ ! -e "$tmp/$kind.counted" ] || mv "$tmp/$kind.counted" "$to/$kind.json"; done
mv "$tmp/storage.shapes" "$to/shapes"
for kind in $kinds; do
    models=$tmp/models.v
    [ "$kind" != speed ] || models=$tmp/awake.v
    write "$kind" "$models"
    mv "$tmp/tree" "$to/$kind"
    [ -r "$vendor" ] && [ "$kind" = area ] || continue
    write "$kind" "$vendor"
    mv "$tmp/tree" "$to/$kind-vendor"
done
{
    echo "$made"
    (cd "$to" && find . -type f -exec sha256sum {} +)
} >"$tmp/made"
mv "$tmp/made" "$to/made"
echo "$to"
