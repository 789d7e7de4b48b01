# SPDX-License-Identifier: Apache-2.0
# Rows of split.txt from split.json: area and period, and their ratios to the static MSHR with a one-cycle lookup (static) and a two-cycle lookup (LOOKUP=2).
include "common";
def static(n): first(.[] | select(.block == "static_mshr" and (.parameters.LOOKUP // 1) == n));
static(1) as $one | static(2) as $two
| def to(a; b): if a == null or b == null then "-" else a / b | fixed(3) end;
  ["", "CAM", "sets", "control", "logic", "to LOOKUP=2", "slots", "all flops", "to static", "to LOOKUP=2", "slots in a macro", "to LOOKUP=2", "flops", "fast: um2", "fast: ns", "to LOOKUP=2"],
  (.[] | [.name, (.area.cam, .area.sets, .area.control, .area.logic | i), to(.area.logic; $two.area.logic), (.slots_as_flops, .area.all_flops | i),
          to(.area.all_flops; $one.area.all_flops), to(.area.all_flops; $two.area.all_flops), (.area.with_macro | if . then i else "-" end),
          to(.area.with_macro; $two.area.with_macro), .flops, (.fast_um2 | i), (.min_period_ns | r), to(.min_period_ns; $two.min_period_ns)])
| @tsv
