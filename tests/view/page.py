#!/usr/bin/env python3
"""Pages of `weft view` in a real browser (chromium, headless): they load, draw and answer, without an
error in the console. Prints TAP.

    tests/view/page.py PATH/TO/weft
"""
import base64
import json
import os
import subprocess
import sys
import tempfile
import traceback
import zlib
from array import array

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
import browser  # noqa: E402
import forge  # noqa: E402

weft = os.path.realpath(sys.argv[1])
os.environ["WEFT_DATA"] = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
number = failed = 0


def say(ok, what, why=""):
    global number, failed
    number += 1
    failed += not ok
    print("ok" if ok else "not ok", number, "-", what, flush=True)
    if not ok and why != "":
        print("#", str(why).replace("\n", "\n# "), flush=True)


def make(name, *results):
    subprocess.run([weft, "view", *results, "-o", name], check=True, stdout=subprocess.DEVNULL)
    return name


def run(name, *arguments):
    subprocess.run([weft, "run", "-q", "-o", name, *arguments], check=True)
    return name


# Pixels of the canvas that are not background, and a number that changes with any of them.
PIXELS = """
weft.stage.draw();
const gl = weft.stage.renderer.getContext();
const [w, h] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
const bytes = new Uint8Array(4 * w * h);
gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
let drawn = 0, hash = 0;
for (let i = 0; i < bytes.length; i += 4) {
  if (Math.abs(bytes[i] - bytes[0]) + Math.abs(bytes[i + 1] - bytes[1]) + Math.abs(bytes[i + 2] - bytes[2]) > 24) drawn++;
  hash = (Math.imul(hash, 31) + bytes[i] + 7 * bytes[i + 1] + 13 * bytes[i + 2]) | 0;
}
return [drawn / (w * h), hash];"""

# Where an item of the scene is drawn in the window.
PLACE = """
const [pane, item] = arguments;
const { box } = weft.stage.panes[pane];
const { scene, i } = weft.sceneAt(pane);
const p = scene.find(item, i, weft.stage.cameraOf(weft.stage.panes[pane]), box);
const canvas = document.getElementById("canvas").getBoundingClientRect();
return p && { x: canvas.left + box.x + p.x, y: canvas.top + box.y + p.y };"""


# Names of axes and outlines that are not seen whole: [[pane, x, y]] in units of half a pane.
OUTSIDE = """
const out = [];
const margin = 0.1; // a name's height, of half the pane's
for (const [pane, scene] of [weft.scene, weft.other].filter(Boolean).entries()) {
  const camera = weft.stage.cameraOf(weft.stage.panes[pane]);
  scene.outline.forEach((points, i) => {
    const room = i ? margin : 0;
    for (let k = 0; k < points.length; k += 3) {
      const p = camera.position.clone().fromArray(points, k).project(camera);
      if (Math.abs(p.x) > 1 - room / camera.aspect || Math.abs(p.y) > 1 - room) out.push([pane, p.x, p.y]);
    }
  });
}
return out;"""

# How far the outline of a pane, or of the first, reaches, across or up, in units of half a pane.
REACH = """
const pane = arguments[0] || 0;
const camera = weft.stage.cameraOf(weft.stage.panes[pane]);
let most = 0;
for (const points of weft.sceneAt(pane).scene.outline)
  for (let k = 0; k < points.length; k += 3) {
    const p = camera.position.clone().fromArray(points, k).project(camera);
    most = Math.max(most, Math.abs(p.x), Math.abs(p.y));
  }
return most;"""


def pixels(b):
    return b.run(PIXELS)


def text(b, css):
    return b.run("const e = document.querySelector(arguments[0]); return e && !e.hidden ? e.textContent : null", css)


def point(b, item, pane=0, click=False):
    place = b.run(PLACE, pane, item)
    b.move(place["x"], place["y"], click)
    b.settle()


def quiet(b, what):
    said = b.log()
    say(not said, f"{what}: no error in the console", said)


