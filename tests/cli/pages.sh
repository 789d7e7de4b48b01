#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 1 s
# memtwin pages: references, pages and windows computed by hand, consistent sums, and refused options, for workloads and for traces.
. tests/lib.bash

# pages OPTION...: writes the rows of --csv, and the windows and the table of a workload
pages() {
    expect 0 "$MEMTWIN" pages "$@" --csv "$work/pages.csv" --by-page "$work/by_page.csv" --windows "$work/windows.csv"
    [ "$(head -n 1 "$work/pages.csv")" = instruction,array,page ] || complain "$1: columns: $(head -n 1 "$work/pages.csv")"
    [ "$(head -n 1 "$work/windows.csv")" = window,instructions,pages,new_pages ] || complain "$1: columns: $(head -n 1 "$work/windows.csv")"
}
windows_are() { # ROW...
    printf '%s\n' "$@" | cmp -s - <(tail -n +2 "$work/windows.csv") || complain "windows: $(tail -n +2 "$work/windows.csv" | xargs), not $*"
}
prints() { # TEXT...: several blanks count as one
    for text in "$@"; do tr -s ' ' <"$work/out" | grep -qxF -- "$text" || complain "no '$text' in: $(cat "$work/out")"; done
}

# Type I: each of 20 pages is used once, in order, with 31 loads and one atomic each, by one warp.
pages -w patterns:1,20,1,1,31 --window 48
seq 0 639 | awk '{ print $1 ",data," int($1 / 32) }' | cmp -s - <(tail -n +2 "$work/pages.csv") || complain "type I: other references"
(echo array,page,instructions && seq 0 19 | sed 's/.*/data,&,32/') | cmp -s - "$work/by_page.csv" || complain "type I: other pages"
# 48 instructions are one and a half pages; the last 16 are the second half of page 19.
windows_are $(for w in {0..12}; do echo $w,48,2,$((w % 2 ? 1 : 2)); done) 13,16,1,0
prints "array from page pages touched instructions accesses" "data 0 20 20 640 20480" "all 20 20 640" \
    "windows of 48 warp memory instructions: 14; different pages: 1.9 on average, 2 at most"
# Type II: the same references three times, with two instructions per page.
pages -w patterns:2,20,3,1,1 --window 40
windows_are 0,40,20,20 1,40,20,0 2,40,20,0
pages -w patterns:2,20,3,1,1
windows_are 0,120,20,20

# Rows have 512 bytes: a warp of mvt's first kernel reads 32 rows, that is 4 pages, in one instruction. Two launches; x1, y1, x2, y2 have one page each.
pages -w mvt:128
a=$(awk '$1 == "a" { print $2 }' "$work/out")
awk -F , -v a="$a" '$2 == "a" { n[$1]++; if (!first) first = $1 } END { exit !(n[first] == 4) }' "$work/pages.csv" || complain "mvt: not 4 pages in an instruction"
awk '$1 == "a" && $2 % 512 == 0 && $3 == 16 && $4 == 16 { good = 1 } END { exit !good }' "$work/out" || complain "mvt: $(grep '^a ' "$work/out")"

