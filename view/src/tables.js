// Tables of figures: what a result says in single numbers, alone or beside another with the change.
import { count, cycles, make, number, percent, seconds } from "./text.js";

const SHARES = /(_share|utilisation|fraction_of_peak|probability|fragmentation|_load)$/;
const BYTES = /bytes_per.*second/;

function valueText(name, value, r) {
  if (/_cycles$|^cycles$|^(response|source_queueing|network)_(?!count)/.test(name)) return cycles(value, r.secondsPerCycle);
  if (/seconds$|seconds_(mean|median|95|most)$/.test(name)) return seconds(value);
  if (BYTES.test(name)) return `${number(value / 1e6)} MB/s`;
  if (SHARES.test(name) && Math.abs(value) <= 10) return percent(value);
  return Number.isInteger(value) ? count(value) : number(value);
}

const STAR = "* not steady: less was delivered than offered, so the figure depends on how long the run was";

// Figures that rest on a steady state.
const RESTS = /response|queueing|network_|fraction_of_peak|bytes_per|fairness|utilisation/;

// Figures that a schedule, in which no packets move, leaves at zero.
const TRAFFIC = /^(cycles$|packet|payload_|link_utilisation|offered_load|bypassed_|response_|source_queueing_|network_|injection_|reception_)/;

// All single numbers of a result by name, also those one object down.
export function figures(r) {
  const out = new Map();
  const skip = new Set(["config", "engine", "parts", "jobs", "each_link", "each_node", "mpi", "part_of_node", "vc_share", "vc_occupancy", "vc_unavailable_share", "link_utilisation_by_direction", "link_protocol"]);
  const take = (prefix, object) => {
    for (const [name, value] of Object.entries(object)) {
      if (typeof value === "number") out.set(prefix + name, value);
      else if (!prefix && value && typeof value === "object" && !Array.isArray(value) && !skip.has(name)) take(`${name.replace(/_cycles$/, "")}_`, value);
    }
  };
  take("", r.json);
  out.delete("seed");
  if (r.json.jobs && !r.json.cycles) for (const name of [...out.keys()]) if (TRAFFIC.test(name)) out.delete(name);
  return out;
}

function changeText(name, a, b, r) {
  if (a === b) return "same";
  const part = a ? ` (${b > a ? "+" : "\u2212"}${percent(Math.abs(b / a - 1))})` : "";
  const size = Math.abs(b - a);
  const text = SHARES.test(name) && size <= 10 ? `${(100 * size).toFixed(2)} points` : valueText(name, size, r);
  return `${b > a ? "+" : "\u2212"}${text}${part}`;
}

const words = (name) => name.replace(/_/g, " ");

function cell(r, name, value) {
  if (value === undefined) return make("td", {}, "-");
  const star = r.unsteady && RESTS.test(name);
  return make("td", star ? { class: "unsteady", title: "not steady: it depends on how long the run was" } : {}, valueText(name, value, r), star ? "*" : "");
}

export function figureTable(a, b) {
  const table = make("table", { class: "figures" }, make("caption", {}, b ? "Figures and their change" : "Figures"));
  const head = make("tr", {}, make("th", { scope: "col" }, "figure"), make("th", { scope: "col" }, b ? `A: ${a.name}` : a.name));
  if (b) head.append(make("th", { scope: "col" }, `B: ${b.name}`), make("th", { scope: "col" }, "B \u2212 A"));
  const body = make("tbody");
  const of = figures(a);
  const other = b ? figures(b) : new Map();
  for (const name of new Set([...of.keys(), ...other.keys()])) {
    const row = make("tr", {}, make("th", { scope: "row" }, words(name)), cell(a, name, of.get(name)));
    if (b) {
      const both = of.has(name) && other.has(name);
      row.append(cell(b, name, other.get(name)), make("td", { class: both && of.get(name) !== other.get(name) ? "changed" : "" }, both ? changeText(name, of.get(name), other.get(name), a) : "-"));
    }
    body.append(row);
  }
  table.append(make("thead", {}, head), body);
  if (a.unsteady || (b && b.unsteady)) table.append(make("tfoot", {}, make("tr", {}, make("td", { colspan: 4 }, STAR))));
  return table;
}

// Keys in which the settings of two results differ: [[key, of A, of B]].
export function settingsThatDiffer(a, b) {
  const flat = (object, prefix = "", out = {}) => {
    for (const [key, value] of Object.entries(object)) {
      if (value && typeof value === "object") flat(value, `${prefix}${key}.`, out);
      else out[prefix + key] = String(value);
    }
    return out;
  };
  const x = flat(a.json.config);
  const y = flat(b.json.config);
  return [...new Set([...Object.keys(x), ...Object.keys(y)])].filter((key) => x[key] !== y[key]).map((key) => [key, x[key] ?? "-", y[key] ?? "-"]);
}

export function settingTable(a, b) {
  const rows = settingsThatDiffer(a, b);
  const table = make("table", { class: "figures" }, make("caption", {}, rows.length ? "Settings that differ" : "All settings are the same"));
  if (rows.length) table.append(make("thead", {}, make("tr", {}, ...["key", "A", "B"].map((name) => make("th", { scope: "col" }, name)))));
  table.append(make("tbody", {}, ...rows.map(([key, x, y]) => make("tr", {}, make("th", { scope: "row" }, key), make("td", {}, x), make("td", {}, y)))));
  return table;
}

// Virtual channels.
export function channelTable(r) {
  const names = Object.keys(r.json.vc_share || {});
  if (!names.length) return null;
  const columns = [["vc_share", "hops"], ["vc_occupancy", "filled"], ["vc_unavailable_share", "full"]].filter(([key]) => r.json[key]);
  return make(
    "table",
    { class: "figures" },
    make("caption", {}, `Virtual channels, ${r.name}`),
    make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "VC"), ...columns.map(([, name]) => make("th", { scope: "col" }, name)))),
    make("tbody", {}, ...names.map((name) => make("tr", {}, make("th", { scope: "row" }, name), ...columns.map(([key]) => make("td", {}, percent(r.json[key][name])))))),
  );
}

// Workloads that shared the machine.
export function partTable(r, swatch) {
  if (!r.parts.length) return null;
  const row = (p, i) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, swatch(i + 1), ` ${i + 1}: ${p.place}`),
      make("td", {}, p.pattern || ""),
      make("td", {}, count(p.nodes || 0)),
      make("td", {}, seconds(p.sim_seconds || 0)),
      make("td", p.steady === false ? { class: "unsteady", title: "not steady" } : {}, p.response_cycles ? cycles(p.response_cycles.mean, r.secondsPerCycle) + (p.steady === false ? "*" : "") : "-"),
    );
  return make(
    "table",
    { class: "figures" },
    make("caption", {}, `Parts, ${r.name}`),
    make("thead", {}, make("tr", {}, ...["part", "pattern", "nodes", "time", "response"].map((name) => make("th", { scope: "col" }, name)))),
    make("tbody", {}, ...r.parts.map(row)),
    ...(r.parts.some((p) => p.steady === false) ? [make("tfoot", {}, make("tr", {}, make("td", { colspan: 5 }, STAR)))] : []),
  );
}
