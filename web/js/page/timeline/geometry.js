/** How the rows share the height of the timeline. Pure. */

/**
 * @typedef {object} Geometry
 * @property {number} width
 * @property {number} height the height used; more than given only when the lanes cannot shrink further
 * @property {boolean} narrow only a name fits beside each lane
 * @property {number} gutter room left of the plot, for the names
 * @property {number} right space right of the plot
 * @property {Row} ruler
 * @property {Row} ribbon who works
 * @property {Row} lease whom the Lease names; its height is 0 where the room is short
 * @property {Row} network faults of the API and of all nodes; its height is 0 without any
 * @property {Row} server the lane of the API server; its height is 0 unless the picture is close enough
 * @property {Row} lanes the visible part of the lanes
 * @property {number} laneHeight
 * @property {ReturnType<typeof laneRows>} lane the places of the parts of a lane, from its top
 * @property {number} laneTotal height of all lanes together; more than lanes.h when they scroll
 * @property {Row} resource its height is 0 without a resource
 * @property {number} bottom the foot of the picture, above the whole run
 * @property {Row} overview the whole run; its height is 0 where the room is short
 * @property {Row} strip the overview's own box inside its row
 */
/** @typedef {{y: number, h: number}} Row */

/** The height of a lane: what it asks for, what it must have, and the most that it takes. */
const LANE = { ideal: 106, least: 56, most: 132 };
const NARROW_LANE = { ...LANE, ideal: 84, least: 48 };
/** Room for a letter and the ends of its ramp; longer names have more, but not much. */
const NARROW_GUTTER = { least: 44, most: 64 };
const ROWS = { ruler: 24, ribbon: 40, lease: 18, network: 4, server: 34, resource: 30, overview: 34 };
/** The height of the ribbon's bars inside its row. */
export const RIBBON = 32;
/** The middle of the pins of violations: between the ribbon and the lanes. @param {Pick<Geometry, 'ribbon'>} g */
export const violationY = ({ ribbon }) => ribbon.y + RIBBON + 12;
/** The height of one level of the faults that no lane shows. */
export const LEVEL = 20;
/** The lanes that a page makes room for; more of them scroll. */
const MOST_IDEAL = 5;

/** The room on both sides of the plot. @param {Pick<Rows, 'narrow' | 'letters'>} rows */
export const margins = ({ narrow, letters = 1 }) =>
  narrow
    ? { gutter: Math.min(NARROW_GUTTER.most, Math.max(NARROW_GUTTER.least, 10 + 9 * letters)), right: 10 }
    : { gutter: 100, right: 22 };

/**
 * @typedef {object} Rows what there is to show
 * @property {number} lanes
 * @property {boolean} narrow
 * @property {number} [letters] of the longest name of a lane
 * @property {number} [zoom] of the styles: a lane is as high on the screen, and so lower in the page's own pixels
 * @property {number} [networkLevels] of faults that no lane shows
 * @property {boolean} [resource]
 * @property {boolean} [server] the API server has a lane
 */

/** The height of all rows but the lanes. @param {Rows} rows */
const fixedHeight = ({ networkLevels = 0, resource = false, server = false }) =>
  ROWS.ruler +
  ROWS.ribbon +
  (networkLevels > 0 ? ROWS.network + networkLevels * LEVEL : 0) +
  (server ? ROWS.server : 0) +
  (resource ? ROWS.resource : 0);

/** The height that shows everything well. @param {Rows} rows */
export function idealHeight(rows) {
  const { ideal } = rows.narrow ? NARROW_LANE : LANE;
  return fixedHeight(rows) + ROWS.lease + ROWS.overview + ideal * Math.max(1, Math.min(MOST_IDEAL, rows.lanes));
}

/**
 * @param {Rows & {width: number, height: number}} given
 * @returns {Geometry}
 */
export function geometry(given) {
  const { width, height, lanes, narrow, networkLevels = 0, resource = false, server = false } = given;
  const { most, ideal, ...lane } = narrow ? NARROW_LANE : LANE;
  const least = Math.round(lane.least / (given.zoom ?? 1));
  // A lane needs its height most. The whole run gives way first, then the line of the Lease.
  const needed = fixedHeight(given) + least * Math.min(lanes, 3);
  const lease = height - needed - ROWS.lease >= 0 ? ROWS.lease : 0;
  const overview = height - needed - lease - ROWS.overview >= 0 ? ROWS.overview : 0;
  const room = Math.max(0, height - fixedHeight(given) - overview - lease);
  const laneHeight = lanes === 0 ? ideal : Math.max(least, Math.min(most, Math.floor(room / lanes)));
  const laneTotal = laneHeight * lanes;
  const window = Math.min(laneTotal, Math.max(room, Math.min(laneTotal, least)));

  let y = 0;
  const row = (/** @type {number} */ h) => {
    const r = { y, h };
    y += h;
    return r;
  };
  const rows = {
    width,
    narrow,
    ...margins(given),
    ruler: row(ROWS.ruler),
    ribbon: row(ROWS.ribbon),
    lease: row(lease),
    network: row(networkLevels > 0 ? ROWS.network + networkLevels * LEVEL : 0),
    server: row(server ? ROWS.server : 0),
    lanes: row(window),
    laneHeight,
    lane: laneRows(laneHeight),
    laneTotal,
    resource: row(resource ? ROWS.resource : 0),
    bottom: y,
    overview: row(overview),
  };
  const strip = { y: rows.overview.y + 12, h: Math.max(0, overview - 20) };
  return { ...rows, strip, height: y };
}

/**
 * The places of the parts of a lane of a given height: words over the ramp, the ramp, and the requests under its base.
 * @param {number} h
 */
function laneRows(h) {
  const ramp = h >= 90 ? 20 : h >= 70 ? 14 : 8;
  const foot = 13;
  const rampH = h - ramp - foot;
  const base = ramp + rampH;
  return { ramp, rampH, base, tick: base + 3, tall: 9, short: 5 };
}
