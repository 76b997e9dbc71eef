/**
 * The timeline for those who cannot see a canvas or do not use a pointer: real buttons over everything rare, real
 * labels beside the lanes, a slider whose value is a sentence, and a table of what the run has come to.
 */
import { formatInstant, formatSeconds, MS, roundUnits } from '../../lib/format.js';
import { ARROWS, asPlaced, Roving } from '../../lib/roving.js';
import { bandSelection, faultSelection, violationSelection } from './hit.js';

/** @typedef {import('./layout.js').Layout} Layout */
/** @typedef {import('./layout.js').Selection} Selection */
/** @typedef {import('../../protocol.js').View} View */
/** @typedef {import('../../protocol.js').Timeline} Timeline */
/** @typedef {import('../../protocol.js').Nanos} Nanos */

/**
 * Buttons over the marks of the canvas. They carry no paint of their own but the focus ring.
 */
export class MarkButtons {
  /** @type {Map<string, HTMLButtonElement>} */
  #buttons = new Map();
  /** @type {WeakMap<HTMLElement, Selection>} */
  #meaning = new WeakMap();

  /**
   * @param {HTMLElement} root
   * @param {(s: Selection) => void} select
   * @param {(index: number|null) => void} addend
   */
  constructor(root, select, addend) {
    this.root = root;
    root.setAttribute('role', 'group');
    root.setAttribute('aria-label', 'Gaps, overlaps, faults and violations');
    this.roving = new Roving(root, 'button', ARROWS.across, asPlaced);
    root.addEventListener('click', (e) => {
      const b = /** @type {HTMLElement} */ (e.target).closest('button');
      const s = b && this.#meaning.get(b);
      if (s) select(s);
    });
    const mark = (/** @type {Event} */ e, /** @type {boolean} */ on) => {
      const b = /** @type {HTMLElement} */ (e.target).closest('[data-addend]');
      if (b) addend(on ? Number(b.getAttribute('data-addend')) : null);
    };
    root.addEventListener('pointerover', (e) => mark(e, true));
    root.addEventListener('pointerout', (e) => mark(e, false));
    root.addEventListener('focusin', (e) => mark(e, true));
    root.addEventListener('focusout', (e) => mark(e, false));
  }

  /**
   * @param {Layout} l
   * @param {number} change the leader change whose addends the headline shows
   */
  update(l, change) {
    /** @type {Set<string>} */
    const kept = new Set();
    const { g } = l;
    const put = (
      /** @type {string} */ key,
      /** @type {number} */ x,
      /** @type {number} */ w,
      /** @type {number} */ y,
      /** @type {number} */ h,
      /** @type {string} */ name,
      /** @type {Selection} */ meaning,
      /** @type {boolean} */ selected,
      addend = -1,
    ) => {
      kept.add(key);
      const b = this.#button(key);
      const from = Math.max(l.scale.x, Math.min(x, l.scale.x + l.scale.w - 6));
      const to = Math.min(l.scale.x + l.scale.w, Math.max(x + w, l.scale.x + 6));
      const width = Math.max(to - from, Math.min(24, to - from + 12));
      place(b, from + (to - from - width) / 2, y, width, h);
      attr(b, 'aria-label', name);
      attr(b, 'aria-pressed', String(selected));
      attr(b, 'data-addend', addend >= 0 ? String(addend) : null);
      this.#meaning.set(b, meaning);
    };
    for (const m of l.bands)
      put(
        `band ${m.band.kind} ${m.band.from}`,
        m.x,
        m.w,
        g.bands.y,
        g.bandHeight,
        bandName(m),
        bandSelection(m),
        m.selected,
      );
    for (const k of l.brackets) {
      const band = l.bands.find((m) => m.band.change === k.change && m.count === 1);
      const a = band?.band.addends[k.addend];
      if (!a) continue;
      put(
        `addend ${k.change} ${k.addend}`,
        k.x0,
        k.x1 - k.x0,
        g.bands.y + g.bandHeight,
        g.bands.h - g.bandHeight,
        `${a.shown} s ${a.text}`,
        { kind: 'event', cursor: a.cursor },
        false,
        k.change === change ? k.addend : -1,
      );
    }
    for (const m of l.faults) {
      const many = m.count > 1 ? `${m.count} faults, the first: ` : '';
      put(
        `fault ${m.fault.node} ${m.fault.from}`,
        m.x,
        m.w,
        g.faults.y + 2 + m.level * (g.faultHeight + 2),
        g.faultHeight + 2,
        `${many}${m.fault.text}, ${stretch(m.from, m.to, m.fault.open)}`,
        faultSelection(m),
        m.selected,
      );
    }
    for (const m of l.violations) {
      const many = m.count > 1 ? `${m.count} violations, the first: ` : 'Violation: ';
      put(
        `violation ${m.violation.rule} ${m.violation.from}`,
        m.x,
        m.w,
        g.violations.y,
        g.violations.h - 2,
        `${many}${m.violation.rule}, ${stretch(m.from, m.to, false)}`,
        violationSelection(m),
        m.selected,
      );
    }
    for (const [key, b] of this.#buttons) {
      if (kept.has(key)) continue;
      b.remove();
      this.#buttons.delete(key);
    }
    this.roving.refresh();
  }

