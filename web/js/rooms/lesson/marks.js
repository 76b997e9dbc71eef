/**
 * The marks that a lesson draws over the timeline, on the timeline's axis: the place to look at, the curtain, the
 * visitor's bet and the outcome. The panel offers the same as text and controls, so this layer only needs the pointer.
 */
import { formatInstant } from '../../lib/format.js';
import { zoomOf } from '../../lib/zoom.js';
import { toTime, toX } from '../../page/timeline/viewport.js';
import { factsOf } from './facts.js';
import { stepOfKind } from './lessons.js';
import { asksAct, stepOf } from './progress.js';
import { sentence } from './words.js';

/** @import { Layout } from '../../page/timeline/layout.js' */
/** @import { TimelineView } from '../../page/timeline/timeline.js' */
/** @import { Nanos, View, Why } from '../../protocol.js' */
/** @import { Lesson } from './lessons.js' */
/** @import { Progress } from './progress.js' */

/**
 * @typedef {object} Marks
 * @property {{region: string, node?: string} | undefined} look
 * @property {boolean} betting the pointer may place the bet
 * @property {Nanos | null} bet
 * @property {{at: Nanos, who: string} | null} truth
 * @property {Nanos} live
 * @property {Nanos} end
 */

/**
 * @param {Lesson} lesson @param {Progress} now @param {Why | null} why @param {Pick<View, "live" | "end">} view
 * @returns {Marks}
 */
export function marksOf(lesson, now, why, { live, end }) {
  const step = stepOf(lesson, now);
  const isTransfer = step.kind === 'transfer';
  const marker = stepOfKind(lesson, 'bet')?.bet.kind === 'marker';
  return {
    look: step.kind === 'act' && !asksAct(step, now) ? undefined : step.look,
    betting: marker && step.kind === 'bet' && !now.placed && !now.strayed,
    bet: now.placed === 'none' || isTransfer || !marker || typeof now.bet !== 'number' ? null : now.bet,
    truth: why && now.seen && !isTransfer ? { at: factsOf(why).tookAt, who: why.change.to } : null,
    live: live.t,
    end,
  };
}

/** The region to look at; the styles outline it. @param {string} region */
export function lookAt(region) {
  const { dataset } = document.documentElement;
  if (dataset.look !== region) dataset.look = region;
}

export class LessonMarks {
  /** @type {Layout | null} */
  #layout = null;
  /** @type {Marks | null} */
  #marks = null;

  /** @param {HTMLElement} timeline @param {TimelineView} view @param {(t: Nanos) => void} onBet */
  constructor(timeline, view, onBet) {
    this.view = view;
    this.root = child(timeline, 'lesson-marks');
    this.root.setAttribute('aria-hidden', 'true');
    this.look = child(this.root, 'lesson-look');
    this.curtain = child(this.root, 'lesson-curtain');
    this.miss = child(this.root, 'lesson-miss');
    this.truth = flag(this.root, 'lesson-truth');
    this.bet = flag(this.root, 'lesson-flag');
    this.area = child(this.root, 'lesson-area');
    this.resizes = new ResizeObserver(() => this.#drawLater());
    this.resizes.observe(timeline);
    let grip = 0;
    const follow = (/** @type {PointerEvent} */ e, /** @type {boolean} */ first) => {
      const l = this.#layout;
      const m = this.#marks;
      if (!l || !m?.betting) return;
      const x = (e.clientX - this.root.getBoundingClientRect().left) / zoomOf(timeline);
      if (first) {
        // Dragging keeps the pointer's offset from the flag, so touching the flag does not move it.
        const at = this.#betX(l, m);
        grip = Math.abs(x - at) <= FLAG_REACH_PX ? x - at : 0;
        if (grip !== 0 || (m.bet === null && x === at)) return;
      }
      // Steps of a tenth of a second, or of a hundredth in a closer view, so that a step is never larger than a few
      // pixels.
      const fine = l.scale.perPx > 2e7 ? 1e8 : 1e7;
      onBet(Math.min(m.end, Math.max(m.live, Math.round(toTime(l.scale, x - grip) / fine) * fine)));
    };
    this.area.addEventListener('pointerdown', (e) => {
      if (e.pointerType === 'mouse' && e.button !== 0) return;
      e.stopPropagation();
      this.area.setPointerCapture(e.pointerId);
      follow(e, true);
    });
    this.area.addEventListener('pointermove', (e) => {
      if (this.area.hasPointerCapture(e.pointerId)) follow(e, false);
    });
    for (const kind of ['pointerup', 'click', 'dblclick']) this.area.addEventListener(kind, (e) => e.stopPropagation());
  }

  /** @param {Marks} marks */
  update(marks) {
    this.#marks = marks;
    this.#drawLater();
  }

  remove() {
    this.resizes.disconnect();
    this.view.frames.forget(this.#draw);
    this.view.flag([], []);
    this.root.remove();
  }

  /** Draws after the timeline in the same frame, so that the marks and the timeline always agree. */
  #drawLater() {
    this.view.frames.want(this.#draw);
  }

  /**
   * The x of the bet's flag. Before a bet, it is the x of the live instant.
   * @param {Layout} l
   * @param {Marks} m
   */
  #betX(l, m) {
    const right = l.scale.x + l.scale.w;
    return m.bet === null
      ? Math.min(right, toX(l.scale, m.live))
      : Math.min(right, Math.max(l.scale.x, toX(l.scale, m.bet)));
  }

  #draw = () => {
    const l = this.view.layout;
    const m = this.#marks;
    this.#layout = l;
    this.root.hidden = !l || !m;
    if (!l || !m) return;
    const { g, scale } = l;
    const right = scale.x + scale.w;
    const { bottom } = g;
    const onAxis = (/** @type {number} */ x) => Math.min(right, Math.max(scale.x, x));
    const live = onAxis(toX(scale, m.live));

    this.#drawLook(l, m);
    box(this.curtain, m.betting ? { x: live, y: g.ruler.h, w: right - live, h: bottom - g.ruler.h } : null);
    // On a phone, a finger needs more room, so the curtain reacts to touches, too.
    box(this.area, m.betting ? { x: live, y: 0, w: right - live + g.right, h: bottom } : null);

    const bet = this.#betX(l, m);
    const hasFlag = m.betting || m.bet !== null;
    box(this.bet.line, hasFlag ? { x: bet, y: 0, w: 0, h: bottom } : null);
    const beyond = m.bet !== null && toX(scale, m.bet) > right;
    this.bet.word.textContent =
      m.bet === null ? sentence('dragHere') : sentence(beyond ? 'youBeyond' : 'you', { at: formatInstant(m.bet) });

    const truth = m.truth ? onAxis(toX(scale, m.truth.at)) : 0;
    box(this.truth.line, m.truth ? { x: truth, y: 0, w: 0, h: bottom } : null);
    if (m.truth) {
      const values = { node: m.truth.who, at: formatInstant(m.truth.at) };
      this.truth.word.textContent = sentence(g.narrow ? 'leadsNarrow' : 'leads', values);
    }
    const apart = m.truth && m.bet !== null ? Math.abs(truth - bet) : 0;
    box(this.miss, apart > 2 ? { x: Math.min(truth, bet), y: FLAG_PX + 1, w: apart, h: 5 } : null);

    // Each label is on the side away from the other flag, unless the plot ends there.
    const betLeft = m.truth ? bet <= truth : bet > (live + right) / 2;
    const at = [m.bet, m.truth?.at ?? null].filter((t) => t !== null);
    this.view.flag(at, [
      this.#chooseSide(this.bet, bet, betLeft, scale),
      this.#chooseSide(this.truth, truth, !betLeft, scale),
    ]);
    // Near the end of the plot, both labels may be on one side, one below the other.
    this.bet.line.toggleAttribute(
      'data-below',
      apart > 0 && this.bet.line.dataset.side === this.truth.line.dataset.side,
    );
  };

