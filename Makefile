# A thin wrapper around Meson and Ninja.
#
#   make         builds; needs only a compiler, build tools and libraries
#   make run     the main job: the 512-node Blue Gene/L all-to-all, compared with the paper,
#                and a page for the browser that shows one of its runs
#   make check   the tests of the daily loop, in a minute or two: units, models, the house, some digests, some commands
#   make test    all tests, sanitizers and fuzzing included; about 15 minutes on two cores
#   make page    bundles the program of `weft view`'s page anew (view/); needs npm, as nothing else does
#   make install PREFIX=DIR      the program, the library, the Python module, the manual and the data;
#                                DESTDIR=DIR puts them below another root, for packages. Without
#                                PREFIX: the one the build folder was set up for, or /usr/local
#
# All of them install what is missing if they may (setup.sh); `make run` and `make test` work on a
# bare Debian machine.
BUILD ?= build
LIBDIR ?= lib

.PHONY: all build run check test page install setup clean

all:
	@BUILD=$(BUILD) ./setup.sh build
	@$(MAKE) --no-print-directory build

build:
	@test -f $(BUILD)/build.ninja || said=$$(meson setup $(BUILD) 2>&1) || { echo "$$said"; exit 1; }
	@ninja --quiet -C $(BUILD)

run: setup
	@$(MAKE) --no-print-directory build
	@$(BUILD)/weft study run alltoall-512 -j $$(nproc)
	@$(BUILD)/weft run -m bluegene-l -w alltoall -s workload.packets_per_pair=10 -s run.detail=true \
		-s run.interval_cycles=25000 -j $$(nproc) -q -o weft-alltoall-512.json
	@$(BUILD)/weft view weft-alltoall-512.json

check: setup
	@$(MAKE) --no-print-directory build
	@meson test -C $(BUILD) --no-rebuild --suite check --print-errorlogs

test:
	@BUILD=$(BUILD) ./setup.sh test
	@tests/run.sh

page:
	@cd view && npm ci --silent && node build.js

install:
	@BUILD=$(BUILD) ./setup.sh build
	@BUILD=$(BUILD) tools/prefix.sh "$(PREFIX)" "$(LIBDIR)"
	@ninja --quiet -C $(BUILD)
	@DESTDIR="$(DESTDIR)" meson install --quiet --no-rebuild -C $(BUILD)
	@sed -n 's/^pythondir=\(.*\)/Python module: \1 (set PYTHONPATH to it if python3 does not look there)/p' $(BUILD)/meson-private/weft.pc

setup:
	@BUILD=$(BUILD) ./setup.sh

clean:
	rm -rf build build-*
