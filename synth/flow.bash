# SPDX-License-Identifier: Apache-2.0
# What the synthesis scripts share: the cell library, Yosys runs, counting, the map of a design; beside it storage.bash, paths.bash (the critical
# path) and points.bash (what is measured of a design, and kept). Sourced by synth/*.sh.
# LIBERTY=file    cell library, .lib or .lib.gz     default: Debian's qflow-tech-osu018
# FAKERAM=folder  fakeram45_<words>x<bits>.lib: prices storage as macros (for a 45 nm library)
# PERIOD_PS=n     delay that the mapper for speed aims at; default: as short as it can
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../tb/env.bash"

LIBERTY=${LIBERTY:-/usr/share/qflow/tech/osu018/osu018_stdcells.lib}
FAKERAM=${FAKERAM:-}
out=build/synth
load=5.0 # fF at each output
for part in storage paths points; do . "synth/$part.bash"; done
. tb/harness/blocks.bash
. tb/progress.bash

die() {
    echo "synth: $*" >&2
    exit 1
}

# What a script says of itself at its head.
if [[ " $* " == *' --help '* ]]; then
    awk 'NR > 2 && !/^#/ { exit } NR > 2 { sub(/^# ?/, ""); print }' "synth/${0##*/}"
    exit
fi

# interrupted: what runs beside the script ends as well, and says nothing of it
interrupted() {
    trap '' INT TERM HUP
    exec 2>/dev/null
    kill $(jobs -p) 2>/dev/null
    wait
    exit 130
}

# designs TAG: the points that a report has: SHOWN VALUE BLOCK PARAM=VALUE... a line. static_mshr comes first: dl_mshr is compared to it.
designs() {
    points "$1" static_mshr $(blocks | grep -vx static_mshr) | awk '{ block = $1; $1 = $2; $2 = $3; $3 = block; print }'
}

# start REPORT OPTIONS QUICK [ARGUMENT]: $run is which of the three reports the argument asks for; the library is made ready. --list: the points of the three.
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
    [[ ${PERIOD_PS:-1} =~ ^[1-9][0-9]*$ ]] || die "PERIOD_PS is no number of ps: $PERIOD_PS"
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
    sed -i '/default_wire_load/d' "$lib" # OpenSTA would apply it unasked
    lib_name=$(sed -n 's/^ *library *( *\([A-Za-z0-9_]*\).*/\1/p' "$lib" | head -1)
    [ -n "$lib_name" ] || die "$LIBERTY is no Liberty file"
    awk '/^[ \t]*cell *\(/ { gsub(/.*\( *"?|"? *\).*/, ""); cell = $0; print "cell", cell } /^[ \t]*ff *\(/ { print "flop", cell }' "$lib" >"$tmp/cells"
    driver=$(grep -m1 -oE '\((BUF_X1|BUFX2)\)' "$lib" | tr -d '()') || die "$LIBERTY has no BUF_X1 or BUFX2 to drive the inputs"
    printf 'set_driving_cell %s\nset_load %s\n' "$driver" $load >"$tmp/io.constr"
    versions=$(yosys -V; sta -version)
    rm -f "$out/$run".* # a run that fails leaves no old report
    progress_begin "synth/${0##*/}" "$(designs "$run" 2>/dev/null | grep -c .)" "$tmp/progress"
}

# check_parameters BLOCK PARAM=VALUE...: the block is there, and has each of them, once
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
}

# table JQ JSON: rows of a report in columns
table() {
    jq -r -L synth -f "synth/$1" "$2" | column -t -s "$(printf '\t')"
}

# finish: what was made under the report's name is shown and kept
finish() {
    progress_end
    [[ -z $FAKERAM || $lib_name != osu018* ]] || echo "synth: macros of 45 nm (FAKERAM) beside cells of 180 nm ($lib_name): what is summed of both means nothing" >&2
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

# clock_gate: the smallest clock gate of the library: its name, and its pins for clock, enable and gated clock; nothing if there is none
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

# With gated=1 flip-flops that share an enable get clock gates instead of multiplexers (synth/gate.awk): for the area alone.
gated=0

# to_gates: Yosys commands: from memories and words to cells, except the mapping to the library
to_gates() {
    echo 'synth -run fine:check'
    [ $gated = 0 ] || echo "write_rtlil $tmp/plain.il
        exec -expect-return 0 -- awk -v gate=$(clock_gate) -f synth/gate.awk $tmp/plain.il $tmp/plain.il >$tmp/gated.il
        design -reset
        read_rtlil $tmp/gated.il"
}

# ---- one design
# The st_ ports are for verification, and not counted.
observe=0

# sources BLOCK CUT PARAM=VALUE...: start of a Yosys script. CUT: cut, storage is black boxes; whole, it is flip-flops.
sources() {
    local block=$1 cut=$2 boxes files chparam=''
    shift 2
    for p in "$@"; do chparam+=" -set ${p%%=*} ${p#*=}"; done
    files=$(tr '\n' ' ' <"rtl/$block/$block.f")
    boxes=$(grep -E "$storage" "rtl/$block/$block.f" | tr '\n' ' ') || true # a block without storage
    if [ "$cut" = cut ] && [ -n "$boxes" ]; then
        files=$(grep -vE "$storage" "rtl/$block/$block.f" | tr '\n' ' ')
    fi
    echo "read_verilog $(printf -- '-I%s ' rtl/*/) $files
        $([ "$cut" != cut ] || [ -z "$boxes" ] || echo "read_verilog -lib $boxes")
        chparam $chparam -set OBSERVE $observe $block
        hierarchy -check -top $block
        proc"
}

# parts_of BLOCK: submodules whose area is told apart
parts_of() {
    [ -e "rtl/$1/block.points" ] || die "no block $1"
    facts parts "$1"
}

# cut_of BLOCK: whether storage is cut or whole where paths are timed
cut_of() {
    facts storage "$1"
}

# map NAME PARTS BLOCK PARAM=VALUE...: area without storage -> $tmp/NAME.count, by the submodules PARTS and the rest, counted in $tmp/NAME.il;
# and what storage there is -> $tmp/NAME.stored: [{name, n, area, cells, flops, bits, macro}], one for n that differ only in the indices of their names
map() {
    local name=$1 parts=$2 block=$3 n at cell w d more
    shift 3
    run_yosys "$name" <<-END
		$(sources "$block" cut "$@")
		setattr -mod -set keep_hierarchy 1 $(printf '*%s* ' $parts)
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
        $1 == "parameter" { value[what] = $NF } # "signed" may stand between
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
        jq -c --arg name "$at" --argjson n "$n" '. + {name: $name, n: $n}' "$tmp/$(shape_name "$cell" "$w" "$d" $more).json" >>"$tmp/$name.rows"
    done <"$tmp/$name.shapes"
    jq -s . "$tmp/$name.rows" >"$tmp/$name.stored"
}
