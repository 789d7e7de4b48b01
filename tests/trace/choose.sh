#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 2 s
# Kernels of a trace by number and name (--kernels), bad kernels that are left out (--skip-bad), all bad kernels named by `trace check`, and
# one summary of what was odd.
. tests/lib.bash

t=$work/t
mkdir "$t"
kernel() { # NUMBER NAME [LINE]: prints a kernel of one store, after LINE
    printf -- '-kernel name = %s\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n-accelsim tracer version = 4\n#\n' "$2"
    printf '#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = %d\n' $#
    [ $# -eq 2 ] || echo "$3"
    printf '0010 ffffffff 0 STG.E 2 R4 R3 4 1 0x7f0000%02x0000 4 0\n0020 ffffffff 0 EXIT 0 0 0\n#END_TB\n' "$1"
}
exit_of_all='0000 ffffffff 0 EXIT 0 0 0'
long=_ZN7cutlass6KernelI$(printf 'N%.0s' {1..300})E # no C++ name: shown as it is
kernel 1 _Z4initPf >"$t/kernel-1.traceg"
kernel 2 _ZN2at6native13reduce_kernelILi512EfEEvT_ "$exit_of_all" >"$t/kernel-2.traceg"
kernel 3 _Z4initPf >"$t/kernel-3.traceg"
kernel 4 "${long}a" "$exit_of_all" >"$t/kernel-4.traceg"
kernel 5 "${long}b" >"$t/kernel-5.traceg"
printf 'kernel-%d.traceg\n' 1 2 3 4 5 >"$t/kernelslist.g"
run() { expect 0 "$MEMTWIN" run -c tiny -t "$t" -q --json "$work/x.json" "$@"; }
is() { [ "$2" = "$3" ] || complain "$1: '$3' instead of '$2'"; }

# ---- Choice ----
chosen() { # LIST LAUNCHES-OF-NAMES
    run --kernels "$1"
    is "--kernels $1" "$2" "$(jq -r '[.kernels[] | "\(.launches) \(.function | .[:26])"] | join(", ")' "$work/x.json")"
}
reduce='at::native::reduce_kernel<'
chosen 1 '1 init'
chosen 1,3 '2 init'
chosen -2 "1 init, 1 $reduce"
chosen 4- "1 ${long:0:26}, 1 ${long:0:26}"
chosen 2-3,1 "2 init, 1 $reduce"
chosen reduce "1 $reduce"
chosen '_Z4*' '2 init'
chosen '*t*' "2 init, 1 $reduce, 1 ${long:0:26}, 1 ${long:0:26}"
chosen 'reduce_kernel<512, float>' "1 $reduce"
chosen 'in?t,5' "2 init, 1 ${long:0:26}"
run
is "whole names" "${long}a ${long}b" "$(jq -r '[.kernels[2:4][].name] | join(" ")' "$work/x.json")"
sums=$(jq -c '[.kernels[].stats] | [(map(.cycles) | add), (map(.warp_insts) | add), (map(.l1d_accesses) | add)]' "$work/x.json")
is "sums" "$(jq -c '[.stats.cycles, .stats.warp_insts, .stats.l1d_accesses]' "$work/x.json")" "$sums"
is "one summary" "memtwin run: $t/kernel-2.traceg:12: warning: an EXIT of all lanes before the end of the warp, taken as arithmetic (2 times: 1 in kernel 2, 1 in kernel 4)" \
    "$(cat "$work/err")"
is "warnings of kernels" '[[2,12,1],[4,12,1]]' "$(jq -c '[.trace.warnings[] | [.kernel, .line, .times]]' "$work/x.json")"
expect 0 "$MEMTWIN" run -c tiny -t "$t"
grep -q '^       2  .*  init$' "$work/out" || complain "no table of kernels: $(cat "$work/out")"
is "the table of kernels" "$(jq -r '.stats.cycles as $all | .kernels | sort_by(-.stats.cycles)[] |
    "\(.launches) \(.stats.cycles) \(100 * .stats.cycles / $all * 10 | round / 10)"' "$work/x.json")" \
    "$(sed -n '/^launches/,/^ *--stats/p' "$work/out" | awk '/%/ && $1 != "launches" { gsub(",", "", $2); print $1, $2, $3 + 0 }')"
expect 0 "$MEMTWIN" run -c tiny -t "$t" --detail -q --json "$work/x.json"
is "names in --detail" "${long}a ${long}b" "$(jq -r '[.detail[] | select(.scope == "kernel").name][3:5] | join(" ")' "$work/x.json")"
for list in 0 4-2 1-x 1,, 3x -; do
    expect_line 1 "expected numbers of kernels such as 3, 1-6 or 8-, or a name" "$MEMTWIN" run -c tiny -t "$t" -q --kernels "$list"
done
expect_line 1 "--kernels: no kernel 6: the trace has 5" "$MEMTWIN" run -c tiny -t "$t" -q --kernels 1,6-
for command in 'run -c tiny -q' 'pages -q' 'trace check -q'; do
    expect 0 "$MEMTWIN" $command -t "$t" --kernels 5-7
    is "--kernels 5-7" "memtwin ${command%% *}: $t/kernelslist.g: warning: --kernels has numbers up to 7, the trace up to 5" "$(cat "$work/err")"
    expect 0 "$MEMTWIN" $command -t "$t" --kernels 5-
    is "--kernels 5-" '' "$(cat "$work/err")"
done
expect_line 1 "--kernels: no kernel's name matches 'gemm'" "$MEMTWIN" run -c tiny -t "$t" -q --kernels gemm
expect_line 1 "--kernels works only with a trace" "$MEMTWIN" run -c tiny -w addvect:32 --kernels 1
expect_line 1 "--skip-bad works only with a trace" "$MEMTWIN" run -c tiny -w addvect:32 --skip-bad
expect 0 "$MEMTWIN" pages -t "$t" --kernels 5 --csv "$work/pages.csv" -q
is "pages of a kernel" 1 "$(tail -n +2 "$work/pages.csv" | wc -l)"

# A short mangled name that stands for one of 2^36 arguments is shown as it is.
bomb=_Z1fI1PIiiE
for pair in {0..9} {A..Z}; do bomb+=S_IS${pair}_S${pair}_E; done
mkdir "$work/bomb"
kernel 1 "${bomb}EvT_" >"$work/bomb/kernel-1.traceg"
expect 0 timeout 20 "$MEMTWIN" run -c tiny -t "$work/bomb/kernel-1.traceg" -q --json "$work/y.json"
is "a name that explodes" "${bomb}EvT_" "$(jq -r '.kernels[0].function' "$work/y.json")"

sed 's/^#$/-foo = bar\n#/' "$t/kernel-1.traceg" >"$work/foo.traceg"
expect 0 "$MEMTWIN" run -c tiny -q -t "$work/foo.traceg"
is "an unknown line of the header" "memtwin run: $work/foo.traceg:6: warning: '-foo' is an unknown line of the header, skipped (1 time)" "$(cat "$work/err")"

# ---- Bad kernels ----
sed -i 's/^insts.*/insts = x/' "$t/kernel-2.traceg"
sed -i 's/^-shmem.*/-shmem = 999999/' "$t/kernel-3.traceg"
echo '-grid dim = 1' >"$t/kernel-4.traceg"
bad2="$t/kernel-2.traceg:10: expected 'insts = n', not 'insts'"
bad3="$t/kernel-3.traceg: kernel _Z4initPf: a CTA of 999999 B of shared memory does not fit"
bad4="$t/kernel-4.traceg:1: expected (x,y,z), not '1'"
expect 6 "$MEMTWIN" run -c tiny -t "$t" -q --skip-bad --kernels 1,2
grep -qF "$t/kernelslist.g: 1 of 5 kernels is bad" "$work/err" || complain "one bad kernel: $(cat "$work/err")"
expect 6 "$MEMTWIN" run -c tiny -t "$t" -q --skip-bad --json "$work/x.json"
for why in "kernel 2 is bad: $bad2" "kernel 3 is bad: $bad3" "kernel 4 is bad: $bad4" "$t/kernelslist.g: 3 of 5 kernels are bad"; do
    grep -qF "memtwin run: $why" "$work/err" || complain "'$why' is not in: $(cat "$work/err")"
done
is "kernels are bad" '["done",true,2,[2,3,4]]' "$(jq -c '[.end, .complete, .trace.kernels, [.trace.left_out[].kernel]]' "$work/x.json")"
jq 'del(.host, .trace, .identity)' "$work/x.json" >"$work/skipped"
run --kernels 1,5
is "the same as without the bad kernels" "$(jq 'del(.host, .trace, .identity)' "$work/x.json")" "$(cat "$work/skipped")"
expect_line 1 "$bad3" "$MEMTWIN" run -c tiny -t "$t" -q --kernels 3
expect_line 1 "(memtwin run --skip-bad leaves out bad kernels)" "$MEMTWIN" run -c tiny -t "$t" -q
expect_line 1 "every kernel is bad, such as $bad2" "$MEMTWIN" run -c tiny -t "$t" -q --skip-bad --kernels 2
expect 1 "$MEMTWIN" trace check -t "$t"
for why in "kernel 2 is bad: $bad2" "kernel 4 is bad: $bad4" "$t/kernelslist.g: 2 of 5 kernels are bad"; do
    grep -qF "memtwin trace: $why" "$work/err" || complain "trace check: '$why' is not in: $(cat "$work/err")"
done
grep -q '^kernels  *3$' "$work/out" || complain "trace check: $(cat "$work/out")"
expect 0 "$MEMTWIN" trace check -t "$t" --kernels 1,3,5
expect 1 "$MEMTWIN" trace check -t "$t" --kernels 1,3,5 -c tiny
grep -qF "memtwin trace: kernel 3 is bad: $bad3" "$work/err" || complain "trace check -c: $(cat "$work/err")"
# The header does not say how many registers there are; the kernel has too many.
{ echo '-nregs = 99999' && kernel 1 many '0000 ffffffff 1 R254 MOV 0 0 0' | sed 's/(32,1,1)/(1024,1,1)/'; } >"$t/kernel-2.traceg"
expect 6 "$MEMTWIN" run -c gtx480 -t "$t" --kernels 1,2 --skip-bad -q
grep -q 'kernel 2 is bad: .* registers does not fit' "$work/err" || complain "registers: $(cat "$work/err")"
finish
