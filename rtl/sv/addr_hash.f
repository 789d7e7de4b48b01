rtl/addr_hash/addr_hash_bare.v
rtl/sv/addr_hash_if.sv
rtl/sv/addr_hash_sv.sv
rtl/sv/addr_hash_checks.sv
rtl/sv/addr_hash_bind.sv
