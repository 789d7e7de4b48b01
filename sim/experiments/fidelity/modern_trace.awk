# SPDX-License-Identifier: Apache-2.0
# The kernels of modern_trace.sh, as GPU compilers write them: code addresses of loops repeat, lanes that a predicate turns off are not in the
# mask, wide loads name the first register. Appended to trace.awk.

# The code address PC and the MASK of lanes belong to the next instruction. A, B, C and D are the arrays of a kernel, 256 MiB apart.
function names(list,   part, n, i, text) {
    if (list in known) return known[list]
    n = split(list, part, " ")
    text = n
    for (i = 1; i <= n; i++) text = text " R" part[i]
    return known[list] = text
}
function to_reg(to) { return to == "" ? "0 " : "1 R" to " " }
function emit(rest) { put_lanes(sprintf("%04x", pc), mask, rest); pc += 16 }
function op(opcode, to, from) { emit(to_reg(to) opcode " " names(from) " 0 0") }
function ops(n, opcode, to, from,   i) { for (i = 0; i < n; i++) op(opcode, to + i, from + i) }
function width(opcode) { return opcode ~ /128|LDSM/ ? 16 : opcode ~ /[.]64/ ? 8 : opcode ~ /U8/ ? 1 : 4 }
function place(opcode, x) { return opcode ~ /^(LDS|STS|ATOMS)/ || in_shared ? sprintf("0x%x", x) : sprintf("0x7f%010x", x) }
# An access of the lanes of MASK, which are adjacent, STRIDE bytes apart from START on.
function line(opcode, to, from, start, stride) {
    emit(to_reg(to) opcode " " names(from) " " width(opcode) " 1 " place(opcode, start) " " stride " 0")
}
# An access of the lanes with LANE[l] >= 0, their addresses.
function spread(opcode, to, from,   l, nibble, first, last, text, hex) {
    first = -1
    for (l = 0; l < 32; l++) {
        if (l % 4 == 0) nibble = 0
        if (lane[l] >= 0) {
            nibble += 2 ^ (l % 4)
            if (first < 0) first = lane[l]
            else text = text (lane[l] - last) " "
            last = lane[l]
        }
        if (l % 4 == 3) hex = sprintf("%x", nibble) hex
    }
    if (first < 0) { pc += 16; return }
    put_lanes(sprintf("%04x", pc), hex, to_reg(to) opcode " " names(from) " " width(opcode) " 2 " place(opcode, first) " " text "0")
    pc += 16
}
# Sets the mask of lanes LOW to HIGH - 1.
function lanes(low, high,   l, nibble, hex) {
    for (l = 0; l < 32; l++) {
        nibble = (l % 4 ? nibble : 0) + (l >= low && l < high ? 2 ^ (l % 4) : 0)
        if (l % 4 == 3) hex = sprintf("%x", nibble) hex
    }
    mask = hex
}
function all() { mask = "ffffffff" }
function barrier() { op("BAR.SYNC", "", "") }
function random(n) { seed = seed * 16807 % 2147483647; return int(seed / 2147483647 * n) }

# Index of the thread, a bound that holds, the addresses of N arrays from R4 on.
function prologue(n,   i) {
    all()
    pc = 0
    op("MOV", 1, "")
    op("S2R", 0, "")
    op("S2R", 3, "")
    op("IMAD", 0, "0 3")
    op("ISETP.GE.AND", "", "0")
    mask = "00000000"
    op("BRA", "", "")
    all()
    op("MOV", 2, "")
    for (i = 0; i < n; i++) op("IMAD.WIDE", 4 + 2 * i, "0 2")
}
# The end of an iteration of a loop that begins at TOP.
function again(top, more) {
    op("IADD3", 0, "0")
    op("ISETP.GE.AND", "", "0")
    op("BRA", "", "")
    if (more) pc = top
}
# Shuffles with an operation after each: a reduction over the warp.
function fold(opcode, r,   i) {
    for (i = 0; i < 5; i++) { op("SHFL.BFLY", 29, r); op(opcode, r, r " 29") }
}
# A reduction over the CTA: over warps, then through shared memory.
function fold_block(opcode, r, w, warps) {
    fold(opcode, r)
    lanes(0, 1)
    line("STS", "", "3 " r, 4 * w, 4)
    all()
    barrier()
    lanes(0, warps)
    line("LDS", r, 3, 0, 4)
    all()
    fold(opcode, r)
    barrier()
}

