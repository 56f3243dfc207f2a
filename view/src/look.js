// Colours and materials by theme, shared by all scenes.
import * as THREE from "three";
import { diverging, parse, sequential } from "./colour.js";
import { lineMaterial } from "./lines.js";
import { dotMaterial } from "./dots.js";
import { boxMaterial } from "./boxes.js";

function texture() {
  const map = new THREE.DataTexture(new Uint8Array(256 * 4), 256, 1);
  map.minFilter = map.magFilter = THREE.LinearFilter;
  return map;
}

export class Look {
  constructor() {
    this.plain = texture();
    this.change = texture();
    const maps = [this.plain, this.plain, this.change]; // of panes: A, B, and their difference
    this.lineMaterials = maps.map((map) => lineMaterial(map));
    this.blockMaterials = maps.map((map) => boxMaterial(map, { mapped: true }));
    this.lineMaterials[2].uniforms.diverging.value = true;
    this.blockMaterials[2].uniforms.diverging.value = true;
    this.dotMaterial = dotMaterial();
    this.glassMaterial = boxMaterial(this.plain, { alpha: 0.16 });
    this.solidMaterial = boxMaterial(this.plain);
    this.markMaterial = lineMaterial(this.plain);
    this.markMaterial.depthTest = false;
    this.markMaterial.uniforms.least.value = 4;
    this.markMaterial.uniforms.width.value = 0.2;
    this.node = [0, 0, 0];
  }

  // Of some panes: the width of full links in units of space, and how much is seen of idle ones.
  setWeight(panes, width, faint, power) {
    for (const pane of panes) {
      const { uniforms } = this.lineMaterials[pane];
      uniforms.width.value = width;
      uniforms.faint.value = faint;
      uniforms.power.value = power;
      uniforms.least.value = power > 1 ? 1 : 1.2;
    }
  }

  // Whether what is nearest is in front, or what is busiest.
  setSpatial(on) {
    for (const material of [...this.lineMaterials, ...this.blockMaterials, this.dotMaterial]) material.uniforms.spatial.value = on;
  }

  // Materials that need to know how large a pane is.
  sized() {
    return [...this.lineMaterials, this.dotMaterial, this.markMaterial];
  }

  set(dark) {
    this.dark = dark;
    this.plainMap = sequential(dark);
    this.changeMap = diverging(dark);
    for (const [map, bytes] of [[this.plain, this.plainMap], [this.change, this.changeMap]]) {
      map.image.data.set(bytes);
      map.needsUpdate = true;
    }
    this.background = dark ? "#0d1117" : "#fbfbfa";
    this.inkHex = dark ? "#ffffff" : "#000000";
    this.dimHex = dark ? "#3d4653" : "#c3c8ce";
    this.axisHex = dark ? "#97a3b0" : "#5b6470";
    this.node.splice(0, 3, ...parse(dark ? "#8b97a6" : "#5d6772").map((v) => v / 255));
    const ink = dark ? [1, 1, 1] : [0, 0, 0];
    const paper = dark ? [0, 0, 0] : [1, 1, 1];
    for (const { uniforms } of this.lineMaterials) {
      uniforms.ink.value.setRGB(...ink);
      uniforms.paper.value.setRGB(...paper);
    }
    const mark = dark ? [1, 0.35, 0.75] : [0.85, 0, 0.45];
    this.markMaterial.uniforms.mark.value.set(...mark, 1);
  }
}
