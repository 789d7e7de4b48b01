# SPDX-License-Identifier: Apache-2.0
# For the Makefile of a user's block in its own repository (docs/use/tutorial.md):
#
#   BLOCK := aging_arbiter
#   include $(shell memtwin home)/tb/harness/block.mk
#
# cmodel/BLOCK/*.c and tb/BLOCK/*.c become build/BLOCK.so, the library that `memtwin cosim --block` takes.

ifeq ($(BLOCK),)
$(error BLOCK is not set)
endif

ifneq ($(words $(wildcard cmodel/$(BLOCK) tb/$(BLOCK) rtl/$(BLOCK))),3)
$(error BLOCK=$(BLOCK): no folders cmodel/$(BLOCK), tb/$(BLOCK) and rtl/$(BLOCK) here)
endif

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
CC := gcc
CFLAGS ?= -O2 -g
MEMTWIN_HOME := $(patsubst %/tb/harness/block.mk,%,$(abspath $(lastword $(MAKEFILE_LIST))))
BLOCK_INCLUDES := -Icmodel -Itb -I$(MEMTWIN_HOME)/cmodel -I$(MEMTWIN_HOME)/tb
BLOCK_SOURCES := $(wildcard cmodel/$(BLOCK)/*.c tb/$(BLOCK)/*.c)

export MEMTWIN := $(shell command -v memtwin)
export MEMTWIN_BLOCK := $(CURDIR)/build/$(BLOCK).so
export MEMTWIN_PROJECT := $(CURDIR)

.PHONY: all
all: build/$(BLOCK).so ## build/BLOCK.so, for memtwin cosim --block (the default)

.PHONY: cosim
cosim: all ## lockstep at the points tagged cosim in rtl/BLOCK/block.points
	@$(MEMTWIN_HOME)/tb/harness/cosim.sh $(BLOCK)

.PHONY: mutation
mutation: all ## mutants at the points tagged mutants: into build/mutation
	@$(MEMTWIN_HOME)/tb/mutation/mutate.sh $(BLOCK)

.PHONY: formal
formal: ## proofs at the points tagged proof
	@$(MEMTWIN_HOME)/tb/formal/run.sh $(BLOCK)

.PHONY: clean
clean: ## remove build/
	rm -rf build

build/$(BLOCK).so: $(BLOCK_SOURCES) $(wildcard cmodel/*/*.h tb/*/*.h) Makefile
	@mkdir -p build
	$(CC) -std=c11 -Wall -Wextra -Werror $(CFLAGS) -fPIC -shared -Wl,-z,defs $(BLOCK_INCLUDES) -o $@ $(BLOCK_SOURCES)
