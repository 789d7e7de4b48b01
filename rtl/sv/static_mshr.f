rtl/sv/static_mshr_if.sv
rtl/sv/static_mshr_sv.sv
rtl/sv/static_mshr_checks.sv
rtl/sv/static_mshr_bind.sv
