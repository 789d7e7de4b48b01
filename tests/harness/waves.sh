#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 12 s
# A wave named .fst is an FST file and has the same changes as the VCD, from Verilator and from Icarus; it cannot go into a FIFO, as VCD can.
. tests/lib.bash
export MEMTWIN_TWINS=$work/twins
include=$(verilator --getenv VERILATOR_ROOT)/include/gtkwave
expect 0 gcc -w -DFST_CONFIG_INCLUDE='"fst_config.h"' -I"$include" -o "$work/fst" tests/harness/fst.c "$include"/{fstapi,lz4,fastlz}.c -lz -lpthread

# changes VCD: TIME NAME VALUE of each change of each signal, sorted
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
[ -z "$(find "$work" -maxdepth 1 -name '*.part*' -o -maxdepth 1 -name '*.hier')" ] || complain "left behind: $(ls "$work")"
mkfifo "$work/fifo.fst"
expect_line 1 'FST cannot go into a FIFO' "$MEMTWIN" replay "$work/x.vec" --wave "$work/fifo.fst"
expect_line 1 'No such file' "$MEMTWIN" replay "$work/x.vec" --wave "$work/nowhere/x.fst"
finish
