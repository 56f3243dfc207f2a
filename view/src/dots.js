// Nodes: round dots; switches are larger squares; those of jobs have their colour.
import * as THREE from "three";

const VERTEX = `
in vec3 tint;
in float kind; // 0 a node, 1 a switch
uniform vec2 viewport;
const float SIZE = 0.15; // units of space
uniform bool spatial;
out vec3 vTint;
flat out float vKind;
void main() {
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  gl_PointSize = clamp(SIZE * (1.0 + 0.9 * kind) * projectionMatrix[1][1] * viewport.y * 0.5 / gl_Position.w, 1.5, 40.0);
  if (!spatial) gl_Position.z = 0.9 * gl_Position.w + 0.05 * gl_Position.z; // before idle links alone
  vTint = tint;
  vKind = kind;
}`;

const FRAGMENT = `
precision highp float;
in vec3 vTint;
flat in float vKind;
out vec4 colour;
void main() {
  vec2 at = 2.0 * gl_PointCoord - 1.0;
  float far = vKind > 0.5 ? max(abs(at.x), abs(at.y)) : length(at);
  if (far > 1.0) discard;
  colour = vec4(vTint * (far > 0.72 ? 0.55 : 1.0), 1.0);
}`;

export function dotMaterial() {
  return new THREE.ShaderMaterial({
    glslVersion: THREE.GLSL3,
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    uniforms: { viewport: { value: new THREE.Vector2(1, 1) }, spatial: { value: false } },
  });
}

export function dots(positions, tints, kinds, material) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
  geometry.setAttribute("tint", new THREE.BufferAttribute(tints, 3));
  geometry.setAttribute("kind", new THREE.BufferAttribute(kinds, 1));
  const points = new THREE.Points(geometry, material);
  points.frustumCulled = false;
  return points;
}
