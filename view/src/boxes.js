// Boxes with edges, one draw call for all: blocks of a plane, cells of jobs, parts.
import * as THREE from "three";

const PER_ROW = 256; // boxes in a row of the texture that holds them

const VERTEX = `
// Three texels per box: its centre and whether it is hatched, its sizes, and its colour; of boxes that
// show a value, x of that is the value, below 0: hidden.
uniform highp sampler2D boxes;
uniform bool mapped; // boxes show values, by size, too
uniform bool diverging;
uniform bool spatial;
out vec3 vTint;
out vec3 vAt;
out vec3 vExtent;
flat out float vHatch;
out vec3 vNormal;
vec4 field(int box, int which) {
  return texelFetch(boxes, ivec2(3 * (box % ${PER_ROW}) + which, box / ${PER_ROW}), 0);
}

void main() {
  const int CORNER[6] = int[6](0, 1, 2, 0, 2, 3);
  int box = gl_VertexID / 36;
  int face = gl_VertexID % 36 / 6;
  int corner = CORNER[gl_VertexID % 6];
  int axis = face / 2;
  float side = face % 2 == 0 ? 1.0 : -1.0;
  vec3 at = vec3(0.0);
  at[axis] = 0.5 * side;
  at[(axis + 1) % 3] = (corner == 1 || corner == 2 ? 0.5 : -0.5) * side;
  at[(axis + 2) % 3] = corner < 2 ? -0.5 : 0.5;
  vec3 outward = vec3(0.0);
  outward[axis] = side;
  vec3 centre = field(box, 0).xyz;
  vec3 extent = field(box, 1).xyz;
  vec3 tint = field(box, 2).xyz;
  float strength = !mapped ? 1.0 : diverging ? abs(tint.x - 0.5) * 2.0 : tint.x;
  vec3 size = extent * (mapped ? 0.22 + 0.78 * clamp(strength, 0.0, 1.0) : 1.0);
  vTint = tint;
  vAt = at;
  vExtent = size;
  vHatch = field(box, 0).w;
  vNormal = normalMatrix * outward;
  gl_Position = mapped && tint.x < 0.0 ? vec4(2.0, 2.0, 2.0, 1.0)
    : projectionMatrix * modelViewMatrix * vec4(centre + at * size, 1.0);
  if (mapped && !spatial && tint.x >= 0.0) gl_Position.z = (0.9 - 1.7 * strength) * gl_Position.w + 0.09 * gl_Position.z;
}`;

const FRAGMENT = `
precision highp float;
uniform sampler2D map;
uniform bool mapped;
uniform float alpha;
in vec3 vTint;
in vec3 vAt;
in vec3 vExtent;
in vec3 vNormal;
flat in float vHatch;
out vec4 colour;
void main() {
  vec3 c = mapped ? texture(map, vec2(clamp(vTint.x, 0.0, 1.0) * 255.0 / 256.0 + 0.5 / 256.0, 0.5)).rgb : vTint;
  vec3 edge = (0.5 - abs(vAt)) * vExtent; // how far from each face
  float nearest = edge.x + edge.y + edge.z - max(edge.x, max(edge.y, edge.z)) - min(edge.x, min(edge.y, edge.z));
  float line = 1.0 - smoothstep(0.0, max(fwidth(nearest) * 1.5, 0.012), nearest);
  float light = 0.78 + 0.22 * abs(normalize(vNormal).z);
  if (vHatch > 0.5 && fract((vAt.x * vExtent.x + vAt.y * vExtent.y + vAt.z * vExtent.z) * 2.5) > 0.5) c *= 0.45;
  c = mix(c * (mapped ? 0.6 + 0.4 * light : light), c * 0.35, mapped ? 0.0 : line * 0.8);
  colour = vec4(c, max(alpha, alpha < 1.0 ? line * 0.9 : 1.0));
}`;

export function boxMaterial(map, { mapped = false, alpha = 1 } = {}) {
  return new THREE.ShaderMaterial({
    glslVersion: THREE.GLSL3,
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    transparent: alpha < 1,
    depthWrite: alpha >= 1,
    side: alpha < 1 ? THREE.DoubleSide : THREE.FrontSide,
    uniforms: {
      map: { value: map },
      boxes: { value: null },
      mapped: { value: mapped },
      diverging: { value: false },
      spatial: { value: false },
      alpha: { value: alpha },
    },
  });
}

// Arrays of a box's own; finish() takes them over. A box is 36 vertices that look up what it is: as
// instances of a cube, software renderers took several times as long.
export class Boxes {
  constructor(capacity, material) {
    this.capacity = capacity;
    this.count = 0;
    this.centre = new Float32Array(3 * capacity);
    this.extent = new Float32Array(3 * capacity);
    this.tint = new Float32Array(3 * capacity);
    this.hatch = new Float32Array(capacity);
    const rows = Math.max(1, Math.ceil(capacity / PER_ROW));
    this.texture = new THREE.DataTexture(new Float32Array(12 * PER_ROW * rows), 3 * PER_ROW, rows, THREE.RGBAFormat, THREE.FloatType);
    this.mesh = new THREE.Mesh(new THREE.BufferGeometry(), material);
    this.mesh.frustumCulled = false;
    this.mesh.onBeforeRender = () => {
      material.uniforms.boxes.value = this.texture;
      material.uniformsNeedUpdate = true;
    };
    this.mesh.geometry.addEventListener("dispose", () => this.texture.dispose());
    this.finish();
  }

  clear() {
    this.count = 0;
  }

  // Centre and size along each axis; returns its number.
  add(cx, cy, cz, sx, sy, sz) {
    const at = 3 * this.count;
    this.centre[at] = cx;
    this.centre[at + 1] = cy;
    this.centre[at + 2] = cz;
    this.extent[at] = sx;
    this.extent[at + 1] = sy;
    this.extent[at + 2] = sz;
    return this.count++;
  }

  finish() {
    const out = this.texture.image.data;
    for (let i = 0; i < this.count; i++) {
      for (let c = 0; c < 3; c++) {
        out[12 * i + c] = this.centre[3 * i + c];
        out[12 * i + 4 + c] = this.extent[3 * i + c];
        out[12 * i + 8 + c] = this.tint[3 * i + c];
      }
      out[12 * i + 3] = this.hatch[i];
    }
    this.texture.needsUpdate = true;
    this.mesh.geometry.setDrawRange(0, 36 * this.count);
  }
}
