// The state of the page, and what follows from it: which scene is shown, by which numbers.
import { Machine } from "./machine.js";
import { LinkScene } from "./linkscene.js";
import { PlaneScene } from "./planescene.js";
import { JobScene } from "./jobscene.js";
import { Clock } from "./clock.js";
import { Look } from "./look.js";
import { Stage, disposeScene } from "./stage.js";
import { fullest, sameLinks, starOf } from "./data.js";
import { QUANTITIES, available, fill, hide, keptOverTime, largest } from "./quantity.js";
import { count, roundUp } from "./text.js";

// Machines of more nodes are shown by their planes first.
const NODES_AT_ONCE = 4608;

// The least value of links that live, rounded down.
function lowest(values, state) {
  let least = 1;
  for (let l = 0; l < values.length; l++) if (values[l] < least && !(state && state[l] === 2)) least = values[l];
  return Math.floor(least * 100) / 100;
}

// States of links of two results at once: dead or bad in either.
function worst(a, b) {
  return a && b ? a.map((state, l) => Math.max(state, b[l])) : a || b;
}

// A direction without a name goes by its number.
const nameOf = (name, i) => name || String(i);

// How a machine is shown first.
function levelOf({ grid, links }) {
  if (!grid || !links.count || grid.nodes <= NODES_AT_ONCE) return { kind: "links" };
  return { kind: "planes", axis: grid.longest(), at: 0 };
}

export class App {
  constructor(results) {
    this.results = results;
    this.a = 0;
    this.b = results.length > 1 ? 1 : -1;
    this.choice = { quantity: "utilisation", row: -1, vc: -1 }; // row: of the slider
    this.scale = "busiest"; // or "full"
    this.least = 0;
    this.order = "busiest"; // or "nearest": what is in front
    this.blocks = "mean"; // or "busiest"
    this.comparable = false; // whether A and B have the same links
    this.hovered = null; // {pane, link | block | run}
    this.pinned = -1; // a link
    this.pinnedPane = 0;
    this.machines = new Map();
    this.listeners = [];
    this.time = NaN; // of jobs, seconds
  }

  // Without WebGL there is no stage, and all else works.
  open(canvas) {
    try {
      this.stage = new Stage(canvas);
    } catch {
      this.stage = null;
    }
    if (this.stage) {
      this.look = new Look();
      this.stage.materials = this.look.sized();
      this.stage.onResize = () => {
        if (this.stage.atHome) this.home();
        this.say("resize");
      };
    }
  }

  on(listener) {
    this.listeners.push(listener);
  }

  say(what) {
    for (const listener of this.listeners) listener(what);
  }

  get first() {
    return this.results[this.a];
  }

  get second() {
    return this.b >= 0 ? this.results[this.b] : null;
  }

  // Results that are on the page now.
  get shown() {
    return this.second ? [this.first, this.second] : [this.first];
  }

  get machine() {
    return this.first.links ? this.machineOf(this.first) : null;
  }

  // The machine of a pane: panes of results that can be compared are of A's.
  machineAt(pane) {
    return this.machineOf(pane === 1 && !this.comparable ? this.second : this.first);
  }

  machineOf(result) {
    if (!this.machines.has(result)) this.machines.set(result, new Machine(result));
    return this.machines.get(result);
  }

  // Quantities and channels that all results on the page have.
  get available() {
    const all = this.shown.filter((r) => r.links).map((r) => available(r.links));
    return Object.fromEntries(Object.keys(QUANTITIES).map((name) => [name, all.every((a) => a[name])]));
  }

  get channels() {
    const has = ({ links }) => links.vc_utilisation || links.queue;
    const columns = this.comparable ? this.shown : [this.first];
    return columns.every((r) => has(r) && r.links.vcs.join() === this.first.links.vcs.join()) ? this.first.links.vcs : [];
  }

  // Directions that links of either machine have.
  namesOfDirections() {
    const names = new Set();
    for (const { links } of this.shown) {
      if (!links) continue;
      const used = new Set(links.direction);
      links.directions.forEach((name, i) => used.has(i) && names.add(nameOf(name, i)));
    }
    return [...names];
  }

