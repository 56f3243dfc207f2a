// What links are coloured by: numbers from 0 to 1 of each link, for a quantity, a row of the
// timeline and a virtual channel. Everything is written into arrays that the caller keeps.

export const QUANTITIES = {
  utilisation: { name: "utilisation", help: "share of time in which the link is busy" },
  queue: { name: "queue", help: "how full the buffers at the link's end are, on average" },
  blocked: { name: "blocked", help: "share of time in which a full-size packet would not fit there" },
};

export function available(links) {
  return { utilisation: true, queue: Boolean(links.queue), blocked: Boolean(links.blocked) };
}

// Whether what is chosen has rows: queues have none, and channels may have been too many.
export function keptOverTime(links, { quantity, vc }) {
  return quantity === "utilisation" && (vc < 0 || Boolean(links.vc_timeline));
}

// Where the numbers are: an array, the index of a link's first, the step to its next, how many, and the number that stands for 1.
function source(links, choice) {
  const { quantity, row, vc } = choice;
  const v = links.vcs.length;
  const of = (name, first, step, several = 1) => ({ array: links[name], first, step, several, full: links.columns[name].one });
  if (quantity !== "utilisation") return of(quantity, Math.max(vc, 0), v, vc < 0 ? v : 1);
  if (row >= 0 && row < links.rows && keptOverTime(links, choice)) {
    return vc >= 0 ? of("vc_timeline", row * links.count * v + vc, v) : of("timeline", row * links.count, 1);
  }
  return vc >= 0 ? of("vc_utilisation", vc, v) : of("utilisation", 0, 1);
}

export function fill(links, choice, values) {
  const { array, first, step, several, full } = source(links, choice);
  const scale = 1 / (full * several);
  for (let l = 0; l < links.count; l++) {
    let sum = 0;
    for (let i = 0, at = first + l * step; i < several; i++) sum += array[at + i];
    values[l] = sum * scale;
  }
}

// Of one link, whatever is chosen: for tables.
export function one(links, choice, link) {
  const { array, first, step, several, full } = source(links, choice);
  let sum = 0;
  for (let i = 0; i < several; i++) sum += array[first + link * step + i];
  return sum / (full * several);
}

// The largest value of a quantity over the whole run and all its rows.
export function largest(links, choice) {
  let most = 0;
  for (let row = -1; row < (keptOverTime(links, choice) ? links.rows : 0); row++) {
    const { array, first, step, several, full } = source(links, { ...choice, row });
    for (let l = 0; l < links.count; l++) {
      let sum = 0;
      for (let i = 0, at = first + l * step; i < several; i++) sum += array[at + i];
      if (sum > most * full * several) most = sum / (full * several);
    }
  }
  return most;
}

// Links that are hidden get NaN: those of directions that are off, and those below the least load.
export function hide(links, state, shown, least, values) {
  for (let l = 0; l < links.count; l++) {
    const dead = state && state[l] === 2;
    if (!shown[links.direction[l]] || (!dead && Math.abs(values[l]) < least)) values[l] = NaN;
  }
}
