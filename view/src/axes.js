// Names of axes as small signs that face the camera.
import * as THREE from "three";

function sign(text, colour) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 64;
  const pen = canvas.getContext("2d");
  pen.font = "600 44px system-ui, sans-serif";
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillStyle = colour;
  pen.fillText(text, 32, 32);
  const material = new THREE.SpriteMaterial({ map: new THREE.CanvasTexture(canvas), depthTest: false, sizeAttenuation: false });
  const sprite = new THREE.Sprite(material);
  sprite.scale.setScalar(0.035);
  sprite.renderOrder = 3;
  return sprite;
}

// The outline of a box about the origin, for Stage.home().
export function corners(size) {
  const out = [];
  for (let k = 0; k < 8; k++) size.forEach((s, c) => out.push(k & (1 << c) ? s / 2 : -s / 2));
  return [out];
}

// At edges of a box of these sizes that are seen from the front: a line along each axis from its low
// end, and its name; `userData.ends`: where lines begin and names are.
export function axisSigns(size, names, colour) {
  const group = new THREE.Group();
  const points = [];
  const ends = [];
  const apart = Math.min(0.4, Math.hypot(...size) * 0.12);
  const low = size.map((s) => -s / 2 - apart);
  const high = low.map((s) => -s);
  const starts = [[low[0], low[1], high[2]], [low[0], low[1], high[2]], [high[0], low[1], low[2]]];
  names.forEach((name, c) => {
    if (!name) return;
    const end = starts[c].slice();
    end[c] += Math.max(Math.min(1.5, size[c] * 0.6), size[c] * 0.25);
    points.push(...starts[c], ...end);
    const beyond = end.slice();
    beyond[c] += Math.hypot(...size) * 0.025;
    const label = sign(name, colour);
    label.position.set(...beyond);
    ends.push(...starts[c], ...beyond);
    group.add(label);
  });
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(points), 3));
  group.add(new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color: colour, toneMapped: false })));
  group.userData.ends = ends;
  return group;
}
