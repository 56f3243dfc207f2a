// A machine with its links: how vertices and links are called, and where they are.
import { Grid, dimensionNames } from "./grid.js";
import { layouts } from "./graph.js";

export class Machine {
  constructor(result) {
    const links = result.links;
    this.links = links;
    const product = links.dims ? links.dims.reduce((a, b) => a * b, 1) : 0;
    this.grid = product === links.nodes ? new Grid(links.dims, links.wrap, dimensionNames(links.dims.length)) : null;
    this.switchGrid = product && product === links.switches ? new Grid(links.dims, links.wrap, dimensionNames(links.dims.length)) : null;
    this.layouts = this.grid ? {} : layouts(links, result.machine.graph);
    this.layout = Object.keys(this.layouts)[0] || "";
    this.positions = this.grid ? this.gridPositions() : this.layouts[this.layout]();
  }

  gridPositions() {
    const p = new Float32Array(3 * this.links.nodes);
    for (let v = 0; v < this.links.nodes; v++) this.grid.place(v, p, 3 * v);
    return p;
  }

  arrange(layout) {
    this.layout = layout;
    this.positions = this.layouts[layout]();
  }

  // The extent of all vertices along each axis, once they are about the origin.
  size() {
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    const p = this.positions;
    for (let i = 0; i < p.length; i++) {
      low[i % 3] = Math.min(low[i % 3], p[i]);
      high[i % 3] = Math.max(high[i % 3], p[i]);
    }
    for (let i = 0; i < p.length; i++) p[i] -= (low[i % 3] + high[i % 3]) / 2;
    return high.map((h, c) => h - low[c] + 0.6);
  }

  vertex(v) {
    if (this.grid) return `node ${this.grid.text(v)}`;
    if (!this.links.hosts) return `node ${v}`;
    if (v < this.links.hosts) return `host ${v}`;
    const s = v - this.links.hosts;
    return `switch ${this.switchGrid ? this.switchGrid.text(s) : s}`;
  }

  // "x+ link of node (1,2,3) to (2,2,3)"
  link(l) {
    const { from, to, direction, directions } = this.links;
    const target = this.grid ? this.grid.text(to[l]) : this.vertex(to[l]);
    const name = directions[direction[l]];
    return `${name ? `${name} ` : ""}link of ${this.vertex(from[l])} to ${target}`.replace("link link", "link");
  }
}
