/**
 * Turns pointer and wheel input on the timeline into changes of cursor, viewport and selection. Every gesture keeps its
 * first instant under the pointer. It remembers that instant and does not read it from the rounded viewport.
 */
import { zoomOf } from '../../lib/zoom.js';
import { hit, snap, zoneAt } from './hit.js';
import { makeScale, panViewport, toTime, zoomViewport } from './viewport.js';

/** @import { Lane, Nanos } from '../../protocol.js' */
/** @import { Layout } from './layout.js' */
/** @import { Marked } from '../state.js' */
/** @import { Props } from './timeline.js' */
/** @import { Viewport } from './viewport.js' */

/**
 * @typedef {object} Host what the gestures need from the view
 * @property {() => Layout|null} layout
 * @property {() => Lane[]} lanes
 * @property {() => Props|null} props
 * @property {(t: Nanos) => void} scrub
 * @property {(v: Viewport) => void} viewport
 * @property {(from: Nanos, to: Nanos) => void} span
 * @property {(s: Marked) => void} select
 * @property {(from: Nanos, to: Nanos) => void} fit
 * @property {(dy: number) => boolean} scroll false when there is nothing to scroll
 */

const DRAG_PX = 4; // less is a click
const WHEEL_ZOOM = 1.0018; // per pixel of wheel travel
const SAME_GESTURE_MS = 250;

export class TimelineInput {
  /** @type {Map<number, {x: number, y: number}>} */
  #down = new Map();
  /** @type {{mode: string, x: number, y: number, t: Nanos, from: Viewport, moved: boolean, dist: number}|null} */
  #drag = null;
  /** @type {{x: number, t: Nanos, at: number}|null} */
  #wheel = null;
  #swallowClick = false;

