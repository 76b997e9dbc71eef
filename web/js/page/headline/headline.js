/**
 * The answer over the timeline: one sentence for what the picture shows, and under it the sum that explains it, as a
 * bar to scale with its words. The lines have their height from the start, so nothing below them moves. It is not a
 * live region: the page has one polite status region, and a growing length would never fall silent.
 */
import { html, nothing, render } from 'lit-html';
import { formatSeconds, roundUnits, secondsText } from '../../lib/format.js';

/** @import { Addend, Cursor, View } from '../../protocol.js' */

/** @typedef {{view: View, line: string, markedAddend?: number|null}} HeadlineProps line: what the run is about */
/**
 * @typedef {object} HeadlineCallbacks
 * @property {() => void} onWhy
 * @property {(index: number|null) => void} [onAddend] hover or focus
 * @property {(selection: {kind: 'event', cursor: Cursor}) => void} [onSelect] the visitor pressed an addend: selects
 *   the event that explains it
 */

/** A longer answer has smaller type, so that it and its question fit one line. */
const LONG = 34;

export class HeadlineView {
  /** @param {HTMLElement} root @param {HeadlineCallbacks} callbacks */
  constructor(root, callbacks) {
    this.root = root;
    this.callbacks = callbacks;
    root.classList.add('headline');
  }

  /** @param {HeadlineProps} props */
  update({ view, line, markedAddend = null }) {
    const { kind, title, question, sinceT } = view.headline;
    const { onWhy, onAddend, onSelect } = this.callbacks;
    this.root.dataset.kind = kind;
    // The countdown before a change of leader has the color of the leader that waited.
    this.root.dataset.index = String(view.nodes.find(({ role }) => role === 'leading')?.index ?? '');
    this.root.toggleAttribute('data-long', title.length > LONG);
    // The length in the title does what the question does. It is not a separate button, because keyboards and screen
    // readers have the question.
    const [, before, length, after] =
      /^(.*)(\{elapsed\})(.*)$/.exec(title) ?? /^(.*?)(\d[\d.]* s\b)(.*)$/.exec(title) ?? [];
    // Measured at the view's instant, as in the timeline's bar: two numbers for one length must not disagree.
    const elapsed = sinceT === undefined ? 0 : Math.max(0, view.cursor.t - sinceT);
    const lengthText = length === '{elapsed}' && sinceT !== undefined ? formatSeconds(elapsed, 1) : length;
    const addends = sinceT === undefined ? view.headline.addends : growing(view.headline.addends, elapsed);
    const unmark = () => onAddend?.(null);
    const partOf = (/** @type {Addend} */ { shown, text, cursor, counting }, /** @type {number} */ i) => {
      const mark = () => onAddend?.(i);
      return html`<button type="button" class="headline-addend" data-addend=${i} ?data-counting=${counting}
        ?data-marked=${i === markedAddend} @pointerenter=${mark} @pointerleave=${unmark} @focus=${mark} @blur=${unmark}
        @click=${() => onSelect?.({ kind: 'event', cursor })}><b>${shown} s</b> ${text}</button>`;
    };
    render(
      html`<h1><span>${
        length
          ? html`${before}<span class="headline-number" ?data-asks=${question}
            @click=${question ? onWhy : nothing}>${lengthText}</span>${after}`
          : title
      }</span>
        <button type="button" class="headline-why" ?hidden=${!question} @click=${onWhy}>${question ?? ''}</button></h1>
        <p class="headline-line">${line}</p>
        <div class="headline-scale" aria-hidden="true">${addends.map(
          ({ ns, counting }, i) =>
            html`<i data-addend=${i} ?data-counting=${counting} ?data-marked=${i === markedAddend}
              .style=${`flex-grow:${ns}`}></i>`,
        )}</div>
        <p class="headline-sum">${addends.map(partOf)}</p>`,
      this.root,
    );
  }
}

/** While a length grows, its last part grows with it. @param {Addend[]} parts @param {number} elapsed */
function growing(parts, elapsed) {
  let left = roundUnits(elapsed, 1e8) * 1e8;
  return parts.map((part, i) => {
    const ns = i + 1 < parts.length ? roundUnits(part.ns, 1e8) * 1e8 : Math.max(0, left);
    left -= ns;
    return { ...part, ns, shown: secondsText(ns, 1) };
  });
}
