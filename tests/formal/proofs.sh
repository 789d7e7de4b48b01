#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 190 s
# The quick proofs of `make formal` hold (docs/results/verification.md), and the runner refuses unknown arguments.
. tests/lib.bash
. tests/formal/plant.bash
export OUT=$work/proofs

expect 0 tb/formal/run.sh --quick
shown=$(tail -n 1 "$work/out")
n=$(tb/formal/run.sh --list | grep -c '|q$')
[ "$n" -gt 9 ] && [ "$shown" = "$n of $n shown" ] || complain "$shown, not $n"
[ "$(grep -cE 'proven, unbounded|by structure' "$work/out")" -eq "$n" ] || complain "not all unbounded: $(cat "$work/out")"
# each contract states its numbers of assertions and covers; a lost one is noticed, and so are rules that contradict each other
tb/formal/run.sh --list | grep '|contract|' | grep -vE '\|(pdr|induction) [1-9][0-9]* [1-9][0-9]*\|' && complain "contracts without a count of their assertions and covers"
for says in '3 1' '2 2'; do
    sed -n "s/^\(mt_ram_1r1w .* WIDTH=4 .* induction\) [0-9 ]*/\1 $says /p" tb/formal/proofs.txt >"$work/proofs.txt"
    PROOFS=$work/proofs.txt expect 1 tb/formal/run.sh
    grep -q "MISCOUNT: 2 assertions and 1 covers, and the list says ${says/ / and }" "$work/out" || complain "a wrong number passes: $(cat "$work/out")"
done

# not_shown TEXT MODULE PARAMETER: checks that with the planted fault a submodule's contract is not proven, for this reason
not_shown() {
    local text=$1
    shift
    MEMTWIN_RTL=$work/rtl PATIENCE=1 expect 1 tb/formal/run.sh "$1" contract "$2"
    grep -qE "$text" "$work/out" || complain "no '$text': $(cat "$work/out")"
}
# the induction step fails: for a fault that needs more cycles from reset than are examined, and for a true property that does not follow from
# the assertions of the previous cycle
plant lib/mt_fifo_ptr.v 'push && tail_next == head' 'push && tail_next == head && !tail[2]'
not_shown 'VIOLATED: full_if_count in cycle [5-9]:' mt_fifo_ptr DEPTH=5
# if rules contradict each other, everything is proven and nothing is reached
plant lib/mt_fifo_ptr_contract.vh '(!(push && full))' "(1'b0)"
not_shown 'EMPTY: not reached: c_full c_wrap|EMPTY: not reached: c_wrap c_full' mt_fifo_ptr DEPTH=5
plant lib/mt_late_count.v 'count == f_count && count <= LAST' 'count <= LAST'
not_shown 'NOT PROVEN, .* as 1 s allow' mt_late_count MAX=5

grep -rnE '@[A-Z]+@' docs README.md && complain "a placeholder was left in the documents"
# MEMTWIN_RTL is relative to the folder of the user
(cd "$work" && MEMTWIN_RTL=rtl PATIENCE=1 bash "$OLDPWD/tb/formal/run.sh" mt_late_count contract MAX=5) >"$work/out" 2>&1 && complain "a relative MEMTWIN_RTL is not read: $(cat "$work/out")"
grep -q 'NOT PROVEN' "$work/out" || complain "a relative MEMTWIN_RTL: $(cat "$work/out")"
expect_line 2 'no such proof' tb/formal/run.sh cart haste
expect_line 2 'no such proof: toaster; tb/formal/run.sh --list' tb/formal/run.sh toaster
mkdir "$work/empty"
expect_line 2 "MEMTWIN_RTL=$work/empty: no in_fifo/in_fifo.f; name the rtl folder" env MEMTWIN_RTL="$work/empty" tb/formal/run.sh in_fifo
expect_line 2 "MEMTWIN_RTL=$work/empty: no mt_late_count.v; name the rtl folder" env MEMTWIN_RTL="$work/empty" tb/formal/run.sh mt_late_count
expect_line 2 "MEMTWIN_RTL=$PWD/nowhere: no such folder" env MEMTWIN_RTL=nowhere tb/formal/run.sh cart
expect_line 2 'no list of proofs' env PROOFS=tests/none.txt tb/formal/run.sh cart
finish
