-- SPDX-License-Identifier: Apache-2.0
-- Page of the study uvmbench.
SELECT '# UVMBench on uvm28

Written by `make experiment-uvmbench` (`sim/experiments/uvmbench.ini`, which says what each scheme is, `.more.sh` and `.sql`). Paper: Gu, PhD dissertation, Oregon State University 2023, chapter 5; "-": it gives no figure.
R, I: regular, irregular, as the paper has it. IPC is that of the kernels: without the copy before them, and without the wait for a prefetch that the program asks for. *By invocation*: as nvprof prints a kernel''s IPC, from which the paper has its own, the mean over the launches of a kernel, here averaged over the kernels of a workload; otherwise all instructions over all cycles. An unfinished run is "-".';

INSERT INTO kernel SELECT min(n), substr(workload, 1, instr(workload || ':', ':') - 1), group_name FROM result WHERE study = 'uvmbench' GROUP BY workload;
CREATE TEMP TABLE clock AS SELECT DISTINCT CAST(value AS REAL) / 1000 AS ghz FROM config_value WHERE key = 'clock.sm_mhz';
CREATE TEMP TABLE run_of AS
SELECT k.id AS kernel, k.label, upper(substr(k.kind, 1, 1)) AS class, r.*
FROM result r JOIN result w ON w.study = r.study AND w.workload = r.workload JOIN kernel k ON k.id = w.n
WHERE r.study = 'uvmbench' AND r.state = 'done';
CREATE INDEX temp.by_kernel ON run_of(kernel, scheme);
INSERT INTO figure_of SELECT kernel, scheme, 'ipc', kernel_ipc FROM run_of WHERE complete
    UNION ALL SELECT kernel, scheme, 'cycles', cycles FROM run_of WHERE complete AND scheme <> 'fast'
    UNION ALL SELECT kernel, scheme, 'rate', pcie_read_bytes * ghz / pcie_read_busy_cycles FROM run_of, clock WHERE (complete OR scheme = 'fast') AND pcie_read_busy_cycles > 0
    UNION ALL SELECT kernel, scheme, 'kib', pcie_read_bytes / 1024.0 / pcie_read_transfers FROM run_of WHERE complete AND pcie_read_transfers > 0;
-- Launches of one kernel have one name.
CREATE TEMP VIEW invocation AS SELECT study, workload, scheme, avg(ipc) AS ipc, sum(launches) AS launches FROM (
    SELECT r.study, r.workload, r.scheme, count(*) AS launches, avg(1.0 * d.warp_insts / (d.cycles - d.uvm_copy_cycles - d.uvm_user_cycles)) AS ipc
    FROM result r JOIN detail d ON d.run = r.run AND d.scope = 'kernel' WHERE r.complete AND r.scheme IN ('copy', 'paged', 'launch') GROUP BY r.study, r.n, d.name)
    GROUP BY study, workload, scheme;
INSERT INTO figure_of SELECT r.kernel, r.scheme, 'ipc by invocation', i.ipc FROM run_of r JOIN invocation i USING (study, workload, scheme);
CREATE TEMP VIEW published AS SELECT quantity, scheme, grp, text FROM paper;
-- Workloads that lose most in the paper.
CREATE TEMP TABLE five(label);
INSERT INTO five SELECT value FROM json_each('["2dconv", "backprop", "hotspot", "gesummv", "pathfinder"]');

-- Run with copies at full speed: the run of scheme copy with the copy of scheme fast, which is cut off after it or complete.
INSERT INTO figure_of SELECT c.kernel, 'fast', 'cycles', c.cycles - c.uvm_copy_cycles + f.pcie_read_busy_cycles FROM run_of c JOIN run_of f ON f.kernel = c.kernel AND f.scheme = 'fast' WHERE c.scheme = 'copy' AND c.complete;

