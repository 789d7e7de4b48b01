-- SPDX-License-Identifier: Apache-2.0
-- Page of the studies farfault_schemes, farfault_schemes.core and farfault_schemes.sad.
SELECT '# Far-faults and prefetching on farfault15

Written by `make experiment-farfault` (`sim/experiments/farfault_schemes.ini`, `.core.ini` and `.sad.ini`, which say what each scheme is, and `.sql`). Six of the paper''s 16 workloads are there: backprop, bfs, hotspot, nw, sgemm and stencil; sad, a seventh, has a table of its own. Paper: Zheng et al., HPCA 2016; "-": it gives no figure.
Means are geometric. The copy brings all arrays, those that the kernel only writes too; nothing is copied back in any scheme.';

INSERT INTO kernel SELECT min(n), substr(workload, 1, instr(workload || ':', ':') - 1), iif(group_name = 'paper', 'the paper''s six', group_name) FROM result WHERE study = 'farfault_schemes' GROUP BY workload;
CREATE TEMP TABLE run_of AS
SELECT k.id AS kernel, k.label, r.*
FROM result r JOIN result w ON w.study = r.study AND w.workload = r.workload JOIN kernel k ON k.id = w.n WHERE r.study = 'farfault_schemes';
CREATE INDEX temp.by_kernel ON run_of(kernel, scheme);
INSERT INTO figure_of SELECT kernel, scheme, 'cycles', cycles FROM run_of;
-- Lower bound if copy and kernel overlap: the longer of both. 0.73 is computed from ratios in the paper.
INSERT INTO figure_of SELECT kernel, 'overlap', 'cycles', max(c.uvm_copy_cycles, o.cycles) FROM run_of c JOIN run_of o USING(kernel) WHERE c.scheme = 'copy' AND o.scheme = 'off';
INSERT INTO paper VALUES ('time over copy, then execute', 'overlap', 'all', 0.73, '0.73');

-- ---- Pages that a kernel touches ----
CREATE TEMP VIEW footprint AS
SELECT 'Pages (4 KB) that a kernel touches; cycles of the copy of all its arrays, of the kernel after it, and of both; what is the least if they overlap (the longer one), over both (Figure 2)' AS title,
    f.label, f.uvm_touched_pages AS pages, c.uvm_copy_cycles AS copy, o.cycles AS kernel, c.cycles AS both, l.value AS least
FROM run_of f JOIN run_of c USING(kernel) JOIN run_of o USING(kernel) JOIN figure_of l USING(kernel)
WHERE f.scheme = 'faults16' AND c.scheme = 'copy' AND o.scheme = 'off' AND l.scheme = 'overlap' ORDER BY f.kernel;
INSERT INTO cell SELECT DISTINCT '', title, 'kernel', value FROM footprint, json_each('["pages", "MiB", "copy", "kernel", "both", "overlapped"]');
INSERT INTO cell SELECT '', title, label, printf('%d | %.1f | %d | %d | %d | %.3f', pages, pages / 256.0 - 1e-9 * (pages % 256 = 64), copy, kernel, both, least / both) FROM footprint;

-- ---- Speed over the copy ----
CREATE TEMP TABLE over_copy(section, title, schemes);
INSERT INTO over_copy VALUES
    ('## Blocking faults (Figure 3)', 'Time over copy, then execute, by the time that the driver takes for a fault (the paper: about 2 with 5 us)', '["blocking+us5", "blocking+us20", "blocking+us40"]'),
    ('## Replayable far-faults (Figure 5)', 'Time over copy, then execute, by the far-faults that the GMMU tracks for an SM (faults0: any number), 20 us each (the paper: about 2 with faults4)',
        '["faults1", "faults2", "faults4", "faults16", "faults0"]'),
    ('## Prefetching (Figure 7)', 'Time over copy, then execute. none to oracle: transfer sets of 80 pages, 16 far-faults an SM; sl64, tree: at each fault; overlap: the least, as above',
        '["none", "random", "sequential", "locality", "oracle", "overlap", "sl64", "tree", "blocking+locality"]');
