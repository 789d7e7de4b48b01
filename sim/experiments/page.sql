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
    coalesce('| ' || line || ' |' || (SELECT group_concat(' ' || text || ' |', '') FROM
        (SELECT text FROM cell c WHERE c.section = part.section AND c.title = part.title AND c.line = part.line ORDER BY c.rowid)), '') ||
    iif(first = of_title AND line IS NOT NULL, printf(char(10) || '|---|%s', replace(hex(zeroblob(cells)), '00', '---|')), '')
FROM part ORDER BY of_section, of_title, first;

-- What the papers say (paper.csv). grp: of which kernels; 'all': of all. note: stands behind a colon in `figure`: what they say in place of a number.
CREATE TEMP VIEW paper AS
SELECT study, seed, quantity, scheme, "group" AS grp, value, figure, nullif(substr(figure, instr(figure || ': ', ': ') + 2), '') AS note FROM reference;