def torus(b):
    b.open(make("torus.html", run("torus.json", "-m", "bluegene-l", "-s", "machine.dims=4x4x4", "-w", "uniform", "-s", "workload.load=0.6",
                                  "-s", "workload.cycles=12000", "-s", "workload.warmup_cycles=4000", "-s", "run.detail=true",
                                  "-s", "run.interval_cycles=2000", "-s", "machine.dead_nodes=1/2/3", "-s", "machine.link.bad_links=0/0/0:x+@0-1000")))
    drawn, whole = pixels(b)
    say(0.02 < drawn < 0.9, "a torus is drawn", drawn)
    say(text(b, "#title").startswith("bluegene-l 4x4x4: uniform, load 0.6"), "the title says what ran", text(b, "#title"))
    legend = text(b, "#legend")
    say("utilisation" in legend and "0.0" in legend and "%" in legend, "the legend has numbers", legend)
    say("dead link" in legend and "bad link" in legend, "the legend shows dead and bad links", legend)
    say(b.run("return document.querySelectorAll('#charts svg').length") == 3, "three charts: loads, the run, response times")
    say(b.run("return document.querySelectorAll('#charts .outside').length") == 2, "warm-up and drain are marked")
    say(b.run("return document.querySelectorAll('#tables tbody tr').length") > 10, "a table of figures")
    say("µs" in text(b, "#tables"), "cycles have microseconds beside them")

    counted, alive = b.run("""return [Number(document.querySelector('#charts .bar title').textContent.split(' of ')[1].split(' ')[0]), weft.first.links.state.filter((s) => s !== 2).length]""")
    say(counted == alive < 384, "links by load are those that live", (counted, alive))

    # Time.
    say(text(b, "#when") == "whole run", "the whole run is shown first", text(b, "#when"))
    b.run("const s = document.getElementById('row'); s.value = 4; s.dispatchEvent(new Event('input'))")
    b.settle()
    row = pixels(b)[1]
    say(row != whole and "cycles 8\u2009000 to 10\u2009000 (" in text(b, "#when"), "the slider changes colours", text(b, "#when"))
    b.run("document.getElementById('canvas').focus()")
    b.press("Right")
    say(b.run("return weft.choice.row") == 5 and pixels(b)[1] != row, "so does the right arrow")
    b.press("Home")
    say(b.run("return weft.choice.row") == -1 and pixels(b)[1] == whole, "Home goes back to the whole run")
    b.press(" ")
    b.wait("return weft.choice.row >= 1")
    b.press(" ")
    stopped = b.run("return weft.choice.row")
    say(stopped >= 1 and b.run("return document.getElementById('play').getAttribute('aria-label')") == "play", "the space bar plays and pauses")
    b.press("Home")

    # One link.
    link = b.run("""const l = weft.first.links;
        for (let i = 0; i < l.count; i++) if (l.from[i] === 3 + 4 * 1 + 16 * 3 && l.directions[l.direction[i]] === 'y+') return i;""")
    point(b, link)
    expected = "y+ link of node (3,1,3) to (3,2,3): utilisation "
    say(text(b, "#tip").startswith(expected), "hover names the link", text(b, "#tip"))
    share = b.run("return weft.first.links.utilisation[arguments[0]] / 65535", link)
    say(abs(float(text(b, "#tip")[len(expected):].split("\u2009")[0]) - 100 * share) < 0.06, "and its figures", (text(b, "#tip"), share))
    frames = b.run("return weft.stage.frames")
    point(b, link)
    say(b.run("return weft.stage.frames") == frames, "which are not drawn again as long as the pointer stays on it")
    b.press("Right")
    share = b.run("return weft.first.links.timeline[arguments[0]] / 255", link)
    say(abs(float(text(b, "#tip")[len(expected):].split("\u2009")[0]) - 100 * share) < 0.06, "they follow the slider", (text(b, "#tip"), share))
    b.press("Home")
    point(b, link, click=True)
    say("y+ link of node (3,1,3) to (3,2,3)" in (text(b, "#pinned") or "") and "blocked" in text(b, "#pinned"), "a click pins it, with its channels", text(b, "#pinned"))
    b.press("Escape")
    say(text(b, "#pinned") is None, "Esc unpins it")
    b.press("n", "n", "p")
    busiest = b.run("""const u = weft.first.links.utilisation; let best = 0;
        for (let i = 1; i < u.length; i++) if (u[i] > u[best]) best = i; return best""")
    say(b.run("return weft.pinned") == busiest and "link of node" in text(b, "#said"), "keys go through the busiest links, and say so")
    b.press("Escape")

    # Filters.
    links = b.run("return weft.values[0].filter((v) => v === v).length")
    b.click("[data-direction='x']")
    shown = b.run("return weft.values[0].filter((v) => v === v).length")
    say(links == 384 and shown == 256 and pixels(b)[1] != whole, "a dimension is filtered out", (links, shown))
    b.click("[data-direction='y+']")
    say(b.run("return weft.values[0].filter((v) => v === v).length") == 192, "a direction, too")
    b.click("[data-direction='x']")
    b.click("[data-direction='y+']")
    say(pixels(b)[1] == whole, "and back")
    b.choose("#vc", "0")
    say(pixels(b)[1] != whole and b.run("return weft.choice.vc") == 0, "a virtual channel is chosen")
    b.choose("#vc", "-1")
    b.run("document.getElementById('canvas').focus()")
    b.press("2")
    say(b.run("return weft.choice.quantity") == "queue" and b.run("return document.getElementById('row').disabled"), "the key 2 shows queues, which have no timeline")
    b.press("3")
    say(b.run("return document.getElementById('quantity').value") == "blocked", "3 shows blocked time")
    b.press("1")
    b.run("const s = document.getElementById('least'); s.value = 100; s.dispatchEvent(new Event('input'))")
    say(b.run("return weft.values[0].filter((v) => v === v).length") == b.run("return weft.first.links.state.filter((s) => s === 2).length"),
        "a least load leaves only dead links")
    b.run("const s = document.getElementById('least'); s.value = 0; s.dispatchEvent(new Event('input'))")

    # Keyboard and theme.
    before = b.run("return weft.stage.camera.position.toArray().join()")
    b.run("weft.stage.turn(0.3, 0); weft.stage.zoom(0.9)")
    say(b.run("return weft.stage.camera.position.toArray().join()") != before, "the camera turns")
    b.press("r")
    say(b.run("return weft.stage.camera.position.toArray().join()") == before, "r shows all of it again")
    window = b.get("/window/rect")
    b.post("/window/rect", width=760, height=1000)
    b.wait("return weft.stage.camera.aspect < 1")
    b.settle()
    say(not b.run(OUTSIDE) and b.run(REACH) > 0.8, "so does a window of another shape", (b.run(OUTSIDE), b.run(REACH)))
    b.run("weft.stage.turn(0.3, 0)")
    turned = b.run("return weft.stage.camera.position.toArray().join()")
    b.post("/window/rect", **window)
    b.wait("return weft.stage.camera.aspect > 1")
    b.settle()
    say(b.run("return weft.stage.camera.position.toArray().join()") == turned, "unless the machine has been turned")
    b.press("r")
    b.press("?")
    say(b.run("return document.getElementById('keys').open && document.querySelectorAll('#keys kbd').length > 10"), "? lists the keys")
    b.press("Escape")
    b.run("document.activeElement.blur()")
    b.press("Tab", "Tab", "Tab")
    focus = b.run("const e = document.activeElement; return [e.id, getComputedStyle(e).outlineStyle, e.matches(':focus-visible')]")
    say(focus[1] != "none" and focus[2], "the focus is visible", focus)
    unnamed = b.run("""return [...document.querySelectorAll('button, select, input')].filter((e) => !e.textContent.trim() && !e.getAttribute('aria-label')
        && !document.querySelector(`label[for="${e.id}"]`)).map((e) => e.outerHTML)""")
    say(not unnamed, "every control has a name", unnamed)
    dark = b.run("return document.documentElement.classList.contains('dark')")
    b.click("#theme")
    say(b.run("return document.documentElement.classList.contains('dark')") != dark and pixels(b)[1] != whole, "light and dark")
    quiet(b, "torus")


