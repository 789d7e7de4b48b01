#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 2 s
# Opcodes that the model does not have: the run goes on and warns, or ends with --strict. The table of docs/use/traces.md is that of the source.
. tests/lib.bash

awk -f tests/trace/opcode_table.awk sim/trace/opcode.def >"$work/table"
[ "$(wc -l <"$work/table")" -gt 25 ] || complain "only $(wc -l <"$work/table") classes"
sed -n '/^## The model of an instruction/,/^\* /{/^|/p}' docs/use/traces.md | diff - "$work/table" >"$work/diff" ||
    complain "docs/use/traces.md: the table is not what tests/trace/opcode_table.awk makes of sim/trace/opcode.def: $(head -n 4 "$work/diff")"

# kernel N LINE...: writes kernel N with one warp that has these lines, the first of which is line 10
kernel() {
    local n=$1
    shift
    {
        printf -- '-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem base_addr = 0x7f2000000000\n-accelsim tracer version = 5\n#\n'
        printf '#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = %d\n' $(($# + 1))
        printf '%s\n' "$@" '00f0 ffffffff 0 EXIT 0 0 0'
        printf '#END_TB\n'
    } >"$work/kernel-$n.traceg"
}
# warned TEXT...: checks that run and check warn in these lines and no others
warned() {
    local command
    for command in "run -c tiny -q --check" "trace check"; do
        # shellcheck disable=SC2086
        expect 0 "$MEMTWIN" $command -t "$work/kernelslist.g"
        printf '%s\n' "$@" | diff <(sed "s|^memtwin [a-z]*: $work/kernel-||" "$work/err") - >"$work/diff" || complain "$command: $(cat "$work/diff")"
    done
}
count() { # NAME: prints the number of `trace check`
    "$MEMTWIN" trace check -t "$work/kernelslist.g" 2>/dev/null | awk -v name="$1" 'index($0, name) == 1 { print $(NF) }'
}
printf 'kernel-%d.traceg\n' 1 2 >"$work/kernelslist.g"

# an unknown opcode is arithmetic or, if its line has addresses, an access; it is odd once a run
kernel 1 '0000 ffffffff 1 R2 LDX.E.64 1 R4 4 1 0x7f4000000000 4 0' '0010 ffffffff 1 R2 LDX.U8 0 0 0' '0020 00000001 0 FADD 1 R4 4 0 0x3'
kernel 2 '0000 ffffffff 1 R2 LDX.E 0 0 0' '0010 ffffffff 1 R2 STX 0 0 0'
warned "1.traceg:13: warning: 'FADD' is arithmetic, and its addresses are skipped (1 time: 1 in kernel 1)" \
    "1.traceg:11: warning: 'LDX.E.64' is an unknown opcode: an access if it has addresses, else arithmetic (3 times: 2 in kernel 1, 1 in kernel 2)" \
    "2.traceg:12: warning: 'STX' is an unknown opcode: an access if it has addresses, else arithmetic (1 time: 1 in kernel 2)"
[ "$(count 'arithmetic, rest') $(count 'global loads')" = "4 1" ] ||
    complain "unknown opcodes: $(count 'arithmetic, rest') arithmetic instructions and $(count 'global loads') loads"
expect_line 1 "kernel-1.traceg:13: 'FADD' is arithmetic" "$MEMTWIN" run -c tiny -q --strict -t "$work/kernelslist.g"
expect_line 1 "kernel-1.traceg:13: 'FADD' is arithmetic" "$MEMTWIN" trace check --strict -t "$work/kernel-1.traceg"
expect 1 "$MEMTWIN" trace check --strict -t "$work/kernelslist.g"
grep -q "kernel 2 is bad: .*: 'LDX.E' is an unknown opcode" "$work/err" || complain "check --strict: $(cat "$work/err")"
kernel 1 '0000 ffffffff 1 R2 FADD 0 0 0'
expect_line 1 "kernel-2.traceg:11: 'LDX.E' is an unknown opcode" "$MEMTWIN" run -c tiny -q --strict -t "$work/kernelslist.g"
expect_line 1 "--strict works only with a trace" "$MEMTWIN" run -c tiny --strict -w addvect:32
expect_line 1 "--strict is only for check" "$MEMTWIN" trace make vecadd --strict -o "$work/v"

# bulk copies and distributed shared memory, in each kernel
bulk='0000 00000001 0 UTMALDG.2D 1 R8 128 0 0x7f4000000000 0'
kernel 1 "$bulk" "$bulk" '0010 00000001 0 UBLKCP.S.G 1 R8 0 0' '0020 ffffffff 0 STAS 2 R8 R9 4 1 0x10 4 0'
kernel 2 "$bulk" '0010 ffffffff 0 SYNCS.EXCH.64 1 R8 8 1 0x7f2000000000 0 0' '0020 00000001 1 R2 QSPC.E 1 R8 8 0 0x7f4000000001 0'
warned "1.traceg:11: warning: 'UTMALDG.2D' is a bulk copy, taken as arithmetic (4 times: 3 in kernel 1, 1 in kernel 2; 384 bytes)" \
    "1.traceg:14: warning: 'STAS' accesses distributed shared memory, taken as that of the block itself (1 time: 1 in kernel 1)"
[ "$(count 'shared accesses')" = 2 ] || complain "$(count 'shared accesses') shared accesses"

# widths: 256 bits are 8 lines of 128 B for a warp; an odd width is the next larger one
kernel 1 '0000 ffffffff 1 R8 LDG.E.ENL2.256 1 R2 32 1 0x7f4000000000 32 0'
kernel 2 '0000 ffffffff 1 R8 LDG.E.96 1 R2 12 1 0x7f4000000000 12 0'
warned "2.traceg:11: warning: 'LDG.E.96' has a width that is not modeled, taken as the next larger or the largest (1 time: 1 in kernel 2)"
expect 0 "$MEMTWIN" run -c tiny -q --json "$work/wide.json" -t "$work/kernel-1.traceg"
[ "$(jq '.stats.load_lines' "$work/wide.json")" = 8 ] || complain "LDG.256: $(jq -c .stats.load_lines "$work/wide.json") lines"
finish
