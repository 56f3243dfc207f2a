// A large machine by its planes: each is cut into blocks of nodes, whose boxes show by colour and
// size what the links that leave them do.
import * as THREE from "three";
import { Boxes } from "./boxes.js";
import { partBoxes } from "./partboxes.js";
import { frame } from "./stage.js";
import { axisSigns, corners } from "./axes.js";
import { boxAt, boxMiddle } from "./pick.js";

const BLOCKS = 8; // along each side of a plane, at most

export class PlaneScene {
  constructor(machine, panes, look, { axis, at }, partOf = null) {
    this.machine = machine;
    this.grid = machine.grid;
    this.axis = axis;
    this.plane = at;
    this.planes = this.grid.outer[axis];
    this.others = [0, 1, 2].filter((c) => c !== axis);
    this.side = this.others.map((c) => Math.ceil(this.grid.outer[c] / BLOCKS)); // nodes along a block
    this.many = this.others.map((c, i) => Math.ceil(this.grid.outer[c] / this.side[i]));
    this.blocks = this.planes * this.many[0] * this.many[1];
    this.size = machine.grid.size().map((s) => s + 1);
    this.outline = corners(this.size);
    this.assign();
    this.counts = new Uint32Array(this.blocks);
    this.panes = panes.map((i) => this.makePane(look, i));
    if (partOf) for (const { scene } of this.panes) scene.add(partBoxes(this.grid, partOf, look.glassMaterial).mesh);
  }

  // The block of each node.
  assign() {
    const { grid, axis, others, side, many } = this;
    this.blockOf = new Uint32Array(grid.first + grid.nodes);
    for (let v = grid.first; v < this.blockOf.length; v++) {
      const b = others.map((c, i) => Math.floor(grid.coordinate(v, c) / side[i]));
      this.blockOf[v] = (grid.coordinate(v, axis) * many[1] + b[1]) * many[0] + b[0];
    }
  }

  blockAt(block) {
    const a = block % this.many[0];
    const b = Math.floor(block / this.many[0]) % this.many[1];
    return { plane: Math.floor(block / (this.many[0] * this.many[1])), corner: [a * this.side[0], b * this.side[1]] };
  }

  // First and last coordinate of a block along each axis.
  range(block) {
    const { plane, corner } = this.blockAt(block);
    const out = [];
    out[this.axis] = [plane, plane];
    this.others.forEach((c, i) => {
      out[c] = [corner[i], Math.min(corner[i] + this.side[i], this.grid.outer[c]) - 1];
    });
    return out;
  }

  makePane(look, i) {
    const scene = new THREE.Scene();
    const boxes = new Boxes(this.blocks, look.blockMaterials[i]);
    const { step, outer } = this.grid;
    for (let b = 0; b < this.blocks; b++) {
      const range = this.range(b);
      const centre = range.map(([low, high], c) => ((low + high - outer[c] + 1) / 2) * step[c]);
      const size = range.map(([low, high], c) => (high - low + 1) * step[c] * (c === this.axis ? 0.5 : 0.92));
      boxes.add(...centre, ...size);
    }
    boxes.finish();
    const size = this.size.slice();
    size[this.axis] = step[this.axis] * 0.9;
    const chosen = frame(size, look.inkHex);
    chosen.material.depthTest = false;
    chosen.renderOrder = 2;
    const signs = axisSigns(this.size, this.grid.names.slice(0, 3), outer, look.axisHex);
    this.outline.push(signs.userData.ends);
    scene.add(boxes.mesh, frame(this.size, look.dimHex), chosen, signs);
    // Of each block: mean, the largest value, and the link that has it.
    return { scene, boxes, chosen, mean: new Float32Array(this.blocks), most: new Float32Array(this.blocks), link: new Int32Array(this.blocks) };
  }

  choose(plane) {
    this.plane = (plane + this.planes) % this.planes;
    const { step, outer } = this.grid;
    for (const { chosen } of this.panes) chosen.position.setComponent(this.axis, (this.plane - (outer[this.axis] - 1) / 2) * step[this.axis]);
  }

  // Means and busiest links of blocks.
  gather(values, { mean, most, link }) {
    const { links } = this.machine;
    const { blockOf, counts } = this;
    mean.fill(0);
    most.fill(0);
    counts.fill(0);
    link.fill(-1);
    for (let l = 0; l < links.count; l++) {
      const v = values[l];
      if (v !== v || links.from[l] < this.grid.first) continue;
      const b = blockOf[links.from[l]];
      mean[b] += v;
      counts[b]++;
      if (link[b] < 0 || Math.abs(v) > Math.abs(most[b])) {
        most[b] = v;
        link[b] = l;
      }
    }
    for (let b = 0; b < this.blocks; b++) if (counts[b]) mean[b] /= counts[b];
  }

  largestMean(values) {
    this.gather(values, this.panes[0]);
    return this.panes[0].mean.reduce((a, b) => Math.max(a, b), 0);
  }

  // `busiest`: a block shows its busiest link, not the mean.
  show(pane, values, low, high, busiest) {
    const { mean, most, boxes } = this.panes[pane];
    this.gather(values, this.panes[pane]);
    const tint = boxes.tint;
    const scale = 1 / (high - low);
    for (let b = 0; b < this.blocks; b++) {
      tint[3 * b] = this.counts[b] ? Math.max(0, Math.min(1, ((busiest ? most[b] : mean[b]) - low) * scale)) : -1;
    }
    boxes.finish();
  }

  at(pane, camera, box, x, y) {
    const { boxes } = this.panes[pane];
    const tint = boxes.tint;
    const block = boxAt(boxes, camera, box, x, y, (i) => (tint[3 * i] < 0 ? 0 : 0.22 + 0.78 * (pane === 2 ? Math.abs(tint[3 * i] - 0.5) * 2 : tint[3 * i])));
    return block < 0 ? null : { block };
  }

  find(block, pane, camera, box) {
    return boxMiddle(this.panes[pane].boxes, camera, box, block);
  }

  // "nodes (12,8-11,4-7)"
  text(block) {
    return `nodes (${this.range(block).map(([low, high]) => (low === high ? low : `${low}\u2013${high}`)).join(",")})`;
  }

  mark() {}
}
