#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Writes the netlists that the area and timing reports count, as Verilog that the twin harness can run. docs/results/silicon.md describes the method.
#   synth/netlist.sh [--area | --gated | --observed] BLOCK [PARAM=VALUE]...
# writes to build/netlists/LIBRARY/BLOCK-PARAM.../
#   area/    the netlist of the area report, with its modules, and the counted netlist of each storage shape
#   gated/   the same with clock gates, if the library has one; not with --area
#   speed/   the flat netlist of the critical path, and the storage that is cut there; not with --area, --gated
# or, with --observed, to build/netlists/LIBRARY/BLOCK-PARAM...-observed/
#   area/    the netlist of the block's observer, with the st_ ports, which are not counted
# Each folder has the layout of rtl/; MEMTWIN_RTL names it. It has BLOCK/netlist.v, cell models (cells.v), a module BLOCK with the
# parameters and ports of the RTL around both (BLOCK.v, or BLOCK_observe.v), and BLOCK.f. Next to the folders, area.json and gated.json have cells, flip-flops
# and um2 of area/ and gated/; shapes has name, count, module and parameters of each storage shape.
# Cell models come from the library; a clock gate, whose function the library omits, is a latch and an AND. For osu018, area-vendor/ uses
# the vendor's Verilog models. The flip-flops of speed/ start at random values: its mapper creates gates that keep an x through reset.
# Existing netlists of the same RTL and scripts are kept.
# LIBERTY and PERIOD_PS: see synth/flow.bash
. "$(dirname "$0")/flow.bash"
. synth/gates.bash
usage='synth/netlist.sh [--area | --gated | --observed] BLOCK [PARAM=VALUE]...'
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
--observed)
    kinds=area observe=1
    shift
    ;;
-*) die "unknown argument $1: $usage" ;;
esac
[ $# -gt 0 ] || die "no block: $usage"
start netlist netlist netlist
block=$1
parts=$(parts_of "$block")
top=$block
if [ $observe = 1 ]; then
    top=$(observed "$block")
    [ "$top" = "$block" ] || parts='' # the observer reads wires of all modules
fi
point=$(printf -- '-%s' "$@" | tr -d =)
to=build/netlists/$lib_name/${point#-}$([ $observe = 0 ] || echo -observed)
parameters=()
for p in "${@:2}"; do
    case $p in
    *=*) parameters+=("$p") ;;
    *) die "'$p' is not PARAM=VALUE" ;;
    esac
done

# bitwise: copies a netlist, with an assignment to a concatenation as one for each bit, which OpenSTA can read
bitwise() {
    awk '
        # puts the bits of a concatenation into `bit`, from the highest; returns their number
        function bits(text, bit,    part, n, i, k, name, range, count) {
            gsub(/[{} ;]/, "", text)
            n = split(text, part, ",")
            for (i = 1; i <= n; i++) {
                if (match(part[i], /\[[0-9]+:[0-9]+\]$/)) {
                    name = substr(part[i], 1, RSTART - 1)
                    split(substr(part[i], RSTART + 1, RLENGTH - 2), range, ":")
                    for (k = range[1]; k >= range[2]; k--) bit[++count] = name "[" k "]"
                } else bit[++count] = part[i]
            }
            return count
        }
        /^  assign \{[^\\]*\} = \{[^\\]*\};$/ {
            split($0, side, " = ")
            sub(/assign/, "", side[1])
            if ((n = bits(side[1], to)) == bits(side[2], from)) {
                for (i = 1; i <= n; i++) print "  assign " to[i] " = " from[i] ";"
                next
            }
        }
        { print }'
}

# verilog KIND: end of a Yosys script: checks, writes the netlist as Verilog, which OpenSTA reads only without concatenations that are assigned
# to, and its ports as JSON
verilog() {
    echo "read_liberty -lib -ignore_miss_func $lib
        hierarchy -check -top ${top}_netlist
        splitnets
        opt_clean -purge
        check -mapped -assert
        write_json $tmp/$1.json
        write_verilog -noattr -noexpr -nohex -nodec -simple-lhs $tmp/$1.v"
}

# part_names: Yosys commands that give the modules of the area netlist their RTL names, numbered if parameters create several
part_names() {
    awk -v block="$top" '{
        name = $1; sub(/^\$paramod[^\\]*\\/, "", name); sub(/\\.*/, "", name)
        if (name == block) name = block "_netlist"
        if (n[name]++) name = name "_" n[name]
        if (name == $1) next
        print "rename", $1, name
        gsub(/\\/, "?", $1) # a backslash would quote
        print "chtype -set", name, "t:" $1
    }' "$tmp/point.log.n"
}

# area KIND: the netlist as counted by map; black boxes are replaced by the storage that shape counts. KIND is area, or gated with gated=1
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
    rm -f "$tmp"/mt_* # the storage shapes are mapped again, without clock gates
}

# same_area KIND: checks that the written netlist has the area that a report counts -> $tmp/KIND.counted
same_area() {
    local written
    jq -n -L synth --slurpfile modules "$tmp/point.count" --slurpfile stored "$tmp/point.stored" 'include "common";
        def all(f): ($modules[0] | total(f)) + ($stored[0] | total(.n * f));
        {um2: all(.area), cells: all(.cells), flops: all(.flops)}' >"$tmp/$1.counted"
    written=$(awk '/Chip area for/ { area = $NF } END { print area }' "$tmp/$1.log")
    jq -e --argjson written "$written" '.um2 - $written | fabs < 0.01' "$tmp/$1.counted" >/dev/null ||
        die "the netlist of $block has $written um2, and $(jq .um2 "$tmp/$1.counted") are counted"
}

# speed: the netlist written by critical_path; cut storage, its shape and its place in the RTL in $tmp/speed.slots
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
			write_verilog -noattr -noexpr -nohex -nodec -simple-lhs $tmp/slice.v
		END
        cat "$tmp/slice.v" >>"$tmp/speed.v"
    done
}

# write KIND MODELS: writes the folder of a netlist, with the cells of the file MODELS -> $tmp/tree
write() {
    local dir=$tmp/tree/$block f
    rm -rf "$tmp/tree"
    mkdir -p "$dir"
    cp "$2" "$dir/cells.v"
    bitwise <"$tmp/$1.v" >"$dir/netlist.v"
    jq -r --arg block "$top" --arg slots "$(cat "$tmp/$1.slots")" -f synth/netlist.jq "$tmp/area.json" >"$dir/$top.v"
    for f in cells netlist $([ "$top" != "$block" ] || echo "$block"); do echo "rtl/$block/$f.v"; done >"$dir/$block.f"
}

# models: models of all cells in the netlists, from the library -> $tmp/models.v
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

# is_made: checks that the requested netlists exist and are current
is_made() {
    local kind
    [ -r "$to/made" ] && [ "$(head -1 "$to/made")" = "$made" ] || return 1
    for kind in $kinds; do [ -d "$to/$kind" ] || return 1; done
    (cd "$to" && sed 1d made | sha256sum --check --status)
}

vendor=${LIBERTY%.lib}.v
made=$(key "$@" $observe "${PERIOD_PS:-}" "$storage" "$versions" "${recipes[@]}" \
    "$(declare -f clock_gate to_gates shape_name shape slice_file measured_files storage_file sources parts_of cut_of map map_for_speed critical_path fastest time_paths slowest awake)" -- \
    $(rtl_of "$block") $([ $observe = 0 ] || observer "$block") $lib "$tmp/io.constr" synth/{gate.awk,timing.tcl,netlist.sh,netlist.jq} $([ ! -r "$vendor" ] || echo "$vendor"))
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
