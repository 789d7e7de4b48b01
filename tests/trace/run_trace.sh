#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# memtwin run -t and memtwin trace: verdicts, warnings, errors with their line, and no half-written files.
. tests/lib.bash

header='-kernel name = k\n-grid dim = (2,1,1)\n-block dim = (32,1,1)\n-accelsim tracer version = 4\n#\n'
block() { # X: prints a load, an add, a store and an exit; 9 lines
    printf '#BEGIN_TB\nthread block = %d,0,0\nwarp = 0\ninsts = 4\n' "$1"
    printf '0000 ffffffff 1 R2 LDG.E 1 R4 4 1 0x7f000000%02x00 4 0\n' "$1"
    printf '0010 ffffffff 1 R3 FADD 1 R2 0 0\n0020 ffffffff 0 STG.E 2 R4 R3 4 1 0x7f000010%02x00 4 0\n' "$1"
    printf '0030 ffffffff 0 EXIT 0 0 0\n#END_TB\n'
}
mkdir "$work/t"
list=$work/t/kernelslist.g
kernel=$work/t/kernel-1.traceg
printf 'MemcpyHtoD,0x00007f0000000000,4096\nkernel-1.traceg\r\nstrange line\n' >"$list"
{ printf -- "$header" && block 0 && block 1; } >"$kernel"

# a correct run: statistics, verdict, warnings by line, and no results to verify
expect 0 "$MEMTWIN" run -c tiny -t "$list" --check --json "$work/a.json"
grep -q "^results  *not verified: a trace has no results$" "$work/out" || complain "no word of the results"
grep -q "^data check  *2 loads, 256 bytes: good$" "$work/out" || complain "$(grep 'data check' "$work/out")"
jq -e '.workload == "kernelslist.g" and .end == "done" and .verified == false and .warp_insts == 8 and
    .thread_insts == 192 and .stats.load_insts == 2 and .stats.ctas == 2 and .stats.kernels == 1' "$work/a.json" >/dev/null ||
    complain "JSON: $(jq -c '[.workload, .end, .verified, .warp_insts, .thread_insts]' "$work/a.json")"
[ "$(wc -l <"$work/err")" -eq 2 ] || complain "warnings: $(cat "$work/err")"
grep -qF "$list:3: warning: skipped 'strange line'" "$work/err" || complain "no warning for line 3"
grep -qF "copies to the device take no time (1, 4096 bytes)" "$work/err" || complain "no note on copies"
printf 'kernel-1.traceg\n' >"$list"
expect_line 1 "a trace is read only once" "$MEMTWIN" run -c tiny -t "$list" -q -s cke.restart=grid -s sim.max_cycles=1000

# reading the whole trace
expect 0 "$MEMTWIN" trace check -t "$list"
grep -qE '^warp instructions +8$' "$work/out" || complain "check: $(cat "$work/out")"
grep -qE "^text +0\.0 MB in " "$work/out" || complain "check: no size of the text"

# A killed export leaves a folder, which the next one beside it removes. Messages name the user's folder.
mkdir "$work/killed"
"$MEMTWIN" trace export -q -w gemm:512 -o "$work/killed/tr" &
for _ in $(seq 500); do
    ls "$work"/killed/.memtwin-*.part/kernel-1.traceg >/dev/null 2>&1 && break
    sleep 0.01
done
kill -KILL $! && wait $! 2>/dev/null
[ "$(ls -A "$work/killed" | wc -l)" = 1 ] || complain "a killed export leaves: $(ls -A "$work/killed")"
expect 0 "$MEMTWIN" trace export -q -w addvect:32 -o "$work/killed/other"
[ "$(ls -A "$work/killed")" = other ] || complain "left behind by a killed export: $(ls -A "$work/killed")"
expect_line 1 "$work/killed/far/kernel-1.traceg: File too large" bash -c 'ulimit -f 10; exec "$0" trace export -q -w gemm:256 -o "$1"' "$MEMTWIN" "$work/killed/far"

