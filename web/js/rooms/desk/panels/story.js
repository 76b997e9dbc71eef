/**
 * The story: in two sentences what the run shows now, the next sensible step as the one filled button, and then
 * questions that lead on. It follows the run.
 */
import { html, nothing } from 'lit-html';
import { formatSeconds } from '../../../lib/format.js';
import { icon } from '../../../lib/icons.js';

/** @import { Run } from '../../../page/actions.js' */
/** @import { Arrival } from '../../../page/arrival.js' */
/** @import { View } from '../../../protocol.js' */

/**
 * @typedef {object} Step
 * @property {string} words
 * @property {() => void} act
 * @property {string} [key]
 */
/** @typedef {{title: string, lines: unknown[], first?: Step, more?: Step[]}} Chapter */
/**
 * @typedef {{victim: string, key: string, watch: string, own: boolean, first: boolean, arrival?: Arrival | null}} Shown
 *   victim: the leader to crash, or ""; own: the watch is the summary of the visitor's file; first: nobody has acted in
 *   the opening run; arrival: the link that is still loading
 */
/** @typedef {{run: Run, act: (act: string, node: string) => unknown, forgetWatch: () => void}} On */

/** Questions that open a lesson: its number, and how far its picture shows the leader. */
const QUESTIONS = /** @type {const} */ ([
  [10, 'Can two lead at once with good clocks?', 0.58],
  [8, 'It was paused. Does it know that it lost?', 0.42],
  [3, 'Must all wait when the leader stops in good order?', 0.34],
]);

/** @param {View} view @param {Shown} shown @param {On} on */
export function storyTemplate(view, shown, on) {
  const { title, lines, first, more = [] } = chapterOf(view, shown, on);
  return html`
    ${
      shown.watch
        ? html`<p class="watch"><b>${shown.own ? 'About this run.' : 'What to watch.'}</b> ${shown.watch}
          <button type="button" class="btn icon-only" aria-label="Dismiss what to watch"
            @click=${on.forgetWatch}>${icon('close')}</button></p>`
        : nothing
    }
    <div class="chapter"><h2>${title}</h2>
    ${lines.filter(Boolean).map((line) => html`<p>${line}</p>`)}
    ${
      first
        ? html`<button type="button" class="btn primary wide" @click=${first.act}>${first.words}${
            first.key ? html`<kbd aria-hidden="true">${first.key}</kbd>` : nothing
          }</button>`
        : nothing
    }
    ${more.map(
      ({ words, act }) => html`<button type="button" class="btn tint wide" @click=${act}>${words}
        <span class="spacer"></span>${icon('forth')}</button>`,
    )}</div>
    <h3 class="label">${shown.first ? 'Or start from a question' : 'Questions'}</h3>
    ${QUESTIONS.map(
      ([
        number,
        words,
        led,
      ]) => html`<button type="button" class="question-card" @click=${() => on.run('lesson', number)}>
        ${curtainTemplate(led)}<span><b>${words}</b><small>Lesson ${number}, 3 min</small></span></button>`,
    )}
    <button type="button" class="question-card" @click=${() => on.run('museum')}>
      <span><b>It happened to us: ${__COUNTS__.incidents} real incidents</b
        ><small>each with the failing and the fixed run</small></span>${icon('forth')}</button>
    <button type="button" class="question-card" @click=${() => on.run('evidence')}>
      <span><b>What happened in your cluster?</b><small>open your own logs; nothing leaves this page</small></span
      >${icon('forth')}</button>`;
}

/** A run whose end stays behind a curtain until the reader has guessed it. @param {number} led share of the time */
const curtainTemplate = (led) => html`<svg class="curtain" viewBox="0 0 92 28" aria-hidden="true">
    <rect class="ground" width="92" height="28" rx="4" />
    <rect class="bar" y="5" width=${led * 92} height="8" rx="2" />
    <rect class="veil" x=${led * 92} width=${92 - led * 92} height="28" />
    <path d=${`M${led * 92} 0V28`} /><text x=${46 + led * 46} y="19">?</text>
  </svg>`;