def large(b):
    forge.torus("large.json", [64, 32, 32], rows=3)
    b.open(make("large.html", "large.json"))
    say(b.run("return weft.level.kind") == "planes" and pixels(b)[0] > 0.02, "65,536 nodes are shown by planes", pixels(b))
    say("utilisation, means of blocks" in text(b, "#legend"), "the legend says what blocks show", text(b, "#legend"))
    say(text(b, "#plane") == "plane x = 0" and b.run("return weft.scene.planes") == 64, "of the longest dimension")
    whole = pixels(b)[1]
    b.run("document.getElementById('canvas').focus()")
    b.press("Right")
    say(pixels(b)[1] != whole, "which follow the slider")
    b.press("Home", "]", "]", "]")
    say(text(b, "#plane") == "plane x = 3", "keys choose a plane", text(b, "#plane"))
    block = b.run("return weft.scene.blocks - 1")
    point(b, block)
    say("nodes (63,28\u201331,28\u201331): mean" in (text(b, "#tip") or ""), "hover names a block of nodes", text(b, "#tip"))
    b.press("Enter")
    say(b.run("return weft.level.kind + weft.level.at") == "plane3" and pixels(b)[0] > 0.02, "Enter opens the plane")
    link = b.run("""const l = weft.first.links;
        for (let i = 0; i < l.count; i++) if (l.from[i] === 3 + 64 * 20 + 64 * 32 * 9 && l.directions[l.direction[i]] === 'z-') return i;""")
    point(b, link, click=True)
    say("z- link of node (3,20,9) to (3,20,8)" in (text(b, "#pinned") or ""), "a link of it is pinned", text(b, "#pinned"))
    b.press("Escape", "Escape")
    say(b.run("return weft.level.kind") == "planes" and text(b, "#plane") == "plane x = 3", "Esc goes back, step by step")
    point(b, block, click=True)
    say(b.run("return weft.level.kind + weft.level.at") == "plane63", "a click on a block opens its plane", b.run("return weft.level"))
    say(text(b, "#tip") is None, "and what was under the pointer is no longer named", text(b, "#tip"))
    b.choose("#axis", "2")
    say(b.run("return weft.level.axis") == 2 and pixels(b)[0] > 0.02, "another dimension is cut")
    b.run("weft.enter(0)")
    b.run("weft.nextPlane(1)")
    b.settle()
    memory = "const { memory } = weft.stage.renderer.info; return [memory.geometries, memory.textures]"
    held = b.run(memory)
    for _ in range(3):
        b.run("weft.nextPlane(1)")
        b.settle()
    say(b.run(memory) == held, "going through planes holds no more of the graphics card", (held, b.run(memory)))
    quiet(b, "65,536 nodes")


def two(b):
    forge.torus("a.json", [4, 4, 4], seed=1)
    forge.torus("b.json", [4, 4, 4], seed=2, steady=False)
    forge.torus("c.json", [8, 4, 4], seed=3)
    b.open(make("two.html", "a.json", "b.json", "c.json"))
    say(b.run("return weft.stage.panes.length") == 3 and "difference" in text(b, "#labels"), "two results and their difference", text(b, "#labels"))
    say("difference, B \u2212 A" in text(b, "#legend"), "which has a scale of its own")
    ticks = b.run("return [...document.querySelectorAll('#charts .card:first-child .tick, #legend .scale-ends span')].map((t) => t.textContent)")
    say(any(t.startswith("\u2212") for t in ticks) and not any("-" in t for t in ticks), "with minus signs, not hyphens", ticks)
    expected, got = b.run("""const [p, q] = [weft.results[0].links.utilisation, weft.results[1].links.utilisation];
        return [(q[7] - p[7]) / 65535, weft.values[2][7]]""")
    say(abs(expected - got) < 1e-4, "the difference is B - A", (expected, got))
    point(b, 7, pane=2)
    say("utilisation" in (text(b, "#tip") or ""), "hover works in the third pane", text(b, "#tip"))
    say("*" in (text(b, "#tip") or "") and "not steady" in text(b, "#subtitle") and "*" in text(b, "#tables") and "not steady" in text(b, "#tables"), "what is not steady has a star, and the star is explained")
    head = b.run("return [...document.querySelectorAll('#subtitle p')].map((p) => p.textContent)")
    say(head[0] == "A: a.json, 3\u2009000 cycles (17.1 µs)" and head[1] == "B: b.json, 3\u2009000 cycles (17.1 µs) * not steady" and head[2] == "A / B: seed 1 / 2", "the head says of each what it is", head)
    legend = text(b, "#legend")
    say("utilisation*" not in legend and "B \u2212 A*" in legend and "* B is not steady" in legend, "only what rests on B has a star", legend)
    point(b, 7, pane=0)
    say("utilisation" in (text(b, "#tip") or "") and "*" not in text(b, "#tip"), "no link of A has one", text(b, "#tip"))
    say("B \u2212 A" in text(b, "#tables") and "Settings that differ" in text(b, "#tables"), "a table of changes")
    b.choose("#pick-b", "2")
    say(b.run("return weft.stage.panes.length") == 2 and "different links" in text(b, "#notice"), "machines that differ stand side by side", text(b, "#notice"))
    clipped = b.run(OUTSIDE)
    say(not clipped, "and both are seen whole", clipped)
    # A link of C that A does not have.
    link = b.run("""const l = weft.second.links;
        for (let i = 0; i < l.count; i++) if (l.from[i] === 7 && l.directions[l.direction[i]] === 'z+') return i;""")
    point(b, link, pane=1)
    share = b.run("return weft.second.links.utilisation[arguments[0]] / 655.35", link)
    tip = text(b, "#tip") or ""
    say(tip.startswith("z+ link of node (7,0,0) to (7,0,1): utilisation ") and abs(float(tip.split("utilisation ")[1].split("\u2009")[0]) - share) < 0.06, "hover works in both", (tip, share))
    point(b, link, pane=1, click=True)
    say((text(b, "#pinned") or "").startswith("B: z+ link of node (7,0,0) to (7,0,1)"), "and pinning", text(b, "#pinned"))
    b.run("document.getElementById('canvas').focus()")
    b.press("n")
    say(b.run("return weft.pinnedPane === 1 && weft.pinned !== arguments[0]", link) and text(b, "#said").startswith(b.run("return weft.machineAt(1).link(weft.pinned)")), "keys go on in the machine of the pinned link", text(b, "#said"))
    point(b, 7, pane=0, click=True)
    say((text(b, "#pinned") or "").startswith("A: "), "a click in the other pins there", text(b, "#pinned"))
    point(b, 7, pane=0, click=True)
    say(text(b, "#pinned") is None, "and a second one unpins")
    b.choose("#pick-b", "-1")
    say(b.run("return weft.stage.panes.length") == 1, "one alone")
    run("packets.json", "-m", "bluegene-l", "-s", "machine.dims=2x2x2", "-w", "alltoall")
    run("messages.json", "-m", "bluegene-l", "-s", "machine.dims=2x2x2", "-w", "alltoall", "-s", "workload.as=messages")
    run("ideal.json", "-m", "ideal", "-s", "machine.nodes=8", "-w", "alltoall")
    b.open(make("work.html", "packets.json", "ideal.json", "messages.json"))
    say("A and B did not do the same work. A: all-to-all of 8 nodes: each sends every other 1 packet of 256 bytes" in text(b, "#notice"), "two machines that did other work are told apart", text(b, "#notice"))
    b.choose("#pick-a", "2")
    say("same work" not in text(b, "#notice"), "and with the same work nothing is said", text(b, "#notice"))
    quiet(b, "two results")


