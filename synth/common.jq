# Shared by the reports' jq.
# A figure in a table, rounded or as it is; "-" if there is none.
def i: if . == null then "-" else round | tostring end;
def r: if . == null then "-" else tostring end;
def total(f): map(f) | add // 0;
# um2 of stored shapes (flow.bash: map): in flip-flops, and as macros; null if they are not priced
def in_flops: total(.n * .area);
def as_macros: if any(.macro == null) then null else total(.n * .macro) end;
