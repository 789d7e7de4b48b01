-- SPDX-License-Identifier: Apache-2.0
-- Page of the studies hpe_policies and hpe_policies.large.
SELECT '# Page eviction on hpe15

Written by `make experiment-hpe` (`sim/experiments/hpe_policies.ini` and `.large.ini`, which say what each scheme is, and `.sql`). Paper: Yu et al., IEEE TCAD 2019, section V; "-": it gives no figure, or there is none.
Kernels are named and typed as in its Table II; three of type II make more steps than by default, so that they pass through their data often; kernels that would take long are smaller.
TLBs are those of Table I. Means are geometric. Nothing over nothing (no evictions with either policy) is 1.000 and counts; ratios that are 0, or do not exist (-), do not count.';

CREATE TEMP TABLE name(kernel, name);
INSERT INTO name VALUES ('hotspot', 'HOT'), ('leukocyte', 'LEU'), ('2dconv', '2DC'), ('gemm', 'GEM'), ('srad', 'SRD'), ('hotspot3d', 'HSD'),
    ('mriq', 'MRQ'), ('stencil', 'STN'), ('cutcp', 'CUT'), ('sad', 'SAD'), ('sgemm', 'SGM'), ('pathfinder', 'PAT'), ('dwt2d', 'DWT'), ('backprop', 'BKP'), ('kmeans', 'KMN'), ('nw', 'NW'), ('bfs', 'BFS'), ('mvt', 'MVT'),
    ('heartwall', 'HWL'), ('histo', 'HIS'), ('spmv', 'SPV'), ('btree', 'B+T'), ('hybridsort', 'HYB');
CREATE TEMP TABLE rate(rate);
INSERT INTO rate VALUES (95), (75), (50), (25);
CREATE TEMP TABLE policy(policy);
INSERT INTO policy VALUES ('lru'), ('random'), ('rrip'), ('clock_pro'), ('hpe'), ('ideal');

INSERT INTO kernel SELECT min(n), name || ' ' || kernel, 'type ' || group_name
FROM result JOIN name ON kernel = substr(workload, 1, instr(workload || ':', ':') - 1) WHERE study = 'hpe_policies' GROUP BY workload;
CREATE TEMP TABLE run_of AS
SELECT k.id AS kernel, k.label, k.kind, substr(k.label, 1, instr(k.label, ' ') - 1) AS name, r.*
FROM result r JOIN result w ON w.study = r.study AND w.workload = r.workload JOIN kernel k ON k.id = w.n WHERE r.study = 'hpe_policies';
CREATE INDEX temp.by_kernel ON run_of(kernel, scheme);
INSERT INTO figure_of SELECT kernel, scheme, 'cycles', cycles FROM run_of UNION ALL SELECT kernel, scheme, 'evictions', uvm_evictions FROM run_of;

CREATE TEMP TABLE heading(of_lru, of_all, by_memory, classes, overheads, sensitivity, open, why, large, drivers);
INSERT INTO heading VALUES ('## HPE over LRU (Figures 10 and 11)', '## All policies (Figures 3 and 12)', '## By memory', '## Classification and adjustment (Figures 9 and 13)',
    '## Overheads (Figures 14 and 15)', '## Sensitivity (section V.A, Figures 7 and 8)', '## What the paper leaves open', '## Why', '## Larger footprints', '## Policies of drivers');

-- ---- Pages that a kernel touches ----
CREATE TEMP VIEW footprint AS SELECT 'Pages (4 KB) that a kernel touches, and what it does with all of them in GPU memory' AS title, * FROM run_of WHERE scheme = '100.lru' ORDER BY kernel;
INSERT INTO cell SELECT DISTINCT '', title, 'kernel', value FROM footprint, json_each('["type", "pages", "MiB", "cycles", "faults"]');
INSERT INTO cell SELECT '', title, label, printf('%s | %d | %.1f | %d | %d', group_name, uvm_touched_pages, uvm_touched_pages / 256.0 - 1e-9 * (uvm_touched_pages % 256 = 64), cycles, uvm_faults) FROM footprint;
INSERT INTO cell SELECT '', printf('In the mean %.1f MiB; in the paper 37 MB, 3 to 130.', avg(uvm_touched_pages) / 256), NULL, NULL FROM footprint;

