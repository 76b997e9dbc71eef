/**
 * The timeline for readers who cannot see a canvas or do not use a pointer. It has buttons over everything rare, labels
 * beside the lanes, a slider whose value is a sentence, and a table of the run so far.
 */
import { html, render } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { formatInstant, formatSeconds, MS, roundUnits } from '../../lib/format.js';
import { ARROWS, Roving, sortByPlace } from '../../lib/roving.js';
import { PIN } from './faults.js';
import { LEVEL, RIBBON, violationY } from './geometry.js';
import { bandSelection, faultSelection, violationSelection } from './hit.js';

/** @import { Nanos, Timeline, View } from '../../protocol.js' */
/** @import { FaultMark, LanePin } from './faults.js' */
/** @import { Layout } from './layout.js' */
/** @import { Marked } from '../state.js' */
/** @import { BandMark } from './ribbon.js' */
/** @import { Scale } from './viewport.js' */

/**
 * A layer of buttons over marks of the canvas: one tab stop, arrow keys move within it.
 * @param {string} className @param {string} label
 * @param {HTMLElement} [root]
 */
export function markLayer(className, label, root = document.createElement('div')) {
  root.className = className;
  root.setAttribute('role', 'group');
  root.setAttribute('aria-label', label);
  const roving = new Roving(root, 'button', ARROWS.across, sortByPlace);
  return {
    root,
    /** @param {unknown} template */
    draw(template) {
      render(template, root);
      roving.refresh();
    },
  };
}

/** Buttons over the marks of the canvas. They draw nothing but the focus ring. */
export class MarkButtons {
  /** @param {HTMLElement} root @param {(s: Marked) => void} select */
  constructor(root, select) {
    this.select = select;
    this.layer = markLayer('tl-marks', 'Gaps, overlaps, faults and violations', root);
  }

  /** @param {Layout} layout */
  update(layout) {
    const button = (/** @type {MarkButton} */ one) => this.#template(one, layout.scale);
    this.layer.draw(html`${repeat(markButtons(layout), ({ key }) => key, button)}`);
  }

  /** @param {MarkButton} button @param {Scale} scale */
  #template({ x, w, y, h, name, meaning, selected }, scale) {
    const from = Math.max(scale.x, Math.min(x, scale.x + scale.w - 6));
    const to = Math.min(scale.x + scale.w, Math.max(x + w, scale.x + 6));
    const width = Math.max(to - from, Math.min(24, to - from + 12));
    return html`<button type="button" class="tl-mark" tabindex="-1" aria-label=${name}
      aria-pressed=${selected ? 'true' : 'false'}
      .style=${placeStyle(from + (to - from - width) / 2, y, width, h)}
      @click=${() => this.select(meaning)}></button>`;
  }
}

/**
 * A button over a mark of the canvas.
 * @typedef {object} MarkButton
 * @property {string} key identifies the mark across pictures
 * @property {number} x
 * @property {number} w
 * @property {number} y
 * @property {number} h
 * @property {string} name
 * @property {Marked} meaning what a click selects
 * @property {boolean} selected
 */

/** @param {Layout} layout @returns {MarkButton[]} */
export function markButtons({ g, bands, lanes, network, violations }) {
  const foot = g.lanes.y + g.lanes.h;
  return [
    ...bands.map((m) => ({
      ...placeOf(m, { y: g.ribbon.y + 2, h: RIBBON }),
      key: `band ${m.item.kind} ${m.item.from}`,
      name: bandName(m),
      meaning: bandSelection(m),
    })),
    ...violations.map((m) => ({
      ...placeOf(m, { y: violationY(g) - PIN, h: 2 * PIN }),
      key: `violation ${m.item.rule} ${m.item.from}`,
      name: `Violation: ${m.item.rule}, ${spanText(m.item)}${othersText(m)}`,
      meaning: violationSelection(m),
    })),
    ...network.map((m) => ({ ...placeOf(m, { y: g.network.y + m.level * LEVEL, h: LEVEL }), ...faultButton(m) })),
    ...lanes.flatMap(({ y, pins }) =>
      pins
        .map((m) => ({
          ...placeOf({ ...m, x: m.x - PIN, w: 2 * PIN }, { y: y + g.lane.base - PIN, h: 2 * PIN }),
          ...faultButton(m),
        }))
        .filter((one) => one.y >= g.lanes.y && one.y + one.h <= foot + 1),
    ),
  ];
}

