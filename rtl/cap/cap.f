rtl/lib/mt_regfile_1r1w.v
rtl/lib/mt_sum_rows.v
rtl/cap/cap_legal.v
rtl/cap/cap.v
