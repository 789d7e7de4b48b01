# SPDX-License-Identifier: Apache-2.0
# Lists the errors of a file of loads ($run: the run's JSON): spans that do not add up to a load's latency, and sums that differ from the
# statistics.
def total: add // 0;
# The statistics load_in_* that the spans' sums give.
def parts($file): [$file.spans, $file.sums] | transpose | group_by(.[0].part) | map({key: "load_in_\(.[0][0].part)", value: (map(.[1]) | total)}) | from_entries;
def same($what; $a; $b): if $a != $b then "\($what): \($a) in the loads, \($b) in the run" else empty end;
def faults($run):
. as $file | ($file.columns | length) as $first | ($run.stats) as $stats |
($file.columns | to_entries | map({key: .value, value: .key}) | from_entries) as $column |
same("loads"; $file.loads_seen; $stats.load_lines),
same("sum of latencies"; $file.latency; $stats.load_life),
same("mean latency"; ($file.latency / ([$file.loads_seen, 1] | max) * 1e6 | round); ($run.derived.load_life_mean * 1e6 | round)),
(parts($file) | to_entries[] | same(.key; .value; $stats[.key])),
same("latencies"; $file.latencies | map(.[1]) | total; $stats.load_lines),
same("loads of the instructions"; $file.instructions | map(.loads) | total; $stats.load_lines),
same("latency of the instructions"; $file.instructions | map(.latency) | total; $stats.load_life),
same("sums of the instructions"; $file.instructions | map(.sums) | transpose | map(total); if $file.instructions == [] then [] else $file.sums end),
same("kept loads"; $file.kept.all; $file.loads | length),
(if $file.kept.all == $file.loads_seen then same("latency of the kept loads"; $file.loads | map(.[$column.latency]) | total; $stats.load_life) else empty end),
($file.loads[] | select((.[$first:] | total) != .[$column.latency]) | "load \(.[0]): spans of \(.[$first:] | total) cycles, latency \(.[$column.latency])"),
($file.loads[] | select(length != $first + ($file.spans | length) or any(.[]; . < 0 or . != floor)) | "load \(.[0]): not a row of whole numbers"),
($file.loads | map(.[0]) | select(. != unique) | "a load is there twice");
