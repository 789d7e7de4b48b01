rtl/sv/mil_if.sv
rtl/sv/mil_sv.sv
rtl/sv/mil_checks.sv
rtl/sv/mil_bind.sv
