// Places for the vertices of any graph, the same every time. Rules that name their structure
// (dragonfly, fat tree, Kautz graph) are laid out by it; other graphs by forces, or on a ring that their
// links span.

const TURN = 2 * Math.PI;

// ---- parts of layouts ----

function onCircle(out, v, share, radius, y) {
  out[3 * v] = radius * Math.cos(TURN * share);
  out[3 * v + 1] = y;
  out[3 * v + 2] = radius * Math.sin(TURN * share);
}

// The switch of each host; 0: nothing says so, as in results that are older than this array.
export function attachments(links) {
  if (links.switch_of_host) return links.switch_of_host;
  const attach = new Uint32Array(links.hosts);
  for (let l = 0; l < links.count; l++) if (links.from[l] < links.hosts && links.to[l] >= links.hosts) attach[links.from[l]] = links.to[l];
  return attach;
}

// Hosts around their switch, away from the centre.
export function placeHosts(out, links, reach) {
  const attach = attachments(links);
  const many = new Map();
  const next = new Map();
  for (const s of attach) many.set(s, (many.get(s) || 0) + 1);
  attach.forEach((s, h) => {
    if (!s) return;
    const i = next.get(s) || 0;
    next.set(s, i + 1);
    const p = [out[3 * s], out[3 * s + 1], out[3 * s + 2]];
    const far = Math.hypot(p[0], p[2]) || 1;
    const outward = [p[0] / far, 0, p[2] / far];
    const sideways = [-outward[2], 0, outward[0]];
    const angle = (TURN * (i + 0.5)) / many.get(s);
    const spread = reach * 0.42;
    for (let c = 0; c < 3; c++) out[3 * h + c] = p[c] + reach * outward[c] + spread * (Math.cos(angle) * sideways[c] + (c === 1 ? Math.sin(angle) : 0));
  });
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
  placeHosts(out, links, 1.5);
  return out;
}

// How many switches each level of a fat tree has, from the leaves up.
function levelSizes(radix, levels) {
  const whole = 2 * (radix / 2) ** (levels - 1);
  return Array.from({ length: levels }, (_, level) => (level === levels - 1 ? whole / 2 : whole));
}

// Levels above each other, leaves at the bottom.
function fatTree(links, sizes) {
  const out = new Float32Array(3 * links.nodes);
  const radius = Math.max(4, (Math.max(...sizes) * 0.6) / TURN);
  let v = links.hosts;
  sizes.forEach((size, level) => {
    for (let i = 0; i < size; i++, v++) onCircle(out, v, (i + 0.5) / size, radius * (1 - 0.22 * level), level * radius * 0.75);
  });
  placeHosts(out, links, radius * 0.12);
  return out;
}

const BLOCKS = 48; // on a ring, at most

// A Kautz graph in the numbering of Imase and Itoh, in which words that begin alike are consecutive: they
// are a small cube, and cubes are on a ring. A link drops the first letter of a word and appends one, so
// that all links of a cube lead to as many others as the graph has degree, in bundles.
function kautz(links, degree) {
  const out = new Float32Array(3 * links.nodes);
  let cubes = degree + 1;
  while (cubes * degree <= Math.min(BLOCKS, links.nodes)) cubes *= degree;
  const many = links.nodes / cubes;
  const sides = [1, 1, 1]; // away from the centre, up, along the ring
  for (let all = 1, axis = 0; all < many; all *= degree, axis = (axis + 1) % 3) sides[axis] *= degree;
  const radius = (cubes * 5) / TURN;
  const apart = 1 / Math.max(...sides);
  for (let v = 0; v < links.nodes; v++) {
    const at = inCube(v % many, sides, degree).map((place, axis) => (place - (sides[axis] - 1) / 2) * apart);
    const share = Math.floor(v / many) / cubes;
    onCircle(out, v, share, radius + at[0], at[1]);
    out[3 * v] -= at[2] * Math.sin(TURN * share);
    out[3 * v + 2] += at[2] * Math.cos(TURN * share);
  }
  return out;
}

// The digits of a number, from the first on, dealt out to the axes of a cube.
function inCube(number, sides, degree) {
  const at = [0, 0, 0];
  let unit = sides[0] * sides[1] * sides[2];
  for (let axis = 0; unit > 1; axis = (axis + 1) % 3) {
    unit /= degree;
    at[axis] = at[axis] * degree + (Math.floor(number / unit) % degree);
  }
  return at;
}

// All vertices by number on a ring that waves up and down: links of rules such as i -> d*i + k span
// smooth surfaces within it.
function ring(links) {
  const out = new Float32Array(3 * links.nodes);
  const first = links.hosts;
  const many = links.nodes - first;
  const radius = Math.max(4, Math.sqrt(many) * 0.9);
  for (let i = 0; i < many; i++) onCircle(out, first + i, i / many, radius, 0.16 * radius * Math.sin((2 * TURN * i) / many));
  if (first) placeHosts(out, links, radius * 0.1);
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

function byForces(links) {
  const first = links.hosts;
  const n = links.nodes - first;
  const edges = [];
  for (let l = 0; l < links.count; l++) if (links.from[l] >= first && links.to[l] >= first) edges.push(links.from[l] - first, links.to[l] - first);
  const inner = forces(n, edges, n > 3000 ? 60 : 200);
  const out = new Float32Array(3 * links.nodes);
  out.set(inner, 3 * first);
  if (first) placeHosts(out, links, 0.8);
  return out;
}

// ---- the choice ----

// What can be chosen for a graph, the best first: {name: function}.
export function layouts(links, rule = "") {
  const [kind, ...rest] = String(rule).split(":");
  const numbers = rest.map(Number);
  const out = {};
  if (kind === "kautz" && numbers[0] > 1 && links.nodes === (numbers[0] + 1) * numbers[0] ** (numbers[1] - 1)) out.words = () => kautz(links, numbers[0]);
  if (kind === "dragonfly" && links.switches % numbers[1] === 0) out.groups = () => dragonfly(links, numbers[1]);
  const sizes = kind === "fattree" && numbers[1] > 1 ? levelSizes(...numbers) : [];
  if (sizes.length && sizes.reduce((a, b) => a + b, 0) === links.switches) out.levels = () => fatTree(links, sizes);
  out.forces = () => byForces(links);
  out.ring = () => ring(links);
  return out;
}
