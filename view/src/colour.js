// Colour maps that people with any colour vision can read: lightness grows, or falls, all the way.
// A map is 256 RGBA bytes; on a light page high values are dark, on a dark page they are bright.

const VIRIDIS = ["#440154", "#482878", "#3e4989", "#31688e", "#26828e", "#1f9e89", "#35b779", "#6ece58", "#b5de2b", "#fde725"];
// For light pages: what is idle is near the background.
const SEA = ["#c3d3c6", "#a9d0b9", "#87c6b6", "#5fb9c0", "#3597b9", "#2673a8", "#264f90", "#27306f", "#1d0d48"];
// Blue below, orange above, what has not changed near the background.
const DIVERGING_DARK = ["#b5dcff", "#5aa9ee", "#2f6db3", "#33404f", "#3a3a3a", "#55422f", "#b0661d", "#f09a3e", "#ffdca8"];
const DIVERGING_LIGHT = ["#08306b", "#1f5fa8", "#6ba3d6", "#c3d5e6", "#dddddd", "#ecd3ba", "#dd9a55", "#b5590c", "#6b2e02"];

export function parse(hex) {
  const n = parseInt(hex.slice(1), 16);
  return [n >> 16, (n >> 8) & 255, n & 255];
}

function ramp(anchors) {
  const stops = anchors.map(parse);
  const map = new Uint8Array(256 * 4);
  for (let i = 0; i < 256; i++) {
    const at = (i / 255) * (stops.length - 1);
    const k = Math.min(Math.floor(at), stops.length - 2);
    for (let c = 0; c < 3; c++) map[4 * i + c] = Math.round(stops[k][c] + (at - k) * (stops[k + 1][c] - stops[k][c]));
    map[4 * i + 3] = 255;
  }
  return map;
}

export function sequential(dark) {
  return ramp(dark ? VIRIDIS : SEA);
}

export function diverging(dark) {
  return ramp(dark ? DIVERGING_DARK : DIVERGING_LIGHT);
}

// A map as a CSS gradient from left to right.
export function gradient(map) {
  const stops = [];
  for (let i = 0; i <= 16; i++) {
    const k = 4 * Math.min(255, i * 16);
    stops.push(`rgb(${map[k]} ${map[k + 1]} ${map[k + 2]})`);
  }
  return `linear-gradient(to right, ${stops.join(", ")})`;
}

// Colours of jobs and parts: neighbours in number are far apart in hue and lightness. [0, 1] each.
export function ofJob(number, out, at) {
  const hue = (number * 0.61803398875) % 1;
  const light = 0.52 + 0.16 * (((number * 0.41421356) % 1) - 0.5) * 2;
  const s = 0.55;
  for (let c = 0; c < 3; c++) {
    const k = (c * 4 + hue * 12) % 12; // HSL to RGB
    out[at + c] = light - s * Math.min(light, 1 - light) * Math.max(-1, Math.min(k - 3, 9 - k, 1));
  }
}

export function cssOfJob(number) {
  const rgb = [0, 0, 0];
  ofJob(number, rgb, 0);
  return `rgb(${rgb.map((v) => Math.round(255 * v)).join(" ")})`;
}
