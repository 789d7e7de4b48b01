rtl/sv/hir_if.sv
rtl/sv/hir_sv.sv
rtl/sv/hir_checks.sv
rtl/sv/hir_bind.sv
