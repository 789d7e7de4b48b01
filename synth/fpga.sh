#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Counts LUTs, flip-flops and RAM of the blocks on FPGAs. Yosys maps the blocks for iCE40, ECP5 and Xilinx 7, and nextpnr places and routes
# them on an iCE40 HX8K. docs/results/silicon.md describes the method.
#   synth/fpga.sh           build/synth/fpga.txt and fpga.json
#   synth/fpga.sh --options build/synth/fpga_options.txt, .json: the blocks that MT_FPGA changes, without MT_FPGA
#   synth/fpga.sh --quick   build/synth/fpga_quick.txt, .json: tiny designs, a test of this script
#   synth/fpga.sh DESIGN...                 build/synth/fpga_point.txt, .json: designs of the first or the quick report (--list)
#   synth/fpga.sh BLOCK [PARAM=VALUE]...    build/synth/fpga_point.txt, .json: a block, such as in_fifo DEPTH=64
# SECONDS_OF_PNR=n  processor time limit of nextpnr per design, in seconds; default: 900
# KNOWN=1           reports only designs that have been measured before
. "$(dirname "$0")/flow.bash"
asked=()
case ${1:-} in
'' | -*) start fpga fpga_options fpga_quick "$@" ;;
*)
    asked=("$@")
    start fpga_point fpga_point fpga_quick
    ;;
esac
command -v nextpnr-ice40 >/dev/null || die "nextpnr-ice40 is not installed"
tools=$(yosys -V; nextpnr-ice40 --version 2>&1)
SECONDS_OF_PNR=${SECONDS_OF_PNR:-900}
[[ $SECONDS_OF_PNR =~ ^[1-9][0-9]{0,5}$ ]] || die "SECONDS_OF_PNR must be 1 to 999999 (seconds): $SECONDS_OF_PNR"
define=-DMT_FPGA
[ $run != fpga_options ] || define=

# read_block BLOCK: prints the Yosys commands that read the block
read_block() {
    echo "read_verilog $define $(printf -- '-I%s ' rtl/*/) $(tr '\n' ' ' <"rtl/$1/$1.f")"
}

# modules_of BLOCK: prints patterns of the block's name in Yosys: BLOCK, $paramod\BLOCK\PARAM=VALUE (one parameter), $paramod$HASH\BLOCK
modules_of() {
    echo "*$1 \$paramod?$1?*"
}

# frame BLOCK PARAM=VALUE... -> $tmp/frame.v: the block between flip-flops, with a clock and two pins, so that every path starts and ends at flip-flops
frame() {
    local block=$1 parameters
    shift
    run_yosys frame <<-END
		$(read_block "$block")
		hierarchy -check -top $block$(printf -- ' -chparam %s' "$@" | sed 's/ -chparam $//' | tr = ' ')
		tee -q -o $tmp/ports portlist
	END
    parameters=$(printf '.%s, ' "$@" | sed 's/=\([^,]*\)/(\1)/g; s/, $//; s/^\.$//')
    awk -v block="$block" -v parameters="$parameters" '
        $1 == "input" || $1 == "output" {
            split($2, range, /[^0-9]+/)
            name = $NF; sub(/[,;]$/, "", name)
            if (name == "clk") next
            width = range[2] + 1
            pins = pins sprintf(",\n        .%s(%s[%d+:%d])", name, $1 == "input" ? "i" : "next", n[$1], width)
            n[$1] += width
        }
        END {
            printf "module frame (input clk, input in, output out);\n    reg [%d:0] i;\n    (* keep *) reg [%d:0] o;\n    wire [%d:0] next;\n", n["input"] - 1, n["output"] - 1, n["output"] - 1
            printf "    always @(posedge clk) begin\n        i <= {i, in};\n        o <= next;\n    end\n    assign out = o[0];\n"
            printf "    %s #(%s) u_block (\n        .clk(clk)%s\n    );\nendmodule\n", block, parameters, pins
        }' "$tmp/ports" >"$tmp/frame.v"
}

# mapped TARGET: writes the block's cell counts by Yosys -> $tmp/TARGET.json: {cell: count}
mapped() {
    jq -c '[.modules | to_entries[] | select(.key != "\\frame") | .value.num_cells_by_type][0]' "$tmp/$1.stat" >"$tmp/$1.json"
}

# pnr OPTION...: runs nextpnr on the mapped frame -> $tmp/placed.log; limited to SECONDS_OF_PNR of processor time
pnr() {
    (
        ulimit -S -t "$SECONDS_OF_PNR"
        exec nextpnr-ice40 --hx8k --package ct256 --json "$tmp/frame.json" --pcf-allow-unconstrained --freq 100 --timing-allow-fail --seed 1 \
            -q -l "$tmp/placed.log" "$@" 2>/dev/null
    )
}

