#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 3 s
# memtwin dram: the same requests in every format give the same results; formats are recognized; bad lines are named.
. tests/lib.bash

# 400 requests at addresses of a small multiplicative generator, every third a write.
requests() { # AWK-FORMAT...: prints them with the variables cycle, command words and address
    awk -v wide="${2:-0}" 'BEGIN {
        for (i = x = 1; i <= 400; i++) {
            x = x * 16807 % 2147483647
            write = i % 3 == 0; a = x % 1048576 * 32; c = wide ? i * 7 : 0
            '"$1"'
        }
    }'
}
figures() { # FILE [OPTION]...: prints the results without time and names
    "$MEMTWIN" dram -c titanx -t "$@" --json - 2>"$work/err" | jq 'del(.trace, .cpu_seconds)' || complain "$*: $(cat "$work/err")"
}
alike() { # NAME WANT FILE [OPTION]...: checks the results, and that the format is said and stored
    local name=$1 want=$2
    shift 2
    figures "$@" >"$work/figures"
    cmp -s "$want" "$work/figures" || complain "$name: $(diff "$want" "$work/figures" | head -n 8)"
    expect 0 "$MEMTWIN" dram -c titanx -t "$@" --json "$work/json"
    [ "$(jq -r .trace.format "$work/json")" = "$name" ] || complain "$name: $(jq -c .trace "$work/json")"
    [ "$name" = memtwin ] || grep -q "^trace format  *$name" "$work/out" || complain "$name is not said: $(cat "$work/out")"
}

# without cycles: as with cycle 0
requests 'printf "0 %s %x\n", write ? "W" : "R", a' >"$work/own"
figures "$work/own" >"$work/untimed"
[ "$(jq .requests "$work/untimed")" = 400 ] && [ "$(jq .commands.WR "$work/untimed")" = 133 ] || complain "$(cat "$work/untimed")"
alike memtwin "$work/untimed" "$work/own"
requests 'printf "0x%x %s\n", a, write ? "W" : "R"' >"$work/r1"
alike ramulator1 "$work/untimed" "$work/r1"
grep -q 'recognized by its first request; no cycles: sent as fast as the queues take them' "$work/out" || complain "$(cat "$work/out")"
sed 's/^0x//' "$work/r1" >"$work/r1_plain"
alike ramulator1 "$work/untimed" "$work/r1_plain" --format ramulator1
grep -q recognized "$work/out" && complain "recognized in spite of --format"
requests 'printf "%s 0x%x\n", write ? "ST" : "LD", a' >"$work/r2"
alike ramulator2 "$work/untimed" "$work/r2"
requests 'printf "%s %d\n", write ? "ST" : "LD", a' >"$work/r2_decimal"
alike ramulator2 "$work/untimed" "$work/r2_decimal"

# address vectors, in a map whose fields are easy to name: row, 16 banks (group = low 2 bits), 64 columns of 32 B
map=(-s dram.address_map=RRRRRRRRRRRRBBBBCCCCCCSSSSS)
requests 'n = int(a / 32); b = int(n / 64) % 16; printf "%s 0,0,%d,%d,%d,%d\n", write ? "W" : "R", b % 4, int(b / 4), int(n / 1024) % 4096, n % 64' >"$work/vectors"
requests 'printf "0 %s %x\n", write ? "W" : "R", a % 134217728' >"$work/mapped"
figures "$work/mapped" "${map[@]}" >"$work/want"
alike ramulator2 "$work/want" "$work/vectors" "${map[@]}"

# with cycles
requests 'printf "%d %s 0x%x\n", c, write ? "W" : "R", a' 1 >"$work/own"
figures "$work/own" >"$work/timed"
cmp -s "$work/untimed" "$work/timed" && complain "cycles make no difference"
requests 'printf "%d %s 0x%x\n", c, write ? "WRITE" : "READ", a' 1 >"$work/words"
alike memtwin "$work/timed" "$work/words"
requests 'printf "0x%x %s %d\n", a, write ? "WRITE" : "READ", c' 1 >"$work/d3"
alike dramsim3 "$work/timed" "$work/d3"
requests 'printf "0x%x %s %d\n", a, write ? "P_MEM_WR" : i % 2 ? "P_FETCH" : "P_MEM_RD", c' 1 >"$work/k6"
alike dramsim3 "$work/timed" "$work/k6"
requests 'printf "%d:\t%s\t0x%x%s\n", c, write ? "write" : "read", a, write ? "\t0x00ff" : ""' 1 >"$work/stl"
alike dramsys "$work/timed" "$work/stl"
requests 'printf "%d\t(%d)\t%s\t0x%x\n", c, 32, write ? "write" : "read", a' 1 >"$work/lengths"
alike dramsys "$work/timed" "$work/lengths"