# The new pages of all windows sum up to the pages touched, and the references name as many pages. Instructions and accesses equal those of a run.
for w in bfs:777 gemm:40 ra:30000 kmeans:300,3,4,5 3mm:32; do
    pages -w $w --window 100
    read -r _ footprint touched insts < <(grep '^all ' "$work/out")
    [ "$(awk -F , 'NR > 1 { n += $4 } END { print n }' "$work/windows.csv")" = "$touched" ] || complain "$w: not $touched new pages"
    [ "$(awk -F , 'NR > 1 { n += $2 } END { print n }' "$work/windows.csv")" = "$insts" ] || complain "$w: not $insts instructions"
    [ "$(tail -n +2 "$work/pages.csv" | cut -d , -f 3 | sort -u | wc -l)" = "$touched" ] || complain "$w: not $touched pages in the references"
    awk -F , 'FNR == 1 { next } NR == FNR { n[$2 "," $3]++; next } { pages++; if (n[$1 "," $2] != $3) exit 1 } END { exit pages != length(n) }' "$work/pages.csv" "$work/by_page.csv" ||
        complain "$w: --by-page and the references differ"
    awk -F , -v windows=$(((insts + 99) / 100)) 'NR > 1 { seen[int($1 / 100)] } END { for (i = 0; i < windows; i++) if (!(i in seen)) exit 1 }' "$work/pages.csv" || complain "$w: a window without a page"
    awk -F , 'NR == FNR { if (FNR > 1) p[$1] = $3; next } FNR > 1 && !((int($1 / 100), $3) in seen) { seen[int($1 / 100), $3]; n[int($1 / 100)]++ } END { for (i in p) if (p[i] != n[i]) exit 1 }' \
        "$work/windows.csv" "$work/pages.csv" || complain "$w: windows and references differ"
    expect 0 "$MEMTWIN" run -c tiny -q -w $w -s uvm.mode=paged --json "$work/run.json"
    jq -e ".stats | .uvm_footprint_pages == $footprint and .uvm_touched_pages == $touched" "$work/run.json" >/dev/null || complain "$w: a run touches other pages: $(jq -c '.stats | [.uvm_footprint_pages, .uvm_touched_pages]' "$work/run.json"), not $footprint and $touched"
done

# ---- Traces ----

# Two warps alternate. Regions of 2 MB are numbered in order of appearance: 0x7f0000200000 is the first. The store of warp 0 touches both regions, and
# one page twice. Shared and local memory have no pages.
printf -- '-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (64,1,1)\n-shmem = 4096\n-accelsim tracer version = 4\n#\n#BEGIN_TB\nthread block = 0,0,0
warp = 0\ninsts = 3\n0000 ffffffff 1 R2 LDG.E 1 R4 4 1 0x7f0000201f80 4 0\n0010 00000007 0 STG.E 2 R4 R2 4 0 0x7f0000200ffc 0x7f0000001000 0x7f0000001004 0
0030 ffffffff 0 EXIT 0 0 0\nwarp = 1\ninsts = 4\n0000 ffffffff 1 R2 LDG.E 1 R4 4 1 0x7f0000001000 4 0\n0010 ffffffff 1 R5 LDS 1 R6 4 1 0x80 4 0
0020 ffffffff 1 R7 LDL 1 R6 4 1 0xfffc00 4 0\n0030 ffffffff 0 EXIT 0 0 0\n#END_TB\n' >"$work/kernel-1.traceg"
expect 0 "$MEMTWIN" pages -t "$work/kernel-1.traceg" --csv "$work/pages.csv" --by-page "$work/by_page.csv" --windows "$work/windows.csv"
prints "array from page pages touched instructions accesses" "0x7f0000200000 0 512 2 2 33" "0x7f0000000000 512 512 1 2 34" "all 1024 3 3" \
    "windows of 1024 warp memory instructions: 1; different pages: 3.0 on average, 3 at most"
printf '%s\n' instruction,array,page 0,0x7f0000200000,1 1,0x7f0000000000,513 2,0x7f0000200000,0 2,0x7f0000000000,513 | cmp -s - "$work/pages.csv" || complain "a trace: $(cat "$work/pages.csv")"
printf '%s\n' array,page,instructions 0x7f0000200000,0,1 0x7f0000200000,1,1 0x7f0000000000,513,2 | cmp -s - "$work/by_page.csv" || complain "a trace, by page: $(cat "$work/by_page.csv")"
printf '%s\n' window,instructions,pages,new_pages 0,3,3,3 | cmp -s - "$work/windows.csv" || complain "a trace, windows: $(cat "$work/windows.csv")"

