# SPDX-License-Identifier: Apache-2.0
call "bars.gp" "dl_mshr_schemes" "DL-MSHR on the paper's kernels" 1200 4
