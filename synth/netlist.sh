#!/bin/bash
# The netlists that the reports of area and of time count, as Verilog that the twin harness runs. docs/results/gate_level.md says how.
#   synth/netlist.sh [--area] BLOCK [PARAM=VALUE]...
# writes to build/netlists/LIBRARY/BLOCK-PARAM.../
#   area/    the netlist of the area, in modules as it is counted, and of each shape of storage the one that is counted
#   speed/   the flat netlist of the critical path, and that storage where it is cut; not with --area
# Each is a folder like rtl/: MEMTWIN_RTL names it. In it are BLOCK/netlist.v, the cells' functions (cells.v), a module BLOCK around both with the
# parameters and ports of the RTL (BLOCK.v), and BLOCK.f. Beside them area.json: cells, flip-flops and um2 of area/, and shapes:
# name, module and parameters of each shape of storage. OBSERVE=1 as a parameter: with the st_ ports, which are not counted.
# The cells' functions are those of the library. For osu018 there is area-vendor/ and speed-vendor/ too, with the Verilog that comes with it.
# LIBERTY and PERIOD_PS: see synth/flow.bash
. "$(dirname "$0")/flow.bash"
usage='synth/netlist.sh [--area] BLOCK [PARAM=VALUE]...'
kinds='area speed'
case ${1:-} in
--area)
    kinds=area
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

# area: the netlist as map counts it; in the place of black boxes the storage that shape counts
area() {
    local cell w d more s p
    map point "$parts" "$block" "${parameters[@]}"
    cut -f 3- "$tmp/point.shapes" | sort -u | while IFS=$'\t' read -r cell w d more; do
        echo "$(shape_name "$cell" "$w" "$d" $more) $cell $w $d $more"
    done >"$tmp/storage.shapes"
    run_yosys area <<-END
		read_rtlil $tmp/point.il
		$(part_names)
		$(while read -r s cell w d more; do
        echo "read_rtlil $tmp/$s.il"
        echo "chtype -set $s t:$cell r:WIDTH=$w %i r:DEPTH=$d %i $(for p in $more; do printf 'r:%s %%i ' "$p"; done)"
        echo "setparam -unset WIDTH -unset DEPTH $(for p in $more; do printf '%s ' "-unset ${p%%=*}"; done) t:$s"
    done <"$tmp/storage.shapes")
		$(verilog area)
		stat -liberty $lib
	END
    ! grep -q 'Resizing' "$tmp/area.log" || die "storage of another width in $block: $(grep -m1 Resizing "$tmp/area.log")"
    : >"$tmp/area.slots"
    same_area
}

# same_area: the netlist that is written has the area that a report counts -> $tmp/counted.json
same_area() {
    local written
    jq -n -L synth --slurpfile modules "$tmp/point.count" --slurpfile stored "$tmp/point.stored" 'include "common";
        def all(f): ($modules[0] | total(f)) + ($stored[0] | total(.n * f));
        {um2: all(.area), cells: all(.cells), flops: all(.flops)}' >"$tmp/counted.json"
    written=$(awk '/Chip area for/ { area = $NF } END { print area }' "$tmp/area.log")
    jq -e --argjson written "$written" '.um2 - $written | fabs < 0.01' "$tmp/counted.json" >/dev/null ||
        die "the netlist of $block has $written um2, and $(jq .um2 "$tmp/counted.json") are counted"
}

# speed: the netlist as critical_path writes it; what was cut, its shape, and its place in the RTL in $tmp/speed.slots
speed() {
    local name w d
    critical_path point "$(cut_of "$block")" "$block" "${parameters[@]}"
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
    local used
    used=$(jq -rs 'map(.modules as $m | $m[] | select(.attributes.blackbox == null) | .cells[].type | select($m[.].attributes.blackbox != null)) | unique[]' \
        $(printf "$tmp/%s.json " $kinds))
    run_yosys models <<-END
		read_liberty -ignore_miss_func $lib
		select $(echo $used)
		write_verilog -noattr -selected $tmp/models.v
	END
}

vendor=${LIBERTY%.lib}.v
area
[ "$kinds" = area ] || speed
models
rm -rf "$to"
mkdir -p "$to"
mv "$tmp/counted.json" "$to/area.json"
mv "$tmp/storage.shapes" "$to/shapes"
for kind in $kinds; do
    write "$kind" "$tmp/models.v"
    mv "$tmp/tree" "$to/$kind"
    [ -r "$vendor" ] || continue
    write "$kind" "$vendor"
    mv "$tmp/tree" "$to/$kind-vendor"
done
echo "$to"
