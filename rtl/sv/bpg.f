rtl/sv/bpg_if.sv
rtl/sv/bpg_sv.sv
rtl/sv/bpg_checks.sv
rtl/sv/bpg_bind.sv
