#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 20 s
# The studies of unified memory on two small kernels each: complete pages, the keys of the schemes, and a reproducible page.
. tests/lib.bash
export MEMTWIN=$(realpath "$MEMTWIN") OUT=$work/results

experiment() { # NAME WORKLOAD...: makes the experiment's page; the documents do not change
    local before
    before=$(git status --porcelain 2>/dev/null)
    expect 0 sim/experiments/experiment.sh "$@"
    [ "$(git status --porcelain 2>/dev/null)" = "$before" ] || complain "$1: some kernels alone have changed the documents"
    ! grep -qiE '\| \||nan|inf |error' "$work/out" || complain "$1: $(grep -iE '\| \||nan|inf |error' "$work/out")"
    awk -F'|' '/^\|/ { if (columns && NF != columns) exit 1; columns = NF; next } { columns = 0 }' "$work/out" || complain "$1: a line has not all cells"
    ! grep -lvE '[0-9]' "$OUT/$1"*.dat | grep . || complain "$1: data without figures"
    ! grep -q warning "$work/err" || complain "plots of $1: $(cat "$work/err")"
}
rows() { # TEXT...: checks that the page has lines that begin with each text
    local row
    for row in "$@"; do grep -qF -- "$row" "$work/out" || complain "no line: $row"; done
}
plots() { # NAME...
    local plot
    for plot in "$@"; do [ "$(find "$OUT/$plot.svg" -size +2k | wc -l)" -eq 1 ] || complain "no plot $plot"; done
}
key() { # STUDY WORKLOAD SCHEME KEY VALUE
    local got
    got=$(sqlite3 "$OUT/${1%%.*}.db" "SELECT value FROM result JOIN run ON run.id = result.run JOIN config_value c ON c.config = run.config
        WHERE study = '$1' AND result.workload = '$2' AND scheme = '$3' AND key = '$4'")
    [ "$got" = "$5" ] || complain "$2 $3: $4 is '$got', not '$5'"
}

experiment hpe_policies mvt:256 hotspot:128,2,4
rows '| HOT hotspot |' '| MVT mvt |' '| MVT mvt | 75 % |' '| 75 % |' '| **mean, type IV** |' '| 25 % |' '| paper | - | 1.34 | 1.16 | - |' '| paper | 1.34 | 1.16 | 1.27 | 1.2 |'
touched=$(sqlite3 "$OUT/hpe_policies.db" "SELECT uvm_touched_pages FROM result WHERE study = 'hpe_policies' AND workload = 'mvt:256' AND scheme = '100.lru'")
key hpe_policies mvt:256 75.hpe uvm.memory_pages $((touched * 75 / 100))
key hpe_policies mvt:256 50.rrip uvm.evict rrip
key hpe_policies mvt:256 50.rrip rrip.insert long
key hpe_policies mvt:256 75.hpe+transfer64 hpe.transfer 64
key hpe_policies mvt:256 75.hpe tlb.l2_entries 512
key hpe_policies mvt:256 75.hpe+small tlb.l2_entries 64
key hpe_policies mvt:256 50.lru+serial uvm.set_pages 1
key hpe_policies mvt:256 75.hpe+hits+best+set8 hpe.strategy \
    "$(sqlite3 "$OUT/hpe_policies.db" "SELECT scheme FROM result WHERE workload = 'mvt:256' AND scheme LIKE '%always%' ORDER BY cycles LIMIT 1" | sed 's/^.*always_//')"
plots hpe_policies_speedup hpe_policies_others hpe_policies_rates
cp "$work/out" "$work/whole"
sqlite3 "$OUT/hpe_policies.db" "UPDATE run SET state = 'waiting' WHERE id = (SELECT run FROM result WHERE scheme = '100.lru' LIMIT 1)"
experiment hpe_policies mvt:256 hotspot:128,2,4
cmp -s "$work/out" "$work/whole" || complain "the page differs after an interruption"

# a kernel of type II
OUT=$work/two expect 0 sim/experiments/experiment.sh hpe_policies srad:64,2
under=$(sqlite3 "$work/two/hpe_policies.db" "SELECT printf('%.1f', 1.0 * uvm_fault_latency / cycles) FROM result WHERE scheme = '75.lru'")
grep -q "^| SRD srad | $under | inf | inf |\$" "$work/out" || complain "faults in progress: not $under"
alone=$(sqlite3 "$work/two/hpe_policies.db" "SELECT printf('%.3f', 1.0 * l.cycles / h.cycles) FROM result l JOIN result h ON h.scheme = '75.hpe+hits+always_mru_c' WHERE l.scheme = '75.lru'")
sed -n '/^75 %: speed over LRU of each/,/^\*\*/p' "$work/out" | grep -q "^| SRD srad | [0-9.]* | $alone | " || complain "MRU-C alone: not $alone"
told=$(sqlite3 "$work/two/hpe_policies.db" "SELECT printf('%.3f', 1.0 * l.cycles / h.cycles) FROM result l JOIN result h ON h.scheme = '50.hpe+mru_c' WHERE l.scheme = '50.lru'")
sed -n '/^Type II: speed over LRU of HPE/,/^\*\*/p' "$work/out" | grep -q "^| SRD srad |\( [0-9.]* |\)\{4\} $told | " || complain "MRU-C alone at 50 %: not $told"

experiment farfault_schemes bfs:2000 gemm:64 sad:16,16
rows '| gemm |' '| bfs |' '| **mean, all** |' '| paper | - | - | - | 0.88 | 0.85 | 0.73 | - | - | 1.05 |'
key farfault_schemes gemm:64 blocking+us5 uvm.faults blocking
key farfault_schemes gemm:64 blocking+us5 uvm.fault_us 5
key farfault_schemes gemm:64 faults0 uvm.far_faults 0
key farfault_schemes gemm:64 locality uvm.service set
key farfault_schemes gemm:64 oracle+full_locality+evict_random+mem50 uvm.prefetch_full locality
key farfault_schemes gemm:64 tree uvm.service each
key farfault_schemes bfs:2000 copy l2.latency 120
key farfault_schemes.core bfs:2000 copy l2.latency 60
core=$(sqlite3 "$OUT/farfault_schemes.db" "SELECT printf('%.3f', 1.0 * r.cycles / b.cycles) FROM result r JOIN result b ON b.study = r.study AND b.n = r.baseline
    WHERE r.study = 'farfault_schemes.core' AND r.workload = 'bfs:2000' AND r.scheme = 'faults16'")
rows "| faults16 | copy | $(sed -n '/^| kernel | faults1 /,/^$/s/^| bfs | [0-9.]* | [0-9.]* | [0-9.]* | \([0-9.]*\) .*/\1/p' "$work/out") | $core | - |"
runs() { "$MEMTWIN" study "sim/experiments/$1.ini" -w bfs --dry-run -o "$work/dry.db" | sed '$d'; }
[ "$(runs farfault_schemes.core | cut -d' ' -f3-)" = "$(runs farfault_schemes | cut -d' ' -f3-)" ] && [ "$(runs farfault_schemes.core | wc -l)" -gt 30 ] || complain "farfault_schemes.core has other schemes"
rows '| kernel | blocking+us20 | blocking+us20+core | faults16 |'
sad=$(sqlite3 "$OUT/farfault_schemes.db" "SELECT printf('%.3f', 1.0 * r.cycles / b.cycles) FROM result r JOIN result b ON b.study = r.study AND b.scheme = 'locality'
    WHERE r.study = 'farfault_schemes.sad' AND r.scheme = 'locality+us40'")
rows "| locality+us40 | locality | $sad | - |"
plots farfault_schemes_faults farfault_schemes_prefetch farfault_schemes_memory

expect 0 sim/experiments/experiment.sh hpe_lockstep mvt:64
rows '| mvt:64 | 25 % |' '| **all** | |'
[ "$(sqlite3 "$OUT/hpe_lockstep.db" "SELECT min(compared) > 10000, sum(mismatches) FROM run")" = "1|0" ] || complain "no cycle was compared in lockstep"
finish
