/**
 * Compares two runs on one time axis: two timelines that share cursor and viewport, a number and a shape at each
 * difference, a list of the differences, and the totals side by side. The engine compares, and this room draws.
 */
import { effect, signal } from '@preact/signals-core';
import { html, nothing } from 'lit-html';
import { onSubmit } from '../../lib/control.js';
import { formatInstant } from '../../lib/format.js';
import { dialogHead, modal, newDialog } from '../../lib/modal.js';
import { when } from '../../lib/parts.js';
import { linkUrl } from '../../lib/share.js';
import { nearest, sideTemplate } from './choice.js';
import { differencesTemplate, settingsTemplate, summary, totalsTemplate } from './figures.js';
import { openPictures, viewportWith } from './pictures.js';

/** @import { Compared, Comparison, Side } from '../../protocol.js' */
/** @import { Page } from '../desk/index.js' */

/** @param {Pick<Page, "state" | "lab" | "notifier">} ports */
export function open({ state, lab, notifier }) {
  const sides = signal(/** @type {{a: Side, b: Side}} */ ({ a: {}, b: {} }));
  /** The two sides from a link. They may match none of the options. @type {{a?: Side, b?: Side}} */
  let given = {};
  const comparison = signal(/** @type {Comparison | null} */ (null));
  /** The index of the chosen difference. */
  const chosen = signal(-1);
  const message = signal('');
  const viewport = signal({ from: 0, to: 1 });
  const now = signal(0);
  /** Counts the requests, so that the room can drop late answers to older requests. */
  let turn = 0;

  const room = modal(newDialog('compare', 'Compare two runs'), contents);
  const currentPair = () => comparison.value && { comparison: comparison.value, chosen: chosen.value };
  /** @type {ReturnType<typeof openPictures> | undefined} */
  let drawPictures;
  // Draws once the dialog has created the canvases for the pictures.
  effect(() => {
    if (!currentPair() || !room.dialog.open) return;
    drawPictures ??= openPictures(room.dialog, currentPair, {
      go(t) {
        now.value = t;
      },
      step,
      show(to) {
        viewport.value = to;
      },
    });
    drawPictures(now.value, viewport.value);
  });

  /** Goes to the next or previous difference. @param {number} direction */
  function step(direction) {
    const all = comparison.value?.differences ?? [];
    const t = now.value;
    const found = direction > 0 ? all.findIndex((one) => one.t > t) : all.findLastIndex((one) => one.t < t);
    if (found >= 0) choose(found);
  }

  /** @param {number} k */
  function choose(k) {
    const difference = comparison.value?.differences[k];
    if (!difference) return;
    chosen.value = k;
    viewport.value = viewportWith(viewport.value, difference.t);
    now.value = difference.t;
    notifier.say(`${formatInstant(difference.t)}: ${difference.text}.`);
  }

  /** Compares the chosen runs. */
  async function ask() {
    const mine = ++turn;
    message.value = 'Comparing …';
    try {
      const answer = await lab.ask('compare', sides.value);
      if (mine !== turn) return;
      if (!('differences' in answer)) {
        message.value = 'The comparison was stopped. Choose a run to start again.';
        return;
      }
      message.value = '';
      chosen.value = -1;
      now.value = answer.differences.find((one) => one.kind === 'first')?.t ?? 0;
      viewport.value = { from: 0, to: Math.max(1, answer.to) };
      comparison.value = answer;
      notifier.say(summary(answer));
    } catch (error) {
      if (mine === turn) message.value = /** @type {Error} */ (error).message;
    }
  }

  async function copyLink() {
    if (!comparison.value) return;
    const compare = { a: comparison.value.a.side, b: comparison.value.b.side };
    const link = await linkUrl({ ...(await lab.share()), compare });
    if (!link)
      return notifier.notify('This link would be too long. Compare runs with fewer changes.', { tone: 'error' });
    await lab.copy(link, 'the link to this comparison');
    message.value = 'Copied: the link to this comparison.';
  }

  /** @param {"a" | "b"} name @param {string} label */
  function side(name, label) {
    const values = { name, label, side: sides.value[name], given: given[name] };
    return sideTemplate(
      { ...values, view: state.view.value, hello: state.hello.value },
      {
        change(side) {
          sides.value = { ...sides.value, [name]: side };
          ask();
        },
        refuse(sentence) {
          message.value = sentence;
        },
      },
    );
  }

  function contents() {
    const answer = comparison.value;
    const first = answer?.differences.findIndex((one) => one.kind === 'first') ?? -1;
    const runLine = (/** @type {Compared | undefined} */ run, /** @type {string} */ name) =>
      run ? html`<h3><b aria-hidden="true">${name}</b> ${run.title}</h3>` : nothing;
    return html`${dialogHead('Compare two runs', room.close)}
      <form class="compare-choice" @submit=${onSubmit(() => {})}>
        ${side('a', 'A')} ${side('b', 'B')}
        <button type="button" ?disabled=${!answer} @click=${copyLink}>Copy the link to this comparison</button>
      </form>
      <p class="compare-summary" role="status">${message.value || (answer ? summary(answer) : nothing)}
        ${when(
          message.value ? undefined : answer?.differences[first],
          ({ t }) => html`<button type="button" class="quiet" @click=${() => choose(first)}>First difference at
              ${formatInstant(t)}</button>`,
        )}
        ${answer ? html`<span class="mute">Cursor ${formatInstant(now.value)}</span>` : nothing}</p>
      <div class="compare-body" ?hidden=${!answer}>
        <div class="compare-runs">
          ${runLine(answer?.a, 'A')}
          <section data-run="a" aria-label="Timeline of A"></section>
          ${runLine(answer?.b, 'B')}
          <section data-run="b" aria-label="Timeline of B"></section>
        </div>
        ${when(
          answer,
          (known) => html`<div class="compare-figures">${settingsTemplate(known)} ${totalsTemplate(known)}
              ${known.same ? nothing : differencesTemplate(known, chosen.value, choose)}</div>`,
        )}
      </div>`;
  }

  return {
    /** Opens the dialog with two sides, by default the nearest comparison. @param {{a: Side, b: Side}} [two] */
    async show(two) {
      if (state.phase.value !== 'ready') return notifier.notify('The simulator is still loading.');
      if (state.view.value.playing) await lab.pause();
      given = two ?? {};
      sides.value = two ?? nearest(state.view.value);
      comparison.value = null;
      room.show();
      await ask();
    },
  };
}
