/**
 * A canvas context that writes SVG: as much of one as the drawing of the timeline uses, so that the SVG is the picture
 * that the canvas shows. Words are measured by a real context.
 */

/** @import { Hatches } from '../../page/timeline/palette.js' */

/** @type {Record<string, string>} */
const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** A text in an element or an attribute. XML holds no control characters. @param {string} text */
export const xml = (text) =>
  text
    .replace(/\p{Surrogate}/gu, '\ufffd')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML cannot hold
    .replace(/[\u0000-\u001f\u007f\ufffe\uffff]/g, ' ')
    .replace(/[&<>"']/g, (c) => ESCAPES[c]);

const round = (/** @type {number} */ n) => Math.round(n * 100) / 100;

/** What save keeps and restore brings back. */
const PEN = {
  fillStyle: '',
  strokeStyle: '',
  lineWidth: 1,
  globalAlpha: 1,
  font: '12px sans-serif',
  textAlign: 'left',
  dash: '',
  clipped: '',
};
/** @type {Record<string, string>} */
const ANCHORS = { center: 'middle', right: 'end' };

export class SvgPen {
  #pen = { ...PEN };
  /** @type {(typeof PEN)[]} */
  #saved = [];
  #path = '';
  #clips = 0;
  #top = 0;
  /** @type {string[]} */
  #out = [];
  /** @type {string[]} */
  #defs = [];
  /** @type {Map<string, string>} */
  #patterns = new Map();

  /** @param {(text: string, font: string) => number} measure */
  constructor(measure) {
    this.measure = measure;
    for (const name of Object.keys(PEN))
      Object.defineProperty(this, name, {
        get: () => this.#pen[/** @type {keyof typeof PEN} */ (name)],
        set: (value) => Object.assign(this.#pen, { [name]: value }),
      });
  }

  /** @param {number} width @param {number} height @param {string} title @param {string} family of fonts */
  text(width, height, title, family) {
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${xml(family)}" role="img">
<title>${xml(title)}</title>
<defs>${this.#defs.join('')}</defs>
${this.#out.join('\n')}
</svg>
`;
  }

  /** Patterns by name. @returns {Pick<Hatches, 'get' | 'pairs'>} */
  get hatches() {
    const pattern = (/** @type {string} */ key, /** @type {string} */ body) => {
      let id = this.#patterns.get(key);
      if (!id) {
        id = `hatch-${this.#patterns.size}`;
        this.#patterns.set(key, id);
        this.#defs.push(`<pattern id="${id}" patternUnits="userSpaceOnUse" ${body}</pattern>`);
      }
      return `url(#${id})`;
    };
    return {
      get: (_, colour, gap, line) =>
        pattern(
          `${colour}/${gap}/${line}`,
          `width="${gap}" height="${gap}" patternTransform="rotate(45)"><path d="M0 0V${gap}" stroke="${colour}" stroke-width="${line * 1.4}"/>`,
        ),
      pairs: (_, colour) =>
        pattern(
          `${colour}/pairs`,
          `width="14" height="14"><path d="M5 0V14M8.5 0V14" stroke="${colour}" stroke-width="1.5"/>`,
        ),
    };
  }

  save() {
    this.#saved.push({ ...this.#pen });
  }
  restore() {
    Object.assign(this.#pen, this.#saved.pop());
  }
  /** Only how far down: the drawing never turns. @param {number[]} matrix */
  setTransform(...matrix) {
    this.#top = matrix[5];
  }
  /** @param {number[]} lengths */
  setLineDash(lengths) {
    this.#pen.dash = lengths.join(' ');
  }
  /** @param {string} text */
  measureText(text) {
    return { width: this.measure(text, this.#pen.font) };
  }

  beginPath() {
    this.#path = '';
  }
  /** @param {number} x @param {number} y */
  moveTo(x, y) {
    this.#path += `M${round(x)} ${round(y + this.#top)}`;
  }
  /** @param {number} x @param {number} y */
  lineTo(x, y) {
    this.#path += `${this.#path ? 'L' : 'M'}${round(x)} ${round(y + this.#top)}`;
  }
  closePath() {
    this.#path += 'Z';
  }
  /** @param {number} x @param {number} y @param {number} w @param {number} h */
  rect(x, y, w, h) {
    this.moveTo(x, y);
    this.#path += `h${round(w)}v${round(h)}h${round(-w)}Z`;
  }
  /** @param {number} x @param {number} y @param {number} w @param {number} h @param {number} r */
  roundRect(x, y, w, h, r) {
    const arc = (/** @type {number} */ dx, /** @type {number} */ dy) => `a${r} ${r} 0 0 1 ${round(dx)} ${round(dy)}`;
    this.moveTo(x + r, y);
    this.#path += `h${round(w - 2 * r)}${arc(r, r)}v${round(h - 2 * r)}${arc(-r, r)}h${round(2 * r - w)}${arc(-r, -r)}v${round(2 * r - h)}${arc(r, -r)}Z`;
  }
  /** A whole circle. @param {number} x @param {number} y @param {number} r */
  arc(x, y, r) {
    this.moveTo(x - r, y);
    this.#path += `a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
  }

  clip() {
    const id = `clip-${this.#clips++}`;
    this.#defs.push(`<clipPath id="${id}"${this.#pen.clipped}><path d="${this.#path}"/></clipPath>`);
    this.#pen.clipped = ` clip-path="url(#${id})"`;
  }

  fill() {
    this.#draw(`<path d="${this.#path}"${this.#filled()}`);
  }
  stroke() {
    this.#draw(`<path d="${this.#path}" fill="none"${this.#stroked()}`);
  }
  /** @param {number} x @param {number} y @param {number} w @param {number} h */
  fillRect(x, y, w, h) {
    this.#draw(`<rect${this.#place(x, y)} width="${round(w)}" height="${round(h)}"${this.#filled()}`);
  }
  /** @param {number} x @param {number} y @param {number} w @param {number} h */
  strokeRect(x, y, w, h) {
    this.#draw(`<rect${this.#place(x, y)} width="${round(w)}" height="${round(h)}" fill="none"${this.#stroked()}`);
  }
  /** @param {string} text @param {number} x @param {number} y @param {number} [most] */
  fillText(text, x, y, most) {
    this.#write(text, x, y, this.#filled(), most);
  }
  /** @param {string} text @param {number} x @param {number} y */
  strokeText(text, x, y) {
    this.#write(text, x, y, `${this.#stroked()} fill="none"`);
  }

  /**
   * @param {string} text
   * @param {number} x
   * @param {number} y
   * @param {string} paint
   * @param {number} [most] its width at most
   */
  #write(text, x, y, paint, most) {
    if (!text) return;
    const [, bold, size] = /^(600 )?([\d.]+)px/.exec(this.#pen.font) ?? [];
    const anchor = ANCHORS[this.#pen.textAlign];
    const squeezed = most && this.measureText(text).width > most;
    this.#draw(
      `<text${this.#place(x, y)} font-size="${size}" dominant-baseline="central"${bold ? ' font-weight="600"' : ''}${anchor ? ` text-anchor="${anchor}"` : ''}${squeezed ? ` textLength="${round(most)}" lengthAdjust="spacingAndGlyphs"` : ''}${paint}`,
      `>${xml(text)}</text>`,
    );
  }

  /** @param {string} begun @param {string} [end] */
  #draw(begun, end = '/>') {
    const { globalAlpha, clipped } = this.#pen;
    this.#out.push(`${begun}${globalAlpha < 1 ? ` opacity="${globalAlpha}"` : ''}${clipped}${end}`);
  }
  /** @param {number} x @param {number} y */
  #place(x, y) {
    return ` x="${round(x)}" y="${round(y + this.#top)}"`;
  }
  #filled() {
    return ` fill="${this.#pen.fillStyle}"`;
  }
  #stroked() {
    const { strokeStyle, lineWidth, dash } = this.#pen;
    return ` stroke="${strokeStyle}" stroke-width="${lineWidth}"${dash ? ` stroke-dasharray="${dash}"` : ''}`;
  }
}