def different(b):
    """Two machines of which one is large, has another clock or other directions."""
    clock = run("clock.json", "-m", "dragonfly", "-s", "machine.graph=dragonfly:2:4:2", "-w", "uniform", "-s", "workload.cycles=4000", "-s", "workload.warmup_cycles=1000",
                "-s", "run.interval_cycles=500")
    forge.torus("big.json", [32, 16, 16], rows=3, seed=2, steady=False)
    b.open(make("different.html", clock, "big.json"))
    say(b.run("return weft.stage.panes.length") == 2 and "B: big.json*, by planes" in text(b, "#labels"), "a large machine stands beside a small one by its planes", text(b, "#labels"))
    say(b.run("return weft.other.panes[0].link.some((l) => l >= 0)") and not b.run(OUTSIDE), "both are seen whole", b.run(OUTSIDE))
    say(min(b.run(REACH, 0), b.run(REACH, 1)) > 0.8, "and each fills its pane", (b.run(REACH, 0), b.run(REACH, 1)))
    b.run("weft.stage.turn(0.1, 0)")
    reach = b.run(REACH, 1)
    b.click("#theme")
    say(abs(b.run(REACH, 1) - reach) < 1e-6, "also in another theme, once turned", (b.run(REACH, 1), reach))
    b.click("#theme")
    b.press("r")
    head = b.run("return [...document.querySelectorAll('#subtitle p.result')].map((p) => p.textContent.includes('not steady'))")
    say(head == [False, True], "the one that is not steady is named", text(b, "#subtitle"))
    charts = text(b, "#charts")
    say("Links by load, A" in charts and "load, A*" not in charts and "B: big.json*" in charts, "charts of the other have no star", charts)
    ends = b.run("""const [p, q] = weft.shown.map((r) => r.timeline.at(-1).cycle * r.secondsPerCycle);
        const lines = [...document.querySelectorAll('#charts polyline')].map((l) => Number(l.getAttribute('points').split(' ').at(-1).split(',')[0]) - 44);
        return [p / q, lines[0] / lines[1]]""")
    say("time (\u00b5s)" in charts and abs(ends[0] / ends[1] - 1) < 0.25 and ends[0] != 1, "the run is in microseconds where clocks differ", ends)
    marks = b.run("""const at = [...document.querySelectorAll('#charts .mark')].map((m) => Number(m.getAttribute('x1')));
        const ticks = [...document.querySelectorAll('#charts .card:last-of-type .tick[text-anchor=middle]')].map((t) => [Number(t.textContent), Number(t.getAttribute('x'))]);
        const [[low, x0], [high, x1]] = [ticks[0], ticks.at(-1)];
        const time = (x) => low * (high / low) ** ((x - x0) / (x1 - x0));
        const peaks = [...document.querySelectorAll('#charts path.series')].map((p) => { // where the highest step begins
          const steps = p.getAttribute('d').match(/V[^H]+H[^V]+/g).map((s) => s.slice(1).split('H').map(Number));
          return time(steps.reduce((best, s) => (s[0] < best[0] ? s : best))[1]);
        });
        const expected = weft.shown.flatMap((r) => [r.json.response_cycles.p50, r.json.response_cycles.p99].map((v) => 1e6 * v * r.secondsPerCycle));
        return [expected, at.map(time), peaks, weft.shown.map((r) => 1e6 * r.secondsPerCycle * r.histogram.reduce((best, s) => (s[1] > best[1] ? s : best))[0])]""")
    say("response time (\u00b5s)" in charts and all(abs(x / y - 1) < 0.02 for x, y in zip(marks[0], marks[1])), "so are medians and 99 % of response times", marks)
    say(abs(marks[2][1] / marks[3][1] - 1) < 0.25, "and their histograms", marks)
    say(b.run("return document.querySelectorAll('#charts .outside').length") == 0, "warm-up and drain are left out where they differ")
    block = b.run("return weft.other.blocks - 1")
    link = b.run("return weft.other.panes[0].link.at(-1)")
    point(b, block, pane=1)
    say((text(b, "#tip") or "").startswith("nodes (31,14\u201315,14\u201315): mean utilisation"), "blocks of the other are named", text(b, "#tip"))
    point(b, block, pane=1, click=True)
    say((text(b, "#pinned") or "").startswith("B: " + b.run("return weft.machineAt(1).link(arguments[0])", link)), "a click pins the busiest link of a block", text(b, "#pinned"))
    b.run("weft.pin(-1)")
    before = pixels(b)[1]
    b.click("[data-direction='y+']")
    hidden = b.run("const l = weft.second.links; return weft.values[1].filter((v) => v !== v).length / l.count")
    say(pixels(b)[1] != before and abs(hidden - 1 / 6) < 1e-6, "directions of the other can be filtered", hidden)
    quiet(b, "machines that differ")


