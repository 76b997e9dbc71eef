/** The colors of tokens.css for the canvas, which reads them once per theme, not once per frame. */

/** Colors of the page by the names of their tokens. */
const NAMES = /** @type {const} */ ([
  ...['card', 'paper', 'sunk', 'ink', 'mute', 'edge', 'line', 'on', 'hatch'],
  ...['fault', 'bad', 'good', 'faultbg', 'badbg'],
]);
/** Identities, in the order of the nodes. */
const IDS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

/**
 * @typedef {{card: string, paper: string, sunk: string, ink: string, mute: string, edge: string, line: string,
 *   on: string, hatch: string, fault: string, bad: string, good: string, faultbg: string, badbg: string,
 *   ids: string[], font: string}} Palette font: a family
 */

/** @param {Element} el @returns {Palette} */
export function readPalette(el) {
  const css = getComputedStyle(el);
  // A script sees light-dark() as text, and a canvas does not know which scheme applies.
  const v = (/** @type {string} */ name) => {
    const value = css.getPropertyValue(`--${name}`).trim();
    const [, light, dark] = /^light-dark\((.*),\s*(.*)\)$/.exec(value) ?? [];
    return (css.colorScheme === 'dark' ? dark : light) ?? (value || 'CanvasText');
  };
  return /** @type {Palette} */ ({
    ...Object.fromEntries(NAMES.map((name) => [name, v(name)])),
    ids: IDS.map(v),
    font: css.fontFamily || 'sans-serif',
  });
}

/** @param {Palette} p @param {number} index of the node; −1: not a node of the run */
export function idColor(p, index) {
  return index < 0 ? p.mute : p.ids[Math.min(index, p.ids.length - 1)];
}

/** Diagonal hatching that does not swim when the picture scrolls. Each color and density makes its pattern once. */
export class Hatches {
  /** @type {Map<string, CanvasPattern>} */
  #patterns = new Map();

  clear() {
    this.#patterns.clear();
  }

  /**
   * @param {CanvasRenderingContext2D} ctx
   * @param {{color: string, gap: number, line: number, dpr: number}} how gap: between lines, px; line: its width, px
   * @returns {CanvasPattern|string}
   */
  get(ctx, { color, gap, line, dpr }) {
    return this.#tile(ctx, `${color}/${gap}/${line}/${dpr}`, { color, px: gap, dpr }, (c, size) => {
      c.lineWidth = line * dpr;
      for (const d of [-size, 0, size]) {
        c.moveTo(d - size, size * 2);
        c.lineTo(d + size * 2, -size);
      }
    });
  }

  /** Pairs of upright bars. @param {CanvasRenderingContext2D} ctx @param {string} color @param {number} dpr */
  pairs(ctx, color, dpr) {
    return this.#tile(ctx, `${color}/pairs/${dpr}`, { color, px: 14, dpr }, (c, size) => {
      c.lineWidth = 1.5 * dpr;
      for (const x of [5 * dpr, 8.5 * dpr]) {
        c.moveTo(x, 0);
        c.lineTo(x, size);
      }
    });
  }

  /**
   * @param {CanvasRenderingContext2D} ctx @param {string} key
   * @param {{color: string, px: number, dpr: number}} how px: the size of a tile
   * @param {(c: CanvasRenderingContext2D, size: number) => void} lines @returns {CanvasPattern|string}
   */
  #tile(ctx, key, { color, px, dpr }, lines) {
    const ready = this.#patterns.get(key);
    if (ready) return ready;
    const size = Math.max(2, Math.round(px * dpr));
    const tile = document.createElement('canvas');
    tile.width = size;
    tile.height = size;
    const c = /** @type {CanvasRenderingContext2D} */ (tile.getContext('2d'));
    c.strokeStyle = color;
    c.beginPath();
    lines(c, size);
    c.stroke();
    const pattern = ctx.createPattern(tile, 'repeat');
    if (!pattern) return color;
    pattern.setTransform(new DOMMatrix().scale(1 / dpr));
    this.#patterns.set(key, pattern);
    return pattern;
  }
}
