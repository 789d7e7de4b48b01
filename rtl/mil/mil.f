rtl/lib/mt_cyclic_first.v
rtl/mil/mil_legal.v
rtl/mil/mil_div.v
rtl/mil/mil_kernel.v
rtl/mil/mil_shares.v
rtl/mil/mil_quota.v
rtl/mil/mil.v
