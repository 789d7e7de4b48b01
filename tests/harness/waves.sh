#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 12 s
# A wave named .fst is an FST file with the same changes as the VCD, from Verilator and from Icarus. Unlike a VCD it cannot go into a FIFO. A
# wave that cannot be written gives one error line. The view beside a wave names the signals of both sides in port order. A wave has the expected
# outputs with the values of the recording, and the registers that the document names.
. tests/lib.bash
export MEMTWIN_TWINS=$work/twins
include=$(verilator --getenv VERILATOR_ROOT)/include/gtkwave
expect 0 gcc -w -DFST_CONFIG_INCLUDE='"fst_config.h"' -I"$include" -o "$work/fst" tests/harness/fst.c "$include"/{fstapi,lz4,fastlz}.c -lz -lpthread

# changes VCD: prints TIME NAME VALUE for each change of each signal, sorted
changes() {
    awk '
        function set(id, value) {
            sub(/^0+/, "", value); sub(/^x+/, "x", value); sub(/^z+/, "z", value)
            if (value == "") value = 0
            if (!(id in last) || last[id] != value) for (i = 1; i <= names[id]; i++) print time + 0, name[id, i], value
            last[id] = value
        }
        $1 == "$scope" { scope[++depth] = $3 }
        $1 == "$upscope" { depth-- }
        $1 == "$var" { n = ""; for (i = 1; i <= depth; i++) n = n scope[i] "."; name[$4, ++names[$4]] = n $5 }
        /^#/ { time = substr($1, 2) }
        /^b/ { set($2, substr($1, 2)) }
        /^[01xz]/ { set(substr($1, 2), substr($1, 1, 1)) }' "$1" | sort
}

expect 0 "$MEMTWIN" cosim in_fifo -p DEPTH=3 --model-only --cycles 500 --record "$work/x.vec"
for engine in twin icarus; do
    for kind in vcd fst; do
        expect 0 "$MEMTWIN" replay "$work/x.vec" --engine $engine --wave "$work/x.$kind"
        grep -qF "waves: $work/x.$kind" "$work/out" || complain "$engine: the wave is not named"
    done
    "$work/fst" "$work/x.fst" >"$work/of_fst.vcd" || complain "$engine: no FST file"
    changes "$work/x.vcd" >"$work/vcd"
    changes "$work/of_fst.vcd" >"$work/fst_changes"
    [ "$(wc -l <"$work/vcd")" -gt 5000 ] || complain "$engine: only $(wc -l <"$work/vcd") changes"
    cmp -s "$work/vcd" "$work/fst_changes" || complain "$engine: VCD and FST differ: $(diff "$work/vcd" "$work/fst_changes" | head -n 4)"
done
# ---- The view: port order, output above expected output, every name in the wave; one that GTKWave has saved stays ----
for engine in twin icarus; do
    expect 0 "$MEMTWIN" replay "$work/x.vec" --engine $engine --wave "$work/v.vcd"
    sed -n 's/^+{[^}]*} //; s/^\(TOP\|memtwin_bench\)\.//p' "$work/v.gtkw" | sed 's/^dut\.//; s/\[.*//' >"$work/shown"
    awk 'BEGIN { print "clk"; print "expected.mismatch" } $1 == "port" { print $3; if ($2 != "IN") print "expected." $3 } $1 == "data" { exit }' "$work/x.vec" >"$work/wanted"
    cmp -s "$work/shown" "$work/wanted" || complain "$engine: view: $(diff "$work/shown" "$work/wanted" | head -n 4)"
    changes "$work/v.vcd" | awk '{ print $2 }' | sort -u >"$work/names"
    sed -n 's/^+{[^}]*} //; s/^\(\(TOP\|memtwin_bench\)\..*\)/\1/p' "$work/v.gtkw" | sed 's/\[.*//' | sort -u | comm -23 - "$work/names" >"$work/missing"
    [ ! -s "$work/missing" ] || complain "$engine: not in the wave: $(paste -sd' ' "$work/missing")"
    grep -qx '\*[-.0-9]* -1' "$work/v.gtkw" || complain "$engine: a marker without a difference"
done
# ---- The registers of an MSHR's entries have the names that the document gives ----
for block in dl_mshr static_mshr dl_mshr_paper; do
    expect 0 "$MEMTWIN" cosim $block --model-only --cycles 20 --record "$work/m.vec"
    expect 0 "$MEMTWIN" replay "$work/m.vec" --engine icarus --wave "$work/m.vcd"
    changes "$work/m.vcd" | awk '{ print $2 }' | sort -u >"$work/names"
    grep "^| .$block. | .[ug]" docs/use/harness.md | grep -o '`[^`]*\.[^`]*`' | tr -d '`' | sed 's/\[e\]/[1]/' >"$work/rows"
    [ "$(wc -l <"$work/rows")" -ge 3 ] || complain "$block: $(wc -l <"$work/rows") registers in the document"
    while read -r row; do
        awk -v row="memtwin_bench.dut.u_block.$row" '$0 == row || index($0, row ".") == 1 { found = 1 } END { exit !found }' "$work/names" || complain "$block: no $row in the wave"
    done <"$work/rows"
