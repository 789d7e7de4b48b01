# SPDX-License-Identifier: Apache-2.0
# Rows of split.txt from split.json: area and period, and their ratios to the static MSHR with a lookup of one cycle and of two.
include "common";
def static(n): first(.[] | select(.block == "static_mshr" and (.parameters.LOOKUP // 1) == n));
static(1) as $one | static(2) as $two
| ["", "CAM", "sets", "control", "slots", "all flops", "to static", "to static, LOOKUP=2", "flops", "ns", "ns to that of LOOKUP=2"],
  (.[] | [.name, (.area.cam, .area.sets, .area.control, .slots_as_flops, .area.all_flops | i),
          (.area.all_flops / $one.area.all_flops, .area.all_flops / $two.area.all_flops | fixed(3)), .flops, (.min_period_ns | r),
          (if .min_period_ns then .min_period_ns / $two.min_period_ns | fixed(3) else "-" end)])
| @tsv