-- ---- Pages ----
CREATE TEMP TABLE head AS SELECT '## Workloads' AS section, 'Pages (4 KB) of all arrays and how many of them are touched; warp memory instructions; cycles' AS title;
INSERT INTO cell SELECT section, title, 'workload', value FROM head, json_each('["class", "pages", "touched, %", "WMI", "copies: all", "copies: their copy", "UVM", "UVM over copies"]');
INSERT INTO cell SELECT section, title, p.workload, printf('%s | %d | %.1f | %d | %d | %d | %d | %.2f', p.class, p.uvm_footprint_pages, 100.0 * p.uvm_touched_pages / p.uvm_footprint_pages,
    p.load_insts + p.store_insts + p.atomic_insts, c.cycles, c.uvm_copy_cycles, p.cycles, 1.0 * p.cycles / c.cycles)
FROM head, run_of p JOIN run_of c ON c.kernel = p.kernel AND c.scheme = 'copy' AND c.complete WHERE p.scheme = 'paged' AND p.complete ORDER BY p.kernel;

-- ---- Figure 5.1 ----
CREATE TEMP TABLE windows AS SELECT k.id AS kernel, k.label, upper(substr(k.kind, 1, 1)) AS class, w.value ->> 'mean' AS mean, w.value ->> 'most' AS most,
    100.0 * (w.value ->> 'mean') / (w.value ->> 'touched') AS share
FROM json_each(coalesce(CAST(readfile('uvmbench_windows.json') AS TEXT), '[]')) w JOIN kernel k ON k.label = substr(w.value ->> 'workload', 1, instr((w.value ->> 'workload') || ':', ':') - 1);
UPDATE head SET section = '## Access patterns (Figure 5.1)', title = 'Different pages to which 1024 warp memory instructions refer, one block after the other';
INSERT INTO cell SELECT section, title, 'workload', value FROM head, json_each('["class", "mean", "most", "mean, % of those touched"]');
INSERT INTO cell SELECT section, title, label, printf('%s | %.1f | %d | %.1f', class, mean, most, share) FROM head, windows ORDER BY kernel;
-- Median of an even number of values: the mean of the two in the middle.
CREATE TEMP VIEW median AS SELECT class, avg(iif(of_mean BETWEEN n / 2.0 AND n / 2.0 + 1, mean, NULL)) AS mean, avg(iif(of_share BETWEEN n / 2.0 AND n / 2.0 + 1, share, NULL)) AS share
FROM (SELECT *, row_number() OVER (PARTITION BY class ORDER BY mean) AS of_mean, row_number() OVER (PARTITION BY class ORDER BY share) AS of_share, count(*) OVER (PARTITION BY class) AS n FROM windows) GROUP BY class;
INSERT INTO cell SELECT section, title, '**median, ' || class || '**', printf('- | **%.1f** | - | **%.1f**', mean, share) FROM median, head ORDER BY class DESC;
INSERT INTO cell SELECT section, '![Pages over time](uvmbench_pages.svg)', NULL, NULL FROM head;

