# What the synthesis scripts share: the cell library, Yosys runs, counting, storage, the critical path. Sourced by synth/*.sh.
# LIBERTY=file    cell library, .lib or .lib.gz     default: Debian's qflow-tech-osu018
# FAKERAM=folder  fakeram45_<words>x<bits>.lib: prices storage as macros (for a 45 nm library)
# PERIOD_PS=n     delay that the mapper for speed aims at; default: as short as it can
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

LIBERTY=${LIBERTY:-/usr/share/qflow/tech/osu018/osu018_stdcells.lib}
FAKERAM=${FAKERAM:-}
out=build/synth

die() {
    echo "synth: $*" >&2
    exit 1
}

# start REPORT OPTIONS QUICK [ARGUMENT]: $run is which of the three reports the argument asks for; the library is made ready.
start() {
    case ${4:-} in
    '') run=$1 ;;
    --options) run=$2 ;;
    --quick) run=$3 ;;
    *) die "unknown argument $4 (only --options, --quick)" ;;
    esac
    mkdir -p "$out"
    tmp=$(mktemp -d "$out/tmp.XXXXXX")
    trap 'rm -rf "$tmp"' EXIT
    rm -f "$out/$run".* # a run that fails leaves no old report
    for tool in yosys sta jq; do command -v $tool >/dev/null || die "$tool is not installed"; done
    [ -r "$LIBERTY" ] || die "no cell library $LIBERTY (set LIBERTY, or install qflow-tech-osu018)"
    [ -z "$FAKERAM" ] || ls "$FAKERAM"/fakeram45_*.lib >/dev/null 2>&1 || die "no fakeram45_*.lib in $FAKERAM"

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
    printf 'set_driving_cell %s\nset_load 5.0\n' "$driver" >"$tmp/io.constr"
}

# table JQ JSON: rows of a report in columns
table() {
    jq -r -L synth -f "synth/$1" "$2" | column -t -s "$(printf '\t')"
}

# finish: what was made under the report's name is shown and kept
finish() {
    mv "$tmp/$run.json" "$tmp/$run.txt" "$out/"
    cat "$out/$run.txt"
}

# run_yosys NAME: script on stdin, log in $tmp/NAME.log
run_yosys() {
    yosys -q -l "$tmp/$1.log" -s /dev/stdin >/dev/null 2>"$tmp/$1.err" ||
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

# to_gates: Yosys commands: from memories and words to cells, but for the mapping to the library
to_gates() {
    echo 'synth -run fine:check'
    [ $gated = 0 ] || echo "write_rtlil $tmp/plain.il
        exec -expect-return 0 -- awk -v gate=$(clock_gate) -f synth/gate.awk $tmp/plain.il $tmp/plain.il >$tmp/gated.il
        design -reset
        read_rtlil $tmp/gated.il"
}

# enables FILE...: those source files, with gated=1 the comparators' addresses with an enable each, which their RTL writes as AND and OR: that is
# as large, and faster to simulate
enables() {
    local f
    for f in "$@"; do
        if [ $gated = 1 ] && [ "${f##*/}" = mshr_cam.v ]; then
            sed -e 's/^endmodule/    integer e;\n&/' -e 's/tag\[c\*N+:N\] <= (tag\[c\*N+:N\] & ~store) | (store & {N{addr\[c\]}});/for (e = 0; e < N; e = e + 1) if (store[e]) tag[c*N+e] <= addr[c];/' \
                "$f" >"$tmp/mshr_cam.v"
            grep -q 'if (store\[e\])' "$tmp/mshr_cam.v" || die "the addresses of $f are not written as synth/flow.bash expects"
            f=$tmp/mshr_cam.v
        fi
        echo "$f"
    done
}

# ---- storage: modules of rtl/lib that a macro could replace. Each shape is mapped once, and counted as often as it is used.
storage='mt_ram_slice|mt_regfile_1rw|mt_regfile_1r1w|mt_regfile_sel_[12]r1w'

# address_bits WORDS: at least 1
address_bits() {
    local bits=1
    while [ $((1 << bits)) -lt "$1" ]; do bits=$((bits + 1)); done
    echo $bits
}

# shape_name MODULE WIDTH DEPTH [PARAM=VALUE]...: MODULE_WxD, with the other parameters where they do not follow from these
shape_name() {
    local s=$1_$2x$3 p
    for p in "${@:4}"; do [ "$p" = "ADDR_W=$(address_bits "$3")" ] || s+=_${p/=/}; done
    echo "$s"
}

# shape MODULE WIDTH DEPTH [PARAM=VALUE]... -> $tmp/SHAPE.json, and the module that was counted, under that name: SHAPE.il
shape() {
    local s p more=''
    s=$(shape_name "$@")
    for p in "${@:4}"; do more+=" -set ${p%%=*} ${p#*=}"; done
    [ ! -e "$tmp/$s.json" ] || return 0
    run_yosys "$s" <<-END
		read_verilog rtl/lib/$1.v
		chparam -set WIDTH $2 -set DEPTH $3 $more $1
		hierarchy -check -top $1
		synth -top $1 -run :fine
		$(to_gates)
		dfflibmap -liberty $lib
		abc -liberty $lib
		opt_clean -purge
		stat -liberty $lib
		rename $1 $s
		write_rtlil $tmp/$s.il
	END
    count "$tmp/$s.log" >"$tmp/$s.count"
    local macro=null copies=1
    case $1 in mt_regfile_*2r1w) copies=2 ;; esac # a copy for each read port
    [ -z "$FAKERAM" ] || macro=$(macro_per_bit "$2" "$3")
    jq --arg kind "$1" --argjson w "$2" --argjson d "$3" --argjson copies $copies --argjson m "$macro" \
        '.[$kind] + {bits: ($w * $d), macro: (if $m == null then null else $w * $d * $m * $copies end)}' "$tmp/$s.count" >"$tmp/$s.json"
}