INSERT INTO ratio SELECT section, title, 'each', value, value, 'copy', 'cycles', 0, 'time over copy, then execute' FROM over_copy, json_each(schemes) WHERE over_copy.rowid <= 2 ORDER BY over_copy.rowid, id;
INSERT INTO cell VALUES ('## Replayable far-faults (Figure 5)', '![Time by far-faults tracked](farfault_schemes_faults.svg)', NULL, NULL);

CREATE TEMP TABLE lane AS SELECT value AS scheme FROM json_each('["faults16", "none", "random", "sequential", "locality", "oracle", "tree"]');
CREATE TEMP TABLE lane_use AS SELECT '## PCIe (Figure 6)' AS section, 'Use of the lane to the GPU, of the whole time' AS title;
INSERT INTO cell SELECT section, title, 'kernel', scheme FROM lane_use, lane;
INSERT INTO cell SELECT section, title, label, printf('%.3f', pcie_read_utilization) FROM lane_use, lane JOIN run_of USING(scheme) ORDER BY kernel, lane.rowid;
INSERT INTO cell SELECT section, title, '**mean, the paper''s six**', printf('**%.3f**', avg(pcie_read_utilization)) FROM lane_use, lane JOIN run_of USING(scheme) WHERE group_name = 'paper' GROUP BY scheme ORDER BY lane.rowid;
INSERT INTO cell SELECT section, title, '**mean, others**', printf('**%.3f**', avg(pcie_read_utilization)) FROM lane_use, lane JOIN run_of USING(scheme) WHERE group_name <> 'paper' GROUP BY scheme ORDER BY lane.rowid;
INSERT INTO cell SELECT lane_use.section, title, 'paper', coalesce(text, '-') FROM lane_use, lane l
    LEFT JOIN paper p ON quantity = 'use of the lane to the GPU' AND p.scheme = l.scheme ORDER BY l.rowid;

INSERT INTO ratio SELECT section, title, 'each', value, value, 'copy', 'cycles', 0, 'time over copy, then execute' FROM over_copy, json_each(schemes) WHERE over_copy.rowid = 3 ORDER BY id;
INSERT INTO cell VALUES ('## Prefetching (Figure 7)', 'The paper gives locality as 12 % faster than the copy, within 3 % of the oracle, and its design within 15 % of overlapping: the paper''s lines for oracle and overlap are computed from these ratios.', NULL, NULL),
    ('## Prefetching (Figure 7)', '![Time by prefetcher](farfault_schemes_prefetch.svg)', NULL, NULL);
CREATE TEMP TABLE brought AS SELECT '## Prefetching (Figure 7)' AS section, 'Prefetched pages, and the percentage of them that was used' AS title, id, value AS scheme
FROM json_each('["random", "sequential", "locality", "oracle", "sl64", "tree"]');
INSERT INTO cell SELECT section, title, 'kernel', scheme FROM brought;
INSERT INTO cell SELECT section, title, label, printf('%d, %.0f', uvm_prefetched_pages, coalesce(100.0 * uvm_prefetched_used / nullif(uvm_prefetched_pages, 0), 0))
FROM brought JOIN run_of USING(scheme) ORDER BY kernel, brought.id;

INSERT INTO ratio SELECT '## Latency of the driver (Figure 8)',
    'locality: time over that with 20 us. A transfer set is made in the time of a service: in 40 us of 80 pages, half of what the lane can move, or of 160',
    'each', value, value, 'locality', 'cycles', 0, 'time over 20 us' FROM json_each('["locality+us40", "locality+us40+set160"]');

