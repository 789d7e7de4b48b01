# SPDX-License-Identifier: Apache-2.0
call "bars.gp" "cart_schemes_narrow" "" 1400 6
call "bars.gp" "cart_schemes_wide" "" 1400 6
