# SPDX-License-Identifier: Apache-2.0
# MemTwin. `make help` lists the targets; everything is built under build/.
VERSION := 0.1.0

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules
# Default: one job per processor, unless the command line has -jN. With `clean`, targets run in order: `make clean test`.
ifeq ($(MAKELEVEL)$(filter clean,$(MAKECMDGOALS)),0)
MAKEFLAGS += -j$(shell nproc)
endif
SHELL := /bin/bash
# The C locale: decimal points and one sort order for every user (tb/env.bash sets it for scripts run by hand).
export LC_ALL := C
unexport CDPATH

B := build
# 1: profile-guided optimization; 0: none. Default: as in the last build.
ifeq ($(origin PGO),undefined)
PGO := $(if $(filter profile,$(firstword $(shell cat $(B)/built_with 2>/dev/null))),1)
endif
ifneq ($(filter-out 0 1,$(PGO)),)
$(error PGO=$(PGO): expected 0 or 1)
endif
override PGO := $(filter-out 0,$(PGO))
export MEMTWIN_HOME := $(CURDIR)

# ---- Debian packages and their uses ----
PACKAGES :=
PACKAGES += gcc              # the C model and the program
PACKAGES += g++              # Verilated twins and their shim
PACKAGES += make             # twins are built on demand by the program too
PACKAGES += git              # version: commit, and whether the tree is modified
PACKAGES += verilator        # lint; the RTL as a shared object: the twin
PACKAGES += iverilog         # lint; replay of recorded vectors in four states
PACKAGES += yosys            # lint; area; ports of a module as JSON; mutants; with its ABC: proofs
PACKAGES += opensta          # timing
PACKAGES += nextpnr-ice40    # place and route on an iCE40 FPGA: size and speed of the blocks
PACKAGES += qflow-tech-osu018 # open cell library, OSU 0.18 um: area without a download
PACKAGES += libcmocka-dev    # C tests
PACKAGES += libcjson-dev     # writes JSON
PACKAGES += libinih-dev      # reads configuration files
PACKAGES += libcsv-dev       # reads the published figures that studies are compared with
PACKAGES += liblzma-dev      # reads traces in xz files
PACKAGES += zlib1g-dev       # .. in gzip files; writes waves in FST files
PACKAGES += libzstd-dev      # .. in zstd files
PACKAGES += libiberty-dev    # names of C++ kernels
PACKAGES += libxxhash-dev    # content hash of traces and results
PACKAGES += libsqlite3-dev   # databases of studies
PACKAGES += sqlite3          # .. read by the pages of experiments and in tests
PACKAGES += jq               # JSON in scripts of experiments and tests
PACKAGES += libjs-vega       # plots of `memtwin report`, embedded in the program ..
PACKAGES += node-d3-dsv      # .. with the parts of D3 that Vega imports
PACKAGES += node-d3-geo
PACKAGES += node-d3-scale
PACKAGES += node-d3-shape
PACKAGES += node-d3-timer
PACKAGES += esbuild          # .. bundled into one script
PACKAGES += nodejs           # plots of the documents, by the same library
PACKAGES += bsdextrautils    # column: tables of the synthesis report
PACKAGES += gcovr            # line coverage of the C model
PACKAGES += python3-jsonschema # JSON files agree with their schemas, in tests
PACKAGES += yq               # FuseSoC cores (YAML) as JSON, in tests
PACKAGES += zsh              # tests of its completion
PACKAGES += man-db           # man pages in tests: man and whatis
PACKAGES += mandoc           # .. and their syntax
PACKAGES += dpkg-dev         # make deb: finds the packages of the program's libraries
PACKAGES += debootstrap      # .. creates a clean Debian for tests
PACKAGES := $(strip $(PACKAGES))
# Only for test-full, to spare other users the daemons of a cluster. Without /etc/slurm/slurm.conf they are not started.
test-full: PACKAGES += slurm-wlm # a cluster on this machine: tests/study/slurm.sh
test-full: PACKAGES += munge     # .. with its own key
test-full: PACKAGES += mkdocs-material # make docs: the site, with its theme
test-full: PACKAGES += cmark-gfm # .. compared with pages as GitHub shows them
test-full: PACKAGES += graphviz  # figures of the documents
docs: PACKAGES += mkdocs-material graphviz