# compressed: the same statistics
expect 0 "$MEMTWIN" trace make vecadd -o "$work/v" --warps 64 --xz -q
[ ! -s "$work/out" ] || complain "-q: $(cat "$work/out")"
[ "$(head -c 5 "$work/v/kernel-1.traceg.xz" | tail -c 4)" = 7zXZ ] || complain "--xz: not packed"
expect 0 "$MEMTWIN" trace make vecadd -o "$work/w" --warps 64
for t in v w; do
    expect 0 "$MEMTWIN" run -c tiny -t "$work/$t/kernelslist.g" -q --json "$work/$t.json"
done
cmp <(jq .stats "$work/v.json") <(jq .stats "$work/w.json") || complain "packed: the statistics differ"
jq -e '.warp_insts == 64 * 9' "$work/v.json" >/dev/null || complain "vecadd: $(jq .warp_insts "$work/v.json")"

# by each name: its folder, a single kernel, compressed, and through a pipe; the machine is always the same
same() { # ARGUMENT...: checks that the result equals $work/w.json
    rm -f "$work/s.json"
    "$MEMTWIN" run -c tiny -q --json "$work/s.json" "$@" >"$work/out" 2>"$work/err" || complain "$*: $(cat "$work/err")"
    cmp -s <(jq .stats "$work/w.json") <(jq .stats "$work/s.json") || complain "$*: the statistics differ"
}
alone=$work/w/kernel-1.traceg
gzip -k "$alone"
head -c 5000 "$alone" | gzip >"$work/members.traceg" # compressed, but its name does not show it
tail -c +5001 "$alone" | gzip >>"$work/members.traceg"
for t in "$work/w" "$work/w/" "$alone" "$alone.gz" "$work/members.traceg" "$work/v/kernel-1.traceg.xz"; do same -t "$t"; done
same -t - <"$alone"
same -t - < <(cat "$alone.gz")
same -t /dev/stdin < <(cat "$alone")
program=$(realpath "$MEMTWIN")
[[ $MEMTWIN == *asan* ]] || # it finds its library only from the root
    (cd "$work/w" && echo kernel-1.traceg | "$program" run -c tiny -q -t -) >"$work/out" 2>&1 || complain "a list through a pipe: $(cat "$work/out")"
# An endless pipe that holds no kernel is not copied without end.
for line in y '' '-a = b' kernel-1.traceg; do
    (
        failures=0
        ulimit -f 200000
        TMPDIR=$work expect_line 1 "-: the first 64 MiB hold no kernel; a .traceg begins with '-kernel name = NAME'" \
            bash -c 'yes -- "$1" | "$0" run -c tiny -t -' "$MEMTWIN" "$line"
        exit $failures
    ) || failures=$((failures + 1))
done
mkdir "$work/packed" # made after the list was written
cp "$work/w/kernelslist.g" "$alone.gz" "$work/packed"
same -t "$work/packed"
expect 0 "$MEMTWIN" trace check -t "$work/w"
expect 0 "$MEMTWIN" trace check -t "$alone.gz"

# results name the trace by its path and a hash of all its files
mkdir "$work/x"
cp "$work/w/"kernel* "$work/x"
hash() { # TRACE
    "$MEMTWIN" run -c tiny -q --json "$work/s.json" -t "$1" >"$work/out" 2>&1 || complain "$1: $(cat "$work/out")"
    jq -r '.trace.hash' "$work/s.json"
}
before=$(hash "$work/w")
jq -e --arg p "$work/w/kernelslist.g" '.trace.path == $p and (.trace.hash | length) == 32' "$work/s.json" >/dev/null || complain "JSON: $(jq .trace "$work/s.json")"
[ "$(hash "$work/x")" = "$before" ] || complain "the same content gives another hash"
sed -i '$s/.*/#END_TB /' "$work/x/kernel-1.traceg"
[ "$(hash "$work/x")" != "$before" ] || complain "a byte more in a kernel, the same hash"
cp "$alone" "$work/x"
echo >>"$work/x/kernelslist.g"
[ "$(hash "$work/x")" != "$before" ] || complain "a byte more in the list, the same hash"
[ "$(hash "$alone")" = "$(hash "$work/x/kernel-1.traceg")" ] || complain "a single kernel gives another hash"

