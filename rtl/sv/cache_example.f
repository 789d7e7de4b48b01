rtl/sv/cache_example_if.sv
rtl/sv/cache_example_sv.sv
rtl/sv/cache_example_checks.sv
rtl/sv/cache_example_bind.sv
