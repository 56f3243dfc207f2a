// Charts as SVG: histograms of response times and of link loads, the run over time.
import { near, sameClock } from "./clock.js";
import { count, cycles, number, percent, seconds } from "./text.js";

const WIDTH = 340;
const HEIGHT = 150;
const BOX = { left: 44, right: 10, top: 20, bottom: 32 };
const NS = "http://www.w3.org/2000/svg";

function node(name, attributes, ...children) {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) if (value != null) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

function ticks(low, high, most) {
  const raw = (high - low) / most;
  const unit = 10 ** Math.floor(Math.log10(raw || 1));
  const step = [1, 2, 5, 10].map((k) => k * unit).find((s) => s >= raw * 0.999) || unit;
  const out = [];
  for (let k = Math.ceil(low / step); k * step <= high + step * 1e-6; k++) out.push(k * step);
  return out;
}

// Three digits, for ticks.
const short = (value) => {
  const [unit, letter] = Math.abs(value) >= 1e6 ? [1e6, "M"] : Math.abs(value) >= 1e4 ? [1e3, "k"] : [1, ""];
  return `${Number((value / unit).toPrecision(3))}${letter}`.replace("-", "\u2212");
};

// A frame with axes. x and y: {low, high, log, text, name}. Returns places to put marks at.
function axes(title, x, y) {
  const svg = node("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": title, class: "chart" });
  const left = BOX.left;
  const right = WIDTH - BOX.right;
  const top = BOX.top;
  const bottom = HEIGHT - BOX.bottom;
  const lx = x.log ? Math.log(x.low) : x.low;
  const hx = x.log ? Math.log(x.high) : x.high;
  const px = (v) => left + ((x.log ? Math.log(Math.max(v, x.low)) : v) - lx) * ((right - left) / (hx - lx || 1));
  const py = (v) => bottom - (v - y.low) * ((bottom - top) / (y.high - y.low || 1));
  const xs = x.log ? logTicks(x.low, x.high) : ticks(x.low, x.high, 5);
  for (const v of ticks(y.low, y.high, 3)) {
    svg.append(node("line", { class: "rule", x1: left, x2: right, y1: py(v), y2: py(v) }));
    svg.append(node("text", { class: "tick", x: left - 5, y: py(v) + 3, "text-anchor": "end" }, y.text(v)));
  }
  for (const v of xs) {
    svg.append(node("line", { class: "notch", x1: px(v), x2: px(v), y1: bottom, y2: bottom + 3 }));
    svg.append(node("text", { class: "tick", x: Math.min(px(v), WIDTH - 1), y: bottom + 13, "text-anchor": px(v) > right - 8 ? "end" : "middle" }, x.text(v)));
  }
  svg.append(node("line", { class: "axis", x1: left, x2: right, y1: bottom, y2: bottom }));
  svg.append(node("text", { class: "name", x: right, y: HEIGHT - 4, "text-anchor": "end" }, x.name));
  svg.append(node("text", { class: "name", x: 2, y: 11 }, y.name));
  return { svg, px, py, left, right, top, bottom };
}

function logTicks(low, high) {
  const out = [];
  for (let unit = 10 ** Math.floor(Math.log10(low)); unit <= high; unit *= 10)
    for (const k of high / low > 300 ? [1] : [1, 2, 5]) if (k * unit >= low && k * unit <= high) out.push(k * unit);
  return out.length > 8 ? out.filter((v) => Number.isInteger(Math.log10(v))) : out;
}

// ---- response times ----

// Buckets of a result, [[edge, packets]], as shares of all packets in even bins of an axis.
function binned(histogram, low, high, log, bins) {
  const out = new Float64Array(bins);
  const total = histogram.reduce((sum, [, n]) => sum + n, 0) || 1;
  const scale = log ? Math.log(high / low) : high - low;
  for (const [edge, n] of histogram) {
    const at = log ? Math.log(Math.max(edge, low) / low) : edge - low;
    out[Math.max(0, Math.min(bins - 1, Math.floor((at / scale) * bins)))] += n / total;
  }
  return out;
}

