#!/bin/bash
# static_mshr in lockstep alone: the size of the paper, with and without data, and odd ones.
. tests/lib.bash

cosim_points static_mshr <<'POINTS'
ENTRIES=32 SLOTS=8
ENTRIES=32 SLOTS=4 DATA_W=1024 ID_W=16
ENTRIES=5 SLOTS=1
ENTRIES=3 SLOTS=3 DATA_W=8
ENTRIES=4 SLOTS=64
POINTS
finish