# ---- Variables on the command line, and the targets that take them: another target would ignore them ----
WITH_LIBRARY := synth timing sweep synth-tables netlist power
BLOCKS   := $(shell sed -n 's/^BLOCK(\(.*\))/\1/p' cmodel/blocks.def)
TAKE_BLOCK   := cosim timing fpga formal
TAKE_PARAMS  := cosim timing fpga
TAKE_CYCLES  := cosim coverage power experiment-% lockstep-%
TAKE_SEED    := cosim mutation
TAKE_LIBERTY := $(WITH_LIBRARY)
TAKE_FAKERAM := $(WITH_LIBRARY)
TAKE_PERIOD  := timing synth-tables
ignored_by = $(if $(filter command,$(origin $(1))),$(filter-out $(TAKE_$(1)),$(or $(filter-out clean deps all,$(MAKECMDGOALS)),all)))
$(foreach v,BLOCK PARAMS CYCLES SEED LIBERTY FAKERAM PERIOD,$(if $(call ignored_by,$(v)),\
    $(error make $(firstword $(call ignored_by,$(v))) does not take $(v); these targets take it: $(TAKE_$(v)))))
# An empty BLOCK, as from a misspelled shell variable, would start all blocks, which takes hours.
$(foreach v,BLOCK CYCLES SEED PERIOD,$(if $(filter command,$(origin $(v))),$(if $(strip $($(v))),,\
    $(error $(v) is empty: give a value, or leave it out))))
$(if $(filter command,$(origin PARAMS)),$(if $(BLOCK)$(if $(PARAMS),,empty),,$(error PARAMS requires BLOCK, one of: $(BLOCKS))))
# A parameter of the block goes into PARAMS.
PARAMETERS := $(if $(and $(BLOCK),$(MAKEOVERRIDES)),$(shell sed -n 's/^ *parameter  *\([A-Z0-9_]*\) *=.*/\1/p' rtl/$(BLOCK)/$(BLOCK).v 2>/dev/null))
$(foreach v,$(filter-out PERIOD,$(PARAMETERS)),$(if $(filter command,$(origin $(v))),\
    $(error make $(firstword $(MAKECMDGOALS)) does not take $(v), a parameter of $(BLOCK): PARAMS="$(v)=$($(v))")))

