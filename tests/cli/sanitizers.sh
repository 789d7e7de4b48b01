#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: long, 17 s
# Runs the program under the address and undefined-behavior sanitizers: every error path, planted faults, JSON, Ctrl-C.
set -u
. "$(dirname "$0")/../../tb/env.bash"
export MEMTWIN=build/memtwin-asan
failures=0
for script in cli/config cli/errors cli/help cli/json cli/plants cli/interrupt trace/run_trace; do
    bash tests/$script.sh || { echo "FAIL: $script.sh with $MEMTWIN"; failures=$((failures + 1)); }
done
[ $failures -eq 0 ]
