# SPDX-License-Identifier: Apache-2.0
# Functions of the scripts that write traces. The script defines warp(c, w, g), which puts the instructions of warp W of CTA C; G counts
# warps over all CTAs.

# Puts one instruction: its address and the rest of its line behind the mask of its lanes.
function put(pc, rest) { put_lanes(pc, "ffffffff", rest) }
function put_lanes(pc, mask, rest) { code[insts++] = pc " " mask " " rest }

# Prints the head of a kernel. Its windows of shared and local memory are WINDOW (3 digits) and the next.
function head(name, id, ctas, warps, shared, registers, binary, stream, window, version) {
    printf "-kernel name = %s\n-kernel id = %d\n-grid dim = (%d,1,1)\n-block dim = (%d,1,1)\n-shmem = %d\n-nregs = %d\n", name, id, ctas, 32 * warps, shared, registers
    printf "-binary version = %d\n-cuda stream id = %s\n-shmem base_addr = 0x0000%s000000000\n-local mem base_addr = 0x0000%s100000000\n", binary, stream, window, window
    printf "-nvbit version = 1.5.3\n-accelsim tracer version = %d\n-enable lineinfo = 0\n\n", version
    printf "#traces format = PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width [adrrescompress?] [mem_addresses] immediate\n\n"
}

# Prints the CTAs of a kernel.
function blocks(ctas, warps,   c, w, i) {
    for (c = 0; c < ctas; c++) {
        printf "\n#BEGIN_TB\n\nthread block = %d,0,0\n", c
        for (w = 0; w < warps; w++) {
            insts = 0
            warp(c, w, c * warps + w)
            printf "\nwarp = %d\ninsts = %d\n", w, insts
            for (i = 0; i < insts; i++) print code[i]
        }
        printf "\n#END_TB\n"
    }
}
