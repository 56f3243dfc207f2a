"""Results as `weft run` writes them, of machines that would take long to run: for tests of pages."""
import base64
import json
import random
import zlib
from array import array

COLUMNS = {"from": {"type": "u32", "per": "link", "index_of": "vertices"}, "to": {"type": "u32", "per": "link", "index_of": "vertices"},
           "direction": {"type": "u8", "per": "link", "index_of": "directions"}, "utilisation": {"type": "u16", "one": 65535, "per": "link"}}
DIRECTIONS = ["x+", "x-", "y+", "y-", "z+", "z-"]


def pack(kind, numbers):
    return base64.b64encode(zlib.compress(array(kind, numbers).tobytes(), 1)).decode()


def torus(path, dims, rows=0, seed=1, steady=True):
    """A torus whose load is highest about one node."""
    draw = random.Random(seed)
    nodes = dims[0] * dims[1] * dims[2]
    stride = [1, dims[0], dims[0] * dims[1]]
    hot = [draw.randrange(size) for size in dims]
    start, end, direction, load = [], [], [], []
    for node in range(nodes):
        at = [node // stride[d] % dims[d] for d in range(3)]
        far = sum(min(abs(at[d] - hot[d]), dims[d] - abs(at[d] - hot[d])) / dims[d] for d in range(3))
        for i in range(6):
            d, step = i // 2, 1 - i % 2 * 2
            start.append(node)
            end.append(node + ((at[d] + step) % dims[d] - at[d]) * stride[d])
            direction.append(i)
            load.append(max(0.02, 0.9 - far + 0.1 * draw.random()))
    section = {"kind": "torus", "count": len(start), "vertices": nodes, "switches": 0, "dims": dims, "wrap": [True] * 3,
               "directions": DIRECTIONS, "vcs": ["D0", "D1"], "columns": dict(COLUMNS), "from": pack("I", start), "to": pack("I", end),
               "direction": pack("B", direction), "utilisation": pack("H", [round(65535 * u) for u in load])}
    if rows:
        section.update(rows=rows, interval_cycles=1000)
        section["columns"]["timeline"] = {"type": "u8", "one": 255, "per": "row link"}
        section["timeline"] = pack("B", [round(255 * u * (r + 1) / rows) for r in range(rows) for u in load])
    result = {
        "version": "0.2.0", "seed": seed, "digest": f"{seed:016x}", "cycles": 3000, "sim_seconds": 17.1e-6, "link_utilisation": sum(load) / len(load),
        "packets_delivered": 1000 * seed, "offered_load": 0.5, "steady": steady,
        "response_cycles": {"mean": 400.0 * seed, "p50": 380, "p99": 900, "max": 1200, "count": 1000, "histogram": [[200, 100], [400, 700], [900, 200]]},
        "link_utilisation_by_direction": {name: 0.4 for name in DIRECTIONS}, "vc_share": {"D0": 0.5, "D1": 0.5},
        "timeline": [{"cycle": 1000 * r, "packets_delivered": 300, "link_utilisation": 0.1 * (r + 1)} for r in range(3)],
        "config": {"machine": {"name": "bluegene-l", "dims": "x".join(map(str, dims))}, "run": {"seed": seed},
                   "workload": {"pattern": "uniform", "load": 0.5, "warmup_cycles": 1000, "cycles": 1000}},
        "each_link": section}
    with open(path, "w") as f:
        json.dump(result, f)
