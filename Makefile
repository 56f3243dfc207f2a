# A thin door to Meson and Ninja.
#
#   make         builds; needs a compiler, build tools and libraries only
#   make run     the main job: the 512-node Blue Gene/L all-to-all, compared with the paper
#   make test    all tests
#
# All of them install what is missing if they may (setup.sh); `make run` and `make test` start from a
# bare Debian machine.
BUILD ?= build

.PHONY: all build run test setup clean

all:
	@BUILD=$(BUILD) ./setup.sh build
	@$(MAKE) --no-print-directory build

build:
	@test -f $(BUILD)/build.ninja || said=$$(meson setup $(BUILD) 2>&1) || { echo "$$said"; exit 1; }
	@ninja --quiet -C $(BUILD)

run: setup
	@$(MAKE) --no-print-directory build
	@$(BUILD)/weft study run alltoall-512 -j $$(nproc)

test: setup
	@tests/run.sh

setup:
	@BUILD=$(BUILD) ./setup.sh

clean:
	rm -rf build build-*
