# SPDX-License-Identifier: Apache-2.0
# Rows of addr_hash.txt from addr_hash.json.
include "common";
["", "set index", "partition map", "pipeline", "all", "cells", "flops", "fast: um2", "fast: ns"],
(.designs[]
 | [.name] + (.area | [.index, .map, .rest, .all] | map(i)) + [(.cells, .flops, .fast_um2 | i), (.min_period_ns | r)])
| @tsv
