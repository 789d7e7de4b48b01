#!/bin/bash
# Area and critical path of dl_mshr against static_mshr, at the paper's two points. docs/synthesis.md says how it is counted.
#   synth/run.sh             build/synth/report.txt and report.json
#   synth/run.sh --options   build/synth/options.txt, .json: what each option of dl_mshr costs at the L1D point
#   synth/run.sh --quick     build/synth/quick.txt, .json: the report of two tiny designs, a test of this script
# LIBERTY=file    cell library, .lib or .lib.gz     default: Debian's qflow-tech-osu018
# FAKERAM=folder  fakeram45_<words>x<bits>.lib: prices slot RAMs as macros (for a 45 nm library)
# PERIOD_PS=n     delay that the mapper aims at for the critical path
set -euo pipefail
cd "$(dirname "$0")/.."

LIBERTY=${LIBERTY:-/usr/share/qflow/tech/osu018/osu018_stdcells.lib}
FAKERAM=${FAKERAM:-}
out=build/synth

die() {
    echo "synth: $*" >&2
    exit 1
}
mkdir -p "$out"
tmp=$(mktemp -d "$out/tmp.XXXXXX")
trap 'rm -rf "$tmp"' EXIT

case ${1:-} in
'') run=report ;;
--options | --quick) run=${1#--} ;;
*) die "unknown argument $1 (only --options, --quick)" ;;
esac
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
flop_cells=$(awk '/^[ \t]*cell *\(/ { gsub(/.*\( *"?|"? *\).*/, ""); cell = $0 } /^[ \t]*ff *\(/ { printf "%s ", cell }' "$lib")
driver=$(grep -m1 -oE 'BUF_X4|BUFX4' "$lib") || die "$LIBERTY has no BUF_X4 or BUFX4 to drive the inputs"
case $lib_name in osu018*) period=4000 ;; *) period=1000 ;; esac
period=${PERIOD_PS:-$period}
printf 'set_driving_cell %s\nset_load 5.0\n' "$driver" >"$tmp/io.constr"

# run_yosys NAME: script on stdin, log in $tmp/NAME.log
run_yosys() {
    yosys -q -l "$tmp/$1.log" -s /dev/stdin >/dev/null 2>"$tmp/$1.err" ||
        die "yosys failed at $1: $(grep -h -m1 ERROR "$tmp/$1.log" "$tmp/$1.err")"
}

# count LOG: {module: {area, cells, flops}} of the modules in a yosys stat
count() {
    awk -v flops="$flop_cells" '
        BEGIN { n = split(flops, f, " "); for (i = 1; i <= n; i++) is_flop[f[i]] = 1; printf "{" }
        /^=== / { name = $2; sub(/.*\\/, "", name); on = !/design hierarchy/ && !seen[name]++; cells = ff = 0; listing = 0 }
        /Number of cells:/ { listing = 1; next }
        on && listing && NF == 2 && $1 != "mt_ram_slice" { if ($1 !~ /^(\$paramod|mshr_|dau|dlm_)/) { cells += $2; if ($1 in is_flop) ff += $2 } }
        on && /Chip area for/ { printf "%s\"%s\":{\"area\":%s,\"cells\":%d,\"flops\":%d}", sep, name, $NF, cells, ff; sep = ","; on = 0 }
        END { print "}" }' "$1"
}

