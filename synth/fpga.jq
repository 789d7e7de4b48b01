# SPDX-License-Identifier: Apache-2.0
# Rows of fpga.txt from fpga.json.
include "common";
["", "iCE40: LUTs", "flip-flops", "block RAMs", "cells, placed", "MHz", "ECP5: LUTs", "flip-flops", "LUT-RAM bits", "block RAMs", "Xilinx 7: LUTs", "flip-flops", "LUT-RAM bits", "block RAMs"],
(.designs[]
 | [.name, (.ice40 | (.luts, .flops, .rams, .cells | i), (if .fits and .mhz == null then "late" else .mhz | r end)), (.ecp5, .xc7 | .luts, .flops, .lut_ram_bits, .rams | i)])
| @tsv
