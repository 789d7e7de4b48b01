#!/bin/bash
# Timing of every twinned block at the points of the papers: shortest period, slack at a stated clock, critical path, slack of all endpoints, hold.
# docs/synthesis.md says how it is measured.
#   synth/timing.sh           build/synth/timing.txt and timing.json
#   synth/timing.sh --quick   build/synth/timing_quick.txt, .json: tiny designs, a test of this script
#   synth/timing.sh BLOCK [PARAM=VALUE]...    build/synth/timing_point.txt, .json: that design
# PERIOD=ns    the stated clock     default: 4 for osu018, else 1
# LIBERTY, FAKERAM and PERIOD_PS: see synth/flow.bash
. "$(dirname "$0")/flow.bash"
[[ ${PERIOD:-1} =~ ^[0-9]+(\.[0-9]+)?$ ]] && [[ ${PERIOD:-1} =~ [1-9] ]] || die "PERIOD is no number of ns: $PERIOD"
point=()
case ${1:-} in
'' | -*) start timing timing timing_quick "$@" ;;
*)
    point=("$@")
    check_parameters "$@"
    start timing_point timing_point timing_quick
    ;;
esac
case $lib_name in osu018*) clock=4 ;; *) clock=1 ;; esac
clock=${PERIOD:-$clock}

# designs: NAME TIMING BLOCK PARAM=VALUE... a line. A DL-MSHR is compared to the static one before it with as much cut; _flops: nothing is.
timing() {
    cat <<-END
		static_32x8 macros static_mshr ENTRIES=32 SLOTS=8 $L1D
		dl_64x4 macros dl_mshr SETS=64 SLOTS=4 RESERVED_HEADS=32 $L1D
		dl_128x2 macros dl_mshr SETS=128 SLOTS=2 RESERVED_HEADS=64 $L1D
		dl_32x8 macros dl_mshr SETS=32 SLOTS=8 RESERVED_HEADS=16 $L1D
		dl_64x4_GATE=0 macros dl_mshr SETS=64 SLOTS=4 RESERVED_HEADS=32 GATE=0 $L1D
		dl_128x2_GATE=0 macros dl_mshr SETS=128 SLOTS=2 RESERVED_HEADS=64 GATE=0 $L1D
		l2_static_32x4 macros static_mshr ENTRIES=32 SLOTS=4 $L2
		l2_dl_64x2 macros dl_mshr SETS=64 SLOTS=2 RESERVED_HEADS=32 $L2
		static_64x4 macros static_mshr ENTRIES=64 SLOTS=4 $L1D
		static_128x2 macros static_mshr ENTRIES=128 SLOTS=2 $L1D
		static_32x8_flops whole static_mshr ENTRIES=32 SLOTS=8 $L1D
		dl_64x4_flops whole dl_mshr SETS=64 SLOTS=4 RESERVED_HEADS=32 $L1D
		dl_128x2_flops whole dl_mshr SETS=128 SLOTS=2 RESERVED_HEADS=64 $L1D
		in_fifo_8 timing in_fifo DEPTH=8 $WIDTHS
		bank_queues_16x16 timing bank_queues $QUEUES
		cart_4R2C2E timing cart ROWS=4 COLS=2 DEPTH=2 $CART
		bpg timing bpg CALCULATORS=8
		hir_8x128 macros hir WAYS=8 SETS=128
	END
}

timing_quick() {
    cat <<-END
		static_4x4 timing static_mshr ENTRIES=4 SLOTS=4 $L1D
		dl_8x2 timing dl_mshr SETS=8 SLOTS=2 RESERVED_HEADS=4 $L1D
		static_4x4_flops whole static_mshr ENTRIES=4 SLOTS=4 $L1D
		dl_8x2_flops whole dl_mshr SETS=8 SLOTS=2 RESERVED_HEADS=4 $L1D
		in_fifo_4 timing in_fifo DEPTH=4 ADDR_W=8 ID_W=4
		bank_queues_4x2 timing bank_queues QUEUES=4 DEPTH=2 BANKS=4 BANK_MASK=3 ADDR_W=8 ID_W=4
		cart_2R2C2E timing cart ROWS=2 COLS=2 DEPTH=2 BANKS=4 BANK_MASK=3 COL_MASK=12 ADDR_W=8 ID_W=4
		bpg_2x2 timing bpg WAYS=2 SAMPLED=2 TAG_W=6 CALCULATORS=2 ADDR_W=9 ID_W=2 SETS=8 HIT_W=4 FAIL_W=4 HIT_SCALE=0 INTERVAL=8
		hir_2x4 macros hir WAYS=2 SETS=4 COUNT_W=2 SET_W=6 PAGES=4 LOST_W=2
	END
}

timing_point() {
    local name
    name=$(printf '%s\n' "${point[@]}" | paste -sd- | tr -d =)
    case ${point[0]} in
    *_mshr | hir) echo "$name macros ${point[*]}" ;;
    *) echo "$name timing ${point[*]}" ;;
    esac
}

# Every twinned block has a point, so that one that is added is not forgotten.
$run >"$tmp/list"
for block in $([ "$run" = timing_point ] || sed -n 's/^BLOCK(\(.*\))/\1/p' cmodel/blocks.def); do
    awk -v block="$block" '$3 == block { found = 1 } END { exit !found }' "$tmp/list" || die "no point of $block in synth/timing.sh"
done

ahead <"$tmp/list"
while read -r name line; do
    measure_block "$name" $line </dev/null
    cat "$tmp/$name.json"
done <"$tmp/list" | jq -s -L synth --arg lib "$lib_name" --argjson clock "$clock" 'include "common";
    def to(n): . * n | round / n;
    . as $all
    | def static($at; $cut): last($all[:$at][] | select(.block == "static_mshr" and .cut == $cut) | .min_period_ns);
    {library: $lib, area_unit: "um2", clock_ns: $clock, designs: (to_entries | map(.key as $at | .value
        | .path as $path
        | {name, block, parameters, storage_cut: .cut, min_period_ns, mhz: (1000 / .min_period_ns | round), slack_ns: ($clock - .min_period_ns | to(1000)), macro_period_ns,
           to_static: (if .block == "dl_mshr" then static($at; .cut) as $static | if $static then .min_period_ns / $static | to(1000) else null end else null end),
           area: {smallest: (if .cut then .modules | total(.area) else (.modules | total(.area)) + (.stored | in_flops) end), fastest: .speed.area},
           start: $path.start, end: $path.end, stages: $path.stages, endpoints: $path.endpoints, hold: $path.hold, needs: $path.needs}))}' >"$tmp/$run.json"
{
    echo "Timing, library $lib_name, typical corner, no wires, clock $clock ns; how it is measured: docs/synthesis.md"
    table timing.jq "$tmp/$run.json"
    jq -r -L synth -f synth/paths.jq "$tmp/$run.json"
} >"$tmp/$run.txt"
finish
