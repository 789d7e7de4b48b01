-- SPDX-License-Identifier: Apache-2.0
-- Page of the studies dl_mshr_schemes*.
SELECT '# MSHR schemes on pascal28

Written by `make experiment-dl_mshr` (`sim/experiments/dl_mshr_schemes*.ini`, which say what each scheme is, and `.sql`).
Baseline: static MSHRs, L1D 32 entries x 8 slots, L2 32 x 4 per bank. 2X and 8X multiply entries and slots; DL-MSHR has the
baseline''s slots, L1D 128 sets x 2, L2 64 x 2. Paper: Gu and Chen, ICS 2019; "-": it gives no figure. Means are geometric,
over the kernels of its Table 1, and over these without AlignedTypes and StreamCluster, its two that gain most. MRPB drains
a queue while it holds an access; lowest: always the lowest that holds one. Two pools: heads and other slots in disjoint sets.';

CREATE TEMP TABLE scheme(name, title);
INSERT INTO scheme VALUES ('2xe', '2X entry'), ('2xe2xs', '2X entry + 2X slot'), ('8xe8xs', '8X + 8X'), ('dl', 'DL-MSHR'), ('mrpb', 'MRPB'), ('mrpblowest', 'MRPB, lowest'),
    ('dl+mrpb', 'DL-MSHR + MRPB');

-- Figures of a run and its baseline. Refusals of L1D and L2: by the MSHRs, those that GPGPU-Sim counts, all. machine: value on the axis of that study.
CREATE TEMP TABLE run_of AS
SELECT study, n, baseline, scheme, iif(group_name IN ('', 'ten', 'twenty', 'short', 'long', 'whole'), 'paper', group_name) AS list, group_name = 'ten' AS ten, group_name,
    workload || iif(group_name = 'whole' AND workload GLOB 'sc:*', ' (one launch)', '') AS kernel, cycles, complete,
    substr(workload, 1, instr(workload || ':', ':') - 1) AS name, ipc, coalesce(l1d_mshr_utilization, 0) AS used,
    iif(axes ->> '$."l1d.set_index"' IS NULL, '', printf('%s index, %d B flits, allocation on %s%s%s', iif(axes ->> '$."l1d.set_index"' = 'bmod', 'linear', 'Fermi'),
        axes ->> '$."icnt.flit_bytes"', replace(axes ->> '$."l1d.allocate"', 'miss', 'a miss'),
        iif(axes ->> '$."l1d.miss_queue"' < 32, printf(', miss queues of %d and %d', axes ->> '$."l1d.miss_queue"', axes ->> '$."l2.miss_queue"'), ''),
        CASE axes ->> '$."l2.latency"' WHEN 60 THEN ', a load of 183 cycles' WHEN 180 THEN ', a load of 378 cycles' ELSE '' END ||
        iif(axes ->> '$."sm.lsu_queue"' <> 8, printf(', LSU queues of %d', axes ->> '$."sm.lsu_queue"'), ''))) AS machine,
    l1d_refusals_entry_full + l2_refusals_entry_full AS entry_full, l1d_refusals_merge_full + l2_refusals_merge_full AS merge_full,
    l1d_refusals_no_way AS l1d_way, l1d_refusals_miss_queue AS l1d_queue, l2_refusals_no_way AS l2_way, l1d_refusals_gpgpusim + l2_refusals_gpgpusim AS counted, l1d_refusals + l2_refusals AS refused
FROM result WHERE study GLOB 'dl_mshr_schemes*';
CREATE INDEX temp.run_at ON run_of(study, n);
CREATE TEMP TABLE figure AS
SELECT r.*, r.ipc / b.ipc AS gain, b.used AS used_base, r.used / nullif(b.used, 0) AS use, b.entry_full + b.merge_full AS mshr_base,
    100.0 * r.counted / nullif(b.counted, 0) - 100 AS counted_change,
    100.0 * (r.entry_full + r.merge_full) / nullif(b.entry_full + b.merge_full, 0) - 100 AS mshr_change
FROM run_of r JOIN run_of b ON b.study = r.study AND b.n = r.baseline WHERE r.n <> r.baseline ORDER BY r.study, r.n;

