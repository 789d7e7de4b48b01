#!/bin/bash
# in_fifo in lockstep alone: one place, two, odd and many; narrow and wide ports.
. tests/lib.bash

cosim_points in_fifo <<'POINTS'
DEPTH=8
DEPTH=1
DEPTH=2 ADDR_W=1 ID_W=1
DEPTH=5 ADDR_W=48 ID_W=32
DEPTH=64
POINTS
finish