# ---- slot storage: one slice, mapped once for each shape. slice WIDTH DEPTH -> $tmp/slice_WxD.json
slice() {
    local s=slice_$1x$2 aw=1
    [ ! -e "$tmp/$s.json" ] || return 0
    while [ $((1 << aw)) -lt "$2" ]; do aw=$((aw + 1)); done
    run_yosys "$s" <<-EOF
		read_verilog rtl/lib/mt_ram_slice.v
		chparam -set WIDTH $1 -set DEPTH $2 -set ADDR_W $aw mt_ram_slice
		hierarchy -check -top mt_ram_slice
		synth -top mt_ram_slice -run :check
		dfflibmap -liberty $lib
		abc -liberty $lib
		opt_clean -purge
		stat -liberty $lib
	EOF
    count "$tmp/$s.log" >"$tmp/$s.count"
    local macro=null
    [ -z "$FAKERAM" ] || macro=$(macro_per_bit "$1" "$2")
    jq --argjson w "$1" --argjson d "$2" --argjson m "$macro" \
        '.mt_ram_slice + {bits: ($w * $d), macro_um2_per_bit: $m}' "$tmp/$s.count" >"$tmp/$s.json"
}

# macro_per_bit WIDTH DEPTH: um2 a bit of the macro nearest in words and bits
macro_per_bit() {
    for f in "$FAKERAM"/fakeram45_*.lib; do
        awk -v w="$1" -v d="$2" -v f="${f##*/fakeram45_}" '
            function far(a, b) { return a > b ? log(a / b) : log(b / a) }
            /^ *area *:/ { split(f, g, /[x.]/); gsub(/[^0-9.]/, "", $NF); print far(w, g[2]) + far(d, g[1]), $NF / (g[1] * g[2]); exit }' "$f"
    done | sort -g | awk 'NR == 1 { print $2 }'
}

# ---- one design: design NAME TIMING BLOCK PARAM=VALUE... -> $tmp/NAME.json. TIMING: timing, or area alone
design() {
    local name=$1 timing=$2 block=$3
    shift 3
    local p sets=0 slots=0 off=7 id=8 data=0 chparam='' json='{}'
    for p in "$@"; do
        chparam+=" -set ${p%%=*} ${p#*=}"
        json=$(jq -c --arg k "${p%%=*}" --argjson v "${p#*=}" '.[$k] = $v' <<<"$json")
        case $p in
        SETS=* | ENTRIES=*) sets=${p#*=} ;; SLOTS=*) slots=${p#*=} ;; OFF_W=*) off=${p#*=} ;; ID_W=*) id=${p#*=} ;; DATA_W=*) data=${p#*=} ;;
        esac
    done
    echo "synth: $name" >&2

    local files
    files=$(grep -v mt_ram_slice "rtl/$block/$block.f" | tr '\n' ' ')
    local read="read_verilog -Irtl/mshr $files
        read_verilog -lib rtl/lib/mt_ram_slice.v
        chparam $chparam -set OBSERVE 0 $block
        hierarchy -check -top $block
        proc"
    run_yosys "$name" <<-EOF
		$read
		setattr -mod -set keep_hierarchy 1 *dlm_sets* *mshr_cam* *mshr_fill* *dau* *mshr_drain*
		flatten
		synth -run fine:check
		dfflibmap -liberty $lib
		abc -liberty $lib
		opt_clean -purge
		stat -liberty $lib
	EOF
    count "$tmp/$name.log" >"$tmp/$name.count"

    # Slices as rtl/lib/mt_ram_1r1w.v cuts them: [slices, bits of a slice] of each RAM.
    local rams='[]' w n sw
    for w in $((1 + off + id)) $((data * 9 / 8)); do
        [ "$w" -gt 0 ] || continue
        n=$(((w + 63) / 64)) sw=$(((w + n - 1) / n))
        [ $((n * sw)) -eq "$w" ] || die "$name: a RAM of $w bits does not cut into equal slices"
        slice $sw $((sets * slots))
        rams=$(jq -c --argjson n $n --slurpfile s "$tmp/slice_${sw}x$((sets * slots)).json" '. + [{n: $n, s: $s[0]}]' <<<"$rams")
    done

    local path=null
    if [ "$timing" = timing ]; then path=$(critical_path "$name" "$block" "$read"); fi

    jq -n --arg block "$block" --argjson p "$json" --slurpfile m "$tmp/$name.count" --argjson rams "$rams" --argjson path "$path" '
        def total(f): map(f) | add // 0;
        ($m[0] | to_entries) as $m
        | def part(names): $m | map(select(.key | IN(names)) | .value.area) | add // 0;
        {block: $block, parameters: $p,
         area: {cam: part("mshr_cam"), sets: part("mshr_fill", "dlm_sets"), control: part("dau", "mshr_drain", $block)},
         slot_bits: ($rams | total(.n * .s.bits)),
         slots_as_flops: ($rams | total(.n * .s.area)),
         slots_as_macro: (if ($rams | any(.s.macro_um2_per_bit == null)) then null else $rams | total(.n * .s.bits * .s.macro_um2_per_bit) end),
         cells: (($m | total(.value.cells)) + ($rams | total(.n * .s.cells))),
         flops: (($m | total(.value.flops)) + ($rams | total(.n * .s.flops))),
         flops_without_slots: ($m | total(.value.flops)),
         min_period_ns: $path}
        | .area.logic = ([.area[]] | add)
        | .area.all_flops = .area.logic + .slots_as_flops
        | .area.with_macro = (if .slots_as_macro == null then null else .area.logic + .slots_as_macro end)' >"$tmp/$name.json"
}

