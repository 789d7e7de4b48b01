#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 40 s
# synth/power.sh on tiny MSHRs in a tiny run: the report is complete, the counted activity is that of the netlist, power scales with the
# clock and with the activity, and faults end it with exit code 1 and a reason. Run from the root.
. tests/lib.bash
. tests/synth/report.bash
report_of power.sh power_quick

expect 0 synth/power.sh --quick
cmp -s "$work/out" build/synth/power_quick.txt || complain "power_quick.txt differs from the printed report"
holds "not the two designs" '[.designs[].name] == ["dl_4x2", "dl_4x2_GATE=0"]'
holds "not the clock of this library" '.mhz == 250'
holds "too few cycles" '.designs | all(.cycles > 900 and .cycles <= 5000)'
holds "nothing moves" '.designs | all(.activity > 0.0005 and .activity < 0.2)'
holds "not one activity a cell" '.designs | all(.outputs == ([.modules[].cells] | add))'
holds "a sum that is none" '.designs[].mw | (.total - .clock - .internal - .switching - .leakage | fabs < 1e-9) and (.idle - .clock - .leakage | fabs < 1e-9)'
holds "no module" '.designs | all(.modules | keys == ["dau", "dau_free", "dau_tail", "dlm_cam", "dlm_sets", "mshr_drain", "rest", "storage"])'
holds "modules are not the design" '.designs | all(.mw.clock as $all | ([.modules[].clock] | add) - $all | fabs < 1e-9)'
holds "flip-flops without a clock" '.designs | all(.modules.dlm_cam.clock > 1 and .modules.storage.clock > 1 and .modules.rest.clock == 0)'
holds "GATE=0 is the same netlist" '[.designs[].modules.dlm_cam.cells] | .[0] != .[1]'
holds "GATE moves the slots" '[.designs[].modules.storage.internal] | .[0] - .[1] | fabs < 1e-9'
cp "$report" "$work/250.json"

# Twice the clock gives twice the power, without leakage.
expect 0 env MHZ=500 synth/power.sh --quick
jq -en --slurpfile fast "$report" --slurpfile slow "$work/250.json" '[$fast[0].designs[0].mw, $slow[0].designs[0].mw] as [$f, $s]
    | (["clock", "internal", "switching"] | all(. as $k | $f[$k] / $s[$k] - 2 | fabs < 0.001)) and $f.leakage == $s.leakage' >/dev/null ||
    complain "twice the clock is not twice the power"

# ---- activities computed by hand: a two-stage shift register whose input is 1 in every third cycle
cat >"$work/shift.v" <<'END'
module shift(clk, d, q); input clk, d; output q; wire n;
DFFPOSX1 first (.CLK(clk), .D(d), .Q(n)); DFFPOSX1 second (.CLK(clk), .D(n), .Q(q)); endmodule
END
cat >"$work/bench.v" <<'END'
`timescale 1ns/1ns
module bench; reg clk, d; wire q; integer i; shift u_netlist (.clk(clk), .d(d), .q(q));
initial begin $dumpfile("wave.vcd"); $dumpvars; clk = 0; d = 0;
for (i = 0; i < 300; i = i + 1) begin d = 1; d = i % 3 == 0; #5 clk = 1; #5 clk = 0; end $finish; end endmodule
END
sed '/default_wire_load/d' /usr/share/qflow/tech/osu018/osu018_stdcells.lib >"$work/cells.lib"
(cd "$work" && iverilog -g2005 -o bench.vvp bench.v shift.v /usr/share/qflow/tech/osu018/osu018_stdcells.v 2>/dev/null && vvp -n bench.vvp >/dev/null)
awk -f synth/activity.awk "$work/wave.vcd" >"$work/activity"
for line in 'first/D 199' 'first/Q 199' 'second/Q 198' 'cycles 300'; do
    grep -qxF "$line" "$work/activity" || complain "not '$line': $(grep "^${line% *}" "$work/activity")"
done
power() { # ACTIVITY: prints OpenSTA's line of the module, at 10 ns
    LIB=$work/cells.lib NETLIST=$work/shift.v TOP=shift PERIOD=10 SLEW=0.1 ACTIVITY=$1 sta -exit -no_splash synth/power.tcl 2>&1
}
power "$work/activity" >"$work/moves"
awk '!/^cycles/ { $2 = 0 } { print }' "$work/activity" >"$work/idle"
power "$work/idle" >"$work/rests"
awk '/^cycles/ { $2 *= 2 } { print }' "$work/activity" >"$work/half"
power "$work/half" >"$work/halved"
awk 'FNR == 1 { file++ } /^power/ { clock[file] = $4; data[file] = $5 + $6; leak[file] = $7 }
    END { exit !(data[1] > 0 && data[2] == 0 && clock[1] > 0 && clock[1] == clock[2] && leak[1] == leak[2] && data[3] / data[1] > 0.499 && data[3] / data[1] < 0.501) }' \
    "$work/moves" "$work/rests" "$work/halved" || complain "power does not go with the activity: $(cat "$work/moves" "$work/rests" "$work/halved")"
grep -v second/Q "$work/activity" >"$work/less"
power "$work/less" | grep -q 'no activity of second/Q' || complain "a net without activity passes"
sed 's/^cycles .*/cycles 0/' "$work/activity" >"$work/none"
power "$work/none" | grep -q 'no cycle' || complain "no cycles pass"

# ---- the kernels: each block is in one of the runs except cache_example, which no machine has
. synth/gates.bash
. tb/harness/blocks.bash
while read -r name instance _ arguments; do
    expect 0 "$MEMTWIN" run -q $arguments -s sim.max_cycles=50 --record "$instance=$work/$name.vec"
    sed -n '2s/^block //p' "$work/$name.vec" >>"$work/blocks"
done < <(kernels kernel)
[ "$(sort "$work/blocks" | xargs)" = "$(blocks | tr ' ' '\n' | grep -vx cache_example | sort | xargs)" ] || complain "not a kernel for each block: $(xargs <"$work/blocks")"

# ---- errors
refuses
expect_line 1 "CYCLES and MHZ must be positive integers" env CYCLES=0 synth/power.sh --quick
expect_line 1 "CYCLES and MHZ must be positive integers" env MHZ=fast synth/power.sh --quick
expect_line 1 "SLEW must be a decimal number (ns)" env SLEW=slow synth/power.sh --quick
expect_line 1 "no such design: toaster" synth/power.sh toaster
finish
