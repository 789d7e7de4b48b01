#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# memtwin dram: figures and commands for small request files, and all errors.
. tests/lib.bash

gtx480=(-c tiny -s dram.banks=16 -s dram.groups=4 -s dram.atom_bytes=64
    -s dram.address_map=0000RRRR.RRRRRRRR.BBBCCCCB.CCSSSSSS
    -s dram.cl=12 -s dram.wl=4 -s dram.rcd=12 -s dram.rp=12 -s dram.ras=28 -s dram.rc=40
    -s dram.rrd=6 -s dram.ccd=2 -s dram.ccdl=3 -s dram.rtp=2 -s dram.rtpl=2 -s dram.wr=12
    -s dram.cdlr=5 -s dram.faw=0 -s dram.aw32=0 -s dram.refi=0 -s dram.rfc=0
    -s dram.read_queue=64 -s dram.write_queue=64 -s dram.write_high=56 -s dram.write_low=8)

has() { # TEXT...: checks that the output has these texts
    local text
    for text; do
        grep -qF -- "$text" "$work/out" || complain "no '$text' in: $(cat "$work/out")"
    done
}

# A closed row, a conflict, a hit in the middle of an atom, and then a write.
printf '# requests\n\n  7 R 0x0   # the first\n1000 R 10000\n2000 R 0x1003F\n3000 W 0x100c0\r\n' >"$work/few"
expect 0 "$MEMTWIN" dram "${gtx480[@]}" -t "$work/few" --commands "$work/commands" --json "$work/json"
has "requests           4 (3 reads, 1 writes) of 64 B" "min 15, mean 27.00, max 39 CK" \
    "min 7, mean 7.00, max 7 CK" "2 hits (50.00 %), 1 misses, 1 conflicts" \
    "2 ACT, 3 RD, 1 WR, 1 PRE, 0 PREA, 0 REF" "cycles             3007 CK"
cmp -s - "$work/commands" <<'END' || complain "commands: $(cat "$work/commands")"
8 ACT 0 0 0
20 RD 0 0 0
1001 PRE 0 0 0
1013 ACT 0 1 0
1025 RD 0 1 0
2001 RD 0 1 0
3001 WR 0 1 3
END
is() { # FILTER: checks that it is true of the JSON
    jq -e "$1" "$work/json" >/dev/null || complain "JSON: $1: $(cat "$work/json")"
}
is '.cycles == 3007 and .requests == 4 and .row_hits == 2 and .row_conflicts == 1'
is '.commands.ACT == 2 and .read_latency.min == 15 and .read_latency.max == 39 and .read_latency.mean == 27'
is '(.read_latency.bins | add) == 3 and .write_latency.bins[2] == 1'

# The same requests compressed or through a pipe, with results on standard output and the report next to them.
jq 'del(.cpu_seconds, .trace.path)' "$work/json" >"$work/want"
cp "$work/few" "$work/packed"
gzip "$work/packed"
cat "$work/packed.gz" <(printf '5000 R 0\n' | gzip) >"$work/two.gz"
same() { # ARGUMENT...: checks for the same results, except for the hash of compressed files
    "$MEMTWIN" dram "${gtx480[@]}" "$@" --json - 2>"$work/err" | jq 'del(.cpu_seconds, .trace)' | cmp -s - <(jq 'del(.trace)' "$work/want") ||
        complain "$*: $(cat "$work/err")"
    grep -q '^requests  *4 ' "$work/err" || complain "$*: no report"
}
same -t "$work/few"
same -t "$work/packed.gz"
same -t - <"$work/few"
same -t - < <(cat "$work/packed.gz")
same -t /dev/stdin < <(cat "$work/few")
[ "$("$MEMTWIN" dram "${gtx480[@]}" -t "$work/few" --commands - 2>/dev/null | md5sum)" = "$(md5sum <"$work/commands")" ] || complain "--commands -"
[ "$("$MEMTWIN" dram "${gtx480[@]}" -t - --json - <"$work/few" 2>/dev/null | jq -r .trace.hash)" = "$(jq -r .trace.hash "$work/want")" ] ||
    complain "the same bytes give another hash"
