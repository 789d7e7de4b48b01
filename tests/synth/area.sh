#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 40 s
# synth/area.sh on tiny designs: areas with multiplexers, with clock gates and as macros. A fault ends it with exit code 1 and a reason. The
# test library is the default library plus a clock gate. synth/gate.awk gates the right flip-flops. Run from the root.
. tests/lib.bash
. tests/synth/report.bash
report_of area.sh area_quick

macro 4x12 48.0 # in_fifo: 1 um2 per bit
macro 16x16 128.0 # the slots: 0.5 um2 per bit
gated_library <<'END'
  cell (GATEX9) {
    clock_gating_integrated_cell : latch_posedge;
    area : 900;
    pin (CLK) { direction : input; clock : true; clock_gate_clock_pin : true; }
  }
END
quick paper multiplexers 'clock gates' 'saved, %' 'clock gates, macro'
holds "not the designs" '[.designs[].name] == ["static_2x8", "dl_8x2", "in_fifo_4"]'
holds "an area is not above 0" '[.designs[].area[]] | all(. > 0)'
holds "clock gates save nothing" '.designs | all(.area.gated < 0.95 * .area.multiplexers and .area.gated > 0.6 * .area.multiplexers)'
# 16 slots of 16 bits; 4 entries of 12 bits
holds "macros are not priced by their bits" '.designs | all(.area.multiplexers_macro < .area.multiplexers and .area.gated_macro < .area.gated)'
holds "not the ratio" '.designs | (.[0].ratio == null) and (.[2].ratio == null) and (.[0].area.gated * .[1].ratio.gated - .[1].area.gated | fabs < 0.01) and (.[1].ratio.paper * 3860 - 4490 | fabs < 0.01)'
holds "two instances are not two" '.designs[2] | .instances == 2 and .flops * 2 * 60 < .area.multiplexers'

# 40 and 3 flip-flops with one enable each: two gates for 32 and 8 flip-flops, and three multiplexers
cat >"$work/words.v" <<'END'
module words (input clk, input a, input b, input [39:0] d, output reg [39:0] q, input [2:0] e, output reg [2:0] r);
    always @(posedge clk) begin
        if (a) q <= d;
        if (b) r <= e;
    end
endmodule
END
yosys -q -p "read_verilog $work/words.v; synth -run :check; write_rtlil $work/plain.il"
awk -v gate=GATEX1,CLK,EN,GCLK -f synth/gate.awk "$work/plain.il" "$work/plain.il" >"$work/gated.il"
yosys -q -p "read_rtlil $work/gated.il; tee -q -o $work/stat stat" || complain "the gated design cannot be read"
for n in 'GATEX1 2' '\$_DFF_P_ 40' '\$_DFFE_PP_ 3'; do
    grep -qE "^ +${n% *} +${n#* }$" "$work/stat" || complain "not ${n#* } ${n% *}"
done
[ "$(grep -c 'connect .C .gated_0' "$work/gated.il")" -eq 32 ] || complain "not 32 flip-flops behind the first gate"

unset LIBERTY
expect 0 synth/area.sh --quick
holds "clock gates without a cell for them" '.designs | all(.area.gated == null and .area.multiplexers > 0)'

# ---- errors
refuses
broken "an illegal parameter" rtl/dl_mshr_paper/block.points '/^dl_8x2 /s/SLOTS=2/SLOTS=65/'
finish
