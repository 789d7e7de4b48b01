#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 14 s
# Ctrl-C and races: an interrupted cosim writes no file and keeps those that exist, interrupted proofs and mutants leave no process, an interrupted Icarus run leaves no folder, and two programs that
# need the same new twin at the same time both get it. Run from the root.
. tests/lib.bash
export MEMTWIN_TWINS=$work/twins
mkdir "$work/tmp"
program=$MEMTWIN
point=(-p SETS=4 -p SLOTS=2 -p RESERVED_HEADS=1)

# A background job of a script ignores SIGINT unless job control is on.
set -m

# ---- Two programs, one new twin ----
$program cosim dl_mshr_paper "${point[@]}" --cycles 2000 >"$work/one" 2>&1 &
first=$!
$program cosim dl_mshr_paper "${point[@]}" --cycles 2000 >"$work/two" 2>&1 &
second=$!
wait $first || complain "first of two: $(tail -n 3 "$work/one")"
wait $second || complain "second of two: $(tail -n 3 "$work/two")"
[ "$(find "$work/twins" -name '*.so' | wc -l)" -eq 1 ] || complain "not one shared object: $(ls "$work/twins")"
find "$work/twins" -name '*.obj' -o -name '*.part' | grep -q . && complain "left in the twins' folder: $(ls "$work/twins")"

# ---- A recording, interrupted ----
echo before >"$work/tmp/r.vec"
echo before >"$work/tmp/r.json"
$program cosim dl_mshr_paper "${point[@]}" --model-only --cycles 1000000000 --record "$work/tmp/r.vec" --json "$work/tmp/r.json" >"$work/log" 2>&1 &
pid=$!
for _ in $(seq 1000); do
    began=$(find -L "/proc/$pid/fd" -type f -links 0)
    [ -n "$began" ] && break
    sleep 0.05
done
[ -n "$began" ] || complain "no recording has begun"
kill -INT -- -$pid
wait $pid
is=$?
[ $is -eq 130 ] || complain "an interrupted run exits with $is"
[ "$(cd "$work/tmp" && echo *)" = 'r.json r.vec' ] || complain "an interrupted recording leaves $(ls "$work/tmp")"
[ "$(cat "$work"/tmp/r.*)" = $'before\nbefore' ] || complain "an interrupted run replaces a file: $(tail -n 1 "$work"/tmp/r.*)"
grep -q 'interrupted after [0-9]* cycles; no output file is written$' "$work/log" || complain "an interrupted run: $(cat "$work/log")"
rm "$work"/tmp/r.*

# ---- Proofs and mutants, interrupted: the solver ends too, also after SIGTERM to the script alone ----
mkdir "$work/slow"
printf '#!/bin/bash\necho $$ >%q\nexec sleep 1000\n' "$work/solver" >"$work/slow/yosys-abc"
chmod +x "$work/slow/yosys-abc"
interrupt_solver() { # SIGNAL WHOM COMMAND...: WHOM is - for the group, as after Ctrl-C, and empty for the script
    rm -f "$work/solver"
    PATH=$work/slow:$PATH OUT=$work/proofs "${@:3}" >"$work/log" 2>&1 </dev/null &
    local pid=$! solver
    for _ in $(seq 1200); do
        [ -s "$work/solver" ] && break
        sleep 0.05
    done
    solver=$(cat "$work/solver") || { complain "no solver has begun: ${*:3}: $(cat "$work/log")"; return; }
    kill "-$1" -- "$2$pid"
    wait $pid
    for _ in $(seq 60); do
        kill -0 "$solver" 2>/dev/null || return 0
        sleep 0.05
    done
    complain "SIG$1 ${2:+to the group }of ${*:3} leaves its solver"
    kill "$solver"
}
proof=(tb/formal/run.sh mt_fifo_ptr contract DEPTH=5)
mutants=(env MEMTWIN="$program" RUNS=2:11 tb/mutation/mutate.sh --sample 10 in_fifo)
interrupt_solver INT - "${proof[@]}"
interrupt_solver TERM '' "${mutants[@]}"
interrupt_solver INT - "${mutants[@]}"