# a long request is one for each atom; comments, blank lines, CR LF, a byte order mark and compression
printf '\xef\xbb\xbf# first\r\n\r\n5:\t[65]\tread\t0x1020\t# three atoms\r\n' | gzip >"$work/long.gz"
printf '5 R 1020\n5 R 1040\n5 R 1060\n' >"$work/atoms"
figures "$work/atoms" >"$work/want"
alike dramsys "$work/want" "$work/long.gz"
xz -k "$work/d3"
alike dramsim3 "$work/timed" "$work/d3.xz"

bad() { # TEXT CONTENT [OPTION]...: checks that the content is refused
    printf '%b' "$2" >"$work/bad"
    expect 1 "$MEMTWIN" dram -c titanx -t "$work/bad" "${@:3}"
    grep -qF "$work/bad:$1" "$work/err" && [ "$(wc -l <"$work/err")" -eq 1 ] || complain "'$1' is not in: $(cat "$work/err")"
}
for line in '10 READ 10' '0 write 100'; do
    bad "1: either a cycle or an address (use --format memtwin or --format dramsim3): '${line%% *}'" "$line\\n"
done
printf '10 READ 10\n' >"$work/shared"
for format in memtwin dramsim3; do expect 0 "$MEMTWIN" dram -c titanx -t "$work/shared" --format $format; done
for line in '10 READ 1f' '10 READ 0x10'; do
    echo "$line" >"$work/own"
    expect 0 "$MEMTWIN" dram -c titanx -t "$work/own"
done
bad "1: no address (or use --format ramulator1): ''" '10 R\n'
bad "2: not R or W: 'X'" '0x10 R\n0x20 X\n'
bad "2: not a hexadecimal address: '0xg'" '0x10 R\n0xg R\n'
bad "2: not LD, ST, R or W: 'LOAD'" 'LD 0x10\nLOAD 0x20\n'
bad "1: no address: ''" 'LD\n'
bad "1: not an address: '1f'" 'LD 1f\n'
bad "1: expected channel,rank,bank group,bank,row,column, not: '0,0,1,2,77'" 'R 0,0,1,2,77\n'
bad "1: expected channel,rank,bank group,bank,row,column, not: '0,0,1,2,77,5,6'" 'R 0,0,1,2,77,5,6\n'
bad "1: channel 1 is beyond the last, 0: '1,0,1,2,77,5'" 'R 1,0,1,2,77,5\n'
bad "1: rank 1 is beyond the last, 0: '0,1,1,2,77,5'" 'R 0,1,1,2,77,5\n'
bad "2: bank group 4 is beyond the last, 3: '0,0,4,2,77,5'" 'R 0,0,1,2,77,5\nW 0,0,4,2,77,5\n'
bad "1: bank 4 is beyond the last, 3: '0,0,1,4,77,5'" 'R 0,0,1,4,77,5\n'
bad "1: row 4096 is beyond the last, 4095: '0,0,1,2,4096,5'" 'R 0,0,1,2,4096,5\n' "${map[@]}"
bad "1: column 64 is beyond the last, 63: '0,0,1,2,7,64'" 'R 0,0,1,2,7,64\n' "${map[@]}"
bad "1: not READ or WRITE: 'R'" '0x10 R 5\n' --format dramsim3
bad "2: not a cycle: 'x'" '0x10 READ 5\n0x20 READ x\n'
bad "2: a cycle before that of the previous request: '4'" '0x10 READ 5\n0x20 READ 4\n'
bad "1: unexpected text after the request: '7'" '0x10 READ 5 7\n'
bad "1: not a length of 1 to 1048576 bytes: '(0)'" '1: (0) read 0x10\n'
bad "1: not a length of 1 to 1048576 bytes: '[8'" '1: [8 read 0x10\n'
bad "1: not READ or WRITE: 'reed'" '1: reed 0x10\n'
bad "1: not hexadecimal data: '0xzz'" '1: write 0x10 0xzz\n'
bad "1: a request beyond the last address: ''" '1: (64) read 0xfffffffffffffff0\n'
expect_line 1 "--format ramulator3: expected memtwin|ramulator1|ramulator2|dramsim3|dramsys; did you mean 'ramulator" "$MEMTWIN" dram -c titanx -t "$work/r1" --format ramulator3
finish
