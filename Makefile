# The newcomer's door.  CMake does the building; scripts/ holds what takes more than a line.

ifeq ($(origin CC),default)
CC := gcc
endif
JOBS   ?= $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local
# Handed to CMake by make, make run and make install, e.g. CMAKE_FLAGS=-DCLEARWAY_WERROR=OFF
CMAKE_FLAGS ?=
# Kernels take minutes to compile; make run does so only where there is a GPU to run them.
CUDA        ?= AUTO
run: CUDA   := $(shell nvidia-smi -L >/dev/null 2>&1 && echo AUTO || echo OFF)

export JOBS
MAKEFLAGS += --no-print-directory
.PHONY: all configure run cuda check check-long check-gpu coverage bench install format clean help
.DEFAULT_GOAL := all

all: configure ## build library, tool and tests; the tool is build/clearway
	@cmake --build build -j $(JOBS)

configure:
	@scripts/setup build
	@cmake -S . -B build -DCMAKE_C_COMPILER=$(CC) -DCLEARWAY_CUDA=$(CUDA) $(CMAKE_FLAGS) >/dev/null

run: configure ## build the tool and show the paper's sorts counted on three shapes
	@cmake --build build -j $(JOBS) --target clearway_cli
	@for shape in '-w 32 -m 32' '-w 32 -m 1024' '-w 1024 -m 32'; do \
	    echo; echo "build/clearway compare $$shape"; \
	    build/clearway compare $$shape || exit; \
	done
	@scripts/next

check: ## every test: format, gcc, clang, sanitizers, installed library, README
	@scripts/setup check
	@scripts/check

check-long: ## the same, then the suite with clang and the suite over larger ranges
	@scripts/setup check
	@scripts/check long

check-gpu: ## the kernel tests on the GPU of this machine, its counters, compute-sanitizer
	@scripts/setup build
	@scripts/check-gpu

cuda: ## compile the CUDA parts, for one GPU and as PTX only: do they still compile?
	@scripts/setup build
	@cmake -S . -B build-cuda -DCMAKE_C_COMPILER=$(CC) -DCMAKE_CUDA_ARCHITECTURES=90-virtual >/dev/null
	@cmake --build build-cuda -j $(JOBS) --target clearway_cli example_01_sort_rows

coverage: ## line coverage of src/machine and src/paper (below 90 % fails)
	@scripts/setup coverage
	@scripts/coverage

bench: ## build the benchmarks for speed and run them
	@scripts/setup build
	@scripts/bench

install: all ## install header, libraries and tool; PREFIX=/usr/local, DESTDIR=
	@cmake --install build --prefix $(PREFIX)

format: ## rewrite the sources as .clang-format says
	@scripts/format -i

clean: ## remove all that was built
	rm -rf build build-gcc build-clang build-sanitize build-coverage build-bench build-cuda build-gpu

help: ## this list
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 20
