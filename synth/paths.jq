# SPDX-License-Identifier: Apache-2.0
# The slowest path of each design of timing.json, and a histogram of the slack of all endpoints.
include "common";
def pin: sub("_reg/[A-Z0-9]+$"; "");
def bar($most): "#" * (. / $most * 60 | ceil);
def left($width): (" " * ([$width - length, 0] | max) // "") + .;

.clock_ns as $clock
| .designs[]
| "", "\(.name): \(.start | pin) -> \(.end | pin), \(.min_period_ns | fixed(3)) ns",
  (.stages[] | "  \(.time_ns | fixed(3) | left(7))  \(.cell)  \(.at | pin)"),
  "slack at \($clock) ns",
  # In steps of a twentieth of the clock. Endpoints without a path through logic have full slack.
  ([.needs | to_entries[] | {step: (($clock - (.key | tonumber) / 100) / $clock * 20 | floor), n: .value}] | group_by(.step)
   | map({step: .[0].step, n: (map(.n) | add)}) | (map(.n) | max) as $most
   | .[] | "  \(.step * $clock / 20 | fixed(2) | left(7)) ..\((.step + 1) * $clock / 20 | fixed(2) | left(6)) \(.n | tostring | left(6)) \(.n | bar($most))")
