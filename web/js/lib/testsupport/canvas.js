/** For tests: a canvas context that records each drawing call with the current colors and line style. */

/**
 * @typedef {{name: string, args: any[], fill: string, stroke: string, width: number, dash: number[], alpha: number}}
 *   Stroke
 */

export function canvas() {
  /** @type {Stroke[]} */
  const calls = [];
  /** @type {Record<string, any>} */
  const set = { fillStyle: '', strokeStyle: '', lineWidth: 1, globalAlpha: 1, canvas: { width: 800, height: 400 } };
  /** @type {number[]} */
  let dash = [];
  const own = /** @type {Record<string, Function>} */ ({
    measureText: (/** @type {string} */ words) => ({ width: words.length * 6 }),
    setLineDash: (/** @type {number[]} */ next) => {
      dash = next;
    },
    createPattern: () => null,
  });
  const ctx = /** @type {any} */ (
    new Proxy(set, {
      get: (_, /** @type {string} */ name) =>
        set[name] ??
        own[name] ??
        ((/** @type {any[]} */ ...args) => {
          calls.push({
            name,
            args,
            fill: set.fillStyle,
            stroke: set.strokeStyle,
            width: set.lineWidth,
            alpha: set.globalAlpha,
            dash,
          });
        }),
    })
  );
  const callsOf = (/** @type {string} */ name) => calls.filter((one) => one.name === name);
  return {
    ctx,
    calls,
    /** The calls of one method. */
    callsOf,
    /** Every text, in the order of the calls. */
    words: () => callsOf('fillText').map(({ args }) => String(args[0])),
    clear: () => calls.splice(0),
  };
}

/** A palette in which every color is its own name. */
export const palette = {
  ...{ panel: 'panel', paper: 'paper', chip: 'chip', ink: 'ink', soft: 'soft', edge: 'edge', line: 'line' },
  ...{ on: 'on', fault: 'fault', bad: 'bad', none: 'none', ids: ['a', 'b', 'c', 'd'], font: 'sans' },
};

/** A brush with such a context. The name of a hatch is its color. */
export function brush() {
  const pen = canvas();
  const hatches = /** @type {any} */ ({
    get: (/** @type {unknown} */ _, /** @type {{color: string}} */ { color }) => `hatch ${color}`,
    pairs: (/** @type {unknown} */ _, /** @type {string} */ color) => `pairs ${color}`,
  });
  return { ...pen, b: { ctx: pen.ctx, p: palette, hatches, dpr: 1 } };
}
