// All links of a machine, or those of one of its planes: a scene per pane.
import * as THREE from "three";
import { Lines, lineShape, placeShape } from "./lines.js";
import { dots } from "./dots.js";
import { partBoxes } from "./partboxes.js";
import { Segments, ofGraph, ofGrid } from "./segments.js";
import { ofJob } from "./colour.js";
import { axisSigns, corners } from "./axes.js";
import { segmentAt, middleOf } from "./pick.js";

// More than this are not drawn at once: of a graph then only those between switches.
const LINKS_AT_ONCE = 120000;

export class LinkScene {
  // `plane`: {axis, at} or null. `partOf`: [node] or null. `states`: of links, by pane.
  constructor(machine, panes, look, { plane = null, partOf, states }) {
    this.machine = machine;
    this.plane = plane;
    this.size = machine.size.slice();
    const { links, grid, positions } = machine;
    this.left = !grid && links.count > LINKS_AT_ONCE && links.hosts > 0;
    const segments = grid ? ofGrid(links, grid, positions, plane) : ofGraph(links, positions, (l) => !this.left || (links.from[l] >= links.hosts && links.to[l] >= links.hosts));
    if (plane) this.centre(segments);
    this.shape = lineShape(segments);
    // Lines of graphs cross each other everywhere: they are thin, and idle ones are faint.
    look.setWeight(panes, grid ? 0.12 : Math.min(0.12, 0.0032 * Math.hypot(...this.size)), grid ? 0.6 : look.dark ? 0.07 : 0.3, grid ? 0.8 : 2.2);
    this.cables = plane ? [] : machine.cablePlaces();
    this.outline = grid ? corners(this.size) : [segments.start.subarray(0, 3 * segments.count), segments.end.subarray(0, 3 * segments.count), this.cables];
    this.pointed = this.makePointer(look);
    this.panes = panes.map((i) => this.makePane(look, partOf, states[i], i));
  }

  get showsHosts() {
    return this.machine.links.hosts > 0 && !this.plane && !this.left;
  }

  // A plane is about the origin of its own.
  centre(segments) {
    const axis = this.plane.axis;
    const node = this.machine.grid.first + this.machine.grid.strides[axis] * this.plane.at;
    const place = [0, 0, 0];
    this.machine.grid.place(node, place, 0);
    const inner = (this.machine.grid.inner[axis] - 1) / 2;
    this.shift = place[axis] + inner;
    for (let i = 0; i < segments.count; i++) {
      segments.start[3 * i + axis] -= this.shift;
      segments.end[3 * i + axis] -= this.shift;
    }
    this.size[axis] = this.machine.grid.inner[axis] + 1;
  }

  // The vertices that are shown, with their places and colours.
  vertices(look, partOf) {
    const { links, grid, positions } = this.machine;
    const shown = [];
    for (let v = 0; v < links.nodes; v++) {
      if (!this.machine.placed[v]) continue;
      if (this.plane && (v < grid.first || grid.coordinate(v, this.plane.axis) !== this.plane.at)) continue;
      if (this.left && v < links.hosts) continue;
      shown.push(v);
    }
    const places = new Float32Array(3 * shown.length);
    const tints = new Float32Array(3 * shown.length);
    const kinds = new Float32Array(shown.length);
    shown.forEach((v, i) => {
      for (let c = 0; c < 3; c++) places[3 * i + c] = positions[3 * v + c] - (this.plane && c === this.plane.axis ? this.shift : 0);
      kinds[i] = links.hosts && v >= links.hosts ? 1 : 0;
      if (partOf && partOf[v]) ofJob(partOf[v], tints, 3 * i);
      else tints.set(look.node, 3 * i);
    });
    return dots(places, tints, kinds, look.dotMaterial);
  }

  // Cables of hosts, of whose load nothing is known.
  makeCables(look) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(this.cables, 3));
    return new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color: look.dimHex, toneMapped: false }));
  }

  makePane(look, partOf, states, i) {
    const scene = new THREE.Scene();
    const lines = new Lines(this.shape, look.lineMaterials[i], states);
    scene.add(lines.mesh, this.vertices(look, partOf), this.pointed.mesh.clone());
    if (this.cables.length) scene.add(this.makeCables(look));
    const { grid } = this.machine;
    if (grid) {
      const signs = axisSigns(this.size, [0, 1, 2].map((c) => (grid.outer[c] > 1 && !(this.plane && this.plane.axis === c) ? grid.names[c] : "")), grid.outer, look.axisHex);
      this.outline.push(signs.userData.ends);
      scene.add(signs);
    }
    if (partOf && grid && !this.plane) {
      this.boxes = partBoxes(grid, partOf, look.glassMaterial);
      scene.add(this.boxes.mesh);
    }
    return { scene, lines };
  }

  // A few segments that all panes draw over all others: what is pointed at, and what is pinned.
  makePointer(look) {
    const segments = new Segments(8);
    segments.count = 8;
    const lines = new Lines(lineShape(segments), look.markMaterial);
    lines.mesh.renderOrder = 2;
    return lines;
  }

  // Values of links for a pane, on a scale.
  show(pane, values, low, high) {
    this.panes[pane].lines.show(values, low, high);
  }

  // Marks the segments of some links.
  mark(links) {
    const { start, end, link, count } = this.shape.segments;
    const { segments, value, shape } = this.pointed;
    let n = 0;
    value.fill(-1);
    for (let i = 0; i < count && n < value.length && links.length; i++) {
      if (!links.includes(link[i])) continue;
      for (let c = 0; c < 3; c++) {
        segments.start[3 * n + c] = start[3 * i + c];
        segments.end[3 * n + c] = end[3 * i + c];
      }
      value[n++] = 1;
    }
    placeShape(shape);
    this.pointed.update();
  }

  // What is at a place of a pane: {link} or null.
  at(pane, camera, box, x, y) {
    const i = segmentAt(this.panes[pane].lines, camera, box, x, y);
    return i < 0 ? null : { link: this.shape.segments.link[i] };
  }

  // Where a link is drawn in a pane.
  find(link, pane, camera, box) {
    const i = this.shape.segments.link.subarray(0, this.shape.segments.count).indexOf(link);
    return i < 0 ? null : middleOf(this.panes[pane].lines, camera, box, i);
  }
}
