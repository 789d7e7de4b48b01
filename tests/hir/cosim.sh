#!/bin/bash
# hir in lockstep alone: that of the paper, smaller ones, one set, one way, one entry, the ends of each width, most entries and ways.
. tests/lib.bash

cosim_points hir <<'POINTS'
SETS=128
SETS=64 LOST_W=4
SETS=128 WAYS=4 PAGES=32 COUNT_W=1 LOST_W=10
SETS=1 WAYS=1 SET_W=4 PAGES=2 COUNT_W=1 LOST_W=1
SETS=1 WAYS=8 SET_W=4 PAGES=32 COUNT_W=2
SETS=16 WAYS=1 SET_W=6 COUNT_W=4 LOST_W=4
SETS=8 WAYS=3 SET_W=4 PAGES=4 COUNT_W=3 LOST_W=8
SETS=2 WAYS=16 SET_W=5 PAGES=8 COUNT_W=4 LOST_W=3
SETS=4 WAYS=5 SET_W=6 PAGES=2 LOST_W=2
SETS=1024 WAYS=1 SET_W=11 PAGES=8 LOST_W=12
SETS=1024 WAYS=16 COUNT_W=4
POINTS

expect 0 "$MEMTWIN" cosim hir
! grep 'too few' "$work/out" || complain "no floors at the defaults"
finish
