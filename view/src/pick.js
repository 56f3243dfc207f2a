// What the pointer is at: the nearest segment on the screen, or the first box along the line of sight.
import * as THREE from "three";

const matrix = new THREE.Matrix4();
const ray = new THREE.Raycaster();
const pointer = new THREE.Vector2();

// The distance in pixels from a point to a segment, both on the screen.
function distance(x, y, ax, ay, bx, by) {
  const dx = bx - ax;
  const dy = by - ay;
  const t = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(x - ax - t * dx, y - ay - t * dy);
}

const out = { x: 0, y: 0, w: 0 };

function project(m, x, y, z, box) {
  out.w = m[3] * x + m[7] * y + m[11] * z + m[15];
  out.x = ((m[0] * x + m[4] * y + m[8] * z + m[12]) / out.w + 1) * 0.5 * box.width;
  out.y = (1 - (m[1] * x + m[5] * y + m[9] * z + m[13]) / out.w) * 0.5 * box.height;
  return out;
}

// Where a segment is drawn: both ends in pixels of the pane, moved to its side of the cable.
function onScreen(lines, i, m, camera, box, place) {
  const { start, end } = lines.segments;
  const { width, least } = lines.mesh.material.uniforms;
  const a = project(m, start[3 * i], start[3 * i + 1], start[3 * i + 2], box);
  place.aw = a.w;
  place.ax = a.x;
  place.ay = a.y;
  const b = project(m, end[3 * i], end[3 * i + 1], end[3 * i + 2], box);
  const dx = b.x - place.ax;
  const dy = b.y - place.ay;
  const length = Math.hypot(dx, dy) || 1;
  const scale = (camera.projectionMatrix.elements[5] * box.height * 0.5) / ((place.aw + b.w) / 2);
  const aside = 0.55 * Math.max(least.value, width.value * scale);
  place.bw = b.w;
  place.bx = b.x - (dy / length) * aside;
  place.by = b.y + (dx / length) * aside;
  place.ax -= (dy / length) * aside;
  place.ay += (dx / length) * aside;
  return place;
}

const place = { ax: 0, ay: 0, bx: 0, by: 0, aw: 0, bw: 0 };

// The index of the segment at a place of the pane; -1: none. Among those as near, the foremost.
export function segmentAt(lines, camera, box, x, y) {
  const m = matrix.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse).elements;
  const reach = 5;
  let best = -1;
  let score = Infinity;
  for (let i = 0; i < lines.segments.count; i++) {
    if (lines.value[i] < 0) continue;
    onScreen(lines, i, m, camera, box, place);
    if (place.aw <= 0 || place.bw <= 0) continue;
    const far = distance(x, y, place.ax, place.ay, place.bx, place.by);
    if (far > reach) continue;
    const depth = Math.min(place.aw, place.bw);
    const s = far + 0.35 * reach * (depth / camera.position.length()) * 4;
    if (s < score) {
      score = s;
      best = i;
    }
  }
  return best;
}

// The middle of a segment in pixels of its pane.
export function middleOf(lines, camera, box, i) {
  const m = matrix.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse).elements;
  onScreen(lines, i, m, camera, box, place);
  return { x: (place.ax + place.bx) / 2, y: (place.ay + place.by) / 2 };
}

// The first box along the line of sight; -1: none.
export function boxAt(boxes, camera, box, x, y, visible = () => 1) {
  pointer.set((2 * x) / box.width - 1, 1 - (2 * y) / box.height);
  ray.setFromCamera(pointer, camera);
  const { origin, direction } = ray.ray;
  const o = [origin.x, origin.y, origin.z];
  const d = [direction.x, direction.y, direction.z];
  let best = -1;
  let nearest = Infinity;
  for (let i = 0; i < boxes.count; i++) {
    const scale = visible(i);
    if (!scale) continue;
    let enter = 0;
    let leave = Infinity;
    for (let c = 0; c < 3; c++) {
      const half = (boxes.extent[3 * i + c] * scale) / 2;
      const a = (boxes.centre[3 * i + c] - half - o[c]) / d[c];
      const b = (boxes.centre[3 * i + c] + half - o[c]) / d[c];
      enter = Math.max(enter, Math.min(a, b));
      leave = Math.min(leave, Math.max(a, b));
    }
    if (enter <= leave && enter < nearest) {
      nearest = enter;
      best = i;
    }
  }
  return best;
}

// The middle of a box in pixels of its pane.
export function boxMiddle(boxes, camera, box, i) {
  const m = matrix.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse).elements;
  const c = boxes.centre;
  const p = project(m, c[3 * i], c[3 * i + 1], c[3 * i + 2], box);
  return { x: p.x, y: p.y };
}
