#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 21 s
# sim/experiments/mdb.sh on two small kernels: it chooses the best, finds N, goes on after an interruption, and fails when a run does.
. tests/lib.bash
export OUT=$work/out-mdb

experiment() {
    sim/experiments/mdb.sh atax:256 2dconv:64
}
ipc() { # SCHEME: of atax
    jq .ipc "$OUT/atax-256.$1.json"
}
highest() { # SCHEME...
    for s in "$@"; do ipc "$s"; done | sort -g | tail -n 1
}

before=$(git status --porcelain 2>/dev/null)
expect 0 experiment
[ "$(git status --porcelain 2>/dev/null)" = "$before" ] || complain "two kernels alone have changed the documents"
[ "$(head -n 1 "$work/out")" = "only: atax:256 2dconv:64: no result of the paper's set" ] || complain "the first line: $(head -n 1 "$work/out")"
for row in '| ATX atax |' '| 2DV 2dconv |' '| 64 KB |' '| two-level |' '| S2K, GMV, ATX, MVT, BIC | 7 |'; do
    grep -qF "$row" "$work/out" || complain "no row $row"
done
! grep -qE 'nan|inf|error' "$work/out" || complain "$(grep -E 'nan|inf|error' "$work/out")"
# One CTA of 8 warps an SM.
[ "$(awk -F'\t' '$2 == "ATX" { print $4 }' "$OUT/figures.tsv" | sort -u)" = 8 ] || complain "N of atax is not 8"
[ "$(ipc static_best)" = "$(highest base static{0..7})" ] || complain "static_best is not the best"
[ "$(ipc swl_best)" = "$(highest base swl{1,2,3,4,5,6,8,10,12,16,20})" ] || complain "swl_best is not the best"
[ "$(ipc static8)" = "$(ipc base)" ] || complain "8 of 8 users are not all"
[ "$(jq -c '[.config_values["l1d.bypass"], .config_values["l1d.mdb_scale"], .config_values["l1d.sets"]]' "$OUT/atax-256.mdb_local+noscale.json")" = '["mdb_local","no",32]' ] ||
    complain "the keys of mdb_local+noscale"
jq -e '.config_values["l1d.sets"] == 128 and .config_values["l1d.mdb_sampled"] == 16' "$OUT/atax-256.mdb_global+kb64.json" >/dev/null ||
    complain "the keys of mdb_global+kb64"
gnuplot -e "out='$OUT'" sim/experiments/mdb.gp 2>"$work/err" || complain "plots: $(cat "$work/err")"
[ "$(find "$OUT" -name '*.svg' -size +2k | wc -l)" -eq 4 ] || complain "not four plots"

cp "$work/out" "$work/whole"
rm "$OUT/atax-256.static3.json"
REUSE=1 expect 0 experiment
[ "$(cat "$work/err")" = "  done: atax-256.static3" ] || complain "run again: $(cat "$work/err")"
cmp -s "$work/out" "$work/whole" || complain "another table after an interruption"

printf '#!/bin/bash\n[[ $* != *cache_users=2* ]] || exit 4\nexec "%s" "$@"\n' "$MEMTWIN" >"$work/fails"
chmod +x "$work/fails"
MEMTWIN=$work/fails expect 123 sim/experiments/mdb.sh atax:64
grep -q 'FAILED (4): .*cache_users=2' "$work/err" || complain "a run that failed: $(cat "$work/err")"
expect_line 1 "usage: " sim/experiments/mdb.sh --lockstpe atax:64
expect 0 sim/experiments/mdb.sh --help
grep -q '^usage: ' "$work/out" || complain "--help: $(cat "$work/out")"
expect_line 1 "are in Table 2" sim/experiments/mdb.sh atax:256 gemm:32
finish
