-- SPDX-License-Identifier: Apache-2.0
-- The page of the study uvmbench.
SELECT '# UVMBench on uvm28

Written by `make experiment-uvmbench` (`sim/experiments/uvmbench.ini`, which says what each scheme is, `.more.sh` and `.sql`). Paper: Gu, PhD dissertation, Oregon State University 2023, chapter 5; "-": it gives no figure.
R, I: regular, irregular, as the paper has it. IPC is that of the kernels: without the copy before them, and without the wait for a prefetch that the program asks for. An unfinished run is "-".';

INSERT INTO kernel SELECT min(n), substr(workload, 1, instr(workload || ':', ':') - 1), group_name FROM result WHERE study = 'uvmbench' GROUP BY workload;
CREATE TEMP TABLE run_of AS
SELECT k.id AS kernel, k.label, upper(substr(k.kind, 1, 1)) AS class, r.*, r.cycles - r.uvm_copy_cycles - r.uvm_user_cycles AS kernel_cycles
FROM result r JOIN result w ON w.study = r.study AND w.workload = r.workload JOIN kernel k ON k.id = w.n
WHERE r.study = 'uvmbench' AND r.state = 'done';
CREATE INDEX temp.by_kernel ON run_of(kernel, scheme);
INSERT INTO figure_of SELECT kernel, scheme, 'ipc', 1.0 * warp_insts / kernel_cycles FROM run_of WHERE complete
    UNION ALL SELECT kernel, scheme, 'cycles', cycles FROM run_of WHERE complete
    UNION ALL SELECT kernel, scheme, 'rate', pcie_read_bytes * 1.481 / pcie_read_busy_cycles FROM run_of WHERE complete AND pcie_read_busy_cycles > 0
    UNION ALL SELECT kernel, scheme, 'kib', pcie_read_bytes / 1024.0 / pcie_read_transfers FROM run_of WHERE complete AND pcie_read_transfers > 0;
CREATE TEMP VIEW published AS SELECT quantity, scheme, grp, text FROM paper;
-- A figure of a run, '-' if it is not there; what the paper says.
CREATE TEMP TABLE five(label);
INSERT INTO five SELECT value FROM json_each('["2dconv", "backprop", "hotspot", "gesummv", "pathfinder"]');

-- ---- Pages ----
CREATE TEMP TABLE head AS SELECT '## Workloads' AS section, 'Pages (4 KB) of all arrays and how many of them are touched; warp memory instructions; cycles' AS title;
INSERT INTO cell SELECT section, title, 'workload', value FROM head, json_each('["class", "pages", "touched, %", "WMI", "copies: all", "copies: their copy", "UVM", "UVM over copies"]');
INSERT INTO cell SELECT section, title, p.workload, printf('%s | %d | %.1f | %d | %d | %d | %d | %.2f', p.class, p.uvm_footprint_pages, 100.0 * p.uvm_touched_pages / p.uvm_footprint_pages,
    p.load_insts + p.store_insts + p.atomic_insts, c.cycles, c.uvm_copy_cycles, p.cycles, 1.0 * p.cycles / c.cycles)
FROM head, run_of p JOIN run_of c ON c.kernel = p.kernel AND c.scheme = 'copy' AND c.complete WHERE p.scheme = 'paged' AND p.complete ORDER BY p.kernel;

-- ---- Figure 5.1 ----
CREATE TEMP TABLE windows AS SELECT k.id AS kernel, k.label, upper(substr(k.kind, 1, 1)) AS class, w.value ->> 'mean' AS mean, w.value ->> 'most' AS most
FROM json_each(coalesce(CAST(readfile('uvmbench_windows.json') AS TEXT), '[]')) w JOIN kernel k ON k.label = substr(w.value ->> 'workload', 1, instr((w.value ->> 'workload') || ':', ':') - 1);
UPDATE head SET section = '## Access patterns (Figure 5.1)', title = 'Different pages to which 1024 warp memory instructions refer, one block after the other';
INSERT INTO cell SELECT section, title, 'workload', value FROM head, json_each('["class", "mean", "most"]');
INSERT INTO cell SELECT section, title, label, printf('%s | %.1f | %d', class, mean, most) FROM head, windows ORDER BY kernel;
INSERT INTO cell SELECT section, title, '**median, ' || class || '**', printf('- | **%.1f** | -', mean) FROM
    (SELECT *, row_number() OVER (PARTITION BY class ORDER BY mean) AS at, count(*) OVER (PARTITION BY class) AS n FROM windows), head WHERE at = (n + 1) / 2 ORDER BY class DESC;
INSERT INTO cell SELECT section, '![Pages over time](uvmbench_pages.svg)', NULL, NULL FROM head;

