// Names of axes and their coordinates as small signs that face the camera.
import * as THREE from "three";

const TALL = 64; // pixels
const SIZE = 0.03; // of a sign, at a distance of one

// Which point of a sign is at the end of its axis, and at its beginning: those of x and z end at one
// corner, and stand to its left and right.
const ANCHORS = [[1, 1], [0.5, 0], [0, 1]];
const ZEROS = [[0.5, 1.1], [0.5, 1.1], [0.2, 0.4]];

function sign(text, colour) {
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d");
  const font = "600 44px system-ui, sans-serif";
  pen.font = font;
  canvas.width = Math.max(TALL, Math.ceil(pen.measureText(text).width) + 8);
  canvas.height = TALL;
  pen.font = font; // a new size has forgotten it
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillStyle = colour;
  pen.fillText(text, canvas.width / 2, TALL / 2);
  const map = new THREE.CanvasTexture(canvas);
  map.colorSpace = THREE.SRGBColorSpace;
  const sprite = new THREE.Sprite(new THREE.SpriteMaterial({ map, depthTest: false, sizeAttenuation: false }));
  sprite.scale.set((SIZE * canvas.width) / TALL, SIZE, 1);
  sprite.renderOrder = 3;
  return sprite;
}

// The outline of a box about the origin, for Stage.home().
export function corners(size) {
  const out = [];
  for (let k = 0; k < 8; k++) size.forEach((s, c) => out.push(k & (1 << c) ? s / 2 : -s / 2));
  return [out];
}

const moved = (place, axis, to) => place.map((v, c) => (c === axis ? to : v));

// At edges of a box of these sizes that are seen from the front: a line along each axis, and signs
// where it begins ("z 1", or "x, y 0" where two begin) and ends ("z 16"); `many`: coordinates of each
// axis, from `first` on; `userData.ends`: where signs are.
export function axisSigns(size, names, many, colour, first = [0, 0, 0]) {
  const group = new THREE.Group();
  const points = [];
  const ends = [];
  const zeros = new Map(); // by corner: {place, anchor, axes: names by coordinate}
  const apart = Math.min(0.4, Math.hypot(...size) * 0.12);
  const beyond = Math.hypot(...size) * 0.025;
  const low = size.map((s) => -s / 2 - apart);
  const high = low.map((s) => -s);
  const starts = [[low[0], low[1], high[2]], [low[0], low[1], high[2]], [high[0], low[1], low[2]]];
  const put = (text, place, anchor) => {
    const label = sign(text, colour);
    label.center.set(...anchor);
    label.position.set(...place);
    ends.push(...place);
    group.add(label);
  };
  names.forEach((name, c) => {
    if (!name) return;
    const end = moved(starts[c], c, size[c] / 2);
    points.push(...starts[c], ...end);
    put(`${name} ${first[c] + many[c] - 1}`, end, ANCHORS[c]);
    const corner = starts[c].join();
    const zero = zeros.get(corner) || { place: starts[c].slice(), anchor: ZEROS[c], axes: new Map() };
    zero.place[c] -= beyond;
    zero.axes.set(first[c], [...(zero.axes.get(first[c]) || []), name]);
    zeros.set(corner, zero);
  });
  for (const { place, anchor, axes } of zeros.values()) put([...axes].map(([at, names]) => `${names.join(", ")} ${at}`).join(", "), place, anchor);
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(points), 3));
  group.add(new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color: colour, toneMapped: false })));
  group.userData.ends = ends;
  return group;
}
