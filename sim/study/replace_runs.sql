-- SPDX-License-Identifier: Apache-2.0
-- Replaces, in all studies, runs by complete ones of temp.fresh that have the same identity and at least the same requested data.

CREATE TEMP TABLE replaced AS
SELECT o.id AS old, f.id AS new
FROM temp.fresh
JOIN main.run f ON f.id = fresh.run
CROSS JOIN main.run o ON o.identity = f.identity AND o.id <> f.id
WHERE f.state = 'done' AND f.end IS NOT 'time_limit'
    AND o.checked <= f.checked AND o.detailed <= f.detailed AND o.sampled <= f.sampled AND o.twin IN ('', f.twin);
UPDATE point SET run = (SELECT new FROM temp.replaced WHERE old = run) WHERE run IN (SELECT old FROM temp.replaced);
DELETE FROM total WHERE run IN (SELECT old FROM temp.replaced);
DELETE FROM detail WHERE run IN (SELECT old FROM temp.replaced);
DELETE FROM series WHERE run IN (SELECT old FROM temp.replaced);
DELETE FROM run WHERE id IN (SELECT old FROM temp.replaced);
DROP TABLE temp.replaced;
DELETE FROM temp.fresh;
