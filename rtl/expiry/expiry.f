rtl/lib/mt_first_id.v
rtl/lib/mt_onehot_enc.v
rtl/lib/mt_ram_1r1w.v
rtl/expiry/expiry_legal.v
rtl/expiry/expiry_tags.v
rtl/expiry/expiry_order.v
rtl/expiry/expiry.v