# an invalid trace gives one line; unknown lines in a list give three of them and their number
printf 'nosuch.traceg\n' >"$work/odd.g"
expect_line 1 "$work/odd.g:1: 'nosuch.traceg' is not a line of a kernelslist.g (kernel-N.traceg)" "$MEMTWIN" run -c tiny -t "$work/odd.g"
expect_line 1 "README.md:3: '**A fast GPU memory-system simulator whose hard' is not a line of a kernelslist.g (kernel-N.traceg) or of a .traceg file" "$MEMTWIN" run -c tiny -t README.md
expect_line 1 "$work/none.d: No such file" "$MEMTWIN" run -c tiny -t "$work/none.d"
mkdir "$work/empty"
expect_line 1 "$work/empty: the folder has no kernelslist.g" "$MEMTWIN" run -c tiny -t "$work/empty"
# the only list of a folder is taken, of several none; a kernelslist of raw traces is the last choice
mkdir "$work/raw" && touch "$work/raw/kernelslist"
expect_line 1 "$work/raw/kernelslist: no kernels" "$MEMTWIN" run -c tiny -t "$work/raw"
cp "$kernel" "$work/raw/kernel-1-ctx_0x5.traceg" && echo kernel-1-ctx_0x5.traceg >"$work/raw/kernelslist_ctx_0x5.g"
expect 0 "$MEMTWIN" run -q -c tiny -t "$work/raw"
echo kernel-1-ctx_0x6.traceg >"$work/raw/kernelslist_ctx_0x6.g"
expect_line 1 "$work/raw: the folder has 2 lists; name one of kernelslist_ctx_0x5.g, kernelslist_ctx_0x6.g" "$MEMTWIN" run -c tiny -t "$work/raw"
expect 0 "$MEMTWIN" run -q -c tiny -t "$work/raw/kernelslist_ctx_0x5.g"
# lines of other calls are counted, whatever their number is; binary data are refused
{ for i in $(seq 150); do printf '# %d\ncudaMalloc,0x7f00,%d\nMemcpyDtoH,0x7f00,4\ncudaFree,0x7f00\n' "$i" "$i"; done; cat "$work/w/kernelslist.g"; } >"$work/x/kernelslist.g"
expect 0 "$MEMTWIN" trace check -q -t "$work/x"
[ "$(grep -v 'copies to' "$work/err")" = "memtwin trace: $work/x/kernelslist.g: note: calls besides kernels are not modeled (450 lines)" ] || complain "calls: $(cat "$work/err")"
{ seq 150; cat "$work/w/kernelslist.g"; } >"$work/x/kernelslist.g"
expect 0 "$MEMTWIN" trace check -q -t "$work/x"
{ printf 'MZ\001\n'; yes kernel-1.traceg | head -n 3; } >"$work/x/kernelslist.g"
expect_line 1 "$work/x/kernelslist.g:1: 'MZ?' is not a line of a kernelslist.g" "$MEMTWIN" trace check -q -t "$work/x"
{ cat "$work/w/kernelslist.g" && seq 1000; } >"$work/x/kernelslist.g"
expect 0 "$MEMTWIN" run -c tiny -q -t "$work/x"
[ "$(wc -l <"$work/err")" -eq 4 ] || complain "warnings: $(cat "$work/err")"
grep -qF "kernelslist.g: warning: skipped 997 more lines" "$work/err" || complain "no word of the others: $(cat "$work/err")"
expect_line 1 "would be overwritten" "$MEMTWIN" run -c tiny -q -t "$work/w" --json "$alone"
head -c 3000000 /dev/zero | tr '\0' k >"$work/long"
expect_line 1 "$work/long:1: line of more than 65536 bytes" "$MEMTWIN" run -c tiny -t "$work/long"
head -c 700 "$alone.gz" >"$work/cut.gz"
expect_line 1 "$work/cut.gz:" "$MEMTWIN" run -c tiny -t "$work/cut.gz"
grep -qF "gzip: the file is cut off" "$work/err" || complain "a cut file: $(cat "$work/err")"