# An exported workload with one array has the same references, and the pages that a run of the trace touches.
"$MEMTWIN" trace export -q -w patterns:2,700,3,2,1 -o "$work/trace"
"$MEMTWIN" pages -q -w patterns:2,700,3,2,1 --csv "$work/pages.csv"
expect 0 "$MEMTWIN" pages -t "$work/trace" --csv "$work/trace.csv"
cmp -s <(cut -d , -f 1,3 "$work/pages.csv") <(cut -d , -f 1,3 "$work/trace.csv") || complain "an exported workload refers to other pages"
prints "0x80000000 0 512 512 3072 98304" "0x80200000 512 512 188 1128 36096" "all 1024 700 4200"
expect 0 "$MEMTWIN" run -c tiny -q -t "$work/trace" -s uvm.mode=paged --json "$work/run.json"
jq -e '.stats | .uvm_footprint_pages == 1024 and .uvm_touched_pages == 700' "$work/run.json" >/dev/null || complain "a run of the trace touches other pages"
"$MEMTWIN" pages -q -t - <"$work/kernel-1.traceg" || complain "a trace from standard input"

# On standard output there is nothing else. With -q there is no output at all.
"$MEMTWIN" pages -w addvect:1024 --csv - 2>"$work/err" >"$work/stdout"
[ "$(head -n 1 "$work/stdout")" = instruction,array,page ] && ! grep -q touched "$work/stdout" && grep -q touched "$work/err" || complain "--csv -: $(head -n 3 "$work/stdout")"
expect 0 "$MEMTWIN" pages -w addvect:1024 -q
[ ! -s "$work/out" ] && [ ! -s "$work/err" ] || complain "-q: $(cat "$work/out" "$work/err")"

wrong() { # TEXT OPTION...
    local text=$1
    shift
    expect_line 1 "$text" "$MEMTWIN" pages "$@"
}
wrong "no workload: use -w WORKLOAD (see memtwin list workloads) or -t TRACE"
wrong "use either -w gemm or -t $work/trace" -w gemm -t "$work/trace"
wrong "$work/none: No such file" -t "$work/none"
wrong "$work/trace/kernel-1.traceg would be overwritten, but this run reads it" -t "$work/trace" --by-page "$work/trace/kernel-1.traceg"
sed -i '$d' "$work/kernel-1.traceg" && sed -i '$d' "$work/kernel-1.traceg"
wrong "$work/kernel-1.traceg:18: warp 1 has 3 of 4 instructions" -t "$work/kernel-1.traceg" --csv "$work/z"
[ ! -e "$work/z" ] || complain "a file is left of a trace that is cut off"
wrong "no workload 'gem' (see memtwin list workloads); did you mean 'gemm'?" -w gem
wrong "size" -w gemm:0
wrong "gemm:16+atax:16: only one workload is possible, not several joined by +" -w gemm:16+atax:16
wrong "--window" -w gemm:16 --window 0
wrong "given for two outputs" -w gemm:16 --csv "$work/x" --windows "$work/./x"
wrong "given for two outputs" -w gemm:16 --csv - --windows -
wrong "given for two outputs" -w gemm:16 --by-page "$work/x" --windows "$work/x"
wrong "cannot write $work/no/x: No such file" -w gemm:16 --csv "$work/no/x"
wrong "cannot write $work/no/x: No such file" -w gemm:16 --csv "$work/y" --windows "$work/no/x"
[ ! -e "$work/y" ] || complain "a file is left after an error"
# An interrupted command leaves no file.
"$MEMTWIN" pages -w gemm:512 -q --csv "$work/cut.csv" 2>"$work/err" &
sleep 0.3
kill -TERM $!
wait $!
[ $? = 143 ] && [ ! -e "$work/cut.csv" ] && [ "$(cat "$work/err")" = "memtwin pages: interrupted" ] || complain "interrupted: $(cat "$work/err")"
finish