done
# In the cycle of a planted fault, only the pair of that output differs, and mismatch is 1.
expect 3 "$MEMTWIN" cosim in_fifo -p DEPTH=3 --cycles 200 --plant fill_ready@100 --record "$work/p.vec"
for engine in twin icarus; do
    expect 3 "$MEMTWIN" replay "$work/p.vec" --engine $engine --wave "$work/p.vcd"
    changes "$work/p.vcd" | sort -sn | awk '
        { n = split($2, part, "."); value[n == 2 ? part[2] : part[n - 1] == "dut" ? part[n] : part[n - 1] == "expected" ? "want " part[n] : "other"] = $3; end = $1 }
        END { for (name in value) if (("want " name) in value && value[name] != value["want " name]) print name; print "mismatch", value["want mismatch"], end }' |
        paste -sd' ' >"$work/differ"
    grep -q '^fill_ready mismatch 1 10[0-9]*$' "$work/differ" || complain "$engine: differ at the end: $(cat "$work/differ")"
done
expect 0 "$MEMTWIN" replay "$work/x.vec" --wave "$work/v.vcd"
sed -i '1s/.*/[*] GTKWave Analyzer/' "$work/v.gtkw"
cp "$work/v.gtkw" "$work/saved"
expect 0 "$MEMTWIN" replay "$work/x.vec" --wave "$work/v.vcd"
cmp -s "$work/v.gtkw" "$work/saved" || complain "a view that GTKWave has saved is replaced"
grep -qxF "view: gtkwave $work/v.gtkw (not replaced: it was edited)" "$work/out" || complain "a kept view is not named: $(tail -n 1 "$work/out")"
# The views of p.vcd and p.fst have one name; what is no file stays.
expect 0 "$MEMTWIN" replay "$work/x.vec" --wave "$work/two.vcd"
expect 0 "$MEMTWIN" replay "$work/x.vec" --wave "$work/two.fst"
grep -qxF "view: gtkwave $work/two.gtkw (replaces the view of two.vcd)" "$work/out" || complain "a view of another wave: $(tail -n 1 "$work/out")"
expect 0 "$MEMTWIN" replay "$work/x.vec" --wave "$work/two.fst"
grep -qxF "view: gtkwave $work/two.gtkw" "$work/out" || complain "a view of the same wave: $(tail -n 1 "$work/out")"
mkdir "$work/dir.gtkw" && mkfifo "$work/pipe.gtkw"
for name in dir pipe; do
    expect 1 timeout 60 "$MEMTWIN" replay "$work/x.vec" --wave "$work/$name.vcd"
    grep -qF "$work/$name.gtkw: not a regular file; a view cannot replace it" "$work/err" || complain "$name.gtkw: $(cat "$work/out" "$work/err")"
done
[ -z "$(find "$work" -maxdepth 1 -name '*.part*' -o -maxdepth 1 -name '*.hier')" ] || complain "left behind: $(ls "$work")"
# ---- A full disk, a size limit, a FIFO whose reader has closed: one error line, and no file is left ----
mkdir "$work/full"
full() { # REASON FILE COMMAND...
    expect 1 "${@:3}"
    [ "$(cat "$work/err")" = "memtwin replay: $2: $1" ] || complain "${*:3}: $(cat "$work/err")"
    [ -z "$(ls -A "$work/full")" ] || complain "left behind: $(ls -A "$work/full")"
}
replay=("$MEMTWIN" replay "$work/x.vec" --wave)
for kind in vcd fst; do
    full 'File too large' "$work/full/w.$kind" bash -c 'ulimit -f 4; exec "$@"' - "${replay[@]}" "$work/full/w.$kind"
    for engine in twin icarus; do
        unshare -m true 2>/dev/null || { echo "no small file system here: not tested on one"; break 2; }
        full 'No space left on device' "$work/full/w.$kind" unshare -m bash -c 'mount -t tmpfs -o size=4k none "$0" || exit 9
            "$@"; is=$?; [ -z "$(ls -A "$0")" ] && exit $is' "$work/full" "${replay[@]}" "$work/full/w.$kind" --engine $engine
    done
done
mkfifo "$work/fifo"
head -c 100 "$work/fifo" >/dev/null &
full 'Broken pipe' "$work/fifo" "${replay[@]}" "$work/fifo"
wait
mkfifo "$work/fifo.fst"
expect_line 1 'FST cannot go into a FIFO' "$MEMTWIN" replay "$work/x.vec" --wave "$work/fifo.fst"
expect_line 1 'No such file' "$MEMTWIN" replay "$work/x.vec" --wave "$work/nowhere/x.fst"
finish
