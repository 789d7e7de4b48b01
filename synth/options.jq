# SPDX-License-Identifier: Apache-2.0
# Rows of options.txt from options.json: area, and its ratio to the static MSHR and to all four optimizations.
include "common";
.[0].area.all_flops as $static | first(.[] | select(.block == "dl_mshr_paper")).area.all_flops as $four
| ["", "CAM", "sets", "control", "slots", "all flops", "to static", "to all four", "flops", "fast: um2", "fast: ns"],
  (.[] | [.name, (.area.cam, .area.sets, .area.control, .slots_as_flops, .area.all_flops | i),
          (.area.all_flops / $static, .area.all_flops / $four | fixed(3)), .flops, (.fast_um2 | i), (.min_period_ns | r)])
| @tsv
