// Boxes with edges, one draw call for all: blocks of a plane, cells of jobs, parts.
import * as THREE from "three";

const VERTEX = `
in vec3 centre;
in vec3 extent;
in vec3 tint;   // of boxes that have a colour; else x is a value, below 0: hidden
in float hatch;
uniform bool mapped;
uniform bool shrink; // a value is shown by size, too
uniform bool diverging;
uniform bool spatial;
out vec3 vTint;
out vec3 vAt;
out vec3 vExtent;
flat out float vHatch;
out vec3 vNormal;
void main() {
  float strength = !mapped ? 1.0 : diverging ? abs(tint.x - 0.5) * 2.0 : tint.x;
  vec3 size = extent * (mapped && shrink ? 0.22 + 0.78 * clamp(strength, 0.0, 1.0) : 1.0);
  vTint = tint;
  vAt = position;
  vExtent = size;
  vHatch = hatch;
  vNormal = normalMatrix * normal;
  gl_Position = mapped && tint.x < 0.0 ? vec4(2.0, 2.0, 2.0, 1.0)
    : projectionMatrix * modelViewMatrix * vec4(centre + position * size, 1.0);
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
      mapped: { value: mapped },
      shrink: { value: mapped },
      diverging: { value: false },
      spatial: { value: false },
      alpha: { value: alpha },
    },
  });
}

const CUBE = new THREE.BoxGeometry(1, 1, 1);

export class Boxes {
  constructor(capacity, material) {
    this.capacity = capacity;
    this.count = 0;
    const geometry = new THREE.InstancedBufferGeometry();
    geometry.index = CUBE.index;
    geometry.setAttribute("position", CUBE.attributes.position);
    geometry.setAttribute("normal", CUBE.attributes.normal);
    for (const [name, size] of [["centre", 3], ["extent", 3], ["tint", 3], ["hatch", 1]]) {
      this[name] = new THREE.InstancedBufferAttribute(new Float32Array(size * capacity), size);
      this[name].setUsage(THREE.DynamicDrawUsage);
      geometry.setAttribute(name, this[name]);
    }
    this.mesh = new THREE.Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.finish();
  }

  clear() {
    this.count = 0;
  }

  // Centre and size along each axis; returns its number.
  add(cx, cy, cz, sx, sy, sz) {
    const i = this.count++;
    const c = this.centre.array;
    const e = this.extent.array;
    c[3 * i] = cx;
    c[3 * i + 1] = cy;
    c[3 * i + 2] = cz;
    e[3 * i] = sx;
    e[3 * i + 1] = sy;
    e[3 * i + 2] = sz;
    return i;
  }

  finish() {
    this.mesh.geometry.instanceCount = this.count;
    for (const name of ["centre", "extent", "tint", "hatch"]) this[name].needsUpdate = true;
  }

  dispose() {
    this.mesh.geometry.dispose();
  }
}
