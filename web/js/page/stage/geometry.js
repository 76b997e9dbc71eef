/** The places of the nodes around the Lease. Pure: the same count and size give the same places. */

/** @typedef {{x: number, y: number}} Point */
/**
 * @typedef {object} StageGeometry
 * @property {number} width
 * @property {number} height
 * @property {number} r radius of a node's ring
 * @property {Point} server center of the Lease box
 * @property {number} boxW
 * @property {number} boxH
 * @property {Point[]} nodes
 * @property {('below'|'right')[]} labels where the words of a node go
 * @property {number} labelWidth
 */

/** Above this many nodes a table of cells says more than a ring. */
const RING_MOST = 8;

/** Whether a ring of n nodes leaves room for their words. @param {number} n @param {number} width */
export function fitsRing(n, width) {
  return n <= 3 || n <= Math.min(RING_MOST, Math.floor(width / 32));
}

/**
 * @param {number} n as many as fitsRing allows
 * @param {number} width @param {number} height @returns {StageGeometry}
 */
export function stageGeometry(n, width, height) {
  const boxW = Math.min(112, width * 0.44);
  const boxH = height < 260 ? 54 : 62;
  if (n <= 3) return placeThree(n, { width, height, boxW, boxH });
  const r = n <= 5 ? 22 : 18;
  // The words of a node need room below it, and half their width on both sides.
  const words = 34;
  const rx = Math.max(60, width / 2 - Math.max(r + 6, 36));
  const ry = Math.max(70, Math.min(height, 420) / 2 - r - words / 2 - 10);
  const server = { x: width / 2, y: ry + r + 12 };
  const nodes = Array.from({ length: n }, (_, i) => {
    const a = -Math.PI / 2 + (i * 2 * Math.PI) / n;
    return { x: server.x + rx * Math.cos(a), y: server.y + ry * Math.sin(a) };
  });
  return {
    width,
    height,
    r,
    server,
    boxW: Math.min(boxW, 84),
    boxH: 54,
    nodes,
    labels: nodes.map(() => 'below'),
    labelWidth: width / 3,
  };
}

/**
 * The first picture: one node above, two below.
 * @param {number} n @param {{width: number, height: number, boxW: number, boxH: number}} size
 * @returns {StageGeometry}
 */
function placeThree(n, { width, height, boxW, boxH }) {
  const r = Math.min(33, width * 0.13);
  const usable = Math.min(Math.max(height, 236), 340);
  const top = { x: width / 2, y: r + 26 };
  const low = usable - r - (width < 280 ? 64 : 48); // there the words take two lines
  const side = Math.max(r + 10, width * 0.23);
  const places = [top, { x: width - side, y: low }, { x: side, y: low }];
  return {
    width,
    height,
    r,
    server: { x: width / 2, y: (top.y + low) / 2 + 6 },
    boxW,
    boxH,
    nodes: places.slice(0, n),
    labels: /** @type {('below'|'right')[]} */ (['right', 'below', 'below']).slice(0, n),
    labelWidth: 2 * side - 8,
  };
}

/**
 * The visible part of a link: from the node's ring to the box's border.
 * @param {StageGeometry} g @param {number} i @returns {{from: Point, to: Point}}
 */
export function link(g, i) {
  const p = g.nodes[i];
  const dx = g.server.x - p.x;
  const dy = g.server.y - p.y;
  const length = Math.hypot(dx, dy) || 1;
  const start = (g.r + 4) / length;
  // The straight line leaves the box at the nearer of the two walls it meets.
  const end = 1 - Math.min(g.boxW / 2 / Math.max(1e-6, Math.abs(dx)), g.boxH / 2 / Math.max(1e-6, Math.abs(dy)));
  const at = (/** @type {number} */ k) => ({ x: p.x + dx * k, y: p.y + dy * k });
  return { from: at(start), to: at(Math.max(start, end)) };
}

/**
 * An arc from twelve o'clock, clockwise, as an SVG path.
 * @param {number} cx @param {number} cy @param {number} r
 * @param {number} share 0…1
 */
export function arcPath(cx, cy, r, share) {
  if (share <= 0) return '';
  if (share >= 0.9999) return `M${cx} ${cy - r}A${r} ${r} 0 1 1 ${cx - 0.01} ${cy - r}Z`;
  const a = share * 2 * Math.PI;
  const x = cx + r * Math.sin(a);
  const y = cy - r * Math.cos(a);
  return `M${cx} ${cy - r}A${r} ${r} 0 ${share > 0.5 ? 1 : 0} 1 ${x.toFixed(2)} ${y.toFixed(2)}`;
}