-- Geometric means of the gain: over all kernels, without the paper's two, and without the two that gain most here.
CREATE TEMP TABLE two AS SELECT name FROM figure WHERE study = 'dl_mshr_schemes.main' AND list = 'paper' AND scheme = 'dl' ORDER BY gain DESC LIMIT 2;
CREATE TEMP TABLE mean AS
SELECT study, machine, list, scheme, min(n) AS n, exp(avg(ln(gain))) AS x, exp(avg(iif(name IN ('alignedtypes', 'sc'), NULL, ln(gain)))) AS rest,
    exp(avg(iif(name IN (SELECT name FROM two), NULL, ln(gain)))) AS fewer
FROM figure GROUP BY study, machine, list, scheme;
INSERT INTO mean SELECT study, machine, 'ten', scheme, min(n), exp(avg(ln(gain))), exp(avg(iif(name IN ('alignedtypes', 'sc'), NULL, ln(gain)))), NULL
FROM figure WHERE ten GROUP BY study, machine, scheme;

-- ---- The suites' inputs ----
CREATE TEMP TABLE suite_part(machine, section);
INSERT INTO suite_part VALUES ('Fermi*', '## The suites'' inputs'), ('linear*', '## The suites'' inputs with index, flits and miss queues of the GTX 480');
CREATE TEMP TABLE suite AS
SELECT p.rowid AS part, section, 'IPC over the baseline''s (Figure 9) in the first cycles of the runs, or in whole runs' AS ipc_title, f.*, s.title, s.rowid AS at, b.cycles AS cycles_base, b.complete AS whole
FROM figure f JOIN run_of b ON b.study = f.study AND b.n = f.baseline JOIN scheme s ON s.name = f.scheme JOIN suite_part p ON f.machine GLOB p.machine WHERE f.study = 'dl_mshr_schemes.inputs' ORDER BY part, f.n;
-- One row for each kernel: without the first cycles of sc, which are not typical, if one launch of it ran.
CREATE TEMP TABLE first_cycles AS
SELECT DISTINCT kernel FROM run_of r WHERE study = 'dl_mshr_schemes.inputs' AND name = 'sc' AND group_name = 'short'
    AND EXISTS (SELECT * FROM run_of w WHERE w.study = r.study AND w.name = r.name AND w.group_name = 'whole');
CREATE TEMP VIEW suite_typical AS SELECT * FROM suite WHERE kernel NOT IN (SELECT kernel FROM first_cycles);
CREATE TEMP VIEW suite_mean AS
SELECT part, section, ipc_title, scheme, at, exp(avg(ln(gain))) AS x, exp(avg(iif(name IN ('alignedtypes', 'sc'), NULL, ln(gain)))) AS rest, avg(gain) AS arithmetic,
    (SELECT exp(avg(ln(gain))) FROM suite f WHERE f.part = t.part AND f.at = t.at AND NOT (name = 'sc' AND group_name = 'whole')) AS first
FROM suite_typical t GROUP BY part, at;
INSERT INTO cell SELECT DISTINCT section, ipc_title, 'kernel', 'cycles of the baseline' FROM suite ORDER BY part;
INSERT INTO cell SELECT section, ipc_title, 'kernel', title FROM suite GROUP BY part, at ORDER BY part, at;
INSERT INTO cell SELECT DISTINCT section, ipc_title, kernel, iif(whole, 'all ', 'first ') || cycles_base FROM suite ORDER BY part, baseline;
INSERT INTO cell SELECT section, ipc_title, kernel, printf('%.3f', gain) FROM suite ORDER BY part, baseline, at;
CREATE TEMP VIEW suite_line AS
SELECT m.*, key, value AS line, CASE key WHEN 0 THEN x WHEN 1 THEN first WHEN 2 THEN rest ELSE arithmetic END AS mean
FROM suite_mean m, json_each('["**mean**", "**mean with the first cycles of sc**", "**mean without two**", "**arithmetic mean**"]');
INSERT INTO cell SELECT DISTINCT section, ipc_title, line, '-' FROM suite_line WHERE mean IS NOT NULL AND (key <> 1 OR EXISTS (SELECT * FROM first_cycles)) ORDER BY part, key;
INSERT INTO cell SELECT section, ipc_title, line, printf('**%.3f**', mean) FROM suite_line WHERE mean IS NOT NULL AND (key <> 1 OR EXISTS (SELECT * FROM first_cycles)) ORDER BY part, key, at;
INSERT INTO cell SELECT DISTINCT section, ipc_title, 'paper', '-' FROM suite_mean ORDER BY part;
INSERT INTO cell SELECT section, ipc_title, 'paper', iif(value IS NULL, '-', printf('%.3f', value))
FROM suite_mean s LEFT JOIN paper p ON quantity = 'IPC over the baseline, inputs of the suites' AND p.scheme = s.scheme ORDER BY part, at;
INSERT INTO cell SELECT DISTINCT section, '![IPC of the schemes over the baseline, inputs of the suites](dl_mshr_schemes_inputs.svg)', NULL, NULL FROM suite WHERE part = 1;
CREATE TEMP VIEW suite_failures AS SELECT p.section, 'Counted reservation failures against the baseline, mean of the kernels with 1000 or more of both (Figure 10); in brackets entry-full and merge-full alone' AS title, s.*
FROM suite_part p JOIN (SELECT part, machine, scheme, title AS head, at, avg(counted_change) AS counted, avg(mshr_change) AS mshr FROM suite_typical WHERE mshr_base >= 1000 GROUP BY part, at) s WHERE p.rowid = 1;
INSERT INTO cell SELECT section, title, 'machine', head FROM suite_failures WHERE part = 1 ORDER BY at;
INSERT INTO cell SELECT section, title, machine, printf('%+.1f %% (%+.1f %%)', counted, mshr) FROM suite_failures ORDER BY part, at;
INSERT INTO cell SELECT section, title, 'paper', iif(value IS NULL, '-', printf('%+.1f %%', value))
FROM suite_failures s LEFT JOIN paper p ON quantity = 'reservation failures' AND p.scheme = s.scheme WHERE part = 1 ORDER BY at;

