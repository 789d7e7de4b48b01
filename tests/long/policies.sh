#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The whole system at a thousand random points of policies, MSHR kinds and sizes, under sanitizers: random traffic passes the data check,
# statistics are consistent, and skipping changes nothing.
. tests/lib.bash

expect 0 make -s build/asan/tests/gpu/test_policies
expect 0 build/asan/tests/gpu/test_policies 1000
tail -n 3 "$work/out"
finish
