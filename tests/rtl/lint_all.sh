#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: long, 600 s
# Does what tests/rtl/lint.sh does for the other points too: every size with every tail, policy and width. Half of them, the benches and the
# contracts are also linted as SystemVerilog.
exec "$(dirname "$0")/lint.sh" --all
