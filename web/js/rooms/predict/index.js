/**
 * Asks for a prediction. It makes a link that opens the run at the instant on screen. The rest of the run stays hidden
 * until the visitor has locked in a prediction.
 */
import { signal } from '@preact/signals-core';
import { html, nothing } from 'lit-html';
import { set, withValue } from '../../lib/control.js';
import { engineText, formatInstant, MS, roundUnits } from '../../lib/format.js';
import { dialogHead, modal, newDialog } from '../../lib/modal.js';
import { encodeLink, MAX_LINK, MAX_QUESTION, parseInstant } from '../../lib/share.js';
import { offerLonger } from '../../page/longer.js';
import { leaderNode } from '../../page/state.js';
import { sentence } from '../lesson/words.js';

/** @import { Predict } from '../../lib/share.js' */
/** @import { ChangeRef, Nanos } from '../../protocol.js' */
/** @import { Lab } from '../../page/lab.js' */
/** @import { Page } from '../desk/index.js' */
/** @import { Lessons } from '../desk/rooms.js' */

/** For how long a run continues after the prediction, if the page has shown nothing of that part yet. */
const AHEAD = 60e9;

/** The name of each question's sentence. @type {Record<Predict["ask"], string>} */
const ASKS = { when: 'askWhen', gap: 'askGap', leader: 'askLeader', two: 'askTwo' };

/** @typedef {{t: Nanos, words: string}} Instant words: what follows it */

