# SPDX-License-Identifier: Apache-2.0
# Converts gcovr's JSON to one tab-separated line per file with the number of lines and executed lines, and one per run of lines not
# executed. $block names the total.
#   file BLOCK FILE lines hit
#   run  BLOCK FILE FIRST LAST BEFORE       BEFORE: the last executed line before the run (0: none)
.files[] | .file as $file
| [.lines[] | select(."gcovr/noncode" | not) | {line: .line_number, count}] | group_by(.line) | map({line: .[0].line, count: (map(.count) | max)}) as $lines
| ["file", $block, $file, ($lines | length), ($lines | map(select(.count > 0)) | length)],
  (reduce $lines[] as $l ({runs: [], open: false, before: 0};
      if $l.count > 0 then .open = false | .before = $l.line
      elif .open then .runs[-1].last = $l.line
      else .runs += [{first: $l.line, last: $l.line, before: .before}] | .open = true end)
   | .runs[] | ["run", $block, $file, .first, .last, .before])
| @tsv
