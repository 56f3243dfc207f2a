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

// Where the numbers are: an array, the index of a link's first, the step to its next, how many.
function source(links, choice) {
  const { quantity, row, vc } = choice;
  const v = links.vcs.length;
  if (quantity !== "utilisation") return { array: links[quantity], first: Math.max(vc, 0), step: v, several: vc < 0 ? v : 1, full: 65535 };
  if (row >= 0 && row < links.rows && keptOverTime(links, choice)) {
    if (vc >= 0) return { array: links.vc_timeline, first: row * links.count * v + vc, step: v, several: 1, full: 255 };
    return { array: links.timeline, first: row * links.count, step: 1, several: 1, full: 255 };
  }
  if (vc >= 0) return { array: links.vc_utilisation, first: vc, step: v, several: 1, full: 65535 };
  return { array: links.utilisation, first: 0, step: 1, several: 1, full: 65535 };
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