# macro_area WIDTH DEPTH: um2 of the macro of just this shape; null without FAKERAM
macro_area() {
    [ -n "$FAKERAM" ] || {
        echo null
        return
    }
    awk '/^ *area *:/ { gsub(/[^0-9.]/, "", $NF); print $NF; exit }' "$FAKERAM/fakeram45_$2x$1.lib"
}

# need_macros WORDSxBITS...: what macro_area will be asked for
need_macros() {
    for f in "$@"; do [ -z "$FAKERAM" ] || [ -r "$FAKERAM/fakeram45_$f.lib" ] || die "no fakeram45_$f.lib in $FAKERAM"; done
}

# nearest_macro WIDTH DEPTH: of the macro nearest in words and bits, um2 a bit and its file
nearest_macro() {
    for f in "$FAKERAM"/fakeram45_*.lib; do
        awk -v w="$1" -v d="$2" -v f="${f##*/fakeram45_}" '
            function far(a, b) { return a > b ? log(a / b) : log(b / a) }
            /^ *area *:/ { split(f, g, /[x.]/); gsub(/[^0-9.]/, "", $NF); print far(w, g[2]) + far(d, g[1]), $NF / (g[1] * g[2]), FILENAME; exit }' "$f"
    done | sort -g | awk 'NR == 1 { print $2, $3 }'
}

# macro_per_bit WIDTH DEPTH: um2 a bit of that macro
macro_per_bit() {
    nearest_macro "$1" "$2" | awk '{ print $1 }'
}

# macro_times WIDTH DEPTH: of that macro, ns from the clock to the word that is read, and ns that inputs come before the clock; 0 if it does not say
macro_times() {
    local file
    file=$(nearest_macro "$1" "$2")
    awk '
        /cell_rise|rise_constraint/ { of = /cell/ ? "access" : "setup" }
        /timing_type *: *hold/ { of = "" }
        of && /values/ { gsub(/[^0-9.]/, ""); if ($0 > ns[of]) ns[of] = $0; of = "" }
        END { print ns["access"] + 0, ns["setup"] + 0 }' "${file#* }"
}