# errors during the run
bad() { # LINE TEXT: checks that the kernel's file is refused at this line
    expect_line 1 "$kernel:$1: $2" "$MEMTWIN" run -c tiny -t "$list"
    expect_line 1 "$kernel:$1: $2" "$MEMTWIN" run -c tiny -t "$list" --check -q
    expect_line 1 "$kernel:$1: $2" "$MEMTWIN" trace check -t "$list"
    expect_line 1 "$kernel:$1: $2" "$MEMTWIN" pages -t "$list"
}
{ printf -- "${header/(2,1,1)/(3,1,1)}" && block 0; } >"$kernel"
bad 14 "the file ends after 1 of 3 blocks"
{ printf -- "$header" && block 0 && block 1 && block 1; } >"$kernel"
bad 24 "more blocks than the 2 of the grid"
{ printf -- "$header" && block 0 && block 0; } >"$kernel"
bad 18 "block 0,0,0 appears twice"
{ printf -- "$header" && block 0 && block 1 | sed 's/FADD/FADD 1/'; } >"$kernel"
bad 20 "expected a register R0 to R255, not '1'"
{ printf -- "$header" && block 0 && block 1 | head -n 6; } >"$kernel"
bad 20 "warp 0 has 2 of 4 instructions"
{ printf -- "${header/(32,1,1)/(64,1,1)}" && block 0 && block 1 | head -n 8; } >"$kernel"
bad 22 "the file ends inside a block, without #END_TB"
{ printf -- "${header/(2,1,1)/(3,1,1)}" && block 0 && block 1 | head -n 8; } >"$kernel"
bad 22 "the file ends inside a block, without #END_TB"
{ printf -- "$header" && block 0 && block 1 | sed 's/0x7f00000001/0x7f0000000001/'; } >"$kernel"
bad 19 "address 0x7f0000000001"
printf 'garbage\n' >"$kernel"
bad 1 "expected '-key = value'"
: >"$kernel"
bad 0 "the file is empty"
head -c 5000 /dev/urandom | sed '1s/^/-/' >"$kernel"
expect 1 "$MEMTWIN" run -c tiny -t "$list"
[ "$(wc -l <"$work/err")" -eq 1 ] || complain "random bytes: $(head -c 300 "$work/err")"
head -c 300 "$work/v/kernel-1.traceg.xz" >"$work/v/cut.traceg.xz"
mv "$work/v/cut.traceg.xz" "$work/v/kernel-1.traceg.xz"
expect_line 1 "xz: the file is cut off" "$MEMTWIN" run -c tiny -t "$work/v/kernelslist.g"
rm "$kernel"
expect_line 1 "$list:$(grep -n "$(basename "$kernel")" "$list" | cut -d: -f 1): $kernel: No such file or directory" "$MEMTWIN" run -c tiny -t "$list"
ln -s "$(basename "$kernel")" "$kernel"
expect_line 1 "$kernel: Too many levels of symbolic links" "$MEMTWIN" run -c tiny -t "$list"
rm "$kernel"
mkfifo "$kernel"
expect_line 1 "$kernel: not a regular file" "$MEMTWIN" run -c tiny -t "$list"
rm "$kernel"
: >"$list"
expect_line 1 "$list: no kernels" "$MEMTWIN" run -c tiny -t "$list"

