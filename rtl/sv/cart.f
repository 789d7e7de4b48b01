rtl/sv/cart_if.sv
rtl/sv/cart_sv.sv
rtl/sv/cart_checks.sv
rtl/sv/cart_bind.sv