# ---- Sources: a new file in a room needs no entry here ----
SOURCES  := $(wildcard cmodel/*/*.c tb/*/*.c sim/*.c sim/workloads/*.c sim/trace/*.c sim/study/*.c sim/compare/*.c)
TESTS    := $(wildcard tests/*/test_*.c)
SCRIPTS  := $(filter-out tests/long/%,$(wildcard tests/*/*.sh))
COSIMS   := $(BLOCKS:%=cosim-%)
REPORTS  := $(patsubst synth/%.sh,%,$(wildcard $(BLOCKS:%=synth/%.sh)))

CC       := gcc
CPPFLAGS := -Icmodel -Itb -Isim -I. -I$(B) -D_GNU_SOURCE= -MMD -MP
CFLAGS   := -std=c11 -Wall -Wextra -Werror -g
# Link-time optimization: a cycle calls many small functions across files (9 % faster than -O2 alone).
OPTIMIZE := -O3 -flto=auto
# In test builds the model compares its shortcuts with the full computation.
CHECKED  := -DMEMTWIN_CHECKED
ASAN     := $(CHECKED) -O1 -g1 -fPIC -fno-semantic-interposition -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
LDLIBS   := -ldl -lcjson -linih -lcsv -llzma -lz -lzstd -lxxhash -lsqlite3 -liberty -lm

OBJECTS      := $(SOURCES:%.c=$(B)/obj/%.o)
ASAN_OBJECTS := $(SOURCES:%.c=$(B)/asan/obj/%.o)
ASAN_LIBRARY := $(B)/asan/libmemtwin.so
ASAN_TESTS   := $(TESTS:%.c=$(B)/asan/%)
PGO_COUNTING := $(SOURCES:%.c=$(B)/pgo/counting/%.o)
PGO_OBJECTS  := $(SOURCES:%.c=$(B)/pgo/obj/%.o)
PGO_COUNT    := -fprofile-generate -Wno-error
# Inlining by profile causes warnings about impossible cases. Code that the training does not run is optimized as without a profile.
PGO_USE      := -fprofile-partial-training -Wno-error -Werror=missing-profile
GCOV         := $(CHECKED) -O1 --coverage
GCOV_OBJECTS := $(SOURCES:%.c=$(B)/gcov/obj/%.o)
GCOV_LIBRARY := $(filter-out %/sim/main.o,$(GCOV_OBJECTS))
GCOV_TESTS   := $(TESTS:%.c=$(B)/gcov/%)

.PHONY: all
all: $(B)/memtwin ## build the program, build/memtwin (the default); PGO=1: profile-guided, until PGO=0

.PHONY: deps
deps: ## install missing Debian packages (as root or with sudo)
	@command -v dpkg-query >/dev/null || { echo "deps: not a Debian system; required packages: $(PACKAGES)"; exit 0; }; \
	have=" $$(dpkg-query -W -f '$${Package}:$${db:Status-Status} ' $(PACKAGES) 2>/dev/null)"; \
	missing=; for p in $(PACKAGES); do case "$$have" in *" $$p:installed "*) ;; *) missing="$$missing $$p";; esac; done; \
	[ -z "$$missing" ] && exit 0; \
	root=; [ "$$(id -u)" = 0 ] || root=sudo; \
	[ -z "$$root" ] || command -v sudo >/dev/null || { echo "deps: missing:$$missing (run as root, or install sudo)" >&2; exit 1; }; \
	echo "deps: installing$$missing"; mkdir -p $(B); \
	exec 9>$(B)/deps.lock; flock 9; \
	{ $$root apt-get update && $$root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends $$missing; } \
		>$(B)/deps.log 2>&1 || { tail -n 20 $(B)/deps.log >&2; exit 1; }

.PHONY: run
run: all ## demonstration, two minutes on two cores, four with installation: eight kernels with static MSHRs and DL-MSHRs, twins in lockstep, area, summary
	@sim/experiments/first_run.sh

# -j sets the number of parallel tests; TIERS="test full" runs both tiers together (.ci/run).
RUN_TESTS = @JOBS='$(or $(JOBS),$(patsubst -j%,%,$(filter -j%,$(MAKEFLAGS))))' TIERS='$(TIERS)' tests/run.sh lint-format $(COSIMS) $(ASAN_TESTS) $(SCRIPTS)

.PHONY: test
test: TIERS := test
test: all $(B)/memtwin-asan $(ASAN_TESTS) ## ten minutes of tests on two cores: lint, C tests under sanitizers, scripts
	$(RUN_TESTS)

.PHONY: test-full
test-full: TIERS := full
test-full: all $(B)/memtwin-asan $(ASAN_TESTS) ## tests that CI adds to test: proofs, every planted fault, longer runs
	$(RUN_TESTS)

.PHONY: test-long
test-long: all $(B)/memtwin-asan $(ASAN_TESTS) ## hours: a million cycles and more at several parameter points, every kernel at full size with twins, random machines
	@TIERS=long TEST_TIMEOUT=7200 tests/run.sh $(ASAN_TESTS) $(SCRIPTS) $(wildcard tests/long/*.sh)

.PHONY: lint
lint: deps lint-format ## Verilator, Icarus and Yosys on the RTL (lint-BLOCK: on one block), clang-format, includes, licenses; silent on success
	@for check in tests/lint/*.sh; do out=$$($$check) || { echo "$$out"; exit 1; }; done
	@tests/rtl/lint.sh

.PHONY: cosim
cosim: all ## run each block in lockstep, or one: BLOCK=dl_mshr CYCLES=1000000 SEED=1 PARAMS="SETS=5 HEADS=2"
	@set -e; for block in $(or $(BLOCK),$(BLOCKS)); do \
		(set -x; $(B)/memtwin cosim $$block $(CYCLES:%=--cycles %) $(SEED:%=--seed %) $(PARAMS:%=-p %)); done

.PHONY: synth
synth: deps ## area of every block, by Yosys (LIBERTY=path: another cell library)
	@set -e; for report in run incoming $(REPORTS) area; do echo synth/$$report.sh; setpriv --pdeathsig TERM synth/$$report.sh; done

.PHONY: timing
timing: all ## area, period, critical path and slack of every twinned block by OpenSTA (LIBERTY=path, PERIOD=ns), or of one: BLOCK=hir PARAMS="SETS=32"
	@[ -n '$(BLOCK)' ] || echo 'timing: hours' >&2
	synth/timing.sh $(BLOCK) $(PARAMS)

.PHONY: fpga
fpga: all ## LUTs, flip-flops, RAM and MHz of every twinned block on FPGAs, into build/report/fpga.md, or of one: BLOCK=in_fifo PARAMS="DEPTH=64"
ifeq ($(BLOCK)$(PARAMS),)
	synth/report.sh fpga
	@cat build/synth/fpga.txt
else
	synth/fpga.sh $(BLOCK) $(PARAMS)
endif

.PHONY: sweep
sweep: deps ## area and period by size: hours; an interrupted run resumes
	synth/sweep.sh

.PHONY: synth-tables
synth-tables: deps ## measure all synthesis tables of a library (LIBERTY=path FAKERAM=folder) into build/report
	synth/report.sh

.PHONY: netlist
netlist: all ## gate level: replay recordings on the synthesized netlists, and prove them equivalent to the RTL (LIBERTY=path as for synth)
	synth/gate_level.sh

.PHONY: power
power: all ## power of blocks in a kernel, from simulated activity (LIBERTY=path as for synth)
	synth/power.sh

.PHONY: formal
formal: deps ## proofs of the RTL by Yosys and ABC, one line each (docs/results/verification.md), or of one block: BLOCK=bpg (about 4 minutes of processor time; in_fifo: seconds)
	@[ -n '$(filter-out bpg,$(BLOCK))' ] || \
		echo 'formal: about $(if $(BLOCK),4 minutes of processor time,12 minutes on two cores)' >&2
	@tb/formal/run.sh $(BLOCK)

.PHONY: cores
cores: all ## generate files from file and port lists: FuseSoC cores, benches, rtl/sv/
	tb/cores/cores.sh

.PHONY: coverage
coverage: all ## coverage of the tests: lines and toggles of the Verilog, lines of the C; writes build/report/coverage.md
	@verdict=0; tb/coverage/rtl.sh || verdict=1; tb/coverage/c.sh || verdict=1; [ $$verdict = 0 ] && tb/coverage/page.sh

.PHONY: mutation
mutation: all ## mutation testing of every block: each mutant is found by the lockstep test or proven harmless; writes build/report/mutation.md (tb/mutation/mutate.sh --help)
	tb/mutation/mutate.sh
	tb/mutation/report.sh
	tb/mutation/mutate.sh --large
	tb/mutation/report.sh --large

.PHONY: bench
bench: all ## speed and memory: traces compared with Accel-Sim, workloads without and with twins
	@sim/experiments/bench.sh

.PHONY: docs
docs: deps ## the documents as a searchable site that works offline: build/site
	@docs/site/build.sh

.PHONY: record
record: ## copy the tables and plots of build/report to docs/results/data: tests compare the documents' figures with them
	@ls $(B)/report/*.md >/dev/null 2>&1 || { echo "record: no tables in $(B)/report; run an experiment or make synth-tables" >&2; exit 1; }
	find $(B)/report -maxdepth 1 '(' -name '*.md' -o -name '*.svg' ')' -exec cp -t docs/results/data {} +

.PHONY: experiment-dl_mshr
experiment-dl_mshr: all ## MSHR schemes and MRPB over the kernels of the DL-MSHR paper and others on pascal28: build/report/dl_mshr_schemes.md and plots
	@sim/experiments/experiment.sh dl_mshr_schemes

.PHONY: experiment-cart
experiment-cart: all ## CART and the schemes it is compared with, over the kernels of its dissertation and others on cart28: build/report/cart_schemes.md and plots
	@sim/experiments/experiment.sh cart_schemes

.PHONY: experiment-mdb
experiment-mdb: all ## model-driven bypassing and the schemes it is compared with, on fermi15: build/report/mdb_schemes.md and plots
	@sim/experiments/experiment.sh mdb_schemes

.PHONY: experiment-combined
experiment-combined: all ## the papers' schemes alone and together, on the papers' and today's GPUs: build/report/combined_schemes.md and plot
	@sim/experiments/experiment.sh combined_schemes

.PHONY: experiment-baseline
experiment-baseline: all ## set indices, partition maps, allocation, MSHRs and bypass slots on maxwell16: build/report/sound_baseline.md
	@sim/experiments/experiment.sh sound_baseline

.PHONY: experiment-cke
experiment-cke: all ## several kernels on an SM of maxwell16_cke, with partitions and limiters: build/report/concurrent_kernels.md (CYCLES=n: SM cycles of a run)
	@sim/experiments/experiment.sh concurrent_kernels

.PHONY: experiment-farfault
experiment-farfault: all ## far-faults, prefetching and oversubscription on farfault15: build/report/farfault_schemes.md and plots
	@sim/experiments/experiment.sh farfault_schemes

.PHONY: experiment-hpe
experiment-hpe: all ## page eviction policies at 95 to 25 % of the footprint on hpe15: build/report/hpe_policies.md and plots
	@sim/experiments/experiment.sh hpe_policies

.PHONY: experiment-capture
experiment-capture: all ## capacity-aware prefetching and true-usage eviction on uvm28: build/report/capture_schemes.md and plots
	@sim/experiments/experiment.sh capture_schemes

.PHONY: lockstep-capture
lockstep-capture: all ## CAPTURE in lockstep with the Verilog of cap, lease and expiry, on its kernels: build/report/capture_lockstep.md (ten minutes on two cores)
	@sim/experiments/experiment.sh capture_lockstep

.PHONY: experiment-uvmbench
experiment-uvmbench: all ## the 32 workloads of UVMBench on uvm28: unified memory compared with explicit copies: build/report/uvmbench.md and plots
	@sim/experiments/experiment.sh uvmbench

.PHONY: experiment-silicon
experiment-silicon: all ## latency, bandwidth, and counters of kernels, compared with real cards: build/report/silicon_{curves,bandwidth,kernels}.md and plots
	@sim/experiments/experiment.sh silicon_curves
	@sim/experiments/experiment.sh silicon_bandwidth
	@sim/experiments/experiment.sh silicon_kernels

.PHONY: experiment-fidelity
experiment-fidelity: all ## gtx480 and titanx compared with Accel-Sim on micro traces and kernels: build/report/fidelity.md
	@sim/experiments/fidelity.sh

# Requires clang with libFuzzer, which is in no package list, as nothing else uses it.
FUZZ         := clang -std=c11 -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all $(filter-out -MMD -MP,$(CPPFLAGS))
FUZZ_SECONDS := 600
FUZZ_OPTIONS := -max_total_time=$(FUZZ_SECONDS) -timeout=10 -rss_limit_mb=2000 -max_len=8192 -print_final_stats=1

.PHONY: fuzz
fuzz: ## fuzz the readers of traces and configurations, FUZZ_SECONDS=600 each, in build/fuzz (needs clang)
	@command -v clang >/dev/null || { echo "fuzz: clang is not installed (Debian: clang, libclang-rt-14-dev)" >&2; exit 1; }
	@mkdir -p $(B)/fuzz/trace $(B)/fuzz/config
	$(FUZZ) -o $(B)/fuzz/fuzz_trace tests/trace/fuzz_trace.c $(filter-out %/export.c %/synth.c %/output.c %/lines.c,$(wildcard sim/trace/*.c)) sim/demangle.c cmodel/os/*.c $(filter-out %/ini_file.c,$(wildcard cmodel/lib/*.c)) -llzma -lz -lzstd -lxxhash -liberty
	$(FUZZ) -o $(B)/fuzz/fuzz_config tests/config/fuzz_config.c $(filter-out cmodel/os/%,$(wildcard cmodel/*/*.c)) -linih -lm
	sed -n 's/^ *\(INT\|ENUM\|STR\)(\([a-z0-9_]*\), *\([a-z0-9_]*\),.*/"[\2]"\n"\3 = "/p' cmodel/*/*keys.def | sort -u >$(B)/fuzz/config.dict
	cd $(B)/fuzz && ./fuzz_trace $(FUZZ_OPTIONS) -dict=$(CURDIR)/tests/trace/trace.dict trace $(CURDIR)/tests/trace/corpus
	cd $(B)/fuzz && ./fuzz_config $(FUZZ_OPTIONS) -dict=config.dict config $(CURDIR)/tests/config/corpus

.PHONY: clean
clean: ## remove build/
	rm -rf $(B)

.PHONY: help
help: ## list the targets
	@sed -n 's/^\([a-z_-]*\):.*## \(.*\)/\1|\2/p' Makefile | awk -F'|' '{printf "  make %-20s %s\n", $$1, $$2}'

# ---- The program ----
# Built under a temporary name and renamed, so that an interrupted make leaves no incomplete file, and concurrent makes do not collide.
compile = @mkdir -p $(@D); new=$@.$$$$; trap 'rm -f $$new $$new.d' EXIT; echo "CC $< $(2)"; \
	$(CC) $(CPPFLAGS) -frandom-seed=$< -MF $$new.d -MT $@ $(CFLAGS) -dumpdir $(@D)/ -dumpbase $(<F) -dumpbase-ext .c $(1) -c -o $$new $< && \
	mv $$new.d $(@:.o=.d) && mv $$new $@
link = @mkdir -p $(@D); new=$@.$$$$; trap 'rm -f $$new' EXIT; echo "LD $@"; \
	$(CC) $(CFLAGS) $(1) -o $$new $^ $(2) $(LDLIBS) && mv $$new $@
comma := ,
objects_of = $(foreach kind,obj asan/obj gcov/obj pgo/counting pgo/obj,$(B)/$(kind)/$(1:.c=.o))
IN_ASAN = -Wl,-rpath,'$(CURDIR)/$(B)/asan'

# The linker opens objects repeatedly, so it gets copies that another make cannot overwrite, with the same names in every build.
$(B)/memtwin: $(if $(PGO),$(PGO_OBJECTS),$(OBJECTS)) $(B)/built_with
	@echo "LD $@"; d=$$(mktemp -d $(B)/link.XXXXXX); trap 'rm -rf $$d' EXIT; trap 'exit 130' INT TERM HUP; \
	cp -l --parents $(filter %.o,$^) $$d && (cd $$d && $(CC) $(CFLAGS) $(OPTIMIZE) $(if $(PGO),$(PGO_USE)) -o memtwin $(filter %.o,$^) $(LDLIBS)) && mv -f $$d/memtwin $@

# The kind of objects that the program is linked from. Rewritten only on change.
$(B)/built_with: FORCE | deps
	@mkdir -p $(B); kind='$(if $(PGO),profile,no profile)'; [ "$$(cat $@ 2>/dev/null)" = "$$kind" ] || echo "$$kind" >$@

# One shared object for all tests, which links sixty tests in a tenth of the time.
$(ASAN_LIBRARY): $(filter-out %/sim/main.o,$(ASAN_OBJECTS))
	$(call link,$(ASAN) -shared -Wl$(comma)-soname$(comma)libmemtwin.so)

$(B)/memtwin-asan: $(B)/asan/obj/sim/main.o $(ASAN_LIBRARY)
	$(call link,$(ASAN),$(IN_ASAN))

$(ASAN_TESTS): $(B)/asan/%: $(B)/asan/obj/%.o $(ASAN_LIBRARY)
	$(call link,$(ASAN),$(IN_ASAN) -lcmocka)

$(B)/gcov/memtwin: $(GCOV_OBJECTS)
	$(call link,$(GCOV))

$(GCOV_TESTS): $(B)/gcov/%: $(B)/gcov/obj/%.o $(GCOV_LIBRARY)
	$(call link,$(GCOV) -fsanitize=address,-lcmocka)

$(B)/obj/%.o: %.c Makefile | deps
	$(call compile,$(OPTIMIZE))

# make PGO=1: an instrumented program runs sim/train.sh; its counts are stored next to its objects.
$(B)/pgo/counting/memtwin: $(PGO_COUNTING)
	$(call link,$(OPTIMIZE) $(PGO_COUNT))

$(B)/pgo/trained: $(B)/pgo/counting/memtwin sim/train.sh
	@echo "TRAIN $@"; rm -f $(PGO_COUNTING:.o=.gcda); sim/train.sh $< && touch $@

$(B)/pgo/counting/%.o: %.c Makefile | deps
	$(call compile,$(OPTIMIZE) $(PGO_COUNT),(counting))

# GCC finds the profile by the name from -dumpdir and -dumpbase.
$(B)/pgo/obj/%.o: %.c Makefile $(B)/pgo/trained | deps
	$(call compile,$(OPTIMIZE) $(PGO_USE) -DMEMTWIN_PROFILE_GUIDED -fprofile-use -dumpdir $(patsubst $(B)/pgo/obj/%,$(B)/pgo/counting/%,$(@D))/,(profile))

$(B)/asan/obj/%.o: %.c Makefile | deps
	$(call compile,$(ASAN),(sanitizers))

# Tests are long sequences of checks that run once: -Og compiles them faster.
$(B)/asan/obj/tests/%.o: tests/%.c Makefile | deps
	$(call compile,$(ASAN) -Og,(sanitizers))

$(B)/gcov/obj/%.o: %.c Makefile | deps
	$(call compile,$(GCOV),(coverage))

$(call objects_of,sim/report.c): $(B)/version.h

# Files embedded into the program (sim/embed.h): pages of `memtwin report` and `memtwin compare`, and the SQL of its database.
REPORT_PAGE := $(B)/report/page.html
$(REPORT_PAGE): $(wildcard sim/report/*) Makefile | deps
	@echo "PAGE $@"; sim/report/make_page.sh $@
LOADS_PAGE := $(B)/report/loads.html
COMPARE_PAGE := $(B)/report/compare.html
$(LOADS_PAGE) $(COMPARE_PAGE): $(B)/report/%.html: $(wildcard sim/report/*) Makefile | deps
	@echo "PAGE $@"; sim/report/make_page.sh $@ $*
$(call objects_of,sim/compare/page.c): $(COMPARE_PAGE)
$(call objects_of,sim/compare/page.c): CPPFLAGS += -DCOMPARE_PAGE='"$(abspath $(COMPARE_PAGE))"'
$(call objects_of,sim/loads_page.c): $(LOADS_PAGE)
$(call objects_of,sim/loads_page.c): CPPFLAGS += -DLOADS_PAGE='"$(abspath $(LOADS_PAGE))"'
$(call objects_of,sim/study/page.c): $(REPORT_PAGE)
$(call objects_of,sim/study/page.c): CPPFLAGS += -DREPORT_PAGE='"$(abspath $(REPORT_PAGE))"'
$(call objects_of,sim/study/db.c): sim/study/schema.sql
$(foreach c,db merge,$(call objects_of,sim/study/$c.c)): CPPFLAGS += -DEMBED_ROOT='"$(CURDIR)/"'
$(call objects_of,sim/study/merge.c): sim/study/copy_runs.sql sim/study/replace_runs.sql sim/study/take_results.sql

# Rewritten only when the commit or the modified state has changed; never for a user who can only install a finished build. Files outside
# these folders do not count as modifications.
TRACKED := Makefile rtl cmodel tb synth sim tests docs
.PHONY: FORCE
$(B)/version.h: FORCE | deps
	@mkdir -p $(B); if [ -e $@ ] && [ ! -w $(B) ]; then exit; fi; commit=unknown date=; \
	if [ "$$(git rev-parse --show-toplevel 2>/dev/null)" = "$$(pwd -P)" ]; then \
		head=$$(git rev-parse --short=12 --verify -q HEAD) && commit=$$head && date=$$(git log -1 --format=%cs); \
		if [ -n "$$(git status --porcelain -uno; git status --porcelain -- $(TRACKED))" ]; then commit="$$commit, modified"; else commit="$$commit, clean"; fi; \
	fi; \
	printf '#define MEMTWIN_VERSION "%s"\n#define MEMTWIN_COMMIT "%s"\n#define MEMTWIN_DATE "%s"\n' "$(VERSION)" "$$commit" "$$date" >$@.$$$$; \
	if cmp -s $@.$$$$ $@; then rm $@.$$$$; else mv $@.$$$$ $@; fi

# ---- Installation: the program, and the harness for blocks of other repositories (docs/use/tutorial.md) ----
PREFIX := /usr/local

.PHONY: install
install: all ## install into PREFIX=/usr/local (DESTDIR=folder is prepended): the program, man pages, completion, the harness for user-defined blocks
	@MEMTWIN='$(B)/memtwin' sim/install.sh install '$(PREFIX)' $(VERSION)

.PHONY: uninstall
uninstall: ## remove the installed files from PREFIX
	@sim/install.sh uninstall '$(PREFIX)' $(VERSION)

.PHONY: deb
deb: all ## build a Debian package of the installed files, build/memtwin_VERSION_ARCHITECTURE.deb
	@MEMTWIN='$(B)/memtwin' sim/deb.sh $(VERSION)

# ---- One block: its points are in rtl/BLOCK/block.points ----
.PHONY: $(BLOCKS:%=lint-%) $(COSIMS) lint-format
$(BLOCKS:%=lint-%): lint-%: deps
	@tests/rtl/lint.sh $*

$(COSIMS): cosim-%: deps
	@tests/cosim.sh $*

lint-format:
	@! command -v clang-format >/dev/null || clang-format --dry-run -Werror \
		$$(find cmodel tb sim tests docs/tutorial -name '*.[ch]' -o -name '*.cpp')

-include $(OBJECTS:.o=.d) $(PGO_COUNTING:.o=.d) $(PGO_OBJECTS:.o=.d) $(ASAN_OBJECTS:.o=.d) $(TESTS:%.c=$(B)/asan/obj/%.d) $(GCOV_OBJECTS:.o=.d) $(TESTS:%.c=$(B)/gcov/obj/%.d)
