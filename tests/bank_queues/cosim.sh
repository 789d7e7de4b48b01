#!/bin/bash
# bank_queues in lockstep alone: a queue for each bank and fewer, one place, odd and many, held or not, the bank in any bits.
. tests/lib.bash

cosim_points bank_queues <<'POINTS'
DEPTH=16
DEPTH=16 HOLD=0
DEPTH=3 QUEUES=4
DEPTH=1 BANKS=2 BANK_MASK=1 QUEUES=2 ADDR_W=1 ID_W=1
DEPTH=5 BANKS=64 BANK_MASK=1073742095 ADDR_W=48 ID_W=32 QUEUES=8 HOLD=0
DEPTH=64 BANKS=4 BANK_MASK=3 QUEUES=2
POINTS
finish
