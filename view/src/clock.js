// The time of the slider. It moves all results on the page through the same time, each by rows of its
// own: in cycles, or where clocks differ in microseconds by the clock of each.

// Whether two numbers are the same but for rounding.
export const near = (a, b) => Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));

// Whether the cycles of all these results last as long.
export const sameClock = (results) => results.every((r) => near(r.secondsPerCycle, results[0].secondsPerCycle));

export class Clock {
  constructor(results) {
    const timed = results.filter((r) => r.timeline.length > 1 || (r.links && r.links.rows));
    this.inCycles = sameClock(timed);
    const rowed = results.filter((r) => r.links && r.links.rows);
    const intervals = rowed.map((r) => this.of(r, r.links.interval));
    this.step = Math.min(...intervals);
    // Rows of the slider: as fine as the finest, as long as the longest.
    this.rows = Math.max(0, ...rowed.map((r, i) => Math.ceil((r.links.rows * intervals[i]) / this.step - 1e-6)));
  }

  // The time of a result's cycle.
  of(r, cycle) {
    return this.inCycles ? cycle : 1e6 * cycle * r.secondsPerCycle;
  }

  // A result's own row at a row of the slider, and after its end its last; -1: the whole run.
  rowOf(r, row) {
    if (row < 0 || !r.links || !r.links.rows) return -1;
    return Math.min(r.links.rows - 1, this.rowAt(r, row));
  }

  // Whether a result has ended before a row of the slider.
  hasEnded(r, row) {
    return this.rowAt(r, row) >= r.links.rows;
  }

  rowAt(r, row) {
    return Math.floor(((row + 0.5) * this.step) / this.of(r, r.links.interval));
  }

  // First and last cycle of a result's own row at a row of the slider, or null.
  cyclesOf(r, row) {
    const own = this.rowOf(r, row);
    return own < 0 ? null : [own * r.links.interval, (own + 1) * r.links.interval];
  }
}