-- ---- Less memory ----
CREATE TEMP TABLE half AS SELECT '## Half of the pages fit (Figure 9)' AS section, 'Time over that of the oracle with memory for all. The oracle until memory is full; then no prefetching, or the next 128 pages' AS title, id, value AS col, 'oracle+full_' || value AS scheme
FROM json_each('["none+evict_random+mem50", "none+evict_lru+mem50", "locality+evict_random+mem50", "locality+evict_lru+mem50"]');
INSERT INTO ratio SELECT section, title, 'each', col, scheme, 'oracle', 'cycles', 0, NULL FROM half ORDER BY id;
INSERT INTO ratio SELECT '## Half of the pages fit (Figure 9)', 'The same for what drivers do: prefetch and evict blocks of 64 KB, or by the tree', 'each', value, value, 'oracle', 'cycles', 0, NULL
FROM json_each('["sl64+full_sl64+evict_sl64+mem50", "tree+full_tree+evict_tree+mem50"]');
CREATE TEMP TABLE rate(rate);
INSERT INTO rate VALUES (95), (75), (50), (25);
INSERT INTO cell VALUES ('## By memory (Figure 10)', 'Time over that of the oracle with memory for all.', NULL, NULL);
INSERT INTO ratio SELECT '## By memory (Figure 10)', 'Then ' || value, 'each', 'mem' || rate, 'oracle+full_' || value || '+mem' || rate, 'oracle', 'cycles', 0, NULL
FROM json_each('["none+evict_lru", "locality+evict_lru"]') j, rate ORDER BY j.id, rate.rowid;
INSERT INTO cell VALUES ('## By memory (Figure 10)', '![Time by memory](farfault_schemes_memory.svg)', NULL, NULL);

-- ---- Other readings of Table 1: study farfault_schemes.core ----
INSERT INTO figure_of SELECT k.id, r.scheme || '+core', 'cycles', r.cycles FROM result r JOIN result w ON w.study = 'farfault_schemes' AND w.workload = r.workload JOIN kernel k ON k.id = w.n WHERE r.study = 'farfault_schemes.core';
INSERT INTO ratio SELECT '## What Table 1 leaves open', 'Time over copy, then execute, on one machine: as above; with the latencies of GPGPU-Sim''s GTX 480 in cycles of 1.4 GHz, not 700 MHz (core)',
    'the paper''s six', s.value || t.value, s.value || t.value, 'copy' || t.value, 'cycles', 0, NULL
FROM json_each('["blocking+us20", "faults16", "locality"]') s, json_each('["", "+core"]') t ORDER BY s.id, t.id;
INSERT INTO cell SELECT * FROM ratio_cell;
-- The paper's six without the two that lose most by blocking faults.
CREATE TEMP TABLE two AS SELECT kernel, label FROM quotient WHERE scheme = 'blocking+us20' AND base = 'copy' AND kind = 'the paper''s six' ORDER BY x DESC LIMIT 2;
INSERT INTO cell SELECT section, title, '**mean, the six without ' || (SELECT group_concat(label, ' and ') FROM two) || '**', iif(count(x), printf('**%.3f**', exp(avg(ln(x)))), '-')
FROM over_copy JOIN json_each(schemes) j LEFT JOIN quotient q ON scheme = j.value AND base = 'copy' AND kind = 'the paper''s six' AND kernel NOT IN (SELECT kernel FROM two)
WHERE EXISTS (SELECT * FROM two) GROUP BY over_copy.rowid, j.id;
CREATE TEMP TABLE clock AS SELECT q.scheme, r.n, q.base, q.x, c.x AS core, q.kernel IN (SELECT kernel FROM two) AS is_two
FROM quotient q JOIN quotient c ON c.kernel = q.kernel AND c.scheme = q.scheme || '+core' AND c.base = q.base || '+core' JOIN run_of r ON r.kernel = q.kernel AND r.scheme = q.scheme
WHERE q.kind = 'the paper''s six' AND q.scheme NOT IN ('copy', 'off') AND q.base = CASE WHEN q.scheme GLOB '*+mem*' THEN 'oracle' WHEN q.scheme GLOB 'locality+*' THEN 'locality' ELSE 'copy' END;
CREATE TEMP TABLE clock_title AS SELECT '## What Table 1 leaves open' AS section, 'The same for all schemes, means of the six: time over that of another scheme on the same machine; and without the two that blocking faults cost most' AS title;
INSERT INTO cell SELECT DISTINCT section, title, 'scheme', value FROM clock, clock_title, json_each('["over", "700 MHz", "core", "core, without the two"]');
INSERT INTO cell SELECT section, title, scheme, printf('%s | %.3f | %.3f | %s', base, exp(avg(ln(x))), exp(avg(ln(core))), replace(printf('%.3f', exp(avg(iif(is_two, NULL, ln(core))))), '0.000', '-'))
FROM clock, clock_title GROUP BY scheme ORDER BY min(n);
INSERT INTO cell SELECT h.section, title, 'paper (11 workloads of more than 32 MB; ours are smaller)', coalesce(text, iif(col = 'locality+evict_lru+mem50', 'less', '-')) FROM half h
    LEFT JOIN paper p ON quantity = 'time over the oracle with memory for all' AND p.scheme = h.scheme ORDER BY h.id;
