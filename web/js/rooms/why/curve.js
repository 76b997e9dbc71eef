/**
 * The curve of inevitability: the share of futures from each instant that end the same way. It has few points, so it is
 * an SVG.
 */
import { html, nothing, svg } from 'lit-html';
import { formatInstant } from '../../lib/format.js';

/** @import { Nanos, RerollPoint, Rerolled } from '../../protocol.js' */

const WIDTH = 420;
const HEIGHT = 96;
const PAD = 6;

/** 0.825 → 82.5 %. @param {number} share */
export const percent = (share) => `${(share * 100).toFixed(1)} %`;

/** The position of an instant and a share in the picture. @param {RerollPoint[]} points ascending */
export function scalesOf(points) {
  const from = points[0].t;
  const width = Math.max(1, points[points.length - 1].t - from);
  return {
    /** @param {Nanos} t */
    x: (t) => Math.round((PAD + ((t - from) / width) * (WIDTH - 2 * PAD)) * 10) / 10,
    /** @param {number} share */
    y: (share) => Math.round((HEIGHT - PAD - share * (HEIGHT - 2 * PAD)) * 10) / 10,
  };
}

/**
 * @param {Rerolled} rerolled
 * @param {string} bound the event that the futures share
 * @param {Nanos} now @param {(t: Nanos) => void} go
 */
export function curveTemplate({ points, inevitable, runs }, bound, now, go) {
  const { x, y } = scalesOf(points);
  const line = points.map((point) => `${x(point.t)},${y(point.share)}`).join(' ');
  const band = [
    ...points.map((point) => `${x(point.t)},${y(point.high)}`),
    ...points.toReversed().map((point) => `${x(point.t)},${y(point.low)}`),
  ].join(' ');
  const first = points[0];
  const last = points[points.length - 1];
  const opening = `${percent(first.share)} of ${runs} futures from ${formatInstant(first.t)}`;
  const label = `${bound}: ${opening}, ${percent(last.share)} from ${formatInstant(last.t)}`;
  const click = (/** @type {MouseEvent} */ event) => {
    const box = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
    const share = ((event.clientX - box.left) / box.width - PAD / WIDTH) / (1 - (2 * PAD) / WIDTH);
    go(Math.round(first.t + Math.min(1, Math.max(0, share)) * (last.t - first.t)));
  };
  return html`<figure class="curve">
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label=${label} @click=${click}>
      <line class="grid" x1=${PAD} x2=${WIDTH - PAD} y1=${y(0)} y2=${y(0)} />
      <line class="grid" x1=${PAD} x2=${WIDTH - PAD} y1=${y(0.5)} y2=${y(0.5)} />
      <line class="grid" x1=${PAD} x2=${WIDTH - PAD} y1=${y(1)} y2=${y(1)} />
      <text x=${PAD} y=${y(1) + 11}>100 %</text>
      <text x=${PAD} y=${y(0) - 3}>0 %</text>
      <polygon class="interval" points=${band} />
      <polyline points=${line} />
      ${
        inevitable === undefined
          ? nothing
          : svg`<line class="inevitable" x1=${x(inevitable)} x2=${x(inevitable)} y1=${y(0)} y2=${y(1)} />`
      }
      ${
        now < first.t || now > last.t
          ? nothing
          : svg`<line class="cursor" x1=${x(now)} x2=${x(now)} y1=${y(0)} y2=${y(1)} />`
      }
    </svg>
    <figcaption><span>${formatInstant(first.t)}</span><span>${runs} futures of each
      instant</span><span>${formatInstant(last.t)}</span></figcaption>
  </figure>`;
}
