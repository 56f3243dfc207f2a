# A thin door to Meson and Ninja. `make run` and `make test` start from a bare Debian machine.
BUILD ?= build

.PHONY: all run test setup clean

all: setup
	@test -f $(BUILD)/build.ninja || meson setup $(BUILD) >/dev/null
	@ninja --quiet -C $(BUILD)

# The main job: the 512-node Blue Gene/L all-to-all, compared with the paper.
run: all
	@$(BUILD)/weft study run alltoall-512 -j $$(nproc)

test: setup
	@tests/run.sh

setup:
	@./setup.sh

clean:
	rm -rf build build-*
