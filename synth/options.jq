# Rows of options.txt from options.json: area, and the difference to the default.
(.[] | select(.name | startswith("default"))).area.all_flops as $base
| ["", "CAM", "sets", "control", "slots", "all flops", "to default", "flops", "ns"],
  (.[] | [.name, (.area.cam, .area.sets, .area.control, .slots_as_flops, .area.all_flops | round),
          ((.area.all_flops / $base - 1) * 1000 | round / 10 | tostring + " %"), .flops, (.min_period_ns // "-")])
| @tsv
