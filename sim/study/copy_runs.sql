-- SPDX-License-Identifier: Apache-2.0
-- Copies the runs of another database, t, that temp.copied(run, config) lists, with their configurations. New runs wait. The keys of a
-- configuration are its differences from its machine, so the configuration can be used only if the machine is the same.

INSERT INTO machine(hash, name)
SELECT hash, name FROM t.machine
WHERE id IN (SELECT machine FROM t.config WHERE id IN (SELECT config FROM temp.copied))
ON CONFLICT DO NOTHING;

INSERT INTO machine_key
SELECT m.id, k.key, k.value
FROM t.machine tm
JOIN main.machine m ON m.hash = tm.hash
JOIN t.machine_key k ON k.machine = tm.id
WHERE true
ON CONFLICT DO NOTHING;

INSERT INTO config(hash, machine)
SELECT c.hash, m.id
FROM t.config c
JOIN t.machine tm ON tm.id = c.machine
JOIN main.machine m ON m.hash = tm.hash
WHERE c.id IN (SELECT config FROM temp.copied)
ON CONFLICT DO NOTHING;

INSERT INTO config_key
SELECT c.id, k.key, k.value
FROM t.config tc
JOIN main.config c ON c.hash = tc.hash
JOIN main.machine m ON m.id = c.machine
JOIN t.machine tm ON tm.id = tc.machine AND tm.hash = m.hash
JOIN t.config_key k ON k.config = tc.id
WHERE tc.id IN (SELECT config FROM temp.copied)
ON CONFLICT DO NOTHING;

INSERT INTO run(identity, config, workload, trace_hash, version, state, checked, detailed, sampled, twin, call)
SELECT s.identity, c.id, s.workload, s.trace_hash, s.version, 'waiting', s.checked, s.detailed, s.sampled, s.twin, s.call
FROM temp.copied
JOIN t.run s ON s.id = copied.run
JOIN t.config tc ON tc.id = s.config
JOIN main.config c ON c.hash = tc.hash
WHERE true
ON CONFLICT DO NOTHING;

DROP TABLE temp.copied;