-- ---- Figures 5.2 and 5.4 ----
CREATE TEMP TABLE ipc AS SELECT k.id AS kernel, k.label, upper(substr(k.kind, 1, 1)) AS class, q.scheme, q.x, rank() OVER (PARTITION BY q.scheme ORDER BY q.x) AS place
FROM kernel k JOIN quotient q ON q.kernel = k.id AND q.base = 'copy' AND q.quantity = 'ipc' WHERE q.scheme IN ('paged', 'launch');
CREATE TEMP TABLE invoked AS SELECT kernel, scheme, x FROM quotient WHERE base = 'copy' AND quantity = 'ipc by invocation';
CREATE TEMP TABLE translated AS SELECT kernel, x FROM quotient WHERE scheme = 'paged' AND base = 'resident' AND quantity = 'ipc';
UPDATE head SET section = '## UVM over explicit copies (Figure 5.2)', title = 'IPC, change in %: by invocation, and of all instructions over all cycles; the latter''s place, the worst first; IPC with explicit copies; change in % over a run with all pages there from the start and, unlike the copies, translated';
INSERT INTO cell SELECT section, title, 'workload', value FROM head, json_each('["class", "by invocation, %", "change, %", "place", "IPC, copies", "over translated, %"]');
INSERT INTO cell SELECT section, title, i.label, printf('%s | %.1f | %.1f | %d | %.3f | %s', class, 100 * v.x - 100, 100 * i.x - 100, place, f.value, iif(t.x IS NULL, '-', printf('%.1f', 100 * t.x - 100)))
FROM head, ipc i JOIN figure_of f ON f.kernel = i.kernel AND f.scheme = 'copy' AND f.quantity = 'ipc' JOIN invoked v ON v.kernel = i.kernel AND v.scheme = i.scheme LEFT JOIN translated t ON t.kernel = i.kernel WHERE i.scheme = 'paged' ORDER BY i.kernel;
CREATE TEMP VIEW ipc_mean AS SELECT of, 100 * avg(v) - 100 AS invoked, 100 * avg(x) - 100 AS change, 100 * avg(t) - 100 AS over
FROM ipc i JOIN (SELECT kernel, x AS v FROM invoked WHERE scheme = 'paged') USING(kernel) LEFT JOIN (SELECT kernel, x AS t FROM translated) USING(kernel),
    (SELECT class, '**mean, ' || class || '**' AS of FROM ipc GROUP BY class UNION ALL SELECT NULL, '**mean**') c
WHERE scheme = 'paged' AND coalesce(c.class, i.class) = i.class GROUP BY of;
INSERT INTO cell SELECT section, title, of, printf('- | **%.1f** | **%.1f** | - | - | %s', invoked, change, iif(over IS NULL, '-', printf('**%.1f**', over))) FROM head, ipc_mean ORDER BY of = '**mean**', of DESC;
INSERT INTO cell SELECT section, title, 'paper', printf('- | %s | - | - | - | -', (SELECT text FROM published WHERE quantity = 'change of IPC' AND scheme = 'paged' AND grp = 'all')) FROM head;
CREATE TEMP TABLE alone AS SELECT label, 100 - 100 * x AS loss FROM quotient WHERE scheme = 'resident' AND base = 'copy' AND quantity = 'ipc';
INSERT INTO cell SELECT section, printf('Translation alone, all pages there from the start, costs %.1f %% of IPC in the mean; most on %s, %.1f %%.', avg(loss), (SELECT label FROM alone ORDER BY loss DESC LIMIT 1), max(loss)), NULL, NULL FROM head, alone GROUP BY section;
INSERT INTO cell SELECT section, '![IPC over explicit copies](uvmbench_time.svg)', NULL, NULL FROM head;

UPDATE head SET section = '## Prefetching before launches (Figure 5.4)', title = 'IPC over explicit copies, change in %; time over that with explicit copies, with the copy, the faults and the wait for prefetches. Copies of 2 MB run at half speed in the model, prefetches do not: the last column is over copies at full speed';
INSERT INTO cell SELECT section, title, 'workload', value FROM head, json_each('["UVM", "prefetch", "time, UVM", "time, prefetch", "over full speed"]');
CREATE TEMP VIEW pair AS SELECT u.kernel, u.label, u.x AS uvm, l.x AS launch, tu.x AS uvm_time, tl.x AS launch_time, tf.x AS full_time, u.label IN (SELECT label FROM five) AS five
FROM ipc u JOIN ipc l ON l.kernel = u.kernel AND l.scheme = 'launch' JOIN quotient tu ON tu.kernel = u.kernel AND tu.scheme = 'paged' AND tu.base = 'copy' AND tu.quantity = 'cycles'
    JOIN quotient tl ON tl.kernel = u.kernel AND tl.scheme = 'launch' AND tl.base = 'copy' AND tl.quantity = 'cycles' JOIN quotient tf ON tf.kernel = u.kernel AND tf.scheme = 'launch' AND tf.base = 'fast' AND tf.quantity = 'cycles' WHERE u.scheme = 'paged';
