-- SPDX-License-Identifier: Apache-2.0
-- What the pages of experiments share; experiment.sh reads it before NAME.sql, and paper.csv into the table `reference`.

-- A page is what is in this table when it is printed. Sections, titles, lines and the cells of a line are in the order in which they first
-- come; the first line of a title is the head of its table. line NULL: the title is a paragraph of its own. section '': it has no heading.
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

-- What the papers say (paper.csv). grp: of which kernels; 'all': of all. note: stands behind a colon in `figure`: what they say in place of a number.
CREATE TEMP VIEW paper AS
SELECT study, seed, quantity, scheme, "group" AS grp, value, figure, nullif(substr(figure, instr(figure || ': ', ': ') + 2), '') AS note FROM reference;

-- Tables of quotients, a line a kernel. A page fills these; at its end it says INSERT INTO cell SELECT * FROM ratio_cell.
CREATE TEMP TABLE page_of(study TEXT); -- the name in paper.csv
CREATE TEMP TABLE kernel(id INTEGER PRIMARY KEY, label TEXT, kind TEXT);
CREATE TEMP TABLE figure_of(kernel INTEGER, scheme TEXT, quantity TEXT, value REAL, PRIMARY KEY(kernel, scheme, quantity));
-- A column of a table: a figure of a scheme over that of another one, or the inverse. Behind the kernels come geometric means, over those of
-- each kind if `kinds`, and over all; and what the paper says of the scheme in the quantity `published`, if that is not NULL.
CREATE TEMP TABLE ratio(section TEXT, title TEXT, kinds INTEGER, col TEXT, scheme TEXT, base TEXT, quantity TEXT, inverse INTEGER, published TEXT);
CREATE TEMP TRIGGER ratio_head AFTER INSERT ON ratio BEGIN
    INSERT INTO cell VALUES (NEW.section, NEW.title, 'kernel', NEW.col);
END;
-- x NULL: there is no quotient.
CREATE TEMP VIEW ratio_value AS
SELECT id, kernel, label, kind, iif(under, over / under, iif(over, NULL, 1)) AS x FROM (
    SELECT r.rowid AS id, k.id AS kernel, k.label, k.kind, iif(r.inverse, b.value, a.value) AS over, iif(r.inverse, a.value, b.value) AS under
    FROM ratio r JOIN kernel k JOIN figure_of a ON a.kernel = k.id AND a.scheme = r.scheme AND a.quantity = r.quantity
        JOIN figure_of b ON b.kernel = k.id AND b.scheme = r.base AND b.quantity = r.quantity);
-- Half of a thousandth (so many sixteenths) goes to the even one, as in C; SQLite rounds it up.
CREATE TEMP VIEW ratio_text AS
SELECT *, iif(x IS NULL, '-', printf('%.3f', x - 1e-9 * (CAST(16 * x AS INTEGER) = 16 * x AND CAST(1000 * x AS INTEGER) % 2 = 0))) AS text FROM ratio_value;
-- Quotients that are 0 do not count.
CREATE TEMP VIEW ratio_mean AS
SELECT id, kind, min(kernel) AS first, exp(avg(iif(x > 0, ln(x), NULL))) AS x FROM ratio_value WHERE kind <> '' GROUP BY id, kind
UNION ALL SELECT id, 'all', 1e9, exp(avg(iif(x > 0, ln(x), NULL))) FROM ratio_value GROUP BY id;
CREATE TEMP VIEW ratio_cell AS
SELECT section, title, line, text FROM (
    SELECT 1 AS step, v.kernel AS first, r.rowid AS id, section, title, label AS line, text
        FROM ratio r JOIN ratio_text v ON v.id = r.rowid
    UNION ALL SELECT 2, m.first, r.rowid, section, title, '**mean, ' || m.kind || '**', '**' || iif(x IS NULL, '-', printf('%.3f', x)) || '**'
        FROM ratio r JOIN ratio_mean m ON m.id = r.rowid WHERE m.kind = 'all' OR r.kinds
    UNION ALL SELECT 3, 0, r.rowid, section, title, 'paper', coalesce(p.note, p.value, '-')
        FROM ratio r LEFT JOIN paper p ON p.study IN (SELECT study FROM page_of) AND p.quantity = r.published AND p.scheme = r.scheme
        WHERE r.published IS NOT NULL)
ORDER BY step, first, id;
