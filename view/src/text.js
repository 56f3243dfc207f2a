// Numbers as people read them.

export function count(value) {
  return Math.round(value).toLocaleString("en-US").replace(/,/g, "\u2009");
}

// Four significant digits, without an exponent where there is room.
export function number(value) {
  if (!Number.isFinite(value)) return "-";
  if (value === 0) return "0";
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return count(value);
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) return value.toExponential(3);
  if (size >= 1e3) return count(value);
  return String(Number(value.toPrecision(4)));
}

export function percent(share) {
  const value = 100 * share;
  return `${value !== 0 && Math.abs(value) < 10 ? value.toFixed(2) : value.toFixed(1)}\u2009%`.replace("-", "\u2212");
}

// A difference of shares.
export function change(share) {
  return `${share < 0 ? "\u2212" : "+"}${percent(Math.abs(share))}`;
}

const TIMES = [
  [86400 * 2, 86400, "d"],
  [3600 * 2, 3600, "h"],
  [120, 60, "min"],
  [1, 1, "s"],
  [1e-3, 1e-3, "ms"],
  [1e-6, 1e-6, "\u00b5s"],
  [0, 1e-9, "ns"],
];

export function seconds(value) {
  if (!Number.isFinite(value)) return "-";
  if (value === 0) return "0 s";
  const [, unit, name] = TIMES.find(([from]) => Math.abs(value) >= from);
  return `${Number((value / unit).toPrecision(4))} ${name}`;
}

// "1 211.6 cycles (6.92 µs)"
export function cycles(value, secondsPerCycle) {
  const text = `${number(value)} cycles`;
  return secondsPerCycle > 0 ? `${text} (${seconds(value * secondsPerCycle)})` : text;
}

// A round number that is not smaller.
export function roundUp(value) {
  if (!(value > 0)) return 1;
  const unit = 10 ** Math.floor(Math.log10(value));
  return [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].map((k) => k * unit).find((v) => v >= value * (1 - 1e-9));
}

// Elements: make("td", {class: "x"}, "text", child)
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key.startsWith("aria-")) element.setAttribute(key, value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value != null) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}