-- ---- HPE over LRU ----
INSERT INTO ratio SELECT of_lru, 'Speed (cycles of LRU over those of HPE)', 'each', rate || '.hpe', rate || '.hpe', rate || '.lru', 'cycles', 1, 'speed over LRU' FROM heading, rate;
INSERT INTO ratio SELECT of_lru, 'Evictions of HPE over those of LRU', 'each', rate || '.hpe', rate || '.hpe', rate || '.lru', 'evictions', 0, 'evictions over those of LRU' FROM heading, rate;
INSERT INTO cell SELECT of_lru, '![Speed of HPE over LRU](hpe_policies_speedup.svg)', NULL, NULL FROM heading;

-- ---- All policies ----
INSERT INTO cell SELECT of_all, 'RRIP inserts with distant prediction and a delay of 128 faults for kernels of type II, as the paper sets it; LRU, RRIP and CLOCK-Pro see every page walk that hits at once, except those of replayed faults.
Ideal is Belady''s MIN over the references of a first pass with all pages in memory. It is no bound: which references come next depends on what is resident.', NULL, NULL FROM heading;

-- Kernels in which a policy evicts fewer pages, or is faster, than Ideal.
CREATE TEMP TABLE beats AS
SELECT r.scheme AS scheme, r.name || ':' || policy AS who, rate, r.uvm_evictions < i.uvm_evictions AS fewer, r.cycles < 0.99 * i.cycles AS faster
FROM rate, policy JOIN run_of r ON r.scheme = rate || '.' || policy JOIN run_of i ON i.kernel = r.kernel AND i.scheme = rate || '.ideal'
WHERE policy <> 'ideal' ORDER BY r.kernel, policy.rowid;
CREATE TEMP TABLE compared(title, kinds, policies, base, quantity, inverse, published);
INSERT INTO compared VALUES (' % of the pages fit. Speed over Ideal', 'each', '["lru", "random", "rrip", "clock_pro", "hpe"]', 'ideal', 'cycles', 1, NULL),
    (' %: evictions over those of Ideal', 'each', '["lru", "random", "rrip", "clock_pro", "hpe"]', 'ideal', 'evictions', 0, 'evictions over those of Ideal'),
    (' %: speed of HPE over others', NULL, '["lru", "random", "rrip", "clock_pro"]', 'hpe', 'cycles', 0, 'speed of HPE over it');
INSERT INTO ratio SELECT of_all, rate || title, kinds, value, rate || '.' || value, rate || '.' || base, quantity, inverse, published
FROM heading, rate, compared, json_each(policies) WHERE rate IN (75, 50) ORDER BY rate DESC, compared.rowid, id;
INSERT INTO cell SELECT of_all, 'The paper has HPE within 11 % of Ideal, at 75 % and at 50 %.', NULL, NULL FROM heading;
INSERT INTO cell SELECT of_all, rate || ' %, fewer evictions than Ideal: ' || coalesce(group_concat(who, ' ') FILTER (WHERE fewer), 'none') || '. More than 1 % faster: ' ||
    coalesce(group_concat(who, ' ') FILTER (WHERE faster), 'none') || '.', NULL, NULL
FROM heading, (SELECT rate, who, fewer, faster FROM rate LEFT JOIN beats USING (rate) WHERE rate IN (75, 50) ORDER BY rate DESC, beats.rowid LIMIT 1000) GROUP BY -rate;
INSERT INTO cell SELECT of_all, '![Speed over Ideal](hpe_policies_others.svg)', NULL, NULL FROM heading;

-- ---- By memory ----
CREATE TEMP TABLE time_of AS
SELECT rate, policy, exp(avg(ln(x))) AS x FROM rate JOIN policy JOIN quotient ON scheme = rate || '.' || policy AND base = '100.lru' AND quantity = 'cycles'
WHERE policy IN ('lru', 'hpe', 'ideal') GROUP BY rate.rowid, policy.rowid;
CREATE TEMP VIEW by_memory AS SELECT by_memory AS section, 'Time over that with all pages in GPU memory; geometric means over all kernels' AS title FROM heading;
INSERT INTO cell SELECT section, title, 'memory', value FROM by_memory, json_each('["lru", "hpe", "ideal"]');
INSERT INTO cell SELECT section, title, rate || ' %', printf('%.3f', x) FROM by_memory, time_of ORDER BY time_of.rowid;
INSERT INTO cell SELECT section, '![Time by memory](hpe_policies_rates.svg)', NULL, NULL FROM by_memory;

