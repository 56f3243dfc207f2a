// Controls: what is shown, and how.
import { QUANTITIES } from "./quantity.js";
import { make } from "./text.js";

let number = 0;

function field(label, control, help) {
  control.id ||= `control${number++}`;
  return make("div", { class: "field", title: help }, make("label", { for: control.id }, label), control);
}

function select(options, value, onChange, id) {
  return make("select", { id, onchange: (event) => onChange(event.target.value) }, ...options.map(([key, text, disabled]) => make("option", { value: key, selected: String(key) === String(value), disabled }, text)));
}

// Which two results, if there are more.
export function resultPickers(app) {
  if (app.results.length < 2) return [];
  const options = app.results.map((r, i) => [i, r.name]);
  return [
    field("A", select(options, app.a, (v) => app.choose(Number(v), app.b === Number(v) ? -1 : app.b), "pick-a")),
    field("B", select([[-1, "none"], ...options], app.b, (v) => app.choose(app.a, Number(v) === app.a ? -1 : Number(v)), "pick-b")),
  ];
}

function quantityFields(app) {
  const there = app.available;
  const options = Object.entries(QUANTITIES).map(([key, { name }]) => [key, there[key] ? name : `${name} (needs run.detail)`, !there[key]]);
  const change = (key, convert = (v) => v) => (value) => {
    app.choice[key] = convert(value);
    app.refresh();
    app.say("controls");
  };
  const vcs = app.channels;
  const out = [field("Colour by", select(options, app.choice.quantity, change("quantity"), "quantity"), QUANTITIES[app.choice.quantity].help)];
  out.push(field("Channel", select([[-1, vcs.length ? "all" : "all (needs run.detail)"], ...vcs.map((name, i) => [i, name])], app.choice.vc, change("vc", Number), "vc")));
  out.push(
    field(
      "Scale",
      select([["busiest", "0 to the maximum"], ["full", "0 to 100\u2009%"], ["spread", "least to busiest link"]], app.scale, (v) => {
        app.scale = v;
        app.refresh();
      }, "scale"),
    ),
  );
  return out;
}

// A button per direction, and one per dimension that switches all of its directions.
function directionField(app) {
  const buttons = [];
  const dimensions = new Map();
  const names = app.directionNames;
  names.forEach((name, i) => {
    const dimension = name.replace(/[+-]$/, "");
    dimensions.set(dimension, [...(dimensions.get(dimension) || []), i]);
  });
  const update = () => {
    for (const { button, members } of buttons) button.setAttribute("aria-pressed", members.every((i) => app.directions[i]));
    app.refresh();
  };
  const add = (text, members, className, help) => {
    const button = make("button", { type: "button", class: className, "aria-pressed": members.every((i) => app.directions[i]), title: help, "data-direction": text }, text);
    button.addEventListener("click", (event) => {
      const only = event.shiftKey;
      const on = only || !members.every((i) => app.directions[i]);
      if (only) app.directions.fill(false);
      for (const i of members) app.directions[i] = on;
      update();
    });
    buttons.push({ button, members });
    return button;
  };
  if (names.length > 16) {
    const box = make("div", { class: "toggles" }, ...names.map((name, i) => add(name, [i], "one")));
    return make("fieldset", {}, make("legend", {}, "Directions"), box);
  }
  const rows = [];
  for (const [dimension, members] of dimensions) {
    const own = members.map((i) => add(names[i], [i], "one", "shift-click: only this"));
    rows.push(make("div", { class: "toggles" }, ...(members.length > 1 ? [add(dimension, members, "whole", "all of its directions; shift-click: only these")] : []), ...own));
  }
  return make("fieldset", {}, make("legend", {}, "Directions"), ...rows);
}

function orderField(app) {
  const options = [["busiest", "the busiest"], ["nearest", "the nearest"]];
  return field(
    "In front",
    select(options, app.order, (v) => {
      app.order = v;
      app.look?.setSpatial(v === "nearest");
      app.stage?.request();
    }, "order"),
    "the busiest links show through all others, or the nearest hide what is behind them",
  );
}

function leastField(app) {
  const output = make("output", {}, `${Math.round(app.least * 100)}\u2009%`);
  const slider = make("input", { type: "range", min: 0, max: 100, value: Math.round(app.least * 100), id: "least" });
  slider.addEventListener("input", () => {
    app.least = slider.value / 100;
    output.textContent = `${slider.value}\u2009%`;
    app.refresh();
  });
  const box = field("At least", slider, "hides links with less load; in the difference, links that change less");
  box.append(output);
  return box;
}

// Where one is in a large machine, and which way it is cut.
function levelFields(app) {
  const { level, machine } = app;
  if (!machine) return [];
  if (!machine.grid) {
    const names = Object.keys(machine.layouts);
    return [
      field(
        "Layout",
        select(names.map((name) => [name, name]), machine.layout, (name) => {
          machine.arrange(name);
          app.rebuild(true);
        }, "layout"),
      ),
    ];
  }
  const outer = machine.grid.outer;
  const axes = [0, 1, 2].filter((axis) => outer[axis] > 1);
  if (!axes.length) return [];
  const large = machine.links.nodes > 60000;
  const out = [
    field(
      "Show",
      select([["links", large ? "all links (slow)" : "all links"], ["planes", "planes"], ["plane", "one plane"]], level.kind, (kind) => {
        app.setLevel(kind === "links" ? { kind } : { kind, axis: level.axis ?? machine.grid.longest(), at: level.at ?? 0 });
      }, "level"),
    ),
  ];
  if (level.kind === "links") return out;
  out.push(field("Planes of", select(axes.map((axis) => [axis, `${machine.grid.names[axis]} (${outer[axis]})`]), level.axis, (axis) => app.setLevel({ ...level, axis: Number(axis), at: 0 }), "axis")));
  if (level.kind === "planes")
    out.push(
      field(
        "Blocks by",
        select([["mean", "mean of their links"], ["busiest", "their busiest link"]], app.blocks, (v) => {
          app.blocks = v;
          app.refresh();
        }, "blocks"),
      ),
    );
  return out;
}

export function controls(app) {
  const links = app.first.links;
  const out = [];
  if (links) out.push(...quantityFields(app), ...levelFields(app), orderField(app), leastField(app), directionField(app));
  return out;
}
