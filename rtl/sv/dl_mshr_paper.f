rtl/sv/dl_mshr_paper_if.sv
rtl/sv/dl_mshr_paper_sv.sv
rtl/sv/dl_mshr_paper_checks.sv
rtl/sv/dl_mshr_paper_bind.sv
