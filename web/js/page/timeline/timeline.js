/**
 * The timeline: every node's lane against virtual time, up to live. It has two canvas layers, one for the picture and
 * one for the cursor, and a DOM twin on top. It redraws in the frame that gives it new props. It keeps no run data:
 * props in, callbacks out.
 */
import { html, render } from 'lit-html';
import { withValue } from '../../lib/control.js';
import { Frames } from '../../lib/frames.js';
import { loadOnce } from '../../lib/later.js';
import { zoomOf } from '../../lib/zoom.js';
import { draw, drawCursor } from './draw.js';
import { idealHeight } from './geometry.js';
import { Labels } from './labels.js';
import { roleAt } from './lanelayout.js';
import { layout, rampTop } from './layout.js';
import { Hatches, readPalette } from './palette.js';
import { MarkButtons, placeStyle, TimeSlider } from './twin.js';
import { fitSpan, panViewport, toX, zoomViewport } from './viewport.js';

/** @import { Lane, Nanos, NodeView, Timeline, View } from '../../protocol.js' */
/** @import { Layout } from './layout.js' */
/** @import { Marked, Selection } from '../state.js' */
/** @import { Palette } from './palette.js' */
/** @import { Brush } from './pen.js' */
/** @import { RunSummary } from './summary.js' */
/** @import { Viewport } from './viewport.js' */

const fetchRest = loadOnce(() => import('./afterwards.js'));

/**
 * @typedef {object} Props
 * @property {View} view
 * @property {Timeline|null} timeline covers the viewport (more is fine)
 * @property {Timeline|null} [overview] the whole run, for the strip "So far" and the summary table; default: timeline
 * @property {Viewport} viewport
 * @property {Selection} [selection]
 * @property {Nanos} now the cursor's instant, interpolated while playing
 * @property {string} [theme] any value that changes when the colors do
 */
/**
 * @typedef {{onScrub: (t: Nanos) => void, onSelect: (s: Marked) => void, onViewport: (v: Viewport) => void,
 *   onSpan: (span: {from: Nanos, to: Nanos}) => void,
 *   onStep?: (direction: 1|-1, unit: 'event' | 'landmark') => void}} Callbacks
 */
/** @typedef {(brush: Brush, layout: Layout, props: Props) => void} Overlay */

/** Above this number, lanes form groups by role, and the page offers a filter. */
const MANY = 30;
/** The props that the picture depends on, besides the view and the viewport. @type {(keyof Props)[]} */
const SHOWN = ['timeline', 'overview', 'selection'];
const ROLE_ORDER = ['leading', 'lost', 'paused', 'following', 'waiting', 'stopped', 'down'];

export class TimelineView {
  /** @type {Props|null} */
  #props = null;
  /** @type {Layout|null} */
  #layout = null;
  /** @type {Lane[]} */
  #lanes = [];
  #size = { width: 0, height: 0, dpr: 1, zoom: 1 };
  #scroll = 0;
  #ideal = 0;
  #filter = '';
  #unsorted = true;
  /** @type {{run: number, top: number, of: Timeline|null}} */
  #ramp = { run: -1, top: 0, of: null };
  #dirty = { picture: true, cursor: true, size: true, colors: true };
  /** @type {Palette|null} */
  #palette = null;
  #hatches = new Hatches();
  /** @type {Map<string, number>} */
  #widths = new Map();
  /** @type {Map<string, NodeView>} */
  #nodes = new Map();
  /**
   * Overlays that only some runs have. They draw over every picture, in the order of their addition.
   * @type {Set<Overlay>}
   */
  overlays = new Set();
  /** An overlay draws the row of the resource, where the run has one. */
  resourceRow = false;
  /** Whether the API server has a lane in close pictures. */
  #server = false;
  /** @type {{at: Nanos[], words: {x: number, w: number}[]}} */
  #flags = { at: [], words: [] };

