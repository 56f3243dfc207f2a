// What is known of one link, block or job, as text and as a table.
import { one } from "./quantity.js";
import { starOf } from "./data.js";
import { change, count, make, number, percent, seconds } from "./text.js";

const STATES = ["", "bad: it makes errors more often than the others", "dead"];

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
  if (columns.length > 1 && columns.every((l) => l.vcs.join() === columns[0].vcs.join()))
    columns[0].vcs.forEach((name, vc) => {
      both(`busy, ${name}`, (l) => (l.vc_utilisation ? one(l, { ...whole, vc }, link) : null));
      both(`queue, ${name}`, (l) => (l.queue ? one(l, { quantity: "queue", row: -1, vc }, link) : null));
      both(`blocked, ${name}`, (l) => (l.blocked ? one(l, { quantity: "blocked", row: -1, vc }, link) : null));
    });
  columns.forEach((l, i) => {
    const state = l.state ? STATES[l.state[link]] : "";
    if (state) body.append(row(columns.length > 1 ? `${"AB"[i]} is` : "is", make("strong", {}, state)));
  });
  const table = make("table", { class: "figures" });
  if (columns.length > 1) table.append(make("thead", {}, make("tr", {}, ...["", ...results.map((r, i) => "AB"[i] + starOf([r])), `B \u2212 A${starOf(results)}`].map((name) => make("th", { scope: "col" }, name)))));
  table.append(body);
  return table;
}

// Of one result: a row per virtual channel.
export function channelsOf(links, link) {
  if (!links.vc_utilisation) return null;
  const head = make("tr", {}, ...["VC", "busy", "queue", "blocked"].map((name) => make("th", { scope: "col" }, name)));
  const cell = (quantity, vc) => percent(one(links, { quantity, row: -1, vc }, link));
  return make("table", { class: "figures" }, make("thead", {}, head), make("tbody", {}, ...links.vcs.map((name, vc) => row(name, cell("utilisation", vc), cell("queue", vc), cell("blocked", vc)))));
}

export function stateText(states, link) {
  return states ? ["", "bad", "dead"][states[link]] : "";
}

// A node that got no packets has no response time.
function responseText(r, v) {
  const value = r.nodes.response_cycles[v];
  return Number.isFinite(value) ? `${number(value)} cycles${starOf([r])}` : "\u2013";
}

// What the nodes at both ends sent and received.
export function nodeTable(r, machine, link) {
  if (!r.nodes || !r.nodes.sent_packets) return null;
  const { from, to } = r.links;
  const body = make("tbody");
  for (const v of [from[link], to[link]]) {
    if (v >= r.nodes.sent_packets.length) continue;
    const response = r.nodes.response_cycles ? `, response ${responseText(r, v)}` : "";
    body.append(row(machine.vertex(v), `sent ${count(r.nodes.sent_packets[v])} packets, received ${count(r.nodes.received_packets[v])}${response}`));
  }
  return body.childElementCount ? make("table", { class: "figures" }, body) : null;
}

export function jobText(runs, run) {
  const size = [0, 1, 2].map((c) => runs.size[3 * run + c]);
  const at = [0, 1, 2].map((c) => runs.at[3 * run + c]);
  const where = size[0] ? `${size.join("\u00d7")} cells at (${at.join(",")})` : `${count(runs.held[run])} scattered cells`;
  return `job ${runs.job[run]}: ${where}, ${count(runs.held[run] * runs.cellNodes)} nodes, ran ${seconds(runs.end[run] - runs.start[run])}${runs.lost[run] ? ", lost to a node that failed" : ""}`;
}
