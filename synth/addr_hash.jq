# SPDX-License-Identifier: Apache-2.0
# Rows of addr_hash.txt from addr_hash.json.
include "common";
["", "set index", "partition map", "pipeline", "all", "cells", "flops", "ns"],
(.designs[]
 | [.name] + (.area | [.index, .map, .rest, .all] | map(i)) + [(.cells, .flops | i), (.min_period_ns | r)])
| @tsv