-- ---- IPC by kernel ----
CREATE TEMP TABLE list(which, section, ipc_title);
INSERT INTO list VALUES ('paper', '## The paper''s kernels', 'IPC over the baseline''s (Figure 9)'), ('others', '## Other kernels', 'IPC over the baseline''s');
CREATE TEMP TABLE shown AS SELECT l.which AS list, l.section, l.ipc_title, s.name AS scheme, s.title, s.rowid AS at FROM list l JOIN scheme s WHERE l.which = 'paper' OR s.name NOT GLOB '*mrpb*';
CREATE TEMP TABLE main AS SELECT f.*, f.baseline AS kernel_at, section, ipc_title, title, at FROM figure f JOIN shown USING (list, scheme) WHERE study = 'dl_mshr_schemes.main' ORDER BY n, at;

INSERT INTO cell SELECT section, ipc_title, 'kernel', title FROM main GROUP BY section, at ORDER BY list DESC, at;
INSERT INTO cell SELECT section, ipc_title, kernel, printf('%.3f', gain) FROM main ORDER BY list DESC, kernel_at, at;
INSERT INTO cell SELECT section, ipc_title, '**mean**', printf('**%.3f**', x) FROM mean JOIN shown USING (list, scheme) WHERE study = 'dl_mshr_schemes.main' ORDER BY list DESC, at;
INSERT INTO cell SELECT section, ipc_title, '**mean without two**', printf('**%.3f**', rest)
FROM mean JOIN shown USING (list, scheme) WHERE study = 'dl_mshr_schemes.main' AND list = 'paper' AND rest IS NOT NULL ORDER BY at;
INSERT INTO cell SELECT section, ipc_title, '**mean without ' || (SELECT group_concat(name, ' and ') FROM two) || '**', printf('**%.3f**', fewer)
FROM mean JOIN shown USING (list, scheme) WHERE study = 'dl_mshr_schemes.main' AND list = 'paper' AND fewer IS NOT NULL ORDER BY at;
INSERT INTO cell SELECT section, ipc_title, 'paper', iif(value IS NULL, '-', printf('%.3f', value))
FROM shown s LEFT JOIN paper p ON quantity = 'IPC over the baseline' AND p.scheme = s.scheme AND grp = 'paper' WHERE list = 'paper' ORDER BY at;
INSERT INTO cell SELECT DISTINCT section, '![IPC of the schemes over the baseline](dl_mshr_schemes.svg)', NULL, NULL FROM main WHERE list = 'paper';

