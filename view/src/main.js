// The page of `weft view`: takes the results, builds what shows them, and listens.
import { App } from "./app.js";
import { cssOfJob, gradient } from "./colour.js";
import { readResults, starOf } from "./data.js";
import { notSteady, otherWork, resultLines, titleLine } from "./header.js";
import { LoadChart, directionChart, jobsChart, responseChart, timeChart } from "./charts.js";
import { channelsOf, jobText, linkTable, nodeTables, stateText } from "./info.js";
import { keyList, listen } from "./keys.js";
import { LinkScene } from "./linkscene.js";
import { controls, resultPickers } from "./panel.js";
import { channelTable, figureTable, partTable, settingTable } from "./tables.js";
import { QUANTITIES } from "./quantity.js";
import { change, count, make, percent, roundUp, seconds } from "./text.js";

const $ = (id) => document.getElementById(id);
const prefersDark = matchMedia("(prefers-color-scheme: dark)");

function card(title, ...children) {
  return make("section", { class: "card" }, make("h2", {}, title), ...children);
}

// ---- theme ----

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : prefersDark.matches;
}

function setTheme(app) {
  document.documentElement.classList.toggle("dark", isDark());
  app.setTheme(isDark());
}

// ---- legend and labels ----

const PARTS = 8; // are named, at most; a table below has them all

function showLegend(app) {
  const legend = $("legend");
  legend.replaceChildren();
  const jobs = app.jobs;
  const linked = app.first.links && app.first.links.count;
  legend.hidden = !app.scene || !(jobs || linked || app.first.partOf);
  if (legend.hidden) return;
  if (jobs) {
    legend.append(make("p", {}, `each job has its own colour${app.scene.stacked ? "; jobs are scattered: they are stacked in the order of their starts, not drawn where they ran" : ""}`));
    return;
  }
  legend.append(...partMarks(app), ...vertexMarks(app));
  if (linked) legend.append(...scales(app));
  const note = notSteady(app.shown);
  if (note) legend.append(make("p", {}, note));
}

function mark(kind, text, style) {
  return make("div", { class: "state" }, make("span", { class: kind, style }), text);
}

// "part 1: alltoall": the colours of parts; machines side by side have parts of their own.
function partMarks(app) {
  const shown = app.other ? app.shown : [app.first];
  const marks = shown.flatMap((r, k) => (r.partOf ? r.parts : []).map((p, i) => mark("swatch", `${app.other ? `${"AB"[k]}, ` : ""}part ${i + 1}: ${p.pattern || p.place}`, `background:${cssOfJob(i + 1)}`)));
  const more = marks.length - PARTS;
  return more > 0 ? [...marks.slice(0, PARTS), make("div", { class: "state" }, `and ${count(more)} more`)] : marks;
}

// Where hosts are drawn beside their switches.
function vertexMarks(app) {
  const hosts = app.scenes.some((scene) => scene instanceof LinkScene && scene.showsHosts);
  return hosts ? [mark("square", "switch"), mark("disc", "host")] : [];
}

// What colours and strokes of links mean.
function scales(app) {
  const bar = (map, low, high, name) =>
    make(
      "div",
      { class: "scale" },
      make("div", { class: "scale-name" }, name),
      make("div", { class: "ramp", style: `background:${gradient(map)}` }),
      make("div", { class: "scale-ends" }, make("span", {}, percent(low)), make("span", {}, percent((low + high) / 2)), make("span", {}, percent(high))),
    );
  // Of two, the names of panes have the stars.
  const blocks = app.level.kind !== "planes" ? "" : app.blocks === "mean" ? ", means of blocks" : ", busiest links of blocks";
  const out = [bar(app.look.plainMap, app.low, app.most, `${app.quantityOf(0)}${blocks}${app.second ? "" : starOf(app.shown)}`)];
  if (app.comparable) out.push(bar(app.look.changeMap, -app.change, app.change, `difference, B \u2212 A${starOf(app.shown)}`));
  const has = (state) => app.states.some((states) => states && states.includes(state));
  if (has(2)) out.push(mark("dash", "dead link"));
  if (has(1)) out.push(mark("outline", "bad link"));
  return out;
}

