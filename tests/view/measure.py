#!/usr/bin/env python3
"""How large pages of `weft view` are and how long a frame takes, at 4,096 and 65,536 nodes. Frames are
drawn by software here, as in the tests: a graphics card is far quicker. Not a test.

    tests/view/measure.py PATH/TO/weft
"""
import os
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
import browser  # noqa: E402
import forge  # noqa: E402

weft = os.path.realpath(sys.argv[1])
os.environ["WEFT_DATA"] = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))

# Frames one after the other while the machine turns: each until its pixels are there. Milliseconds.
FRAMES = """
const gl = weft.stage.renderer.getContext(), pixel = new Uint8Array(4), times = [];
for (let i = 0; i < 9; i++) {
  weft.stage.turn(0.05, 0);
  const start = performance.now();
  weft.stage.draw();
  const script = performance.now() - start;
  gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
  times.push([performance.now() - start, script]);
}
times.sort((a, b) => a[0] - b[0]);
return [times[4][0], times[8][0], times.map((t) => t[1]).sort((a, b) => a - b)[4]];"""

# What the page itself computes for the next row of the timeline, and for what the pointer is at.
WORK = """
const best = (deed) => Math.min(...Array.from({ length: 7 }, (_, i) => { const s = performance.now(); deed(i); return performance.now() - s; }));
return [best((i) => weft.setRow(i % 3)), best((i) => weft.at(400 + 9 * i, 300))];"""


def measure(b, name):
    median, worst, script = b.run(FRAMES)
    row, pick = b.run(WORK)
    print(f"{name:34} frame {median:6.1f} ms (worst {worst:.1f}, the page's own {script:.2f}); next row {row:.1f} ms; pointer {pick:.1f} ms", flush=True)


with tempfile.TemporaryDirectory() as folder, browser.Browser() as b:
    os.chdir(folder)
    for dims in ([16, 16, 16], [64, 32, 32]):
        name = "x".join(map(str, dims))
        forge.torus(f"{name}.json", dims, rows=8)
        begin = time.monotonic()
        subprocess.run([weft, "view", f"{name}.json"], check=True, stdout=subprocess.DEVNULL)
        made = time.monotonic() - begin
        begin = time.monotonic()
        b.open(f"{name}.html")
        print(f"{name}: page of {os.path.getsize(name + '.html') / 1e6:.2f} MB, made in {made:.2f} s, ready in {time.monotonic() - begin:.1f} s")
        measure(b, name + (", all links" if dims[0] == 16 else ", planes"))
        if dims[0] == 64:
            b.run("weft.enter(20)")
            measure(b, name + ", one plane")
            b.run("weft.setLevel({kind: 'links'})")
            measure(b, name + ", all 393,216 links")
    os.chdir("/")
