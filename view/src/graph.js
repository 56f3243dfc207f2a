// Places for the vertices of any graph, the same every time. Rules that name their structure
// (dragonfly, fat tree, torus or HyperX of switches) are laid out by it; other graphs by forces, or on
// a ring that their links span.

const TURN = 2 * Math.PI;

// ---- parts of layouts ----

function onCircle(out, v, share, radius, y, lift = 0) {
  out[3 * v] = radius * Math.cos(TURN * share);
  out[3 * v + 1] = y + lift;
  out[3 * v + 2] = radius * Math.sin(TURN * share);
}

// Hosts around their switch, away from the centre. `attach`: [host]: its switch.
function placeHosts(out, hosts, attach, reach) {
  const many = new Map();
  for (let h = 0; h < hosts; h++) many.set(attach[h], (many.get(attach[h]) || 0) + 1);
  const next = new Map();
  for (let h = 0; h < hosts; h++) {
    const s = attach[h];
    const i = next.get(s) || 0;
    next.set(s, i + 1);
    const p = [out[3 * s], out[3 * s + 1], out[3 * s + 2]];
    const far = Math.hypot(p[0], p[2]) || 1;
    const outward = [p[0] / far, 0, p[2] / far];
    const sideways = [-outward[2], 0, outward[0]];
    const angle = (TURN * (i + 0.5)) / many.get(s);
    const spread = reach * 0.42;
    for (let c = 0; c < 3; c++) out[3 * h + c] = p[c] + reach * outward[c] + spread * (Math.cos(angle) * sideways[c] + (c === 1 ? Math.sin(angle) : 0));
  }
}

// The switch of each host, by the links.
function attachments(links) {
  const attach = new Uint32Array(links.hosts);
  for (let l = 0; l < links.count; l++) if (links.from[l] < links.hosts && links.to[l] >= links.hosts) attach[links.from[l]] = links.to[l];
  return attach;
}

// ---- known structures ----

// Groups on a great circle, the switches of each on a small one that faces outwards.
function dragonfly(links, groupSize) {
  const out = new Float32Array(3 * links.nodes);
  const groups = Math.ceil(links.switches / groupSize);
  const small = 1.3 + 0.14 * groupSize;
  const great = Math.max(4, (groups * (1.5 * small + 1.2)) / TURN);
  for (let s = 0; s < links.switches; s++) {
    const v = links.hosts + s;
    const share = Math.floor(s / groupSize) / groups;
    const angle = (TURN * (s % groupSize)) / groupSize;
    const radius = great + small * 0.35 * Math.cos(angle);
    onCircle(out, v, share, radius, small * Math.sin(angle));
    // The small circle is turned a little, so that it is seen from the side too.
    out[3 * v] += -Math.sin(TURN * share) * small * 0.75 * Math.cos(angle);
    out[3 * v + 2] += Math.cos(TURN * share) * small * 0.75 * Math.cos(angle);
  }
  placeHosts(out, links.hosts, attachments(links), 1.5);
  return out;
}

// Levels above each other, hosts at the bottom.
function levels(links, attach) {
  const out = new Float32Array(3 * links.nodes);
  const level = new Int32Array(links.nodes).fill(-1);
  for (const s of attach) level[s] = 0;
  for (let now = 0, more = true; more; now++) {
    more = false;
    for (let l = 0; l < links.count; l++)
      if (level[links.from[l]] === now && links.to[l] >= links.hosts && level[links.to[l]] < 0) {
        level[links.to[l]] = now + 1;
        more = true;
      }
  }
  const members = new Map();
  for (let v = links.hosts; v < links.nodes; v++) members.set(level[v], [...(members.get(level[v]) || []), v]);
  const widest = Math.max(...[...members.values()].map((list) => list.length));
  const radius = Math.max(4, (widest * 1.1) / TURN);
  for (const [height, list] of members) list.forEach((v, i) => onCircle(out, v, (i + 0.5) / list.length, radius, Math.max(0, height) * radius * 0.55));
  placeHosts(out, links.hosts, attach, radius * 0.12);
  for (let h = 0; h < links.hosts; h++) out[3 * h + 1] -= radius * 0.12;
  return out;
}

// Switches on a grid, their hosts beside them.
function switchGrid(links, dims) {
  const out = new Float32Array(3 * links.nodes);
  const unit = 3;
  for (let s = 0; s < links.switches; s++) {
    let rest = s;
    dims.forEach((size, d) => {
      const c = rest % size;
      rest = Math.floor(rest / size);
      const scale = d < 3 ? unit * (dims.length > 3 ? (dims[d % 3 + 3] || 1) : 1) : unit * 0.55;
      out[3 * (links.hosts + s) + (d % 3)] += (c - (size - 1) / 2) * scale;
    });
  }
  placeHosts(out, links.hosts, attachments(links), 0.8);
  return out;
}

// All vertices by number on a ring that waves up and down: links of rules such as i -> d*i + k span
// smooth surfaces within it.
export function ring(links) {
  const out = new Float32Array(3 * links.nodes);
  const first = links.hosts;
  const many = links.nodes - first;
  const radius = Math.max(4, Math.sqrt(many) * 0.9);
  for (let i = 0; i < many; i++) onCircle(out, first + i, i / many, radius, 0.16 * radius * Math.sin((2 * TURN * i) / many));
  if (first) placeHosts(out, first, attachments(links), radius * 0.1);
  return out;
}

