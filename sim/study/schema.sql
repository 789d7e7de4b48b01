-- SPDX-License-Identifier: Apache-2.0
-- Tables of a database of studies, and the views that are the same in each; docs/use/studies.md describes them. db.c makes the views that have a
-- column for each statistic, and those columns. A change here requires a new SCHEMA there, or a function like add_call.

CREATE TABLE study(
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, file TEXT NOT NULL, version TEXT NOT NULL, stored REAL NOT NULL
);

-- A configuration: its differences from its machine.
CREATE TABLE machine(id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, name TEXT NOT NULL);
CREATE TABLE machine_key(machine INTEGER NOT NULL, key TEXT NOT NULL, value, PRIMARY KEY(machine, key)) WITHOUT ROWID;
CREATE TABLE config(id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, machine INTEGER NOT NULL REFERENCES machine);
CREATE TABLE config_key(config INTEGER NOT NULL, key TEXT NOT NULL, value, PRIMARY KEY(config, key)) WITHOUT ROWID;

-- An identity with the requested data: a check, details, a time series, twins. Results replace those of the same identity that have a subset of
-- their data (replace_runs.sql).
CREATE TABLE run(
    id INTEGER PRIMARY KEY, identity TEXT NOT NULL, config INTEGER NOT NULL REFERENCES config, workload TEXT NOT NULL, trace_hash TEXT,
    version TEXT NOT NULL, state TEXT NOT NULL CHECK(state IN ('waiting', 'running', 'done', 'failed')),
    exit_code INTEGER, end TEXT, complete INTEGER, reached TEXT, message TEXT, log TEXT,
    host TEXT, pid INTEGER, started REAL, seconds REAL, cpu_seconds REAL, peak_rss_kib INTEGER,
    checked_loads INTEGER, twins INTEGER, evaluated INTEGER,
    checked INTEGER NOT NULL DEFAULT 0, detailed INTEGER NOT NULL DEFAULT 0, sampled INTEGER NOT NULL DEFAULT 0, twin TEXT NOT NULL DEFAULT '',
    compared INTEGER, mismatches INTEGER, call TEXT,
    UNIQUE(identity, checked, detailed, sampled, twin)
);

-- A run of a study.
CREATE TABLE point(
    study INTEGER NOT NULL, n INTEGER NOT NULL, run INTEGER NOT NULL, config TEXT NOT NULL, workload TEXT NOT NULL, scheme TEXT NOT NULL,
    axes TEXT NOT NULL, baseline INTEGER, group_name TEXT NOT NULL, choice TEXT,
    PRIMARY KEY(study, n)
) WITHOUT ROWID;
CREATE INDEX point_run ON point(run);

CREATE TABLE plot(
    study INTEGER NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL, title TEXT, kind TEXT NOT NULL, y TEXT NOT NULL, relative TEXT NOT NULL,
    x TEXT NOT NULL, color TEXT NOT NULL, schemes TEXT,
    PRIMARY KEY(study, number)
) WITHOUT ROWID;
CREATE TABLE reference(
    study TEXT NOT NULL, seed TEXT NOT NULL, figure TEXT NOT NULL, quantity TEXT NOT NULL, scheme TEXT NOT NULL, group_name TEXT NOT NULL,
    value REAL NOT NULL
);

-- Statistics: `total` and `detail` get a column for each row of `statistic`.
CREATE TABLE statistic(
    name TEXT PRIMARY KEY, kind TEXT NOT NULL, part TEXT NOT NULL, unit TEXT NOT NULL, meaning TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE total(run INTEGER PRIMARY KEY);
CREATE TABLE detail(
    run INTEGER NOT NULL, scope TEXT NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY(run, scope, number)
);
CREATE TABLE series(run INTEGER PRIMARY KEY, size INTEGER NOT NULL, data BLOB NOT NULL);

CREATE VIEW axis AS SELECT study, n, j.key AS key, j.value AS value FROM point, json_each(axes) j;

CREATE VIEW config_value AS
SELECT config.id AS config, k.key, CASE WHEN c.key IS NULL THEN k.value ELSE c.value END AS value
FROM config
JOIN machine_key k ON k.machine = config.machine
LEFT JOIN config_key c ON c.config = config.id AND c.key = k.key;

-- The command that repeats a run. run.call is "cd FOLDER && PROGRAM run -c CONFIG [--kernels LIST]"; older versions did not store it.
-- Quotes words that a shell would split: char(39) is ', char(92) is \. A text that was not UTF-8 is a word already, $'..' with bytes such as \377.
CREATE VIEW command AS
SELECT run.id AS run,
    coalesce(run.call, 'memtwin run -c '
        || CASE WHEN machine.name GLOB '$''*\[23][0-7][0-7]*''' AND machine.name NOT GLOB '*''*''*''*' THEN machine.name
            WHEN machine.name GLOB '*[^A-Za-z0-9_./:=,@%+-]*' THEN
            char(39) || replace(machine.name, char(39), char(39, 92, 39, 39)) || char(39) ELSE machine.name END)
    || CASE WHEN trace_hash IS NULL THEN ' -w ' ELSE ' -t ' END
    || CASE WHEN run.workload GLOB '$''*\[23][0-7][0-7]*''' AND run.workload NOT GLOB '*''*''*''*' THEN run.workload
        WHEN run.workload GLOB '*[^A-Za-z0-9_./:=,@%+-]*' THEN
        char(39) || replace(run.workload, char(39), char(39, 92, 39, 39)) || char(39) ELSE run.workload END
    || coalesce((SELECT group_concat(' -s ' || CASE WHEN setting GLOB '*[^A-Za-z0-9_./:=,@%+-]*' THEN
            char(39) || replace(setting, char(39), char(39, 92, 39, 39)) || char(39) ELSE setting END, '')
        FROM (SELECT key || '=' || value AS setting FROM config_key WHERE config_key.config = run.config)), '')
    || CASE WHEN twin <> '' THEN ' --twin ' || CASE WHEN twin GLOB '*[^A-Za-z0-9_./:=,@%+-]*' THEN
        char(39) || replace(twin, char(39), char(39, 92, 39, 39)) || char(39) ELSE twin END ELSE '' END
    || CASE WHEN checked THEN ' --check' ELSE '' END AS text
FROM run
JOIN config ON config.id = run.config
JOIN machine ON machine.id = config.machine;
