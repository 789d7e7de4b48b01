# SPDX-License-Identifier: Apache-2.0
# What is wrong with a timeline, a line each: the rules of Chrome's trace-event format (Catapult's documents), and
# what the statistics of the run say. $run: its JSON, with --detail.
def capacity: capture(" of (?<n>[0-9]+)$").n | tonumber;
def number: type == "number";
def whole: number and . == floor;
def place: "\(.pid) \(.tid)";
# Slices of a thread in their order: those that neither lie in the one before, or one around it, nor behind it.
def crossing: reduce .[] as $e ({open: [], bad: []};
    .open |= map(select($e.from < .)) | if any(.open[]; $e.to > .) then .bad += [$e] else . end | .open += [$e.to]) | .bad[];

.otherData as $about | .traceEvents as $events | ($run.stats) as $stats |
[$events[] | select(.ph == "X") | . + {from: .ts, to: (.ts + .dur)}] as $slices |
[$events[] | select(.ph == "C")] as $counters | [$events[] | select(.ph == "s" or .ph == "t" or .ph == "f")] as $flows |
($events | map(select(.ph == "M" and .name == "process_name") | {key: "\(.pid)", value: .args.name}) | from_entries) as $process |
($events | map(select(.ph == "M" and .name == "thread_name") | {key: place, value: .args.name}) | from_entries) as $thread |
($slices | group_by(place)) as $tracks | ($slices | map(select($thread[place] | startswith("CTA")))) as $ctas |
($slices | map(select($thread[place] == "kernels"))) as $kernels |
def transfers($name): $slices | map(select($thread[place] == $name));
def sum_of($name; $transfers; $busy): transfers($name) |
    if length != $stats[$transfers] then "\(length) slices of \($name), \($stats[$transfers]) transfers" else empty end,
    if (map(.to - .from) | add // 0) != $stats[$busy] then "slices of \($name) are not \($stats[$busy]) cycles" else empty end;

($events[] | select((.name | type) != "string" or (.pid | number | not) or
    (.ph == "M" and (.args | type) != "object") or
    (.ph == "X" and ([.ts, .dur, .tid] | all(whole) | not)) or
    (.ph == "C" and ((.ts | number | not) or ([.args[]] | length != 1 or (all(number) | not)))) or
    ((.ph | IN("s", "t", "f")) and (([.ts, .tid, .id] | all(number) | not) or .cat == null)) or
    (.ph == "f" and .bp != "e") or (.ph | IN("M", "X", "C", "s", "t", "f") | not)) | "a bad event: \(.)"),
($slices[] | select($thread[place] == null or $process["\(.pid)"] == null) | "a thread without a name: \(.)"),
($counters[] | select($process["\(.pid)"] == null) | "a process without a name: \(.)"),
($slices[] | select(.from < 0 or .to < .from or .to > $run.cycles) | "not in the run: \(.)"),
($counters[] | select(.ts < 0 or .ts >= $run.cycles) | "not in the run: \(.)"),
($tracks[] | sort_by(.from, -.to) | crossing | "slices that cross: \(.)"),
($tracks[] | select(map(.from) != (map(.from) | sort)) | "not in the order of time: \(.[0])"),
($counters | group_by(.pid, .name)[] | select(map(.ts) != (map(.ts) | unique)) | "a counter out of order: \(.[0])"),
($counters[] | .args | to_entries[] | select(.value < 0 or ((.key | test(" of [0-9]+$")) and .value > (.key | capacity))) |
    "beyond its capacity: \(.)"),
($flows | group_by(.id)[] | select(map(.ph) | sort != ["f", "s", "t"] and . != ["s", "f"]) | "not a flow: \(.)"),
($flows | group_by(.id)[] | sort_by(.ts)[0] | select(.ph != "s") | "a flow that begins late: \(.)"),
($slices | map(select(.pid as $p | $process["\($p)"] | . == "Driver" or startswith("SM"))) | group_by(place) |
    map({key: (.[0] | place), value: .}) | from_entries) as $by_thread |
($flows[] | .ts as $at | select(any($by_thread[place][]?; .from <= $at and $at < .to) | not) | "a flow in no slice: \(.)"),
if $about.cycles != $run.cycles or $about.complete != $run.complete or $about.identity != $run.identity then "of another run" else empty end,
# A channel has a counter of each of its DRAM banks, or of none.
($process | to_entries[] | select(.value | startswith("DRAM channel")) | .key as $pid |
    ([$counters[] | select("\(.pid)" == $pid and (.name | test("^DRAM bank [0-9]"))) | .name] | unique) as $names |
    select($names != [] and ([$counters[] | select("\(.pid)" == $pid and .name == "DRAM banks") | .args | keys[0] | capacity][0]) != ($names | length)) |
    "\(.value): counters of \($names | length) banks"),
# What the statistics say, unless it was thinned or cut off.
if $about.kernels.dropped + $about.ctas.dropped + $about.transfers.dropped == 0 and $run.complete then
    ($run.detail[] | select(.scope == "sm") | .stats.ctas as $n | "SM \(.index)" as $sm |
        select(($ctas | map(select($process["\(.pid)"] == $sm)) | length) != ($n // 0)) | "\($sm): not \($n) CTAs"),
    if ($kernels | length) != $stats.kernels then "\($kernels | length) kernels" else empty end,
    ($kernels | map({key: "\(.args.launch)", value: .}) | from_entries) as $launch |
    ($ctas[] | $launch["\(.args.launch)"] as $k | select(.from < $k.from or .to > $k.to) | "not in its kernel: \(.)"),
    sum_of("PCIe to the GPU"; "pcie_read_transfers"; "pcie_read_busy_cycles"),
    sum_of("PCIe to the host"; "pcie_write_transfers"; "pcie_write_busy_cycles")
else empty end,
if ($ctas | length) != $about.ctas.written or ($kernels | length) != $about.kernels.written or
    ($flows | map(select(.ph == "s")) | length) > $about.far_faults.written then "it says other numbers than it has" else empty end,
# A counter is a mean: over the run it is the statistic, but for rounding. Each part has cycles of its own clock.
(def area($name): $counters | map(select(.name == $name)) | [., .[1:] + [{ts: $run.cycles}]] | transpose |
    map(([.[0].args[]][0]) * (.[1].ts - .[0].ts)) | add // 0;
 def parts($place): $process | map(select(startswith($place))) | length;
 (["all SMs: L1D MSHR", "l1d_mshr_slot_cycles", "SM", "sm_cycles"], ["all SMs: issue", "warp_insts", "SM", "sm_cycles"],
  ["all SMs: LSU queue", "lsu_queue_cycles", "SM", "sm_cycles"], ["all L2 banks: L2 MSHR", "l2_mshr_slot_cycles", "L2 bank", "l2_cycles"],
  ["all DRAM channels: DRAM data bus", "dram_busy_cycles", "DRAM channel", "dram_cycles"],
  ["all DRAM channels: DRAM banks", "dram_bank_cycles", "DRAM channel", "dram_cycles"]) as [$name, $stat, $place, $clock] |
    (area($name) * $stats[$clock] / (parts($place) * $run.cycles)) as $area |
    select(($area - $stats[$stat] | fabs) > 0.01 * $stats[$stat] + 0.005 * $stats[$clock]) |
    "\($name): \($area), \($stat) is \($stats[$stat])")