expect 0 "$MEMTWIN" dram "${gtx480[@]}" -t "$work/two.gz"
has "requests           5 (4 reads, 1 writes)"
head -c 20 "$work/packed.gz" >"$work/cut.gz"
expect_line 1 "$work/cut.gz:" "$MEMTWIN" dram -c tiny -t "$work/cut.gz"
grep -qF "gzip: the file is cut off" "$work/err" || complain "a cut file: $(cat "$work/err")"
head -c 3000000 /dev/zero | tr '\0' 7 >"$work/long"
expect_line 1 "$work/long:1: line of more than 65536 bytes" "$MEMTWIN" dram -c tiny -t "$work/long"
expect_line 1 "would be overwritten" "$MEMTWIN" dram -c tiny -t "$work/few" --json "$work/few"
expect_line 1 "given for two outputs" "$MEMTWIN" dram -c tiny -t "$work/few" --json - --commands -
expect_line 1 "would both read standard input" "$MEMTWIN" dram -c - -t -

# A full queue delays later requests, which keep their order. No request is lost.
awk 'BEGIN { for (i = 0; i < 5000; i++) printf "0 R %x\n", i * 64 }' >"$work/many"
expect 0 "$MEMTWIN" dram "${gtx480[@]}" -t "$work/many" --commands "$work/commands"
has "requests           5000" "5000 RD"
[ "$(grep -c ' RD ' "$work/commands")" -eq 5000 ] || complain "not 5000 RD in the file"
grep 'utilization' "$work/out" | awk '{ exit !($2 > 99 && $2 <= 100) }' || complain "sequential reads: $(cat "$work/out")"

# Two command buses; the other scheduler; refresh continues in idle time.
awk 'BEGIN { for (i = 0; i < 5000; i++) printf "0 R %x\n", int(i / 16) * 65536 + int(i % 16 / 2) * 8192 + i % 2 * 256 }' >"$work/rows"
expect 0 "$MEMTWIN" dram "${gtx480[@]}" -s dram.buses=2 -t "$work/rows"
awk '/^cycles/ { exit !($4 >= 6 && $4 < 6.02) }' "$work/out" || complain "two buses: $(cat "$work/out")"
expect 0 "$MEMTWIN" dram "${gtx480[@]}" -s dram.scheduler=fcfs -t "$work/rows"
printf '0 R 0\n100000 R 0\n' >"$work/two"
expect 0 "$MEMTWIN" dram "${gtx480[@]}" -s dram.refi=1000 -s dram.rfc=100 -t "$work/two"
has "1 PREA, 100 REF"

# One GDDR6 channel and one HBM2 pseudo channel, as in docs/understand/dram.md: nearly the full bus rate of 32 B in 2 CK, and one bank
# refreshed every refi CK.
gddr6=(-c titanx -s dram.burst=2 -s dram.cl=24 -s dram.wl=6 -s dram.rcd=26 -s dram.rcdwr=16 -s dram.rp=26 -s dram.ras=53 -s dram.rc=79
    -s dram.rrd=7 -s dram.rrdl=7 -s dram.faw=28 -s dram.aw32=0 -s dram.ccd=2 -s dram.ccdl=3 -s dram.wr=26 -s dram.cdlr=9 -s dram.cdlrl=11
    -s dram.rtp=4 -s dram.rtpl=0 -s dram.ppd=1 -s dram.refresh=bank -s dram.refi=208 -s dram.rfc=105 -s dram.rrefd=14)
hbm2=(-c titanx -s dram.burst=2 -s dram.buses=2 -s dram.cl=14 -s dram.wl=4 -s dram.rcd=14 -s dram.rcdwr=14 -s dram.rp=14 -s dram.ras=34 -s dram.rc=48
    -s dram.rrd=4 -s dram.rrdl=6 -s dram.faw=30 -s dram.aw32=0 -s dram.ccd=2 -s dram.ccdl=4 -s dram.wr=16 -s dram.cdlr=6 -s dram.cdlrl=8
    -s dram.rtp=4 -s dram.rtpl=6 -s dram.refresh=bank -s dram.refi=243 -s dram.rfc=160 -s dram.rrefd=8)
