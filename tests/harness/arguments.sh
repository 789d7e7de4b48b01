#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 8 s
# Each script of tb/ and synth/ prints its help, and refuses a wrong argument, a missing one and a wrong MEMTWIN_RTL in one line; it writes nothing.
. tests/lib.bash
export MEMTWIN
word=no_such_word
for script in tb/*/*.sh synth/*.sh; do
    code=1
    [ $script != tb/formal/run.sh ] || code=2 # 1: a proof failed
    expect 0 "$script" --help
    [ -s "$work/out" ] && [ ! -s "$work/err" ] || complain "$script --help: $(cat "$work/err")"
    for argument in --bad $word; do
        expect_line $code '' "$script" $argument
        ! grep -q 'line [0-9]*:' "$work/err" || complain "$script $argument: $(cat "$work/err")"
    done
    [ ! -e $word ] || { complain "$script $word writes into the folder" && rm -r $word; }
done
for script in tb/coverage/report.sh tb/harness/cosim.sh tb/integration/{ports,wave}.sh synth/{equivalence,netlist}.sh; do
    expect_line 1 "$script" "$script"
done
expect_line 1 "no block 'toaster'; there are: $(tb/harness/sizes.sh toaster 2>&1 | sed 's/.*there are: //')" tb/harness/cosim.sh toaster

# ---- a folder without the block's Verilog
mkdir "$work/rtl"
export MEMTWIN_RTL=$work/rtl
reason="MEMTWIN_RTL=$work/rtl: no in_fifo/in_fifo.f; name the rtl folder"
expect 1 "$MEMTWIN" cosim in_fifo
[ "$(cat "$work/err")" = "memtwin cosim: $reason" ] || complain "cosim: $(cat "$work/err")"
expect_line 2 "$reason" tb/formal/run.sh in_fifo
expect_line 1 "$reason" env OUT="$work/mutation" tb/mutation/mutate.sh --sample 4 in_fifo
[ ! -e "$work/mutation" ] || complain "mutate.sh writes results without Verilog"
expect_line 1 "$reason" env OUT="$work/coverage" tb/coverage/rtl.sh in_fifo
finish
