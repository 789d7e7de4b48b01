-- SPDX-License-Identifier: Apache-2.0
-- Page of the study dl_mshr_lockstep.
SELECT '# DL-MSHRs in lockstep, eight kernels

Written by `sim/experiments/experiment.sh dl_mshr_lockstep`; `make run` prints it.

```';
-- Figures of a run: refusals of L1D and L2, by reason; shares of the MSHRs' slots in use; ports compared.
CREATE TEMP TABLE run_of AS
SELECT r.n, r.baseline, r.workload AS kernel, r.scheme, r.cycles, r.ipc, l1d_refusals + l2_refusals AS refused, l1d_refusals_entry_full + l2_refusals_entry_full AS entry_full,
    l1d_refusals_merge_full + l2_refusals_merge_full AS merge_full, l1d_refusals_no_way + l2_refusals_no_way AS line, l1d_refusals_miss_queue + l2_refusals_miss_queue AS miss_queue,
    l1d_mshr_utilization AS l1d_used, l2_mshr_utilization AS l2_used, run.seconds, checked_loads, twins, compared, evaluated, mismatches
FROM result r JOIN run ON run.id = r.run WHERE r.study = 'dl_mshr_lockstep';

CREATE TEMP TABLE text(rule);
INSERT INTO text VALUES ('--------------------+--------+--------------------+---------------------------------------------------------+---------------+----------------');

SELECT 'pascal28, as many slots either way: L1D 32 x 8 static or 128 x 2 DL, L2 32 x 4 static or 64 x 2 DL';
SELECT '                    |        |                    | refused cycles, L1D + L2, by reason                     | slots used    | DL / static';
SELECT printf('%-19s | %-6s | %10s %7s | %10s %10s %10s %11s %10s | %6s %6s | %7s %7s', 'workload', 'MSHR', 'cycles', 'IPC',
    'entry-full', 'merge-full', 'no way', 'miss queue', 'other', 'L1D', 'L2', 'IPC', 'refused');
SELECT rule FROM text;
SELECT printf('%-19s | %-6s | %10d %7.3f | %10d %10d %10d %11d %10d | %5.1f%% %5.1f%% |', iif(r.n = r.baseline, r.kernel, ''), r.scheme, r.cycles, r.ipc,
        r.entry_full, r.merge_full, r.line, r.miss_queue, r.refused - r.entry_full - r.merge_full - r.line - r.miss_queue, 100 * r.l1d_used, 100 * r.l2_used) ||
    iif(r.n = r.baseline, '', printf(' %6.3fx %7s', r.ipc / b.ipc, iif(b.refused, printf('%+.1f%%', 100.0 * r.refused / b.refused - 100), '-')))
FROM run_of r JOIN run_of b ON b.n = r.baseline ORDER BY r.n;
SELECT rule FROM text;
SELECT printf('DL / static over %d kernels: IPC %.3fx, L1D slots used %.2fx (geometric means); refused cycles %+.1f %% (mean),
refused cycles with an entry or merge full %+.2f %% (sum)', count(*), exp(avg(ln(r.ipc / b.ipc))), exp(avg(ln(r.l1d_used / b.l1d_used))),
    100 * (avg(1.0 * r.refused / nullif(b.refused, 0)) - 1),
    100.0 * sum(r.entry_full + r.merge_full) / nullif(sum(b.entry_full + b.merge_full), 0) - 100)
FROM run_of r JOIN run_of b ON b.n = r.baseline WHERE r.n <> r.baseline;
SELECT printf('lockstep: %d twins a run, %.0f twin-cycles compared, %d mismatches (the RTL moved in %.0f of them, and stood at a
fixpoint in the rest); %.0f loads checked; %.0f s of simulation
```', max(twins), sum(compared), sum(mismatches), sum(evaluated), sum(checked_loads), sum(seconds))
FROM run_of;
