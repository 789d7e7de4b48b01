#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the first plot of `memtwin report`: IPC over the baseline, by workload. Usage: plot.py STUDY.db PLOT.svg
(Debian: python3-pandas, python3-matplotlib)"""
import sqlite3
import sys

try:
    import matplotlib
    import pandas as pd
except ImportError as missing:
    sys.exit(f"plot.py: no module {missing.name}: install Debian's python3-{missing.name}")

matplotlib.use("Agg")
db, plot = sys.argv[1:]
runs = pd.read_sql(
    """SELECT r.config, r.workload, r.scheme, r.ipc / b.ipc AS speedup
       FROM result r JOIN result b ON b.study = r.study AND b.n = r.baseline
       WHERE r.state = 'done' AND b.state = 'done' AND r.n <> b.n ORDER BY r.n""",
    sqlite3.connect(f"file:{db}?mode=ro", uri=True),
)
first = runs[runs.config == runs.config[0]]

# A row for each workload, a column for each scheme, in the order of the study.
table = first.pivot_table(index="workload", columns="scheme", values="speedup", sort=False)
table.loc["mean"] = table.prod() ** (1 / len(table))  # geometric
print(table.round(3).to_csv(), end="")

bars = table.sub(1).plot.bar(bottom=1, rot=0, figsize=(9, 4), ylabel="IPC over the baseline", title=runs.config[0])
bars.axhline(1, color="black", linewidth=1)
bars.figure.savefig(plot, bbox_inches="tight")