-- ---- Refusals of the baseline, by cause ----
CREATE TEMP VIEW refused AS SELECT section, 'Refused cycles of the baseline, L1D and L2, by cause (Figure 4). Counted: those that GPGPU-Sim 3.2.2 counts as reservation failures, with shares of
them, in percent; it does not look the L2 up, and counts nothing, while the way out of it is full. The paper: all but entry-full and merge-full are below 3 %' AS title, r.*
FROM list l JOIN run_of r ON which = 'paper' AND r.list = 'paper' WHERE r.study = 'dl_mshr_schemes.main' AND r.n = r.baseline
UNION ALL SELECT section, 'Refused cycles of the baseline by cause (Figure 4), counted as in the table of the smaller inputs', r.*
FROM suite_part p JOIN run_of r ON r.machine GLOB p.machine WHERE p.rowid = 1 AND r.study = 'dl_mshr_schemes.inputs' AND r.n = r.baseline AND kernel NOT IN (SELECT kernel FROM first_cycles);
CREATE TEMP VIEW cause AS
SELECT section, title, n, kernel AS line, counted, refused, json_array(entry_full, merge_full, l1d_queue, l1d_way, l2_way) AS causes FROM refused
UNION ALL SELECT section, title, 1e9, '**sum**', sum(counted), sum(refused), json_array(sum(entry_full), sum(merge_full), sum(l1d_queue), sum(l1d_way), sum(l2_way)) FROM refused GROUP BY title;
INSERT INTO cell SELECT section, title, 'kernel', value FROM (SELECT DISTINCT section, title FROM refused),
    json_each('["counted", "entry-full", "merge-full", "L1D miss queue", "ways of the L1D", "ways of the L2", "not counted"]');
INSERT INTO cell SELECT section, title, line, printf('%.3g | %s | %.3g', counted,
    (SELECT group_concat(iif(counted, printf('%.1f', 100.0 * value / counted), '-'), ' | ') FROM json_each(causes)), refused - counted) FROM cause ORDER BY n;
INSERT INTO cell SELECT section, title, '**mean of the shares**', printf('- | %.1f | %.1f | %.1f | %.1f | %.1f | -', 100.0 * avg(entry_full / counted), 100.0 * avg(merge_full / counted), 100.0 * avg(l1d_queue / counted),
    100.0 * avg(l1d_way / counted), 100.0 * avg(l2_way / counted)) FROM (SELECT section, title, 1.0 * nullif(counted, 0) AS counted, entry_full, merge_full, l1d_queue, l1d_way, l2_way FROM refused) GROUP BY title;

-- ---- Refusals and slots used ----
CREATE TEMP TABLE heading(failures, slots);
INSERT INTO heading VALUES ('Counted reservation failures against the baseline (Figure 10); in brackets entry-full and merge-full alone',
    'L1D MSHR slots used, over the baseline''s (its share in brackets); the paper does not say of which cache');
INSERT INTO cell SELECT section, failures, 'kernel', title FROM heading, main WHERE list = 'paper' GROUP BY at ORDER BY at;
INSERT INTO cell SELECT section, failures, kernel, iif(counted_change IS NULL, 'none', printf('%+.1f %%', counted_change)) || iif(mshr_change IS NULL, ' (none)', printf(' (%+.1f %%)', mshr_change))
FROM heading, main WHERE list = 'paper' ORDER BY kernel_at, at;
INSERT INTO cell SELECT section, failures, '**mean of the ' || (SELECT count(*) FROM main WHERE list = 'paper' AND at = 1 AND mshr_base >= 1000) || ' kernels with 1000 or more of both**',
    printf('**%+.1f %%** (%+.1f %%)', avg(counted_change), avg(mshr_change)) FROM heading, main WHERE list = 'paper' AND mshr_base >= 1000 GROUP BY at ORDER BY at;
INSERT INTO cell SELECT section, failures, 'paper', iif(value IS NULL, '-', printf('%+.1f %%', value))
FROM heading, shown s LEFT JOIN paper p ON quantity = 'reservation failures' AND p.scheme = s.scheme WHERE list = 'paper' ORDER BY at;
INSERT INTO cell SELECT section, slots, 'kernel', title FROM heading, main WHERE list = 'paper' GROUP BY at ORDER BY at;
INSERT INTO cell SELECT section, slots, printf('%s (%.1f %%)', kernel, 100 * used_base), iif(use IS NULL, '-', printf('%.2f', use)) FROM heading, main WHERE list = 'paper' ORDER BY kernel_at, at;
INSERT INTO cell SELECT section, slots, '**mean of those that use some**', printf('**%.2f**', exp(avg(ln(use)))) FROM heading, main WHERE list = 'paper' AND use > 0 GROUP BY at ORDER BY at;
INSERT INTO cell SELECT section, slots, 'paper', iif(value IS NULL, '-', printf('%.3f', value))
FROM heading, shown s LEFT JOIN paper p ON quantity = 'L1D MSHR slots used' AND p.scheme = s.scheme WHERE list = 'paper' ORDER BY at;