INSERT INTO cell SELECT section, title, label, printf('%.1f | %.1f | %.2f | %.2f | %.2f', round(100 * uvm - 100, 1) + 0.0, round(100 * launch - 100, 1) + 0.0, uvm_time, launch_time, full_time) FROM head, pair ORDER BY five DESC, kernel;
CREATE TEMP VIEW means AS SELECT 'the five' AS of, 1 AS all_of, * FROM pair WHERE five UNION ALL SELECT 'all', 2, * FROM pair;
INSERT INTO cell SELECT section, title, '**geometric mean, ' || of || '**', printf('**%.1f** | **%.1f** | **%.2f** | **%.2f** | **%.2f**', 100 * exp(avg(ln(uvm))) - 100, 100 * exp(avg(ln(launch))) - 100, exp(avg(ln(uvm_time))), exp(avg(ln(launch_time))), exp(avg(ln(full_time)))) FROM head, means GROUP BY of ORDER BY all_of;
INSERT INTO cell SELECT section, title, '**geometric mean of the losses, the five**', printf('**-%.1f** | **-%.1f** | - | - | -', 100 * exp(avg(ln(1 - uvm))), 100 * exp(avg(ln(1 - launch)))) FROM head, pair WHERE five AND uvm < 1 AND launch < 1;
INSERT INTO cell SELECT section, title, 'paper, the five', value FROM head, json_each(json_array((SELECT text FROM published WHERE quantity = 'change of IPC' AND scheme = 'paged' AND grp = 'five'),
    (SELECT text FROM published WHERE quantity = 'change of IPC' AND scheme = 'launch' AND grp = 'five'), '-', '-', '-'));
INSERT INTO cell SELECT section, printf('Of the five, not in the mean of the losses since they lose nothing: %s.', coalesce(group_concat(label, ', '), 'none')), NULL, NULL FROM head, pair WHERE five AND NOT (uvm < 1 AND launch < 1);
INSERT INTO cell SELECT section, printf('With prefetching %d of %d are faster than without.', sum(launch > uvm), count(*)), NULL, NULL FROM head, pair;

-- ---- Inputs of the suite ----
-- By group: the suite's input, its data in fewer launches, or a smaller size; beside the sizes of uvmbench.ini.
CREATE TEMP TABLE suite AS SELECT k.id AS kernel, p.n, p.workload, p.group_name AS input, i.launches, i.ipc / c.ipc AS paged, l.ipc / c.ipc AS launch, p.kernel_ipc / b.kernel_ipc AS whole, v.x AS above
FROM result p JOIN invocation i USING (study, workload, scheme) JOIN invocation c ON c.study = p.study AND c.workload = p.workload AND c.scheme = 'copy'
    JOIN invocation l ON l.study = p.study AND l.workload = p.workload AND l.scheme = 'launch' JOIN result b ON b.study = p.study AND b.n = p.baseline AND b.complete
    JOIN kernel k ON k.label = substr(p.workload, 1, instr(p.workload, ':') - 1) JOIN invoked v ON v.kernel = k.id AND v.scheme = p.scheme
