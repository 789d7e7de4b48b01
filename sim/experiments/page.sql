-- SPDX-License-Identifier: Apache-2.0
-- Tables and views that the pages of experiments share; experiment.sh reads it before NAME.sql.

-- A page is the content of this table when it is printed. Sections, titles, lines and the cells of a line are in the order in which they
-- first occur; the first line of a title is the head of its table. If line is NULL, the title is a paragraph of its own. A section '' has no heading.
CREATE TEMP TABLE cell(section TEXT, title TEXT, line TEXT, text TEXT);

-- The page in Markdown: SELECT * FROM page.
CREATE TEMP VIEW page AS
WITH place AS (SELECT section, title, line, min(rowid) AS first, count(text) AS cells FROM cell GROUP BY section, title, line),
    part AS (SELECT *, min(first) OVER (PARTITION BY section) AS of_section, min(first) OVER (PARTITION BY section, title) AS of_title FROM place)
SELECT iif(first = of_section AND section <> '', printf(char(10) || '%s' || char(10), section), '') ||
    iif(first = of_title, printf(char(10) || '%s', title), '') ||
    iif(first = of_title AND line IS NOT NULL, char(10, 10), '') ||
    coalesce(rtrim('| ' || line) || ' |' || (SELECT group_concat(rtrim(' ' || text) || ' |', '') FROM
        (SELECT text FROM cell c WHERE c.section = part.section AND c.title = part.title AND c.line = part.line ORDER BY c.rowid)), '') ||
    iif(first = of_title AND line IS NOT NULL, printf(char(10) || '|---|%s', replace(hex(zeroblob(cells)), '00', '---|')), '')
FROM part ORDER BY of_section, of_title, first;

-- Published values (paper.csv), once for all studies of the page. grp: group of kernels; 'all' means all. text: the value as pages show it.
CREATE TEMP TABLE paper AS SELECT DISTINCT quantity, scheme, group_name AS grp, value, printf('%g', value) AS text FROM reference;

-- Thread instructions per L2 miss, Table 2.3 of Gu's dissertation.
CREATE TEMP TABLE paper23(kernel, value);
INSERT INTO paper23 VALUES ('bfs', 62), ('btree', 1497), ('cfd', 404), ('dwt2d', 530), ('nw', 198), ('alignedtypes', 238), ('asyncapi', 416), ('blackscholes', 476), ('convsep', 701), ('fwt', 641),
    ('sn', 1160), ('spmv', 568), ('stencil', 614), ('transpose', 400), ('scan', 233), ('lbm', 176), ('mergesort', 1436), ('histo', 751), ('radixsort', 425), ('sobolqrng', 1247), ('backprop', 1718), ('heartwall', 5189),
    ('kmeans', 19236), ('cutcp', 400509), ('sad', 2733), ('qrng', 2798), ('sgemm', 9957), ('mriq', 120455);

-- Figures of kernels, which a page fills, and quotients of one scheme's figure over another's. x is NULL if there is none.
CREATE TEMP TABLE kernel(id INTEGER PRIMARY KEY, label TEXT, kind TEXT);
CREATE TEMP TABLE figure_of(kernel INTEGER, scheme TEXT, quantity TEXT, value REAL, PRIMARY KEY(kernel, scheme, quantity));
CREATE TEMP VIEW quotient AS
SELECT k.id AS kernel, k.label, k.kind, a.scheme, b.scheme AS base, a.quantity, iif(b.value, a.value / b.value, iif(a.value, NULL, 1)) AS x
FROM kernel k JOIN figure_of a ON a.kernel = k.id JOIN figure_of b ON b.kernel = k.id AND b.quantity = a.quantity;

-- Tables of quotients, a line per kernel; a page that fills this ends with INSERT INTO cell SELECT * FROM ratio_cell. A column is a figure of
-- a scheme over that of another one, or the inverse. kinds: only kernels of this kind; NULL means all, 'each' all, with geometric means of each kind too.
-- The last line is the paper's value of the scheme for the quantity `published`, if that is not NULL.
CREATE TEMP TABLE ratio(section TEXT, title TEXT, kinds TEXT, col TEXT, scheme TEXT, base TEXT, quantity TEXT, inverse INTEGER, published TEXT);
CREATE TEMP TRIGGER ratio_head AFTER INSERT ON ratio BEGIN
    INSERT INTO cell VALUES (NEW.section, NEW.title, 'kernel', NEW.col);
END;
CREATE TEMP VIEW ratio_value AS
SELECT r.rowid AS id, q.kernel, q.label, q.kind, q.x FROM ratio r JOIN quotient q ON q.quantity = r.quantity
    AND q.scheme = iif(r.inverse, r.base, r.scheme) AND q.base = iif(r.inverse, r.scheme, r.base) AND coalesce(r.kinds, 'each') IN ('each', q.kind);
-- A tie at half a thousandth (a multiple of 1/16) rounds to even, as in C; SQLite rounds it up.
CREATE TEMP VIEW ratio_text AS
SELECT *, iif(x IS NULL, '-', printf('%.3f', x - 1e-9 * (CAST(16 * x AS INTEGER) = 16 * x AND CAST(1000 * x AS INTEGER) % 2 = 0))) AS text FROM ratio_value;
-- Quotients of 0 are not counted.
CREATE TEMP VIEW ratio_mean AS
SELECT id, kind, min(kernel) AS first, exp(avg(iif(x > 0, ln(x), NULL))) AS x FROM ratio_value WHERE kind <> '' GROUP BY id, kind
UNION ALL SELECT id, 'all', 1e9, exp(avg(iif(x > 0, ln(x), NULL))) FROM ratio_value GROUP BY id;
CREATE TEMP VIEW ratio_cell AS
SELECT section, title, line, text FROM (
    SELECT 1 AS step, v.kernel AS first, r.rowid AS id, section, title, label AS line, text
        FROM ratio r JOIN ratio_text v ON v.id = r.rowid
    UNION ALL SELECT 2, m.first, r.rowid, section, title, '**mean, ' || m.kind || '**', '**' || iif(x IS NULL, '-', printf('%.3f', x)) || '**'
        FROM ratio r JOIN ratio_mean m ON m.id = r.rowid WHERE r.kinds = 'each' OR m.kind = coalesce(r.kinds, 'all')
    UNION ALL SELECT 3, 0, r.rowid, section, title, 'paper', coalesce(p.text, '-')
        FROM ratio r LEFT JOIN paper p ON p.quantity = r.published AND p.scheme = r.scheme AND p.grp = coalesce(nullif(r.kinds, 'each'), 'all')
        WHERE r.published IS NOT NULL)
ORDER BY step, first, id;
