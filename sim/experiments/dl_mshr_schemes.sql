-- SPDX-License-Identifier: Apache-2.0
-- The page of the study dl_mshr_schemes.
SELECT '# MSHR schemes on pascal28

Written by `make experiment-dl_mshr` (`sim/experiments/dl_mshr_schemes.ini`, `.sql`).
Baseline: static MSHRs, L1D 32 entries x 8 slots, L2 32 x 4 per bank. 2X and 8X multiply entries and slots; DL-MSHR has the
baseline''s slots, L1D 128 sets x 2, L2 64 x 2. Paper: Gu and Chen, ICS 2019, averages of section 6.';

CREATE TEMP TABLE scheme(name, title);
INSERT INTO scheme VALUES ('2xe', '2X entry'), ('2xe2xs', '2X entry + 2X slot'), ('8xe8xs', '8X + 8X'), ('dl', 'DL-MSHR');

-- A run: refused cycles of L1D and L2, by the MSHRs and of all reasons; the share of the L1D's MSHR slots that is used.
CREATE TEMP TABLE run_of AS
SELECT r.n, r.baseline, r.scheme, r.axes ->> '$."l1d.allocate"' AS allocate, run.workload AS kernel, r.ipc, r.l1d_mshr_utilisation AS used,
    l1d_rf_entry_full + l2_rf_entry_full + l1d_rf_merge_full + l2_rf_merge_full AS mshr, l1d_rf + l2_rf AS refused
FROM result r JOIN run ON run.id = r.run WHERE r.study = 'dl_mshr_schemes';

-- .. beside its baseline. Changes are in percent, and NULL where the baseline has none.
CREATE TEMP TABLE figure AS
SELECT '## L1D allocation on ' || replace(r.allocate, 'miss', 'a miss') AS section, r.n, r.allocate, r.scheme, r.kernel, r.ipc / b.ipc AS ipc,
    b.mshr AS mshr_base, r.mshr, 100.0 * r.mshr / nullif(b.mshr, 0) - 100 AS mshr_change,
    b.refused AS refused_base, r.refused, 100.0 * r.refused / nullif(b.refused, 0) - 100 AS refused_change,
    b.used AS used_base, coalesce(r.used / nullif(b.used, 0), 1) AS used
FROM run_of r JOIN run_of b ON b.n = r.baseline WHERE r.n <> r.baseline;

-- The tables, and what the paper has in its quantity: in order, with a line for the mean and one for the paper.
CREATE TEMP TABLE quantity(name, title, format);
INSERT INTO quantity VALUES
    ('IPC over the baseline', 'IPC over the baseline''s (last line: geometric mean)', '%.3f'),
    ('MSHR refusals', 'MSHR refusals (entry-full and merge-full cycles, L1D and L2) against the baseline; in brackets refused cycles of all reasons', '%+.1f %%'),
    ('L1D MSHR slots used', 'L1D MSHR slots used, over the baseline''s (its share in brackets)', '%.3f');

INSERT INTO cell SELECT section, q.title, 'kernel', s.title
FROM (SELECT DISTINCT section FROM figure ORDER BY n), quantity q, scheme s ORDER BY q.rowid, s.rowid;

INSERT INTO cell SELECT section, title, kernel, printf('%.3f', ipc) FROM figure, quantity WHERE name = 'IPC over the baseline' ORDER BY n;
INSERT INTO cell SELECT section, title, '**mean**', printf('**%.3f**', exp(avg(ln(ipc))))
FROM figure, quantity WHERE name = 'IPC over the baseline' GROUP BY section, scheme ORDER BY min(n);

INSERT INTO cell SELECT section, title, printf('%s (%.3g of %.3g cycles)', kernel, mshr_base, refused_base),
    iif(mshr_change IS NULL, 'none', printf('%+.1f %%', mshr_change)) || iif(refused_change IS NULL, ' (none)', printf(' (%+.1f %%)', refused_change))
FROM figure, quantity WHERE name = 'MSHR refusals' ORDER BY n;
INSERT INTO cell SELECT section, title, '**mean over kernels**', printf('**%+.1f %%** (%+.1f %%)', avg(mshr_change), avg(refused_change))
FROM figure, quantity WHERE name = 'MSHR refusals' GROUP BY section, scheme ORDER BY min(n);
INSERT INTO cell SELECT section, title, '**all kernels together**', printf('**%+.1f %%** (%+.1f %%)',
    100.0 * sum(mshr) / nullif(sum(mshr_base), 0) - 100, 100.0 * sum(refused) / nullif(sum(refused_base), 0) - 100)
FROM figure, quantity WHERE name = 'MSHR refusals' GROUP BY section, scheme ORDER BY min(n);

INSERT INTO cell SELECT section, title, printf('%s (%.1f %%)', kernel, 100 * used_base), printf('%.2f', used)
FROM figure, quantity WHERE name = 'L1D MSHR slots used' ORDER BY n;
INSERT INTO cell SELECT section, title, '**mean**', printf('**%.2f**', exp(avg(ln(used))))
FROM figure, quantity WHERE name = 'L1D MSHR slots used' GROUP BY section, scheme ORDER BY min(n);

INSERT INTO cell SELECT section, q.title, 'paper', iif(value IS NULL, '-', printf(format, value))
FROM (SELECT DISTINCT section FROM figure), quantity q, scheme s LEFT JOIN paper p ON p.quantity = q.name AND p.scheme = s.name
ORDER BY s.rowid;

INSERT INTO cell SELECT DISTINCT section, '![IPC of the schemes over the baseline](dl_mshr_schemes_' || allocate || '.svg)', NULL, NULL FROM figure;

SELECT * FROM page;

-- Data of the plots.
CREATE TEMP VIEW plot AS
SELECT allocate, substr(kernel, 1, instr(kernel, ':') - 1) AS kernel, max(ipc) FILTER (WHERE scheme = '2xe') AS "2X entry",
    max(ipc) FILTER (WHERE scheme = '2xe2xs') AS "2X entry + 2X slot", max(ipc) FILTER (WHERE scheme = '8xe8xs') AS "8X + 8X",
    max(ipc) FILTER (WHERE scheme = 'dl') AS "DL-MSHR"
FROM figure GROUP BY allocate, kernel ORDER BY min(n);
.mode tabs
.headers on
.output dl_mshr_schemes_miss.dat
SELECT kernel, "2X entry", "2X entry + 2X slot", "8X + 8X", "DL-MSHR" FROM plot WHERE allocate = 'miss';
.output dl_mshr_schemes_fill.dat
SELECT kernel, "2X entry", "2X entry + 2X slot", "8X + 8X", "DL-MSHR" FROM plot WHERE allocate = 'fill';
