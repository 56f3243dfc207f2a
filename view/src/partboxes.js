// Parts of a machine that are whole boxes of nodes, as boxes of glass; of others the nodes have the
// part's colour.
import { Boxes } from "./boxes.js";
import { ofJob } from "./colour.js";

// First and last coordinates of each part, and how many nodes it has.
function extents(grid, partOf) {
  const found = new Map();
  for (let v = 0; v < partOf.length; v++) {
    if (!partOf[v]) continue;
    const part = found.get(partOf[v]) || { low: [9e9, 9e9, 9e9], high: [-1, -1, -1], nodes: 0 };
    for (let c = 0; c < 3; c++) {
      const at = grid.coordinate(v, c);
      part.low[c] = Math.min(part.low[c], at);
      part.high[c] = Math.max(part.high[c], at);
    }
    part.nodes++;
    found.set(partOf[v], part);
  }
  return found;
}

export function partBoxes(grid, partOf, material) {
  const found = extents(grid, partOf);
  const boxes = new Boxes(Math.max(1, found.size), material);
  const inner = grid.inner.reduce((a, b) => a * b, 1);
  for (const [number, { low, high, nodes }] of found) {
    const cells = high.map((h, c) => h - low[c] + 1);
    if (cells[0] * cells[1] * cells[2] * inner !== nodes) continue;
    const centre = [0, 1, 2].map((c) => ((low[c] + high[c] - grid.outer[c] + 1) / 2) * grid.step[c]);
    const size = [0, 1, 2].map((c) => (cells[c] - 1) * grid.step[c] + grid.inner[c] - 0.2 + 2 * grid.shear);
    ofJob(number, boxes.tint, 3 * boxes.add(...centre, ...size));
  }
  boxes.finish();
  return boxes;
}
