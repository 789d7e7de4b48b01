#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 13 s
# A twin that differs in a running system gives exit code 3, a report, and a replay file that shows the difference in the same cycle and port alone.
. tests/lib.bash

cp -r rtl "$work/rtl"
sed -i "s/rsp_last  = at_end/rsp_last  = 1'b1 || at_end/" "$work/rtl/mshr/mshr_drain.v"
! cmp -s rtl/mshr/mshr_drain.v "$work/rtl/mshr/mshr_drain.v" || complain "the fault can no longer be planted"
broken=(env MEMTWIN_RTL="$work/rtl" MEMTWIN_TWINS="$work/twins")
run=("$MEMTWIN" run -c tiny -w atax:64 -s l1d.mshr=dl --check)

for mode in lockstep drive; do
    mkdir "$work/$mode"
    expect 3 "${broken[@]}" "${run[@]}" --twin "l1d.*.mshr:$mode" --json "$work/$mode/x.json"
    file=$(echo "$work/$mode"/memtwin-atax_64-tiny-l1d.*.mshr-*-*.vec)
    cycle=$(sed 's/.*-\([0-9]*\)\.vec$/\1/' <<<"$file")
    [ -r "$file" ] || complain "$mode: no replay file: $(ls "$work/$mode")"
    port=$(awk '$1 == "port" { print $2 }' "$work/err")
    [ -n "$port" ] || complain "$mode: no port in the report"
    for word in "cycle    $cycle" "$file" "memtwin replay"; do
        grep -qF -- "$word" "$work/err" || complain "$mode: no '$word' in the report"
    done
    jq -e '.end == "mismatch" and .lockstep.mismatches > 0 and .lockstep.twins == 2' "$work/$mode/x.json" >/dev/null ||
        complain "$mode: JSON: $(jq -c .lockstep "$work/$mode/x.json")"

    # the replay alone: the same cycle and port in Verilator and Icarus, a waveform, and no difference with the correct RTL
    for engine in twin icarus; do
        expect 3 "${broken[@]}" "$MEMTWIN" replay "$file" --engine $engine --wave "$work/x.vcd"
        grep -q "cycle $cycle, port $port\\b" "$work/out" || complain "$mode, $engine: $(tail -n 3 "$work/out")"
        grep -q '^\$enddefinitions' "$work/x.vcd" || complain "$mode, $engine: no waveform"
        awk -v cycle="$cycle" '
            $1 == "$scope" { scope[++depth] = $3 }
            $1 == "$upscope" { depth-- }
            $1 == "$var" && scope[depth] == "expected" && $5 == "mismatch" { id = $4 }
            /^#/ { time = substr($1, 2) }
            $1 == "1" id { up = up " " time }
            END { exit up != " " 1000 * cycle || time <= 1000 * cycle }' "$work/x.vcd" ||
            complain "$mode, $engine: mismatch is not 1 from $cycle ns on, and only then"
        grep -qxF "view: gtkwave $work/x.gtkw" "$work/out" || complain "$mode, $engine: no command for the view"
        grep -q "^\*[-.0-9]* $((1000 * cycle))$" "$work/x.gtkw" || complain "$mode, $engine: the marker is not at cycle $cycle"
        rm -f "$work/x.vcd" "$work/x.gtkw"
    done
    expect 0 "$MEMTWIN" replay "$file" --engine model
done
expect 0 "$MEMTWIN" replay "$file"
[ "$(basename "$work"/lockstep/*.vec)" != "$(basename "$work"/drive/*.vec)" ] || complain "two runs would write the same replay file: $(basename "$file")"

# The folder of the replay file is read-only: it goes to the cache.
if [ "$(id -u)" != 0 ] || command -v setpriv >/dev/null; then
    user=() && [ "$(id -u)" != 0 ] || user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
    chmod 755 "$work"
    chmod -R a+rwX "$work/twins"
    mkdir -m 555 "$work/closed"
    mkdir -m 777 "$work/cache"
    program=$(realpath "$MEMTWIN")
    (cd "$work/closed" && "${user[@]}" "${broken[@]}" MEMTWIN_CACHE="$work/cache" "$program" "${run[@]:1}" --twin 'l1d.*.mshr') >"$work/out" 2>"$work/err"
    is=$?
    [ $is -eq 3 ] && grep -qF "replay file: $work/cache/replay/memtwin-atax_64-" "$work/err" && [ -s "$(echo "$work"/cache/replay/*.vec)" ] ||
        complain "a replay file in a read-only folder: exit $is: $(tail -n 3 "$work/err")"
fi

# The printed command runs from where the user stands.
mkdir "$work/it's"
ln -s "$(realpath "$MEMTWIN")" "$work/it's/program"
(cd "$work/it's" && MEMTWIN_RTL=../rtl MEMTWIN_TWINS=../twins ./program "${run[@]:1}" --twin 'l1d.*.mshr') >"$work/out" 2>"$work/err"
command=$(sed -n 's/^again, alone: //p' "$work/err")
(cd "$work/it's" && export MEMTWIN_TWINS=../twins && eval "${command/OUT.vcd/x.vcd}") >"$work/out" 2>"$work/err"
is=$?
[ $is -eq 3 ] && [ -s "$work/it's/x.vcd" ] || complain "the printed command: exit $is: $command: $(cat "$work/err")"

# twins of other instances are unaffected
expect 0 "${broken[@]}" "${run[@]}" --twin 'l2.*' -s l2.mshr=static -s l2.mshr_slots=1

# Counts of one are in the singular.
expect 3 "${broken[@]}" "${run[@]}" --twin l1d.0.mshr -q --json "$work/one.json"
grep -q ' 1 twin, .* 1 mismatch, ' "$work/out" || complain "one twin: $(cat "$work/out")"
expect 3 "${broken[@]}" "${run[@]}" --twin l1d.0.mshr --json "$work/one.json"
grep -q '[ ,]1 mismatch$' "$work/out" || complain "one mismatch: $(grep mismatch "$work/out")"
finish