  /** @param {HTMLElement} root @param {Host} host */
  constructor(root, host) {
    this.root = root;
    this.host = host;
    root.addEventListener('wheel', (e) => this.#onWheel(e), { passive: false });
    root.addEventListener('pointerdown', (e) => this.#onDown(e));
    root.addEventListener('pointermove', (e) => this.#onMove(e));
    root.addEventListener('pointerup', (e) => this.#onUp(e));
    root.addEventListener('pointercancel', (e) => this.#onUp(e));
    root.addEventListener('dblclick', (e) => this.#onDouble(e));
    // A drag that began on a button must not press it.
    root.addEventListener(
      'click',
      (e) => {
        if (!this.#swallowClick) return;
        this.#swallowClick = false;
        e.stopPropagation();
        e.preventDefault();
      },
      { capture: true },
    );
  }

  /** @param {{clientX: number, clientY: number}} e */
  #pointOf(e) {
    const box = this.root.getBoundingClientRect();
    const zoom = zoomOf(this.root);
    return { x: (e.clientX - box.left) / zoom, y: (e.clientY - box.top) / zoom };
  }

  /** @param {WheelEvent} e */
  #onWheel(e) {
    const l = this.host.layout();
    const props = this.host.props();
    if (!l || !props) return;
    const { x, y } = this.#pointOf(e);
    const unit = e.deltaMode === 1 ? 16 : e.deltaMode === 2 ? 400 : 1;
    const dx = e.deltaX * unit;
    const dy = e.deltaY * unit;
    const zone = zoneAt(l, y);
    const end = props.view.end;
    if (
      e.ctrlKey ||
      e.metaKey ||
      ((zone === 'ruler' || zone === 'overview') && !e.shiftKey && Math.abs(dy) >= Math.abs(dx))
    ) {
      e.preventDefault();
      // A pinch on a touchpad arrives as small ctrl+wheel steps, so they count for more.
      const factor = WHEEL_ZOOM ** (-dy * (e.ctrlKey && Math.abs(dy) < 40 ? 5 : 1));
      // The screen may be a frame behind the requested viewport. The instant comes from the requested one.
      const scale =
        zone === 'overview' && !e.ctrlKey && !e.metaKey
          ? l.overview.scale
          : makeScale(props.viewport, l.scale.x, l.scale.w);
      const kept =
        this.#wheel && e.timeStamp - this.#wheel.at < SAME_GESTURE_MS && Math.abs(this.#wheel.x - x) < 1
          ? this.#wheel.t
          : toTime(scale, x);
      this.#wheel = { x, t: kept, at: e.timeStamp };
      this.host.viewport(
        scale !== l.overview.scale
          ? zoomAnchored(props.viewport, factor, { t: kept, share: (x - l.scale.x) / l.scale.w, end })
          : zoomViewport(props.viewport, factor, kept, end),
      );
      return;
    }
    const sideways = e.shiftKey && dx === 0 ? dy : dx;
    if (Math.abs(sideways) > 0 && (e.shiftKey || Math.abs(dx) > Math.abs(dy))) {
      e.preventDefault();
      this.host.viewport(panViewport(props.viewport, sideways / l.scale.w, end));
      return;
    }
    // Over the lanes, the wheel scrolls the lanes if they have more to show, else the page.
    if (this.host.scroll(dy)) e.preventDefault();
  }

  /** @param {PointerEvent} e */
  #onDown(e) {
    const l = this.host.layout();
    const props = this.host.props();
    if (!l || !props || (e.pointerType === 'mouse' && e.button !== 0)) return;
    const target = /** @type {Element} */ (e.target);
    if (target.closest('input, .tl-lane')) return;
    this.#swallowClick = false;
    const { x, y } = this.#pointOf(e);
    this.#down.set(e.pointerId, { x, y });
    if (this.#down.size === 2) {
      const [a, b] = [...this.#down.values()];
      const mid = (a.x + b.x) / 2;
      this.#drag = {
        mode: 'pinch',
        x: mid,
        y,
        t: toTime(makeScale(props.viewport, l.scale.x, l.scale.w), mid),
        from: props.viewport,
        moved: true,
        dist: Math.max(10, Math.hypot(a.x - b.x, a.y - b.y)),
      };
      return;
    }
    const zone = zoneAt(l, y);
    const mode =
      zone === 'ruler' || target.closest('.tl-slider')
        ? 'scrub'
        : zone === 'overview'
          ? 'window'
          : e.shiftKey
            ? 'span'
            : 'pan';
    const t = mode === 'span' ? this.#snap(l, props, x, e.altKey) : toTime(l.scale, x);
    this.#drag = { mode, x, y, t, from: props.viewport, moved: false, dist: 0 };
    if (mode === 'scrub') {
      this.root.setPointerCapture(e.pointerId);
      this.host.scrub(this.#snap(l, props, x, e.altKey));
    } else if (mode === 'window') {
      this.root.setPointerCapture(e.pointerId);
      this.#window(l, props, x);
    }
  }

  /** @param {PointerEvent} e */
  #onMove(e) {
    const drag = this.#drag;
    const l = this.host.layout();
    const props = this.host.props();
    if (!drag || !l || !props || !this.#down.has(e.pointerId)) return;
    const { x, y } = this.#pointOf(e);
    const before = /** @type {{x: number, y: number}} */ (this.#down.get(e.pointerId));
    this.#down.set(e.pointerId, { x, y });
    const end = props.view.end;
    if (drag.mode === 'pinch') {
      const [a, b] = [...this.#down.values()];
      if (!b) return;
      const dist = Math.max(10, Math.hypot(a.x - b.x, a.y - b.y));
      const mid = (a.x + b.x) / 2;
      this.host.viewport(
        zoomAnchored(drag.from, dist / drag.dist, { t: drag.t, share: (mid - l.scale.x) / l.scale.w, end }),
      );
      return;
    }
    if (!drag.moved && Math.hypot(x - drag.x, y - drag.y) < DRAG_PX) return;
    if (!drag.moved && drag.mode !== 'scrub' && drag.mode !== 'window') this.root.setPointerCapture(e.pointerId);
    drag.moved = true;
    switch (drag.mode) {
      case 'scrub':
        this.host.scrub(this.#snap(l, props, x, e.altKey));
        break;
      case 'window':
        this.#window(l, props, x);
        break;
      case 'span': {
        const t = this.#snap(l, props, x, e.altKey);
        this.host.span(Math.min(drag.t, t), Math.max(drag.t, t));
        break;
      }
      default:
        if (e.pointerType !== 'mouse') this.host.scroll(before.y - y);
        this.host.viewport(panViewport(drag.from, (drag.x - x) / l.scale.w, end));
    }
  }

  /** @param {PointerEvent} e */
  #onUp(e) {
    const drag = this.#drag;
    this.#down.delete(e.pointerId);
    if (this.#down.size > 0) return;
    this.#drag = null;
    if (!drag || e.type === 'pointercancel') return;
    if (drag.moved) {
      this.#swallowClick = drag.mode !== 'scrub' && drag.mode !== 'window';
      // If this drag ends in a click, the click comes before the next task.
      setTimeout(() => {
        this.#swallowClick = false;
      }, 0);
      return;
    }
    const l = this.host.layout();
    const props = this.host.props();
    if (!l || !props?.timeline || drag.mode === 'scrub' || drag.mode === 'window') return;
    // Bands and faults are buttons with their own click, so that keyboard and pointer behave the same.
    if (/** @type {Element} */ (e.target).closest('button')) return;
    const found = hit(l, { lanes: this.host.lanes(), timeline: props.timeline }, drag.x, drag.y);
    if (found) this.host.select(found);
  }

  /** @param {MouseEvent} e */
  #onDouble(e) {
    const l = this.host.layout();
    const props = this.host.props();
    if (!l || !props?.timeline) return;
    const { x, y } = this.#pointOf(e);
    const found = hit(l, { lanes: this.host.lanes(), timeline: props.timeline }, x, y);
    if (found && found.kind !== 'node' && found.from !== undefined && found.to !== undefined)
      this.host.fit(found.from, Math.min(found.to, props.view.live.t));
  }

  /** @param {Layout} l @param {Props} props @param {number} x @param {boolean} free */
  #snap(l, { timeline, view }, x, free) {
    return snap(l, { lanes: this.host.lanes(), timeline, live: view.live.t }, x, free);
  }

  /** @param {Layout} l @param {Props} props @param {number} x */
  #window(l, props, x) {
    const width = props.viewport.to - props.viewport.from;
    const mid = toTime(l.overview.scale, x);
    this.host.viewport(panViewport({ from: mid - width / 2, to: mid + width / 2 }, 0, props.view.end));
  }
}

/**
 * A zoom that keeps a remembered instant at a fraction of the width, so that rounding errors do not add up.
 * @param {Viewport} v @param {number} factor @param {{t: Nanos, share: number, end: Nanos}} at
 */
export function zoomAnchored(v, factor, { t, share, end }) {
  const width = v.to - v.from;
  const window = { from: t - share * width, to: t - share * width + width };
  return zoomViewport(window, factor, t, end);
}
