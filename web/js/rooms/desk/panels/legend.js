/** The marks of the timeline with their meaning: three on the first visit, all of them in the help. */
import { html, svg } from 'lit-html';
import marks from './marks.json' with { type: 'json' };

/**
 * A mark of the timeline in a box of 20 by 14: a line and a filled area.
 * @typedef {{line?: string, area?: string, text?: string, tone?: "fault" | "bad", means: string}} Mark
 */

/** @type {Mark[]} */
export const MARKS = /** @type {any} */ (marks);

/** @param {Mark[]} marks */
export const marksTemplate = (marks) =>
  html`<dl class="marks" aria-label="Legend">${marks.map(
    ({ line, area, text, tone = 'plain', means }) =>
      html`<div data-tone=${tone}><dt><svg viewBox="0 0 20 14" aria-hidden="true">${svg`
      <path class="area" d=${area ?? ''} /><path d=${line ?? ''} /><text x="10"
        y="12">${text ?? ''}</text>`}</svg></dt><dd>${means}</dd></div>`,
  )}</dl>`;
