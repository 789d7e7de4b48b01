# SPDX-License-Identifier: Apache-2.0
# Lists the errors of a timeline (faults), and faulty timelines that it must find (plants). The rules are those of the trace-event format
# and its readers, the importers of Perfetto and Catapult (docs/understand/system.md#timeline), and agreement with the statistics of the
# run.
def capacity: capture(" of (?<n>[0-9]+)$").n | tonumber;
def number: type == "number";
def whole: number and . == floor;
def place: "\(.pid) \(.tid)";
# Slices of a thread, by start, then as in the file: those that are neither inside the previous one, or one around it, nor after it. Of two
# with the same start the outer one comes first.
def crossing: reduce .[] as $e ({open: [], bad: []};
    .open |= map(select($e.from < .)) | if any(.open[]; $e.to > .) then .bad += [$e] else . end | .open += [$e.to]) | .bad[];

# Flow events with the slice that they belong to: both importers take the slice that starts at the same time, if it precedes the event in
# the file; $slices and the events have their file position, .nr.
def bound($slices): ($slices | group_by(place) | map({key: (.[0] | place), value: .}) | from_entries) as $on |
    map(. as $e | . + {slice: ([$on[place][]? | select(.ts == $e.ts)] | last)});
# $run: its JSON, with --detail.
def faults($run):
.otherData as $about | ([.traceEvents | to_entries[] | .value + {nr: .key}]) as $events | ($run.stats) as $stats |
[$events[] | select(.ph == "X") | . + {from: .ts, to: (.ts + .dur)}] as $slices |
[$events[] | select(.ph == "C")] as $counters | [$events[] | select(.ph == "s" or .ph == "t" or .ph == "f")] as $flows |
($events | map(select(.ph == "M" and .name == "process_name") | {key: "\(.pid)", value: .args.name}) | from_entries) as $process |
($events | map(select(.ph == "M" and .name == "thread_name") | {key: place, value: .args.name}) | from_entries) as $thread |
($slices | group_by(place)) as $tracks | ($slices | map(select($thread[place] // "" | startswith("CTA")))) as $ctas |
($slices | map(select($thread[place] == "kernels"))) as $kernels |
def transfers($name): $slices | map(select($thread[place] == $name));
def sum_of($name; $transfers; $busy): transfers($name) |
    if length != $stats[$transfers] then "\(length) slices of \($name), \($stats[$transfers]) transfers" else empty end,
    if (map(.to - .from) | add // 0) != $stats[$busy] then "slices of \($name) are not \($stats[$busy]) cycles" else empty end;

(if .displayTimeUnit | IN("ms", "ns") | not then "no unit of time" else empty end),
($events[] | select((.name | type) != "string" or .name == "" or (.pid | whole | not) or
    (.ph == "M" and ((.args | type) != "object" or (.name | IN("process_name", "thread_name", "process_labels", "process_sort_index", "thread_sort_index") | not) or
        (.name | endswith("_name")) and (.args.name | type) != "string" or
        (.name | endswith("_index")) and (.args.sort_index | whole | not) or
        (.name | startswith("thread")) and (.tid | whole | not))) or
    (.ph == "X" and ([.ts, .dur, .tid] | all(whole) | not)) or
    (.ph == "C" and ((.ts | whole | not) or (.args | type) != "object" or ([.args[]] | length != 1 or (all(number) | not)))) or
    ((.ph | IN("s", "t", "f")) and (([.ts, .tid, .id] | all(whole) | not) or (.cat | type) != "string")) or
    (.ph == "f" and .bp != "e") or (.ph | IN("M", "X", "C", "s", "t", "f") | not)) | "a bad event: \(.)"),
# Perfetto identifies a thread by its number alone, and the first thread of a process by the process number.
($events | map(select(.tid)) | group_by(.tid)[] | select(map(.pid) | unique | length > 1) | "a thread of two processes: \(.[0])"),
(([$events[].pid] | unique) as $pids | [$events[].tid // empty] | unique[] | select(. as $tid | $pids | bsearch($tid) >= 0) |
    "a thread with the number of a process: \(.)"),
($events | map(select(.ph == "M")) | group_by(.name, place)[] | select(length > 1) | "named twice: \(.[0])"),
($slices[] | select($thread[place] == null or $process["\(.pid)"] == null) | "a thread without a name: \(.)"),
($counters[] | select($process["\(.pid)"] == null) | "a process without a name: \(.)"),
($slices[] | select(.from < 0 or .to < .from or .to > $run.cycles) | "not in the run: \(.)"),
($counters[] | select(.ts < 0 or .ts >= $run.cycles) | "not in the run: \(.)"),
($tracks[] | sort_by(.from) | crossing | "slices that cross: \(.)"),
($tracks[] | select(map(.from) != (map(.from) | sort)) | "not in the order of time: \(.[0])"),
($counters | group_by(.pid, .name)[] | select(map(.ts) != (map(.ts) | unique)) | "a counter out of order: \(.[0])"),
($counters[] | .args | to_entries[] | select(.value < 0 or ((.key | test(" of [0-9]+$")) and .value > (.key | capacity))) |
    "beyond its capacity: \(.)"),
# A flow: one start, at most one step and one end, in order of time and, in one cycle, of the file.
($flows | group_by(.id)[] | select(map([.cat, .name]) | unique | length > 1) | "a flow with two names: \(.[0])"),
($flows | group_by(.id)[] | sort_by(.ts) | select(map(.ph) | . != ["s", "t", "f"] and . != ["s", "f"]) | "not a flow: \(.)"),
(($flows | bound($slices)) as $bound |
    ($bound[] | select(.slice == null) | "a flow in no slice: \(.)"),
    ($bound[] | select(.slice and .slice.nr > .nr) | "a flow before its slice: \(.)"),
    # Perfetto's arrows go from the end of a slice to the start of the next.
    ($bound | group_by(.id)[] | sort_by(.ts) | map(.slice // empty) | [., .[1:]] | transpose[] | select(.[1] and .[0].to > .[1].from) |
        "an arrow back in time: \(.)")),
if $about.cycles != $run.cycles or $about.complete != $run.complete or $about.identity != $run.identity then "of another run" else empty end,
# A channel has a counter for each of its DRAM banks, or for none.
($process | to_entries[] | select(.value | startswith("DRAM channel")) | .key as $pid |
    ([$counters[] | select("\(.pid)" == $pid and (.name | test("^DRAM bank [0-9]"))) | .name] | unique) as $names |
    select($names != [] and ([$counters[] | select("\(.pid)" == $pid and .name == "DRAM banks") | .args | keys[0] | capacity][0]) != ($names | length)) |
    "\(.value): counters of \($names | length) banks"),
# The timeline agrees with the statistics, unless it was thinned or cut off.
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
# A counter is a mean: over the run it equals the statistic, except for rounding. Each part counts cycles of its own clock.
(def area($name): $counters | map(select(.name == $name)) | [., .[1:] + [{ts: $run.cycles}]] | transpose |
    map(([.[0].args[]][0]) * (.[1].ts - .[0].ts)) | add // 0;
 def parts($place): $process | map(select(startswith($place))) | length;
 (["all SMs: L1D MSHR", "l1d_mshr_slot_cycles", "SM", "sm_cycles"], ["all SMs: issue", "warp_insts", "SM", "sm_cycles"],
  ["all SMs: LSU queue", "lsu_queue_cycles", "SM", "sm_cycles"], ["all L2 banks: L2 MSHR", "l2_mshr_slot_cycles", "L2 bank", "l2_cycles"],
  ["all DRAM channels: DRAM data bus", "dram_busy_cycles", "DRAM channel", "dram_cycles"],
  ["all DRAM channels: DRAM banks", "dram_bank_cycles", "DRAM channel", "dram_cycles"]) as [$name, $stat, $place, $clock] |
    (area($name) * $stats[$clock] / (parts($place) * $run.cycles)) as $area |
    select(($area - $stats[$stat] | fabs) > 0.01 * $stats[$stat] + 0.005 * $stats[$clock]) |
    "\($name): \($area), \($stat) is \($stats[$stat])");

# Timelines with one error each, and the expected message. Each edits the first matching event.
def first(cond; edit): .traceEvents |= ((map(cond) | index(true)) as $i | .[:$i] + [.[$i] | edit] + .[$i + 1:]);
def all(cond; edit): .traceEvents |= map(if cond then edit else . end);
def swap(cond; $by): .traceEvents |= ((map(cond) | index(true)) as $i | .[$i] as $e | del(.[$i]) | .[:$i + $by] + [$e] + .[$i + $by:]);
def broken($say; edit): {$say, file: edit};
def plants:
    (.traceEvents | map(select(.args.name == "kernels" or .args.name == "run").tid)) as [$run, $kernels] |
    broken("no unit of time"; del(.displayTimeUnit)),
    broken("a bad event"; first(.ph == "X"; .ts += 0.5), first(.ph == "X"; del(.dur)), first(.ph == "X"; .name = ""), first(.ph == "X"; .pid = "1"),
        first(.ph == "X"; .ph = "B"), first(.ph == "C"; .args |= map_values("1")), first(.ph == "C"; .args.more = 1), first(.ph == "C"; del(.ts)),
        first(.ph == "f"; del(.bp)), first(.ph == "s"; .id = "x"), first(.ph == "t"; del(.cat)), first(.ph == "M"; .name = "thread_color"),
        first(.name == "process_name"; .args.name = 1), first(.name == "thread_sort_index"; .args.sort_index = "1"), first(.name == "thread_name"; del(.tid))),
    broken("a thread of two processes"; first(.name == "replay"; .pid += 1)),
    broken("a thread with the number of a process"; all(.tid == $run; .tid = 1)),
    broken("named twice"; .traceEvents += [.traceEvents[] | select(.ph == "M")][:1]),
    broken("a thread without a name"; .traceEvents |= map(select(.name != "thread_name" or .tid != $kernels))),
    broken("a process without a name"; first(.ph == "C"; .pid = 9999)),
    broken("not in the run"; first(.ph == "X"; .dur += 1), first(.ph == "X"; .dur = -1), first(.ph == "C"; .ts = -64)),
    broken("slices that cross"; first(.name == "fault"; .dur = 1e6), swap(.name == "fault"; -1)),
    broken("not in the order of time"; swap(.name == "replay"; -3)),
    broken("a counter out of order"; .traceEvents += [.traceEvents[] | select(.ph == "C")][:1]),
    broken("beyond its capacity"; first(.ph == "C" and (.args | keys[0] | test(" of [0-9]")); .args |= map_values(1e6)), first(.ph == "C"; .args |= map_values(-1))),
    broken("a flow with two names"; first(.ph == "f"; .cat = "other"), first(.ph == "t"; .name = "other")),
    broken("not a flow"; first(.ph == "s"; .ph = "t"), first(.ph == "f"; .id += 100000), first(.ph == "f"; .ts = 0),
        .traceEvents |= map(select(.ph != "s")), .traceEvents += [.traceEvents[] | select(.ph == "s")][:1]),
    broken("a flow in no slice"; first(.ph == "f"; .ts += 1), first(.ph == "t"; .ts -= 1)),
    broken("a flow before its slice"; swap(.ph == "s"; -1), swap(.ph == "f"; -1)),
    broken("an arrow back in time"; first(.name == "fault"; .dur = 1100)),
    broken("of another run"; .otherData.identity = "0"),
    broken("counters of "; .traceEvents |= map(select(.name != "DRAM bank 00"))),
    broken("CTAs"; .traceEvents |= map(select(.name != "CTA 0"))),
    broken("kernels"; .traceEvents |= map(select(.tid != $kernels or .ph == "M"))),
    broken("not in its kernel"; first(.tid == $kernels and .ph == "X"; .dur -= 100)),
    broken("slices of PCIe to the GPU"; .traceEvents |= map(select(.args.pages == null))),
    broken("transfers"; .traceEvents |= map(select(.args.pages == null))),
    broken("it says other numbers"; .otherData.ctas.written += 1),
    broken("all SMs: L1D MSHR"; all(.name == "all SMs: L1D MSHR"; .args |= map_values(. / 2)));
# Planted faults that are not found; a rule may also fail on the fault of an earlier one.
def missed($run): [plants] | to_entries[] | .key as $nr | .value.say as $say |
    select(any(.value.file | try faults($run) catch ""; contains($say)) | not) | "plant \($nr) is not found: \($say)";
