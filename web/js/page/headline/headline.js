/**
 * The headline over the timeline: what the picture says, in one sentence, and the sum that explains it. Its two lines
 * have their height from the start, so nothing below ever moves. It is not a live region: the page has one polite
 * status region, and a growing length would never be silent.
 */
import { formatSeconds } from '../../lib/format.js';

/** @import { Cursor, Headline, Nanos, View } from '../../protocol.js' */

/**
 * @typedef {object} HeadlineProps
 * @property {View} view
 * @property {Nanos} now
 * @property {number|null} [markedAddend]
 */
/**
 * @typedef {object} HeadlineCallbacks
 * @property {() => void} onWhy
 * @property {(index: number|null) => void} [onAddend] hover or focus
 * @property {(selection: {kind: 'event', cursor: Cursor}) => void} [onSelect] an addend was pressed: the event that explains it
 */

const ELAPSED = '{elapsed}';

export class HeadlineView {
  /** @type {Headline|null} */
  #shown = null;
  /** @type {Text|null} the part of the title that counts */
  #elapsed = null;
  #said = '';

  /** @param {HTMLElement} root @param {HeadlineCallbacks} callbacks */
  constructor(root, callbacks) {
    this.root = root;
    root.classList.add('headline');
    this.heading = document.createElement('h2');
    this.title = document.createElement('span');
    this.why = document.createElement('button');
    this.why.type = 'button';
    this.why.className = 'headline-why';
    this.why.addEventListener('click', () => callbacks.onWhy());
    this.heading.append(this.title, ' ', this.why);
    this.sum = document.createElement('p');
    this.sum.className = 'headline-sum';
    root.append(this.heading, this.sum);
    const addendOf = (/** @type {Event} */ e) => /** @type {HTMLElement} */ (e.target).closest('[data-addend]');
    const mark = (/** @type {Event} */ e, /** @type {boolean} */ on) => {
      const b = addendOf(e);
      if (b) callbacks.onAddend?.(on ? Number(b.getAttribute('data-addend')) : null);
    };
    this.sum.addEventListener('pointerover', (e) => mark(e, true));
    this.sum.addEventListener('pointerout', (e) => mark(e, false));
    this.sum.addEventListener('focusin', (e) => mark(e, true));
    this.sum.addEventListener('focusout', (e) => mark(e, false));
    this.sum.addEventListener('click', (e) => {
      const b = addendOf(e);
      const addend = b && this.#shown?.addends[Number(b.getAttribute('data-addend'))];
      if (addend) callbacks.onSelect?.({ kind: 'event', cursor: addend.cursor });
    });
  }

  /** @param {HeadlineProps} props */
  update({ view, now, markedAddend = null }) {
    const h = view.headline;
    if (!this.#shown || !same(this.#shown, h)) this.#build(h);
    this.#shown = h;
    if (this.#elapsed && h.sinceT !== undefined) {
      const said = formatSeconds(Math.max(0, now - h.sinceT), 1);
      if (said !== this.#said) this.#elapsed.data = said;
      this.#said = said;
    }
    for (const b of this.sum.children) {
      const on = b.getAttribute('data-addend') === String(markedAddend);
      if (b.hasAttribute('data-marked') !== on) b.toggleAttribute('data-marked', on);
    }
  }

  /** @param {Headline} h */
  #build(h) {
    this.root.dataset.kind = h.kind;
    this.#elapsed = null;
    this.#said = '';
    this.title.replaceChildren(...this.#titleParts(h));
    this.why.hidden = !h.question;
    this.why.textContent = h.question ?? '';
    this.sum.replaceChildren(
      ...h.addends.flatMap((a, i) => {
        const b = document.createElement('button');
        b.type = 'button';
        b.className = 'headline-addend';
        b.dataset.addend = String(i);
        b.textContent = `${a.shown} s ${a.text}`;
        return i === 0 ? [b] : [document.createTextNode(' + '), b];
      }),
    );
  }

  /**
   * The title with its length highlighted: the number is what the visitor should remember.
   * @param {Headline} h @returns {Node[]}
   */
  #titleParts(h) {
    const live = h.title.indexOf(ELAPSED);
    const found = live >= 0 ? null : /\d[\d.]* s\b/.exec(h.title);
    const at = live >= 0 ? live : found ? found.index : -1;
    if (at < 0) return [document.createTextNode(h.title)];
    const length = live >= 0 ? ELAPSED.length : /** @type {RegExpExecArray} */ (found)[0].length;
    const number = document.createElement('span');
    number.className = 'headline-number';
    const digits = document.createTextNode(h.title.slice(at, at + length));
    number.append(digits);
    if (live >= 0) this.#elapsed = digits;
    return [document.createTextNode(h.title.slice(0, at)), number, document.createTextNode(h.title.slice(at + length))];
  }
}

/** @param {Headline} a @param {Headline} b */
function same(a, b) {
  if (a === b) return true;
  return (
    a.title === b.title &&
    a.kind === b.kind &&
    a.question === b.question &&
    a.addends.length === b.addends.length &&
    a.addends.every(
      (x, i) => x.shown === b.addends[i].shown && x.text === b.addends[i].text && x.cursor.t === b.addends[i].cursor.t,
    )
  );
}