function showLabels(app) {
  const boxes = app.stage ? app.stage.panes : [];
  const labels = app.labels();
  $("labels").replaceChildren(...boxes.map(({ box }, i) => make("div", { class: "label", style: `left:${box.x + 10}px;top:${box.y + 8}px;max-width:${box.width - 20}px` }, labels[i] || "")));
}

function showCrumbs(app) {
  const crumbs = $("crumbs");
  crumbs.replaceChildren();
  const { level, machine } = app;
  if (!level || !machine || level.kind === "links" || level.kind === "jobs") return;
  const name = machine.grid.names[level.axis];
  const step = (text, by, label) => make("button", { type: "button", "aria-label": label, onclick: () => app.nextPlane(by) }, text);
  if (level.kind === "plane") crumbs.append(make("button", { type: "button", id: "back", onclick: () => app.setLevel({ kind: "planes", axis: level.axis, at: level.at }) }, "\u2039 machine"));
  crumbs.append(step("\u2039", -1, "previous plane"), make("span", { id: "plane" }, `plane ${name} = ${level.at}`), step("\u203a", 1, "next plane"));
  if (level.kind === "planes") crumbs.append(make("button", { type: "button", id: "enter", onclick: () => app.enter() }, "open"));
}

// ---- links under the pointer ----

// Results that a pane shows; the third has the difference of two.
function ofPane(app, pane) {
  return pane < 2 ? [app.shown[pane]] : app.shown;
}

function blockText(app, { pane, block }) {
  const { scene, i } = app.sceneAt(pane);
  const { mean, most, link } = scene.panes[i];
  const text = pane === 2 ? change : percent;
  const largest = link[block] >= 0 ? `, ${pane === 2 ? "the largest" : "at most"} ${text(most[block])} (${app.machineAt(pane).link(link[block])})` : "";
  return `${scene.text(block)}: mean ${app.quantityOf(pane)} ${text(mean[block])}${starOf(ofPane(app, pane))}${largest}`;
}

function linkText(app, { pane, link }) {
  const name = app.machineAt(pane).link(link);
  const state = stateText(app.states[pane], link);
  if (state === "dead" && pane < 2) return `${name}: dead`;
  const value = app.values[pane][link];
  const figure = Number.isNaN(value) ? "hidden" : `${app.quantityOf(pane)} ${pane === 2 ? change(value) : percent(value)}${starOf(ofPane(app, pane))}`;
  return `${name}: ${figure}${state ? `, ${state}` : ""}`;
}

function summary(app, item) {
  if (item.run !== undefined) return jobText(app.first.runs, item.run);
  return item.block !== undefined ? blockText(app, item) : linkText(app, item);
}

function showTip(app, at) {
  const tip = $("tip");
  tip.hidden = !app.hovered;
  if (!app.hovered) return;
  tip.textContent = summary(app, app.hovered);
  if (!at) return;
  const { clientWidth: width, clientHeight: height } = $("stage");
  tip.style.left = `${Math.max(4, Math.min(at.x + 14, width - tip.offsetWidth - 6))}px`;
  tip.style.top = `${Math.max(4, Math.min(at.y + 16, height - tip.offsetHeight - 6))}px`;
}

function showPinned(app) {
  const box = $("pinned");
  box.replaceChildren();
  box.hidden = app.pinned < 0;
  if (app.pinned < 0) return;
  box.classList.toggle("left", app.pinnedPane === 1); // not over the link that is pinned
  const link = app.pinned;
  const results = ofPane(app, app.pinnedPane);
  const machine = app.machineAt(app.pinnedPane);
  const note = starOf(results) && notSteady(app.shown);
  box.append(
    make("h2", {}, `${app.second && !app.comparable ? `${"AB"[app.pinnedPane]}: ` : ""}${machine.link(link)}`),
    make("button", { type: "button", class: "close", "aria-label": "unpin", onclick: () => app.pin(-1) }, "\u00d7"),
    linkTable(results, link, results.map((r) => app.clock.rowOf(r, app.choice.row))),
    ...[app.comparable ? null : channelsOf(results[0].links, link), ...nodeTables(results, machine, link)].filter(Boolean),
    ...(note ? [make("p", { class: "unsteady" }, note)] : []),
  );
}