def unlike(b):
    """Two results of one machine of which only one has channels, rows or dead links; two machines of which both have channels, but not as many."""
    common = ["-m", "bluegene-l", "-s", "machine.dims=4x4x4", "-w", "uniform", "-s", "workload.cycles=6000", "-s", "workload.warmup_cycles=2000"]
    run("plain.json", *common)
    run("broken.json", *common, "-s", "run.detail=true", "-s", "machine.dead_nodes=1/2/3", "-s", "run.interval_cycles=1000")
    b.open(make("unlike.html", "plain.json", "broken.json"))
    say(b.run("return [document.querySelectorAll('#vc option').length, weft.comparable]") == [1, True], "a channel that only one has cannot be chosen")
    dead = b.run("return weft.second.links.state.indexOf(2)")
    drawn = b.run("return weft.scene.panes.map((p) => p.lines.mesh.geometry.attributes.state.array.includes(2))")
    say(drawn == [False, True, True] and "dead link" in text(b, "#legend"), "links are dead where they are, in B and in the difference", (drawn, text(b, "#legend")))
    b.run("weft.hover({ pane: 1, link: arguments[0] })", dead)
    say(text(b, "#tip").endswith(": dead"), "a dead link of B is called so", text(b, "#tip"))
    b.run("weft.hover({ pane: 0, link: arguments[0] })", dead)
    say("utilisation" in text(b, "#tip") and "dead" not in text(b, "#tip"), "in A it lives", text(b, "#tip"))
    b.run("weft.hover({ pane: 2, link: arguments[0] })", dead)
    say(": change of utilisation \u2212" in text(b, "#tip"), "its load is less by all it was", text(b, "#tip"))
    b.run("weft.hover(null)")
    b.run("const s = document.getElementById('least'); s.value = 20; s.dispatchEvent(new Event('input'))")
    b.run("document.getElementById('canvas').focus()")
    b.press("n")
    say("NaN" not in text(b, "#said") and "change of utilisation" in text(b, "#said"), "a link that is hidden in A has a figure", text(b, "#said"))
    quiet(b, "unlike results")
    run("large.json", "-m", "bluegene-l", "-s", "machine.dims=18x16x16", "-w", "uniform", "-s", "workload.load=0.1", "-s", "workload.cycles=300",
        "-s", "workload.warmup_cycles=100", "-s", "run.interval_cycles=100")
    b.open(make("unlike.html", "large.json", "broken.json"))
    b.run("const s = document.getElementById('row'); s.value = 2; s.dispatchEvent(new Event('input'))")
    say("A does not say what each link did" in text(b, "#stage"), "A has no links, and B has rows: the page says so", text(b, "#stage"))
    quiet(b, "a result without links before one with rows")
    run("graph.json", "-m", "sc5832", "-s", "machine.graph=kautz:3:3", "-w", "uniform", "-s", "workload.cycles=3000", "-s", "machine.router.vcs=2", "-s", "run.detail=true")
    b.open(make("unlike.html", "broken.json", "graph.json"))
    last = b.run("return weft.first.links.vcs.length - 1")
    say(last >= b.run("return weft.second.links.vcs.length"), "A has more channels")
    b.choose("#vc", str(last))
    most, ends = b.run("return [weft.busiestLink, weft.most]")
    largest = b.run("const v = weft.second.links; return Math.max(...v.utilisation) / 65535")
    name = b.run("return weft.first.links.vcs.at(-1)")
    say(most >= largest - 1e-6 and ends >= largest and f"utilisation of {name}" in text(b, "#legend") and "all channels" in text(b, "#labels"),
        "B is shown with all its channels, on a scale that has room for it", (most, ends, largest, text(b, "#legend"), text(b, "#labels")))
    quiet(b, "unlike machines")