  // By direction of a machine: whether it is shown.
  shownDirections(links) {
    return links.directions.map((name, i) => this.directions[this.directionNames.indexOf(nameOf(name, i))]);
  }

  setTheme(dark) {
    if (!this.stage) return;
    this.look.set(dark);
    this.stage.background.set(this.look.background);
    if (this.level !== undefined) this.rebuild(false);
  }

  // Takes up two results, or one.
  choose(a, b) {
    this.a = a;
    this.b = b;
    this.comparable = Boolean(this.second && sameLinks(this.first.links, this.second.links));
    this.clock = new Clock(this.shown);
    this.pinned = -1;
    this.pinnedPane = this.comparable ? 2 : 0;
    this.hovered = null;
    this.choice.row = -1;
    this.choice.vc = -1;
    const links = this.first.links;
    this.directionNames = this.namesOfDirections();
    this.directions = this.directionNames.map(() => true);
    this.level = null;
    if (links && !this.available[this.choice.quantity]) this.choice.quantity = "utilisation";
    const machine = this.machine;
    if (machine) {
      this.level = levelOf(machine);
    } else if (this.first.runs) {
      this.level = { kind: "jobs" };
      const { from, to } = this.first.runs;
      if (!(this.time >= from && this.time <= to)) this.time = fullest(this.first.runs);
    }
    // By pane: values of links, and their states.
    this.values = this.shown.map((r) => new Float32Array(r.links ? r.links.count : 0));
    this.states = this.shown.map((r) => r.links && r.links.state);
    if (this.comparable) {
      this.values.push(new Float32Array(links.count));
      this.states.push(worst(...this.states));
    }
    this.rebuild(true);
    this.say("choose");
  }

  setLevel(level) {
    this.level = level;
    this.hovered = null;
    this.rebuild(true);
    this.say("level");
  }

  // The scenes that are on the stage.
  get scenes() {
    return [this.scene, this.other].filter(Boolean);
  }

  // Shows what has been chosen; on a stage, by new scenes. `home`: looks at all of it.
  rebuild(home) {
    if (this.stage) {
      for (const { panes } of this.scenes) for (const { scene } of panes) disposeScene(scene);
      this.scene = this.other = null;
      this.makeScenes();
      this.stage.setPanes(this.scenes.flatMap(({ panes }) => panes.map(({ scene }) => scene)));
      if (home) this.home();
    }
    this.refresh();
  }

  home() {
    if (this.scene) this.stage.home(this.scenes.flatMap((scene) => scene.panes.map(() => scene)));
  }

  makeScenes() {
    const { level, look } = this;
    if (!level) return;
    if (level.kind === "jobs") {
      this.scene = new JobScene(this.first.runs, look);
      return;
    }
    const panes = this.comparable ? [0, 1, 2] : [0];
    const partOf = this.first.partOf;
    if (level.kind === "planes") {
      this.scene = new PlaneScene(this.machine, panes, look, level, partOf);
      this.scene.choose(level.at);
    } else {
      this.scene = new LinkScene(this.machine, panes, look, { plane: level.kind === "plane" ? level : null, partOf, states: this.states });
    }
    if (this.second && !this.comparable && this.second.links) this.other = this.makeOther();
  }

  // Another machine beside it, whole; nothing can be subtracted.
  makeOther() {
    const machine = this.machineOf(this.second);
    const level = levelOf(machine);
    const { partOf } = this.second;
    if (level.kind === "links") return new LinkScene(machine, [1], this.look, { partOf, states: this.states });
    const scene = new PlaneScene(machine, [1], this.look, level, partOf);
    scene.panes[0].chosen.visible = false; // keys choose planes of A
    return scene;
  }

  // Whether who was where is shown, and not links.
  get jobs() {
    return this.level?.kind === "jobs";
  }

  // Labels of panes, in their order.
  labels() {
    if (!this.scene) return [];
    if (!this.second || this.jobs) return [this.first.name];
    const names = this.shown.map((r, i) => `${"AB"[i]}: ${r.name}${starOf([r])}`);
    if (this.rowsDiffer()) this.shown.forEach((r, i) => (names[i] += `, ${this.ownTime(r)}`));
    if (this.comparable) return [...names, "difference, B \u2212 A"];
    if (this.other instanceof PlaneScene && this.level.kind !== "planes") names[1] += ", by planes";
    if (this.choice.vc >= 0) names[1] += ", all channels";
    return names;
  }