// ---- charts and tables ----

const live = { load: new LoadChart(), time: null, jobs: null };

function showCharts(app) {
  const out = [];
  const results = app.shown;
  if (app.first.links && app.first.links.count) out.push(card(app.comparable ? `Links by change of load${starOf(results)}` : `Links by load${app.second ? ", A" : ""}${starOf([app.first])}`, live.load.svg));
  else {
    const chart = directionChart(results);
    if (chart) out.push(card("Links by direction", chart));
  }
  live.time = timeChart(results, app.clock, (row) => app.setRow(row));
  if (live.time) out.push(card("The run", live.time));
  live.jobs = app.jobs ? jobsChart(app.first.runs, (time) => app.setTime(time)) : null;
  if (live.jobs) out.push(card("Cells in use", live.jobs));
  const response = responseChart(results);
  if (response) out.push(card(`Response times${app.second ? "" : starOf(results)}`, response));
  if (results.length > 1) out.push(make("p", { class: "key" }, make("span", { class: "swatch s0" }), `A: ${app.first.name}${starOf([app.first])}`, make("span", { class: "swatch s1" }), `B: ${app.second.name}${starOf([app.second])}`));
  $("charts").replaceChildren(...out);
}

function showTables(app) {
  const swatch = (i) => make("span", { class: "swatch", style: `background:${cssOfJob(i)}` });
  const tables = [figureTable(app.first, app.second)];
  if (app.second) tables.push(settingTable(app.first, app.second));
  for (const r of app.shown) tables.push(channelTable(r), partTable(r, swatch));
  $("tables").replaceChildren(...tables.filter(Boolean));
}

// ---- what is not there ----

function showNotice(app) {
  const notes = [];
  if (!app.stage) notes.push("This browser has no WebGL, which the picture of the machine needs; charts and tables are below.");
  const links = app.first.links;
  if (!(links && links.count) && app.first.nodes) notes.push("This machine has no links.");
  else if (!(links && links.count) && !app.first.runs) notes.push(`${app.second ? "A" : "The result"} does not say what each link did. Run it again with -s run.detail=true, and with -s run.interval_cycles=N to see it over time.`);
  else if (links && links.count && app.stage) {
    const missing = [];
    if (!links.queue && !app.first.nodes) missing.push(`-s run.detail=true for virtual channels, queues and blocked time${links.hosts ? ", and the links of hosts" : ""}`);
    if (!links.rows) missing.push("-s run.interval_cycles=N for a time slider");
    for (const what of missing) notes.push(`Run with ${what}.`);
  }
  if (app.scene && app.scene.left) notes.push("Links of hosts are left out: there are too many to draw at once.");
  if (app.second && !app.comparable && links && links.count && app.second.links) notes.push("A and B have different links: there is no difference to show.");
  const other = otherWork(app.first, app.second);
  if (other) notes.push(other);
  const bare = !app.scene;
  document.body.classList.toggle("bare", bare);
  const box = $("notice");
  box.hidden = !notes.length;
  box.classList.toggle("large", bare);
  box.replaceChildren(...notes.map((text) => make("p", {}, text)));
}

// ---- time ----

const player = { timer: 0 };

function timeText(app) {
  if (app.jobs) return `${seconds(app.time - app.first.runs.from)} after the first start${app.scene ? `: ${count(app.scene.running)} job${app.scene.running === 1 ? "" : "s"}` : ""}`;
  const { row } = app.choice;
  if (row < 0) return "whole run";
  const { step, inCycles } = app.clock;
  if (!inCycles) return `${seconds(1e-6 * row * step)} to ${seconds(1e-6 * (row + 1) * step)}`;
  const parts = new Set(app.shown.map((r) => partOfRun(r, row * step)));
  const end = (row + 1) * step;
  return `cycles ${count(row * step)} to ${count(end)} (${seconds(end * app.first.secondsPerCycle)})${parts.size === 1 ? [...parts][0] : ""}`;
}

