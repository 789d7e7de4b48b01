#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 60 s
# synth/fpga.sh on tiny designs: the report is complete, including designs that do not fit, and a fault ends it with exit code 1 and a reason.
# Run from the root.
. tests/lib.bash
. tests/synth/report.bash
report_of fpga.sh fpga_quick
expect 0 synth/fpga.sh --quick
cmp -s "$work/out" "${report%.json}.txt" || complain "${report%.json}.txt differs from the printed report"
holds "not the designs" '[.designs[].name] == ["in_fifo_4", "cart_2R2C2E"]'
holds "no LUTs or flip-flops" '[.designs[] | .ice40, .ecp5, .xc7 | .luts, .flops] | all(. > 0)'
# 4 entries of 12 bits are in LUT RAM. The FIFO has two pointers and a few bits besides. An iCE40 has no LUT RAM.
holds "the places are not in LUT RAM" '.designs[0] | (.ecp5, .xc7) | .lut_ram_bits >= 4 * 12 and .flops < 16'
holds "the places are not in flip-flops" '.designs[0].ice40 | .flops >= 4 * 12'
# The tree has 32 IDs of 4 bits and, twice, 4 tags of 2 x 4 and of 4 x 2 bits.
holds "ids and tags are not in LUT RAM" '.designs[1] | (.ecp5, .xc7) | .lut_ram_bits >= 32 * 4 + 2 * 4 * (2 * 4 + 4 * 2) and .flops < 120'
holds "it is not placed" '.designs | all(.ice40.cells >= .ice40.luts and .ice40.cells < 7680 and .ice40.mhz > 20 and .ice40.mhz < 500)'

# ---- selected designs, or one block: the same figures, in a separate report
row=$(tr -s ' ' <"$work/out" | grep '^in_fifo_4 ')
expect 0 synth/fpga.sh in_fifo_4
[ "$(tr -s ' ' <"$work/out" | sed 1,2d)" = "$row" ] || complain "not in_fifo_4 alone: $(cat "$work/out")"
expect_line 1 'DEPTH=0: in_fifo: parameter DEPTH=0 is outside 1..16384' synth/fpga.sh in_fifo DEPTH=0
expect_line 1 'synth: addr_hash: SETS must be a power of two' synth/timing.sh addr_hash SETS=7
expect 0 make -s fpga BLOCK=in_fifo PARAMS='DEPTH=4 ADDR_W=8 ID_W=4'
jq -e --slurpfile quick "$report" '.designs | length == 1 and .[0].name == "in_fifo-DEPTH4-ADDR_W8-ID_W4" and .[0].xc7 == $quick[0].designs[0].xc7' build/synth/fpga_point.json >/dev/null ||
    complain "not that block: $(cat "$work/out")"
# One parameter: Yosys names that module otherwise than one with several.
expect 0 make -s fpga BLOCK=in_fifo PARAMS=DEPTH=2
jq -e '.designs | length == 1 and (.[0] | .name == "in_fifo-DEPTH2" and (.ice40, .ecp5, .xc7 | .luts > 0 and .flops > 0))' build/synth/fpga_point.json >/dev/null ||
    complain "one parameter: $(cat "$work/out")"
# No parameter: the block at its defaults.
expect 0 make -s fpga BLOCK=in_fifo
jq -e '.designs | length == 1 and (.[0] | .name == "in_fifo" and .parameters == {} and (.ice40, .ecp5, .xc7 | .luts > 0 and .flops > 0))' build/synth/fpga_point.json >/dev/null ||
    complain "no parameter: $(cat "$work/out")"
expect_line 1 "in_fifo has no parameter 'DEPHT'" synth/fpga.sh in_fifo DEPHT=4
expect_line 1 "no design or block 'toaster'" synth/fpga.sh toaster
expect_line 1 "no design 'toaster'" synth/fpga.sh in_fifo_4 toaster

# ---- a design that does not fit has no MHz and is not placed
mkdir "$work/bin"
cat >"$work/bin/nextpnr-ice40" <<END
#!/bin/bash
[[ " \$* " != *' --pack-only '* && \$1 != --version ]] || exec $(command -v nextpnr-ice40) "\$@"
touch "$work/placed"
while :; do :; done
END
chmod +x "$work/bin/nextpnr-ice40"
endless=(env PATH="$work/bin:$PATH" SECONDS_OF_PNR=1)
copy_tree
sed -i 's/ fpga_quick@cart_2R2C2E//' "$work/tree/rtl/cart/block.points"
sed -i.fits '/^in_fifo_4 /s/DEPTH=4 ADDR_W=8 ID_W=4/DEPTH=1024 ADDR_W=48 ID_W=32/' "$work/tree/rtl/in_fifo/block.points"
sed -i 's/--hx8k --package ct256/--hx1k --package tq144/' "$work/tree/synth/fpga.sh"
expect 0 "${endless[@]}" "$work/tree/synth/fpga.sh" --quick
jq -e '.designs | length == 1 and (.[0].ice40 | .rams > 16 and .fits == false and .mhz == null)' "$work/tree/$report" >/dev/null || complain "a FIFO of 1024 words of 80 bits fits an HX1K"
[ ! -e "$work/placed" ] || complain "nextpnr places a design that does not fit"

# ---- a design that is not placed in time is late; KNOWN=1 leaves out unmeasured designs
mv "$work/tree/rtl/in_fifo/block.points.fits" "$work/tree/rtl/in_fifo/block.points"
expect 0 "${endless[@]}" "$work/tree/synth/fpga.sh" --quick
grep -q '^in_fifo_4 .* late ' "$work/out" && [ -e "$work/placed" ] || complain "no end of nextpnr: $(cat "$work/out")"
expect 0 "${endless[@]}" KNOWN=1 "$work/tree/synth/fpga.sh" --quick
grep -q '^in_fifo_4 ' "$work/out" || complain "a known result is left out"
expect 0 env KNOWN=1 "$work/tree/synth/fpga.sh" --quick
! grep -q '^in_fifo_4 ' "$work/out" || complain "a result late after one second is used for other limits"
expect_line 1 "SECONDS_OF_PNR must be 1 to 999999 (seconds): x" env SECONDS_OF_PNR=x synth/fpga.sh --quick

# ---- errors
refuses
broken "an illegal parameter" rtl/in_fifo/block.points '/^in_fifo_4 /s/DEPTH=4/DEPTH=0/'
finish