-- ---- Features that the paper does not specify, and its other figures: means ----
CREATE TEMP TABLE part(study, list, section, title);
INSERT INTO part VALUES
    ('dl_mshr_schemes.machine', 'paper', '## What the paper leaves open', 'Mean IPC over the baseline''s by the L1D''s index, flits and the L1D''s allocation; in brackets without AlignedTypes and StreamCluster'),
    ('dl_mshr_schemes.misses', 'paper', '## What the paper leaves open', 'The same by miss queues (L1D, L2; 32 if not said), the time of a lone load (269 cycles if not said) and LSU queues (8 if not said)'),
    ('dl_mshr_schemes.misses', 'ten', '## What the paper leaves open', 'The same for a third of the kernels, those with most L2 misses an instruction in Gu''s dissertation'),
    ('dl_mshr_schemes.closed', 'paper', '## No L1D', 'Mean IPC over the baseline''s with the L1D closed (Figure 11); in brackets without the two');
CREATE TEMP TABLE part_mean AS
SELECT p.rowid AS part, p.section, p.title, m.machine, s.title AS scheme, m.scheme AS name, s.rowid AS at, m.n, printf('%.3f', x) || iif(rest IS NULL, '', printf(' (%.3f)', rest)) AS text
FROM part p JOIN mean m USING (study, list) JOIN scheme s ON s.name = m.scheme;
INSERT INTO cell SELECT section, title, iif(machine = '', 'L1D', 'machine'), scheme FROM part_mean GROUP BY part, at ORDER BY part, at;
INSERT INTO cell SELECT section, title, iif(machine = '', 'closed', machine), text FROM part_mean ORDER BY part, (SELECT min(n) FROM part_mean q WHERE q.part = part_mean.part AND q.machine = part_mean.machine), at;
INSERT INTO cell SELECT p.section, p.title, 'paper', iif(value IS NULL, '-', printf('%.3f', value))
FROM part p JOIN (SELECT DISTINCT part, name, at FROM part_mean) m ON part = p.rowid
LEFT JOIN paper ON quantity = iif(p.study GLOB '*.closed', 'IPC over the baseline, L1D closed', 'IPC over the baseline') AND scheme = name WHERE p.study NOT GLOB '*.misses' ORDER BY p.rowid, at;
-- Kernels that section 6.3 names.
CREATE TEMP TABLE named AS SELECT '## No L1D' AS section, 'What DL-MSHR gains of the kernels that section 6.3 names, IPC over the baseline''s; in brackets the paper''s' AS title, value ->> 0 AS name, value ->> 1 AS open, value ->> 2 AS closed
FROM json_each('[["btree", "1.141", "1.034"], ["alignedtypes", "4.686", "3.280"], ["asyncapi"], ["fwt"]]');
INSERT INTO cell SELECT section, title, 'kernel', value FROM named, json_each('["with an L1D", "without"]') WHERE EXISTS (SELECT * FROM figure JOIN named USING (name) WHERE study GLOB '*.closed');
INSERT INTO cell SELECT section, title, kernel, printf('%.3f%s | %.3f%s', m.gain, coalesce(' (' || open || ')', ''), c.gain, coalesce(' (' || closed || ')', ''))
FROM named JOIN figure c USING (name) JOIN figure m USING (kernel, scheme) WHERE c.study = 'dl_mshr_schemes.closed' AND m.study = 'dl_mshr_schemes.main' AND scheme = 'dl' ORDER BY named.rowid;

CREATE TEMP TABLE by_machine AS SELECT '## What the paper leaves open' AS section, 'DL-MSHR, kernel by kernel' AS title;
INSERT INTO cell SELECT section, title, 'kernel', machine FROM by_machine, figure WHERE study GLOB '*.machine' AND scheme = 'dl' GROUP BY machine ORDER BY min(n);
INSERT INTO cell SELECT section, title, kernel, printf('%.3f', gain) FROM by_machine, figure WHERE study GLOB '*.machine' AND scheme = 'dl'
ORDER BY (SELECT min(n) FROM figure q WHERE q.study = figure.study AND q.kernel = figure.kernel), n;

