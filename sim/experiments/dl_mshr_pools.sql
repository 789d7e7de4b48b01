-- SPDX-License-Identifier: Apache-2.0
-- Page of the study dl_mshr_pools.
-- Figures of a run: its IPC over the baseline's, misses that waited for their lookup, misses, refusals, and its configuration.
CREATE TEMP TABLE figure AS
SELECT r.n, r.scheme, r.n = r.baseline AS is_baseline, r.workload AS kernel, r.ipc / b.ipc AS ipc, r.l1d_lookahead_cycles AS waited,
    r.l1d_primary_misses + r.l1d_secondary_misses AS misses, r.l1d_refusals_entry_full + r.l1d_refusals_merge_full AS refused, run.config
FROM result r JOIN result b ON b.study = r.study AND b.n = r.baseline JOIN run ON run.id = r.run WHERE r.study = 'dl_mshr_pools';

-- MSHRs of a scheme.
CREATE TEMP TABLE shape AS
SELECT scheme, max(value) FILTER (WHERE key = 'l1d.mshr') AS kind, max(value) FILTER (WHERE key = 'l1d.dl_pools') AS pools,
    max(value) FILTER (WHERE key = 'l1d.dl_sets') AS sets, max(value) FILTER (WHERE key = 'l1d.dl_slots') AS slots,
    max(value) FILTER (WHERE key = 'l1d.dl_reserved_heads') AS heads,
    max(value) FILTER (WHERE key = 'l1d.mshr_entries') AS entries, max(value) FILTER (WHERE key = 'l1d.mshr_slots') AS entry_slots
FROM (SELECT DISTINCT scheme, config FROM figure) JOIN config_value USING (config) GROUP BY scheme;

SELECT printf('# Attach-only sets: IPC

Written by `sim/experiments/experiment.sh dl_mshr_pools`: the L1D of pascal28, allocation on a miss, over %d kernels. IPC is the geometric mean over that of
the first line, and in brackets the least and the most of a kernel. A kernel moves by some percent either way as requests reach DRAM in another order.

| MSHR of the L1D | heads | IPC | misses that waited a cycle for their lookup | refused cycles: entry- and merge-full |
|---|---|---|---|---|', count(DISTINCT kernel)) FROM figure;

CREATE TEMP VIEW least AS SELECT scheme, kernel, min(ipc) AS ipc FROM figure GROUP BY scheme;
CREATE TEMP VIEW most AS SELECT scheme, kernel, max(ipc) AS ipc FROM figure GROUP BY scheme;
SELECT iif(kind = 'static', printf('| static, %d x %d | %d |', entries, entry_slots, entries),
        printf('| dl, %s, %d x %d | %s |', pools, sets, slots, iif(pools = 'split', heads, heads || ' to ' || sets))) ||
    printf(' %.4f', exp(avg(ln(f.ipc)))) ||
    iif(is_baseline, '', printf(' (%s %.3f, %s %.3f)', least.kernel, least.ipc, most.kernel, most.ipc)) ||
    printf(' | %.2f %% | %.3g |', 100.0 * sum(waited) / nullif(sum(misses), 0), 1.0 * sum(refused))
FROM figure f JOIN shape USING (scheme) JOIN least USING (scheme) JOIN most USING (scheme) GROUP BY scheme ORDER BY min(n);
