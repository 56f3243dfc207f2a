// A machine with its links: how vertices and links are called, and where they are.
import { Grid, dimensionNames } from "./grid.js";
import { attachments, layouts, placeHosts } from "./graph.js";

// Hosts whose links to their switches were not measured: [host, switch, ...].
function cablesOf(links, attach) {
  for (let l = 0; l < links.count; l++) if (links.from[l] < links.hosts) return [];
  return [...attach].flatMap((s, host) => (s ? [host, s] : []));
}

export class Machine {
  constructor(result) {
    const links = result.links;
    this.links = links;
    const product = links.dims ? links.dims.reduce((a, b) => a * b, 1) : 0;
    const gridded = product > 0 && product === links.nodes - links.hosts;
    const attach = attachments(links);
    this.placed = Uint8Array.from({ length: links.nodes }, (_, v) => v >= links.hosts || attach[v] > 0);
    this.cables = cablesOf(links, attach);
    this.grid = gridded ? new Grid(links.dims, links.wrap, dimensionNames(links.dims.length), links.hosts) : null;
    this.layouts = this.grid ? {} : layouts(links, result.machine.graph);
    if (this.grid) this.settle(this.gridPositions());
    else this.arrange(Object.keys(this.layouts)[0]);
  }

  gridPositions() {
    const p = new Float32Array(3 * this.links.nodes);
    for (let v = this.links.hosts; v < this.links.nodes; v++) this.grid.place(v, p, 3 * v);
    if (this.links.hosts) placeHosts(p, this.links, 0.4);
    return p;
  }

  arrange(layout) {
    this.layout = layout;
    this.settle(this.layouts[layout]());
  }

  // Takes positions, moved so that the vertices that have a place are about the origin, and their extent.
  settle(p) {
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (let i = 0; i < p.length; i++) {
      if (!this.placed[Math.floor(i / 3)]) continue;
      low[i % 3] = Math.min(low[i % 3], p[i]);
      high[i % 3] = Math.max(high[i % 3], p[i]);
    }
    for (let i = 0; i < p.length; i++) p[i] -= (low[i % 3] + high[i % 3]) / 2;
    this.positions = p;
    this.size = high.map((h, c) => h - low[c] + 0.6);
  }

  // Both ends of each cable whose load was not measured.
  cablePlaces() {
    return Float32Array.from(this.cables.flatMap((v) => [...this.positions.subarray(3 * v, 3 * v + 3)]));
  }

  vertex(v) {
    const { hosts } = this.links;
    if (v < hosts) return `host ${v}`;
    return `${hosts ? "switch" : "node"} ${this.grid ? this.grid.text(v) : v - hosts}`;
  }

  // "x+ link of node (1,2,3) to (2,2,3)"
  link(l) {
    const { from, to, direction, directions } = this.links;
    const target = this.grid && to[l] >= this.links.hosts ? this.grid.text(to[l]) : this.vertex(to[l]);
    const name = directions[direction[l]];
    if (from[l] === to[l]) return `${name} port of ${this.vertex(from[l])}`;
    return `${name ? `${name} ` : ""}link of ${this.vertex(from[l])} to ${target}`.replace("link link", "link");
  }
}
