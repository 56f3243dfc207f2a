// The state of the page, and what follows from it: which scene is shown, by which numbers.
import { Machine } from "./machine.js";
import { LinkScene } from "./linkscene.js";
import { PlaneScene } from "./planescene.js";
import { JobScene } from "./jobscene.js";
import { Look } from "./look.js";
import { Stage, disposeScene } from "./stage.js";
import { sameLinks } from "./data.js";
import { QUANTITIES, available, fill, hide, largest } from "./quantity.js";
import { roundUp } from "./text.js";

// Machines of more nodes are shown by their planes first.
export const NODES_AT_ONCE = 4608;

// The least value of links that live.
function lowest(values, state) {
  let least = 1;
  for (let l = 0; l < values.length; l++) if (values[l] < least && !(state && state[l] === 2)) least = values[l];
  return Math.floor(least * 100) / 100;
}

// A direction without a name goes by its number.
const nameOf = (name, i) => name || String(i);

// How a machine is shown first.
function levelOf({ grid, links }) {
  if (!grid || !links.count || grid.nodes <= NODES_AT_ONCE) return { kind: "links" };
  return { kind: "planes", axis: grid.outer.indexOf(Math.max(...grid.outer)), at: 0 };
}

export class App {
  constructor(results) {
    this.results = results;
    this.a = 0;
    this.b = results.length > 1 ? 1 : -1;
    this.choice = { quantity: "utilisation", row: -1, vc: -1 };
    this.scale = "busiest"; // or "full"
    this.least = 0;
    this.order = "busiest"; // or "nearest": what is in front
    this.blocks = "mean"; // or "busiest"
    this.comparable = false; // whether A and B have the same links
    this.hovered = null;
    this.pinned = -1;
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
      this.stage.onResize = () => this.say("resize");
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

  get rows() {
    return Math.max(0, ...this.shown.map((r) => (r.links ? r.links.rows : 0)));
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
    this.pinned = -1;
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
    }
    this.values = links ? [0, 1, 2].map(() => new Float32Array(links.count)) : [];
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
    if (this.scene) this.stage.home(this.scenes);
  }

  makeScenes() {
    const { level, look } = this;
    if (!level) return;
    if (level.kind === "jobs") {
      this.scene = new JobScene(this.first.runs, look);
      if (!(this.time >= this.scene.from && this.time <= this.scene.to)) this.time = this.scene.fullest();
      return;
    }
    const panes = this.comparable ? [0, 1, 2] : [0];
    const partOf = this.first.partOf;
    if (level.kind === "planes") {
      this.scene = new PlaneScene(this.machine, panes, look, level, partOf);
      this.scene.choose(level.at);
    } else {
      this.scene = new LinkScene(this.machine, panes, look, { plane: level.kind === "plane" ? level : null, partOf });
    }
    if (this.second && !this.comparable && this.second.links) this.other = this.makeOther();
  }

  // Another machine beside it, whole; nothing can be subtracted.
  makeOther() {
    const machine = this.machineOf(this.second);
    const level = levelOf(machine);
    const { partOf } = this.second;
    if (level.kind === "links") return new LinkScene(machine, [1], this.look, { partOf });
    const scene = new PlaneScene(machine, [1], this.look, level, partOf);
    scene.panes[0].chosen.visible = false; // keys choose planes of A
    return scene;
  }

  // Labels of panes, in their order.
  labels() {
    if (!this.scene) return [];
    if (!this.second || this.level.kind === "jobs") return [this.first.name];
    const names = [`A: ${this.first.name}${this.first.unsteady ? "*" : ""}`, `B: ${this.second.name}${this.second.unsteady ? "*" : ""}`];
    if (this.comparable) return [...names, "difference, B \u2212 A"];
    return this.other ? [names[0], this.other instanceof PlaneScene && this.level.kind !== "planes" ? `${names[1]}, by planes` : names[1]] : [names[0]];
  }

  // Ends of the scale of a pane.
  range(pane) {
    return pane === 2 ? [-this.change, this.change] : [this.low, this.most];
  }