# odd headers, addresses and ends are warned of, each once, by check and by run
odd() { # TEXT...: checks the warnings
    local command text
    for command in "trace check" "run -c tiny --check"; do
        # shellcheck disable=SC2086
        expect 0 "$MEMTWIN" $command -q -t "$list"
        for text; do
            grep -qF "$kernel:$text" "$work/err" || complain "$command: no '$text' in: $(cat "$work/err")"
        done
        [ "$(wc -l <"$work/err")" -eq $# ] || complain "$command: $(cat "$work/err")"
    done
}
printf 'kernel-1.traceg\n' >"$list"
{ printf -- "-nregs = 21955\n-binary version = 0\n-shmem = 1\n$header" && block 0 && block 1 | sed 's/R3/R37/g'; } >"$kernel"
odd "1: warning: '-nregs = 21955' is not a number of registers up to 256; the most that are used are taken (1 time)"
# the registers that are taken decide how many CTAs an SM holds
with_registers() { # NUMBER: prints the cycles
    { printf -- "-nregs = $1\n$header" && block 0 && block 1 | sed 's/R3/R37/g'; } >"$kernel"
    expect 0 "$MEMTWIN" run -c tiny -q -t "$list" -s sm.count=1 -s sm.registers=2048 --json "$work/regs.json"
    jq .cycles "$work/regs.json"
}
[ "$(with_registers 21955)" = "$(with_registers 38)" ] && [ "$(with_registers 38)" != "$(with_registers 8)" ] ||
    complain "cycles: $(with_registers 21955) with an unknown number, $(with_registers 38) with 38, $(with_registers 8) with 8 registers"
{ printf -- "-nregs = -1\n$header" && block 0 && block 1 | sed 's/ 4 0$/ 4 18446744073709551615/; s/00 4 /02 4 /; $d'; } >"$kernel"
odd "1: warning: '-nregs = -1' is not" "20: warning: an address that is not a multiple of its width, rounded down (2 times)" \
    "23: warning: the last #END_TB is missing, but its block has all instructions (1 time)"

# a raw trace, with lines of all warps mixed, runs as the .traceg that post-processing makes of it
raw() { # TRACEG: prints it with block and warp in each line, the nth lines of all warps together
    grep '^-\|^#traces' "$1"
    awk '/^thread block/ { gsub(/[=,]/, " "); b = $3 " " $4 " " $5 } /^warp/ { w = $3; n = 0 }
        /^[0-9a-f]+ [0-9a-f]/ { printf "%d\t%s %s %s\n", n++, b, w, $0 }' "$1" | sort -s -n | cut -f 2-
}
expect 0 "$MEMTWIN" trace export -q -w gemm:48 -o "$work/g"
mkdir "$work/mixed"
for file in "$work/g/"*.traceg; do raw "$file" >"$work/mixed/$(basename "${file%g}")"; done
sed 's/\.traceg$/.trace/' "$work/g/kernelslist.g" >"$work/mixed/kernelslist"
cmp -s <(awk '!/^[-#]/ { print $1, $4 }' "$work/mixed/kernel-1.trace" | head -n 3) <(printf '0 0\n0 1\n0 2\n') || complain "the lines are not mixed"
results() { # TRACE
    "$MEMTWIN" run -c tiny -q --check --json - -t "$1" 2>"$work/err" | jq '.stats, .histograms' || complain "$1: $(cat "$work/err")"
}
results "$work/g" >"$work/want"
mv "$work/mixed/kernelslist" "$work/mixed/kernelslist_ctx_0x5"
results "$work/mixed" >"$work/got"
cmp -s "$work/want" "$work/got" || complain "raw: $(diff "$work/want" "$work/got" | head -n 5) $(cat "$work/err")"
results - <"$work/mixed/kernel-1.trace" >"$work/got"
cmp -s "$work/want" "$work/got" || complain "a raw trace in a pipe: $(diff "$work/want" "$work/got" | head -n 5) $(cat "$work/err")"
xz "$work/mixed/"kernel-1.trace
results "$work/mixed/kernelslist_ctx_0x5" >"$work/got"
cmp -s "$work/want" "$work/got" || complain "raw, compressed: $(diff "$work/want" "$work/got" | head -n 5) $(cat "$work/err")"
expect_line 1 "more than 1 MiB to sort; raise MEMTWIN_PIPE_MIB" env MEMTWIN_PIPE_MIB=1 "$MEMTWIN" trace check -q -t "$work/mixed"
expect_line 1 "cannot be sorted in $work/none" env TMPDIR="$work/none" "$MEMTWIN" trace check -q -t "$work/mixed"

# versions below 3, blocks without lines, and errors of a raw trace
printf 'kernel-1.traceg\n' >"$list"
old=${header/version = 4/version = 2}
{ printf -- "${old/(2,1,1)/(3,1,1)}" && printf '2 0 0 0 00 ffffffff 0 EXIT 0 0\n0 0 0 0 00 ffffffff 0 NOP 0 0\n0 0 0 0 10 ffffffff 0 EXIT 0 0'; } >"$kernel"
expect_line 0 "$kernel, sorted: warning: a block of the grid without instructions, taken as empty (1 time)" "$MEMTWIN" trace check -q -t "$list"
{ printf -- "$header" && printf '0 0 0 0 00 ffffffff 0 EXIT 0 0 0\n2 0 0 0 00 ffffffff 0 EXIT 0 0 0\n'; } >"$kernel"
bad 7 "block 2 is beyond the last, 1"
{ printf -- "$header" && printf '0 0 0 0 00 ffffffff 0 EXIT 0 0 0\n0 0 0 1 00 ffffffff 0 EXIT 0 0 0\n'; } >"$kernel"
bad 7 "warp 1 is beyond the last, 0"
{ printf -- "$header" && printf '0 0 0 0 00 ffffffff 0 EXIT 0 0 0\n00 ffffffff 0 EXIT 0 0 0\n'; } >"$kernel"
bad 7 "expected block x, y, z and warp (a raw .trace)"
{ printf -- "${header/(2,1,1)/(3,1,1)}" && printf '0 0 0 0 00 ffffffff 0 EXIT 0 0 0\n'; } >"$kernel"
bad 6 "less than half of the 3 blocks have lines"
{ printf -- "$header" && printf '1 0 0 0 00 ffffffff 0 EXIT 0 0 0\n0 0 0 0 00 ffffffff 0 EXIT x 0 0\n'; } >"$kernel"
expect_line 1 "$kernel, sorted:5: expected" "$MEMTWIN" trace check -q -t "$list"

# a CTA that fits on no SM
printf -- '-kernel name = big\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = 1000000\n#\n' >"$kernel"
printf 'kernel-1.traceg\n' >"$list"
expect 1 "$MEMTWIN" run -c tiny -t "$list" -s sm.shared_kib=90
[ "$(cat "$work/err")" = "memtwin run: $kernel: kernel big: a CTA of 1000000 B of shared memory does not fit: sm.shared_kib * 1024 = 92160 (sm.shared_kib: -s)" ] || complain "no room: $(cat "$work/err")"

# a kernel that ends early after others have run: their results are written
expect 0 "$MEMTWIN" trace export -q -w gaussian:16 -o "$work/many"
truncate -s -40 "$work/many/kernel-20.traceg" # without #END_TB and the last instruction
expect_line 1 "$work/many/kernel-20.traceg:" "$MEMTWIN" run -c tiny -t "$work/many/kernelslist.g" --detail --json "$work/many.json" --csv "$work/many.csv"
jq -e '.end == "bad_trace" and .complete == false and .reached.launch == 20 and .reached.launches == 30 and
    .reached.all_ctas_done >= 19 and .reached.all_ctas > .reached.all_ctas_done and ([.detail[] | select(.scope == "kernel")] | length) == 19' \
    "$work/many.json" >/dev/null || complain "broken off: $(jq -c '[.end, .complete, .reached]' "$work/many.json")"
grep -q '^run,0,,complete,0 or 1,0,' "$work/many.csv" || complain "broken off: the CSV seems complete"

# an interrupted export leaves nothing, and an existing empty folder is accepted
mkdir "$work/out_dir" "$work/out_dir/empty"
"$MEMTWIN" trace export -w gemm:1024 -o "$work/out_dir/cut" >"$work/out" 2>"$work/err" &
for ((i = 0; i < 600; i++)); do # until the export writes
    [ -n "$(find "$work/out_dir" -name 'kernel-1.traceg')" ] && break
    sleep 0.05
done
kill -INT $!
wait $!
got=$?
[ $got -eq 130 ] || complain "interrupted export: exit $got"
grep -q interrupted "$work/err" || complain "interrupted export: $(cat "$work/err")"
[ "$(ls "$work/out_dir")" = empty ] || complain "interrupted export: left $(ls "$work/out_dir")"
expect 0 "$MEMTWIN" trace export -w addvect:100 -o "$work/out_dir/empty/"
[ "$(ls "$work/out_dir/empty")" = "kernel-1.traceg
kernelslist.g" ] || complain "export into an empty folder: $(ls "$work/out_dir/empty")"
expect_line 1 "the folder is not empty" "$MEMTWIN" trace export -w addvect:100 -o "$work/out_dir/empty"
finish
