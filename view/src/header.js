// The head of the page: what ran, and how each result on the page differs from the other.
import { starOf, titleOf } from "./data.js";
import { settingsThatDiffer } from "./tables.js";
import { count, cycles, make } from "./text.js";

const SETTINGS = 3; // that differ are named, at most; a table below has them all

function deadNodes(r) {
  return r.nodes && r.nodes.dead ? r.nodes.dead.reduce((sum, dead) => sum + dead, 0) : 0;
}

// "df.json, 14 895 cycles (85.1 \u00b5s), 1 dead node * not steady"
function resultLine(r, letter) {
  const parts = [r.name, r.runs ? "schedule" : cycles(r.json.cycles, r.secondsPerCycle)];
  const dead = deadNodes(r);
  if (dead) parts.push(`${count(dead)} dead node${dead > 1 ? "s" : ""}`);
  if (r.json.packets_delivered === 0) parts.push("no packets");
  const why = "less was delivered than offered: response times depend on how long the run was";
  return make("p", { class: "result" }, letter ? make("strong", {}, `${letter}: `) : null, parts.join(", "), r.unsteady ? make("strong", { class: "unsteady", title: why }, " * not steady") : null);
}

// "paths 1 / 2, seed 1 / 2 and 4 more settings": of keys that both have, without what the title says.
function differences(a, b) {
  const said = /^(machine\.(name|dims|graph|nodes)|workload\.(pattern|load))$/;
  const rows = settingsThatDiffer(a, b).filter(([key, x, y]) => !said.test(key) && x !== "-" && y !== "-");
  if (!rows.length) return null;
  const named = rows.slice(0, SETTINGS).map(([key, x, y]) => `${key.split(".").at(-1).replace(/_/g, " ")} ${x} / ${y}`);
  const more = rows.length - named.length;
  return make("p", { class: "differ" }, `A / B: ${named.join(", ")}${more ? ` and ${more} more setting${more > 1 ? "s" : ""}` : ""}`);
}

export function titleLine([a, b]) {
  return b && titleOf(a) !== titleOf(b) ? `A: ${titleOf(a)} \u2013 B: ${titleOf(b)}` : titleOf(a);
}

export function resultLines([a, b]) {
  return b ? [resultLine(a, "A"), resultLine(b, "B"), differences(a, b)].filter(Boolean) : [resultLine(a, "")];
}

// What a star stands for, and whose it is.
export function notSteady(results) {
  if (!starOf(results)) return "";
  const whose = results.length < 2 ? "" : results.every((r) => r.unsteady) ? "A and B are " : results[0].unsteady ? "A is " : "B is ";
  return `* ${whose}not steady: less was delivered than offered`;
}

// Of two machines: that they did not do the same work, and what each did.
export function otherWork(a, b) {
  const works = [a, b].map((r) => r && r.json.work);
  if (!works[0] || !works[1] || a.machine.name === b.machine.name || works[0].definition === works[1].definition) return "";
  return `A and B did not do the same work. A: ${works[0].text}. B: ${works[1].text}.`;
}
