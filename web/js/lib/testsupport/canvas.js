/** For tests: a canvas context that records each drawing call with the current colors and line style. */

/**
 * @typedef {{name: string, args: any[], fill: string, stroke: string, width: number, dash: number[], alpha: number}}
 *   Stroke
 */

/** A path that remembers its data. */
class Path2D {
  constructor(/** @type {string} */ data) {
    this.data = data;
  }
}

export function canvas() {
  // For each file anew: in a shared process the next file takes back the globals of the one before.
  Object.assign(globalThis, { Path2D });
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
    /** Every pin: an icon in the circle before it. @param {Record<string, string>} icons paths by name */
    pins: (icons) =>
      calls.flatMap(({ name, args: [path], stroke }, i) => {
        if (name !== 'stroke' || !(path instanceof Path2D)) return [];
        const circle = /** @type {Stroke} */ (calls.slice(0, i).findLast((one) => one.name === 'arc'));
        const [icon] = /** @type {[string, string]} */ (Object.entries(icons).find(([, data]) => data === path.data));
        return [{ icon, color: stroke, x: circle.args[0], y: circle.args[1] }];
      }),
    clear: () => calls.splice(0),
  };
}

/** A palette in which every color is its own name. */
export const palette = {
  ...{ card: 'card', paper: 'paper', sunk: 'sunk', ink: 'ink', mute: 'mute', edge: 'edge', line: 'line', on: 'on' },
  ...{ hatch: 'hatch', fault: 'fault', bad: 'bad', good: 'good', faultbg: 'faultbg', badbg: 'badbg', font: 'sans' },
  ids: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'],
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