WHERE p.study = 'uvmbench.inputs' AND p.scheme = 'paged';
UPDATE head SET section = '## Inputs of the suite', title = 'IPC over explicit copies, change in %, with the suite''s input where a run with it takes less than 30 minutes (suite), its data in fewer launches (launches), or the largest of its halved sizes that takes about two minutes (smaller): number of launches; by invocation, with the size of the tables above, and with prefetches before launches; of all instructions over all cycles';
INSERT INTO cell SELECT section, title, 'workload', value FROM head, json_each('["input", "launches", "by invocation, %", "with the size above, %", "prefetch, by invocation, %", "change, %"]') WHERE EXISTS (SELECT * FROM suite);
INSERT INTO cell SELECT section, title, workload, printf('%s | %d | %.1f | %.1f | %.1f | %.1f', input, launches, 100 * paged - 100, 100 * above - 100, round(100 * launch - 100, 1) + 0.0, 100 * whole - 100) FROM head, suite ORDER BY n;
INSERT INTO cell SELECT section, title, '**mean' || coalesce(', ' || g.input, '') || '**', printf('- | - | **%.1f** | **%.1f** | **%.1f** | **%.1f**', 100 * avg(paged) - 100, 100 * avg(above) - 100, 100 * avg(launch) - 100, 100 * avg(whole) - 100)
FROM head, suite s JOIN (SELECT DISTINCT input FROM suite UNION ALL SELECT NULL) g ON coalesce(g.input, s.input) = s.input GROUP BY g.input ORDER BY g.input IS NULL, min(n);
INSERT INTO cell SELECT section, title, '**mean, if only those of suite lost**', printf('- | - | **%.1f** | - | **%.1f** | **%.1f**', 100 * avg(iif(input = 'suite', paged, 1)) - 100, 100 * avg(iif(input = 'suite', launch, 1)) - 100, 100 * avg(iif(input = 'suite', whole, 1)) - 100)
FROM head, suite HAVING count(*) > 0;
INSERT INTO cell SELECT section, title, 'paper', printf('- | - | %s | - | - | -', (SELECT text FROM published WHERE quantity = 'change of IPC' AND scheme = 'paged' AND grp = 'all')) FROM head WHERE EXISTS (SELECT * FROM suite);

-- ---- Figure 5.3 ----
CREATE TEMP TABLE again AS SELECT min(u.key) AS at, u.value ->> 'workload' AS workload, u.value ->> 'n' AS n, (u.value ->> 'ipc') / (c.value ->> 'ipc') AS x
FROM json_each(coalesce(CAST(readfile('uvmbench_repeat.json') AS TEXT), '[]')) u JOIN json_each(coalesce(CAST(readfile('uvmbench_repeat.json') AS TEXT), '[]')) c
    ON c.value ->> 'workload' = u.value ->> 'workload' AND c.value ->> 'n' = u.value ->> 'n' AND c.value ->> 'mode' = 'copy' WHERE u.value ->> 'mode' = 'paged' GROUP BY 2, 3;
UPDATE head SET section = '## Repeated launches (Figure 5.3)', title = 'IPC, UVM over explicit copies, by the number of times that each launch runs in a row (the paper: approaches 1)';
INSERT INTO cell SELECT section, title, 'workload', n FROM head, (SELECT DISTINCT n FROM again ORDER BY n);
INSERT INTO cell SELECT section, title, workload, printf('%.3f', x) FROM head, again ORDER BY at, n;
INSERT INTO cell SELECT section, '![IPC over the number of launches](uvmbench_repeat.svg)', NULL, NULL FROM head WHERE EXISTS (SELECT * FROM again);

-- ---- Figure 5.5 ----
UPDATE head SET section = '## PCIe (Figure 5.5)', title = 'GB/s while data move to the GPU: copies, of which pieces of 2 MB run at half speed; copies without that rule; UVM, KiB of its transfers, and how many of the pages it brings are used. Changes in %; the last counts the used pages alone';
INSERT INTO cell SELECT section, title, 'workload', value FROM head, json_each('["copies", "without the rule", "UVM", "KiB", "used, %", "UVM over copies", "over those without", "used over copies"]');
CREATE TEMP TABLE rate AS SELECT k.id AS kernel, k.label, c.value AS copies, l.value AS full, u.value AS uvm, s.value AS kib, 1.0 * (r.uvm_demand_pages + r.uvm_prefetched_used) / (r.uvm_demand_pages + r.uvm_prefetched_pages) AS used
FROM kernel k JOIN figure_of c ON c.kernel = k.id AND c.scheme = 'copy' AND c.quantity = 'rate' JOIN figure_of l ON l.kernel = k.id AND l.scheme = 'fast' AND l.quantity = 'rate'
    JOIN figure_of u ON u.kernel = k.id AND u.scheme = 'paged' AND u.quantity = 'rate' JOIN figure_of s ON s.kernel = k.id AND s.scheme = 'paged' AND s.quantity = 'kib'
    JOIN run_of r ON r.kernel = k.id AND r.scheme = 'paged';
