// Results, with their packed arrays unpacked. `weft view` has checked all lengths and numbers.

const TYPES = { bool: Uint8Array, u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f32: Float32Array, i64: BigInt64Array };

async function unpack(text, type) {
  if (text == null) return null;
  const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new TYPES[type](await new Response(stream).arrayBuffer());
}

async function unpackAll(section, types) {
  const out = {};
  await Promise.all(
    Object.entries(types).map(async ([name, type]) => {
      out[name] = await unpack(section[name], type);
    }),
  );
  return out;
}

// A section that says what its columns are.
const unpackColumns = (section) => unpackAll(section, Object.fromEntries(Object.entries(section.columns).map(([name, column]) => [name, column.type])));

async function readLinks(section) {
  if (!section || typeof section !== "object") return null;
  const arrays = await unpackColumns(section);
  return {
    ...arrays,
    columns: section.columns,
    count: section.count,
    nodes: section.vertices,
    switches: section.switches || 0,
    hosts: section.switches ? section.vertices - section.switches : 0,
    dims: section.dims || null,
    wrap: section.wrap || null,
    directions: section.directions,
    vcs: section.vcs,
    rows: arrays.timeline ? section.rows || 0 : 0,
    interval: section.interval_cycles || 0,
  };
}

// Of a result that says nothing of links: nodes alone, where there are parts to show in them.
function nodesAlone({ config, part_of_node: of }) {
  const dims = of ? String((config.machine || {}).dims || "").split("x").map(Number) : [];
  if (!of || !dims.every((n) => n > 0) || dims.reduce((a, b) => a * b, 1) !== of.count) return null;
  const none = new Uint32Array(0);
  return {
    from: none,
    to: none,
    direction: new Uint8Array(0),
    utilisation: new Uint16Array(0),
    columns: { utilisation: { one: 65535 } },
    count: 0,
    nodes: of.count,
    switches: 0,
    hosts: 0,
    dims,
    wrap: dims.map(() => false),
    directions: [],
    vcs: [],
    rows: 0,
    interval: 0,
  };
}

async function readNodes(section) {
  if (!section || typeof section !== "object") return null;
  return unpackColumns(section);
}

// Who was where: times in seconds as ordinary numbers.
async function readRuns(section) {
  if (!section) return null;
  const arrays = await unpackAll(section, { job: "i64", start_seconds: "i64", end_seconds: "i64", at: "u16", size: "u16", lost: "u8", held: "u32" });
  const start = Float64Array.from(arrays.start_seconds, Number);
  const end = Float64Array.from(arrays.end_seconds, Number);
  const from = section.count ? start.reduce((a, b) => Math.min(a, b)) : 0;
  return {
    count: section.count,
    cells: section.cells,
    first: section.first_cell || [0, 0, 0], // the machine's coordinates of cell 0; older results count from there
    cellNodes: section.cell_nodes || 1,
    job: Float64Array.from(arrays.job, Number),
    start,
    end,
    from, // the first start, and the last end
    to: end.reduce((a, b) => Math.max(a, b), from + 1),
    order: Uint32Array.from(start.keys()).sort((a, b) => start[a] - start[b] || a - b), // by start
    at: arrays.at,
    size: arrays.size,
    lost: arrays.lost,
    held: arrays.held,
  };
}

// When most jobs run.
export function fullest({ order, start, end, from }) {
  const ends = Float64Array.from(end).sort();
  let ended = 0;
  let most = 0;
  let best = from;
  order.forEach((run, started) => {
    while (ends[ended] <= start[run]) ended++;
    if (started + 1 - ended > most) {
      most = started + 1 - ended;
      best = start[run];
    }
  });
  return best;
}

// When an open loop was measured; older results have only what was asked for.
function measured(result, workload) {
  const from = result.warmup_cycles ?? (workload.warmup_cycles || 0);
  return { from, to: from + (result.measured_cycles ?? (workload.cycles || 0)) };
}

async function read({ name, result }) {
  const workload = result.config.workload || {};
  const open = typeof result.offered_load === "number";
  return {
    name,
    json: result,
    machine: result.config.machine || {},
    workload,
    secondsPerCycle: result.cycles > 0 ? result.sim_seconds / result.cycles : 0,
    unsteady: result.steady === false,
    window: open ? measured(result, workload) : null,
    links: (await readLinks(result.each_link)) || nodesAlone(result),
    nodes: await readNodes(result.each_node),
    runs: await readRuns(result.jobs && result.jobs.runs),
    partOf: result.part_of_node ? await unpack(result.part_of_node.part, "u16") : null,
    parts: Object.values(result.parts || {}),
    timeline: Array.isArray(result.timeline) ? result.timeline : [],
    histogram: (result.response_cycles && result.response_cycles.histogram) || [],
  };
}

export function readResults() {
  return Promise.all(JSON.parse(document.getElementById("results").textContent).map(read));
}

// "bluegene-l 16x16x16: uniform"; a graph that has the machine's name says it once.
export function titleOf(r) {
  const size = r.machine.dims || r.machine.graph || (r.machine.nodes ? `${r.machine.nodes} nodes` : "");
  const load = r.json.offered_load > 0 ? `, load ${Number(r.json.offered_load.toPrecision(4))}` : "";
  const name = r.machine.name || "machine";
  return `${size.startsWith(`${name}:`) ? size : `${name} ${size}`}: ${r.workload.pattern || "run"}${load}`;
}

// What marks a figure that rests on these results.
export function starOf(results) {
  return results.some((r) => r.unsteady) ? "*" : "";
}

// Whether two results are of the same links, so that they can be subtracted.
export function sameLinks(a, b) {
  if (!a || !b || !a.count || a.count !== b.count || a.nodes !== b.nodes) return false;
  for (let i = 0; i < a.count; i++) if (a.from[i] !== b.from[i] || a.to[i] !== b.to[i] || a.direction[i] !== b.direction[i]) return false;
  return true;
}