  // Whether what is shown moves with the slider.
  get moves() {
    return this.shown.some(({ links }, i) => links && links.rows && keptOverTime(links, this.choiceOf(i)));
  }

  // Whether the two results are shown in different cycles now.
  rowsDiffer() {
    if (!this.second || this.choice.row < 0 || !this.moves) return false;
    const [a, b] = this.shown.map((r) => this.clock.cyclesOf(r, this.choice.row));
    return !(a && b && a[0] === b[0] && a[1] === b[1]);
  }

  // "cycles 2 000 to 3 000": what the row of a result spans.
  ownTime(r) {
    const span = this.clock.cyclesOf(r, this.choice.row);
    return span ? `cycles ${count(span[0])} to ${count(span[1])}${this.clock.hasEnded(r, this.choice.row) ? " (its last row)" : ""}` : "whole run";
  }

  // Ends of the scale of a pane.
  range(pane) {
    return pane === 2 ? [-this.change, this.change] : [this.low, this.most];
  }

  refresh() {
    if (this.jobs) {
      this.scene?.show(this.time);
    } else if (this.level) {
      this.compute();
      this.paint();
    }
    this.mark();
    this.say("refresh");
    this.stage?.request();
  }

  // What is shown of A or B: its own row, and a channel of B only where it has the same links.
  choiceOf(i) {
    const { quantity, row, vc } = this.choice;
    return { quantity, row: this.clock.rowOf(this.shown[i], row), vc: i && !this.comparable ? -1 : vc };
  }

  // "utilisation of D0": what a pane shows.
  quantityOf(pane) {
    const { name } = QUANTITIES[this.choice.quantity];
    const { vc } = this.choiceOf(pane === 1 ? 1 : 0);
    return `${pane === 2 ? "change of " : ""}${name}${vc < 0 ? "" : ` of ${this.first.links.vcs[vc]}`}`;
  }

  compute() {
    this.findBusiest();
    this.most = this.scale === "full" ? 1 : Math.min(1, this.scale === "spread" ? Math.ceil(this.busiest * 100 + 0.01) / 100 : roundUp(this.busiest || 0.01));
    const linked = [0, 1].filter((i) => this.shown[i] && this.shown[i].links);
    for (const i of linked) fill(this.shown[i].links, this.choiceOf(i), this.values[i]);
    this.low = this.scale === "spread" ? Math.min(this.most * 0.99, ...linked.map((i) => lowest(this.values[i], this.states[i]))) : 0;
    if (this.comparable) this.subtract();
    for (const i of linked) this.hide(this.shown[i].links, i);
  }

  subtract() {
    const [a, b, difference] = this.values;
    let change = 0;
    for (let l = 0; l < a.length; l++) {
      difference[l] = b[l] - a[l];
      change = Math.max(change, Math.abs(difference[l]));
    }
    this.change = roundUp(change || 0.01);
    this.hide(this.first.links, 2);
  }

  hide(links, pane) {
    hide(links, this.states[pane], this.shownDirections(links), this.least, this.values[pane]);
  }

  // The largest that panes of A and B show, over the whole run and all its rows, so that the scale
  // stays when time moves; and the largest of links, where panes show means of blocks.
  findBusiest() {
    const { choice } = this;
    const byMeans = this.scenes.map((scene) => scene instanceof PlaneScene && this.blocks === "mean");
    const key = [this.a, this.b, choice.quantity, choice.vc, ...this.scenes.map((scene, i) => (byMeans[i] ? scene.axis : ""))].join();
    if (key === this.scaleKey) return;
    this.scaleKey = key;
    this.busiest = this.busiestLink = 0;
    this.shown.forEach(({ links }, i) => {
      if (!links) return;
      const scene = i && !this.comparable ? 1 : 0;
      const most = largest(links, this.choiceOf(i));
      this.busiestLink = Math.max(this.busiestLink, most);
      this.busiest = Math.max(this.busiest, byMeans[scene] ? this.largestMean(i, this.scenes[scene]) : most);
    });
  }

