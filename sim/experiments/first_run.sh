#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `make run`: compares DL-MSHRs with conventional MSHRs, on eight kernels with the Verilog in lockstep, and by area. Prints a summary in sentences.
set -euo pipefail
. "$(dirname "$0")/../../tb/env.bash"
report=build/report

echo "1 of 2: eight kernels on 28 SMs, with conventional and with DL-MSHRs, the Verilog of 36 DL-MSHRs in lockstep (about 80 s on two cores)"
rm -f $report/dl_mshr_lockstep.db* # the Verilog may have changed since these runs
tool sim/experiments/experiment.sh dl_mshr_lockstep >/dev/null
echo "2 of 2: area of three MSHRs by Yosys (about 50 s)"
tool synth/run.sh --area >/dev/null

sqlite3 -bail -init /dev/null $report/dl_mshr_lockstep.db "
    CREATE TEMP TABLE pair AS
    SELECT r.workload, r.ipc / b.ipc - 1 AS gain, r.l1d_refusals_entry_full + r.l1d_refusals_merge_full + r.l2_refusals_entry_full + r.l2_refusals_merge_full AS full,
        b.l1d_refusals_entry_full + b.l1d_refusals_merge_full + b.l2_refusals_entry_full + b.l2_refusals_merge_full AS full_before,
        1.0 * (r.l1d_refusals + r.l2_refusals) / (b.l1d_refusals + b.l2_refusals) - 1 AS refused, run.twins, run.compared, run.evaluated, run.mismatches
    FROM result r JOIN run ON run.id = r.run JOIN result b ON b.study = r.study AND b.n = r.baseline
    WHERE r.study = 'dl_mshr_lockstep' AND r.n <> r.baseline;
    SELECT printf('
Result: a GPU whose MSHRs are linked on demand (DL-MSHR, Gu and Chen 2019) beside one with
conventional MSHRs of as many slots, over %d kernels.

  Twins    %d DL-MSHRs in Verilog and in C were compared in %,d cycles; %s
           differed. The Verilog ran in %,d of them; in the others nothing changed.
  Misses   Refusals by a full MSHR fall from %,d to %,d (%+.1f %%). All refusals
           %s by %.1f %%.
  Speed    IPC %+.1f %% on average: from %+.1f %% (%s) to %+.1f %% (%s).',
        count(*), max(twins), sum(compared), iif(sum(mismatches), printf('%,d outputs', sum(mismatches)), 'no output'), sum(evaluated), sum(full_before), sum(full),
        100.0 * sum(full) / sum(full_before) - 100, iif(avg(refused) < 0, 'fall', 'rise'), abs(100 * avg(refused)), 100 * exp(avg(ln(1 + gain))) - 100,
        100 * min(gain), (SELECT workload FROM pair ORDER BY gain LIMIT 1), 100 * max(gain), (SELECT workload FROM pair ORDER BY gain DESC LIMIT 1))
    FROM pair"
jq -r 'def um2: round | tostring | [match("\\d{1,3}(?=(\\d{3})*$)"; "g").string] | join(",");
    "  Area     An L1D'"'"'s DL-MSHR takes \(.l1d.dl_128x2.ratio.all_flops) times the conventional one (\(.l1d.dl_128x2.area.all_flops | um2) and \(.l1d.static_32x8.area.all_flops | um2) um2),
           the default, 64 x 4 with 40 heads, \(.l1d.dl_64x4_40_heads.ratio.all_flops) times (library \(.library))."' build/synth/mshr_area.json
cat <<END

Look next:  $report/dl_mshr_lockstep.html   each kernel, in a browser
            docs/results/dl_mshr.md              beside the paper, and why IPC gains less
            docs/use/getting_started.md          ask a question of your own in ten minutes
END
