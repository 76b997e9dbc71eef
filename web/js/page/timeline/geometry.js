/** How the rows share the height of the timeline. Pure. */

/**
 * @typedef {object} Geometry
 * @property {number} width
 * @property {number} height the height used; more than given only when the lanes cannot shrink further
 * @property {boolean} narrow only a letter fits beside each lane, and the names of rows are inside them
 * @property {number} gutter room left of the plot, for the names
 * @property {number} right space right of the plot
 * @property {Row} ruler
 * @property {Row} holder
 * @property {Row} server the lane of the API server; its height is 0 unless the picture is close enough
 * @property {Row} lanes the visible part of the lanes
 * @property {number} laneHeight
 * @property {ReturnType<typeof laneRows>} lane the places of the parts of a lane, from its top
 * @property {number} laneTotal height of all lanes together; more than lanes.h when they scroll
 * @property {Row} resource its height is 0 without a resource
 * @property {Row} bands
 * @property {number} bandHeight height of the bar inside its row; the brackets hang in the rest
 * @property {Row} faults
 * @property {number} faultHeight of one level of faults
 * @property {Row} violations
 * @property {Row} overview
 * @property {Row} strip the overview's own box inside its row
 * @property {Row} totals
 */
/** @typedef {{y: number, h: number}} Row */

const LANE_HEIGHTS = [
  [3, 88],
  [5, 56],
  [8, 40],
  [Infinity, 20],
];
const LANE_MIN = 20;
/** Room for a letter. */
const NARROW_GUTTER = 30;

/** The room on both sides of the plot. @param {boolean} narrow */
export const margins = (narrow) => ({ gutter: narrow ? NARROW_GUTTER : 104, right: narrow ? 8 : 20 });

/** Row heights by available height: the lanes shrink first, then the other rows go from roomy to tight. */
const ROOMY = {
  ruler: 26,
  holder: 36,
  resource: 30,
  bands: 58,
  band: 26,
  faults: 30,
  violations: 28,
  overview: 60,
  totals: 22,
  lane: 44,
  server: 34,
};
const TIGHT = {
  ruler: 24,
  holder: 28,
  resource: 24,
  bands: 46,
  band: 22,
  faults: 24,
  violations: 20,
  overview: 26,
  totals: 18,
  lane: 20,
  server: 26,
};

/**
 * The zoom buttons, left of the totals. For touch, the row is as high as a finger needs. Otherwise the buttons reach up
 * beside the strip.
 * @param {boolean} touch
 */
export const zoomSize = (touch) => (touch ? { width: 132, height: 44 } : { width: 92, height: 28 });

/** How far a lane may grow beyond its ideal height. */
const GROWS = 2;

/** @param {number} lanes */
export function idealLaneHeight(lanes) {
  for (const [most, h] of LANE_HEIGHTS) if (lanes <= most) return h;
  return LANE_MIN;
}

/**
 * @param {{width: number, height: number, lanes: number, narrow: boolean, touch?: boolean, faultLevels?: number,
 *   resource?: boolean, server?: boolean}} given server: the API server has a lane
 * @returns {Geometry}
 */
export function geometry({
  width,
  height,
  lanes,
  narrow,
  touch = narrow,
  faultLevels = 1,
  resource = false,
  server = false,
}) {
  const ideal = idealLaneHeight(lanes);
  const fixedHeight = (/** @type {typeof ROOMY} */ r) =>
    r.ruler +
    r.holder +
    (resource ? r.resource : 0) +
    (server ? r.server : 0) +
    r.bands +
    r.faults * faultLevels -
    (faultLevels - 1) * 6 +
    r.violations +
    r.overview +
    (touch ? zoomSize(touch).height : r.totals);
  const roomy = height - fixedHeight(ROOMY) >= Math.min(ideal, ROOMY.lane) * Math.min(lanes, 3);
  const rows = roomy ? ROOMY : TIGHT;
  const room = Math.max(0, height - fixedHeight(rows));
  const laneHeight = lanes === 0 ? ideal : Math.max(LANE_MIN, Math.min(ideal * GROWS, Math.floor(room / lanes)));
  const laneTotal = laneHeight * lanes;
  const window = Math.min(laneTotal, Math.max(room, Math.min(laneTotal, LANE_MIN * 2)));

  let y = 0;
  const row = (/** @type {number} */ h) => {
    const r = { y, h };
    y += h;
    return r;
  };
  const rowsOf = {
    width,
    narrow,
    ...margins(narrow),
    ruler: row(rows.ruler),
    holder: row(rows.holder),
    server: row(server ? rows.server : 0),
    lanes: row(window),
    laneHeight,
    lane: laneRows(laneHeight),
    laneTotal,
    resource: row(resource ? rows.resource : 0),
    bands: row(rows.bands),
    bandHeight: rows.band,
    faults: row(rows.faults + (faultLevels - 1) * (rows.faults - 6)),
    faultHeight: rows.faults - 8,
    violations: row(rows.violations),
    overview: row(rows.overview),
    totals: row(touch ? zoomSize(touch).height : rows.totals),
  };
  const gap = Math.max(4, (rows.overview - 44) * 0.75);
  const strip = { y: rowsOf.overview.y + gap, h: rowsOf.overview.h - gap - 4 };
  return { ...rowsOf, strip, height: y };
}

/**
 * The places of the parts of a lane of a given height. Below 40 px requests and ramp share the room.
 * @param {number} h
 */
function laneRows(h) {
  if (h >= 70) return { bar: 3, barH: 8, tick: 13, tall: 20, short: 13, ramp: 38, rampH: h - 38 - 9 };
  if (h >= 40) return { bar: 2, barH: 6, tick: 9, tall: 11, short: 7, ramp: 24, rampH: h - 24 - 5 };
  return {
    bar: 2,
    barH: 5,
    tick: 8,
    tall: Math.max(6, h - 14),
    short: Math.max(4, (h - 14) * 0.6),
    ramp: 8,
    rampH: h - 8 - 3,
  };
}
