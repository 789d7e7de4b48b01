#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The host's memory without sanitizers, which replace what is tested: mappings, small pieces, huge pages of the heap.
# tier: test, 1 s
. tests/lib.bash

expect 0 "${CC:-cc}" -std=c11 -Wall -Wextra -Werror -D_GNU_SOURCE -O1 -Icmodel -o "$work/test" tests/lib/test_host_memory.c cmodel/lib/host_memory.c cmodel/lib/alloc.c -lcmocka
expect 0 "$work/test"
finish
