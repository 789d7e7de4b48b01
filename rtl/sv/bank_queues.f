rtl/sv/bank_queues_if.sv
rtl/sv/bank_queues_sv.sv
rtl/sv/bank_queues_checks.sv
rtl/sv/bank_queues_bind.sv