# ---- Icarus, interrupted ----
$program cosim dl_mshr_paper "${point[@]}" --model-only --cycles 300000 --record "$work/long.vec" >"$work/log" 2>&1 ||
    complain "recording: $(tail -n 3 "$work/log")"
interrupt_icarus() { # SIGNAL STATUS
    TMPDIR=$work/tmp $program replay "$work/long.vec" --engine icarus >"$work/log" 2>&1 &
    pid=$!
    for _ in $(seq 1000); do
        ls "$work"/tmp/*/bench.vvp >/dev/null 2>&1 && break
        sleep 0.05
    done
    sleep 0.2
    kill "-$1" -- -$pid
    wait $pid
    is=$?
    [ $is -eq "$2" ] || complain "replay, SIG$1: exit $is"
    [ -z "$(ls "$work/tmp")" ] || complain "replay, SIG$1: leaves $(ls "$work/tmp")"
}
interrupt_icarus INT 130
interrupt_icarus TERM 143

# ---- A wave, interrupted by SIGINT even if that is ignored at the start, as in a background job of a script ----
interrupt_wave() { # SIGNAL STATUS COMMAND...
    "${@:3}" $program replay "$work/long.vec" --wave "$work/tmp/w.vcd" >"$work/log" 2>&1 &
    pid=$!
    for _ in $(seq 10000); do
        began=$(ls "$work"/tmp/.memtwin-*.part 2>/dev/null) && break
        sleep 0.05
    done
    [ -n "$began" ] || complain "no wave has begun: $(cat "$work/log")"
    kill "-$1" -- -$pid
    wait $pid
    is=$?
    [ $is -eq "$2" ] || complain "a wave, SIG$1: exit $is"
    [ -z "$(ls "$work/tmp")" ] || complain "a wave, SIG$1: leaves $(ls "$work/tmp")"
}
interrupt_wave HUP 129 env
interrupt_wave INT 130 env --ignore-signal=INT

# ---- A twin's build, interrupted: the whole process group, as by Ctrl-C, or the program alone ----
# interrupt_build SIGNAL WHOM STATUS NAME COMMAND...: WHOM is - for the group, and empty for the program.
interrupt_build() {
    local signal=$1 whom=$2 status=$3 name=$4 is pid began folder=$work/building
    shift 4
    rm -rf "$folder"
    MEMTWIN_TWINS=$folder "$@" >"$work/log" 2>&1 &
    pid=$!
    for _ in $(seq 10000); do
        began=$(ls -d "$folder"/*.obj 2>/dev/null) && break # twin.mk removes the folder between two runs of Verilator
        sleep 0.02
    done
    [ -n "$began" ] || complain "$name: no build has begun: $(cat "$work/log")"
    sleep 0.3
    local start=$SECONDS
    kill "-$signal" -- "$whom$pid"
    wait "$pid"
    is=$?
    [ $is -eq "$status" ] || complain "$name: exit $is instead of $status: $(tail -n 3 "$work/log")"
    [ $((SECONDS - start)) -le 3 ] || complain "$name: took $((SECONDS - start)) s to stop"
    [ -z "$(find "$folder" -name '*.obj' -o -name '*.so' -o -name 'runtime.??????')" ] || complain "$name: left $(ls "$folder")"
    grep -q 'interrupted' "$work/log" || [ "$signal" = TERM ] || complain "$name: no message: $(cat "$work/log")"
}
big=(dl_mshr -p SETS=256 -p SLOTS=8 -p PAYLOAD_W=1168)
interrupt_build INT - 130 "build, group" $program cosim "${big[@]}" --cycles 100000000
interrupt_build INT "" 130 "build, program alone" $program cosim "${big[@]}" --cycles 100000000
interrupt_build TERM "" 143 "build, SIGTERM" $program cosim "${big[@]}" --cycles 100000000
$program cosim "${big[@]}" --model-only --cycles 200 --record "$work/big.vec" >"$work/log" 2>&1 || complain "recording big"
interrupt_build INT "" 130 "build for a replay" $program replay "$work/big.vec"

finish