-- ---- Figures 5.2 and 5.4 ----
CREATE TEMP TABLE ipc AS SELECT k.id AS kernel, k.label, upper(substr(k.kind, 1, 1)) AS class, q.scheme, q.x, rank() OVER (PARTITION BY q.scheme ORDER BY q.x) AS place
FROM kernel k JOIN quotient q ON q.kernel = k.id AND q.base = 'copy' AND q.quantity = 'ipc' WHERE q.scheme IN ('paged', 'launch');
UPDATE head SET section = '## UVM over explicit copies (Figure 5.2)', title = 'IPC, change in %; its place, the worst first; IPC with explicit copies';
INSERT INTO cell SELECT section, title, 'workload', value FROM head, json_each('["class", "change, %", "place", "IPC, copies"]');
INSERT INTO cell SELECT section, title, i.label, printf('%s | %.1f | %d | %.3f', class, 100 * x - 100, place, f.value) FROM head, ipc i JOIN figure_of f ON f.kernel = i.kernel AND f.scheme = 'copy' AND f.quantity = 'ipc'
WHERE i.scheme = 'paged' ORDER BY i.kernel;
INSERT INTO cell SELECT section, title, '**mean, ' || class || '**', printf('- | **%.1f** | - | -', 100 * avg(x) - 100) FROM head, ipc WHERE scheme = 'paged' GROUP BY class ORDER BY class DESC;
INSERT INTO cell SELECT section, title, '**mean**', printf('- | **%.1f** | - | -', 100 * avg(x) - 100) FROM head, ipc WHERE scheme = 'paged';
INSERT INTO cell SELECT section, title, 'paper', printf('- | %s | - | -', (SELECT text FROM published WHERE quantity = 'change of IPC' AND scheme = 'paged' AND grp = 'all')) FROM head;
INSERT INTO cell SELECT section, '![IPC over explicit copies](uvmbench_time.svg)', NULL, NULL FROM head;

UPDATE head SET section = '## Prefetching before launches (Figure 5.4)', title = 'IPC over explicit copies, change in %; the five that lose most in the paper, and all';
INSERT INTO cell SELECT section, title, 'workload', value FROM head, json_each('["UVM", "prefetch"]');
CREATE TEMP VIEW pair AS SELECT u.kernel, u.label, u.x AS uvm, l.x AS launch FROM ipc u JOIN ipc l ON l.kernel = u.kernel AND l.scheme = 'launch' WHERE u.scheme = 'paged';
INSERT INTO cell SELECT section, title, label, printf('%.1f | %.1f', 100 * uvm - 100, 100 * launch - 100) FROM head, pair WHERE label IN (SELECT label FROM five) ORDER BY kernel;
INSERT INTO cell SELECT section, title, '**geometric mean, the five**', printf('**%.1f** | **%.1f**', 100 * exp(avg(ln(uvm))) - 100, 100 * exp(avg(ln(launch))) - 100) FROM head, pair WHERE label IN (SELECT label FROM five);
INSERT INTO cell SELECT section, title, 'paper', value FROM head, json_each(json_array((SELECT text FROM published WHERE quantity = 'change of IPC' AND scheme = 'paged' AND grp = 'five'),
    (SELECT text FROM published WHERE quantity = 'change of IPC' AND scheme = 'launch' AND grp = 'five')));
INSERT INTO cell SELECT section, title, '**geometric mean, all**', printf('**%.1f** | **%.1f**', 100 * exp(avg(ln(uvm))) - 100, 100 * exp(avg(ln(launch))) - 100) FROM head, pair;
INSERT INTO cell SELECT section, printf('With prefetching %d of %d are faster than without.', sum(launch > uvm), count(*)), NULL, NULL FROM head, pair;

-- ---- Figure 5.3 ----
CREATE TEMP TABLE again AS SELECT min(u.key) AS at, u.value ->> 'workload' AS workload, u.value ->> 'n' AS n, (1.0 * (c.value ->> 'cycles')) / (u.value ->> 'cycles') AS x
FROM json_each(coalesce(CAST(readfile('uvmbench_repeat.json') AS TEXT), '[]')) u JOIN json_each(coalesce(CAST(readfile('uvmbench_repeat.json') AS TEXT), '[]')) c
    ON c.value ->> 'workload' = u.value ->> 'workload' AND c.value ->> 'n' = u.value ->> 'n' AND c.value ->> 'mode' = 'copy' WHERE u.value ->> 'mode' = 'paged' GROUP BY 2, 3;
UPDATE head SET section = '## Launches again (Figure 5.3)', title = 'IPC, UVM over explicit copies, if each launch runs so many times (the paper: approaches 1)';
INSERT INTO cell SELECT section, title, 'workload', n FROM head, (SELECT DISTINCT n FROM again ORDER BY n);
INSERT INTO cell SELECT section, title, workload, printf('%.3f', x) FROM head, again ORDER BY at, n;

