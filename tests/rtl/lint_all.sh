#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: long, 600 s
# As tests/rtl/lint.sh, at the other points too: every size with every tail, policy and width; half of them, the benches and the contracts as SystemVerilog too.
exec "$(dirname "$0")/lint.sh" --all