# critical_path NAME BLOCK READ: shortest period in ns of the flat design, mapped for speed, without wires. Paths begin and end at the
# pins of the slot RAMs.
critical_path() {
    run_yosys "$1.fast" <<-EOF
		$3
		synth -flatten -top $2
		rename -hide t:mt_ram_slice
		rename -enumerate -pattern slots% t:mt_ram_slice
		expose -evert t:mt_ram_slice
		delete -port o:*.clk
		dfflibmap -liberty $lib
		abc -liberty $lib -constr $tmp/io.constr -D $period
		splitnets
		opt_clean -purge
		write_verilog -noattr -noexpr -nohex -nodec $tmp/$1.v
	EOF
    LIB=$lib NETLIST=$tmp/$1.v TOP=$2 sta -exit -no_splash synth/timing.tcl >"$tmp/$1.sta" 2>&1 || true
    ! grep -qi '^error' "$tmp/$1.sta" || die "sta failed at $1: $(grep -i -m1 '^error' "$tmp/$1.sta")"
    awk '$2 == "slack" { printf "%.2f\n", 100 - $1; found = 1; exit } END { exit !found }' "$tmp/$1.sta" || die "sta found no path in $1"
}

L1D="ADDR_W=25 OFF_W=7 ID_W=8 DATA_W=0"
L2="ADDR_W=25 OFF_W=7 ID_W=16 DATA_W=1024"

options() {
    local base='SETS=128 SLOTS=2 RESERVED_HEADS=64 TAIL=2 GATE=1 EARLY_FREE=0' row name what n=0 rows=()
    # name | what to time | parameters. TAIL is the option that moves the critical path.
    for row in 'static 32x8|timing|' 'default: 128x2|timing|' 'TAIL=1|timing|TAIL=1' 'TAIL=0|timing|TAIL=0' 'GATE=0|area|GATE=0' \
        'EARLY_FREE=1|area|EARLY_FREE=1' 'RESERVED_HEADS=0|area|RESERVED_HEADS=0' 'SLOTS=1: 256x1|area|SETS=256 SLOTS=1 RESERVED_HEADS=128' \
        'SLOTS=4: 64x4|timing|SETS=64 SLOTS=4 RESERVED_HEADS=32' 'SLOTS=8: 32x8|timing|SETS=32 SLOTS=8 RESERVED_HEADS=16'; do
        n=$((n + 1))
        IFS='|' read -r name what row <<<"$row"
        case $name in
        static*) design "option$n" "$what" static_mshr ENTRIES=32 SLOTS=8 $L1D ;;
        *) design "option$n" "$what" dl_mshr $base $L1D $row ;;
        esac
        rows+=("$(jq -c --arg name "$name" '. + {name: $name}' "$tmp/option$n.json")")
    done
    printf '%s\n' "${rows[@]}" | jq -s '.' >"$tmp/options.json"
    {
        echo "Options of dl_mshr at the L1D point, $lib_name, um2, slots in flip-flops (docs/synthesis.md)"
        jq -r -f synth/options.jq "$tmp/options.json" | column -t -s "$(printf '\t')"
    } >"$tmp/options.txt"
    mv "$tmp/options.json" "$tmp/options.txt" "$out/"
    cat "$out/options.txt"
}