# ---- the papers' points: what designs of a report have in common
L1D="ADDR_W=25 OFF_W=7 ID_W=8 DATA_W=0"
L2="ADDR_W=25 OFF_W=7 ID_W=16 DATA_W=1024"
WIDTHS="ADDR_W=21 ID_W=32"
QUEUES="QUEUES=16 DEPTH=16 BANKS=16 BANK_MASK=450 $WIDTHS"
CART="BANKS=16 BANK_MASK=450 COL_MASK=61 $WIDTHS"

# ---- one design
# The st_ ports are for verification, and not counted.
observe=0

# sources BLOCK CUT PARAM=VALUE...: start of a Yosys script. CUT: cut, storage is black boxes; whole, it is flip-flops.
sources() {
    local block=$1 cut=$2 boxes='' files chparam=''
    shift 2
    for p in "$@"; do chparam+=" -set ${p%%=*} ${p#*=}"; done
    files=$(enables $(cat "rtl/$block/$block.f") | tr '\n' ' ')
    if [ "$cut" = cut ]; then
        boxes="read_verilog -lib $(grep -E "$storage" "rtl/$block/$block.f" | tr '\n' ' ')"
        files=$(enables $(grep -vE "$storage" "rtl/$block/$block.f") | tr '\n' ' ')
    fi
    echo "read_verilog $(printf -- '-I%s ' rtl/*/) $files
        $boxes
        chparam $chparam -set OBSERVE $observe $block
        hierarchy -check -top $block
        proc"
}

# parts_of BLOCK: submodules whose area is told apart
parts_of() {
    case $1 in
    dl_mshr | static_mshr) echo dlm_sets mshr_cam mshr_fill dau mshr_drain ;;
    in_fifo | bank_queues | cart) echo cart_queues cart_drain cart_fill ;;
    bpg) echo bpg_shadow bpg_counter bpg_judge mt_set_index ;;
    hir) echo hir_ways hir_order ;;
    *) die "no block $1" ;;
    esac
}

# cut_of BLOCK: whether storage is cut or whole where paths are timed
cut_of() {
    case $1 in dl_mshr | static_mshr | hir) echo cut ;; *) echo whole ;; esac
}