# A product of matrices of 16-bit elements (N bytes each) in tiles of TM by TN by KT, of which a warp has WM by WN. STAGES tiles are in shared
# memory. MMA: 884, 1688, 16816, or 8816 for IMMA. COPY: by LDGSTS, whose two lines are those of tracers: shared memory, then global.
function tile_rows(kind, k, w, stage,   i, l, row, chunks, rows, base) {
    chunks = kt * bytes / 16
    rows = 32 / chunks
    for (i = 0; i < (tm + tn) * kt * bytes / (512 * warps); i++) {
        row = (i * warps + w) * rows
        if (kind != "LDG") {
            for (l = 0; l < 32; l++) lane[l] = (stage * (tm + tn) + row + int(l / chunks)) * kt * bytes + swizzled(l % chunks, row + int(l / chunks)) * 16
            if (kind == "STS") spread("STS.128", "", "20 " 60 + 4 * i)
            else { in_shared = 1; spread("LDGSTS.E.BYPASS.128", "", "20 22"); in_shared = 0; pc -= 16 }
        }
        if (kind == "STS") continue
        base = row < tm ? A + (bm * tm + row) * kk_all * bytes : B + (bn * tn + row - tm) * kk_all * bytes
        for (l = 0; l < 32; l++) lane[l] = base + int(l / chunks) * kk_all * bytes + k * kt * bytes + l % chunks * 16
        if (kind == "LDG") spread("LDG.E.128.SYS", 60 + 4 * i, 4 + 2 * (row >= tm))
        else spread("LDGSTS.E.BYPASS.128", "", "20 22")
    }
}
# The place of a chunk of 16 bytes in its row: 8 rows of a matrix are in different banks.
function swizzled(chunk, row) { return kt * bytes == 64 ? xored(chunk, int(row / 2) % 4) : xored(chunk, row % 8) }
function xored(a, b,   bit, x) {
    if ((a, b) in xors) return xors[a, b]
    for (bit = 1; bit < 64; bit *= 2) x += (int(a / bit) + int(b / bit)) % 2 * bit
    return xors[a, b] = x + 0
}
# A 16 by 16 fragment of shared memory.
function fragment(to, row, kk, stage,   l, r) {
    for (l = 0; l < 32; l++) {
        r = row + l % 16
        lane[l] = (stage * (tm + tn) + r) * kt * bytes + swizzled(2 * kk + int(l / 16), r) * 16
    }
    spread(mma == 884 ? "LDS.U.128" : "LDSM.16.M88.4", to, mma == 884 ? "20" : "21")
}
function products(acc, a, b,   s, t, u) {
    if (mma == 884) for (s = 0; s < 4; s++) for (t = 0; t < 4; t++) op("HMMA.884.F32.F32.STEP" t, acc + 2 * t, a + s " " b + s " " acc + 2 * t)
    else if (mma == 1688) for (s = 0; s < 2; s++) for (t = 0; t < 2; t++) op("HMMA.1688.F32", acc + 4 * t, a + 2 * s " " b + s + 2 * t " " acc + 4 * t)
    else if (mma == 16816) for (t = 0; t < 2; t++) op("HMMA.16816.F32", acc + 4 * t, a " " b + 2 * t " " acc + 4 * t)
    else for (s = 0; s < 2; s++) for (t = 0; t < 2; t++) for (u = 0; u < 2; u++) op("IMMA.8816.S8.S8", acc + 4 * t + 2 * u, a + 2 * s + u " " b + s + 2 * t " " acc + 4 * t + 2 * u)
}
function multiply(w, stage,   kk, i, j, row, col) {
    row = w % (tm / wm) * wm
    col = int(w / (tm / wm)) * wn
    for (kk = 0; kk < kt * bytes / 32; kk++) {
        for (i = 0; i < wm / 16; i++) fragment(20 + 4 * i, row + 16 * i, kk, stage)
        for (j = 0; j < wn / 16; j++) fragment(40 + 4 * j, tm + col + 16 * j, kk, stage)
        for (i = 0; i < wm / 16; i++) for (j = 0; j < wn / 16; j++) products(100 + 8 * (i * wn / 16 + j), 20 + 4 * i, 40 + 4 * j)
    }
}
# The sums go through the warp's own shared memory, so that a store has whole lines.
function result(w,   i, j, q, l, row, col, per, area) {
    row = w % (tm / wm) * wm
    col = int(w / (tm / wm)) * wn
    per = wn / 4
    area = w * 16 * (4 * wn + 16)
    barrier()
    for (i = 0; i < wm / 16; i++) {
        for (j = 0; j < wn / 16; j++) for (q = 0; q < 4; q++) {
            for (l = 0; l < 32; l++) lane[l] = area + (int(l / 4) + 8 * (q % 2)) * (4 * wn + 16) + (16 * j + 8 * int(q / 2) + l % 4 * 2) * 4
            spread("STS.64", "", "20 " 100 + 8 * (i * wn / 16 + j) + 2 * q)
        }
        for (j = 0; j < 16 * per / 32; j++) {
            for (l = 0; l < 32; l++) lane[l] = area + (32 / per * j + int(l / per)) * (4 * wn + 16) + l % per * 16
            spread("LDS.128", 60 + 4 * j, 20)
        }
        for (j = 0; j < 16 * per / 32; j++) {
            for (l = 0; l < 32; l++) lane[l] = C + ((bm * tm + row + 16 * i + 32 / per * j + int(l / per)) * n_all + bn * tn + col) * 4 + l % per * 16
            spread("STG.E.128.SYS", "", "8 " 60 + 4 * j)
        }
    }
}
function gemm(c, w, m_all,   k, top, tiles, s) {
    bm = c % (m_all / tm)
    bn = int(c / (m_all / tm))
    tiles = kk_all / kt
    prologue(3)
    for (s = 0; s < wm * wn / 32; s++) op("CS2R", 100 + s, "")
    if (copy) for (s = 0; s < stages - 1; s++) { tile_rows("COPY", s, w, s); op("LDGDEPBAR", "", "") }
    else { tile_rows("LDG", 0, w); tile_rows("STS", 0, w, 0); barrier() }
    top = pc
    for (k = 0; k < tiles; k++) {
        if (copy) {
            emit("0 DEPBAR.LE 0 0 " stages - 2)
            barrier()
            if (k + stages - 1 < tiles) tile_rows("COPY", k + stages - 1, w, (k + stages - 1) % stages)
            op("LDGDEPBAR", "", "")
            multiply(w, k % stages)
        } else {
            if (k + 1 < tiles) tile_rows("LDG", k + 1, w)
            multiply(w, k % stages)
            if (k + 1 < tiles) tile_rows("STS", k + 1, w, (k + 1) % stages)
            barrier()
        }
        ops(2, "IADD3", 4, 4)
        again(top, k + 1 < tiles)
    }
    result(w)
}
# A 3 by 3 convolution of 56 by 56 pixels and 64 channels of 8 bits, NHWC, as a product of 64 pixels and 64 filters for each tap.
function conv(c, w,   tap, top, i, l, pixel, y, x) {
    bm = c
    prologue(3)
    ops(32, "CS2R", 100, 0)
    top = pc
    for (tap = 0; tap < 9; tap++) {
        for (i = 0; i < 4; i++) {
            for (l = 0; l < 32; l++) {
                pixel = c * 64 + ((i % 2 * 4 + w) * 8 + int(l / 4))
                y = int(pixel / 56) + int(tap / 3) - 1
                x = pixel % 56 + tap % 3 - 1
                if (i >= 2) lane[l] = B + (tap * 64 + (i - 2) * 32 + w * 8 + int(l / 4)) * 64 + l % 4 * 16
                else lane[l] = y < 0 || y > 55 || x < 0 || x > 55 ? -1 : A + (y * 56 + x) * 64 + l % 4 * 16
            }
            op("ISETP.LT.U32.AND", "", "0 3")
            spread("LDG.E.128.SYS", 60 + 4 * i, i < 2 ? 4 : 6)
        }
        for (i = 0; i < 4; i++) {
            for (l = 0; l < 32; l++) lane[l] = (tap % 2 * 128 + i * 32 + w * 8 + int(l / 4)) * 64 + swizzled(l % 4, i * 32 + w * 8 + int(l / 4)) * 16
            spread("STS.128", "", "20 " 60 + 4 * i)
        }
        barrier()
        multiply(w, tap % 2)
        ops(2, "IADD3", 4, 4)
        again(top, tap < 8)
    }
    # Rounded to bytes.
    for (i = 0; i < 32; i++) { op("I2F", 60, 100 + i); op("FFMA", 60, "60 30"); op("F2I", 100 + i, 60) }
    for (i = 0; i < 8; i++) { op("PRMT", 60 + i, 100 + 4 * i " " 101 + 4 * i); op("PRMT", 60 + i, 60 + i " " 102 + 4 * i) }
    for (i = 0; i < 2; i++) {
        for (l = 0; l < 32; l++) lane[l] = C + (c * 64 + w % 2 * 32 + i * 16 + int(l / 2)) * 64 + int(w / 2) * 32 + l % 2 * 16
        spread("STG.E.128.SYS", "", "8 " 60 + 4 * i)
    }
}
# Attention of 64 queries with 64 values each over 8 blocks of 64 keys: products, a softmax of each block, products.
function attention(c, w,   block, top, i, l, j) {
    prologue(3)
    for (i = 0; i < 4; i++) line("LDG.E.128.SYS", 60 + 4 * i, 4, A + (c * 64 + w * 16 + i * 4) * 128, 16)
    for (i = 0; i < 4; i++) line("STS.128", "", "20 " 60 + 4 * i, (w * 16 + i * 4) * 128, 16)
    barrier()
    ops(32, "CS2R", 132, 0)
    top = pc
    for (block = 0; block < 8; block++) {
        for (i = 0; i < 8; i++) line("LDG.E.128.SYS", 60 + 4 * i, 6, (i < 4 ? B : C) + (int(c / 4) * 512 + block * 64 + w * 16 + i % 4 * 4) * 128, 16)
        for (i = 0; i < 8; i++) line("STS.128", "", "20 " 60 + 4 * i, 8192 + (i < 4 ? 0 : 8192) + (w * 16 + i % 4 * 4) * 128, 16)
        barrier()
        ops(32, "CS2R", 100, 0)
        for (i = 0; i < 4; i++) {
            fragment(20, w * 16, i, 0)
            for (j = 0; j < 4; j++) { fragment(40 + 4 * j, 64 + 16 * j, i, 0); products(100 + 8 * j, 20, 40 + 4 * j) }
        }
        for (i = 0; i < 32; i++) op("FMNMX", 90 + i % 2, 100 + i " " 90 + i % 2)
        for (i = 0; i < 2; i++) for (j = 0; j < 2; j++) { op("SHFL.BFLY", 92, 90 + i); op("FMNMX", 90 + i, 90 + i " 92") }
        for (i = 0; i < 32; i++) { op("FFMA", 100 + i, 100 + i " 94 " 90 + i % 2); op("MUFU.EX2", 100 + i, 100 + i) }
        for (i = 0; i < 32; i++) op("FADD", 95 + i % 2, 95 + i % 2 " " 100 + i)
        for (i = 0; i < 32; i++) op("FMUL", 132 + i, 132 + i " " 90 + i % 2)
        for (i = 0; i < 16; i++) op("F2F", 60 + i, 100 + 2 * i)
        for (i = 0; i < 4; i++) for (j = 0; j < 4; j++) { fragment(40 + 4 * j, 128 + 16 * j, i, 0); products(132 + 8 * j, 60 + 4 * i, 40 + 4 * j) }
        barrier()
        again(top, block < 7)
    }
    for (i = 0; i < 2; i++) op("MUFU.RCP", 95 + i, 95 + i)
    for (i = 0; i < 32; i++) op("FMUL", 132 + i, 132 + i " " 95 + i % 2)
    for (i = 0; i < 16; i++) op("F2F", 60 + i, 132 + 2 * i)
    for (i = 0; i < 8; i++) {
        for (l = 0; l < 32; l++) lane[l] = D + (c * 64 + w * 16 + int(l / 4) + i % 2 * 8) * 128 + int(i / 2) * 32 + l % 4 * 8
        spread("STG.E.64.SYS", "", "8 " 60 + 2 * i)
    }
}
# A row of 1024 numbers for each CTA.
function softmax(c, w,   i) {
    prologue(2)
    line("LDG.E.128.SYS", 12, 4, A + c * 4096 + w * 512, 16)
    op("FMNMX", 20, "12 13")
    op("FMNMX", 21, "14 15")
    op("FMNMX", 20, "20 21")
    fold_block("FMNMX", 20, w, 8)
    for (i = 12; i < 16; i++) { op("FADD", i, i " 20"); op("FMUL", i, i); op("MUFU.EX2", i, i) }
    op("FADD", 22, "12 13")
    op("FADD", 23, "14 15")
    op("FADD", 22, "22 23")
    fold_block("FADD", 22, w, 8)
    op("MUFU.RCP", 22, 22)
    for (i = 12; i < 16; i++) op("FMUL", i, i " 22")
    line("STG.E.128.SYS", "", "6 12", B + c * 4096 + w * 512, 16)
}
# A row of 768 16-bit numbers for each warp, with weights and offsets that all have in common.
function layer_norm(g,   i) {
    prologue(2)
    for (i = 0; i < 3; i++) line("LDG.E.128.SYS", 12 + 4 * i, 4, A + g * 1536 + i * 512, 16)
    for (i = 0; i < 12; i++) { op("HADD2.F32", 30 + 2 * i, 12 + i); op("HADD2.F32", 31 + 2 * i, 12 + i) }
    for (i = 0; i < 24; i++) op("FADD", 60 + i % 2, 60 + i % 2 " " 30 + i)
    op("FADD", 60, "60 61")
    fold("FADD", 60)
    op("FMUL", 60, 60)
    for (i = 0; i < 24; i++) { op("FADD", 30 + i, 30 + i " 60"); op("FFMA", 62 + i % 2, 30 + i " " 30 + i " " 62 + i % 2) }
    op("FADD", 62, "62 63")
    fold("FADD", 62)
    op("FFMA", 62, "62 64")
    op("MUFU.RSQ", 62, 62)
    for (i = 0; i < 6; i++) line("LDG.E.128.CONSTANT.SYS", 70 + 4 * i, 8, (i < 3 ? B : C) + i % 3 * 512, 16)
    for (i = 0; i < 24; i++) { op("FMUL", 30 + i, 30 + i " 62"); op("FFMA", 30 + i, 30 + i " " 70 + int(i / 2) " " 82 + int(i / 2)) }
    for (i = 0; i < 12; i++) op("F2F.F16.F32", 12 + i, 30 + 2 * i)
    for (i = 0; i < 3; i++) line("STG.E.128.SYS", "", "6 " 12 + 4 * i, D + g * 1536 + i * 512, 16)
}
# 8 rows of 512 bytes for each warp out of 65536.
function embedding(g,   i, top) {
    prologue(2)
    top = pc
    for (i = 0; i < 8; i++) {
        line("LDG.E.64.CONSTANT.SYS", 12, 4, A + g * 64 + i * 8, 0)
        op("ISETP.LT.AND", "", "12")
        op("SEL", 14, "12 13")
        op("IMAD.WIDE", 16, "14 2")
        op("LEA", 18, "16 0")
        op("LEA.HI.X", 19, "16 17")
        line("LDG.E.128.CONSTANT.SYS", 20, 18, B + random(65536) * 512, 16)
        op("IMAD.WIDE", 24, "0 2")
        line("STG.E.128.SYS", "", "24 20", D + (g * 8 + i) * 512, 16)
        again(top, i < 7)
    }
}
# Sums of 16 times 4 numbers of each thread; a reduction in memory for each warp.
function reduce(c, w,   i, j, top) {
    prologue(1)
    top = pc
    for (i = 0; i < 4; i++) {
        for (j = 0; j < 4; j++) line("LDG.E.128.SYS", 12 + 4 * j, 4, A + ((i * 4 + j) * 64 + c) * 4096 + w * 512, 16)
        for (j = 0; j < 16; j++) op("FADD", 40 + j % 4, 40 + j % 4 " " 12 + j)
        again(top, i < 3)
    }
    op("FADD", 40, "40 41")
    op("FADD", 42, "42 43")
    op("FADD", 40, "40 42")
    fold_block("FADD", 40, w, 8)
    if (w) return
    lanes(0, 1)
    line("RED.E.ADD.F32.FTZ.RN.STRONG.GPU", "", "6 40", B, 4)
    all()
}
# Adds each number to one of 16384 sums, and appends a third of them to a list.
function scatter(g,   i, l, top, start, n, kept) {
    prologue(2)
    top = pc
    for (i = 0; i < 8; i++) {
        start = (i * 1024 + g) * 128
        line("LDG.E.SYS", 12, 4, A + start, 4)
        line("LDG.E.SYS", 13, 6, B + start, 4)
        op("IMAD.WIDE", 14, "12 2")
        for (l = 0; l < 32; l++) lane[l] = C + random(16384) * 4
        spread("RED.E.ADD.F32.FTZ.RN.STRONG.GPU", "", "14 13")
        op("FSETP.GT.AND", "", "13")
        op("VOTE.ANY", 16, "")
        op("POPC", 17, 16)
        lanes(0, 1)
        line("ATOMG.E.ADD.STRONG.GPU", 18, "8 17", D, 4)
        all()
        op("SHFL.IDX", 18, 18)
        op("LOP3.LUT", 19, "16 3")
        op("POPC", 19, 19)
        op("IADD3", 19, "18 19")
        op("IMAD.WIDE", 20, "19 2")
        n = 0
        for (l = 0; l < 32; l++) lane[l] = random(3) ? -1 : D + 4096 + (kept + n++) * 4
        kept += n
        spread("STG.E.SYS", "", "20 13")
        again(top, i < 7)
    }
}
# 256 bins of bytes in shared memory, then in memory. Values near the middle are more frequent.
function histogram(c, w,   i, j, l, top) {
    prologue(2)
    line("STS", "", "3 255", w * 128, 4)
    barrier()
    top = pc
    for (i = 0; i < 4; i++) {
        line("LDG.E.128.SYS", 12, 4, A + (i * 60 + c) * 4096 + w * 512, 16)
        for (j = 0; j < 16; j++) {
            op(j % 2 ? "LOP3.LUT" : "PRMT", 20, 12 + int(j / 4))
            op("SHF.L.U32", 20, "20 255")
            for (l = 0; l < 32; l++) lane[l] = int((random(256) + random(256)) / 2) * 4
            spread("ATOMS.POPC.INC.32", "", "20")
        }
        again(top, i < 3)
    }
    barrier()
    line("LDS.U", 20, 3, w * 128, 4)
    line("RED.E.ADD.STRONG.GPU", "", "6 20", B + w * 128, 4)
}
# 512 by 512 numbers in tiles of 32 by 32 with a pad.
function transpose(c, w,   i, x, y) {
    x = c % 16
    y = int(c / 16)
    prologue(2)
    for (i = 0; i < 4; i++) line("LDG.E.SYS", 12 + i, 4, A + (y * 32 + w + 8 * i) * 2048 + x * 128, 4)
    for (i = 0; i < 4; i++) line("STS", "", "3 " 12 + i, (w + 8 * i) * 132, 4)
    barrier()
    op("S2R", 8, "")
    op("IMAD", 9, "8 0")
    op("IMAD.WIDE", 10, "9 2")
    for (i = 0; i < 4; i++) line("LDS", 16 + i, 3, (w + 8 * i) * 4, 132)
    for (i = 0; i < 4; i++) line("STG.E.SYS", "", "10 " 16 + i, B + (x * 32 + w + 8 * i) * 2048 + y * 128, 4)
}
# 256 by 128 by 16 numbers in tiles of 32 by 8, whose halo is in shared memory, plane by plane.
function stencil(c, w,   x, y, z, top, row) {
    x = c % 8
    y = int(c / 8)
    prologue(2)
    row = (w + 1) * 144 + 4
    for (z = 12; z < 15; z++) line("LDG.E.SYS", z, 4, A + ((z - 12) * 32768 + (y * 8 + w) * 256 + x * 32) * 4, 4)
    top = pc
    for (z = 1; z < 15; z++) {
        line("STS", "", "3 13", row, 4)
        op("ISETP.EQ.AND", "", "3")
        if (w == 0 && y) { line("LDG.E.SYS", 16, 4, A + (z * 32768 + (y * 8 - 1) * 256 + x * 32) * 4, 4); line("STS", "", "3 16", 4, 4) }
        else if (w == 7 && y < 15) { pc += 32; line("LDG.E.SYS", 16, 4, A + (z * 32768 + (y * 8 + 8) * 256 + x * 32) * 4, 4); line("STS", "", "3 16", 9 * 144 + 4, 4); pc -= 32 }
        else pc += 32
        pc += 32
        op("ISETP.EQ.AND", "", "0")
        if (x) {
            lanes(0, 1)
            line("LDG.E.SYS", 17, 4, A + (z * 32768 + (y * 8 + w) * 256 + x * 32 - 1) * 4, 4)
            line("STS", "", "3 17", row - 4, 4)
        } else pc += 32
        if (x < 7) {
            lanes(31, 32)
            line("LDG.E.SYS", 17, 4, A + (z * 32768 + (y * 8 + w) * 256 + x * 32 + 32) * 4, 4)
            line("STS", "", "3 17", row + 128, 4)
        } else pc += 32
        all()
        barrier()
        line("LDS", 20, 3, row - 4, 4)
        line("LDS", 21, 3, row + 4, 4)
        line("LDS", 22, 3, row - 144, 4)
        line("LDS", 23, 3, row + 144, 4)
        op("FADD", 24, "12 14")
        op("FADD", 25, "20 21")
        op("FADD", 26, "22 23")
        op("FADD", 24, "24 25")
        op("FADD", 24, "24 26")
        op("FMUL", 27, 13)
        op("FFMA", 27, "24 28 27")
        line("STG.E.SYS", "", "6 27", B + (z * 32768 + (y * 8 + w) * 256 + x * 32) * 4, 4)
        op("MOV", 12, 13)
        op("MOV", 13, 14)
        if (z < 14) line("LDG.E.SYS", 14, 4, A + ((z + 2) % 16 * 32768 + (y * 8 + w) * 256 + x * 32) * 4, 4)
        barrier()
        again(top, z < 14)
    }
}
# A row of 8 to 71 of 65536 columns for each warp, 4 rows one after another.
function spmv(g,   i, k, l, n, top, inner) {
    prologue(2)
    top = pc
    for (i = 0; i < 4; i++) {
        line("LDG.E.CONSTANT.SYS", 12, 4, A + (g * 4 + i) * 4, 0)
        line("LDG.E.CONSTANT.SYS", 13, 4, A + (g * 4 + i + 1) * 4, 0)
        op("IADD3", 14, "12 0")
        op("ISETP.GE.AND", "", "14 13")
        op("BSSY", "", "")
        op("CS2R", 20, "")
        inner = pc
        n = 8 + random(64)
        for (k = 0; k < n; k += 32) {
            pc = inner
            lanes(0, n - k < 32 ? n - k : 32)
            op("IMAD.WIDE", 16, "14 2")
            line("LDG.E.CONSTANT.SYS", 18, 16, B + (g * 288 + i * 72 + k) * 4, 4)
            line("LDG.E.CONSTANT.SYS", 19, 16, C + (g * 288 + i * 72 + k) * 4, 4)
            op("IMAD.WIDE", 22, "18 2")
            for (l = 0; l < 32; l++) lane[l] = l < n - k ? D + random(65536) * 4 : -1
            spread("LDG.E.CONSTANT.SYS", 24, 22)
            op("FFMA", 20, "19 24 20")
            again(inner, 0)
        }
        all()
        op("BSYNC", "", "")
        fold("FADD", 20)
        lanes(0, 1)
        line("STG.E.SYS", "", "8 20", D + 16777216 + (g * 4 + i) * 4, 4)
        all()
        again(top, i < 3)
    }
}
# 1024 complex numbers for each CTA: three rounds with exchanges through shared memory. A thread has 8 of them.
function fft(c, w,   round, i) {
    prologue(2)
    for (i = 0; i < 8; i++) line("LDG.E.64.SYS", 12 + 2 * i, 4, A + c * 8192 + (i * 128 + w * 32) * 8, 8)
    for (round = 0; round < 3; round++) {
        for (i = 0; i < 24; i++) { op("FADD", 30 + i % 16, 12 + i % 16 " " 12 + (i + 8) % 16); op("FADD", 12 + i % 16, 12 + i % 16 " " 12 + (i + 8) % 16) }
        for (i = 0; i < 8; i++) op("FFMA", 12 + i, "30 46 " 12 + i)
        if (round == 2) break
        op("I2F", 50, 3)
        op("FMUL", 50, 50)
        op("MUFU.SIN", 51, 50)
        op("MUFU.COS", 52, 50)
        for (i = 1; i < 8; i++) { op("FMUL", 30, 12 + 2 * i " 51"); op("FFMA", 12 + 2 * i, 12 + 2 * i " 52 30"); op("FMUL", 31, 13 + 2 * i " 51"); op("FFMA", 13 + 2 * i, 13 + 2 * i " 52 31") }
        for (i = 0; i < 16; i++) line("STS", "", "3 " 12 + i, i % 2 * 4608 + int(i / 2) * 4 + w * 32 * 36, 36)
        barrier()
        for (i = 0; i < 16; i++) line("LDS", 12 + i, 3, i % 2 * 4608 + int(i / 2) * 576 + w * (round ? 144 : 128), 4)
        barrier()
    }
    for (i = 0; i < 8; i++) line("STG.E.64.SYS", "", "6 " 12 + 2 * i, B + c * 8192 + (i * 128 + w * 32) * 8, 8)
}
# y = a x + y, 4 numbers of 128 bits for each thread, FROM bytes after A.
function saxpy(g, from, to,   i) {
    prologue(2)
    for (i = 0; i < 4; i++) { line("LDG.E.128.SYS", 12 + 4 * i, 4, A + from + (g * 4 + i) * 512, 16); line("LDG.E.128.SYS", 28 + 4 * i, 6, B + from + (g * 4 + i) * 512, 16) }
    for (i = 0; i < 16; i++) op("FFMA", 28 + i, "50 " 12 + i " " 28 + i)
    for (i = 0; i < 4; i++) line("STG.E.128.SYS", "", "6 " 28 + 4 * i, to + (g * 4 + i) * 512, 16)
}
# GELU of 4 numbers for each thread, 4 times.
function gelu(c, w,   i, k, top, at) {
    prologue(2)
    top = pc
    for (k = 0; k < 4; k++) {
        at = (k * 128 + c) * 4096 + w * 512
        line("LDG.E.128.SYS", 12, 4, A + at, 16)
        for (i = 12; i < 16; i++) { op("FMUL", i + 8, i " " i); op("FFMA", i + 8, i + 8 " 30 31"); op("FMUL", i + 8, i + 8 " " i); op("MUFU.EX2", i + 8, i + 8); op("FADD", i + 8, i + 8); op("MUFU.RCP", i + 8, i + 8); op("FFMA", i + 8, i + 8 " 32 33"); op("FMUL", i, i " " i + 8) }
        line("STG.E.128.SYS", "", "6 12", B + at, 16)
        again(top, k < 3)
    }
}
# Numbers to bytes: stores of a byte.
function quantize(c, w,   k, top, at) {
    prologue(2)
    top = pc
    for (k = 0; k < 8; k++) {
        at = (k * 120 + c) * 256 + w * 32
        line("LDG.E.SYS", 12, 4, A + at * 4, 4)
        op("FMUL", 12, "12 30")
        op("FRND", 12, 12)
        op("FMNMX", 12, "12 31")
        op("FMNMX", 12, "12 32")
        op("F2I.S8.NTZ", 13, 12)
        line("STG.E.U8.SYS", "", "6 13", B + at, 1)
        again(top, k < 7)
    }
}
# A bitonic sort of 512 numbers for each CTA in shared memory.
function sort(c, w,   size, step, l, t, a, top) {
    prologue(1)
    line("LDG.E.64.SYS", 12, 4, A + c * 2048 + w * 256, 8)
    line("STS.64", "", "3 12", w * 256, 8)
    barrier()
    top = pc
    for (size = 2; size <= 512; size *= 2) for (step = size / 2; step >= 1; step /= 2) {
        pc = top
        op("LOP3.LUT", 14, "3 15")
        op("IMAD", 16, "3 14")
        op("SHF.L.U32", 17, "16 255")
        for (l = 0; l < 32; l++) { t = w * 32 + l; a = 2 * t - t % step; lane[l] = a * 4 }
        spread("LDS", 20, 17)
        for (l = 0; l < 32; l++) lane[l] += step * 4
        spread("LDS", 21, 17)
        op("ISETP.GT.AND", "", "20 21")
        op("BSSY", "", "")
        op("BRA", "", "")
        for (l = 0; l < 32; l++) lane[l] = random(2) ? lane[l] : -1
        spread("STS", "", "17 20")
        for (l = 0; l < 32; l++) if (lane[l] >= 0) lane[l] -= step * 4
        spread("STS", "", "17 21")
        op("BSYNC", "", "")
        barrier()
        again(top, 0)
    }
    line("LDS.64", 12, 3, w * 256, 8)
    line("STG.E.64.SYS", "", "4 12", A + c * 2048 + w * 256, 8)
}
# The instructions of a public trace of PyTorch's pow on sm_70.
function pow_torch(c, w,   n, i, part, at) {
    at = c * 4096 + w * 512
    all()
    pc = 0
    op("MOV", 1, "")
    op("S2R", 0, "")
    op("SHF.L.U32", 0, "0 255")
    op("IADD3", 2, "0 255")
    op("ISETP.GE.U32.AND", "", "2")
    mask = "00000000"
    op("BRA", "", "")
    all()
    op("S2R", 11, "")
    op("MOV", 9, "")
    op("IMAD.WIDE", 2, "0 9")
    op("IMAD.WIDE.U32", 2, "11 2")
    line("LDG.E.128.SYS", 12, 2, A + at, 16)
    line("LDG.E.128.SYS", 4, 2, A + at + 2048, 16)
    op("IMAD.WIDE.U32", 8, "0 9")
    op("IMAD.WIDE", 8, "11 8")
    n = split("11:12,12 0:13,13 12:12,11 13:13,0 17:14,14 10:15,15 3:4,4 0:5,5 11:6,6 2:7,7 14:14,17 15:15,10 4:4,3 5:5,0 6:6,11 7:7,2", part, " ")
    for (i = 1; i <= n; i++) { sub(/,/, " ", part[i]); op("FMUL", substr(part[i], 1, index(part[i], ":") - 1), substr(part[i], index(part[i], ":") + 1)) }
    line("STG.E.128.SYS", "", "8 12", B + at, 16)
    line("STG.E.128.SYS", "", "8 4", B + at + 2048, 16)
}

