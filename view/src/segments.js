// Lines that stand for links: where each begins and ends, and whose it is. A link that goes round
// the end of a ring is two stubs, one at either end; so is one that leaves a plane that is shown alone.

export class Segments {
  constructor(capacity) {
    this.start = new Float32Array(3 * capacity);
    this.end = new Float32Array(3 * capacity);
    this.link = new Uint32Array(capacity);
    this.count = 0;
  }

  add(link, ax, ay, az, bx, by, bz) {
    const at = 3 * this.count;
    this.start[at] = ax;
    this.start[at + 1] = ay;
    this.start[at + 2] = az;
    this.end[at] = bx;
    this.end[at + 1] = by;
    this.end[at + 2] = bz;
    this.link[this.count++] = link;
  }
}

const STUB = 0.46;

// Both halves of a link that cannot be drawn as one line.
function addStubs(segments, link, p, from, to, axis, sign, shown) {
  const d = [0, 0, 0];
  d[axis] = STUB * sign;
  if (shown(from)) segments.add(link, p[3 * from], p[3 * from + 1], p[3 * from + 2], p[3 * from] + d[0], p[3 * from + 1] + d[1], p[3 * from + 2] + d[2]);
  if (shown(to)) segments.add(link, p[3 * to] - d[0], p[3 * to + 1] - d[1], p[3 * to + 2] - d[2], p[3 * to], p[3 * to + 1], p[3 * to + 2]);
}

// A port of the ideal network: a link that has no other end.
function addPort(segments, link, p, node, name) {
  const x = p[3 * node];
  const y = p[3 * node + 1];
  const z = p[3 * node + 2];
  if (name === "in") segments.add(link, x - 0.12, y + 2 * STUB, z, x - 0.12, y, z);
  else segments.add(link, x + 0.12, y, z, x + 0.12, y + 2 * STUB, z);
}

// Of a grid. `plane`: {axis, at}, if only the nodes of one plane are shown.
export function ofGrid(links, grid, positions, plane) {
  const shown = plane ? (node) => node >= grid.first && grid.coordinate(node, plane.axis) === plane.at : () => true;
  const segments = new Segments(2 * links.count);
  for (let l = 0; l < links.count; l++) {
    const from = links.from[l];
    const to = links.to[l];
    const a = shown(from);
    const b = shown(to);
    if (!a && !b) continue;
    if (from === to) {
      addPort(segments, l, positions, from, links.directions[links.direction[l]]);
      continue;
    }
    if (from < grid.first || to < grid.first) {
      const [p, q] = [3 * from, 3 * to];
      if (!plane) segments.add(l, positions[p], positions[p + 1], positions[p + 2], positions[q], positions[q + 1], positions[q + 2]);
      continue;
    }
    const { d, sign, round } = grid.hop(from, to, links.directions[links.direction[l]]);
    if (round || a !== b) addStubs(segments, l, positions, from, to, d % 3, sign, shown);
    else
      segments.add(l, positions[3 * from], positions[3 * from + 1], positions[3 * from + 2], positions[3 * to], positions[3 * to + 1], positions[3 * to + 2]);
  }
  return segments;
}

// Of any graph, or of those links of it that pass.
export function ofGraph(links, positions, passes = () => true) {
  const segments = new Segments(links.count);
  for (let l = 0; l < links.count; l++) {
    if (!passes(l)) continue;
    const a = 3 * links.from[l];
    const b = 3 * links.to[l];
    if (a === b) {
      addPort(segments, l, positions, links.from[l], links.directions[links.direction[l]]);
      continue;
    }
    segments.add(l, positions[a], positions[a + 1], positions[a + 2], positions[b], positions[b + 1], positions[b + 2]);
  }
  return segments;
}
