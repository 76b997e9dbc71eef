/** The marks of the timeline with their meaning: three on the first visit, all of them in the help. */
import { html, svg } from 'lit-html';

/**
 * A mark of the timeline in a box of 20 by 14: a line and a filled area.
 * @typedef {{line?: string, area?: string, text?: string, tone?: "fault" | "bad", means: string}} Mark
 */

/** @type {Mark[]} */
export const MARKS = [
  { line: 'M4 1V13M10 7V13M16 1V13', means: 'a request; tall: a write' },
  { line: 'M1 2L19 11', area: 'M1 2L19 11V13H1Z', means: 'the time left, as the node sees it' },
  { line: 'M1 1H19V13H1ZM1 9L9 1M3 13L15 1M11 13L19 5', means: 'nobody leads' },
  { line: 'M7.5 2H12.5V13H7.5Z', means: 'a write refused with a conflict: another write came first' },
  { text: '!', means: 'a request answered with an error' },
  { line: 'M10 13V7L6 1M10 7L14 1', means: 'a request without an answer: lost, or timed out' },
  { line: 'M10 1V8M10 13A2.5 2.5 0 1 1 10 8A2.5 2.5 0 1 1 10 13', means: 'a request not answered yet' },
  { line: 'M2 6V3H18V6M4 8V13M10 8V13M16 8V13', means: 'requests of one call: the client asked again' },
  { area: 'M1 1H19V13H1Z', tone: 'fault', means: 'a fault lasts: a paused process, or messages that fail' },
  { line: 'M10 2A5 5 0 1 1 9.99 2M8 5L12 9M12 5L8 9', tone: 'fault', means: 'a fault begins' },
  { area: 'M1 1H19V13H1Z', tone: 'bad', means: 'the node has lost the Lease and still works' },
  {
    line: 'M3 2H17A2 2 0 0 1 19 4V10A2 2 0 0 1 17 12H3A2 2 0 0 1 1 10V4A2 2 0 0 1 3 2',
    tone: 'bad',
    means: 'two lead',
  },
  { line: 'M6 2V12M9 2V12', means: 'a paused leader: no work' },
  { line: 'M10 3L14 7L10 11L6 7Z', means: 'an observation: a broken rule that does not count as a violation' },
];

/** @param {Mark[]} marks */
export const marksTemplate = (marks) =>
  html`<dl class="marks" aria-label="Legend">${marks.map(
    ({ line, area, text, tone = 'plain', means }) =>
      html`<div data-tone=${tone}><dt><svg viewBox="0 0 20 14" aria-hidden="true">${svg`
      <path class="area" d=${area ?? ''} /><path d=${line ?? ''} /><text x="10"
        y="12">${text ?? ''}</text>`}</svg></dt><dd>${means}</dd></div>`,
  )}</dl>`;