def clocks(b):
    """Two results of which each has intervals, a length or a clock of its own: the slider moves them to the same time."""
    common = ["-m", "bluegene-l", "-s", "machine.dims=4x4x4", "-w", "uniform", "-s", "run.detail=true", "-s", "workload.warmup_cycles=2000"]
    run("slow.json", *common, "-s", "workload.cycles=4000", "-s", "run.interval_cycles=1000")
    run("fine.json", *common, "-s", "workload.cycles=8000", "-s", "run.interval_cycles=400")
    b.open(make("clocks.html", "slow.json", "fine.json"))
    rows = "return weft.shown.map((r) => weft.clock.rowOf(r, weft.choice.row))"
    most = b.run("const [p, q] = weft.shown.map((r) => r.links.rows); return [Number(document.getElementById('row').max) + 1, p, q]")
    say(most[0] == most[2] and 1000 * most[1] < 400 * most[2], "the slider has the finest rows and the longest run", most)
    b.run("weft.setRow(9)")
    say(b.run(rows) == [3, 9] and text(b, "#when").startswith("cycles 3\u2009600 to 4\u2009000 ("), "each goes to its own row of the same time", (b.run(rows), text(b, "#when")))
    say("slow.json, cycles 3\u2009000 to 4\u2009000" in text(b, "#labels") and "fine.json, cycles 3\u2009600 to 4\u2009000" in text(b, "#labels"), "and says which", text(b, "#labels"))
    expected, got = b.run("""const [p, q] = weft.shown.map((r) => r.links);
        return [(q.timeline[9 * q.count + 7] - p.timeline[3 * p.count + 7]) / 255, weft.values[2][7]]""")
    say(abs(expected - got) < 1e-6, "their difference is of these rows", (expected, got))
    b.run("weft.pin(7)")
    say("busy, now" in text(b, "#pinned"), "so is the table of a link", text(b, "#pinned"))
    expected, got = b.run("""const { from, to } = weft.first.links;
        const rows = [...document.querySelectorAll('#pinned tr')].map((r) => [...r.children].map((c) => c.textContent));
        return [[from[7], to[7]].map((v) => weft.shown.map((r) => String(r.nodes.sent_packets[v]))), rows.filter(([name]) => name === 'packets sent').map(([, ...values]) => values)]""")
    heads = b.run("return [...document.querySelectorAll('#pinned thead tr')].slice(1).map((r) => [...r.children].map((c) => c.textContent).slice(1))")
    say(got == expected and expected[0][0] != expected[0][1] and heads == [["A", "B"]] * 2, "the nodes at its ends have figures of both", (expected, got, heads))
    say(text(b, "#pinned").index("virtual channels, whole run") > text(b, "#pinned").index("busy, now"), "those of channels are of the whole run", text(b, "#pinned"))
    cursor = b.run("const c = document.querySelector('#charts rect.cursor'); return [c.getAttribute('x'), c.getAttribute('width')].map(Number)")
    ends = b.run("""const l = [...document.querySelectorAll('#charts polyline')][1].getAttribute('points').split(' ').map((p) => Number(p.split(',')[0]));
        return [l[9], l[1] - l[0]]""")
    say(abs(cursor[0] + cursor[1] / 2 - ends[0]) < 0.5 and abs(cursor[1] - ends[1]) < 1, "and the cursor of the chart is there", (cursor, ends))
    b.run("weft.setRow(1e6)")
    say(b.run(rows) == [most[1] - 1, most[2] - 1] and "(its last row)" in text(b, "#labels").split("B:")[0], "the shorter stays at its end", (b.run(rows), text(b, "#labels")))
    b.run("weft.setRow(-1)")
    say("cycle" not in text(b, "#labels"), "of the whole run there is nothing to say", text(b, "#labels"))
    run("other.json", "-m", "sc5832", "-s", "machine.graph=kautz:2:3", "-w", "uniform", "-s", "run.detail=true", "-s", "run.interval_cycles=500", "-s", "workload.cycles=3000")
    b.open(make("clocks.html", "slow.json", "other.json"))
    b.run("weft.setRow(2)")
    times = b.run("return weft.shown.map((r) => { const [from, to] = weft.clock.cyclesOf(r, 2); return [from * r.secondsPerCycle, to * r.secondsPerCycle] })")
    now = b.run("return 2.5e-6 * weft.clock.step")
    say(all(low <= now <= high for low, high in times) and "\u00b5s to" in text(b, "#when"), "where clocks differ, the time is in microseconds", (times, now, text(b, "#when")))
    run("plain.json", "-m", "bluegene-l", "-s", "machine.dims=4x4x4", "-w", "uniform", "-s", "workload.cycles=4000")
    b.open(make("clocks.html", "plain.json", "slow.json"))
    b.run("weft.setRow(2)")
    say(text(b, "#when").startswith("cycles 2\u2009000 to 3\u2009000 (") and "plain.json, whole run" in text(b, "#labels"), "a result without rows stays whole", (text(b, "#when"), text(b, "#labels")))
    quiet(b, "clocks")


def small(b):
    """Machines at the edge of what there is to show."""
    for dims in ("2x1x1", "3x5x7"):
        b.open(make("small.html", run("small.json", "-m", "bluegene-l", "-s", f"machine.dims={dims}", "-w", "uniform", "-s", "workload.cycles=4000", "-s", "workload.warmup_cycles=500")))
        say(not b.run(OUTSIDE) and b.run(REACH) > 0.8, f"{dims}: the names of axes are in the picture, which fills the pane", (b.run(OUTSIDE), b.run(REACH)))
    b.open(make("one.html", run("one.json", "-m", "bluegene-l", "-s", "machine.dims=1x1x1", "-w", "uniform", "-s", "run.detail=true")))
    say(text(b, "#notice") == "This machine has no links." and "no packets" in text(b, "#subtitle"), "a node alone has no links and no packets", (text(b, "#notice"), text(b, "#subtitle")))
    quiet(b, "one node")
    run("ideal.json", "-m", "ideal", "-s", "machine.nodes=64", "-w", "uniform", "-s", "workload.cycles=4000", "-s", "run.detail=true")
    section = json.load(open("ideal.json"))["each_link"]
    b.open(make("ideal.html", "ideal.json"))
    b.press("n")
    say(section["vcs"] == [] and pixels(b)[0] > 0.001 and "port of node" in (text(b, "#pinned") or ""), "an ideal network, which has no channels, is drawn", text(b, "#pinned"))
    say("run.detail" not in text(b, "#notice"), "and is not told to add what was given", text(b, "#notice"))
    quiet(b, "ideal")
    # Node 0 gets no packets: it has no response time.
    run("silent.json", "-m", "bluegene-l", "-s", "machine.dims=4x4x4", "-w", "uniform", "-s", "workload.cycles=4000", "-s", "run.detail=true", "-s", "machine.dead_nodes=1/0/0")
    result = json.load(open("silent.json"))
    responses = array("f", zlib.decompress(base64.b64decode(result["each_node"]["response_cycles"])))
    responses[0] = float("nan")
    result["each_node"]["response_cycles"] = forge.pack("f", responses)
    json.dump(result, open("silent.json", "w"))
    b.open(make("silent.html", "silent.json", "ideal.json"))
    b.run("weft.pin(weft.first.links.from.indexOf(0))")
    say("response\u2013" in text(b, "#pinned") and "NaN" not in text(b, "#pinned"), "a node without packets has no response time", text(b, "#pinned"))
    say("1 dead node" in text(b, "#subtitle"), "dead nodes are counted", text(b, "#subtitle"))
    say(b.run("const o = [...document.querySelectorAll('#quantity option')]; return o.map((e) => e.disabled)") == [False, True, True], "queues, which the other has not, cannot be chosen")
    quiet(b, "no packets")