  /** @param {Flag} flag @param {number} x @param {boolean} left @param {{x: number, w: number}} scale */
  #chooseSide({ line, word }, x, left, scale) {
    const width = word.offsetWidth + 8;
    const fitsLeft = x - width >= 0;
    const fitsRight = x + width <= scale.x + scale.w + 20;
    line.dataset.side = (left && fitsLeft) || !fitsRight ? 'left' : 'right';
    return { x: line.dataset.side === 'left' ? x - width : x, w: line.hidden ? 0 : width };
  }

  /** @param {Layout} l @param {Marks} m */
  #drawLook(l, { look, live }) {
    if (look?.region === 'resource') {
      const { y, h } = l.g.resource;
      box(this.look, h > 0 ? { x: 1, y, w: l.g.width - 2, h } : null);
      return;
    }
    const lane = look?.node === undefined ? undefined : l.lanes.find((one) => one.node === look.node);
    if (!lane || !look) return box(this.look, null);
    const r = l.g.lane;
    const x = l.scale.x - 2;
    const w = Math.min(l.scale.x + l.scale.w, toX(l.scale, live)) - x + 4;
    const row = look.region === 'ticks' ? { y: r.tick - 4, h: r.tall + 7 } : { y: r.ramp - 4, h: r.rampH + 7 };
    box(this.look, { x, y: lane.y + row.y, w: Math.max(8, w), h: row.h });
  }
}

/** Height of a flag's word. */
const FLAG_PX = 20;
/** How far from its line the pointer can still grab the bet. */
const FLAG_REACH_PX = 22;

/** @typedef {{line: HTMLElement, word: HTMLElement}} Flag */

/** @param {HTMLElement} root @param {string} name */
function child(root, name) {
  const el = document.createElement('div');
  el.className = name;
  root.append(el);
  return el;
}

/** @param {HTMLElement} root @param {string} name @returns {Flag} */
function flag(root, name) {
  const line = child(root, name);
  const word = document.createElement('span');
  line.append(word);
  return { line, word };
}

/** @param {HTMLElement} el @param {{x: number, y: number, w: number, h: number} | null} at */
function box(el, at) {
  el.hidden = at === null;
  if (!at) return;
  // Set through the CSSOM, because the page's content security policy forbids inline styles.
  el.style.setProperty('transform', `translate(${at.x}px, ${at.y}px)`);
  el.style.setProperty('inline-size', `${at.w}px`);
  el.style.setProperty('block-size', `${at.h}px`);
}
