rtl/sv/addr_hash_if.sv
rtl/sv/addr_hash_sv.sv
rtl/sv/addr_hash_checks.sv
rtl/sv/addr_hash_bind.sv