-- ---- Classification, overheads ----
CREATE TEMP VIEW of_hpe AS SELECT r.*, rate, label || ' | ' || rate || ' %' AS line FROM rate JOIN run_of r ON r.scheme = rate || '.hpe' WHERE rate IN (75, 50) ORDER BY r.kernel, rate DESC;
CREATE TEMP VIEW classes AS SELECT classes AS section, 'When GPU memory was full for the first time: ratio1, ratio2, class, page sets in the old partition; then intervals that ended with each strategy, switches between them, jumps of MRU-C''s search point, page sets divided.' AS title FROM heading;
INSERT INTO cell SELECT section, title, 'kernel', value FROM classes, json_each('["memory", "ratio1", "ratio2", "class", "old", "LRU", "MRU-C", "switches", "jumps", "divided"]');
INSERT INTO cell SELECT section, title, line, printf('%s | %s | %s | %d | %d | %d | %d | %d | %d',
    iif(hpe_ratio1_permille >= 1000000, 'inf', printf('%.3f', hpe_ratio1_permille / 1000.0)), iif(hpe_ratio2_permille >= 1000000, 'inf', printf('%.3f', hpe_ratio2_permille / 1000.0)),
    CASE hpe_regular + 2 * hpe_irregular1 + 3 * hpe_irregular2 WHEN 1 THEN 'regular' WHEN 2 THEN 'irregular#1' WHEN 3 THEN 'irregular#2' ELSE '-' END,
    hpe_old_sets, hpe_intervals_lru, hpe_intervals_mru_c, hpe_switches, hpe_jumps, hpe_divisions) FROM classes, of_hpe ORDER BY kernel, rate DESC;

-- A transfer is due at every 16th fault.
CREATE TEMP VIEW overheads AS SELECT overheads AS section, 'Page sets compared in a search of MRU-C; entries in a transfer of the HIR cache, of all that were due (paper: fewer than 10 in most, MVT 139), and of those that had any; walks that hit and were told of, and those of them lost to way conflicts of 128 sets of 8 and of 16 sets of 8.' AS title FROM heading;
INSERT INTO cell SELECT section, title, 'kernel', value FROM overheads, json_each('["memory", "compared", "entries / due", "entries / sent", "walk hits", "lost", "lost, 16 x 8"]');
INSERT INTO cell SELECT section, title, h.line, printf('%s | %s | %s | %d | %d | %d', iif(h.hpe_searches, printf('%.1f', 1.0 * h.hpe_comparisons / h.hpe_searches), '-'),
    iif(h.uvm_faults / 16, printf('%.1f', 1.0 * h.hir_entries / (h.uvm_faults / 16)), '-'), iif(h.hir_transfers, printf('%.1f', 1.0 * h.hir_entries / h.hir_transfers), '-'),
    h.gmmu_walk_reports, h.hir_losses, s.hir_losses)
FROM overheads, of_hpe h JOIN run_of s ON s.kernel = h.kernel AND s.scheme = h.scheme || '+hir16' ORDER BY h.kernel, rate DESC;

-- ---- Sensitivity ----
CREATE TEMP VIEW sensitivity AS SELECT sensitivity AS section, '75 %: speed over that of page sets of 16 pages and intervals of 64 faults; of both strategies the better one, without adjustment, with ideal hits, as the paper tests it; geometric means by type.' AS title FROM heading;
CREATE TEMP TABLE changed(col, scheme);
INSERT INTO changed VALUES ('8 pages', '+set8'), ('16', ''), ('32', '+set32'), ('interval 32', '+interval32'), ('64', ''), ('128', '+interval128');
INSERT INTO cell SELECT section, title, 'kernels', col FROM sensitivity, changed;
INSERT INTO cell SELECT section, title, line, iif(tail = '', '1', printf('%.3f', exp(avg(ln(x))))) FROM sensitivity, (
    SELECT c.rowid AS id, c.scheme AS tail, kernel, kind AS line, x FROM changed c JOIN quotient q ON q.scheme = '75.hpe+hits+best' AND base = q.scheme || c.scheme AND quantity = 'cycles'
    UNION ALL SELECT c.rowid, c.scheme, kernel + 1e9, 'all', x FROM changed c JOIN quotient q ON q.scheme = '75.hpe+hits+best' AND base = q.scheme || c.scheme AND quantity = 'cycles')