function partOfRun({ window }, cycle) {
  if (!window) return "";
  return cycle < window.from ? ", warm-up" : cycle >= window.to ? ", drain" : "";
}

const STEPS = 1000; // of the slider over jobs

function showTime(app) {
  const jobs = app.jobs ? app.first.runs : null;
  $("time").hidden = !jobs && !app.clock.rows;
  if ($("time").hidden) return play(app, false);
  const slider = $("row");
  slider.min = jobs ? 0 : -1;
  slider.max = jobs ? STEPS : app.clock.rows - 1;
  slider.value = jobs ? Math.round((STEPS * (app.time - jobs.from)) / (jobs.to - jobs.from)) : app.choice.row;
  slider.disabled = !jobs && !app.moves;
  const only = app.choice.quantity === "utilisation" ? "links as a whole are" : "utilisation is";
  const when = slider.disabled ? `whole run (only ${only} kept over time)` : timeText(app);
  $("when").textContent = when;
  slider.setAttribute("aria-valuetext", when);
  live.time?.moveTo(app.choice.row);
  live.jobs?.moveTo(app.time);
}

function step(app, by) {
  if (app.jobs) {
    const { from, to } = app.first.runs;
    const next = app.time + (by * (to - from)) / 200;
    app.setTime(next > to ? from : Math.max(from, next));
  } else if (app.clock.rows) {
    const next = app.choice.row + by;
    app.setRow(player.timer && next >= app.clock.rows ? 0 : next);
  }
}

function play(app, on) {
  if (on === Boolean(player.timer)) return;
  clearInterval(player.timer);
  player.timer = on ? setInterval(() => step(app, 1), 160) : 0;
  $("play").textContent = on ? "\u275a\u275a" : "\u25b6";
  $("play").setAttribute("aria-label", on ? "pause" : "play");
}

// ---- all of it ----

function showAll(app) {
  $("title").textContent = titleLine(app.shown);
  $("subtitle").replaceChildren(...resultLines(app.shown));
  document.title = `${app.shown.map((r) => r.name).join(", ")} \u2013 Weft`;
  $("pickers").replaceChildren(...resultPickers(app));
  $("controls").replaceChildren(...controls(app));
  const linked = Boolean(app.first.links && app.first.links.count);
  $("controls").hidden = !linked;
  document.body.classList.toggle("plain", !linked);
  $("whole").hidden = !app.clock.rows;
  showNotice(app);
  showCharts(app);
  showTables(app);
  showPinned(app);
}

function loadChart(app) {
  if (!app.first.links || !app.first.links.count) return;
  const pane = app.comparable ? 2 : 0;
  const [low, high] = app.range(pane);
  const end = pane || app.busiestLink <= high ? high : Math.min(1, roundUp(app.busiestLink)); // blocks have a scale of their own
  const map = app.look ? (pane ? app.look.changeMap : app.look.plainMap) : null;
  const colourOf = (share) => {
    if (!map) return "currentColor";
    const k = 4 * Math.round(255 * Math.min(1, (share * (end - low)) / (high - low)));
    return `rgb(${map[k]} ${map[k + 1]} ${map[k + 2]})`;
  };
  // What died in one of two has changed.
  const states = app.states.slice(0, pane || 1);
  const dead = (link) => states.every((state) => state && state[link] === 2);
  live.load.update(app.values[pane], dead, low, end, colourOf, app.quantityOf(pane));
}

function follow(app) {
  app.on((what) => {
    if (what === "choose") showAll(app);
    if (what === "level" || what === "controls" || what === "choose") $("controls").replaceChildren(...controls(app));
    if (what === "choose" || what === "level" || what === "resize" || what === "refresh") showLabels(app);
    if (what === "level") showNotice(app);
    if (what === "choose" || what === "level") showCrumbs(app);
    if (what === "refresh") {
      loadChart(app);
      showLegend(app);
      showPinned(app);
      showTip(app);
    }
    if (what === "refresh" || what === "choose") showTime(app);
    if (what === "hover") showTip(app, app.pointer);
    if (what === "pin") {
      showPinned(app);
      $("said").textContent = app.pinned >= 0 ? linkText(app, { link: app.pinned, pane: app.pinnedPane }) : "";
    }
  });
}