  refresh() {
    if (this.level && this.level.kind === "jobs") {
      this.scene?.show(this.time);
    } else if (this.level) {
      this.compute();
      this.paint();
    }
    this.mark();
    this.say("refresh");
    this.stage?.request();
  }

  compute() {
    const { choice } = this;
    const means = this.level.kind === "planes" && this.blocks === "mean" && this.scene;
    const key = [this.a, this.b, choice.quantity, choice.vc, means ? this.level.axis : ""].join();
    if (key !== this.scaleKey) {
      this.scaleKey = key;
      const results = this.shown.filter((r) => r.links);
      this.busiestLink = Math.max(...results.map((r) => largest(r.links, choice)));
      this.busiest = means ? Math.max(...results.filter((r) => r.links.count === this.first.links.count).map((r) => this.largestMean(r.links))) : this.busiestLink;
    }
    this.most = this.scale === "full" ? 1 : Math.min(1, this.scale === "spread" ? Math.ceil(this.busiest * 100 + 0.01) / 100 : roundUp(this.busiest || 0.01));
    const [a, b, difference] = this.values;
    fill(this.first.links, choice, a);
    this.low = this.scale === "spread" ? Math.min(this.most * 0.99, lowest(a, this.first.links.state)) : 0;
    if (this.comparable) {
      fill(this.second.links, choice, b);
      let change = 0;
      for (let l = 0; l < a.length; l++) {
        difference[l] = b[l] - a[l];
        change = Math.max(change, Math.abs(difference[l]));
      }
      this.change = roundUp(change || 0.01);
      hide(this.first.links, this.shownDirections(this.first.links), this.least, difference);
      hide(this.second.links, this.shownDirections(this.second.links), this.least, b);
    }
    hide(this.first.links, this.shownDirections(this.first.links), this.least, a);
  }

  // Of the blocks of all planes, over the whole run and its rows.
  largestMean(links) {
    let most = 0;
    for (let row = -1; row < (this.choice.quantity === "utilisation" ? links.rows : 0); row++) {
      fill(links, { ...this.choice, row }, this.values[0]);
      most = Math.max(most, this.scene.largestMean(this.values[0]));
    }
    return most;
  }

  paint() {
    if (!this.scene) return;
    this.scene.panes.forEach((_, pane) => this.scene.show(pane, this.values[pane], ...this.range(pane), this.blocks === "busiest"));
    if (this.other) {
      const links = this.second.links;
      this.otherValues = this.otherValues && this.otherValues.length === links.count ? this.otherValues : new Float32Array(links.count);
      fill(links, { ...this.choice, vc: -1 }, this.otherValues);
      hide(links, this.shownDirections(links), this.least, this.otherValues);
      this.other.show(0, this.otherValues, this.low, this.most, this.blocks === "busiest");
    }
  }

  mark() {
    const links = [];
    if (this.hovered && this.hovered.link >= 0) links.push(this.hovered.link);
    if (this.pinned >= 0) links.push(this.pinned);
    this.scene?.mark(links);
    this.stage?.request();
  }

  // What is at a place of the canvas: {pane, link | block | run} or null.
  at(x, y) {
    const pane = this.stage ? this.stage.paneAt(x, y) : -1;
    if (pane < 0 || !this.scene || pane >= this.scene.panes.length) return null;
    const { box } = this.stage.panes[pane];
    const item = this.scene.at(pane, this.stage.camera, box, x - box.x, y - box.y);
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

  pin(link) {
    this.pinned = link;
    this.mark();
    this.say("pin");
  }

  // Links from the busiest on, as they are shown now: for keys.
  busiestLinks() {
    const values = this.values[this.comparable ? 2 : 0];
    return Array.from(values.keys())
      .filter((l) => values[l] === values[l])
      .sort((p, q) => Math.abs(values[q]) - Math.abs(values[p]) || p - q);
  }

  setRow(row) {
    const rows = this.rows;
    this.choice.row = Math.max(-1, Math.min(rows - 1, row));
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