# map NAME PARTS BLOCK PARAM=VALUE...: area without storage -> $tmp/NAME.count, by the submodules PARTS and the rest, counted in $tmp/NAME.il;
# and what storage there is -> $tmp/NAME.stored: [{name, n, area, cells, flops, bits, macro}], one for n that differ only in the indices of their names
map() {
    local name=$1 parts=$2 block=$3 n at cell w d more
    shift 3
    echo "synth: $name" >&2
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

# ABC's recipes for speed, of which the one with the shortest period is kept. Both flatten the AND-OR levels twice (if -g), and map for delay with
# structural choices. Outputs of flip-flops are inputs to ABC: it has to buffer them too (-p).
flat='if -g -K 6; strash; if -g -K 6; strash; dch; map; topo; buffer -p; upsize {D}; dnsize {D}'
recipes=("strash; ifraig; scorr; $flat" "strash; ifraig; scorr; dc2; strash; $flat")

# map_for_speed NAME: Yosys commands: the design by each recipe -> $tmp/NAME.RECIPE.v and .stat
map_for_speed() {
    local i script
    echo 'design -save unmapped'
    for i in "${!recipes[@]}"; do
        script=${recipes[i]//; /;}
        echo "design -load unmapped
            abc -liberty $lib -constr $tmp/io.constr -D ${PERIOD_PS:-1} -script +${script// /,}
            splitnets
            opt_clean -purge
            tee -q -o $tmp/$1.$i.stat stat -liberty $lib
            write_verilog -noattr -noexpr -nohex -nodec $tmp/$1.$i.v"
    done
}

# critical_path NAME CUT BLOCK PARAM=VALUE...: the flat design, mapped for speed -> $tmp/NAME.v; its count -> $tmp/NAME.speed. A flip-flop has the
# name of its register, and _reg. Where storage is cut, its pins are ports; $tmp/NAME.cut has what was cut.
critical_path() {
    local name=$1 cut=$2 block=$3 boxes='' i best
    shift 3
    [ "$cut" = whole ] || boxes='blackbox *mt_ram_slice*' # each shape, with ports of its width
    run_yosys "$name.fast" <<-END
		$(sources "$block" whole "$@")
		$boxes
		synth -flatten -top $block
		rename -hide t:*mt_ram_slice*
		rename -enumerate -pattern slots% t:*mt_ram_slice*
		dump -m -o $tmp/$name.cut t:*mt_ram_slice* =*mt_ram_slice*
		expose -evert t:*mt_ram_slice*
		delete -port o:*.clk
		rename -wire -suffix _reg t:\$_*FF*
		dfflibmap -liberty $lib
		$(map_for_speed "$name")
	END
    best=$(for i in "${!recipes[@]}"; do echo "$(slowest "$name.$i" "$block") $i"; done | sort -g | awk 'NR == 1 { print $2 }')
    [ -n "$best" ] || exit 1
    mv "$tmp/$name.$best.v" "$tmp/$name.v"
    count "$tmp/$name.$best.stat" >"$tmp/$name.speed"
    rm "$tmp/$name".[0-9]*
}

# time_paths NAME BLOCK [TIMES]: OpenSTA on that netlist, without wires. Paths begin and end at the pins of storage that is cut, or, with its
# TIMES (ram_times), behind them.
time_paths() {
    LIB=$lib NETLIST=$tmp/$1.v TOP=$2 RAM_TIMES=${3:-} sta -exit -no_splash synth/timing.tcl >"$tmp/$1.sta" 2>&1 || true
    ! grep -qi '^error' "$tmp/$1.sta" || die "sta failed at $1: $(grep -i -m1 '^error' "$tmp/$1.sta")"
    grep -q '^setup ' "$tmp/$1.sta" || die "sta found no path in $1"
}

# slowest NAME BLOCK [TIMES]: shortest period of that netlist in ns
slowest() {
    time_paths "$@"
    awk '$1 == "setup" { printf "%.3f\n", $2; exit }' "$tmp/$1.sta"
}

# paths NAME: what time_paths found -> JSON: {min_period_ns, start, end, stages, needs: how many endpoints need a period of so many 10 ps, hold}
paths() {
    awk '
        function quoted(s) { gsub(/\\/, "", s); return "\"" s "\"" }
        $1 == "setup" { needs[int(sprintf("%.3f", $2) * 100 + 0.9999)]++; if (!n++) printf "{\"min_period_ns\":%.3f,\"start\":%s,\"end\":%s", $2, quoted($3), quoted($4) }
        $1 == "hold" && !held++ { hold = sprintf("{\"slack_ns\":%.3f,\"start\":%s,\"end\":%s}", $2, quoted($3), quoted($4)) }
        $1 == "stage" { stages = stages (stages ? "," : "") sprintf("{\"at\":%s,\"cell\":\"%s\",\"time_ns\":%.3f}", quoted($3), $4, $2) }
        END {
            printf ",\"stages\":[%s],\"hold\":%s,\"endpoints\":%d,\"needs\":{", stages, hold ? hold : "null", n
            for (need in needs) printf "%s\"%d\":%d", sep++ ? "," : "", need, needs[need]
            print "}}"
        }' "$tmp/$1.sta"
}

# ram_times NAME: of each shape of RAM in the design that was mapped: bits of a word and of an address, and macro_times
ram_times() {
    local cell w d
    while IFS=$'\t' read -r _ _ cell w d _; do
        [ "$cell" != mt_ram_slice ] || echo "$w $(address_bits "$d") $(macro_times "$w" "$d")"
    done <"$tmp/$1.shapes" | sort -u
}

# point_key BLOCK ARGUMENT...: of a measurement: those arguments, RTL, library, macros, and how it is measured
point_key() {
    {
        printf '%s\n' "$@" "${PERIOD_PS:-}" "$observe" "$gated" "${recipes[@]}"
        declare -f count instances macro_per_bit nearest_macro macro_times ram_times clock_gate to_gates enables shape_name shape sources map map_for_speed \
            critical_path time_paths slowest paths measure_point
        xargs cat "$lib" "$tmp/io.constr" synth/timing.tcl synth/gate.awk rtl/*/*.vh <"rtl/$1/$1.f"
        [ -z "$FAKERAM" ] || cat "$FAKERAM"/fakeram45_*.lib
    } | sha256sum | cut -c 1-32
}

# measure NAME PARTS TIMING CUT BLOCK PARAM=VALUE...: one design: map, and with TIMING its paths, with storage CUT; TIMING is timing, macros (that
# and, with FAKERAM, the path with the times of macros), or area -> $tmp/NAME.json: {name, block, parameters, cut, modules: of PARTS and the
# rest, stored, cells, flops, control_flops: those not in storage, min_period_ns, macro_period_ns, speed: {area, cells} of the netlist mapped for speed,
# path: see paths}. What was measured before, of the same RTL by the same script, is taken from build/synth/points.
measure() {
    local name=$1 known
    known=$out/points/$(point_key "$5" "${@:2}").json
    if [ ! -e "$known" ]; then
        measure_point "$@"
        mkdir -p "$out/points"
        cp "$tmp/$name.json" "$tmp/$name.known"
        mv "$tmp/$name.known" "$known"
    fi
    jq --arg name "$name" '.name = $name' "$known" >"$tmp/$name.json"
}

# measure_point: measure, whatever is known
measure_point() {
    local name=$1 parts=$2 timing=$3 cut=$4 block=$5 macro_path=null
    shift 5
    map "$name" "$parts" "$block" "$@"
    echo null >"$tmp/$name.path"
    if [ "$timing" != area ]; then
        critical_path "$name" "$cut" "$block" "$@"
        if [ "$timing" = macros ] && [ -n "$FAKERAM" ]; then macro_path=$(slowest "$name" "$block" "$(ram_times "$name")"); fi
        time_paths "$name" "$block"
        jq -s '.[0] + {speed: (.[1] | map_values({area, cells}) | add)}' <(paths "$name") "$tmp/$name.speed" >"$tmp/$name.path"
    fi
    printf '%s\n' "$@" | jq -R 'split("=") | {(.[0]): (.[1] | tonumber)}' | jq -s -L synth --arg name "$name" --arg block "$block" \
        --slurpfile modules "$tmp/$name.count" --slurpfile stored "$tmp/$name.stored" --slurpfile path "$tmp/$name.path" --argjson macro_path "$macro_path" --arg cut "$cut" 'include "common";
        $modules[0] as $m | $stored[0] as $s | $path[0] as $path
        | {name: $name, block: $block, parameters: add, cut: ($cut == "cut"), modules: $m, stored: $s,
           cells: (($m | total(.cells)) + ($s | total(.n * .cells))), flops: (($m | total(.flops)) + ($s | total(.n * .flops))),
           control_flops: ($m | total(.flops)), min_period_ns: $path.min_period_ns, macro_period_ns: $macro_path,
           speed: $path.speed, path: (if $path then $path | del(.speed) else null end)}' >"$tmp/$name.json"
}

# measure_block NAME TIMING BLOCK PARAM=VALUE...: measure, with the parts and the cut of the block; or, if TIMING is whole, timing with no cut
measure_block() {
    case $2 in
    whole) measure "$1" "$(parts_of "$3")" timing whole "${@:3}" ;;
    *) measure "$1" "$(parts_of "$3")" "$2" "$(cut_of "$3")" "${@:3}" ;;
    esac
}

# ahead: measures the designs on stdin, the arguments of measure_block a line, two at a time; they are known from then on
ahead() {
    local line running=0
    while read -r line; do
        if [ $running -eq 2 ]; then
            wait -n || { wait; exit 1; }
            running=1
        fi
        (
            tmp=$(mktemp -d "$tmp/ahead.XXXXXX")
            cp "$tmp/../cells" "$tmp/../io.constr" "$tmp"
            measure_block $line </dev/null
            rm -rf "$tmp"
        ) &
        running=$((running + 1))
    done
    while [ $running -gt 0 ]; do
        wait -n || { wait; exit 1; }
        running=$((running - 1))
    done
}