INSERT INTO cell SELECT section, title, label, printf('%.2f | %.2f | %.2f | %.0f | %.0f | %.1f | %.1f | %.1f', copies, full, uvm, kib, 100 * used, 100 * uvm / copies - 100, 100 * uvm / full - 100, 100 * used * uvm / copies - 100) FROM head, rate ORDER BY kernel;
INSERT INTO cell SELECT section, title, '**mean**', printf('**%.2f** | **%.2f** | **%.2f** | **%.0f** | **%.0f** | **%.1f** | **%.1f** | **%.1f**', avg(copies), avg(full), avg(uvm), avg(kib), 100 * avg(used), 100 * avg(uvm / copies) - 100, 100 * avg(uvm / full) - 100,
    100 * avg(used * uvm / copies) - 100) FROM head, rate;
INSERT INTO cell SELECT section, title, '**geometric mean**', printf('**%.2f** | **%.2f** | **%.2f** | **%.0f** | **%.0f** | **%.1f** | **%.1f** | **%.1f**', exp(avg(ln(copies))), exp(avg(ln(full))), exp(avg(ln(uvm))), exp(avg(ln(kib))), 100 * exp(avg(ln(used))),
    100 * exp(avg(ln(uvm / copies))) - 100, 100 * exp(avg(ln(uvm / full))) - 100, 100 * exp(avg(ln(used * uvm / copies))) - 100) FROM head, rate;
INSERT INTO cell SELECT section, title, 'paper', value FROM head, json_each(json_array('-', '-', '-', '-', '-', (SELECT text FROM published WHERE quantity = 'change of PCIe bandwidth' AND grp = 'all'), '-', '-'));
INSERT INTO cell SELECT section, '![PCIe bandwidth](uvmbench_rate.svg)', NULL, NULL FROM head;

-- ---- Figure 5.6 ----
UPDATE head SET section = '## Oversubscription (Figure 5.6)', title = 'Frames for 91 and 80 % of the pages touched: time over that with all pages; an eviction frees 2 MB, or a page. > marks a lower bound: a run that was cut off at 100 times, or a mean over such runs, whose number follows (the paper: many 2 to 3, some beyond 100)';
INSERT INTO cell SELECT section, title, 'workload', value FROM head, json_each('["class", "pages", "110 %", "125 %", "110 %, a page at a time", "125 %, a page at a time", "evictions, 110 %", "evictions, 125 %"]');
CREATE TEMP TABLE over AS SELECT k.id AS kernel, k.label, upper(substr(k.kind, 1, 1)) AS class, p.uvm_touched_pages AS pages, o.scheme, 1.0 * o.cycles / p.cycles AS x, NOT o.complete AS cut, o.uvm_evictions AS out
FROM kernel k JOIN run_of p ON p.kernel = k.id AND p.scheme = 'paged' AND p.complete JOIN run_of o ON o.kernel = k.id AND o.scheme IN ('91', '80', 'lru91', 'lru80')
WHERE o.complete OR o.cycles >= 100 * p.cycles;
CREATE TEMP VIEW over_text AS SELECT kernel, class, label, scheme, pages, printf('%s%.2f', iif(cut, '> ', ''), x) AS text, out FROM over;
INSERT INTO cell SELECT section, title, k.label, upper(substr(k.kind, 1, 1)) || printf(' | %s | %s | %s | %s | %s | %s | %s', coalesce(a.pages, b.pages, '-'), coalesce(a.text, '-'), coalesce(b.text, '-'), coalesce(c.text, '-'), coalesce(d.text, '-'),
    coalesce(a.out, '-'), coalesce(b.out, '-'))
