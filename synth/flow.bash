# SPDX-License-Identifier: Apache-2.0
# Shared by the synthesis scripts: cell library, Yosys runs, counting, mapping of a design. Also sources storage.bash, paths.bash (critical
# path) and points.bash (measurements of a design, cached). Sourced by synth/*.sh.
# LIBERTY=file    cell library, .lib or .lib.gz     default: Debian's qflow-tech-osu018
# FAKERAM=folder  with fakeram45_<words>x<bits>.lib: area of storage as macros (for a 45 nm library)
# PERIOD_PS=n     target delay of the mapper for speed; default: minimum
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../tb/env.bash"

LIBERTY=${LIBERTY:-/usr/share/qflow/tech/osu018/osu018_stdcells.lib}
FAKERAM=${FAKERAM:-}
out=build/synth
load=5.0 # fF at each output
fast_means='fast: another netlist, mapped for speed, and its period; RAMs that are cut there do not count.'
for part in storage paths points; do . "synth/$part.bash"; done
. tb/harness/blocks.bash
. tb/progress.bash

die() {
    echo "synth: $*" >&2
    exit 1
}

show_help "$@"

# interrupted: stops the background jobs of the script without messages
interrupted() {
    trap '' INT TERM HUP
    exec 2>/dev/null
    kill $(jobs -p) 2>/dev/null
    wait
    exit 130
}

# designs TAG: the points of a report, one line SHOWN VALUE BLOCK PARAM=VALUE... each. static_mshr comes first, as dl_mshr is compared with it.
designs() {
    points "$1" static_mshr $(blocks | grep -vx static_mshr) | awk '{ block = $1; $1 = $2; $2 = $3; $3 = block; print }'
}

# start REPORT OPTIONS QUICK [ARGUMENT]: sets $run to the report that ARGUMENT selects, and prepares the library. --list prints the points of all three.
start() {
    [ $# -le 4 ] || die "unknown argument $5"
    if [ "${4:-}" = --list ]; then
        for run in $(printf '%s\n' "${@:1:3}" | sort -u); do designs "$run" | sed "s/^/$run /"; done
        exit
    fi
    case ${4:-} in
    '') run=$1 ;;
    --quick) run=$3 ;;
    *)
        run=$2
        [[ $4 == --options && $2 != "$1" ]] || die "unknown argument $4 (only $([ "$2" = "$1" ] || echo '--options, ')--quick)"
        ;;
    esac
    [[ ${PERIOD_PS:-1} =~ ^[1-9][0-9]*$ ]] || die "PERIOD_PS must be a positive integer (ps): $PERIOD_PS"
    for tool in yosys sta jq; do command -v $tool >/dev/null || die "$tool is not installed"; done
    [ -f "$LIBERTY" ] && [ -r "$LIBERTY" ] || die "no cell library $LIBERTY (set LIBERTY, or install qflow-tech-osu018)"
    [ -z "$FAKERAM" ] || ls "$FAKERAM"/fakeram45_*.lib >/dev/null 2>&1 || die "no fakeram45_*.lib in $FAKERAM"

    mkdir -p "$out"
    tmp=$(mktemp -d "$out/tmp.XXXXXX")
    trap 'rm -rf "$tmp"' EXIT
    trap 'echo "synth: interrupted" >&2; interrupted' INT TERM HUP
    lib=$tmp/cells.lib
    case $LIBERTY in
    *.gz) gunzip -c "$LIBERTY" >"$lib" || die "cannot unpack $LIBERTY" ;;
    *) cp "$LIBERTY" "$lib" ;;
    esac
    # Without its default wire load, OpenSTA times a netlist without wires; timing.tcl sets that wire load for a second analysis.
    wires=$(sed -n 's/^[ \t]*default_wire_load[ \t]*:[ \t]*"\?\([^"; ]*\).*/\1/p' "$lib" | head -1)
    grep -q "^[ \t]*wire_load *( *\"\?$wires\"\? *)" "$lib" || wires=
    sed -i '/default_wire_load/d' "$lib"
    lib_name=$(sed -n 's/^ *library *( *\([A-Za-z0-9_]*\).*/\1/p' "$lib" | head -1)
    [ -n "$lib_name" ] || die "$LIBERTY is no Liberty file"
    mkdir "$tmp/rtl"
    slice_file "$tmp/rtl/mt_ram_slice.v"
    awk '/^[ \t]*cell *\(/ { gsub(/.*\( *"?|"? *\).*/, ""); cell = $0; print "cell", cell } /^[ \t]*ff *\(/ { print "flop", cell }' "$lib" >"$tmp/cells"
    driver=$(grep -m1 -oE '\((BUF_X1|BUFX2)\)' "$lib" | tr -d '()') || die "$LIBERTY has no BUF_X1 or BUFX2 to drive the inputs"
    printf 'set_driving_cell %s\nset_load %s\n' "$driver" $load >"$tmp/io.constr"
    versions=$(yosys -V; sta -version)
    rm -f "$out/$run".* # a failed run leaves no old report
    progress_begin "synth/${0##*/}" "$(designs "$run" 2>/dev/null | grep -c .)" "$tmp/progress"
}