awk 'BEGIN { for (i = 0; i < 10000; i++) printf "0 R %x\n", i * 32 }' >"$work/sequential"
refreshed() { # REFI: banks are refreshed in turn
    awk -v i="$1" '$2 == "REFpb" { if ($3 != n % 16 || $1 < (n + 1) * i || $1 > (n + 1.5) * i) exit 1; n++ } END { exit !(n > 80) }' "$work/commands" ||
        complain "refreshes every $1 CK: $(grep REFpb "$work/commands" | head -n 20)"
}
expect 0 "$MEMTWIN" dram "${gddr6[@]}" -t "$work/sequential" --commands "$work/commands"
awk '/^cycles/ { each = $4 } /^utilization/ { exit !(each < 2.1 && $2 > 96) }' "$work/out" || complain "GDDR6: $(cat "$work/out")"
refreshed 208
expect 0 "$MEMTWIN" dram "${hbm2[@]}" -t "$work/sequential" --commands "$work/commands"
awk '/^utilization/ { exit !($2 > 96) }' "$work/out" || complain "HBM2: $(cat "$work/out")"
refreshed 243
expect_line 1 "dram.refi=208 needs dram.rfc" "$MEMTWIN" dram "${gddr6[@]}" -s dram.rfc=0 -t "$work/few"
expect_line 1 "dram.refi=100 leaves no time between refreshes: a refresh and the commands before it take up to 101" "$MEMTWIN" dram "${gddr6[@]}" -s dram.refi=100 -t "$work/few"
expect_line 1 "dram.refi=208 leaves no time between refreshes: a refresh and the commands before it take up to 264" timeout 20 "$MEMTWIN" dram "${gddr6[@]}" -s dram.rfc=4000 -t "$work/few"
expect_line 1 "dram.rrdl=6 is below dram.rrd=7" "$MEMTWIN" dram "${gddr6[@]}" -s dram.rrdl=6 -t "$work/few"
expect_line 1 "dram.cdlrl=8 is below dram.cdlr=9" "$MEMTWIN" dram "${gddr6[@]}" -s dram.cdlrl=8 -t "$work/few"

# A write behind reads leaves when it reaches the age cap. Without a cap it leaves last.
awk 'BEGIN { for (i = 0; i < 20000; i++) { printf "0 R %x\n", i * 64; if (i == 100) print "0 W 40000000" } }' >"$work/behind"
expect 0 "$MEMTWIN" dram "${gtx480[@]}" -s dram.age_cap=3000 -t "$work/behind" --json "$work/json"
is '.write_latency.max > 3000 and .write_latency.max < 3100 and .cycles < 40100'
expect 0 "$MEMTWIN" dram "${gtx480[@]}" -s dram.age_cap=0 -t "$work/behind" --json "$work/json"
is '.write_latency.max > 39000'

# With a map that has all columns of a row together, the queues of gtx480 saturate the bus.
expect 0 "$MEMTWIN" dram -c gtx480 -s dram.address_map=RRRRRRRRRRRRBBBBCCCCCCSSSSSS -t "$work/many"
awk '/^utilization/ { exit !($2 > 99) }' "$work/out" || complain "gtx480 in another map: $(cat "$work/out")"

# A file without requests is refused, and no file is written. A run may have reads only.
printf '# nothing\n\n' >"$work/none"
for file in "$work/none" /dev/null; do
    expect_line 1 "$file: no request" "$MEMTWIN" dram "${gtx480[@]}" -t "$file" --commands "$work/none_commands" --json "$work/none_json"
done
[ -z "$(ls "$work"/none_* 2>/dev/null)" ] || complain "files without requests: $(ls "$work")"
echo '0 R 0' >"$work/one"
expect 0 "$MEMTWIN" dram "${gtx480[@]}" -t "$work/one"
has "requests           1" "write latency      none"

bad() { # TEXT CONTENT: checks that it is refused, and that the commands file does not change
    printf '%b' "$2" >"$work/bad"
    echo old >"$work/old"
    expect_line 1 "$1" "$MEMTWIN" dram -c tiny -t "$work/bad" --commands "$work/old"
    [ "$(cat "$work/old")" = old ] || complain "a bad trace changed the commands file"
    [ "$(find "$work" -newer "$work/bad" -name 'old?*' | wc -l)" -eq 0 ] || complain "a file is left: $(ls "$work")"
}
bad "$work/bad:2: not a cycle: 'x'" '# first\nx R 0\n'
bad "$work/bad:1: not a cycle: '-1'" '-1 R 0\n'
bad "$work/bad:1: not a cycle: '99999999999999999999'" '99999999999999999999 R 0\n'
bad "$work/bad:1: a cycle of 2^63 or more: '18446744073709551615'" '18446744073709551615 R 0\n'
bad "$work/bad:1: not R or W: 'X'" '0 X 0\n'
bad "$work/bad:1: not R or W: ''" '0\n'
bad "$work/bad:1: no address (or use --format ramulator1): ''" '0 R # 7\n'
bad "$work/bad:1: not a hexadecimal address: '0xg'" '0 R 0xg\n'
bad "$work/bad:1: not a hexadecimal address: '0x'" '0 R 0x\n'
bad "$work/bad:1: an address of more than 64 bits: '10000000000000000'" '0 R 10000000000000000\n'
bad "$work/bad:1: unexpected text after the address: '7'" '0 R 0 7\n'
bad "$work/bad:1: not a text file (contains a zero byte)" '0 R\0 0\n'

