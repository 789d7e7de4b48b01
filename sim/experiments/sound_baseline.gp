# SPDX-License-Identifier: Apache-2.0
call "bars.gp" "sound_baseline_index" "Set indices of the L1D, over BMOD" 1100 6
call "bars.gp" "sound_baseline_steps" "Step by step, over the default configuration" 1100 4