/** @param {Pick<Page, "state" | "lab" | "run">} page */
export async function open({ state, lab, run }) {
  const title = sentence('askTitle');
  /**
   * The next leader change that the page has shown.
   * @type {import('@preact/signals-core').Signal<ChangeRef | undefined>}
   */
  const change = signal(undefined);
  /** At the end of a run nothing follows that a visitor could predict: earlier instants that do. */
  const instants = signal(/** @type {Instant[]} */ ([]));
  const ask = signal(/** @type {Predict["ask"]} */ ('leader'));
  const until = signal('');
  const words = signal('');
  const link = signal('');
  const wrong = signal('');
  const room = modal(newDialog('predict', title), template);
  const update = (/** @type {() => void} */ change) => {
    change();
    link.value = wrong.value = '';
  };

  /** @returns {Promise<string>} "" with the reason in `wrong` */
  async function make() {
    const { cursor, end } = state.view.peek();
    const at = parseInstant(until.value);
    if (at === undefined || at <= cursor.t || at > end) {
      const [from, to] = [cursor.t, end].map((t) => formatInstant(t));
      wrong.value = sentence('askRefused', { text: until.value, from, to });
      return '';
    }
    const { selection: _, ...share } = await lab.share();
    const text = words.value.trim();
    const index = change.peek()?.index;
    const subject = ['when', 'gap'].includes(ask.value) && index !== undefined ? { change: index } : {};
    const predict = { ask: ask.value, until: at, ...subject, ...(text ? { text } : {}) };
    const fragment = await encodeLink({ ...share, live: share.cursor, predict });
    if (fragment.length > MAX_LINK) {
      wrong.value = sentence('askTooLong', { length: fragment.length.toLocaleString('en') });
      return '';
    }
    return new URL(`#${fragment}`, location.href).href;
  }
  /** @param {(link: string) => unknown} use */
  const useLink = (use) => async () => {
    link.value ||= await make();
    if (link.value) use(link.value);
  };

  /** Goes to an instant, to ask there. @param {Nanos} t */
  async function askAt(t) {
    await lab.seek({ t, n: -1 });
    await prepare();
  }

  function template() {
    const { cursor, end } = state.view.peek();
    if (cursor.t >= end)
      return html`${dialogHead(title, room.close)}
        <p>${sentence('askEnded', { at: formatInstant(end) })}</p>
        <ul class="predict-asks">${instants.value.map(
          ({ t, words }) =>
            html`<li><button type="button" class="btn tint wide" @click=${() => askAt(t)}><b>${formatInstant(t)}</b>
              ${words}</button></li>`,
        )}</ul>`;
    const questions = /** @type {Predict["ask"][]} */ (Object.keys(ASKS)).filter(
      (one) => change.value || (one !== 'when' && one !== 'gap'),
    );
    return html`${dialogHead(title, room.close)}
      <p>${sentence('askWords', { at: formatInstant(cursor.t) })}</p>
      <form @submit=${(/** @type {Event} */ event) => event.preventDefault()}>
        <div role="radiogroup" aria-label=${sentence('askQuestion')} class="predict-asks">
          ${questions.map(
            (one) =>
              html`<label><input type="radio" name="ask" value=${one} .checked=${ask.value === one} @change=${() =>
                update(() => set(ask, one))} /> ${sentence(ASKS[one])}</label>`,
          )}
        </div>
        ${change.value ? nothing : html`<p class="mute">${sentence('askHint')}</p>`}
        <label>${sentence('askUntil')} <input name="until" autocomplete="off" .value=${until.value}
          aria-invalid=${wrong.value ? 'true' : 'false'} aria-describedby="predict-error" @input=${withValue((text) =>
            update(() => set(until, text)),
          )} /></label>
        <label>${sentence('askOwn')} <textarea name="words" rows="2" maxlength=${MAX_QUESTION} .value=${words.value}
          @input=${withValue((text) => update(() => set(words, text)))}></textarea></label>
      </form>
      <p id="predict-error" class="field-error" role="alert">${wrong.value}</p>
      <p>
        <button type="button" class="primary"
          @click=${useLink((at) => lab.copy(at, sentence('askLink')))}>${sentence('copyStep')}</button>
        <button type="button" @click=${useLink((at) => run('qrCode', at))}>${sentence('code')}</button>
      </p>`;
  }

  async function prepare() {
    const { cursor, live, end } = state.view.peek();
    const { changes, faults } = await lab.ask('timeline', { from: 0, to: Math.max(live.t, 1), widthPx: 0 });
    const later = changes.filter(({ index }) => index > 0);
    instants.value = [
      { t: 0, words: sentence('askStart') },
      ...faults
        .filter(({ from }) => from > 0)
        .map(({ from, text }) => ({ t: Math.max(0, from - 1e9), words: sentence('askBefore', { text }) })),
    ];
    change.value = later.find(({ at }) => at > cursor.t && at <= live.t);
    update(() => {
      ask.value = change.value ? 'when' : 'leader';
      until.value = engineText(roundUnits(live.t > cursor.t ? live.t : Math.min(end, cursor.t + AHEAD), MS) * MS);
    });
    room.redraw();
  }

  return {
    /**
     * Crashes the leader, and asks when the next one leads before the run goes on.
     * @param {Pick<Lessons, 'predict'> | undefined} lessons
     */
    async crash(lessons) {
      const leader = leaderNode(state.view.peek());
      if (!leader || !lessons) return;
      if (state.view.peek().playing) await lab.pause();
      const { outlook } = await lab.ask('settings');
      const { cursor, change: last, end } = state.view.peek();
      const until = cursor.t + outlook.failoverNs;
      const again = () => this.crash(lessons);
      if (until > end) return offerLonger(lab, 'The run ends before the next node leads.', until, again);
      /** Keeps the run at the crash. @type {NonNullable<Lab['guard']>} */
      const wait = async () => ({});
      lab.guard ??= wait;
      try {
        await lab.act('crash', leader);
        await lessons.predict({ ask: 'when', change: (last?.index ?? -1) + 1, until });
        if (state.projector.peek()) run('present');
      } finally {
        if (lab.guard === wait) lab.guard = undefined;
      }
    },
    async show() {
      if (state.view.peek().playing) await lab.pause();
      await prepare();
      room.show();
    },
  };
}
