// Keys, and the list of them under "?".
import { make } from "./text.js";

const KEYS = [
  ["Space", "play or pause"],
  ["\u2190 \u2192", "earlier, later"],
  ["Home", "the whole run"],
  ["1 2 3", "utilisation, queue, blocked"],
  ["n p", "next, previous busiest link"],
  ["[ ]", "previous, next plane"],
  ["Enter", "open the chosen plane"],
  ["Esc", "back; unpin"],
  ["Shift + arrows", "turn the machine"],
  ["+ \u2212", "nearer, farther"],
  ["r", "show the whole machine"],
  ["t", "light or dark"],
  ["?", "this list"],
];

export function keyList() {
  return make("dl", {}, ...KEYS.flatMap(([key, what]) => [make("dt", {}, make("kbd", {}, key)), make("dd", {}, what)]));
}

// `act`: does what a key stands for, by its name; false: nothing.
export function listen(act) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const inField = event.target.closest?.("select, input, dialog[open]");
    const onButton = event.target.closest?.("button, summary, a");
    if (inField && event.key !== "Escape" && event.key !== "?") return;
    if (onButton && (event.key === " " || event.key === "Enter")) return;
    const name = event.shiftKey && event.key.startsWith("Arrow") ? `Shift${event.key}` : event.key;
    if (act(name) !== false) event.preventDefault();
  });
}
