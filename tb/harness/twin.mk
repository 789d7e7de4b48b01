# SPDX-License-Identifier: Apache-2.0
# Builds one Verilog twin: a shared object of the Verilated block with a C interface (shim.cpp). Run from the repo root; twin.c does so
# under a lock (OUT/NAME.lock). By hand:
#
#   make -f tb/harness/twin.mk BLOCK=dl_mshr PARAMS="SETS=4 SLOTS=2 ..." [RTL=rtl] [OUT=build/twins] [BRIEF=1 | WAVE=vcd | WAVE=fst] [BARE=1]
#   PROJECT=folder   of a user's block; its cmodel/ has the port list, its tb/ the observer
#
# The top module is the block's observer, BLOCK_observe, which adds the st_ ports: RTL/BLOCK/BLOCK_observe.v, else PROJECT/tb/BLOCK/BLOCK_observe.v.
# A block without observer, or with BARE=1, is itself the top module. BARE=1 leaves the observed ports 0.
# PARAMS names every parameter, in the order of the block's table. Variants have different file names: BRIEF=1 builds in a fifth of the time
# and runs at half the speed; WAVE can write waves, and is slower.
# The log is OUT/NAME.log. The object is renamed into place when complete.

PROJECT ?= .
RTL ?= rtl
OUT ?= build/twins
VERILATOR ?= verilator
CXX ?= g++
KIND := $(if $(WAVE),$(if $(filter fst,$(WAVE)),-fst,-wave),$(if $(BRIEF),-brief))
VARIANT := $(if $(BARE),-bare)$(KIND)
TWIN_CFLAGS ?= $(if $(KIND),-O0,-O2)
TWIN_VFLAGS ?=

empty :=
space := $(empty) $(empty)
comma := ,

ifeq ($(BLOCK),)
$(error BLOCK is not set)
endif

NAME := $(subst $(space),,$(BLOCK)$(foreach p,$(PARAMS),-$(subst =,,$(p)))$(VARIANT))
VALUES := $(subst $(space),$(comma),$(foreach p,$(PARAMS),$(lastword $(subst =, ,$(p)))))
TARGET := $(OUT)/$(NAME).so
OBJ := $(OUT)/$(NAME).obj
LOG := $(OUT)/$(NAME).log

