#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 21 s
# The bypassing study on two small kernels chooses the best scheme, finds N, stops there, and writes a complete page. Its lockstep run passes.
. tests/lib.bash
export MEMTWIN=$(realpath "$MEMTWIN") OUT=$work/results

experiment() {
    sim/experiments/experiment.sh mdb_schemes atax:256 2dconv:64
}
sql() { # QUERY
    sqlite3 "$OUT/mdb_schemes.db" "$1"
}
ipc() { # SCHEME: prints the IPC of atax
    sql "SELECT ipc FROM result WHERE study = 'mdb_schemes' AND workload = 'atax:256' AND scheme = '$1'"
}
highest() { # PATTERN: prints the highest IPC of matching schemes and base
    sql "SELECT max(ipc) FROM result WHERE study = 'mdb_schemes' AND workload = 'atax:256' AND (scheme = 'base' OR scheme GLOB '$1')"
}

before=$(git status --porcelain 2>/dev/null)
expect 0 experiment
[ "$(git status --porcelain 2>/dev/null)" = "$before" ] || complain "two kernels alone have changed the documents"
for row in '| ATX atax |' '| 2DV 2dconv |' '| 64 KB |' '| two-level |' '| S2K, GMV, ATX, MVT, BIC | 7 |' '| paper | - | 1.39 | 1.51 | - | - | 1.75 | 1.69 |' '| LRR | '; do
    grep -qF "$row" "$work/out" || complain "no row $row"
done
! grep -qE 'nan|inf|error' "$work/out" || complain "$(grep -E 'nan|inf|error' "$work/out")"
awk -F'|' '/^\|/ { if (columns && NF != columns) exit 1; columns = NF; next } { columns = 0 }' "$work/out" || complain "a line has not all cells"
# One CTA of 8 warps per SM.
grep -q '^| ATX atax | 8 | ' "$work/out" || complain "N of atax is not 8"
[ "$(ipc static_best)" = "$(highest 'static[0-7]')" ] || complain "static_best is not the best"
[ "$(ipc swl_best)" = "$(highest 'swl[0-9]*')" ] || complain "swl_best is not the best"
[ "$(ipc static8)" = "$(ipc base)" ] || complain "8 of 8 users are not all"
[ "$(sql "SELECT count(*) FROM result WHERE scheme IN ('static9', 'kb32') AND workload = '2dconv:64' OR scheme = 'static9'")" = 0 ] || complain "runs beyond N, or of LCC kernels on other machines"
[ "$(sql "SELECT value FROM result JOIN run ON run.id = result.run JOIN config_value c ON c.config = run.config WHERE key = 'l1d.mdb_scale' AND scheme = 'mdb_local+noscale' LIMIT 1")" = no ] ||
    complain "the keys of mdb_local+noscale"
[ "$(sql "SELECT group_concat(value, ' ') FROM (SELECT value FROM result JOIN run ON run.id = result.run JOIN config_value c ON c.config = run.config
    WHERE result.workload = 'atax:256' AND scheme = 'mdb_global+kb64' AND key IN ('l1d.bypass', 'l1d.mdb_sampled_sets', 'l1d.sets') ORDER BY key)")" = "mdb_global 16 128" ] ||
    complain "the keys of mdb_global+kb64"
! grep -q warning "$work/err" || complain "plots: $(cat "$work/err")"
[ "$(find "$OUT" -name '*.svg' -size +2k | wc -l)" -eq 4 ] || complain "not four plots"

cp "$work/out" "$work/whole"
sql "UPDATE run SET state = 'waiting' WHERE id = (SELECT run FROM result WHERE scheme = 'static3' LIMIT 1)"
expect 0 experiment
cmp -s "$work/out" "$work/whole" || complain "the page differs after an interruption"

# No kernel of the study has lanes that coalesce into other accesses with segments than with lines.
cycles() {
    "$MEMTWIN" run -q -c fermi15 -w "$@" --json - 2>/dev/null | jq .cycles
}
small=(pfilter:512,2 sc:512,8,4,2 histo:16384 syr2k:32 kmeans:512,8,4,2 gesummv:64 atax:64 mvt:64 bicg:64 scalarprod:256,4 covar:32 lud:64 srad:64,1 fdtd2d:64,1 2dconv:64)
for kernel in "${small[@]}"; do
    [ "$(cycles "$kernel" -s sm.coalesce=line)" = "$(cycles "$kernel")" ] || complain "$kernel: other cycles with lines"
done
[ "$(printf '%s\n' "${small[@]%%:*}" | sort)" = "$(sed -n 's/^workload = //p' sim/experiments/mdb_schemes.ini | xargs -n 1 | sed 's/:.*//' | sort)" ] ||
    complain "not all kernels of the study"

expect 0 sim/experiments/experiment.sh mdb_lockstep atax:64
grep -q '^| atax:64 | [0-9]* | [0-9]* | 15 | [0-9]* | [0-9]* | 0 | [0-9]* |$' "$work/out" || complain "in lockstep: $(tail -n 2 "$work/out")"
finish
