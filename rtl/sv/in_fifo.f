rtl/sv/in_fifo_if.sv
rtl/sv/in_fifo_sv.sv
rtl/sv/in_fifo_checks.sv
rtl/sv/in_fifo_bind.sv
