# SPDX-License-Identifier: Apache-2.0
# Rows of sweep.txt from sweep.json.
include "common";
["", "entries", "logic", "storage", "all", "an entry", "flops", "fast: um2", "fast: ns"],
(.designs[] | [.name, .entries, (.area | .logic, .storage, .all | i), (.area.all / .entries | i), .flops, (.area.fast | i), (.min_period_ns | fixed(3))])
| @tsv