# After an error, the results up to it are kept.
kept() { # TEXT FILE REQUESTS
    rm -f "$work/json" "$work/commands"
    expect 1 "$MEMTWIN" dram "${gtx480[@]}" -t "$2" --json "$work/json" --commands "$work/commands"
    grep -qF "$2:$1; results up to CK " "$work/err" && [ "$(wc -l <"$work/err")" -eq 1 ] || complain "$2: $(cat "$work/err")"
    is ".complete == false and .cycles > 0 and .requests >= $3 and .commands.RD > $3 - 100"
    [ "$(grep -c ' RD ' "$work/commands")" -eq "$(jq .commands.RD "$work/json")" ] || complain "$2: the commands are not those of the results"
    has "utilization" "read latency"
}
(cat "$work/many" && echo 'x R 0') >"$work/late"
kept "5001: not a cycle: 'x'" "$work/late" 5000
printf '5 R 0\n6 R # 7\n' >"$work/short"
kept "2: no address: ''" "$work/short" 1
printf '5 R 0\n\n4 R 0\n' >"$work/back"
kept "3: a cycle before that of the previous request: '4'" "$work/back" 1
gzip -c "$work/many" >"$work/whole.gz"
head -c "$(($(stat -c %s "$work/whole.gz") * 3 / 4))" "$work/whole.gz" >"$work/late.gz"
kept "$("$MEMTWIN" dram "${gtx480[@]}" -t "$work/late.gz" 2>&1 >/dev/null | grep -o '[0-9]*: gzip: the file is cut off')" "$work/late.gz" 2000

expect_line 1 "no configuration" "$MEMTWIN" dram -t "$work/few"
expect_line 1 "no requests" "$MEMTWIN" dram -c tiny
expect_line 1 "$work/nowhere: No such file" "$MEMTWIN" dram -c tiny -t "$work/nowhere"
expect_line 1 "$work: Is a directory" "$MEMTWIN" dram -c tiny -t "$work"
expect_line 1 "unexpected 'more'" "$MEMTWIN" dram -c tiny -t "$work/few" more
for key in l1d.ways=4 uvm.evict=ture clock.dram_mhz=1000 drma.cl=4 x; do
    expect_line 1 "-s $key: expected dram.KEY=V, the only keys used here" "$MEMTWIN" dram -c tiny -t "$work/few" -s $key
done
expect_line 1 "unknown key 'colour'" "$MEMTWIN" dram -c tiny -t "$work/few" -s dram.colour=1
expect_line 1 "dram.write_low=6 must be below dram.write_high=6" "$MEMTWIN" dram -c tiny -t "$work/few" -s dram.write_low=6
expect_line 1 "4 B bits, but there are 4 banks" "$MEMTWIN" dram -c tiny -t "$work/few" -s dram.address_map=RBBBBCCSSSSS
expect_line 1 "cannot write $work/no/where" "$MEMTWIN" dram -c tiny -t "$work/few" --commands "$work/no/where"
expect_line 1 "cannot write $work/no/where" "$MEMTWIN" dram -c tiny -t "$work/few" --json "$work/no/where"

# the time that requests waited for a free queue entry, in words
for ((i = 0; i < 400; i++)); do printf '0 R %x\n' $((32 * i)); done >"$work/burst"
expect 0 "$MEMTWIN" dram -c tiny -t "$work/burst" --json "$work/burst.json"
mean=$(jq '.waited / .requests * 10 | round / 10' "$work/burst.json")
grep -qE "^waited +$mean(\.0)? CK on average for room in a full queue\$" "$work/out" || complain "waited: $mean: $(grep waited "$work/out")"
head -n 3 "$work/burst" >"$work/three"
expect 0 "$MEMTWIN" dram -c tiny -t "$work/three"
grep -qE '^waited +0 CK: each request found room in its queue immediately$' "$work/out" || complain "waited: $(grep waited "$work/out")"
finish
