rtl/sv/dl_mshr_if.sv
rtl/sv/dl_mshr_sv.sv
rtl/sv/dl_mshr_checks.sv
rtl/sv/dl_mshr_bind.sv