GROUP BY line, id ORDER BY min(kernel), id;
CREATE TEMP TABLE variant(rate, title, variants);
INSERT INTO variant VALUES (75, '75 %: speed over HPE as it is (transfers at every 16th fault, walks of 8 cycles, HIR cache of 128 x 8). hits: each walk that hits is known at once; hir16: 16 x 8',
    '["hits", "transfer1", "transfer64", "hir16", "walk20"]'), (50, '50 %: the same', '["hits", "hir16"]');
INSERT INTO ratio SELECT section, variant.title, NULL, value, rate || '.hpe+' || value, rate || '.hpe', 'cycles', 1, NULL FROM sensitivity, variant, json_each(variants) ORDER BY variant.rowid, json_each.id;
INSERT INTO cell SELECT section, printf('LRU with walks of 20 cycles, 75 %%: %.3f of its speed with 8.',
    (SELECT exp(avg(ln(x))) FROM quotient WHERE quantity = 'cycles' AND scheme = '75.lru' AND base = '75.lru+walk20')), NULL, NULL FROM sensitivity;
-- ---- TLBs, the index of the L2 TLB, faults one at a time ----
INSERT INTO cell SELECT open, 'Speed of HPE over LRU: as above; with TLBs of 16 and 64 entries, as much smaller than Table I''s as these footprints are; with the set of the L2 TLB from all bits of the page; with a driver that serves one fault after the other.', NULL, NULL FROM heading;
CREATE TEMP TABLE open(tail, title);
INSERT INTO open VALUES ('', 'Table I'), ('+small', 'small TLBs'), ('+xor', 'L2 TLB XORed'), ('+serial', 'one fault at a time');
INSERT INTO ratio SELECT heading.open, rate || ' %', 'each', o.title, rate || '.hpe' || tail, rate || '.lru' || tail, 'cycles', 1, NULL FROM heading, rate, open o WHERE rate IN (75, 50) ORDER BY rate DESC, o.rowid;

-- ---- Causes: strategies alone, faults in flight, ratio1 ----
INSERT INTO ratio SELECT why, '75 %: speed over LRU of each strategy alone, and of the better of both, with ideal hits', 'each', title, '75.hpe+hits+' || tail, '75.lru', 'cycles', 1, NULL
FROM heading, (SELECT value ->> 0 AS tail, value ->> 1 AS title, id FROM json_each('[["always_lru", "LRU alone"], ["always_mru_c", "MRU-C alone"], ["best", "the better"]]')) ORDER BY id;
INSERT INTO ratio SELECT why, 'Type II at 75 %: speed over LRU of HPE, and with walks of 20 cycles for both', 'type II', value ->> 0, value ->> 1, value ->> 2, 'cycles', 1, NULL
FROM heading, json_each('[["walks of 8 cycles", "75.hpe", "75.lru"], ["of 20", "75.hpe+walk20", "75.lru+walk20"]]') WHERE EXISTS (SELECT * FROM kernel WHERE kind = 'type II') ORDER BY id;
INSERT INTO ratio SELECT why, 'Type II: speed over LRU of HPE, of MRU-C alone with the hits that HPE is told of, and of Ideal', 'type II', rate || ' %: ' || (value ->> 1), rate || (value ->> 0), rate || '.lru', 'cycles', 1, NULL
FROM heading, rate, json_each('[[".hpe", "HPE"], [".hpe+mru_c", "MRU-C alone"], [".ideal", "Ideal"]]') WHERE rate IN (75, 50) AND EXISTS (SELECT * FROM kernel WHERE kind = 'type II') ORDER BY rate DESC, id;
CREATE TEMP VIEW held AS SELECT why AS section, 'Type II: faults under way with LRU at 75 % (their latencies over the cycles); ratio1 at 50 %, also with one fault after the other (serial)' AS title, kernel, label, kind, scheme,
    1.0 * uvm_fault_latency / cycles AS faults, iif(hpe_ratio1_permille >= 1000000, 'inf', printf('%.3f', hpe_ratio1_permille / 1000.0)) AS ratio1 FROM heading, run_of;
INSERT INTO cell SELECT DISTINCT section, title, 'kernel', value FROM held, json_each('["faults", "ratio1", "ratio1, serial"]') WHERE kind = 'type II';
INSERT INTO cell SELECT l.section, l.title, l.label, printf('%.1f | %s | %s', l.faults, h.ratio1, s.ratio1)
FROM held l JOIN held h USING (kernel) JOIN held s USING (kernel) WHERE l.kind = 'type II' AND l.scheme = '75.lru' AND h.scheme = '50.hpe' AND s.scheme = '50.hpe+serial' ORDER BY l.kernel;
INSERT INTO cell SELECT section, printf('All kernels in the mean: %.1f faults under way with LRU at 75 %%.', avg(faults)), NULL, NULL FROM held WHERE scheme = '75.lru' GROUP BY section;