function steps(bins, chart, edges) {
  let path = `M${chart.px(edges[0])},${chart.bottom}`;
  bins.forEach((v, i) => (path += `V${chart.py(v)}H${chart.px(edges[i + 1])}`));
  return `${path}V${chart.bottom}`;
}

export function responseChart(results) {
  const shown = results.filter((r) => r.histogram.length);
  if (!shown.length) return null;
  const inCycles = sameClock(shown);
  const time = (r, cycle) => (inCycles ? cycle : 1e6 * cycle * r.secondsPerCycle);
  const least = (r) => Math.max(1, r.histogram[0][0]);
  const low = Math.min(...shown.map((r) => time(r, least(r))));
  const high = Math.max(...shown.map((r) => time(r, Math.max(least(r) + 1, r.json.response_cycles.max || r.histogram.at(-1)[0])))) * 1.02;
  const log = high / low > 12;
  const many = 44;
  const edges = Array.from({ length: many + 1 }, (_, i) => (log ? low * (high / low) ** (i / many) : low + ((high - low) * i) / many));
  const bins = shown.map((r) => binned(r.histogram.map(([edge, n]) => [time(r, edge), n]), low, high, log, many));
  const most = Math.max(...bins.flatMap((b) => [...b])) * 1.1;
  const chart = axes(`Response times${shown[0].unsteady ? ", not steady" : ""}`, { low, high, log, text: short, name: inCycles ? "response, cycles" : "response time (\u00b5s)" }, { low: 0, high: most, text: (v) => `${short(100 * v)}%`, name: "share of packets" });
  bins.forEach((b, i) => {
    const k = results.indexOf(shown[i]);
    chart.svg.append(node("path", { class: `series s${k} ${k ? "line" : "area"}`, d: steps(b, chart, edges) }));
  });
  shown.forEach((r, i) => {
    const { mean, p50, p99 } = r.json.response_cycles;
    const star = r.unsteady ? "*" : "";
    for (const [name, value, row] of [["median", p50, 0], ["99\u2009%", p99, 1]]) {
      if (!(value > 0)) continue;
      const x = chart.px(time(r, value));
      chart.svg.append(node("line", { class: `mark s${results.indexOf(r)}`, x1: x, x2: x, y1: chart.top, y2: chart.bottom }, node("title", {}, `${r.name}: ${name} ${cycles(value, r.secondsPerCycle)}${star}`)));
      const close = row === 1 && Math.abs(x - chart.px(time(r, p50))) < 80; // to the median, so that its word would lie on the other
      const before = row === 0 ? x > chart.left + 70 : x > chart.right - 60; // which side has room
      if (!i) chart.svg.append(node("text", { class: "note", x: before ? x - 3 : x + 3, y: chart.top + (row && (before || close) ? 19 : 8), "text-anchor": before ? "end" : "start" }, `${name} ${number(time(r, value))}${star}`));
    }
    if (!i && mean) chart.svg.append(node("title", {}, `${r.name}: mean ${cycles(mean, r.secondsPerCycle)}${star}`));
  });
  return chart.svg;
}

// ---- the run over time ----

// What is before and after the time that counts: [[name, from, to]]; of two results where they agree.
function outside(shown, clock, high) {
  const windows = shown.map((r) => r.window && [clock.of(r, r.window.from), clock.of(r, r.window.to)]);
  const [first] = windows;
  if (!first || !windows.every((w) => w && near(w[0], first[0]) && near(w[1], first[1]))) return [];
  return [["warm-up", 0, Math.min(first[0], high)], ["drain", first[1], high]].filter(([, from, to]) => to > from);
}

// A place for a word between two x where no curve goes: {x, y} of its middle, or null.
function placeFor(word, left, right, { top, bottom }, curves) {
  const wide = 6 * word.length;
  if (right - left < wide + 4) return null;
  const x = (left + right) / 2;
  const crossed = (y) =>
    curves.some((curve) =>
      curve.some(([x1, y1], i) => {
        const [x0, y0] = curve[Math.max(0, i - 1)];
        if (x1 < x - wide / 2 || x0 > x + wide / 2) return false;
        const at = (v) => (x1 > x0 ? y0 + ((y1 - y0) * (Math.min(Math.max(v, x0), x1) - x0)) / (x1 - x0) : y1);
        const ends = [at(x - wide / 2), at(x + wide / 2)];
        return Math.max(...ends) > y - 11 && Math.min(...ends) < y + 4;
      }),
    );
  const y = [top + 10, bottom - 6, (top + bottom) / 2 + 4, (3 * top + bottom) / 4 + 4, (top + 3 * bottom) / 4 + 4].find((v) => !crossed(v));
  return y === undefined ? null : { x, y };
}

