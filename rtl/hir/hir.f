rtl/lib/mt_onehot_enc.v
rtl/lib/mt_onehot_mux.v
rtl/lib/mt_ram_1r1w.v
rtl/hir/hir_legal.v
rtl/hir/hir_bump.v
rtl/hir/hir_ways.v
rtl/hir/hir_order.v
rtl/hir/hir.v