LIST := $(RTL)/$(BLOCK)/$(BLOCK).f
OBSERVER := $(if $(BARE),,$(firstword $(wildcard $(addsuffix /$(BLOCK)/$(BLOCK)_observe.v,$(RTL) $(PROJECT)/tb))))
TOP := $(BLOCK)$(if $(OBSERVER),_observe)
SOURCES := $(shell sed -e 's,//.*,,' -e '/^[+-]/d' -e 's,^[[:space:]]*rtl/,$(RTL)/,' $(LIST)) $(OBSERVER)
HINTS := tb/harness/twin.vlt
INCLUDES := $(addprefix -I,$(patsubst %/,%,$(wildcard $(RTL)/*/)) $(PROJECT))

# Evaluated once, when a target is built.
VROOT = $(eval VROOT := $$(shell $(VERILATOR) --getenv VERILATOR_ROOT 2>/dev/null))$(VROOT)
# Path, date and size of Verilator: asking for its version would take longer than everything else when a twin is up to date.
VERSION := $(shell found=$$(command -v $(VERILATOR)) && stat -L -c '%n %Y %s' $$found $$(command -v verilator_bin) | cksum)
VERSION_KEY := $(firstword $(VERSION))
# The Verilator that built the twins in OUT. The file is rewritten when Verilator changes, which rebuilds them.
VERSION_FILE := $(if $(VERSION),$(OUT)/verilator)
ifneq ($(VERSION),$(if $(VERSION_FILE),$(file <$(VERSION_FILE))))
$(shell mkdir -p $(OUT) && echo '$(VERSION)' >$(OUT)/verilator.$$$$ && mv -f $(OUT)/verilator.$$$$ $(OUT)/verilator)
endif
NEEDS = mkdir -p $(OUT); for tool in $(VERILATOR) $(CXX); do \
	command -v $$tool >/dev/null || { echo "Error: $$tool is not installed; it is needed to build twins" >$(LOG); exit 1; }; done

# -Wno-fatal: `make lint` fails on warnings; a twin of faulty RTL must build.
VFLAGS := --cc --top-module $(TOP) --prefix V$(BLOCK) --language 1364-2005 -Wno-fatal -O3 \
    --x-assign unique --x-initial unique --threads 1 --no-timing --output-split 0 --flatten --unroll-count 300 --unroll-stmts 100000 \
    $(if $(WAVE),--trace$(if $(filter fst,$(WAVE)),-fst) --trace-structs) $(TWIN_VFLAGS) $(HINTS) $(INCLUDES) $(addprefix -G,$(PARAMS))
# Flags that enable coverage counters (TWIN_VFLAGS=--coverage-line ..): see twin::write_coverage in shim.cpp. Counters are most of the C++ then.
COVERAGE := $(findstring --coverage,$(TWIN_VFLAGS))

# The compiler needs minutes and gigabytes for a function of very many statements. Above SPLIT_LINES lines of C++ the design is verilated
# again into functions of FUNCTION statements, which run slower. Above LOOP_LINES loops are not unrolled, which is slower still, where
# Verilator permits it (not for loops that write arrays, nor generate loops above 16).
SPLIT_LINES ?= 30000
LOOP_LINES ?= $(if $(COVERAGE),1000000,120000)
FUNCTION := 300
RUNTIME := verilated.cpp verilated_threads.cpp $(if $(WAVE),verilated_$(if $(filter fst,$(WAVE)),fst,vcd)_c.cpp) $(if $(COVERAGE),verilated_cov.cpp)
# Parts common to all twins are built once, for other twin folders too.
SHARED := $(if $(shell [ -d build ] && { [ -d build/twins ] || mkdir -p build/twins 2>/dev/null; } && [ -w build/twins ] && echo yes),build/twins,$(OUT))
RUNTIME_OBJ := $(SHARED)/runtime$(if $(WAVE),$(KIND))$(if $(COVERAGE),-coverage)-$(VERSION_KEY).o
PRECOMPILED := $(if $(COVERAGE),,$(SHARED)/shared$(KIND)-$(VERSION_KEY).h)
DEFINES := -DVM_TRACE=$(if $(WAVE),1,0) -DVM_TRACE_VCD=$(if $(filter-out fst,$(WAVE)),1,0) -DVM_TRACE_FST=$(if $(filter fst,$(WAVE)),1,0) \
    -DVM_COVERAGE=$(if $(COVERAGE),1,0) -DVM_SC=0 -DVL_USER_FINISH -DVL_USER_STOP -DVL_USER_FATAL
CXXFLAGS = -std=gnu++17 -fPIC -fvisibility=hidden -fvisibility-inlines-hidden -fno-gnu-unique \
    -fcf-protection=none -fno-plt -w $(DEFINES) -I$(VROOT)/include -I$(VROOT)/include/vltstd

# Rebuilt when a file has changed that Verilator or the compiler has read: OUT/NAME.d.
$(TARGET): $(LIST) $(SOURCES) $(RUNTIME_OBJ) $(PRECOMPILED) $(VERSION_FILE) tb/harness/twin.mk $(HINTS)
	@$(NEEDS); set -e; rm -rf $(OBJ); trap 'rm -rf $(OBJ)' EXIT; trap 'exit 130' INT TERM HUP; \
	verilate() { rm -rf $(OBJ); $(VERILATOR) $(VFLAGS) "$$@" --Mdir $(OBJ) $(SOURCES) >$(LOG) 2>&1; }; \
	verilate; lines=$$(cat $(OBJ)/V*.cpp | wc -l); \
	if [ $$lines -gt $(LOOP_LINES) ]; then verilate --output-split-cfuncs $(FUNCTION) --unroll-count 1 || verilate --output-split-cfuncs $(FUNCTION); \
	elif [ $$lines -gt $(SPLIT_LINES) ]; then verilate --output-split-cfuncs $(FUNCTION); fi; \
	others=$$(ls $(OBJ)/V*.h | sed -e 's,.*/,,' -e '/^V$(BLOCK)\(\|__Dpi\|__Syms\|__pch\|___024root\)\.h$$/d'); \
	if [ -n "$$others" ]; then \
	    echo "Error: shim.cpp requires all state in V$(BLOCK)___024root.h, but there is also:" $$others >>$(LOG); exit 1; \
	fi; \
	for f in $(OBJ)/V*.cpp; do echo "#include \"$${f##*/}\""; done >$(OBJ)/twin_all.cpp; \
	echo '#include "tb/harness/shim.cpp"' >>$(OBJ)/twin_all.cpp; \
	$(CXX) $(CXXFLAGS) $(TWIN_CFLAGS) $(PRECOMPILED:%=-include %) -MMD -MF $(OBJ)/twin.d -DSHIM_TOP=V$(BLOCK) -DSHIM_TOP_H='"V$(BLOCK).h"' \
	    -DSHIM_ROOT_H='"V$(BLOCK)___024root.h"' \
	    -DSHIM_PORTS_H='"$(BLOCK)/$(BLOCK)_ports.h"' -DSHIM_BLOCK='"$(BLOCK)"' \
	    -DSHIM_PARAMS='"$(PARAMS)"' -DSHIM_VALUES='$(VALUES)' $(if $(BARE),-DSHIM_BARE) -I$(OBJ) -I$(PROJECT)/cmodel -I. -Icmodel -Itb \
	    -shared -o $(OBJ)/twin.so $(OBJ)/twin_all.cpp $(RUNTIME_OBJ) \
	    -Wl,--exclude-libs,ALL -Wl,-Bsymbolic -pthread $(if $(filter fst,$(WAVE)),-lz $(addprefix -Wl$(comma)--wrap=,fwrite fseeko fflush fclose mmap)) >>$(LOG) 2>&1; \
	{ cat $(OBJ)/twin.d; sed 's/^[^:]*://' $(OBJ)/V$(BLOCK)__ver.d; } | tr -d '\\' | tr -s ' \n' '\n' | grep -v -e ':$$' -e '^$(OBJ)/' | sort -u | \
	    sed -n 's|..*|$@: &\n&:|p' >$(OBJ)/d; \
	mv -f $(OBJ)/d $(OUT)/$(NAME).d; mv -f $(OBJ)/twin.so $@

-include $(OUT)/$(NAME).d

# Verilator's runtime, one copy in every twin (hidden symbols, so that twins do not share state).
$(RUNTIME_OBJ): tb/harness/twin.mk
	@$(NEEDS); mkdir -p $(@D); set -e; d=$$(mktemp -d $(@D)/runtime.XXXXXX); trap 'rm -rf $$d' EXIT; trap 'exit 130' INT TERM HUP; \
	for f in $(RUNTIME); do echo "#include \"$(VROOT)/include/$$f\""; done >$$d/runtime.cpp; \
	$(CXX) $(CXXFLAGS) -O2 -c -o $$d/runtime.o $$d/runtime.cpp >$(LOG) 2>&1; mv -f $$d/runtime.o $@

# Precompiled headers of every twin; the compiler ignores them if the flags differ.
$(PRECOMPILED): tb/harness/twin.mk tb/harness/shim.cpp
	@$(NEEDS); mkdir -p $(@D); set -e; d=$$(mktemp -d $(@D)/runtime.XXXXXX); trap 'rm -rf $$d' EXIT; trap 'exit 130' INT TERM HUP; \
	grep -h '^#include <' tb/harness/shim.cpp >$$d/shared.h; echo '#include "verilated.h"' >>$$d/shared.h; \
	$(CXX) $(CXXFLAGS) $(TWIN_CFLAGS) -x c++-header -o $$d/shared.h.gch $$d/shared.h >$(LOG) 2>&1; \
	mv -f $$d/shared.h.gch $@.gch; mv -f $$d/shared.h $@
