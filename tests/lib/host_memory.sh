#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The host's memory functions without sanitizers, which would replace them: mappings, small pieces, and huge pages for the heap.
# tier: test, 1 s
. tests/lib.bash

expect 0 "${CC:-cc}" -std=c11 -Wall -Wextra -Werror -D_GNU_SOURCE -O1 -Icmodel -I. -o "$work/test" tests/lib/test_host_memory.c cmodel/lib/host_memory.c cmodel/lib/alloc.c cmodel/lib/print.c cmodel/lib/message.c cmodel/lib/utf8.c -lcmocka
expect 0 "$work/test"
finish