def words(b):
    """The names of warm-up and drain are on no curve and within their bands."""
    run("words.json", "-m", "bluegene-l", "-s", "machine.dims=4x4x4", "-w", "uniform", "-s", "workload.load=0.6", "-s", "workload.cycles=12000",
        "-s", "workload.warmup_cycles=6000", "-s", "run.interval_cycles=500")
    b.open(make("words.html", "words.json"))
    boxes = b.run("""return [...document.querySelectorAll('#charts .note')].filter((t) => /warm|drain/.test(t.textContent)).map((t) => {
        const box = t.getBBox();
        const bands = [...document.querySelectorAll('#charts .outside')].map((r) => r.getBBox());
        const line = document.querySelector('#charts polyline');
        let crossed = false;
        for (let at = 0; at < line.getTotalLength(); at++) {
          const p = line.getPointAtLength(at);
          crossed ||= p.x > box.x && p.x < box.x + box.width && p.y > box.y && p.y < box.y + box.height;
        }
        return [t.textContent, bands.some((r) => box.x >= r.x && box.x + box.width <= r.x + r.width), crossed];
    })""")
    say(boxes and all(inside and not crossed for _, inside, crossed in boxes), "words lie in their bands and on no curve", boxes)
    quiet(b, "words")


def shared(b):
    subprocess.run([weft, "jobs", "-m", "k-computer", "-s", "jobs.count=200", "-s", "jobs.load=0.9", "-q", "-o", "jobs.json"], check=True)
    b.open(make("jobs.html", "jobs.json"))
    boxes, running = b.run("return [weft.scene.boxes.count, weft.scene.running]")
    say(boxes >= running >= 1 and pixels(b)[0] > 0.01, "jobs are boxes", (boxes, running))
    first = b.run("return weft.first.runs.first")
    far = b.run("const a = weft.scene.boxes, n = weft.first.runs.cells; let far = -n[0]; for (let i = 0; i < a.count; i++) for (let c = 0; c < 3; c++) far = Math.max(far, Math.abs(a.centre[3 * i + c]) + a.extent[3 * i + c] / 2 - n[c] / 2); return far")
    say(first == [0, 0, 1] and far < 0, "boxes lie in the machine, whose first cell has its own coordinates", (first, far))
    now = pixels(b)[1]
    b.run("const s = document.getElementById('row'); s.value = 200; s.dispatchEvent(new Event('input'))")
    say(pixels(b)[1] != now and "after the first start" in text(b, "#when"), "the slider moves over time", text(b, "#when"))
    # The largest box that runs now is where the result says, and is named.
    run_ = b.run("const c = weft.scene.boxes.count; return c ? weft.scene.owner[c - 1] : -1")
    held = b.run("const i = arguments[0], r = weft.first.runs; return [r.job[i], r.held[i], r.start[i] <= weft.time && weft.time < r.end[i]]", run_)
    point(b, run_)
    say(held[2] and (text(b, "#tip") or "").startswith("job "), "hover names a job", text(b, "#tip"))
    figures = b.run("return [...document.querySelectorAll('#tables tbody th')].map((c) => c.textContent)")
    say("jobs finished" in figures and "sim seconds" in figures and not any(name.startswith(("cycles", "packet", "offered", "link ")) for name in figures), "a schedule has no figures of traffic", figures)
    quiet(b, "jobs")
    run("parts.json", "-m", "bluegene-l", "-s", "machine.dims=4x4x4", "-w", "uniform", "--on", "0-31", "-w", "uniform", "--on", "40-50")
    b.open(make("parts.html", "parts.json"))
    say(b.run("return weft.scene.boxes.count") == 1 and "1: nodes:0-31" in text(b, "#tables"), "a part that is a box is drawn as one", text(b, "#tables"))
    say(b.run("return weft.first.partOf[40]") == 2, "the nodes of another have its colour")
    say("part 1: uniform" in text(b, "#legend") and "part 2: uniform" in text(b, "#legend"), "the legend names the parts", text(b, "#legend"))
    result = json.load(open("parts.json"))
    del result["each_link"]
    json.dump(result, open("nodes.json", "w"))
    b.open(make("parts.html", "nodes.json", "nodes.json"))
    say("part 1: uniform" in text(b, "#legend") and "utilisation" not in text(b, "#legend"), "also those of nodes alone", text(b, "#legend"))
    say(b.run("return weft.stage.panes.length") == 2 and "difference" not in text(b, "#labels") + (text(b, "#notice") or ""), "parts of two results without links have no difference", (text(b, "#labels"), text(b, "#notice")))
    quiet(b, "parts")