function warp(c, w, g) {
    if (kind ~ /^gemm/) gemm(c, w, kind == "gemm96" ? 1024 : 512)
    else if (kind == "conv") conv(c, w)
    else if (kind == "attention") attention(c, w)
    else if (kind == "softmax") softmax(c, w)
    else if (kind == "layer_norm") layer_norm(g)
    else if (kind == "embedding") embedding(g)
    else if (kind == "reduce") reduce(c, w)
    else if (kind == "scatter") scatter(g)
    else if (kind == "histogram") histogram(c, w)
    else if (kind == "transpose") transpose(c, w)
    else if (kind == "stencil") stencil(c, w)
    else if (kind == "spmv") spmv(g)
    else if (kind == "fft") fft(c, w)
    else if (kind ~ /^saxpy(_small)?$/) saxpy(g, 0, B)
    else if (kind == "saxpy_next") saxpy(g, 0, A)
    else if (kind == "saxpy_other") saxpy(g, 67108864, D)
    else if (kind == "gelu") gelu(c, w)
    else if (kind == "quantize") quantize(c, w)
    else if (kind == "sort") sort(c, w)
    else if (kind == "pow") pow_torch(c, w)
    op("EXIT", "", "")
}
function tiles(m, n, k, in_warp_m, in_warp_n, all_k, size, instruction, of_stages, by_copy) {
    tm = m; tn = n; kt = k; wm = in_warp_m; wn = in_warp_n
    kk_all = all_k; bytes = size; mma = instruction; stages = of_stages; copy = by_copy
    n_all = 512
}
BEGIN {
    A = 0; B = 268435456; C = 536870912; D = 805306368
    # Accel-Sim deadlocks if the low 32 bits of an address that LDGSTS reads are those of an address that it writes.
    if (kind == "gemm_async") { A += 1073741824; B += 1073741824; C += 1073741824 }
    seed = 20240229
    # CTAs, warps, bytes of shared memory, registers, version of the binary
    shape["gemm32"] = "64 4 32768 168 70"
    shape["gemm64"] = "16 8 65536 168 70"
    shape["gemm96"] = "16 8 98304 232 75"
    shape["gemm_async"] = "16 8 49152 168 80"
    shape["conv"] = "49 4 16384 136 75"
    shape["attention"] = "24 4 24576 168 75"
    shape["softmax"] = "160 8 64 32 70"
    shape["layer_norm"] = "80 4 0 104 70"
    shape["embedding"] = "128 8 0 32 70"
    shape["reduce"] = "64 8 64 48 70"
    shape["scatter"] = "128 8 0 32 70"
    shape["histogram"] = "60 8 1024 32 70"
    shape["transpose"] = "256 8 4224 24 70"
    shape["stencil"] = "128 8 1440 32 70"
    shape["spmv"] = "80 8 0 32 70"
    shape["fft"] = "96 4 9216 56 70"
    shape["saxpy"] = "512 8 0 56 70"
    shape["saxpy_small"] = shape["saxpy_next"] = shape["saxpy_other"] = "96 8 0 56 70"
    shape["gelu"] = "128 8 0 40 70"
    shape["quantize"] = "120 8 0 40 70"
    shape["sort"] = "16 8 2048 32 70"
    shape["pow"] = "55 4 0 32 70"
    if (!(kind in shape)) { print "modern_trace.sh: " kind ": no such kernel" >"/dev/stderr"; exit 1 }
    split(shape[kind], s, " ")
    warps = s[2]
    if (kind == "gemm32") tiles(64, 64, 64, 32, 32, 128, 2, 884, 2, 0)
    else if (kind == "gemm64") tiles(128, 128, 64, 64, 32, 128, 2, 884, 2, 0)
    else if (kind == "gemm96") tiles(128, 256, 32, 64, 64, 256, 2, 1688, 4, 0)
    else if (kind == "gemm_async") tiles(128, 128, 32, 64, 32, 512, 2, 16816, 3, 1)
    else if (kind == "conv") tiles(64, 64, 64, 32, 32, 576, 1, 8816, 2, 0)
    else if (kind == "attention") tiles(64, 64, 64, 16, 64, 64, 2, 1688, 1, 0)
    head(kind, id, s[1], s[2], s[3], s[4], s[5], stream, "7e1", 5)
    blocks(s[1], s[2])
}