CREATE TEMP TABLE gto AS SELECT scheme, n, x, rest FROM mean WHERE study = 'dl_mshr_schemes.variants' UNION ALL SELECT 'base', -1, 1, 1;
INSERT INTO cell SELECT '## Schedulers', 'Mean IPC over GTO''s without DL-MSHRs, and what DL-MSHRs gain under each scheduler (Figure 12)', 'scheduler', value FROM json_each('["without", "with DL-MSHRs", "gain", "paper"]');
INSERT INTO cell SELECT '## Schedulers', 'Mean IPC over GTO''s without DL-MSHRs, and what DL-MSHRs gain under each scheduler (Figure 12)',
    iif(b.scheme = 'base', 'GTO', replace(replace(replace(substr(b.scheme, 6), 'lrr', 'LRR'), 'two_level', 'two-level'), 'swl_best', 'SWL, best of five')),
    printf('%.3f | %.3f | %.3f | %s', b.x, d.x, d.x / b.x, iif(value IS NULL, '-', printf('%.3f', value)))
FROM gto b JOIN gto d ON d.scheme = 'dl' || substr(b.scheme, 5) LEFT JOIN paper p ON quantity = 'IPC over the same scheduler without DL-MSHRs' AND p.scheme = d.scheme
WHERE b.scheme IN ('base', 'base.lrr', 'base.two_level', 'base.swl_best') ORDER BY b.n;

INSERT INTO cell SELECT '## Sizes, and the tail', 'Mean IPC over the baseline''s (Figure 13; the tail pointer: section 4.6, where it brings about half a percent); in brackets without the two', 'MSHRs', value FROM json_each('["mean", "paper"]');
INSERT INTO cell SELECT '## Sizes, and the tail', 'Mean IPC over the baseline''s (Figure 13; the tail pointer: section 4.6, where it brings about half a percent); in brackets without the two',
    label, printf('%.3f%s | %s', x, iif(rest IS NULL, '', printf(' (%.3f)', rest)), iif(value IS NULL, '-', printf('%.3f', value)))
FROM (SELECT value ->> 0 AS scheme, value ->> 1 AS label, key FROM json_each('[["2xe", "64 entries, same slots"], ["2xe2xs", "2X + 2X"], ["4xe4xs", "4X + 4X"], ["8xe8xs", "8X + 8X"],
    ["dl", "DL-MSHR"], ["dl_l1", "DL-MSHR in the L1D alone"], ["dl_l2", "DL-MSHR in the L2 alone"], ["dl.walk", "DL-MSHR, the tail found by a walk"],
    ["base.look2", "conventional, lookups of two cycles"], ["2xe2xs.look2", "2X + 2X, lookups of two cycles"], ["dl.look2", "DL-MSHR in two pools, lookups of two cycles"],
    ["dl.loads", "DL-MSHR, AlignedTypes alone with all loads first"]]')) s
JOIN (SELECT scheme, x, rest FROM mean WHERE study = 'dl_mshr_schemes.main' AND list = 'paper' UNION SELECT scheme, x, rest FROM mean WHERE study = 'dl_mshr_schemes.variants' AND scheme IN ('dl.walk', 'dl_l1', 'dl_l2', '4xe4xs')
    UNION SELECT scheme, x, rest FROM mean WHERE study IN ('dl_mshr_schemes.lookup', 'dl_mshr_schemes.loads')) m USING (scheme)
LEFT JOIN paper p ON quantity = 'IPC over the baseline, sizes' AND p.scheme = s.scheme ORDER BY key;

SELECT * FROM page;

-- Data of the plot.
.mode tabs
.headers on
.output dl_mshr_schemes.dat
SELECT name AS kernel, max(gain) FILTER (WHERE scheme = '2xe') AS "2X entry", max(gain) FILTER (WHERE scheme = '2xe2xs') AS "2X entry + 2X slot",
    max(gain) FILTER (WHERE scheme = '8xe8xs') AS "8X + 8X", max(gain) FILTER (WHERE scheme = 'dl') AS "DL-MSHR" FROM main WHERE list = 'paper' GROUP BY kernel ORDER BY min(n);
.output dl_mshr_schemes_inputs.dat
SELECT name AS kernel, max(gain) FILTER (WHERE scheme = '2xe') AS "2X entry", max(gain) FILTER (WHERE scheme = '2xe2xs') AS "2X entry + 2X slot",
    max(gain) FILTER (WHERE scheme = 'dl') AS "DL-MSHR" FROM suite_typical WHERE part = 1 GROUP BY kernel ORDER BY min(n);
