rtl/aging_arbiter/aging_arbiter.v
