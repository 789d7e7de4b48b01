rtl/static_mshr/static_mshr_bare.v
rtl/sv/static_mshr_if.sv
rtl/sv/static_mshr_sv.sv
rtl/sv/static_mshr_checks.sv
rtl/sv/static_mshr_bind.sv