// Opens the plane of a block; B beside another machine stays whole: there, pins the block's busiest link.
function openBlock(app, { pane, block }) {
  const { scene, i } = app.sceneAt(pane);
  if (scene === app.scene) app.enter(scene.blockAt(block).plane);
  else app.pin(scene.panes[i].link[block], pane);
}

function watchPointer(app) {
  const canvas = $("canvas");
  let waiting = false;
  let pressed = null;
  canvas.addEventListener("pointermove", (event) => {
    app.pointer = { x: event.offsetX, y: event.offsetY };
    if (waiting || event.buttons) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      app.hover(app.at(app.pointer.x, app.pointer.y));
      canvas.style.cursor = app.hovered ? "pointer" : "grab";
    });
  });
  canvas.addEventListener("pointerleave", () => app.hover(null));
  canvas.addEventListener("pointerdown", (event) => (pressed = { x: event.offsetX, y: event.offsetY }));
  canvas.addEventListener("pointerup", (event) => {
    if (event.button || !pressed || Math.hypot(event.offsetX - pressed.x, event.offsetY - pressed.y) > 4) return;
    const item = app.at(event.offsetX, event.offsetY);
    if (item && item.block !== undefined) openBlock(app, item);
    else if (item && item.link !== undefined) app.pin(app.isPinned(item) ? -1 : item.link, item.pane);
    else if (!item) app.pin(-1);
  });
}

// The next of the busiest links, from what is pinned on.
function walk(app, by) {
  if (!app.first.links || !app.values.length) return;
  const order = app.busiestLinks();
  const at = order.indexOf(app.pinned);
  if (order.length) app.pin(order[at < 0 ? 0 : (at + by + order.length) % order.length], app.pinnedPane);
}

function setQuantity(app, index) {
  const name = Object.keys(QUANTITIES)[index];
  if (!app.first.links || !app.available[name]) return;
  app.choice.quantity = name;
  app.refresh();
  app.say("controls");
}

function act(app, key) {
  const deeds = {
    " ": () => play(app, !player.timer),
    ArrowRight: () => step(app, 1),
    ArrowLeft: () => step(app, -1),
    Home: () => app.setRow(-1),
    1: () => setQuantity(app, 0),
    2: () => setQuantity(app, 1),
    3: () => setQuantity(app, 2),
    n: () => walk(app, 1),
    p: () => walk(app, -1),
    "[": () => app.nextPlane(-1),
    "]": () => app.nextPlane(1),
    Enter: () => app.enter(),
    Escape: () => ($("keys").open ? $("keys").close() : app.back()),
    ShiftArrowRight: () => app.stage?.turn(0.1, 0),
    ShiftArrowLeft: () => app.stage?.turn(-0.1, 0),
    ShiftArrowUp: () => app.stage?.turn(0, 0.1),
    ShiftArrowDown: () => app.stage?.turn(0, -0.1),
    "+": () => app.stage?.zoom(0.85),
    "-": () => app.stage?.zoom(1.18),
    r: () => app.home(),
    t: () => $("theme").click(),
    "?": () => $("keys").showModal(),
  };
  if (!deeds[key]) return false;
  deeds[key]();
  return true;
}

async function start() {
  const app = new App(await readResults());
  app.open($("canvas"));
  window.weft = app; // for tests, and for whoever is curious
  follow(app);
  watchPointer(app);
  listen((key) => act(app, key));
  $("play").addEventListener("click", () => play(app, !player.timer));
  $("whole").addEventListener("click", () => app.setRow(-1));
  $("row").addEventListener("input", (event) => {
    const value = Number(event.target.value);
    const { from, to } = app.first.runs || {};
    if (app.jobs) app.setTime(from + (value / STEPS) * (to - from));
    else app.setRow(value);
  });
  $("keylist").append(keyList());
  $("help").addEventListener("click", () => $("keys").showModal());
  $("theme").addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    setTheme(app);
  });
  prefersDark.addEventListener("change", () => setTheme(app));
  setTheme(app);
  app.choose(0, app.b);
  document.documentElement.dataset.ready = "true";
}

start();