FROM head, kernel k LEFT JOIN over_text a ON a.kernel = k.id AND a.scheme = '91' LEFT JOIN over_text b ON b.kernel = k.id AND b.scheme = '80'
    LEFT JOIN over_text c ON c.kernel = k.id AND c.scheme = 'lru91' LEFT JOIN over_text d ON d.kernel = k.id AND d.scheme = 'lru80' ORDER BY k.id;
-- Means over a class; over its workloads with at least two evictions' worth of pages (lru_2mb evicts 512 at a time). A bound if some were cut off.
CREATE TEMP VIEW over_mean AS SELECT of, class, max(pages >= 1024) AS large, scheme, printf('**%s%.2f%s**', iif(max(cut), '> ', ''), exp(avg(ln(x))), iif(max(cut), printf(' (%d cut off)', sum(cut)), '')) AS text
FROM (SELECT 1 AS of, * FROM over UNION ALL SELECT 2, * FROM over WHERE pages >= 1024) GROUP BY of, class, scheme;
INSERT INTO cell SELECT section, title, printf('**geometric mean, %s%s**', a.class, iif(a.of = 2, ', 4 MB and more', '')), printf('- | - | %s | %s | %s | %s | - | -', a.text, b.text, coalesce(c.text, '-'), coalesce(d.text, '-'))
FROM head, over_mean a JOIN over_mean b ON b.of = a.of AND b.class = a.class AND b.scheme = '80' LEFT JOIN over_mean c ON c.of = a.of AND c.class = a.class AND c.scheme = 'lru91'
    LEFT JOIN over_mean d ON d.of = a.of AND d.class = a.class AND d.scheme = 'lru80' WHERE a.scheme = '91' ORDER BY a.of, a.class DESC;
INSERT INTO cell SELECT section, printf('At 110 and 125 %%: %d and %d of %d take less than 1.5 times as long, %d and %d up to 4 times, %d and %d more, of which %d and %d are cut off.', sum(scheme = '91' AND x < 1.5), sum(scheme = '80' AND x < 1.5), count(DISTINCT kernel),
    sum(scheme = '91' AND x BETWEEN 1.5 AND 4), sum(scheme = '80' AND x BETWEEN 1.5 AND 4), sum(scheme = '91' AND x > 4), sum(scheme = '80' AND x > 4), sum(scheme = '91' AND cut), sum(scheme = '80' AND cut)), NULL, NULL FROM head, over;
INSERT INTO cell SELECT section, '![Time with fewer frames](uvmbench_over.svg)', NULL, NULL FROM head;