/** @param {FaultMark | LanePin} m */
const faultButton = (m) => ({
  key: `fault ${m.item.node} ${m.item.from}`,
  name: `${m.item.text}, ${spanText(m.item)}${othersText(m)}`,
  meaning: faultSelection(m),
});

/** @param {{x: number, w: number, selected: boolean}} mark @param {{y: number, h: number}} row */
const placeOf = ({ x, w, selected }, row) => ({ x, w, selected, ...row });

/** @param {BandMark} m */
function bandName(m) {
  const what = m.kind === 'two' ? 'Two led' : m.kind === 'idle' ? 'The leader was paused' : 'Nobody led';
  return `${what} ${spanText(m.item)}${othersText(m)}`;
}

/** @param {{from: Nanos, to: Nanos, open?: boolean}} item cut at the live instant */
function spanText({ from, to, open }) {
  // A span that has just begun has no length yet.
  if (open && to - from < MS) return `since ${formatInstant(from)}`;
  if (open) return `since ${formatInstant(from)}, ${formatSeconds(to - from)} so far`;
  return `from ${formatInstant(from)} to ${formatInstant(to)}, ${formatSeconds(to - from)}`;
}

/**
 * A mark may stand for several spans that touch on screen. Its name gives the most severe one with that span's length,
 * because the total length would belong to none of them.
 * @param {{count: number, from: Nanos, to: Nanos}} m
 */
const othersText = ({ count, from, to }) =>
  count > 1 ? `; ${count - 1} more close by, all from ${formatInstant(from)} to ${formatInstant(to)}` : '';

/** Who leads at the cursor, for the value of the slider. @param {View} view @param {Nanos} now */
export function timeSentence(view, now) {
  const at = formatInstant(now);
  const leading = view.nodes.filter((n) => n.role === 'leading').map((n) => n.name);
  if (leading.length > 1) return `${at}, ${leading.join(' and ')} lead at once`;
  const h = view.headline;
  if (leading.length === 0)
    return h.sinceT === undefined
      ? `${at}, nobody leads`
      : `${at}, nobody leads, for ${formatSeconds(Math.max(0, now - h.sinceT))} so far`;
  const before =
    view.change && view.change.leaderlessNs > 0 && view.change.at <= now
      ? `, nobody led for ${formatSeconds(view.change.leaderlessNs)} before`
      : '';
  return `${at}, ${leading[0]} leads${before}`;
}

/** The slider "Time", which is also the ruler's hit area. */
export class TimeSlider {
  /** @type {string} */
  #text = '';
  #saidAt = 0;

  /**
   * @param {HTMLElement} el
   * @param {{step: (direction: 1|-1, e: KeyboardEvent) => void, scrub: (t: Nanos) => void, live: () => Nanos}} on
   */
  constructor(el, on) {
    this.el = el;
    el.setAttribute('role', 'slider');
    el.setAttribute('aria-label', 'Time');
    el.setAttribute('aria-valuemin', '0');
    el.tabIndex = 0;
    el.addEventListener('keydown', (e) => {
      if (e.ctrlKey || e.metaKey || e.altKey) return;
      const direction = e.key === 'ArrowRight' ? 1 : e.key === 'ArrowLeft' ? -1 : 0;
      if (direction !== 0) on.step(direction, e);
      else if (e.key === 'Home') on.scrub(0);
      else if (e.key === 'End') on.scrub(on.live());
      else return;
      e.preventDefault();
      e.stopPropagation();
    });
  }

  /** @param {View} view @param {Nanos} now */
  update(view, now) {
    // While a run plays, a screen reader would read every value aloud, so the value changes once a second.
    const wall = performance.now();
    if (view.playing && wall - this.#saidAt < 1000) return;
    const text = timeSentence(view, now);
    if (text === this.#text) return;
    this.#text = text;
    this.#saidAt = wall;
    this.el.setAttribute('aria-valuemax', String(roundUnits(view.live.t, MS) / 1000));
    this.el.setAttribute('aria-valuenow', String(roundUnits(now, MS) / 1000));
    this.el.setAttribute('aria-valuetext', text);
  }
}

/**
 * The style of an element at a place, for its style property. The page's content security policy does not allow a style
 * attribute.
 * @param {number} x @param {number} y
 * @param {number|null} w null: as wide as its content
 * @param {number} h
 */
export function placeStyle(x, y, w, h) {
  const width = w === null ? 'auto' : `${Math.round(w * 2) / 2}px`;
  return `transform:translate(${Math.round(x * 2) / 2}px,${y}px);width:${width};height:${h}px`;
}