/** @param {View} view @param {Shown} shown @param {On} on @returns {Chapter} */
function chapterOf(view, { victim, key, first, arrival }, { run, act }) {
  if (arrival) return { title: arrival.title, lines: [arrival.line, 'It opens as soon as the simulator has loaded.'] };
  const why = (/** @type {string} */ words) => ({ words, act: () => run('why') });
  const crash = { words: `Crash ${victim}`, act: () => act('crash', victim), key };
  const { headline, totals, record } = view;
  const predict = { words: `Crash ${victim} and predict`, act: () => run('predictCrash') };
  // Nothing on the page acts on the programs of a record, and it has no other run.
  const compare = record ? [] : [{ words: 'Compare it with another run', act: () => run('compare') }];
  const incidents = { words: 'Real incidents with two leaders', act: () => run('museum') };
  const lesson = record ? [] : [{ words: 'Lesson 8: it was paused', act: () => run('lesson', 8) }];
  const leader = view.nodes.find(({ role }) => role === 'leading')?.name ?? '';
  const paused = view.nodes.find((node) => node.paused && node.believes === 'I lead')?.name;
  const resume = paused && !record ? [{ words: `Resume ${paused}`, act: () => act('resume', paused) }] : [];
  if (first && victim)
    return {
      title: `Your turn: crash ${victim}.`,
      lines: [
        `You saw ${diedBefore(view, victim)} die. The others did not: they saw only a Lease that stopped changing.`,
        html`The rule: each waits a full lease duration after the last change it saw, then tries the next time it looks.
        <b>Crash ${victim}, and say when the next one will lead.</b>`,
      ],
      first: predict,
      more: [crash],
    };
  if (headline.kind === 'two')
    return {
      title: 'Two lead at once.',
      lines: [
        paused
          ? `${paused} is paused: it does no work, and cannot notice. When it resumes, it first believes that it leads.`
          : 'Each of them works, and each may write. The Lease names only one of them; the other has not noticed yet.',
        'This is what leader election must prevent.',
      ],
      first: why('Why did two lead?'),
      more: [...resume, incidents],
    };
  if (headline.kind === 'nobody')
    return {
      title: 'Nobody leads now.',
      lines: [
        'Nobody works. The others wait until the Lease has not changed for its whole duration. Then each looks again.',
      ],
      first: view.playing ? undefined : { words: 'Play on', act: () => run('playPause') },
      more: headline.question ? [why(headline.question)] : [],
    };
  if (paused)
    return {
      title: `${paused} is paused.`,
      lines: [
        'A paused process cannot notice that its time runs out. When it resumes, it still believes that it leads.',
      ],
      first: resume[0],
      more: totals.doubleNs > 0 ? [why('Why did two lead?'), ...lesson] : lesson,
    };
  if (totals.doubleNs > 0)
    return {
      title: `Two led for ${formatSeconds(totals.doubleNs)}.`,
      lines: ['For that time two believed that they led. See what led to it, and what would have prevented it.'],
      first: why('Why did two lead?'),
      more: [...compare, incidents],
    };
  if (headline.kind === 'gap' && leader) {
    const [longest] = [...headline.addends].sort((a, b) => b.ns - a.ns);
    return {
      title: `${leader} took over.`,
      lines: [
        `Nobody led for ${formatSeconds((headline.gapTo ?? 0) - (headline.gapFrom ?? 0))}.`,
        longest && `The longest part: ${longest.shown} s ${longest.text}.`,
      ],
      first: why(headline.question ?? 'Why so long?'),
      more: compare,
    };
  }
  return {
    title: leader ? `${leader} leads.` : 'Only one may work.',
    lines: [
      leader
        ? 'It renews the Lease again and again. The others read the Lease and wait until it stops changing.'
        : 'Copies of a program compete for the Lease. The first to write its name into it leads and works.',
    ],
    first: victim ? crash : undefined,
    more: victim ? [predict] : [],
  };
}

/** The node that is down. @param {View} view @param {string} victim */
const diedBefore = ({ nodes }, victim) =>
  nodes.find(({ name, role }) => name !== victim && role === 'down')?.name ?? 'the leader';