def graphs(b):
    for name, machine, settings in (("kautz", "sc5832", ["machine.graph=kautz:3:4"]), ("dragonfly", "dragonfly", ["machine.graph=dragonfly:2:4:2"]),
                                    ("tree", "fat-tree", ["machine.graph=fattree:4:3"]), ("pod", "torus-pod", ["machine.graph=torus:4x4x4"]),
                                    ("tofu", "k-computer", ["machine.dims=3x3x3x2x3x2"])):
        sets = [word for setting in settings + ["workload.cycles=4000", "workload.warmup_cycles=500"] for word in ("-s", setting)]
        b.open(make(name + ".html", run(name + ".json", "-m", machine, "-w", "uniform", *sets)))
        title = text(b, "#title")
        say(title.startswith(settings[0].split("=")[1] if name == "dragonfly" else f"{machine} "), f"{name}: the title has its name once", title)
        link = b.run("return weft.busiestLinks()[0]")
        say(pixels(b)[0] > 0.005 and b.run("return weft.machine.positions.every(Number.isFinite)"), f"{name} is drawn", pixels(b))
        say(0.8 < b.run(REACH) <= 1, f"{name} fills the pane", b.run(REACH))
        point(b, link)
        say(b.run("return weft.hovered && weft.hovered.link >= 0"), f"{name}: hover finds a link: {text(b, '#tip')}")
        first = b.run("return weft.machine.positions.join()")
        b.open(name + ".html")
        say(b.run("return weft.machine.positions.join()") == first, f"{name}: the layout is the same every time")
        quiet(b, name)
    for name, hosts in (("dragonfly", 72), ("tree", 16), ("pod", 64)):
        b.open(name + ".html")
        dots, cables = b.run("""const found = { points: 0, lines: [] };
            weft.scene.panes[0].scene.traverse((o) => { if (o.isPoints) found.points = o.geometry.attributes.position.count; if (o.isLineSegments) found.lines.push(o.geometry.attributes.position.count / 2); });
            return [found.points, found.lines]""")
        say(dots == b.run("return weft.first.links.nodes") and hosts in cables and not b.run("return weft.directionNames.includes('to host')"),
            f"{name}: hosts are drawn without run.detail", (dots, cables))
        say("switch" in text(b, "#legend") and "host" in text(b, "#legend"), f"{name}: the legend says which marks are hosts", text(b, "#legend"))
    # Of a Kautz graph, cubes are nodes whose words begin alike.
    b.open("kautz.html")
    cubes, bundles, near = b.run("""const m = weft.machine, l = m.links, p = m.positions;
        const far = (u, v) => Math.hypot(p[3 * u] - p[3 * v], p[3 * u + 1] - p[3 * v + 1], p[3 * u + 2] - p[3 * v + 2]);
        const bundles = Array.from({ length: 36 }, () => new Set());
        for (let i = 0; i < l.count; i++) bundles[Math.floor(l.from[i] / 3)].add(Math.floor(l.to[i] / 3));
        let within = 0, between = Infinity;
        for (let u = 0; u < l.nodes; u++)
          for (let v = 0; v < u; v++)
            if (Math.floor(u / 3) === Math.floor(v / 3)) within = Math.max(within, far(u, v));
            else between = Math.min(between, far(u, v));
        return [m.layout, Math.max(...bundles.map((s) => s.size)), within < between]""")
    say(cubes == "words" and bundles == 3 and near, "a Kautz graph is laid out by its words, with three bundles from each cube", (cubes, bundles, near))
    b.open("tofu.html")
    b.choose("#level", "planes")
    say(b.run("return weft.level.kind") == "planes" and pixels(b)[0] > 0.005, "a small machine can be shown by planes, too")


def bare(b):
    forge.torus("bare.json", [4, 4, 4])
    result = json.load(open("bare.json"))
    del result["each_link"]
    json.dump(result, open("bare.json", "w"))
    b.open(make("bare.html", "bare.json"))
    say("run.detail=true" in text(b, "#notice"), "a result without links says how to get them", text(b, "#notice"))
    say(b.run("return document.querySelectorAll('#charts svg').length") >= 2 and "Figures" in text(b, "#tables"), "it still has charts and tables")
    quiet(b, "no links")
    result["link_utilisation_by_direction"] = {"x+": 0.2}
    result["response_cycles"] = {"count": 0, "histogram": []}
    json.dump(result, open("barer.json", "w"))
    b.open(make("bare.html", "barer.json", "bare.json"))
    bars = b.run("return ['s0', 's1'].map((s) => document.querySelectorAll('#charts .direction.' + s).length)")
    say(bars == [1, 6], "directions that only B has are shown, in its colour", bars)
    series = b.run("return [...document.querySelectorAll('#charts path.series')].map((p) => p.getAttribute('class'))")
    say(series == ["series s1 line"], "so are response times that only B has", series)
    say("NaN" not in b.run("return document.body.innerHTML.split('<script')[0]"), "and nothing is not a number")
    quiet(b, "less than that")


def blind(b):
    b.open("torus.html")
    say("no WebGL" in text(b, "#notice"), "a browser without WebGL is told so", text(b, "#notice"))
    say(b.run("return document.querySelectorAll('#charts svg').length") == 3 and "Figures" in text(b, "#tables"), "and has charts and tables")
    bars = b.run("return [...document.querySelectorAll('#charts .bar')].filter((r) => r.getAttribute('height') > 0).length")
    say(bars > 3 and "NaN" not in b.run("return document.getElementById('charts').innerHTML"), "links are counted by their load at once", bars)
    b.press("n")
    busiest = b.run("const u = weft.first.links.utilisation; return u.indexOf(Math.max(...u))")
    say(b.run("return weft.pinned") == busiest, "and the busiest is found", (b.run("return weft.pinned"), busiest))
    b.press("Escape", "Right", "n")
    say(b.run("return weft.choice.row") == 0 and "link of node" in (text(b, "#pinned") or ""), "keys work there, too", text(b, "#pinned"))
    b.open("jobs.html")
    say("Cells in use" in text(b, "#charts") and "after the first start" in text(b, "#when"), "jobs have their chart and a slider", (text(b, "#charts"), text(b, "#when")))


def main():
    if not browser.CHROMIUM or not browser.DRIVER:
        print("ok 1 - pages in a browser # SKIP no chromium or chromedriver")
        print("1..1")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for flags, tests in ((browser.WEBGL, [torus, large, two, different, unlike, clocks, small, words, shared, graphs, bare]), (["--disable-3d-apis"], [blind])):
            with browser.Browser(flags) as b:
                for test in tests:
                    try:
                        test(b)
                    except Exception:  # a test that breaks is a test that fails
                        say(False, f"{test.__name__} ran to its end", traceback.format_exc())
        os.chdir("/")
    print(f"1..{number}")
    return failed > 0


sys.exit(main())
