#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Prints a micro trace of sim/experiments/fidelity/micro.txt, the content of micro/NAME.traceg.xz.
#
#   sim/experiments/fidelity/micro_trace.sh NAME
set -euo pipefail
. "$(dirname "$0")/../../../tb/env.bash"

case ${1:-} in -h | --help) sed -n '3,/^set/{s/^# \{0,1\}//p}' "$0" && exit ;; esac
[ $# -eq 1 ] || { sed -n '3,/^set/{s/^# \{0,1\}//p}' "$0" >&2 && exit 1; }

awk -v name="$1" "$(cat sim/experiments/fidelity/trace.awk)"'
    function alu(to, from) { put("0010", "1 R" to " IADD3 1 R" from " 0 0") }
    function sfu(to, from) { put("0020", "1 R" to " MUFU.RCP 1 R" from " 0 0") }
    function dp(to, from) { put("0020", "1 R" to " DFMA 1 R" from " 0 0") }
    function lds(to, from) { put("0030", "1 R" to " LDS 1 R" from " 4 1 0x100 4 0") }
    # Lanes are STRIDE bytes apart. .STRONG.GPU bypasses the L1D.
    function ld(kind, to, from, address, stride) { put("0040", sprintf("1 R%d LDG.E.%s 1 R%d 4 1 0x7f00%08x %d 0", to, kind, from, address, stride)) }
    function st(address) { put("0050", sprintf("0 STG.E.SYS 2 R2 R6 4 1 0x7f00%08x 4 0", address)) }
    # 32 stored lines, 1600 loads of others, and dependent loads of the 32 lines.
    function written(   k) {
        for (k = 0; k < 32; k++) st(128 * k)
        for (k = 0; k < 1600; k++) ld("SYS", 8 + k % 4, 2, 1048576 + 128 * k, 4)
        for (k = 0; k < 32; k++) ld("SYS", 2, 2, 128 * k, 4)
    }
    # 16 spilled registers, GAP instructions, and the registers again.
    function spill(gap,   k) {
        ld("SYS", 4, 2, 0, 4)
        for (k = 0; k < 16; k++) put("0050", sprintf("0 STL 2 R4 R1 4 1 0x%012x 0 0", 16777152 + 4 * k))
        for (k = 0; k < gap; k++) alu(6, 6)
        for (k = 0; k < 16; k++) put("0060", sprintf("1 R%d LDL 1 R1 4 1 0x%012x 0 0", 16 + 4 * k, 16777152 + 4 * k))
    }
    # A copy to shared memory that closes its group, and a wait for all groups but the last KEEP.
    function copy(address) { put("0040", sprintf("0 LDGSTS.E.128 2 R4 R30 16 1 0x7f00%08x 16 0", address)); put("0050", "0 LDGDEPBAR 0 0 0") }
    # The two lines of a copy, of which compilers write .BYPASS.
    function copy_both(k) {
        put("0040", sprintf("0 LDGSTS.E.BYPASS.128 2 R4 R30 16 1 0x%x 16 0", 512 * (k % 8)))
        put("0040", sprintf("0 LDGSTS.E.BYPASS.128 2 R4 R30 16 1 0x7f00%08x 16 0", 1048576 * (1 + int(k / 4))))
        put("0050", "0 LDGDEPBAR 0 0 0")
    }
    function await(keep) { put("0060", "0 DEPBAR.LE 0 0 " keep) }
    # Independent instructions of two opcodes in turn.
    function pairs(opcodes, step,   k, op) {
        split(opcodes, op, " ")
        for (k = 0; k < 200; k++) put("0010", "1 R" 6 + step * k % 20 " " op[1 + k % 2] " 1 R30 0 0")
    }
    function nop_alu(n) { while (n--) put("0010", "0 IADD3 0 0 0") }
    # 8 times 17 loads of two passes; one of 17 dependent instructions reads each.
    function lds_alu(   k, i, lanes) {
        for (i = 0; i < 29; i++) lanes = lanes "4 "
        for (k = 0; k < 8; k++) {
            put("0180", "1 R4 IADD3 0 0 0")
            for (i = 0; i < 17; i++) put(sprintf("%04x", 400 + 16 * i), sprintf("1 R%d LDS 1 R0 4 2 0x0 128 -120 %s0", 8 + 4 * i, lanes))
            for (i = 0; i < 17; i++) put(sprintf("%04x", 672 + 16 * i), sprintf("1 R4 IADD3 2 R4 R%d 0 0", 8 + 4 * i))
        }
    }
    function alu_banks(   k, i) {
        for (k = 0; k < 8; k++) {
            put("0180", "1 R4 IADD3 0 0 0")
            for (i = 0; i < 17; i++) put(sprintf("%04x", 400 + 16 * i), "1 R4 IADD3 2 R4 R20 0 0")
        }
    }
    # 20 registers are used in turn.
    function warp(c, w, g,   k) {
        if (name == "m_alu_dep") for (k = 0; k < 200; k++) alu(6, 6)
        else if (name == "m_alu_ind" || name == "m_alu_thr") for (k = 0; k < 200; k++) alu(6 + k % 20, 30)
        else if (name in pair) pairs(pair[name], name == "m_sfu_dp" ? 2 : 1)
        else if (name == "m_sfu_dep") for (k = 0; k < 100; k++) sfu(6, 6)
        else if (name == "m_sfu_thr") for (k = 0; k < 100; k++) sfu(6 + k % 20, 30)
        else if (name == "m_dp_dep") for (k = 0; k < 100; k++) dp(6, 6)
        else if (name == "m_dp_thr") for (k = 0; k < 100; k++) dp(6 + 2 * k % 20, 30)
        else if (name == "m_lds_dep") for (k = 0; k < 100; k++) lds(6, 6)
        else if (name == "m_lds_thr") for (k = 0; k < 100; k++) lds(6 + k % 20, 30)
        else if (name == "m_atoms") for (k = 0; k < 50; k++) put("0030", "0 ATOMS.POPC.INC.32 1 R30 4 1 0x100 4 0")
        else if (name == "m_lds_alu") { put("0100", "1 R5 IADD3 0 0 0"); lds_alu() }
        else if (name == "m_lds_alu_dep") lds_alu()
        else if (name == "m_alu_banks") alu_banks()
        else if (name == "m_l1_dep") for (k = 0; k < 100; k++) ld("SYS", 6, 6, 0, 4)
        else if (name == "m_l1_thr") for (k = 0; k < 100; k++) ld("SYS", 6 + k % 20, 30, 128 * w, 4)
        else if (name == "m_l2_dep") for (k = 0; k < 100; k++) ld("STRONG.GPU", 6, 6, 0, 4)
        else if (name == "m_l2_sec_dep") for (k = 0; k < 100; k++) ld("STRONG.GPU", 6, 6, 0, 0)
        else if (name == "m_l2_thr") for (k = 0; k < 20; k++) ld("STRONG.GPU", 6 + k, 30, (128 * g + 896 * k) % 65536, 4)
        else if (name == "m_dram_dep") for (k = 0; k < 100; k++) ld("STRONG.GPU", 6, 6, 1048576 * k, 4)
        else if (name == "m_dram_l1_dep") for (k = 0; k < 100; k++) ld("SYS", 6, 6, 1048576 * k, 4)
        else if (name == "m_st1") for (k = 0; k < 100; k++) st(128 * k)
        else if (name == "m_red" || name == "m_red_thr") for (k = 0; k < 20; k++) put("0050", sprintf("0 RED.E.ADD.STRONG.GPU 2 R2 R6 4 1 0x7f00%08x 4 0", 128 * (20 * g + k)))
        else if (name == "m_st_wait") for (k = 0; k < 20; k++) { ld("STRONG.GPU", 6, 6, 128 * k, 4); st(4194304 + 128 * k) }
        else if (name == "m_st_thr") for (k = 0; k < 20; k++) st(128 * (20 * g + k))
        else if (name == "m_div_l1") for (k = 0; k < 20; k++) ld("SYS", 6 + k % 2, 30, 4096 * (k % 2), 128)
        else if (name == "m_written") written()
        else if (name == "m_spill") spill(40)
        else if (name == "m_ldgsts_wait") for (k = 0; k < 20; k++) { copy(1048576 * k); await(0) }
        else if (name == "m_ldgsts_hit") for (k = 0; k < 100; k++) { copy(0); await(0) }
        else if (name == "m_ldgsts_two") for (k = 0; k < 40; k++) { copy(1048576 * k); if (k) await(1) }
        else if (name == "m_ldgsts_thr") for (k = 0; k < 20; k++) { copy(512 * (20 * g + k)); if (k) await(1) }
        else if (name == "m_ldgsts_both") for (k = 0; k < 40; k++) { copy_both(k); await(0) }
        else if (name == "m_bank_thr") for (k = 0; k < 2; k++) ld("SYS", 6 + k, 30, 8192 * w + 4096 * k, 128)
        else if (name == "m_same_thr") for (k = 0; k < 6; k++) put(sprintf("%04x", 16 + 16 * k), sprintf("1 R%d LDG.E.128.SYS 1 R4 16 1 0x7f00%08x 16 0", 8 + 4 * k, 512 * k))
        else if (name == "m_bar") for (k = 0; k < 100; k++) put("0060", "0 BAR.SYNC 0 0 0")
        else if (name == "m_bar_alu") for (k = 0; k < 100; k++) { nop_alu(19); put("0020", "0 BAR 0 0 0") }
        else if (name == "m_bar_dep") for (k = 0; k < 100; k++) { nop_alu(8); put("0020", "0 BAR 0 0 0"); put("0030", "1 R4 IADD3 1 R4 0 0") }
        else if (name == "m_exit_alu") nop_alu(60 + 12 * w)
        else if (name == "m_cta_ld") ld("SYS", 6, 6, 128 * g, 4)
        else if (name == "m_cta_st") st(128 * g)
        else if (name == "m_port_st") for (k = 0; k < 20; k++) st(128 * (20 * g + k))
        else if (name == "m_port_ld") for (k = 0; k < 4; k++) ld("SYS", 6 + k, 30, 128 * (4 * g + k), 4)
        put(exit_pc, "0 EXIT 0 0 0")
    }
    BEGIN {
        # CTAs, warps per CTA, bytes of shared memory
        shape["m_alu_banks"] = shape["m_lds_alu"] = "1 10 4096"
        shape["m_lds_alu_dep"] = shape["m_lds_dep"] = "1 1 4096"
        shape["m_lds_thr"] = "1 32 4096"
        shape["m_atoms"] = "1 8 4096"
        shape["m_alu_thr"] = shape["m_sfu_thr"] = shape["m_dp_thr"] = shape["m_l1_thr"] = "1 32 0"
        shape["m_ldgsts_wait"] = shape["m_ldgsts_hit"] = shape["m_ldgsts_two"] = "1 1 4096"
        shape["m_ldgsts_thr"] = "60 8 4096"
        shape["m_ldgsts_both"] = "1 1 4096"
        shape["m_same_thr"] = "46 4 0"
        shape["m_bank_thr"] = "1 16 0"
        shape["m_bar"] = shape["m_div_l1"] = shape["m_spill"] = "1 8 0"
        shape["m_l2_thr"] = shape["m_st_thr"] = shape["m_red_thr"] = "60 8 0"
        shape["m_port_ld"] = shape["m_port_st"] = "80 1 0"
        shape["m_cta_ld"] = shape["m_cta_st"] = "480 8 0"
        shape["m_bar_alu"] = shape["m_bar_dep"] = "120 1 0"
        shape["m_exit_alu"] = "60 16 0"
        shape["m_empty512"] = "512 8 0"
        pair["m_fp_int"] = "FADD IADD3"
        pair["m_sfu_dp"] = "MUFU.RCP DADD"
        pair["m_half_thr"] = "HFMA2 HFMA2"
        pair["m_bra_thr"] = "BRA BRA"
        pair["m_tex_int"] = "TEX IADD3"
        pair["m_tensor_int"] = "HMMA.16816.F32 IADD3"
        pair["m_udp_int"] = "UIADD3 IADD3"
        for (i in pair) shape[i] = "1 8 0"
        n = split("alu_dep alu_ind sfu_dep dp_dep l1_dep l2_dep l2_sec_dep dram_dep dram_l1_dep st1 red st_wait written empty1", one)
        for (i = 1; i <= n; i++) shape["m_" one[i]] = "1 1 0"
        if (!(name in shape)) { print "micro_trace.sh: " name ": no such micro trace" >"/dev/stderr"; exit 1 }
        split(shape[name], s, " ")
        exit_pc = name ~ /lds_alu|alu_banks/ ? "0500" : name ~ /bar_alu|bar_dep|exit_alu/ ? "0070" : "00f0"
        head(name, 1, s[1], s[2], s[3], 16, name ~ /ldgsts/ ? 86 : name == "m_udp_int" ? 75 : 70, 0, "7f1", name ~ /ldgsts/ ? 5 : 4)
        blocks(s[1], s[2])
    }'