  /** @param {HTMLElement} root @param {Callbacks} callbacks @param {Frames} [frames] of the page around it */
  constructor(root, callbacks, frames = new Frames()) {
    this.root = root;
    this.frames = frames;
    this.callbacks = callbacks;
    root.classList.add('tl');
    // A root that already has a name keeps it.
    if (!root.hasAttribute('aria-label')) {
      root.setAttribute('role', 'group');
      root.setAttribute('aria-label', 'Timeline');
    }
    render(
      html`<canvas class="tl-base" aria-hidden="true"></canvas>
        <canvas class="tl-top" aria-hidden="true"></canvas>
        <div class="tl-slider"></div>
        <div class="tl-labels"></div>
        <div class="tl-marks"></div>
        <input type="search" class="tl-filter" hidden placeholder="Filter" aria-label="Filter lanes by name or role"
          @input=${withValue((text) => this.#narrowTo(text))} />
        <div class="visually-hidden"></div>`,
      root,
    );
    const part = (/** @type {string} */ name) => /** @type {HTMLElement} */ (root.querySelector(`:scope > .${name}`));
    this.base = /** @type {HTMLCanvasElement} */ (part('tl-base'));
    this.top = /** @type {HTMLCanvasElement} */ (part('tl-top'));
    this.filter = part('tl-filter');
    this.slider = new TimeSlider(part('tl-slider'), {
      step: (direction, e) => callbacks.onStep?.(direction, e.shiftKey ? 'landmark' : 'event'),
      scrub: (t) => callbacks.onScrub(t),
      live: () => this.#props?.view.live.t ?? 0,
    });
    this.labels = new Labels(part('tl-labels'), (node, index) => callbacks.onSelect({ kind: 'node', node, index }));
    this.marks = new MarkButtons(part('tl-marks'), (s) => callbacks.onSelect(s));
    /** @type {RunSummary | undefined} */
    this.summary = undefined;
    this.#complete(part('visually-hidden'));
    new ResizeObserver(() => this.#mark('size')).observe(root);
    this.narrow = matchMedia('(max-width: 719.98px)');
    for (const query of ['(prefers-color-scheme: dark)', '(forced-colors: active)'])
      matchMedia(query).addEventListener('change', () => this.#mark('colors'));
    // Each name needs one measurement, and a second one once the page's own font has arrived.
    document.fonts?.ready.then(() => {
      this.#widths.clear();
      this.#mark('picture');
    });
  }

  /**
   * Loads gestures and the table of the run, which the first picture does not need.
   * @param {HTMLElement} table its place
   */
  async #complete(table) {
    const { callbacks } = this;
    const rest = await fetchRest();
    if (!rest) return;
    this.summary = new rest.RunSummary(table);
    this.#mark('picture');
    new rest.TimelineInput(this.root, {
      layout: () => this.#layout,
      lanes: () => this.#lanes,
      props: () => this.#props,
      scrub: (t) => callbacks.onScrub(t),
      viewport: (v) => this.#show(v),
      span: (from, to) => callbacks.onSpan({ from, to }),
      select: (s) => callbacks.onSelect(s),
      fit: (from, to) => this.#show(fitSpan(from, to, this.#props?.view.end ?? to)),
      scroll: (dy) => this.#scrollBy(dy),
    });
  }

  /** Gives the API server a lane in close pictures; an overlay draws in it. */
  showServer() {
    this.#server = true;
    this.#mark('picture');
  }

  /** Keeps words off flags, and the ruler's off theirs. @param {Nanos[]} at @param {{x: number, w: number}[]} words */
  flag(at, words) {
    if (JSON.stringify({ at, words }) === JSON.stringify(this.#flags)) return;
    this.#flags = { at, words };
    this.#mark('picture');
  }

  /** Draws the picture again after an overlay has changed. */
  redraw() {
    this.#mark('picture');
  }

  /** The layout as last drawn. */
  get layout() {
    return this.#layout;
  }

  /** @param {Props} props */
  update(props) {
    const old = this.#props;
    this.#props = props;
    if (!old || old.timeline !== props.timeline || rolesDiffer(old.view, props.view)) this.#unsorted = true;
    if (!old || old.theme !== props.theme) this.#mark('colors');
    if (!old || old.view !== props.view) {
      this.#nodes = new Map(props.view.nodes.map((n) => [n.name, n]));
      // The picture changes only with the live instant. Roles at the cursor change the labels, which belong to it.
      if (
        !old ||
        old.view.live.t !== props.view.live.t ||
        old.view.run !== props.view.run ||
        rolesDiffer(old.view, props.view) ||
        old.view.totals !== props.view.totals
      )
        this.#mark('picture');
    }
    const isSame =
      old &&
      SHOWN.every((name) => old[name] === props[name]) &&
      old.viewport.from === props.viewport.from &&
      old.viewport.to === props.viewport.to;
    if (!isSame) this.#mark('picture');
    this.#mark('cursor');
    this.slider.update(props.view, props.now);
  }

  /**
   * @param {number} factor > 1 shows less time
   * @param {Nanos} [aboutT] default: the cursor if it is on screen, else the middle
   */
  zoomBy(factor, aboutT) {
    const p = this.#props;
    if (!p) return;
    const { from, to } = p.viewport;
    const about = aboutT ?? (p.now >= from && p.now <= to ? p.now : (from + to) / 2);
    this.#show(zoomViewport(p.viewport, factor, about, p.view.end));
  }

  /** @param {number} fraction of the width; positive looks later */
  panBy(fraction) {
    if (this.#props) this.#show(panViewport(this.#props.viewport, fraction, this.#props.view.end));
  }

  /** Selects the next lane, or the one before. @param {1|-1} by */
  lane(by) {
    const lanes = this.#lanes;
    if (lanes.length === 0) return;
    const node = this.#props?.selection?.node;
    const at = lanes.findIndex((l) => l.node === node);
    const next = at < 0 ? (by > 0 ? 0 : lanes.length - 1) : Math.min(lanes.length - 1, Math.max(0, at + by));
    const g = this.#layout?.g;
    if (g) {
      const y = next * g.laneHeight;
      this.#scrollTo(Math.min(y, Math.max(this.#scroll, y + g.laneHeight - g.lanes.h)));
    }
    this.callbacks.onSelect({ kind: 'node', node: lanes[next].node, index: lanes[next].index });
  }

  /**
   * Shows a viewport at once and reports it: further steps of the same gesture build on it, not on the props of the
   * last frame.
   * @param {Viewport} v
   */
  #show(v) {
    const p = this.#props;
    if (!p || (v.from === p.viewport.from && v.to === p.viewport.to)) return;
    this.#props = { ...p, viewport: v };
    this.#mark('picture');
    this.callbacks.onViewport(v);
  }

  /** @param {number} dy */
  #scrollBy(dy) {
    const before = this.#scroll;
    this.#scrollTo(this.#scroll + dy);
    return this.#scroll !== before;
  }

  /** @param {number} y */
  #scrollTo(y) {
    const g = this.#layout?.g;
    if (!g) return;
    this.#scroll = Math.max(0, Math.min(y, g.laneTotal - g.lanes.h));
    this.#mark('picture');
  }

  /** @param {'picture'|'cursor'|'size'|'colors'} what */
  #mark(what) {
    this.#dirty[what] = true;
    this.frames.want(this.#draw);
  }

  #draw = () => {
    const p = this.#props;
    if (!p) return;
    const dirty = this.#dirty;
    this.#dirty = { picture: false, cursor: false, size: false, colors: false };
    if (dirty.size) this.#measure();
    if (dirty.colors || !this.#palette) {
      this.#palette = readPalette(this.root);
      this.#hatches.clear();
    }
    if (this.#size.width < 40) return;
    if (dirty.size || dirty.colors || dirty.picture || !this.#layout) this.#drawPicture(p);
    const l = this.#layout;
    if (l)
      drawCursor(this.#brush(this.top), l, toX(l.scale, p.now), toX(l.overview.scale, Math.min(p.now, p.view.live.t)));
  };

  /** @param {Props} p */
  #drawPicture(p) {
    this.#order(p);
    // New data needs a scan of all points. While time passes, the nodes' countdowns are enough.
    if (this.#ramp.run !== p.view.run) this.#ramp = { run: p.view.run, top: 0, of: null };
    const fresh = this.#ramp.of !== p.timeline;
    this.#ramp.top = rampTop(fresh ? p.timeline : null, p.view, this.#ramp.top);
    this.#ramp.of = p.timeline;
    const l = layout({
      ...p,
      ...this.#size,
      lanes: this.#lanes,
      narrow: this.narrow.matches,
      resource: this.resourceRow && p.timeline?.resource !== undefined,
      scroll: this.#scroll,
      rampTop: this.#ramp.top,
      server: this.#server,
      flags: this.#flags.at,
      covered: this.#flags.words,
      measure: (text, bold = false, px = 13) => this.#measureText(text, bold, px),
    });
    this.#layout = l;
    this.#scroll = Math.max(0, Math.min(this.#scroll, l.g.laneTotal - l.g.lanes.h));
    const brush = this.#brush(this.base);
    draw(brush, l);
    for (const overlay of this.overlays) overlay(brush, l, p);
    this.labels.update(l, this.#lanes, this.#nodes, p.view.cursor.t);
    this.marks.update(l);
    this.#askForHeight(l);
    this.summary?.update(p.overview ?? p.timeline, p.view);
    this.root.toggleAttribute('data-scrolls', l.g.laneTotal > l.g.lanes.h);
    this.slider.el.style.cssText = placeStyle(l.scale.x - 8, 0, l.scale.w + 16, l.g.ruler.h);
    this.#placeFilter(l);
  }

  #measure() {
    // If styles zoom the page, it has more pixels than it reports.
    const zoom = zoomOf(this.root);
    const dpr = Math.min(4, (devicePixelRatio || 1) * zoom);
    const width = this.root.clientWidth;
    const height = this.root.clientHeight;
    this.#size = { width, height, dpr, zoom };
    for (const c of [this.base, this.top]) {
      c.width = Math.round(width * dpr);
      c.height = Math.round(height * dpr);
    }
    // Hatches depend on the resolution.
    this.#hatches.clear();
  }

  /** @param {HTMLCanvasElement} c */
  #brush(c) {
    const ctx = /** @type {CanvasRenderingContext2D} */ (c.getContext('2d'));
    const { dpr } = this.#size;
    ctx.setTransform(dpr, 0, 0, dpr, 0, 0);
    return { ctx, p: /** @type {Palette} */ (this.#palette), hatches: this.#hatches, dpr };
  }

  /** Tells the styles how high the picture would like to be. @param {Layout} l */
  #askForHeight({ g, network }) {
    if (this.#lanes.length === 0) return; // not known yet: the styles expect three
    const levels = network.reduce((most, { level }) => Math.max(most, level + 1), 0);
    const rows = { lanes: this.#lanes.length, narrow: g.narrow, networkLevels: levels, resource: g.resource.h > 0 };
    const height = idealHeight({ ...rows, server: g.server.h > 0 });
    if (height === this.#ideal) return;
    this.#ideal = height;
    this.root.style.setProperty('--ideal', `${height}px`);
  }

  /** @param {string} text @param {boolean} bold @param {number} px */
  #measureText(text, bold, px) {
    const key = `${bold ? '*' : ''}${px} ${text}`;
    let w = this.#widths.get(key);
    if (w === undefined) {
      // Lengths that change every frame must not fill the memory.
      if (this.#widths.size > 2000) this.#widths.clear();
      const ctx = /** @type {CanvasRenderingContext2D} */ (this.base.getContext('2d'));
      ctx.font = `${bold ? '600 ' : ''}${px}px ${this.#palette?.font ?? 'sans-serif'}`;
      w = ctx.measureText(text).width;
      this.#widths.set(key, w);
    }
    return w;
  }

  /**
   * A few lanes keep the order of joining. Many lanes form groups by role, and only matches of the filter show. Sorting
   * ten thousand lanes takes longer than a frame, so it happens only when a role, the data or the filter has changed.
   * @param {Props} p
   */
  #order(p) {
    if (!this.#unsorted) return;
    this.#unsorted = false;
    const lanes = p.timeline?.lanes ?? [];
    this.filter.hidden = lanes.length <= MANY;
    if (lanes.length <= MANY) {
      this.#lanes = lanes;
      return;
    }
    const needle = this.#filter.trim().toLowerCase();
    const ranked = [];
    for (const lane of lanes) {
      const role = this.#nodes.get(lane.node)?.role ?? roleAt(lane, p.view.cursor.t);
      if (needle !== '' && !lane.node.toLowerCase().includes(needle) && !role.includes(needle)) continue;
      const rank = ROLE_ORDER.indexOf(role);
      ranked.push({ lane, rank: rank < 0 ? ROLE_ORDER.length : rank });
    }
    ranked.sort((a, b) => a.rank - b.rank || a.lane.index - b.lane.index);
    this.#lanes = ranked.map((r) => r.lane);
  }

  /** @param {string} text */
  #narrowTo(text) {
    this.#filter = text;
    this.#unsorted = true;
    this.#scroll = 0;
    this.#mark('picture');
  }

  /** @param {Layout} l */
  #placeFilter(l) {
    const x = l.g.narrow ? 0 : 8;
    const w = l.g.narrow ? 104 : l.g.gutter - 28;
    if (!this.filter.hidden) this.filter.style.cssText = placeStyle(x, 0, w, l.g.ruler.h);
  }
}

/** @param {View} a @param {View} b */
function rolesDiffer(a, b) {
  if (a.nodes.length !== b.nodes.length || a.change?.index !== b.change?.index) return true;
  return a.nodes.some((n, i) => n.roleWord !== b.nodes[i].roleWord || n.role !== b.nodes[i].role);
}
