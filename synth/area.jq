# SPDX-License-Identifier: Apache-2.0
# Rows of area.txt from area.json; a design compared with the first of its group gets a second row with the ratios.
include "common";
def three: if . == null then "-" else fixed(3) end;
["", "paper", "multiplexers", "clock gates", "saved, %", "macro", "clock gates, macro"],
(.designs[]
 | [.name, (.paper | i), (.area.multiplexers, .area.gated | i),
    (.area | if .gated == null then "-" else (1 - .gated / .multiplexers) * 100 | fixed(1) end), (.area.multiplexers_macro, .area.gated_macro | i)],
   (.ratio | select(. != null) | ["  ratio", (.paper, .multiplexers, .gated | three), "", (.multiplexers_macro, .gated_macro | three)]))
| @tsv
