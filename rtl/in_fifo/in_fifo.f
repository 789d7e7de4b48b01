rtl/lib/mt_fifo_ptr.v
rtl/lib/mt_regfile_1r1w.v
rtl/incoming/incoming_legal.v
rtl/in_fifo/in_fifo.v
