rtl/sv/lease_if.sv
rtl/sv/lease_sv.sv
rtl/sv/lease_checks.sv
rtl/sv/lease_bind.sv
