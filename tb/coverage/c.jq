# SPDX-License-Identifier: Apache-2.0
# Of gcovr's JSON: a line a file with its lines and those executed, and each run of lines that were not, by tabs. $block names the whole.
#   file BLOCK FILE lines hit
#   run  BLOCK FILE FIRST LAST BEFORE       BEFORE: the last executed line in front of it (0: none)
.files[] | .file as $file
| [.lines[] | select(."gcovr/noncode" | not) | {line: .line_number, count}] | group_by(.line) | map({line: .[0].line, count: (map(.count) | max)}) as $lines
| ["file", $block, $file, ($lines | length), ($lines | map(select(.count > 0)) | length)],
  (reduce $lines[] as $l ({runs: [], open: false, before: 0};
      if $l.count > 0 then .open = false | .before = $l.line
      elif .open then .runs[-1].last = $l.line
      else .runs += [{first: $l.line, last: $l.line, before: .before}] | .open = true end)
   | .runs[] | ["run", $block, $file, .first, .last, .before])
| @tsv
