#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: long, 300 s
# The port list of every block against its Verilog's ports, with each parameter at its least and at its greatest.
. tests/lib.bash

expect 0 make -s build/asan/tests/harness/test_ports
expect 0 build/asan/tests/harness/test_ports
finish