export function timeChart(results, clock, onPick) {
  const shown = results.filter((r) => r.timeline.length > 1);
  if (!shown.length) return null;
  const busy = (row) => row.link_utilisation || 0;
  const intervals = shown.map((r) => r.timeline[1].cycle - r.timeline[0].cycle);
  const high = Math.max(...shown.map((r, i) => clock.of(r, r.timeline.at(-1).cycle + intervals[i])));
  const most = Math.max(0.01, ...shown.flatMap((r) => r.timeline.map(busy))) * 1.1;
  const whole = Math.max(...shown.map((r) => r.json.sim_seconds)); // the last interval may be cut short
  const name = clock.inCycles ? `cycles (${seconds(whole)} in all)` : "time (\u00b5s)";
  const chart = axes("The run over time", { low: 0, high, text: short, name }, { low: 0, high: most, text: (v) => `${short(100 * v)}%`, name: "links busy" });
  const { svg, px, py, top, bottom } = chart;
  const curves = shown.map((r, i) => r.timeline.map((row) => [px(clock.of(r, row.cycle + intervals[i] / 2)), py(busy(row))]));
  const bands = outside(shown, clock, high);
  for (const [word, from, to] of bands) svg.append(node("rect", { class: "outside", x: px(from), y: top, width: px(to) - px(from), height: bottom - top }, node("title", {}, word)));
  shown.forEach((r, i) => {
    svg.append(node("polyline", { class: `series s${results.indexOf(r)} line`, points: curves[i].join(" ") }, node("title", {}, r.name)));
  });
  for (const [word, from, to] of bands) {
    const place = placeFor(word, px(from), px(to), chart, curves);
    if (place) svg.append(node("text", { class: "note", ...place, "text-anchor": "middle" }, word));
  }
  const cursor = node("rect", { class: "cursor", y: top, height: bottom - top, x: 0, width: 0, visibility: "hidden" });
  svg.append(cursor);
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * WIDTH;
    onPick(Math.floor(((x - chart.left) / (chart.right - chart.left)) * (high / clock.step)));
  });
  svg.moveTo = (row) => {
    cursor.setAttribute("visibility", row < 0 ? "hidden" : "visible");
    if (row < 0) return;
    cursor.setAttribute("x", px(row * clock.step));
    cursor.setAttribute("width", Math.max(2, px((row + 1) * clock.step) - px(row * clock.step)));
  };
  return svg;
}

// ---- loads of links ----

// A chart that stays in its place; update() fills it from values.
export class LoadChart {
  constructor(bins = 32) {
    this.bins = new Float64Array(bins);
    this.svg = node("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", class: "chart" });
    this.bars = Array.from(this.bins, () => node("rect", { class: "bar" }, node("title", {})));
  }

  // `dead`: whether a link is; those are not counted.
  update(values, dead, low, high, colourOf, name) {
    const many = this.bins.length;
    this.bins.fill(0);
    let all = 0;
    for (let i = 0; i < values.length; i++) {
      const v = values[i];
      if (v !== v || dead(i)) continue;
      all++;
      this.bins[Math.max(0, Math.min(many - 1, Math.floor(((v - low) / (high - low)) * many)))]++;
    }
    const most = Math.max(1, ...this.bins);
    const chart = axes(`Links by ${name}`, { low, high, text: (v) => `${short(100 * v)}%`, name }, { low: 0, high: most * 1.05, text: short, name: "links" });
    const width = (chart.right - chart.left) / many;
    this.bins.forEach((n, i) => {
      const bar = this.bars[i];
      const from = low + ((high - low) * i) / many;
      bar.setAttribute("x", chart.left + i * width + 0.5);
      bar.setAttribute("width", Math.max(0.5, width - 1));
      bar.setAttribute("y", n ? Math.min(chart.py(n), chart.bottom - 1) : chart.bottom);
      bar.setAttribute("height", n ? Math.max(1, chart.bottom - chart.py(n)) : 0);
      bar.setAttribute("style", `fill:${colourOf((i + 0.5) / many)}`);
      bar.firstChild.textContent = `${count(n)} of ${count(all)} links: ${percent(from)} to ${percent(from + (high - low) / many)}`;
    });
    this.svg.setAttribute("aria-label", chart.svg.getAttribute("aria-label"));
    this.svg.replaceChildren(...chart.svg.childNodes, ...this.bars);
  }
}

