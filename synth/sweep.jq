# SPDX-License-Identifier: Apache-2.0
# Rows of sweep.txt from sweep.json.
include "common";
["", "entries", "logic", "storage", "all", "an entry", "fastest", "flops", "ns"],
(.designs[] | [.name, .entries, (.area | .logic, .storage, .all | i), (.area.all / .entries | i), (.area.fastest | i), .flops, (.min_period_ns | fixed(3))])
| @tsv