# point GROUP NAME TIMING BLOCK PARAM=VALUE...: a design of the report; the first of a group is what the others are compared to.
point() {
    local group=$1 name=$2
    shift 2
    design "${group}_$name" "$@"
    jq -c --arg group "$group" --arg name "$name" '{group: $group, name: $name, is: .}' "$tmp/${group}_$name.json" >>"$tmp/points"
}

# report TITLE: report.json and report.txt, or those of --quick, of the points so far
report() {
    jq -s --arg lib "$lib_name" --argjson fakeram "$([ -n "$FAKERAM" ] && echo true || echo false)" '
        def ratio(x; y): if x == null or y == null then null else (x / y * 1000 | round / 1000) end;
        def against(s): .ratio = {logic: ratio(.area.logic; s.area.logic), all_flops: ratio(.area.all_flops; s.area.all_flops),
                                  with_macro: ratio(.area.with_macro; s.area.with_macro)};
        {library: $lib, area_unit: "um2", macro_estimate: $fakeram,
         paper: {l1d: {static_mm2: 0.00386, dl_mm2: 0.00449, ratio: 1.163}, l2: {static_mm2: 0.0601, dl_mm2: 0.0611, ratio: 1.016}}}
        + (reduce .[] as $p ({first: {}, out: {}};
            .first[$p.group] //= $p.is | .first[$p.group] as $first
            | .out[$p.group][$p.name] = if $first == $p.is then $p.is else $p.is | against($first) end) | .out)' "$tmp/points" >"$tmp/$run.json"
    {
        echo "Area in um2, library $lib_name; how it is counted: docs/synthesis.md"
        jq -r -f synth/report.jq "$tmp/$run.json" | column -t -s "$(printf '\t')"
        echo "logic: all but the slots. all flops: logic, and the slots in flip-flops."
        if [ -n "$FAKERAM" ]; then echo "with macro: logic, and the slots as SRAM: an estimate by um2/bit of the nearest single-port fakeram45 macro."; fi
        jq -r '"paper, 45 nm: L1D \(.paper.l1d.ratio) (0.00386 -> 0.00449 mm2), L2 \(.paper.l2.ratio) (0.0601 -> 0.0611 mm2)"' "$tmp/$run.json"
    } >"$tmp/$run.txt"
    mv "$tmp/$run.json" "$tmp/$run.txt" "$out/"
    cat "$out/$run.txt"
}

papers_points() {
    point l1d static_32x8 timing static_mshr ENTRIES=32 SLOTS=8 $L1D
    point l1d dl_64x4 timing dl_mshr SETS=64 SLOTS=4 RESERVED_HEADS=32 $L1D
    point l1d dl_128x2 timing dl_mshr SETS=128 SLOTS=2 RESERVED_HEADS=64 $L1D
    point l2 static_32x4 area static_mshr ENTRIES=32 SLOTS=4 $L2
    point l2 dl_64x2 area dl_mshr SETS=64 SLOTS=2 RESERVED_HEADS=32 $L2
    report
}

quick() {
    point small static_4x4 timing static_mshr ENTRIES=4 SLOTS=4 $L1D
    point small dl_8x2 timing dl_mshr SETS=8 SLOTS=2 RESERVED_HEADS=4 $L1D
    report
}

case $run in report) papers_points ;; *) $run ;; esac