-- ---- sad: its quotients, and the mean of the seven if the six are present ----
CREATE TEMP TABLE sad AS SELECT r.n, r.scheme, b.scheme AS base, 1.0 * r.cycles / b.cycles AS x FROM result r JOIN result b ON b.study = r.study
    AND b.scheme = CASE WHEN r.scheme GLOB '*+mem*' THEN 'oracle' WHEN r.scheme GLOB 'locality+*' THEN 'locality' ELSE 'copy' END
WHERE r.study = 'farfault_schemes.sad' AND r.scheme NOT IN ('copy', 'off');
INSERT INTO sad SELECT r.n, 'overlap', 'copy', 1.0 * max(c.uvm_copy_cycles, r.cycles) / c.cycles FROM result r JOIN result c USING (study) WHERE study = 'farfault_schemes.sad' AND r.scheme = 'off' AND c.scheme = 'copy';
CREATE TEMP TABLE sad_title AS SELECT '## sad' AS section, 'The seventh of the paper''s workloads: time over that of another scheme, and the mean of the seven' AS title WHERE EXISTS (SELECT * FROM sad);
INSERT INTO cell SELECT section, title, 'scheme', value FROM sad_title, json_each('["over", "sad", "the seven"]');
INSERT INTO cell SELECT section, title, s.scheme, printf('%s | %.3f | %s', s.base, s.x, iif(count(q.x) = 6, printf('%.3f', exp((sum(ln(q.x)) + ln(s.x)) / 7)), '-'))
FROM sad_title, sad s LEFT JOIN quotient q ON q.scheme = s.scheme AND q.base = s.base AND q.quantity = 'cycles' AND q.kind = 'the paper''s six' GROUP BY s.scheme ORDER BY min(s.n);
SELECT * FROM page;

-- ---- Data of the plots: kernels, then their mean ----
CREATE TEMP TABLE plotted AS
SELECT kernel, label, scheme, x FROM quotient WHERE base = 'copy';
INSERT INTO plotted SELECT 1e9, 'mean', scheme, exp(avg(ln(x))) FROM plotted GROUP BY scheme;
CREATE TEMP TABLE plot(file, schemes);
INSERT INTO plot VALUES ('faults', '["blocking+us20", "faults1", "faults2", "faults4", "faults16", "faults0"]'),
    ('prefetch', '["none", "random", "sequential", "locality", "oracle", "tree", "overlap"]');
CREATE TEMP VIEW plot_line AS SELECT file, label || char(9) || group_concat(printf('%.4f', x), char(9)) AS line FROM (
    SELECT file, kernel, label, x FROM plot, json_each(schemes) j JOIN plotted ON scheme = j.value ORDER BY file, kernel, j.id LIMIT 100000) GROUP BY file, kernel ORDER BY kernel;
.output farfault_schemes_faults.dat
SELECT line FROM plot_line WHERE file = 'faults';
.output farfault_schemes_prefetch.dat
SELECT line FROM plot_line WHERE file = 'prefetch';
.mode tabs
.output farfault_schemes_memory.dat
SELECT 100, 1, 1;
SELECT rate, printf('%.4f', exp(avg(ln(x)) FILTER (WHERE scheme GLOB '*none*'))), printf('%.4f', exp(avg(ln(x)) FILTER (WHERE scheme GLOB '*locality*')))
FROM rate JOIN quotient ON scheme GLOB 'oracle+full_*+evict_lru+mem' || rate AND base = 'oracle' GROUP BY rate ORDER BY rate DESC;