// ---- forces ----

// Where the first guess of a vertex is: evenly on a sphere, in the order of a breadth-first walk.
function sphereStart(n, order) {
  const out = new Float32Array(3 * n);
  for (let i = 0; i < n; i++) {
    const y = 1 - (2 * (i + 0.5)) / n;
    const r = Math.sqrt(1 - y * y);
    const turn = i * Math.PI * (3 - Math.sqrt(5));
    out.set([r * Math.cos(turn), y, r * Math.sin(turn)], 3 * order[i]);
  }
  return out;
}

function walkOrder(n, edges) {
  const next = Array.from({ length: n }, () => []);
  for (let e = 0; e < edges.length; e += 2) {
    next[edges[e]].push(edges[e + 1]);
    next[edges[e + 1]].push(edges[e]);
  }
  const seen = new Uint8Array(n);
  const order = [];
  for (let s = 0; s < n; s++) {
    if (seen[s]) continue;
    seen[s] = 1;
    const queue = [s];
    for (let i = 0; i < queue.length; i++) {
      order.push(queue[i]);
      for (const v of next[queue[i]])
        if (!seen[v]) {
          seen[v] = 1;
          queue.push(v);
        }
    }
  }
  return order;
}

// Links pull, all vertices push each other apart (Fruchterman and Reingold 1991); each is pushed by
// at most 400 others, evenly chosen, so that large graphs take no longer than a second or two.
function forces(n, edges, rounds) {
  const p = sphereStart(n, walkOrder(n, edges));
  const size = Math.cbrt(n);
  for (let i = 0; i < 3 * n; i++) p[i] *= size;
  const f = new Float32Array(3 * n);
  const stride = Math.max(1, Math.floor(n / 400));
  for (let round = 0; round < rounds; round++) {
    f.fill(0);
    for (let i = 0; i < n; i++)
      for (let j = (i + round) % stride; j < n; j += stride) {
        const x = p[3 * i] - p[3 * j];
        const y = p[3 * i + 1] - p[3 * j + 1];
        const z = p[3 * i + 2] - p[3 * j + 2];
        const push = stride / (x * x + y * y + z * z + 0.05);
        f[3 * i] += x * push;
        f[3 * i + 1] += y * push;
        f[3 * i + 2] += z * push;
      }
    for (let e = 0; e < edges.length; e += 2)
      for (let c = 0; c < 3; c++) {
        const pull = (p[3 * edges[e] + c] - p[3 * edges[e + 1] + c]) * 0.9;
        f[3 * edges[e] + c] -= pull;
        f[3 * edges[e + 1] + c] += pull;
      }
    const most = 0.3 * size * (1 - round / rounds) ** 2 + 0.005;
    for (let i = 0; i < n; i++) {
      const length = Math.hypot(f[3 * i], f[3 * i + 1], f[3 * i + 2]) || 1;
      const step = Math.min(most, 0.04 * length) / length;
      for (let c = 0; c < 3; c++) p[3 * i + c] += step * f[3 * i + c];
    }
  }
  return rounded(p, n);
}

// As wide along each axis: which way a graph leans is an accident of the first guess.
function rounded(p, n) {
  for (let c = 0; c < 3; c++) {
    let mean = 0;
    let square = 0;
    for (let i = 0; i < n; i++) mean += p[3 * i + c] / n;
    for (let i = 0; i < n; i++) square += (p[3 * i + c] - mean) ** 2 / n;
    const scale = Math.cbrt(n) / Math.sqrt(square || 1);
    for (let i = 0; i < n; i++) p[3 * i + c] = (p[3 * i + c] - mean) * scale;
  }
  return p;
}

export function byForces(links) {
  const first = links.hosts;
  const n = links.nodes - first;
  const edges = [];
  for (let l = 0; l < links.count; l++) if (links.from[l] >= first && links.to[l] >= first) edges.push(links.from[l] - first, links.to[l] - first);
  const inner = forces(n, edges, n > 3000 ? 60 : 200);
  const out = new Float32Array(3 * links.nodes);
  out.set(inner, 3 * first);
  if (first) placeHosts(out, first, attachments(links), 0.8);
  return out;
}

// ---- the choice ----

// What can be chosen for a graph, the best first: {name: function}.
export function layouts(links, rule = "") {
  const [kind, ...sizes] = String(rule).split(":");
  const numbers = sizes.map(Number);
  const attach = links.hosts ? attachments(links) : [];
  const out = {};
  if (links.hosts && kind === "dragonfly" && links.switches % numbers[1] === 0) out.groups = () => dragonfly(links, numbers[1]);
  const dims = (sizes[0] || "").split("x").map(Number);
  const grid = dims.every((n) => n > 0) && dims.reduce((a, b) => a * b, 1) === links.switches;
  if (links.hosts && (kind === "torus" || kind === "hyperx") && grid) out.grid = () => switchGrid(links, dims);
  if (links.hosts && new Set(attach).size < links.switches) out.levels = () => levels(links, attach);
  out.forces = () => byForces(links);
  out.ring = () => ring(links);
  return out;
}