-- ---- Figure 5.5 ----
UPDATE head SET section = '## PCIe (Figure 5.5)', title = 'GB/s while data move to the GPU: copies, which run at half rate in pieces of 2 MB and more; copies without that rule; UVM, and KiB of its transfers. Changes in %';
INSERT INTO cell SELECT section, title, 'workload', value FROM head, json_each('["copies", "without the rule", "UVM", "KiB", "UVM over copies", "over those without"]');
CREATE TEMP TABLE rate AS SELECT k.id AS kernel, k.label, c.value AS copies, l.value AS full, u.value AS uvm, s.value AS kib
FROM kernel k JOIN figure_of c ON c.kernel = k.id AND c.scheme = 'copy' AND c.quantity = 'rate' JOIN figure_of l ON l.kernel = k.id AND l.scheme = 'launch' AND l.quantity = 'rate'
    JOIN figure_of u ON u.kernel = k.id AND u.scheme = 'paged' AND u.quantity = 'rate' JOIN figure_of s ON s.kernel = k.id AND s.scheme = 'paged' AND s.quantity = 'kib';
INSERT INTO cell SELECT section, title, label, printf('%.2f | %.2f | %.2f | %.0f | %.1f | %.1f', copies, full, uvm, kib, 100 * uvm / copies - 100, 100 * uvm / full - 100) FROM head, rate ORDER BY kernel;
INSERT INTO cell SELECT section, title, '**mean**', printf('**%.2f** | **%.2f** | **%.2f** | **%.0f** | **%.1f** | **%.1f**', avg(copies), avg(full), avg(uvm), avg(kib), 100 * avg(uvm / copies) - 100, 100 * avg(uvm / full) - 100) FROM head, rate;
INSERT INTO cell SELECT section, title, 'paper', value FROM head, json_each(json_array('-', '-', '-', '-', (SELECT text FROM published WHERE quantity = 'change of PCIe bandwidth' AND grp = 'all'), '-'));

-- ---- Figure 5.6 ----
UPDATE head SET section = '## Oversubscription (Figure 5.6)', title = 'Time over that with all pages; > of a run that was cut off at 100 times (the paper: many 2 to 3, some beyond 100)';
INSERT INTO cell SELECT section, title, 'workload', value FROM head, json_each('["class", "110 %", "125 %", "evictions, 110 %", "125 %"]');
CREATE TEMP TABLE over AS SELECT k.id AS kernel, k.label, upper(substr(k.kind, 1, 1)) AS class, o.scheme, 1.0 * o.cycles / p.cycles AS x, NOT o.complete AS cut, o.uvm_evictions AS out
FROM kernel k JOIN run_of p ON p.kernel = k.id AND p.scheme = 'paged' AND p.complete JOIN run_of o ON o.kernel = k.id AND o.scheme IN ('91', '80')
WHERE o.complete OR o.cycles >= 100 * p.cycles;
CREATE TEMP VIEW over_text AS SELECT kernel, class, label, scheme, printf('%s%.2f', iif(cut, '> ', ''), x) AS text, out FROM over;
INSERT INTO cell SELECT section, title, k.label, upper(substr(k.kind, 1, 1)) || printf(' | %s | %s | %s | %s', coalesce(a.text, '-'), coalesce(b.text, '-'), coalesce(a.out, '-'), coalesce(b.out, '-'))
FROM head, kernel k LEFT JOIN over_text a ON a.kernel = k.id AND a.scheme = '91' LEFT JOIN over_text b ON b.kernel = k.id AND b.scheme = '80' ORDER BY k.id;
INSERT INTO cell SELECT section, title, '**geometric mean, ' || class || '**', printf('- | **%.2f** | **%.2f** | - | -', exp(avg(ln(iif(scheme = '91', x, NULL)))), exp(avg(ln(iif(scheme = '80', x, NULL))))) FROM head, over GROUP BY class ORDER BY class DESC;
INSERT INTO cell SELECT section, printf('At 110 and 125 %%: %d and %d of %d take 1.5 to 4 times as long, %d and %d more than 4 times, of which %d and %d are cut off.', sum(scheme = '91' AND x BETWEEN 1.5 AND 4), sum(scheme = '80' AND x BETWEEN 1.5 AND 4),
    count(DISTINCT kernel), sum(scheme = '91' AND x > 4), sum(scheme = '80' AND x > 4), sum(scheme = '91' AND cut), sum(scheme = '80' AND cut)), NULL, NULL FROM head, over;
SELECT * FROM page;

.output uvmbench_time.dat
SELECT label || char(9) || printf('%.4f', uvm) || char(9) || printf('%.4f', launch) FROM (SELECT * FROM pair ORDER BY kernel);