# check_parameters BLOCK PARAM=VALUE...: checks that the block exists and has each parameter, given once
check_parameters() {
    local block=$1 p name seen=' '
    shift
    [ -e "rtl/$block/$block.f" ] || die "no block '$block'"
    for p in "$@"; do
        name=${p%%=*}
        [[ $p =~ ^[A-Z_0-9]+=[0-9]+$ ]] || die "'$p' is not PARAM=NUMBER"
        grep -q "^ *parameter $name =" "rtl/$block/$block.v" || die "$block has no parameter '$name'"
        [[ $seen != *" $name "* ]] || die "$name is given twice"
        seen+="$name "
    done
    check_values "$block" "$@"
}

# check_values BLOCK PARAM=VALUE...: ends the script with the program's line if it refuses the values
check_values() {
    local program=${MEMTWIN:-build/memtwin} line
    if [ ! -x "$program" ] || ! grep -q "^BLOCK($1)" cmodel/blocks.def; then return; fi
    line=$("$program" cosim "$1" $(printf -- ' -p %s' "${@:2}" | sed 's/^ -p $//') --model-only --cycles 1 2>&1 >/dev/null) && return
    line=${line#memtwin cosim: }
    die "${line#-p }"
}

# table JQ JSON: prints the rows of a report in columns
table() {
    jq -r -L synth -f "synth/$1" "$2" | column -t -s "$(printf '\t')"
}

# finish: prints and stores the output under the report's name
finish() {
    progress_end
    [[ -z $FAKERAM || $lib_name != osu018* ]] || echo "synth: warning: sums of 45 nm macros (FAKERAM) and 180 nm cells ($lib_name) are meaningless" >&2
    mv "$tmp/$run.json" "$tmp/$run.txt" "$out/"
    cat "$out/$run.txt"
}

# run_yosys NAME: script on stdin, log in $tmp/NAME.log
run_yosys() {
    tool yosys -q -l "$tmp/$1.log" -s /dev/stdin >/dev/null 2>"$tmp/$1.err" ||
        die "yosys failed at $1: $(grep -h ERROR "$tmp/$1.log" "$tmp/$1.err" | head -1)"
}

# instances LOG: each module of a yosys stat, and how often it is in the design
instances() {
    awk '
        /^=== / { tree = /design hierarchy/; if (!tree) n[$2] = 1 }
        tree && NF == 2 && $1 in n { total[$1] += $2 }
        END { for (name in n) print name, tree ? total[name] : 1 }' "$1"
}

# count LOG: {module: {n, area, cells, flops}} of a yosys stat: all n instances, whatever their parameters, together
count() {
    instances "$1" >"$1.n"
    awk '
        FILENAME ~ /cells$/ { is[$1, $2]; next }
        FILENAME ~ /\.n$/ { n[$1] = $2; next }
        /^=== / { # $paramod\name\W=.. or $paramod$hash\name
            full = name = $2; sub(/^\$paramod[^\\]*\\/, "", name); sub(/\\.*/, "", name)
            if (full in n) times[name] += n[full]
        }
        ("cell", $1) in is { cells[name] += n[full] * $2; if (("flop", $1) in is) flops[name] += n[full] * $2 }
        /Chip area for/ { area[name] += n[full] * $NF }
        END {
            for (name in times) {
                printf "%s\"%s\":{\"n\":%d,\"area\":%.6f,\"cells\":%d,\"flops\":%d}", sep ? "," : "{", name, times[name], area[name], cells[name], flops[name]
                sep = 1
            }
            print "}"
        }' "$tmp/cells" "$1.n" "$1"
}

# clock_gate: prints the smallest clock gate of the library: name, and pins for clock, enable and gated clock; nothing if there is none
clock_gate() {
    awk '
        /^[ \t]*cell *\(/ { gsub(/.*\( *"?|"? *\).*/, ""); cell = $0; area = "" }
        /^[ \t]*area[ \t]*:/ && area == "" { gsub(/[^0-9.]/, "", $NF); area = $NF }
        /clock_gating_integrated_cell/ && /latch_posedge"? *;/ { gates[cell] }
        /^[ \t]*pin *\(/ { gsub(/.*\( *"?|"? *\).*/, ""); pin = $0 }
        match($0, /clock_gate_(clock|enable|out)_pin[ \t]*:[ \t]*"?true/) { split($0, word, /gate_|_pin/); at[cell, word[2]] = pin; of[cell] = area }
        END {
            for (gate in gates) if ((gate, "out") in at && (best == "" || of[gate] < of[best])) best = gate
            if (best != "") print best "," at[best, "clock"] "," at[best, "enable"] "," at[best, "out"]
        }' "$lib"
}

# gated=1: flip-flops with a common enable get a clock gate instead of multiplexers (synth/gate.awk). Used for area only.
gated=0

# to_gates: Yosys commands from memories and words to generic cells, without the mapping to the library
to_gates() {
    echo 'synth -run fine:check'
    [ $gated = 0 ] || echo "write_rtlil $tmp/plain.il
        exec -expect-return 0 -- awk -v gate=$(clock_gate) -f synth/gate.awk $tmp/plain.il $tmp/plain.il >$tmp/gated.il
        design -reset
        read_rtlil $tmp/gated.il"
}

# ---- one design
# 1: the design is the block's observer; its st_ ports are for verification and not counted
observe=0

# sources BLOCK CUT PARAM=VALUE...: start of a Yosys script that reads the block, or with observe=1 its observer. CUT: cut (storage is black boxes) or whole (storage is flip-flops).
sources() {
    local block=$1 cut=$2 boxes files top=$1 chparam='' p
    shift 2
    [ "$observe" = 0 ] || top=$(observed "$block")
    for p in "$@"; do chparam+=" -set ${p%%=*} ${p#*=}"; done
    files=$(measured_files "$block" | tr '\n' ' ')
    boxes=$(measured_files "$block" | grep -E "$storage" | tr '\n' ' ') || true # a block without storage
    if [ "$cut" = cut ] && [ -n "$boxes" ]; then
        files=$(measured_files "$block" | grep -vE "$storage" | tr '\n' ' ')
    fi
    [ "$observe" = 0 ] || files+=$(observer "$block")
    echo "read_verilog -I. $(printf -- '-I%s ' rtl/*/) $files
        $([ "$cut" != cut ] || [ -z "$boxes" ] || echo "read_verilog -lib $boxes")
        ${chparam:+chparam $chparam $top}
        hierarchy -check -top $top
        proc"
}

# parts_of BLOCK: submodules with an area of their own in reports
parts_of() {
    [ -e "rtl/$1/block.points" ] || die "no block $1"
    facts parts "$1"
}

# cut_of BLOCK: prints cut or whole, for timing
cut_of() {
    facts storage "$1"
}

# map NAME PARTS BLOCK PARAM=VALUE...: area without storage -> $tmp/NAME.count, by the submodules PARTS and the rest, counted in
# $tmp/NAME.il; storage -> $tmp/NAME.stored: [{name, cell, n, area, cells, flops, bits, macro}], one item for n instances whose names
# differ only in their indices
map() {
    local name=$1 parts=$2 block=$3 n at cell w d more
    shift 3
    run_yosys "$name" <<-END
		$(sources "$block" cut "$@")
		${parts:+setattr -mod -set keep_hierarchy 1 $(printf '*%s* ' $parts)}
		flatten
		$(to_gates)
		dfflibmap -liberty $lib
		abc -liberty $lib
		opt_clean -purge
		stat -liberty $lib
		write_rtlil $tmp/$name.il
		dump -m -o $tmp/$name.boxes t:${storage//|/ t:}
	END
    count "$tmp/$name.log" >"$tmp/$name.count"
    awk '
        NR == FNR { instances[$1] = $2; next }
        $1 == "module" { name = $2; sub(/^\\/, "", name); times = instances[name] }
        NF > 1 { what = $(NF - 1); sub(/\\/, "", what) }
        $1 == "cell" { cell = what; name = substr($NF, 2); more = "" }
        $1 == "parameter" { value[what] = $NF } # "signed" may precede it
        $1 == "parameter" && what !~ /^(WIDTH|DEPTH)$/ { more = more " " what "=" $NF }
        $1 == "end" && cell {
            gsub(/\[[0-9]+\]/, "", name)
            n[name "\t" cell "\t" value["WIDTH"] "\t" value["DEPTH"] "\t" substr(more, 2)] += times
            cell = ""
        }
        END { for (at in n) print n[at] "\t" at }' "$tmp/$name.log.n" "$tmp/$name.boxes" | sort >"$tmp/$name.shapes"
    : >"$tmp/$name.rows"
    while IFS=$'\t' read -r n at cell w d more; do
        shape "$cell" "$w" "$d" $more
        jq -c --arg name "$at" --arg cell "$cell" --argjson n "$n" '. + {name: $name, cell: $cell, n: $n}' "$tmp/$(shape_name "$cell" "$w" "$d" $more).json" >>"$tmp/$name.rows"
    done <"$tmp/$name.shapes"
    jq -s . "$tmp/$name.rows" >"$tmp/$name.stored"
}
