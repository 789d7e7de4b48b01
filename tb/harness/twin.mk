# Builds one Verilog twin: a shared object of the Verilated block behind a C face (shim.cpp).
# Run from the repo root; twin.c does so under a lock (OUT/NAME.lock). By hand:
#
#   make -f tb/harness/twin.mk BLOCK=dl_mshr PARAMS="SETS=4 SLOTS=2 ..." [RTL=rtl] [OUT=build/twins] [WAVE=1]
#
# PARAMS names every parameter, in the order of the block's table. WAVE=1 can write waves, and is slower.
# The log is OUT/NAME.log. The object appears by rename, complete or not at all.

RTL ?= rtl
OUT ?= build/twins
VERILATOR ?= verilator
CXX ?= g++
TWIN_CFLAGS ?= -O2
TWIN_VFLAGS ?=

empty :=
space := $(empty) $(empty)
comma := ,

ifeq ($(BLOCK),)
$(error BLOCK is not set)
endif

NAME := $(subst $(space),,$(BLOCK)$(foreach p,$(PARAMS),-$(subst =,,$(p)))$(if $(WAVE),-wave))
VALUES := $(subst $(space),$(comma),$(foreach p,$(PARAMS),$(lastword $(subst =, ,$(p)))))
TARGET := $(OUT)/$(NAME).so
OBJ := $(OUT)/$(NAME).obj
LOG := $(OUT)/$(NAME).log

LIST := $(RTL)/$(BLOCK)/$(BLOCK).f
SOURCES := $(shell sed -e 's,//.*,,' -e '/^[+-]/d' -e 's,^[[:space:]]*rtl/,$(RTL)/,' $(LIST))
HEADERS := cmodel/block/block.h $(wildcard cmodel/*/*_ports.h) tb/harness/twin_abi.h
ALL_RTL := $(shell find $(RTL) -name '*.v' -o -name '*.vh' -o -name '*.f')
INCLUDES := $(addprefix -I,$(patsubst %/,%,$(wildcard $(RTL)/*/)))

VROOT := $(shell $(VERILATOR) --getenv VERILATOR_ROOT)
# -Wno-fatal: warnings are the business of `make lint`, which fails on them; a twin of broken RTL has to build.
VFLAGS := --cc --top-module $(BLOCK) --prefix V$(BLOCK) --language 1364-2005 -Wno-fatal -O3 \
    --x-assign unique --x-initial unique --threads 1 --no-timing --output-split 0 --flatten --unroll-count 300 --unroll-stmts 100000 \
    $(if $(WAVE),--trace --trace-structs) $(TWIN_VFLAGS) $(INCLUDES) $(addprefix -G,$(PARAMS))
# Flags that count coverage (TWIN_VFLAGS=--coverage-line ..): see twin::write_coverage in shim.cpp. Counters are most of the C++ then.
COVERAGE := $(findstring --coverage,$(TWIN_VFLAGS))

# A function of very many statements takes the compiler minutes and gigabytes. Above so many lines of C++ the design is verilated again into
# functions of FUNCTION statements, which run slower; above the second limit its loops stay loops, which run slower still.
SPLIT_LINES := 30000
LOOP_LINES := $(if $(COVERAGE),1000000,120000)
FUNCTION := 300
RUNTIME := verilated.cpp verilated_threads.cpp $(if $(WAVE),verilated_vcd_c.cpp) $(if $(COVERAGE),verilated_cov.cpp)
RUNTIME_OBJ := $(OUT)/runtime$(if $(WAVE),-wave).o
DEFINES := -DVM_TRACE=$(if $(WAVE),1,0) -DVM_TRACE_VCD=$(if $(WAVE),1,0) -DVM_TRACE_FST=0 \
    -DVM_COVERAGE=$(if $(COVERAGE),1,0) -DVM_SC=0 -DVL_USER_FINISH -DVL_USER_STOP -DVL_USER_FATAL
CXXFLAGS := -std=gnu++17 -fPIC -fvisibility=hidden -fvisibility-inlines-hidden -fno-gnu-unique \
    -fcf-protection=none -fno-plt -w $(DEFINES) -I$(VROOT)/include -I$(VROOT)/include/vltstd

$(TARGET): $(ALL_RTL) $(HEADERS) $(RUNTIME_OBJ) tb/harness/shim.cpp tb/harness/twin.mk
	@mkdir -p $(OUT); set -e; rm -rf $(OBJ); trap 'rm -rf $(OBJ)' EXIT; trap 'exit 130' INT TERM HUP; \
	verilate() { rm -rf $(OBJ); $(VERILATOR) $(VFLAGS) "$$@" --Mdir $(OBJ) $(SOURCES) >$(LOG) 2>&1; }; \
	verilate; lines=$$(cat $(OBJ)/V*.cpp | wc -l); \
	if [ $$lines -gt $(LOOP_LINES) ]; then verilate --output-split-cfuncs $(FUNCTION) --unroll-count 1; \
	elif [ $$lines -gt $(SPLIT_LINES) ]; then verilate --output-split-cfuncs $(FUNCTION); fi; \
	others=$$(ls $(OBJ)/V*.h | sed -e 's,.*/,,' -e '/^V$(BLOCK)\(\|__Syms\|__pch\|___024root\)\.h$$/d'); \
	if [ -n "$$others" ]; then \
	    echo "Error: shim.cpp looks for all state in V$(BLOCK)___024root.h, and there is:" $$others >>$(LOG); exit 1; \
	fi; \
	for f in $(OBJ)/V*.cpp; do echo "#include \"$${f##*/}\""; done >$(OBJ)/twin_all.cpp; \
	echo '#include "tb/harness/shim.cpp"' >>$(OBJ)/twin_all.cpp; \
	$(CXX) $(CXXFLAGS) $(TWIN_CFLAGS) -DSHIM_TOP=V$(BLOCK) -DSHIM_TOP_H='"V$(BLOCK).h"' \
	    -DSHIM_ROOT_H='"V$(BLOCK)___024root.h"' \
	    -DSHIM_PORTS_H='"$(BLOCK)/$(BLOCK)_ports.h"' -DSHIM_BLOCK='"$(BLOCK)"' \
	    -DSHIM_PARAMS='"$(PARAMS)"' -DSHIM_VALUES='$(VALUES)' -I$(OBJ) -I. -Icmodel -Itb \
	    -shared -o $(OBJ)/twin.so $(OBJ)/twin_all.cpp $(RUNTIME_OBJ) \
	    -Wl,--exclude-libs,ALL -Wl,-Bsymbolic -pthread >>$(LOG) 2>&1; \
	mv -f $(OBJ)/twin.so $@

# Verilator's runtime, one copy in every twin (hidden symbols, so that twins do not share state).
$(RUNTIME_OBJ): tb/harness/twin.mk
	@mkdir -p $(OUT)
	@d=$$(mktemp -d $(OUT)/runtime.XXXXXX) && trap 'rm -rf $$d' EXIT && trap 'exit 130' INT TERM HUP && \
	for f in $(RUNTIME); do echo "#include \"$(VROOT)/include/$$f\""; done >$$d/runtime.cpp && \
	$(CXX) $(CXXFLAGS) -O2 -c -o $$d/runtime.o $$d/runtime.cpp >$(LOG) 2>&1 && mv -f $$d/runtime.o $@