-- ---- Larger footprints ----
CREATE TEMP TABLE large AS SELECT r.workload, r.scheme, r.cycles, r.n, r.hpe_ratio1_permille / 1000.0 AS ratio1, printf('%s (%.0f MiB)', r.workload, m.uvm_touched_pages / 256.0) AS label
FROM result r JOIN result m ON m.study = r.study AND m.workload = r.workload AND m.scheme = '100.lru' WHERE r.study = 'hpe_policies.large';
CREATE TEMP TABLE large_column(tab, title, policy, tail, col);
INSERT INTO large_column VALUES (1, 'Speed of HPE and of Ideal over LRU', 'hpe', '', 'HPE'), (1, 'Speed of HPE and of Ideal over LRU', 'ideal', '', 'Ideal'),
    (2, 'Speed of HPE over LRU with a driver that serves one fault after the other', 'hpe', '+serial', 'HPE, serial'),
    (3, 'HPE with an L2 TLB of one set (full), and with its set from all bits of the page (xor)', 'hpe', '+full', 'HPE, full'),
    (3, 'HPE with an L2 TLB of one set (full), and with its set from all bits of the page (xor)', 'hpe', '+xor', 'HPE, xor');
CREATE TEMP TABLE large_value AS
SELECT heading.large AS section, c.rowid AS id, tab, title, col, r.rate, a.n, a.workload, a.label, 1.0 * b.cycles / a.cycles AS x
FROM heading, rate r JOIN large_column c JOIN large a ON a.scheme = r.rate || '.' || c.policy || c.tail JOIN large b ON b.workload = a.workload AND b.scheme = r.rate || '.lru' || c.tail WHERE r.rate IN (75, 50);
INSERT INTO cell SELECT DISTINCT section, title, 'kernel', rate || ' %: ' || col FROM large_value ORDER BY tab, rate DESC, id;
INSERT INTO cell SELECT section, title, label, printf('%.3f', x) FROM large_value v ORDER BY tab, (SELECT min(n) FROM large_value q WHERE q.workload = v.workload), rate DESC, id;
INSERT INTO cell SELECT section, title, '**mean**', printf('**%.3f**', exp(avg(ln(x)))) FROM large_value WHERE tab < 3 GROUP BY tab, rate, id ORDER BY tab, rate DESC, id;
-- The two kernels that lose most, both at 50 %.
INSERT INTO cell SELECT section, title, '**mean without nw and hybridsort**', printf('**%.3f**', exp(avg(ln(x)))) FROM large_value
WHERE tab < 3 AND workload NOT GLOB 'nw:*' AND workload NOT GLOB 'hybridsort:*'
    AND EXISTS (SELECT * FROM large WHERE workload GLOB 'nw:*' OR workload GLOB 'hybridsort:*') GROUP BY rate, id ORDER BY rate DESC, id;
CREATE TEMP VIEW large_ratio1 AS SELECT heading.large AS section, 'ratio1 at 75 %, likewise' AS title FROM heading WHERE EXISTS (SELECT * FROM large);
INSERT INTO cell SELECT section, title, 'kernel', value FROM large_ratio1, json_each('["Table I", "full", "xor"]');
INSERT INTO cell SELECT section, large_ratio1.title, h.workload, printf('%.3f | %.3f | %.3f', h.ratio1, f.ratio1, x.ratio1)
FROM large_ratio1, large h JOIN large f USING (workload) JOIN large x USING (workload) WHERE h.scheme = '75.hpe' AND f.scheme = '75.hpe+full' AND x.scheme = '75.hpe+xor' ORDER BY h.n;
INSERT INTO cell SELECT drivers, 'Not in the paper: units of 2 MB, of 64 KB, and the tree of 64 KB blocks, without prefetching.', NULL, NULL FROM heading;
INSERT INTO ratio SELECT drivers, '50 %: speed over LRU by page', NULL, value, '50.' || value, '50.lru', 'cycles', 1, NULL FROM heading, json_each('["lru_2mb", "sl64", "tree", "hpe"]');

