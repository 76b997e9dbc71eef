/**
 * Two runs on one time axis: two timelines that share the cursor and the view, their differences marked by number and
 * shape, what differs as a list, and the totals side by side. The engine compares; this draws.
 */
import { html, nothing } from 'lit-html';
import { formatInstant } from '../../lib/format.js';
import { dialogHead, modal, newDialog } from '../../lib/modal.js';
import { encodeLink, MAX_LINK } from '../../lib/share.js';
import { TimelineView } from '../../page/timeline/timeline.js';
import { choiceOf, optionsOf } from './choice.js';
import { glyphOf, markDifferences } from './marks.js';

/** @import { Comparison, Compared, Difference, Side } from '../../protocol.js' */

/** The nodes as they were at an instant: only what they were doing is known of it. @param {Compared} run @param {number} t */
function nodesAt({ view, timeline }, t) {
  return view.nodes.map((node) => {
    const spans = timeline.lanes.find((lane) => lane.index === node.index)?.spans ?? [];
    const role = spans.findLast((span) => span.from <= t && t <= span.to)?.role ?? 'waiting';
    return { ...node, role, roleWord: role, countdown: undefined };
  });
}

/** @param {{state: import('../../page/state.js').State, lab: import('../../page/lab.js').Lab, notifier: import('../../lib/notify.js').Notifier}} ports */
export function open({ state, lab, notifier }) {
  const { dialog, show, close, redraw: drawDialog } = modal(newDialog('compare', 'Compare two runs'), contents);
  /** @type {{a: Side, b: Side}} */
  let sides = { a: {}, b: {} };
  /** Sides that no option names: those of a link. @type {{a?: Side, b?: Side}} */
  let given = {};
  /** @type {Comparison | null} */
  let shown = null;
  let message = '';
  let viewport = { from: 0, to: 1 };
  let now = 0;
  let chosen = -1;
  /** The newest question; answers to older ones are dropped. */
  let asked = 0;
  /** @type {{a: TimelineView, b: TimelineView} | undefined} */
  let pictures;

  /** @param {"a" | "b"} which */
  function picture(which) {
    const view = new TimelineView(/** @type {HTMLElement} */ (dialog.querySelector(`[data-run="${which}"]`)), {
      onScrub: (to) => go(to),
      onSelect: (selection) => {
        if (selection?.cursor) go(selection.cursor.t);
        else if (selection?.from !== undefined) go(selection.from);
      },
      onViewport: (to) => {
        viewport = to;
        redraw();
      },
      onSpan: () => {},
      onStep: (direction) => step(direction),
    });
    view.overlays.add(
      markDifferences(
        which,
        () => shown?.differences ?? [],
        () => chosen,
      ),
    );
    return view;
  }

  /** @param {number} t */
  function go(t) {
    now = t;
    redraw();
  }

  /** To the next or previous difference. @param {number} direction */
  function step(direction) {
    const all = shown?.differences ?? [];
    const found = direction > 0 ? all.findIndex((one) => one.t > now) : all.findLastIndex((one) => one.t < now);
    if (found >= 0) choose(found);
  }

  /** @param {number} k */
  function choose(k) {
    const difference = shown?.differences[k];
    if (!difference) return;
    chosen = k;
    const width = viewport.to - viewport.from;
    if (difference.t < viewport.from || difference.t > viewport.to)
      viewport = { from: Math.max(0, difference.t - width / 2), to: Math.max(0, difference.t - width / 2) + width };
    now = difference.t;
    notifier.say(`${formatInstant(difference.t)}: ${difference.text}.`);
    draw();
  }

  function redraw() {
    if (!shown || !pictures) return;
    for (const which of /** @type {const} */ (['a', 'b'])) {
      const { view, timeline } = shown[which];
      const at = Math.min(now, view.edge.t);
      pictures[which].update({
        view: { ...view, nodes: nodesAt(shown[which], at), cursor: { t: at, n: -1 }, end: shown.to },
        timeline,
        overview: timeline,
        viewport,
        selection: null,
        now: at,
        theme: document.documentElement.dataset.theme ?? '',
      });
    }
    const clock = dialog.querySelector('.compare-now');
    if (clock) clock.textContent = formatInstant(now);
  }

  /** Asks for the comparison of what is chosen. */
  async function ask() {
    const mine = ++asked;
    message = 'Comparing …';
    draw();
    try {
      const answer = await lab.ask('compare', sides);
      if (mine !== asked) return;
      if (!('differences' in answer)) message = 'The comparison was stopped. Choose a run to begin again.';
      else {
        shown = answer;
        message = '';
        chosen = -1;
        now = answer.differences.find((one) => one.kind === 'first')?.t ?? 0;
        viewport = { from: 0, to: Math.max(1, answer.to) };
        notifier.say(summary(answer));
      }
    } catch (error) {
      if (mine !== asked) return;
      message = /** @type {Error} */ (error).message;
    }
    draw();
  }

  /** @param {Comparison} comparison */
  function summary({ same, differences, a, b }) {
    if (same) return `The same, event by event, up to ${formatInstant(Math.min(a.until, b.until))}.`;
    const first = differences.find((one) => one.kind === 'first');
    const count = differences.length === 1 ? '1 difference' : `${differences.length} differences`;
    return first ? `${count}, the first at ${formatInstant(first.t)}.` : `${count}.`;
  }

  /** @param {"a" | "b"} which @param {string} label */
  function sideTemplate(which, label) {
    const choice = choiceOf(sides[which], given[which]);
    const options = optionsOf(state.view.value, state.hello.value, given[which]);
    const seeded = sides[which].seed !== undefined && choice !== 'given';
    const change = (/** @type {any} */ event) => {
      const option = options.find((one) => one.value === event.target.value);
      if (!option) return;
      sides = { ...sides, [which]: option.side };
      ask();
    };
    const seed = (/** @type {any} */ event) => {
      const text = event.target.value.trim();
      if (!/^\d{1,16}$/.test(text) || Number(text) > Number.MAX_SAFE_INTEGER) {
        message = `The seed “${text}” must be a whole number from 0 to 9,007,199,254,740,991.`;
        draw();
        return;
      }
      sides = { ...sides, [which]: { ...sides[which], seed: Number(text) } };
      ask();
    };
    return html`<label>${label}
        <select name=${which} @change=${change}>${options.map((one) => html`<option value=${one.value} ?selected=${one.value === choice}>${one.label}</option>`)}</select></label>
      ${seeded ? html`<label>Seed <input name=${`seed-${which}`} inputmode="numeric" size="8" autocomplete="off" .value=${String(sides[which].seed)} @change=${seed} /></label>` : nothing}`;
  }

  /** @param {Compared} run @param {string} name */
  const runLine = (run, name) => html`<h3><b aria-hidden="true">${name}</b> ${run.title}</h3>`;

  /** @param {Comparison} comparison */
  function totalsTemplate({ totals, a, b }) {
    const cell = (/** @type {string} */ text, /** @type {boolean} */ better) =>
      html`<td>${text}${better ? html` <span class="better" title="the better one">✓<span class="visually-hidden"> better</span></span>` : nothing}</td>`;
    return html`<table>
      <caption>Totals</caption>
      <thead><tr><td></td><th scope="col" title=${a.title}>A</th><th scope="col" title=${b.title}>B</th><th scope="col">B − A</th></tr></thead>
      <tbody>${totals.map(
        (one) => html`<tr ?data-differs=${one.delta !== ''}>
          <th scope="row">${one.label}</th>${cell(one.a, one.better === 'a')}${cell(one.b, one.better === 'b')}<td>${one.delta || '='}</td>
        </tr>`,
      )}</tbody>
    </table>`;
  }

  /** @param {Comparison} comparison */
  function listTemplate({ differences }) {
    return html`<ol aria-label="Differences">${differences.map(
      (one, k) => html`<li>
        <button type="button" aria-pressed=${k === chosen ? 'true' : 'false'} @click=${() => choose(k)}>
          <span aria-hidden="true">${glyphOf(one)}</span>
          ${formatInstant(one.t)} ${one.text}${one.kind === 'first' ? html`<br /><span class="soft">A: ${one.textA}<br />B: ${one.textB}</span>` : nothing}
        </button>
      </li>`,
    )}</ol>`;
  }

  function contents() {
    const first = shown?.differences.findIndex((one) => one.kind === 'first') ?? -1;
    return html`${dialogHead('Compare two runs', close)}
      <form class="compare-choice" @submit=${(/** @type {SubmitEvent} */ event) => event.preventDefault()}>
        ${sideTemplate('a', 'A')} ${sideTemplate('b', 'B')}
        <button type="button" ?disabled=${!shown} @click=${copyLink}>Copy the link to this comparison</button>
      </form>
      <p class="compare-summary" role="status">${message || (shown ? summary(shown) : nothing)}
        ${!message && first >= 0 ? html`<button type="button" class="quiet" @click=${() => choose(first)}>First difference at ${formatInstant(shown?.differences[first].t ?? 0)}</button>` : nothing}
        ${shown ? html`<span class="soft">Cursor <span class="compare-now"></span></span>` : nothing}</p>
      <div class="compare-body" ?hidden=${!shown}>
        <div class="compare-runs">
          ${shown ? runLine(shown.a, 'A') : nothing}
          <section data-run="a" aria-label="Timeline of A"></section>
          ${shown ? runLine(shown.b, 'B') : nothing}
          <section data-run="b" aria-label="Timeline of B"></section>
        </div>
        ${shown ? html`<div class="compare-figures">${totalsTemplate(shown)} ${shown.same ? nothing : listTemplate(shown)}</div>` : nothing}
      </div>`;
  }

  function draw() {
    drawDialog();
    if (!shown) return;
    pictures ??= { a: picture('a'), b: picture('b') };
    redraw();
  }

  async function copyLink() {
    if (!shown) return;
    const compare = { a: shown.a.side, b: shown.b.side };
    const link = await encodeLink({ .../** @type {any} */ (await lab.share()), compare });
    if (link.length > MAX_LINK) {
      notifier.notify('This link would be too long: the runs hold too much.', { tone: 'error' });
      return;
    }
    await lab.copy(new URL(`#${link}`, location.href).href, 'The link to this comparison');
    message = 'The link to this comparison is in the clipboard.';
    draw();
  }

  return {
    /** Two sides, or what lies nearest: the branch before this one, else this run with another seed. @param {{a: Side, b: Side}} [two] */
    async show(two) {
      if (state.phase.value !== 'ready') {
        notifier.notify('The simulator is still loading.');
        return;
      }
      if (state.view.value.playing) await lab.pause();
      const { branches, branch, seed } = state.view.value;
      const visible = branches.filter((one) => !one.hidden);
      const parent =
        visible.find((one) => one.id === branches[branch].parent) ?? visible.find((one) => one.id !== branch);
      given = two ?? {};
      sides =
        two ??
        (parent ? { a: { branch: parent.id }, b: { branch } } : { a: { branch }, b: { branch, seed: seed + 1 } });
      shown = null;
      show();
      await ask();
    },
  };
}
