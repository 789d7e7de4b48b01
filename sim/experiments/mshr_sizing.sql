-- SPDX-License-Identifier: Apache-2.0
-- Table of the shapes of the DL-MSHR.
-- Figures of a run: its IPC over the baseline's, refusals, the share of slots in use, and its configuration.
CREATE TEMP TABLE figure AS
SELECT r.n, r.scheme, r.ipc / b.ipc AS ipc, r.l1d_refusals_entry_full AS entry_full, r.l1d_refusals_merge_full AS merge_full, r.l1d_mshr_utilization AS used, run.config
FROM result r JOIN result b ON b.study = r.study AND b.n = r.baseline JOIN run ON run.id = r.run WHERE r.study = 'mshr_sizing';

-- MSHRs of a scheme.
CREATE TEMP TABLE shape AS
SELECT scheme, kind, iif(kind = 'dl', sets, entries) AS sets, iif(kind = 'dl', dl_slots, entry_slots) AS slots, iif(kind = 'dl', heads, '') AS heads
FROM (SELECT scheme, max(value) FILTER (WHERE key = 'l1d.mshr') AS kind, max(value) FILTER (WHERE key = 'l1d.dl_reserved_heads') AS heads,
    max(value) FILTER (WHERE key = 'l1d.dl_sets') AS sets, max(value) FILTER (WHERE key = 'l1d.dl_slots') AS dl_slots,
    max(value) FILTER (WHERE key = 'l1d.mshr_entries') AS entries, max(value) FILTER (WHERE key = 'l1d.mshr_slots') AS entry_slots
    FROM (SELECT DISTINCT scheme, config FROM figure) JOIN config_value USING (config) GROUP BY scheme);

SELECT '| MSHR of the L1D | reserved heads | slots | refused cycles: entry-full | merge-full | slots used | IPC |
|---|---|---|---|---|---|---|';
SELECT printf('| %s %d x %d | %s | %d | %d | %d | %.1f %% | %.3f |', kind, sets, slots, heads, sets * slots,
    sum(entry_full), sum(merge_full), 100 * avg(used), exp(avg(ln(ipc))))
FROM figure JOIN shape USING (scheme) GROUP BY scheme ORDER BY min(n);
