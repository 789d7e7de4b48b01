# SPDX-License-Identifier: Apache-2.0
call "bars.gp" "dl_mshr_schemes_miss" "L1D: allocation on a miss" 1200 4
call "bars.gp" "dl_mshr_schemes_fill" "L1D: allocation on fill" 1200 4
