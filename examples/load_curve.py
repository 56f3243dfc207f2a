# %% [markdown]
# # A load curve: how long packets take as a network fills up
#
# Random traffic on a Blue Gene/L of 8x8x8 nodes, from a light load to more than its links can
# carry. Each `# %%` begins a cell, in editors that know notebooks; as a script, it runs from top to
# bottom:
#
#     python3 load_curve.py
#
# prints: 18 runs, 0 failed

# %% One run
import weft

machine = {"name": "bluegene-l", "dims": (8, 8, 8)}
one = weft.run(machine, {"pattern": "uniform", "load": 0.5, "cycles": 10000})
print(one)

# %% Every load with three seeds; as many runs at a time as there are cores
sweep = weft.sweep(machine, {"pattern": "uniform", "cycles": 10000, "warmup_cycles": 5000},
                   over={"workload.load": [0.2, 0.4, 0.6, 0.8, 0.9, 1.1]}, seeds=3,
                   metrics=["fraction_of_peak", "response_cycles.mean"])
print(sweep)

# %% A row for each run, for a table of your own or, with pandas, as a frame
print(sweep.table("response_cycles.mean", "response_cycles.p99")[0])

# %% The curve; points whose load the network could not carry are hollow
rows = sweep.summary("response_cycles.mean")
try:
    from matplotlib import pyplot
except ImportError:
    print("no plot: matplotlib is not installed")
else:
    figure, axes = pyplot.subplots()
    loads = rows.column("workload.load")
    means = rows.column("response_cycles.mean")
    axes.errorbar(loads, means, rows.column("response_cycles.mean.interval"), color="tab:blue",
                  capsize=3)
    colours = ["tab:blue" if steady else "white" for steady in rows.column("steady")]
    axes.scatter(loads, means, color=colours, edgecolors="tab:blue", zorder=3)
    axes.set(xlabel="offered load, share of the bound", ylabel="mean response, cycles",
             title="Blue Gene/L 8x8x8, random traffic", ylim=(0, None))
    pyplot.show()