  // Of the blocks of all planes.
  largestMean(i, scene) {
    const { links } = this.shown[i];
    let most = 0;
    for (let row = -1; row < (keptOverTime(links, this.choiceOf(i)) ? links.rows : 0); row++) {
      fill(links, { ...this.choiceOf(i), row }, this.values[i]);
      most = Math.max(most, scene.largestMean(this.values[i]));
    }
    return most;
  }

  paint() {
    let pane = 0;
    for (const scene of this.scenes)
      for (let i = 0; i < scene.panes.length; i++, pane++) scene.show(i, this.values[pane], ...this.range(pane), this.blocks === "busiest");
  }

  // The scene of a pane, and which of its panes that is.
  sceneAt(pane) {
    const own = this.scene.panes.length;
    return pane < own ? { scene: this.scene, i: pane } : { scene: this.other, i: pane - own };
  }

  mark() {
    const marked = [this.hovered, { pane: this.pinnedPane, link: this.pinned }].filter((item) => item && item.link >= 0);
    for (const scene of this.scenes) scene.mark(marked.filter(({ pane }) => this.sceneAt(pane).scene === scene).map(({ link }) => link));
    this.stage?.request();
  }

  // What is at a place of the canvas: {pane, link | block | run} or null.
  at(x, y) {
    const pane = this.stage ? this.stage.paneAt(x, y) : -1;
    if (pane < 0) return null;
    const { box } = this.stage.panes[pane];
    const { scene, i } = this.sceneAt(pane);
    const item = scene.at(i, this.stage.cameraOf(this.stage.panes[pane]), box, x - box.x, y - box.y);
    return item ? { pane, ...item } : null;
  }

  // The pointer is at something, or at nothing; a new picture only if that is new.
  hover(item) {
    const before = this.hovered;
    this.hovered = item;
    const same = item && before ? ["pane", "link", "block", "run"].every((key) => item[key] === before[key]) : item === before;
    if (!same) this.mark();
    this.say("hover");
  }

  // Pins a link of A, or of the pane that has it; -1: none.
  pin(link, pane = 0) {
    this.pinned = link;
    this.pinnedPane = this.comparable ? 2 : pane;
    this.mark();
    this.say("pin");
  }

  isPinned({ pane, link }) {
    return link === this.pinned && this.machineAt(pane) === this.machineAt(this.pinnedPane);
  }

  // Links from the busiest on, as they are shown now, of A or of the machine in which one is pinned: for keys.
  busiestLinks() {
    const values = this.values[this.pinnedPane];
    return Array.from(values.keys())
      .filter((l) => values[l] === values[l])
      .sort((p, q) => Math.abs(values[q]) - Math.abs(values[p]) || p - q);
  }

  setRow(row) {
    this.choice.row = Math.max(-1, Math.min(this.clock.rows - 1, row));
    this.refresh();
  }

  setTime(time) {
    this.time = time;
    this.refresh();
  }

  // One level in: from the machine to a plane.
  enter(plane) {
    if (this.level && this.level.kind === "planes") this.setLevel({ kind: "plane", axis: this.level.axis, at: plane ?? this.scene?.plane ?? this.level.at });
  }

  // One step back: what is pinned, then the plane.
  back() {
    if (this.pinned >= 0) this.pin(-1);
    else if (this.level && this.level.kind === "plane") this.setLevel({ kind: "planes", axis: this.level.axis, at: this.level.at });
  }

  // The plane beside it.
  nextPlane(step) {
    if (!this.level || !this.machine || !this.machine.grid) return;
    const planes = this.machine.grid.outer[this.level.axis];
    if (this.level.kind === "planes") {
      this.level.at = (this.level.at + step + planes) % planes;
      this.scene?.choose(this.level.at);
      this.stage?.request();
      this.say("level");
    } else if (this.level.kind === "plane") {
      this.level = { ...this.level, at: (this.level.at + step + planes) % planes };
      this.hovered = null;
      this.rebuild(false);
      this.say("level");
    }
  }
}