-- ---- Less data ----
CREATE TEMP TABLE small AS SELECT workload, scheme, complete, uvm_touched_pages, cycles, kernel_ipc, min(n) OVER (PARTITION BY workload) AS at
FROM result WHERE study = 'uvmbench.small' AND state = 'done';
UPDATE head SET section = '## Less data', title = 'Pages, in % of those above; IPC, UVM over explicit copies, change in %, if a fault takes 20, 30 and 45 us; time with frames for 91 to 75 % of the pages, over time with all. > marks a lower bound: a run that was cut off at 100 times, or a mean over such runs, whose number follows';
INSERT INTO cell SELECT section, title, 'workload', value FROM head, json_each('["pages", "%", "20 us", "30 us", "45 us", "91 %", "90 %", "80 %", "75 %"]');
CREATE TEMP VIEW part AS SELECT s.at, s.workload, s.scheme, p.uvm_touched_pages AS pages, s.kernel_ipc / c.kernel_ipc AS x, 1.0 * s.cycles / p.cycles AS t, NOT s.complete AS cut
FROM small s JOIN small c ON c.workload = s.workload AND c.scheme = 'copy' JOIN small p ON p.workload = s.workload AND p.scheme = 'paged' WHERE s.scheme <> 'copy';
CREATE TEMP VIEW part_text AS SELECT *, iif(scheme IN ('us20', 'paged', 'us45'), printf('%.1f', 100 * x - 100), printf('%s%.2f', iif(cut, '> ', ''), t)) AS text FROM part;
CREATE TEMP TABLE part_column AS SELECT key, value AS scheme FROM json_each('["us20", "paged", "us45", "91", "90", "80", "75"]');
CREATE TEMP TABLE less AS SELECT at, workload, pages, 100.0 * pages / (SELECT uvm_touched_pages FROM run_of r JOIN kernel k ON k.id = r.kernel WHERE r.scheme = 'paged' AND k.label = substr(part.workload, 1, instr(part.workload, ':') - 1)) AS share
FROM part WHERE scheme = 'paged';
INSERT INTO cell SELECT section, title, workload, printf('%d | %s', pages, coalesce(printf('%.0f', share), '-')) FROM head, less ORDER BY at;
INSERT INTO cell SELECT section, title, p.workload, coalesce(t.text, '-') FROM head, (SELECT DISTINCT at, workload FROM part) p JOIN part_column c LEFT JOIN part_text t ON t.workload = p.workload AND t.scheme = c.scheme ORDER BY p.at, key;
INSERT INTO cell SELECT section, title, '**mean; geometric mean**', printf('- | - | **%.1f** | **%.1f** | **%.1f**', 100 * avg(iif(scheme = 'us20', x, NULL)) - 100, 100 * avg(iif(scheme = 'paged', x, NULL)) - 100, 100 * avg(iif(scheme = 'us45', x, NULL)) - 100) FROM head, part;
INSERT INTO cell SELECT section, title, '**mean; geometric mean**', coalesce((SELECT printf('**%s%.2f%s**', iif(max(cut), '> ', ''), exp(avg(ln(t))), iif(max(cut), printf(' (%d cut off)', sum(cut)), '')) FROM part p WHERE p.scheme = c.scheme), '-') FROM head, part_column c WHERE key > 2 ORDER BY key;
INSERT INTO cell SELECT section, printf('%d of %d runs with too few frames are cut off. Median of the pages: %.0f %% of those above.', sum(cut), count(*), (SELECT avg(share) FROM (SELECT share, row_number() OVER (ORDER BY share) AS i, count(*) OVER () AS n FROM less WHERE share IS NOT NULL)
    WHERE i BETWEEN n / 2.0 AND n / 2.0 + 1)), NULL, NULL FROM head, part WHERE scheme IN ('91', '90', '80', '75');
SELECT * FROM page;

.output uvmbench_time.dat
SELECT label || char(9) || printf('%.4f', uvm) || char(9) || printf('%.4f', launch) FROM (SELECT * FROM pair ORDER BY kernel);
.output uvmbench_repeat.dat
SELECT iif(n = min(n) OVER (PARTITION BY workload), iif(at = min(at) OVER (), '', char(10, 10)) || workload || char(10), '') || n || char(9) || printf('%.4f', x) FROM again ORDER BY at, n;
.output uvmbench_rate.dat
SELECT label || char(9) || printf('%.3f', copies) || char(9) || printf('%.3f', full) || char(9) || printf('%.3f', uvm) FROM rate ORDER BY kernel;
.output uvmbench_over.dat
SELECT label || char(9) || coalesce(printf('%.3f', max(iif(scheme = '91', x, NULL))), '-') || char(9) || coalesce(printf('%.3f', max(iif(scheme = '80', x, NULL))), '-') FROM over GROUP BY kernel ORDER BY kernel;
