// What is known of one link, block or job, as text and as a table.
import { one } from "./quantity.js";
import { sameClock } from "./clock.js";
import { starOf } from "./data.js";
import { change, count, make, number, percent, seconds } from "./text.js";

const CHANNELS = "virtual channels, whole run";
const STATES = ["", "bad: it makes errors more often than the others", "dead"];

function head(...names) {
  return make("thead", {}, make("tr", {}, ...names.map((name) => make("th", { scope: "col" }, name))));
}

function row(name, ...values) {
  return make("tr", {}, make("th", { scope: "row" }, name), ...values.map((value) => make("td", {}, value)));
}

// For each result a column; `rows`: which row of each is shown now, -1: none.
export function linkTable(results, link, rows) {
  const columns = results.map((r) => r.links);
  const body = make("tbody");
  const both = (name, get) => {
    const values = columns.map(get);
    if (!values.every((v) => v != null)) return;
    body.append(row(name, ...values.map(percent), ...(values.length > 1 ? [change(values[1] - values[0])] : [])));
  };
  const whole = { quantity: "utilisation", row: -1, vc: -1 };
  both("busy, whole run", (l) => one(l, whole, link));
  both("busy, now", (l, i) => (rows[i] >= 0 ? one(l, { ...whole, row: rows[i] }, link) : null));
  if (columns.length > 1 && columns[0].vcs.length && columns.every((l) => l.vc_utilisation && l.vcs.join() === columns[0].vcs.join())) {
    body.append(make("tr", {}, make("th", { scope: "rowgroup", colspan: 4 }, CHANNELS)));
    columns[0].vcs.forEach((name, vc) => {
      both(`busy, ${name}`, (l) => (l.vc_utilisation ? one(l, { ...whole, vc }, link) : null));
      both(`queue, ${name}`, (l) => (l.queue ? one(l, { quantity: "queue", row: -1, vc }, link) : null));
      both(`blocked, ${name}`, (l) => (l.blocked ? one(l, { quantity: "blocked", row: -1, vc }, link) : null));
    });
  }
  columns.forEach((l, i) => {
    const state = l.state ? STATES[l.state[link]] : "";
    if (state) body.append(row(columns.length > 1 ? `${"AB"[i]} is` : "is", make("strong", {}, state)));
  });
  const table = make("table", { class: "figures" });
  if (columns.length > 1) table.append(head("", ...results.map((r, i) => "AB"[i] + starOf([r])), `B \u2212 A${starOf(results)}`));
  table.append(body);
  return table;
}

// Of one result: a row per virtual channel.
export function channelsOf(links, link) {
  if (!links.vc_utilisation) return null;
  const cell = (quantity, vc) => percent(one(links, { quantity, row: -1, vc }, link));
  return make("table", { class: "figures" }, make("caption", {}, CHANNELS), head("VC", "busy", "queue", "blocked"), make("tbody", {}, ...links.vcs.map((name, vc) => row(name, cell("utilisation", vc), cell("queue", vc), cell("blocked", vc)))));
}

export function stateText(states, link) {
  return states ? ["", "bad", "dead"][states[link]] : "";
}

// A node that got no packets has no response time.
function responseText(r, v, inCycles) {
  const value = r.nodes.response_cycles[v];
  if (!Number.isFinite(value)) return "\u2013";
  return (inCycles ? `${number(value)} cycles` : seconds(value * r.secondsPerCycle)) + starOf([r]);
}

// What each of the nodes at both ends sent and received: a column for each result that says so.
export function nodeTables(results, machine, link) {
  const columns = results.filter((r) => r.nodes && r.nodes.sent_packets);
  if (!columns.length) return [];
  const { from, to } = results[0].links;
  const letters = results.length > 1 ? columns.map((r) => "AB"[results.indexOf(r)]) : [""];
  const inCycles = sameClock(columns);
  const of = (v) => {
    const body = make("tbody", {}, row("packets sent", ...columns.map((r) => count(r.nodes.sent_packets[v]))), row("packets received", ...columns.map((r) => count(r.nodes.received_packets[v]))));
    if (columns.every((r) => r.nodes.response_cycles)) body.append(row("response", ...columns.map((r) => responseText(r, v, inCycles))));
    return make("table", { class: "figures" }, head(`${machine.vertex(v)}, whole run`, ...letters), body);
  };
  return [...new Set([from[link], to[link]])].filter((v) => v < columns[0].nodes.sent_packets.length).map(of);
}

export function jobText(runs, run) {
  const size = [0, 1, 2].map((c) => runs.size[3 * run + c]);
  const at = [0, 1, 2].map((c) => runs.at[3 * run + c]);
  const where = size[0] ? `${size.join("\u00d7")} cells at (${at.join(",")})` : `${count(runs.held[run])} scattered cells`;
  return `job ${runs.job[run]}: ${where}, ${count(runs.held[run] * runs.cellNodes)} nodes, ran ${seconds(runs.end[run] - runs.start[run])}${runs.lost[run] ? ", lost to a node that failed" : ""}`;
}
