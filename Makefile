# The newcomer's door.  CMake does the building; scripts/ holds what takes more than a line.

ifeq ($(origin CC),default)
CC := gcc
endif
JOBS   ?= $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local
# Handed to CMake by make, make run and make install, e.g. CMAKE_FLAGS=-DCLEARWAY_WERROR=ON
CMAKE_FLAGS ?=
# Kernels take minutes to compile; make run does so only where there is a GPU to run them.
CUDA        ?= AUTO
run: CUDA   := $(shell nvidia-smi -L >/dev/null 2>&1 && echo AUTO || echo OFF)

export JOBS
MAKEFLAGS += --no-print-directory
.PHONY: all configure run cuda check check-long check-gpu promises coverage mutants bench install uninstall dist docs format clean help
.DEFAULT_GOAL := all

all: configure ## build library, tool and tests; the tool is build/clearway
	@cmake --build build -j $(JOBS)

configure:
	@scripts/setup build
	@cmake -S . -B build -DCMAKE_C_COMPILER=$(CC) -DCLEARWAY_CUDA=$(CUDA) $(CMAKE_FLAGS) >/dev/null

run: configure ## build tool and library; show the paper's sorts counted on three shapes, and how fast the library is
	@cmake --build build -j $(JOBS) --target clearway_cli clearway_shared
	@echo; echo "Sorts of w x m keys on the paper's machine of w processors and w banks.  A step in which a bank is asked k"; \
	    echo "times counts as k steps, so fewer steps are faster.  A star marks sorts that have no bank conflict."
	@for shape in '-w 32 -m 32' '-w 32 -m 1024' '-w 1024 -m 32'; do \
	    echo; echo "build/clearway compare $$shape"; \
	    build/clearway compare $$shape || exit; \
	done
	@scripts/speed build/clearway
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

promises: ## measure on the GPU of this machine what is promised of speed: which promises are kept?
	@scripts/setup build
	@scripts/promises $(PROMISES)

cuda: ## compile the CUDA parts, for one GPU and as PTX only: do they still compile?
	@scripts/setup build
	@cmake -S . -B build-cuda -DCMAKE_C_COMPILER=$(CC) -DCLEARWAY_WERROR=ON -DCMAKE_CUDA_ARCHITECTURES=90-virtual >/dev/null
	@cmake --build build-cuda -j $(JOBS) --target clearway_cli example_01_sort_rows

coverage: ## lines and branches of src/ that tests reach (src/machine and src/paper: below 90 % fails)
	@scripts/setup coverage
	@scripts/coverage

mutants: ## change src/ in 300 small ways, one at a time: do the tests notice? (below 90 % fails; an hour)
	@scripts/setup check
	@cmake -S . -B build-gcc -DCMAKE_C_COMPILER=gcc -DCLEARWAY_CUDA=OFF >/dev/null
	@cmake --build build-gcc -j $(JOBS) >/dev/null
	@scripts/mutants $(MUTANTS)

bench: ## build the benchmarks for speed and run them
	@scripts/setup build
	@scripts/bench

install: configure ## install headers, libraries and tool; PREFIX=/usr/local, DESTDIR=
	@cmake --build build -j $(JOBS) --target clearway_installed
	@cmake --install build --prefix $(PREFIX)

uninstall: ## remove what the last make install put in place (the same DESTDIR)
	@cmake -DBUILD=build -P cmake/uninstall.cmake

docs: ## the API reference from the header: build/docs/html, and man pages that make install takes along
	@scripts/setup docs
	@scripts/reference build/docs

dist: ## a release in dist/: source archive, Debian package, checksums
	@scripts/setup build
	@CUDA=$(CUDA) CMAKE_FLAGS="$(CMAKE_FLAGS)" scripts/dist

format: ## rewrite the sources as .clang-format says
	@scripts/format -i

clean: ## remove all that was built
	rm -rf build build-gcc build-clang build-sanitize build-threads build-memory build-coverage build-bench build-cuda build-gpu build-mutants build-dist dist

help: ## this list
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 20
