rtl/sv/cap_if.sv
rtl/sv/cap_sv.sv
rtl/sv/cap_checks.sv
rtl/sv/cap_bind.sv