# ice40 BLOCK: maps and packs the frame, and if it fits, places and routes it -> $tmp/ice40.json; $tmp/placed.json: {cells, fits, mhz}; mhz is null
# if the frame does not fit or nextpnr has reached its time limit
ice40() {
    local fits status=0
    run_yosys ice40 <<-END
		$(read_block "$1")
		read_verilog $tmp/frame.v
		hierarchy -check -top frame
		setattr -mod -set keep_hierarchy 1 $(modules_of "$1")
		synth_ice40 -device hx -abc9 -top frame
		tee -q -o $tmp/ice40.stat stat -json
		flatten
		opt_clean -purge
		write_json $tmp/frame.json
	END
    mapped ice40
    pnr --pack-only || die "nextpnr failed: $(grep -m 1 ERROR "$tmp/placed.log")"
    # each resource: number used, number available
    sed -n 's/.*Info:\s*\(\w*\): *\([0-9]*\) *\/ *\([0-9]*\) .*/\1 \2 \3/p' "$tmp/placed.log" >"$tmp/used"
    fits=$(awk '$2 > $3 { over = 1 } END { print over ? "false" : "true" }' "$tmp/used")
    echo null >"$tmp/report"
    if [ "$fits" = true ]; then
        { pnr --report "$tmp/report"; } 2>/dev/null || status=$? # SIGXCPU: time limit reached; the shell would print a message
        [ $status -eq 0 ] || [ $status -eq 152 ] || die "nextpnr failed: $(grep -m 1 ERROR "$tmp/placed.log")"
        [ $status -eq 0 ] || echo null >"$tmp/report"
    fi
    jq -c --argjson cells "$(awk '$1 == "ICESTORM_LC" { print $2 }' "$tmp/used")" --argjson fits "$fits" \
        '{cells: $cells, fits: $fits, mhz: (if . then [.fmax[].achieved] | min * 10 | round / 10 else null end)}' "$tmp/report" >"$tmp/placed.json"
}

# other TARGET BLOCK SYNTH...: maps the block with that command -> $tmp/TARGET.json
other() {
    run_yosys "$1" <<-END
		$(read_block "$2")
		read_verilog $tmp/frame.v
		hierarchy -check -top frame
		setattr -mod -set keep_hierarchy 1 $(modules_of "$2")
		${*:3} -top frame
		tee -q -o $tmp/$1.stat stat -json
	END
    mapped "$1"
}

# design NAME BLOCK PARAM=VALUE...: adds a design to the report; cached like other measurements, see point_key
design() {
    local name=$1 known
    shift
    known=$out/points/fpga-$({
        printf '%s\n' "$@" "$define" "$tools" "$SECONDS_OF_PNR"
        declare -f read_block modules_of frame mapped pnr ice40 other
        rtl_of "$1" | xargs cat | grep -av 'SPDX-License-Identifier: Apache-2.0'
    } | sha256sum | cut -c 1-32).json
    if [ ! -e "$known" ]; then
        [ -z "${KNOWN:-}" ] || return 0
        progress "$name"
        frame "$@"
        ice40 "$1"
        other ecp5 "$1" synth_ecp5 -abc9
        other xc7 "$1" synth_xilinx -family xc7 -abc9 -flatten -noiopad
        mkdir -p "$out/points"
        jq -n --arg block "$1" --slurpfile ice40 "$tmp/ice40.json" --slurpfile placed "$tmp/placed.json" --slurpfile ecp5 "$tmp/ecp5.json" --slurpfile xc7 "$tmp/xc7.json" '
            def count(is): to_entries | map(select(.key | test("^(" + is + ")$")).value) | add // 0;
            {block: $block, parameters: ($ARGS.positional | map(split("=") | {(.[0]): (.[1] | tonumber)}) | add // {}),
             ice40: ($ice40[0] | {luts: count("SB_LUT4"), flops: count("SB_DFF.*"), rams: count("SB_RAM40_4K.*")} + $placed[0]),
             ecp5: ($ecp5[0] | {luts: (count("LUT4") + 2 * count("CCU2C")), flops: count("TRELLIS_FF"), lut_ram_bits: (64 * count("TRELLIS_DPR16X4")), rams: count("DP16KD|PDPW16KD")}),
             xc7: ($xc7[0] | {luts: count("LUT[1-6]"), flops: count("FD.*"), lut_ram_bits: (64 * (4 * count("RAM(32|64)M|RAM128X1D") + 2 * count("RAM(32|64)X1D"))),
                              rams: (count("RAMB18E1") + 2 * count("RAMB36E1"))})}' --args "${@:2}" >"$tmp/known"
        mv "$tmp/known" "$known"
    fi
    jq --arg name "$name" '{name: $name} + .' "$known" >>"$tmp/designs"
}

# asked_for DESIGN...|BLOCK [PARAM=VALUE]...: prints the lines of `designs`. A design has precedence over a block of the same name.
asked_for() {
    local name
    { designs fpga; designs fpga_quick; } >"$tmp/all"
    if [[ $* != *=* ]] && cut -d ' ' -f 1 "$tmp/all" | grep -qxF -- "$1"; then
        for name in "$@"; do
            awk -v name="$name" '$1 == name { print; found = 1 } END { exit !found }' "$tmp/all" || die "no design '$name' (synth/fpga.sh --list)"
        done
    else
        [ -e "rtl/$1/$1.f" ] || die "no design or block '$1' (synth/fpga.sh --list)"
        check_parameters "$@"
        echo "$(printf '%s\n' "$@" | paste -sd- | tr -d =) - $*"
    fi
}

: >"$tmp/designs"
if [ $run = fpga_point ]; then asked_for "${asked[@]}"; else designs $run; fi >"$tmp/list"
progress_begin synth/fpga.sh "$(wc -l <"$tmp/list")" "$tmp/progress"
while read -r name _ row; do design "$name" $row </dev/null; done <"$tmp/list"
jq -s '{device: {name: "iCE40 HX8K", cells: 7680, rams: 32}, designs: .}' "$tmp/designs" >"$tmp/$run.json"
{
    echo "LUTs, flip-flops and RAM on FPGAs; method: docs/results/silicon.md"
    table fpga.jq "$tmp/$run.json"
} >"$tmp/$run.txt"
finish
