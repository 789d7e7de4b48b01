#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Writes build/report/coverage.md from build/coverage/rtl.json and c.json of `make coverage`.
set -euo pipefail
. "$(dirname "$0")/../../tb/env.bash"
show_help "$@"
[ $# -eq 0 ] || { echo "coverage: unknown argument $1" >&2; exit 1; }
OUT=${OUT:-build/coverage}
part() { # REPORT PART
    jq -r --arg part "$2" -f tb/coverage/page.jq "$OUT/$1.json"
}
for report in rtl c; do [ -s "$OUT/$report.json" ] || { echo "coverage: no $OUT/$report.json: run make coverage" >&2; exit 1; }; done
cat >"$OUT/page.new" <<END
# Coverage

Written by \`make coverage\`. The same as text and as JSON, with the line of each hole: \`build/coverage/rtl.txt\`, \`c.txt\`.

A line that is executed is not a line that is checked: here every output is compared in every cycle, so what a line of the Verilog does to an output is seen when it does it. What the figures cannot say, mutants can.

## The Verilog

Each block alone in lockstep with its model, at its points tagged \`cosim\`, for 40,000 cycles at each (that test runs more); Verilator counts (\`tb/coverage/rtl.sh\`). Counts of instances and points are added by file.

* **lines**: of \`always\` blocks and functions. An \`always\` block that is elaborated at none of the points counts as a line that was not executed. **arms**: of \`if\` and \`case\`, one that is not written too. Verilator does not count in \`assign\` nor in \`?:\`, where most of this Verilog's logic
  is: the bits count for that. Contracts (\`ifdef FORMAL\`) are left out.
* **bits**: each bit of each signal of at most 128 bits (wider ones are counted where they are narrower) that has changed at least twice in one instance. It begins at 0, so one change may be no more than leaving the power-up state.

$(part rtl blocks)

By file, over all blocks that use it:

$(part rtl files)

### Holes of the Verilog

Each has a reason in \`tb/coverage/explained.txt\`, which names signals and bits; a hole without one, or a reason without a hole, makes \`make coverage\` fail. A signal without bits: none of them moves. Bits are numbered from 0 at the widest point.
A function of which no line was executed is one hole.

$(part rtl holes)

## The C model, its harness, the program

The C tests, the random drivers of all blocks without their Verilog, and scripts of \`tests/\` that run the program; gcc and gcovr count lines (\`tb/coverage/c.sh\`). The tests themselves are not counted.

$(part c blocks)

### Holes of the C

A hole is a run of lines without an executed one between them.

$(part c holes)
END
mkdir -p build/report
mv "$OUT/page.new" build/report/coverage.md
