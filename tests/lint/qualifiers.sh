#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 1 s
# No port-list input that belongs to a valid (req_addr to req_valid, m_rid to m_rvalid) has the qualifier ALWAYS, since it would get neither
# noise nor X. Prints each input that has.
. tests/lib.bash

# always FILE...: prints FILE:LINE: PORT for each
always() {
    local file
    for file; do
        awk -F '[(), ]+' '
            $2 != "X" || ($3 != "IN" && $3 != "OUT") { next }
            NR == FNR { if (sub(/valid$/, "", $5)) stem[$5]; next }
            $3 == "IN" && $5 !~ /valid$/ && /ALWAYS\)/ { for (s in stem) if (index($5, s) == 1) print FILENAME ":" FNR ": " $5 }' "$file" "$file"
    done
}

always cmodel/*/*_ports.h >"$work/out"
[ ! -s "$work/out" ] || complain "inputs that mean something only beside a valid: $(cat "$work/out")"
sed 's/, in->m_rvalid)/, ALWAYS)/' cmodel/cache_example/cache_example_ports.h >"$work/wrong.h"
always "$work/wrong.h" >"$work/out"
[ "$(sed 's/.* //' "$work/out" | xargs)" = "m_rid m_rdata m_rresp m_rlast" ] || complain "not missed: $(cat "$work/out")"
finish
