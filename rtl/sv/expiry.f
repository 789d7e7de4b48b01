rtl/sv/expiry_if.sv
rtl/sv/expiry_sv.sv
rtl/sv/expiry_checks.sv
rtl/sv/expiry_bind.sv
