// The canvas: one renderer, and panes side by side that turn together: all look through one camera, each
// from as far as its machine needs. It draws when something has changed, and allocates nothing per frame.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

const HOME = new THREE.Vector3(0.62, 0.5, 1).normalize();

// Smooth edges cost a graphics card nothing and software half of its time; who wants them all the same
// opens PAGE.html#smooth.
function smooth() {
  const gl = document.createElement("canvas").getContext("webgl2");
  const info = gl && gl.getExtension("WEBGL_debug_renderer_info");
  const name = info ? gl.getParameter(info.UNMASKED_RENDERER_WEBGL) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return location.hash === "#smooth" || !/swiftshader|llvmpipe|software/i.test(name);
}

// Columns and rows for some panes in a window of this aspect.
function arrangement(panes, aspect) {
  if (panes < 3) return panes === 2 && aspect < 0.9 ? [1, 2] : [panes, 1];
  return aspect > 2.4 ? [3, 1] : aspect < 0.6 ? [1, 3] : [2, 2];
}

export class Stage {
  constructor(canvas) {
    this.canvas = canvas;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: smooth(), preserveDrawingBuffer: true });
    this.renderer.setScissorTest(true);
    this.renderer.autoClear = false;
    this.camera = new THREE.PerspectiveCamera(32, 1, 0.05, 5000);
    this.lens = this.camera.clone(); // of the pane that is drawn or asked about
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.addEventListener("change", () => this.request());
    this.controls.addEventListener("start", () => (this.atHome = false));
    this.atHome = false; // nobody has turned or moved the camera since home()
    this.background = new THREE.Color(0, 0, 0);
    this.panes = []; // {scene, far, box: {x, y, width, height} in CSS pixels from the top left}
    this.materials = []; // with a uniform `viewport`
    this.pending = false;
    this.frames = 0;
    this.draw = this.draw.bind(this);
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
  }

  setPanes(scenes) {
    const before = this.panes;
    this.panes = scenes.map((scene, i) => ({ scene, far: before[i] ? before[i].far : 1, box: { x: 0, y: 0, width: 1, height: 1 } }));
    this.resize();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    if (!width || !height) return;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio || 1, 2));
    this.renderer.setSize(width, height, false);
    const [columns, rows] = arrangement(this.panes.length || 1, width / height);
    this.panes.forEach((pane, i) => {
      // The last of three is at the right below: the legend has the other corner.
      const cell = rows > 1 && columns > 1 && i === 2 ? 3 : i;
      pane.box.width = Math.floor(width / columns);
      pane.box.height = Math.floor(height / rows);
      pane.box.x = (cell % columns) * pane.box.width;
      pane.box.y = Math.floor(cell / columns) * pane.box.height;
    });
    const box = this.panes[0] ? this.panes[0].box : { width, height };
    this.camera.aspect = box.width / box.height;
    this.camera.updateProjectionMatrix();
    for (const material of this.materials) material.uniforms.viewport.value.set(box.width, box.height);
    this.onResize?.();
    this.request();
  }

  // Looks at the whole of each pane's machine, which is about the origin. `machines`: by pane, {size, outline}.
  home(machines) {
    const { size } = machines[0];
    const radius = Math.max(1, Math.hypot(...size) / 2);
    this.controls.target.set(0, 0, 0);
    // A flat thing is looked at from before it, a little from the side.
    const thin = size.indexOf(Math.min(...size));
    this.camera.position.copy(HOME);
    if (size[thin] < 0.2 * Math.max(...size)) this.camera.position.setComponent(thin, thin === 1 ? 1.6 : 2.4);
    this.camera.position.normalize();
    const distances = machines.map(({ outline }) => Math.max(2, this.distance(this.camera.position, outline)));
    this.camera.position.multiplyScalar(distances[0]);
    this.panes.forEach((pane, i) => (pane.far = distances[i] / distances[0]));
    this.camera.near = radius / 500;
    this.camera.far = radius * 40;
    this.controls.minDistance = Math.min(1.2, radius / 4);
    this.controls.maxDistance = radius * 12;
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.atHome = true;
    this.request();
  }

  // The camera of a pane: as the one that is turned, but nearer or farther.
  cameraOf({ far }) {
    const { camera, lens } = this;
    lens.position.copy(camera.position).multiplyScalar(far);
    lens.quaternion.copy(camera.quaternion);
    lens.aspect = camera.aspect;
    lens.near = camera.near * far;
    lens.far = camera.far * far;
    lens.updateProjectionMatrix();
    lens.updateMatrixWorld();
    return lens;
  }

  // How far away along a direction a camera sees all of an outline, with room at the edges for the names
  // of axes, which do not shrink.
  distance(direction, outline) {
    const { fov, aspect } = this.camera;
    const tall = Math.tan((fov * Math.PI) / 360);
    const right = new THREE.Vector3(0, 1, 0).cross(direction).normalize();
    const up = direction.clone().cross(right);
    const p = new THREE.Vector3();
    const wide = tall * aspect * (1 - 0.12 / Math.max(0.5, aspect));
    let far = 0;
    for (const points of outline)
      for (let i = 0; i < points.length; i += 3) {
        p.fromArray(points, i);
        far = Math.max(far, p.dot(direction) + Math.max(Math.abs(p.dot(right)) / wide, Math.abs(p.dot(up)) / (0.88 * tall)));
      }
    return far;
  }

  // Turns by angles, and comes nearer by a factor: for keys.
  turn(right, up) {
    const offset = this.camera.position.clone().sub(this.controls.target);
    const s = new THREE.Spherical().setFromVector3(offset);
    s.theta -= right;
    s.phi = Math.min(Math.PI - 0.05, Math.max(0.05, s.phi - up));
    this.camera.position.copy(this.controls.target).add(offset.setFromSpherical(s));
    this.atHome = false;
    this.controls.update();
  }

  zoom(factor) {
    this.camera.position.sub(this.controls.target).multiplyScalar(factor).add(this.controls.target);
    this.atHome = false;
    this.controls.update();
  }

  request() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(this.draw);
  }

  draw() {
    this.pending = false;
    const height = this.canvas.clientHeight;
    this.renderer.setScissor(0, 0, this.canvas.clientWidth, height);
    this.renderer.setClearColor(this.background);
    this.renderer.clear();
    for (const pane of this.panes) {
      const { scene, box } = pane;
      this.renderer.setViewport(box.x, height - box.y - box.height, box.width, box.height);
      this.renderer.setScissor(box.x, height - box.y - box.height, box.width, box.height);
      this.renderer.render(scene, this.cameraOf(pane));
    }
    this.frames++;
  }

  // The pane at a place of the canvas; -1: none.
  paneAt(x, y) {
    return this.panes.findIndex(({ box }) => x >= box.x && y >= box.y && x < box.x + box.width && y < box.y + box.height);
  }
}

// Frees what a scene holds. Meshes and points share the materials of Look, which stay; lines and the
// signs of axes have materials of their own.
export function disposeScene(scene) {
  scene.traverse((object) => {
    object.geometry?.dispose();
    if (!object.isLineSegments && !object.isSprite) return;
    object.material.map?.dispose();
    object.material.dispose();
  });
  scene.clear();
}

// The twelve edges of a box about a point.
export function frame(size, colour, centre = [0, 0, 0]) {
  const edges = new THREE.EdgesGeometry(new THREE.BoxGeometry(...size));
  const lines = new THREE.LineSegments(edges, new THREE.LineBasicMaterial({ color: colour, toneMapped: false }));
  lines.position.set(...centre);
  return lines;
}
