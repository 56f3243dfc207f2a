// Segments on the screen: each a thin ribbon that faces the camera, tapers towards the link's end and
// keeps to the right of it, so that both directions of a cable are seen. One draw call for all.
import * as THREE from "three";

const VERTEX = `
in vec3 end; // position: the start
in float value; // below 0: hidden
in float state;
uniform vec2 viewport; // pixels
uniform float width;   // of a full link, in units of space
uniform float least;   // pixels
uniform bool diverging;
uniform bool spatial; // nearest links in front, not the busiest
uniform float faint;  // how much is seen of an idle link
uniform float power;  // how much more of a busy one
out float vValue;
out vec2 vAt;
out float vPixels;
out float vAlpha;
flat out float vState;

void main() {
  int corner = gl_VertexID & 3; // 0 and 3 are at the start, 0 and 1 at the left
  vec2 at = vec2(corner == 1 || corner == 2 ? 1.0 : 0.0, corner < 2 ? -1.0 : 1.0);
  gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  vValue = value;
  vState = state;
  if (value < 0.0) return;
  const float near = -0.02;
  vec4 a = modelViewMatrix * vec4(position, 1.0);
  vec4 b = modelViewMatrix * vec4(end, 1.0);
  if (a.z > near && b.z > near) return;
  if (a.z > near) a = mix(b, a, (near - b.z) / (a.z - b.z));
  if (b.z > near) b = mix(a, b, (near - a.z) / (b.z - a.z));
  vec4 pa = projectionMatrix * a;
  vec4 pb = projectionMatrix * b;
  vec2 along = (pb.xy / pb.w - pa.xy / pa.w) * viewport * 0.5;
  vPixels = length(along);
  along = vPixels > 1e-3 ? along / vPixels : vec2(1.0, 0.0);
  vec2 right = vec2(along.y, -along.x);
  float strength = diverging ? abs(value - 0.5) * 2.0 : value;
  if (state > 0.5) strength = 1.0;
  vAlpha = spatial ? 1.0 : mix(faint, 1.0, min(1.0, pow(strength, power) * 1.3));
  vec4 p = at.x < 0.5 ? pa : pb;
  float scale = projectionMatrix[1][1] * viewport.y * 0.5 / p.w;
  float full = max(least, width * scale);
  float wide = max(least, full * (0.12 + 0.88 * strength)) * mix(1.15, 0.7, at.x);
  vec2 shift = right * (0.5 * wide * at.y + 0.55 * full);
  p.xy += shift * 2.0 / viewport * p.w;
  // The busiest are seen through all others: depth follows the value, and within it space.
  if (!spatial) p.z = (0.94 - 1.84 * strength) * p.w + 0.05 * p.z;
  vAt = at;
  gl_Position = p;
}`;

const FRAGMENT = `
precision highp float;
uniform sampler2D map;
uniform vec3 ink;   // against the background
uniform vec3 paper;
uniform vec4 mark;  // a: how much of it, for links that are pointed at
in float vValue;
in vec2 vAt;
in float vPixels;
in float vAlpha;
flat in float vState;
out vec4 colour;

void main() {
  vec3 c = texture(map, vec2(clamp(vValue, 0.0, 1.0) * 255.0 / 256.0 + 0.5 / 256.0, 0.5)).rgb;
  float side = abs(vAt.y);
  if (vState > 1.5) { // dead: a dashed line without a colour
    if (fract(vAt.x * max(2.0, floor(vPixels / 9.0))) > 0.55) discard;
    c = side > 0.5 ? paper : ink;
  } else if (vState > 0.5) { // bad: its colour between black and white lines
    c = side > 0.78 ? paper : side > 0.5 ? ink : c;
  }
  colour = vec4(mix(c, mark.rgb, mark.a), vAlpha);
}`;

export function lineMaterial(map) {
  return new THREE.ShaderMaterial({
    glslVersion: THREE.GLSL3,
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    side: THREE.DoubleSide,
    transparent: true,
    uniforms: {
      map: { value: map },
      viewport: { value: new THREE.Vector2(1, 1) },
      width: { value: 0.12 },
      least: { value: 1.2 },
      diverging: { value: false },
      spatial: { value: false },
      faint: { value: 0.6 },
      power: { value: 1 },
      ink: { value: new THREE.Color(1, 1, 1) },
      paper: { value: new THREE.Color(0, 0, 0) },
      mark: { value: new THREE.Vector4(0, 0, 0, 0) },
    },
  });
}

const CORNERS = [0, 1, 2, 0, 2, 3];

// Attributes that panes share: a pane has values and states of its own. A segment is four vertices that all know
// both ends; as instances of one shape, software renderers took ten times as long.
export function lineShape(segments) {
  const { count } = segments;
  const shape = {
    segments,
    start: new THREE.BufferAttribute(new Float32Array(12 * count), 3),
    end: new THREE.BufferAttribute(new Float32Array(12 * count), 3),
    index: new THREE.BufferAttribute(new Uint32Array(6 * count), 1),
  };
  for (let i = 0; i < count; i++) for (let k = 0; k < 6; k++) shape.index.array[6 * i + k] = 4 * i + CORNERS[k];
  placeShape(shape);
  return shape;
}

// Takes over the places of segments.
export function placeShape({ segments, start, end }) {
  for (let i = 0; i < segments.count; i++)
    for (let k = 0; k < 4; k++)
      for (let c = 0; c < 3; c++) {
        start.array[12 * i + 3 * k + c] = segments.start[3 * i + c];
        end.array[12 * i + 3 * k + c] = segments.end[3 * i + c];
      }
  start.needsUpdate = end.needsUpdate = true;
}

export class Lines {
  // `states`: of links, or null.
  constructor(shape, material, states = null) {
    this.shape = shape;
    this.segments = shape.segments;
    this.value = new Float32Array(shape.segments.count).fill(-1); // of each segment
    this.attribute = new THREE.BufferAttribute(new Float32Array(4 * shape.segments.count), 1);
    this.attribute.setUsage(THREE.DynamicDrawUsage);
    const geometry = new THREE.BufferGeometry();
    geometry.setIndex(shape.index);
    geometry.setAttribute("position", shape.start);
    geometry.setAttribute("end", shape.end);
    geometry.setAttribute("state", new THREE.BufferAttribute(this.stateOfVertices(states), 1));
    geometry.setAttribute("value", this.attribute);
    this.mesh = new THREE.Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.update();
  }

  stateOfVertices(states) {
    const { link, count } = this.segments;
    const out = new Uint8Array(4 * count);
    if (states) for (let i = 0; i < count; i++) out.fill(states[link[i]], 4 * i, 4 * i + 4);
    return out;
  }

  // Shows numbers of links on the map from `low` to `high`; NaN hides.
  show(values, low, high) {
    const { link, count } = this.segments;
    const scale = 1 / (high - low);
    for (let i = 0; i < count; i++) {
      const v = values[link[i]];
      this.value[i] = v === v ? Math.min(1, Math.max(0, (v - low) * scale)) : -1;
    }
    this.update();
  }

  // Takes over the values of segments.
  update() {
    const out = this.attribute.array;
    for (let i = 0; i < this.value.length; i++) out[4 * i] = out[4 * i + 1] = out[4 * i + 2] = out[4 * i + 3] = this.value[i];
    this.attribute.needsUpdate = true;
  }
}
