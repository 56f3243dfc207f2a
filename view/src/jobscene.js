// Jobs that share a machine: each is a box of cells, from its start to its end.
import * as THREE from "three";
import { Boxes } from "./boxes.js";
import { frame } from "./stage.js";
import { ofJob } from "./colour.js";
import { axisSigns, corners } from "./axes.js";
import { boxAt, boxMiddle } from "./pick.js";

export class JobScene {
  constructor(runs, look) {
    this.runs = runs;
    this.size = runs.cells.map((n) => n + 0.4);
    // Where scattered jobs are is not recorded: all are stacked, in the order of their starts.
    this.stacked = false;
    for (let i = 0; i < runs.count; i++) this.stacked ||= runs.size[3 * i] === 0;
    this.cells = runs.cells[0] * runs.cells[1] * runs.cells[2];
    const scene = new THREE.Scene();
    this.boxes = new Boxes(Math.max(1, Math.min(8 * this.cells, 200000)), look.solidMaterial);
    this.owner = new Int32Array(this.boxes.capacity);
    const signs = axisSigns(this.size, ["x", "y", "z"], runs.cells, look.axisHex, runs.first);
    scene.add(this.boxes.mesh, frame(this.size, look.dimHex), signs);
    this.outline = [...corners(this.size), signs.userData.ends];
    this.panes = [{ scene }];
  }

  // One box, or up to eight where it lies across ends of rings.
  addRun(run) {
    const { at, size, cells, first } = this.runs;
    const spans = [0, 1, 2].map((c) => {
      const low = at[3 * run + c] - first[c];
      const high = low + size[3 * run + c];
      return high <= cells[c] ? [[low, high]] : [[low, cells[c]], [0, high - cells[c]]];
    });
    for (const x of spans[0]) for (const y of spans[1]) for (const z of spans[2]) this.addBox(run, [x, y, z], 0.08);
  }

  addBox(run, spans, gap) {
    if (this.boxes.count >= this.boxes.capacity) return;
    const cells = this.runs.cells;
    const centre = spans.map(([low, high], c) => (low + high - cells[c]) / 2);
    const size = spans.map(([low, high]) => high - low - gap);
    const i = this.boxes.add(...centre, ...size);
    this.owner[i] = run;
    this.boxes.hatch[i] = this.runs.lost[run];
    ofJob(this.runs.job[run], this.boxes.tint, 3 * i);
  }

  addStacked(run, first) {
    const [nx, ny] = this.runs.cells;
    const held = this.runs.held[run];
    for (let k = first; k < first + held; k++) {
      const c = [k % nx, Math.floor(k / nx) % ny, Math.floor(k / (nx * ny))];
      this.addBox(run, c.map((v) => [v, v + 1]), 0.08);
    }
    return first + held;
  }

  // Who is there at a time, in seconds.
  show(time) {
    this.boxes.clear();
    this.running = 0;
    let next = 0;
    for (const run of this.runs.order) {
      if (this.runs.start[run] > time) break;
      if (this.runs.end[run] <= time) continue;
      this.running++;
      if (this.stacked) next = this.addStacked(run, next);
      else this.addRun(run);
    }
    this.boxes.finish();
  }

  at(pane, camera, box, x, y) {
    const i = boxAt(this.boxes, camera, box, x, y);
    return i < 0 ? null : { run: this.owner[i] };
  }

  find(run, pane, camera, box) {
    const i = this.owner.subarray(0, this.boxes.count).indexOf(run);
    return i < 0 ? null : boxMiddle(this.boxes, camera, box, i);
  }

  mark() {}
}