  /** @param {string} key */
  #button(key) {
    let b = this.#buttons.get(key);
    if (!b) {
      b = document.createElement('button');
      b.type = 'button';
      b.className = 'tl-mark';
      b.tabIndex = -1;
      this.#buttons.set(key, b);
      this.root.append(b);
    }
    return b;
  }
}

/**
 * @param {import('./layout.js').BandMark} m
 */
function bandName(m) {
  const what = m.kind === 'two' ? 'Two led' : 'Nobody led';
  if (m.count > 1) return `${m.count} times close together: ${what.toLowerCase()}, ${stretch(m.from, m.to, m.open)}`;
  return `${what} ${stretch(m.from, m.to, m.open)}`;
}

/**
 * @param {Nanos} from
 * @param {Nanos} to
 * @param {boolean} open
 */
function stretch(from, to, open) {
  if (open) return `since ${formatInstant(from)}, ${formatSeconds(to - from)} so far`;
  return `from ${formatInstant(from)} to ${formatInstant(to)}, ${formatSeconds(to - from)}`;
}

/**
 * Who leads at the cursor, as the slider says it.
 * @param {View} view
 * @param {Nanos} now
 */
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

/**
 * The slider "Time", which is also the ruler's hit area.
 */
export class TimeSlider {
  /** @type {string} */
  #said = '';
  #saidAt = 0;

  /**
   * @param {HTMLElement} el
   * @param {{step: (direction: 1|-1, e: KeyboardEvent) => void, scrub: (t: Nanos) => void, edge: () => Nanos}} on
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
      else if (e.key === 'End') on.scrub(on.edge());
      else return;
      e.preventDefault();
      e.stopPropagation();
    });
  }

  /**
   * @param {View} view
   * @param {Nanos} now
   */
  update(view, now) {
    // While playing a screen reader would read every value aloud; once a second is enough to ask for it.
    const wall = performance.now();
    if (view.playing && wall - this.#saidAt < 1000) return;
    const text = timeSentence(view, now);
    if (text === this.#said) return;
    this.#said = text;
    this.#saidAt = wall;
    this.el.setAttribute('aria-valuemax', String(roundUnits(view.edge.t, MS) / 1000));
    this.el.setAttribute('aria-valuenow', String(roundUnits(now, MS) / 1000));
    this.el.setAttribute('aria-valuetext', text);
  }
}

/**
 * Moves an element by CSSOM: the page's content security policy knows no inline style.
 * @param {HTMLElement} el
 * @param {number} x
 * @param {number} y
 * @param {number|null} w null: as wide as its content
 * @param {number} h
 */
export function place(el, x, y, w, h) {
  el.style.setProperty('transform', `translate(${Math.round(x * 2) / 2}px, ${y}px)`);
  el.style.setProperty('width', w === null ? 'auto' : `${Math.round(w * 2) / 2}px`);
  el.style.setProperty('height', `${h}px`);
}

/**
 * Writes an attribute only when it changes; null removes it.
 * @param {Element} el
 * @param {string} name
 * @param {string|null} value
 */
export function attr(el, name, value) {
  if (value === null) {
    if (el.hasAttribute(name)) el.removeAttribute(name);
  } else if (el.getAttribute(name) !== value) el.setAttribute(name, value);
}
