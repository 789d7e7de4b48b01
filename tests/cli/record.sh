#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run --record writes the inputs of an instance to a vector file that the model and the Verilog replay. Wrong uses are refused.
. tests/lib.bash
run=("$MEMTWIN" run -q -c tiny -w atax:24 -s l1d.mshr=dl)

# two instances give the same recordings and the same run, with or without twins
expect 0 "${run[@]}" --json "$work/alone.json"
expect 0 "${run[@]}" --record "l1d.0.mshr=$work/l1d.vec" --record "l2.1.in=$work/in.vec" --json "$work/x.json"
jq -e --slurpfile alone "$work/alone.json" '.stats == $alone[0].stats and .lockstep.twins == 0' "$work/x.json" >/dev/null || complain "the run differs"
cycles=$(sed -n 's/^end //p' "$work/l1d.vec")
[ "${cycles:-0}" -gt 1000 ] || complain "$cycles cycles recorded"
for file in l1d in; do
    for engine in model icarus; do
        expect 0 "$MEMTWIN" replay "$work/$file.vec" --engine $engine
        grep -q '^verdict: PASS$' "$work/out" || complain "$file by $engine: $(tail -1 "$work/out")"
    done
done
expect 0 "${run[@]}" --record "l1d.0.mshr=$work/twin.vec" --twin 'l1d.0.mshr'
cmp -s "$work/l1d.vec" "$work/twin.vec" || complain "a twin changes the recording"
# through a pipe to another program
"${run[@]}" --record l1d.0.mshr=- 2>/dev/null | "$MEMTWIN" replay - --engine model >"$work/out" 2>&1
grep -q '^verdict: PASS$' "$work/out" || complain "through a pipe: $(tail -1 "$work/out")"
"$MEMTWIN" cosim in_fifo --model-only --cycles 2000 --record - 2>/dev/null | "$MEMTWIN" replay - --engine model >"$work/out" 2>&1
grep -q '^verdict: PASS$' "$work/out" || complain "cosim through a pipe: $(tail -1 "$work/out")"
# a run that is cut off is recorded up to its end
expect 0 "${run[@]}" -s sim.max_cycles=500 --record "l1d.0.mshr=$work/cut.vec"
grep -qx 'end 500' "$work/cut.vec" || complain "cut off: $(tail -1 "$work/cut.vec")"

# all vector files in a folder give one line each; one of them differs, and one is unreadable
mkdir "$work/all"
mv "$work/l1d.vec" "$work/all/a.vec"
mv "$work/cut.vec" "$work/all/b.vec"
expect 0 "$MEMTWIN" replay "$work/all" --engine model
cmp -s "$work/out" <(printf '%s: PASS dl_mshr by model: %s cycles\n' "$work/all/a.vec" "$cycles" "$work/all/b.vec" 500
    echo "2 files: 2 the same, 0 different, 0 with errors") || complain "a folder: $(cat "$work/out")"
mkdir "$work/one"
cp "$work/all/b.vec" "$work/one"
expect 0 "$MEMTWIN" replay "$work/one" --engine model
grep -qx "1 file: 1 the same, 0 different, 0 with errors" "$work/out" || complain "a folder of one: $(cat "$work/out")"
sed '400 s/ 00000/ 01000/' "$work/all/b.vec" >"$work/all/c.vec"
echo nothing >"$work/all/d.vec"
expect 3 "$MEMTWIN" replay "$work/all" --engine model
grep -q "^$work/all/c.vec: MISMATCH: cycle [0-9]*, port " "$work/out" && grep -qx "$work/all/d.vec: ERROR" "$work/out" &&
    grep -qx "4 files: 2 the same, 1 different, 1 with errors" "$work/out" || complain "a folder with faults: $(cat "$work/out")"
grep -q "$work/all/d.vec:1: expected" "$work/err" || complain "a folder with faults: $(cat "$work/err")"

wrong() { # TEXT ARGUMENT...
    local text=$1
    shift
    expect_line 1 "$text" "${run[@]}" "$@"
}
wrong "option --record needs a value" --record
for arg in l1d.0.mshr =x.vec l1d.0.mshr=; do wrong "--record $arg: expected INSTANCE=FILE" --record "$arg"; done
wrong "--record l9.0.mshr: no such instance; the machine has l1d.*.mshr (2 dl_mshr)" --record "l9.0.mshr=$work/x.vec"
wrong "l1d.0.mshr has no Verilog: dl_mshr: parameter SETS=257 is outside 3..256" -s l1d.dl_sets=257 --record "l1d.0.mshr=$work/x.vec"
wrong "--record l1d.0.mshr: unlimited_mshr has no Verilog" -s l1d.mshr=unlimited --record "l1d.0.mshr=$work/x.vec"
wrong "$work/no/x.vec: No such file" --record "l1d.0.mshr=$work/no/x.vec"
wrong "given for two outputs" --record "l1d.0.mshr=$work/x.vec" --record "l1d.1.mshr=$work/x.vec"
wrong "given for two outputs" --record "l1d.0.mshr=$work/x.vec" --record "l1d.1.mshr=$work/./x.vec"
for name in 'l1d.*.mshr' dl_mshr; do wrong "--record $name: expected one instance, not a pattern; for example l1d.0.mshr" --record "$name=$work/x.vec"; done
wrong "given for two outputs" --record "l1d.0.mshr=$work/x.json" --json "$work/x.json"
wrong "is recorded already" --record "l1d.0.mshr=$work/x.vec" --record "l1d.0.mshr=$work/y.vec"
rm -f "$work"/?.vec
wrong "no such instance" --record "l1d.0.mshr=$work/x.vec" --record "l9.0.mshr=$work/y.vec"
[ ! -e "$work/x.vec" ] || complain "a recording is left of a run that did not start"
finish
