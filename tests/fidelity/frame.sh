#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 1 s
# sim/experiments/frame.sh: the version that runs, only complete runs, and the state after a signal.
. tests/lib.bash
expect 0 sim/experiments/frame.sh --help
program() { # COMMAND: creates a MEMTWIN that runs this command
    printf '#!/bin/bash\n%s\n' "$1" >"$work/program" && chmod +x "$work/program"
}
program "exec $MEMTWIN \"\$@\" -s sim.max_cycles=10"
for full in 0 1; do
    MEMTWIN=$work/program FULL=$full expect 1 sim/experiments/frame.sh dl_mshr
    grep -q '^frame.sh: dl_mshr: ' "$work/err" && [ "$(grep -c 'cut off' "$work/err")" = 1 ] || complain "frame.sh goes on without cycles: $(head -n 4 "$work/err")"
done
# FULL=0 differs from FULL=1: the first kernel shows which set runs.
program "echo \$5 >&2; exit 1"
MEMTWIN=$work/program FULL=0 expect 1 sim/experiments/frame.sh dl_mshr
grep -qx atax:256 "$work/err" || complain "FULL=0 is the full version: $(head -n 4 "$work/err")"
# After a signal to all processes, the folder remains until the run has written its file.
program "trap 'sleep 0.5; echo >\$8 && : >$work/written; exit 130' INT TERM; : >$work/started; while :; do sleep 0.1; done"
set -m
while read -r signal code; do
    rm -f "$work/started" "$work/written"
    MEMTWIN=$work/program sim/experiments/frame.sh dl_mshr >"$work/out" 2>"$work/err" &
    for _ in {1..100}; do [ -e "$work/started" ] && break || sleep 0.1; done
    kill "-$signal" -- -$!
    wait $! 2>/dev/null
    is=$?
    [ $is = "$code" ] && [ -e "$work/written" ] || complain "SIG$signal: frame.sh ends with $is, or before the run"
done <<<$'INT 130\nTERM 143'
finish
