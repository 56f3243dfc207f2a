// Machines with coordinates: tori, meshes, and Tofu's grid of groups. The first three dimensions are
// the axes of space; those beyond make a small grid within each point, one dimension per axis again.

const AXES = 3;

export class Grid {
  // `first`: the vertex that has the first coordinates; those before it are hosts.
  constructor(dims, wrap, names, first = 0) {
    this.first = first;
    this.dims = dims;
    this.wrap = wrap;
    this.names = names;
    this.nodes = dims.reduce((product, size) => product * size, 1);
    this.strides = [];
    for (let d = 0, stride = 1; d < dims.length; stride *= dims[d++]) this.strides.push(stride);
    this.outer = [0, 1, 2].map((axis) => dims[axis] || 1);
    this.inner = [0, 1, 2].map((axis) => dims[axis + AXES] || 1);
    this.nested = dims.length > AXES;
    this.step = this.inner.map((size) => (size > 1 ? size - 1 + 2.3 : this.nested ? 2 : 1));
    this.shear = this.nested ? 0.15 : 0;
  }

  coordinate(node, d) {
    return d < this.dims.length ? Math.floor((node - this.first) / this.strides[d]) % this.dims[d] : 0;
  }

  // Whole units of space; the machine is about the origin.
  place(node, out, at) {
    const a = [0, 1, 2].map((axis) => this.coordinate(node, axis + AXES));
    for (let axis = 0; axis < AXES; axis++) {
      const centre = ((this.outer[axis] - 1) * this.step[axis] + this.inner[axis] - 1) / 2;
      // Lines of nodes of one group must not hide each other.
      const aside = this.shear * (a[(axis + 1) % 3] - a[(axis + 2) % 3]);
      out[at + axis] = this.coordinate(node, axis) * this.step[axis] + a[axis] + aside - centre;
    }
  }

  size() {
    return this.outer.map((n, axis) => (n - 1) * this.step[axis] + this.inner[axis]);
  }

  text(node) {
    return `(${this.dims.map((_, d) => this.coordinate(node, d)).join(",")})`;
  }

  // The axis of space along which it has most nodes, or groups.
  longest() {
    return this.outer.indexOf(Math.max(...this.outer));
  }

  // The dimension of a link and whether it goes round the end of its ring.
  hop(from, to, direction) {
    for (let d = 0; d < this.dims.length; d++) {
      const delta = this.coordinate(to, d) - this.coordinate(from, d);
      if (!delta) continue;
      const named = direction.endsWith("+") ? 1 : direction.endsWith("-") ? -1 : 0;
      const round = named ? delta !== named : this.wrap[d] && this.dims[d] > 2 && Math.abs(delta) === this.dims[d] - 1;
      return { d, sign: named || (round ? -Math.sign(delta) : Math.sign(delta)), round };
    }
    return { d: 0, sign: 1, round: false };
  }
}

// Names of dimensions: x y z, then a b c as Tofu has them.
export function dimensionNames(count) {
  return ["x", "y", "z", "a", "b", "c", "d", "e"].slice(0, count);
}