// ---- without links: what each direction did ----

export function directionChart(results) {
  const shown = results.filter((r) => Object.keys(r.json.link_utilisation_by_direction || {}).length);
  if (!shown.length) return null;
  const names = [...new Set(shown.flatMap((r) => Object.keys(r.json.link_utilisation_by_direction)))];
  const value = (r, name) => r.json.link_utilisation_by_direction[name] ?? 0;
  const most = Math.max(0.01, ...shown.flatMap((r) => names.map((name) => value(r, name)))) * 1.1;
  const chart = axes("Links by direction", { low: 0, high: names.length, text: () => "", name: "direction" }, { low: 0, high: most, text: (v) => `${short(100 * v)}%`, name: "links busy" });
  names.forEach((name, i) => {
    shown.forEach((r, k) => {
      if (!(name in r.json.link_utilisation_by_direction)) return;
      const wide = 0.7 / shown.length;
      const x = chart.px(i + 0.15 + k * wide);
      const y = chart.py(value(r, name));
      chart.svg.append(node("rect", { class: `direction s${results.indexOf(r)}`, x, y, width: chart.px(wide) - chart.px(0), height: chart.bottom - y }, node("title", {}, `${name} ${percent(value(r, name))}, ${r.name}`)));
    });
    chart.svg.append(node("text", { class: "tick", x: chart.px(i + 0.5), y: chart.bottom + 13, "text-anchor": "middle" }, name));
  });
  return chart.svg;
}

// ---- jobs ----

// How much of the machine jobs hold, over time.
export function jobsChart(runs, onPick) {
  const { from, to } = runs;
  const many = 160;
  const held = new Float64Array(many);
  const scale = many / (to - from);
  const cells = runs.cells[0] * runs.cells[1] * runs.cells[2];
  for (let i = 0; i < runs.count; i++)
    for (let b = Math.max(0, Math.floor((runs.start[i] - from) * scale)); b < many && b / scale + from < runs.end[i]; b++) {
      const overlap = Math.min(runs.end[i], from + (b + 1) / scale) - Math.max(runs.start[i], from + b / scale);
      if (overlap > 0) held[b] += (runs.held[i] * overlap * scale) / cells;
    }
  const unit = to - from > 172800 ? 86400 : to - from > 7200 ? 3600 : 1;
  const chart = axes("Cells in use over time", { low: 0, high: (to - from) / unit, text: short, name: { 86400: "days", 3600: "hours", 1: "seconds" }[unit] }, { low: 0, high: 1, text: (v) => `${short(100 * v)}%`, name: "cells in use" });
  chart.svg.append(node("path", { class: "series s0 area", d: steps(held, chart, Array.from({ length: many + 1 }, (_, i) => i / scale / unit)) }));
  const cursor = node("rect", { class: "cursor", y: chart.top, height: chart.bottom - chart.top, width: 4 });
  chart.svg.append(cursor);
  chart.svg.addEventListener("click", (event) => {
    const box = chart.svg.getBoundingClientRect();
    const share = (((event.clientX - box.left) / box.width) * WIDTH - chart.left) / (chart.right - chart.left);
    onPick(from + Math.max(0, Math.min(1, share)) * (to - from));
  });
  chart.svg.moveTo = (time) => {
    cursor.setAttribute("x", chart.px((time - from) / unit) - 2);
  };
  return chart.svg;
}