INSERT INTO cell SELECT * FROM ratio_cell;
-- Without the two kernels that gain most, and without MVT, on which HPE gains most here and loses in the paper.
CREATE TEMP TABLE rest AS SELECT rate, tail, o.rowid AS id, label, x, row_number() OVER (PARTITION BY rate, tail ORDER BY x DESC) AS at
FROM rate, open o JOIN quotient q ON q.scheme = rate || '.lru' || tail AND q.base = rate || '.hpe' || tail AND quantity = 'cycles';
CREATE TEMP VIEW rest_mean AS SELECT rate, tail, id, printf('**%.3f** (%s)', exp(avg(ln(x)) FILTER (WHERE at > 2)), group_concat(substr(label, 1, instr(label, ' ') - 1), ', ') FILTER (WHERE at <= 2)) AS text,
    printf('**%.3f**', exp(avg(ln(x)) FILTER (WHERE label NOT GLOB 'MVT *'))) AS no_mvt, max(label GLOB 'MVT *') AS has_mvt
FROM rest GROUP BY rate, tail HAVING count(*) > 2;
INSERT INTO cell SELECT of_lru, 'Speed (cycles of LRU over those of HPE)', '**mean without two**', text FROM heading, rest_mean WHERE tail = '' ORDER BY rate DESC;
INSERT INTO cell SELECT of_lru, 'Speed (cycles of LRU over those of HPE)', '**mean without MVT**', no_mvt FROM heading, rest_mean WHERE tail = '' AND has_mvt ORDER BY rate DESC;
INSERT INTO cell SELECT of_lru, 'Evictions of HPE over those of LRU', '**mean without MVT**', printf('**%.3f**', exp(avg(iif(x > 0, ln(x), NULL))))
FROM heading, rate JOIN quotient ON scheme = rate || '.hpe' AND base = rate || '.lru' AND quantity = 'evictions' WHERE label NOT GLOB 'MVT *' AND EXISTS (SELECT * FROM rest WHERE label GLOB 'MVT *') GROUP BY rate ORDER BY rate DESC;
INSERT INTO cell SELECT heading.open, rate || ' %', '**mean without two**', text FROM heading, rest_mean WHERE rate IN (75, 50) ORDER BY rate DESC, id;
INSERT INTO cell SELECT heading.open, rate || ' %', '**mean without MVT**', no_mvt FROM heading, rest_mean WHERE rate IN (75, 50) AND has_mvt ORDER BY rate DESC, id;
SELECT * FROM page;

-- ---- Data of the plots: kernels, then their mean ----
CREATE TEMP TABLE plotted AS
SELECT base AS column, substr(label, 1, instr(label, ' ') - 1) AS name, kernel, iif(scheme GLOB '*.lru', x, NULL) AS over_lru, iif(scheme GLOB '*.ideal', x, NULL) AS over_ideal
FROM rate JOIN policy JOIN quotient ON base = rate || '.' || policy AND scheme IN (rate || '.lru', rate || '.ideal') AND quantity = 'cycles' WHERE rate IN (75, 50);
INSERT INTO plotted SELECT column, 'mean', 1e9, exp(avg(ln(over_lru))), exp(avg(ln(over_ideal))) FROM plotted GROUP BY column;
.mode tabs
.output hpe_policies_speedup.dat
SELECT name, printf('%.4f', max(over_lru) FILTER (WHERE column = '75.hpe')), printf('%.4f', max(over_lru) FILTER (WHERE column = '50.hpe')) FROM plotted GROUP BY kernel;
.output hpe_policies_others.dat
SELECT name, printf('%.4f', max(over_ideal) FILTER (WHERE column = '75.lru')), printf('%.4f', max(over_ideal) FILTER (WHERE column = '75.random')),
    printf('%.4f', max(over_ideal) FILTER (WHERE column = '75.rrip')), printf('%.4f', max(over_ideal) FILTER (WHERE column = '75.clock_pro')),
    printf('%.4f', max(over_ideal) FILTER (WHERE column = '75.hpe')) FROM plotted GROUP BY kernel;
.output hpe_policies_rates.dat
SELECT 100, 1, 1, 1;
SELECT rate, printf('%.4f', max(x) FILTER (WHERE policy = 'lru')), printf('%.4f', max(x) FILTER (WHERE policy = 'hpe')), printf('%.4f', max(x) FILTER (WHERE policy = 'ideal'))
FROM time_of GROUP BY rate ORDER BY rate DESC;
