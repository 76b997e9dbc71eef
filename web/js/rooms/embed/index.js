/**
 * The page inside another page: headline, plot, play, one act, and a link to the whole page. Until the reader touches
 * it, it shows the recorded run, or a poster if the address names a different run, and it loads neither the desk nor
 * the engine.
 *
 * The address: ?embed, then # and what to open, as on the whole page. Further parameters: `host`, the origin that may
 * send messages (host.js); `act`, what the button does; and `theme`, light or dark.
 */

import { effect, signal } from '@preact/signals-core';
import { html, nothing } from 'lit-html';
import { set } from '../../lib/control.js';
import { formatInstant } from '../../lib/format.js';
import { panel } from '../../lib/panel.js';
import { decodeLink, isPlain } from '../../lib/share.js';
import { loadStyles } from '../../lib/styles.js';
import { waitUntil } from '../../lib/until.js';
import { actLabel, actOf, refusalOf } from '../../page/commands.js';
import { STORY_FROM, STORY_UNTIL } from '../../page/opening.js';
import { inTurn, newsOf, originOf, reader, reportOf } from './host.js';
import { incidentOf, posterOf, posterOfLesson, posterTemplate } from './poster.js';
import { obey } from './verbs.js';

/** @import { Run } from '../../page/actions.js' */
/** @import { LessonLink } from '../../lib/share.js' */
/** @import { Lab } from '../../page/lab.js' */
/** @import { State } from '../../page/state.js' */
/** @import { Poster } from './poster.js' */

/** @typedef {Awaited<ReturnType<typeof open>>} Embed */
/** @typedef {{state: State, lab: Lab, run: Run}} Page */

/** The values of `act` with their commands. */
const ACTS = new Map(Object.entries({ crash: 'crash', pause: 'pauseNode', cut: 'cut', stop: 'stop' }));

/** The parameters that only an embed reads. */
const OWN = ['embed', 'host', 'act', 'theme'];

/** @param {Page} page */
export async function open(page) {
  const { state, lab } = page;
  await loadStyles(lab.assets.embed);
  document.documentElement.dataset.embed = 'run';
  const query = new URLSearchParams(location.search);
  const theme = query.get('theme');
  if (theme === 'light' || theme === 'dark') state.theme.value = theme;

  /** @type {LessonLink | undefined} */
  let lesson;
  return {
    /**
     * What a link opens; undefined for the recorded run from its start, because the page already has a still of it.
     * @param {string} fragment
     */
    async decodeLink(fragment) {
      const linked = await incidentOf(await decodeLink(fragment), lab.assets.scenarios);
      lesson = linked?.lesson;
      const { scenario, seed } = lab.opening.frames[0];
      const recorded = linked?.scenario === scenario && isPlain(linked, seed) && linked.live.t === 0;
      return recorded ? undefined : linked;
    },
    /** Draws the frame around the run. Resolves when the reader or the host first wants to use the run. */
    async waitForTouch() {
      const isTouched = signal(false);
      const touch = () => set(isTouched, true);
      if (lesson) document.documentElement.dataset.embed = 'lesson';
      const poster = lesson
        ? await posterOfLesson(lesson, lab.assets.lessons)
        : lab.linked && (await posterOf(lab.linked, lab.assets.scenarios));
      // Until then, the page shows another run than the address names.
      const isOpen = () => !poster || state.phase.value !== 'opening';
      const alone = self.origin === 'null';
      if (alone) lab.fail('', SANDBOXED);
      drawBar(page, { poster, isOpen, touched: isTouched, command: ACTS.get(query.get('act') ?? '') ?? 'crash' });
      for (const type of ['click', 'keydown']) addEventListener(type, (event) => wantsRun(event) && touch(), true);
      if (window.parent !== window) answerHost(page, query.get('host'), { touch, isOpen });
      await waitUntil(() => isTouched.value && !alone);
    },
  };
}

/**
 * Continues to play. If the page shows the still image, it plays the story that leads up to that image. @param {Lab}
 * lab
 */
async function play(lab) {
  if (lab.touched || lab.state.view.value.cursor.t !== lab.opening.why.change.at) return lab.play();
  await lab.seek({ t: STORY_FROM, n: -1 });
  await lab.change('play', { speed: lab.state.speed.value, until: STORY_UNTIL });
}

/** A frame without its own origin cannot start a worker. */
const SANDBOXED =
  'The simulator cannot run here: the sandbox of this frame lacks allow-same-origin. ' +
  'You can still watch this recorded run.';

/** Modifier keys, and the key that moves to the next control. */
const PASSING = ['Tab', 'Shift', 'Control', 'Alt', 'Meta'];

/** Whether the reader wants to use the run, rather than just passing over it. @param {Event} event */
function wantsRun(event) {
  if (event instanceof KeyboardEvent && PASSING.includes(event.key)) return false;
  return !(/** @type {Element} */ (event.target).closest('a'));
}

/** The address of the whole page. @param {string} hash what it opens */
function pageAddress(hash) {
  const address = new URL(location.href);
  address.hash = hash;
  for (const name of OWN) address.searchParams.delete(name);
  return address.href;
}

/**
 * Draws the bar under the plot, and the poster over everything until the address's run is open.
 * @param {Page} page
 * @param {{poster: Poster | undefined, isOpen: () => boolean, touched: {readonly value: boolean}, command: string}} how
 */
function drawBar({ state, lab, run }, { poster, isOpen, touched, command }) {
  const { progress, view, target, hello } = state;
  const place = document.createElement('section');
  place.id = 'embed';
  place.setAttribute('aria-label', 'Time and acts');
  document.querySelector('main')?.append(place);

  async function start() {
    await waitUntil(isOpen);
    if (!poster?.lesson && view.value.cursor.t === 0) await lab.play();
  }
  // The link opens the whole page at this instant, because the address follows the run; a lesson opens at its start.
  const first = location.hash;
  const linkHash = () => (poster?.lesson ? first : location.hash);
  const aim = (/** @type {Event} */ { currentTarget }) => {
    /** @type {HTMLAnchorElement} */ (currentTarget).href = pageAddress(linkHash());
  };
  const link = () =>
    html`<a href=${pageAddress(linkHash())} target="_blank" rel="noopener" @pointerenter=${aim} @focus=${aim}
      @click=${aim}>Open in leaselab</a>`;

  panel(place, () => {
    if (poster && !isOpen()) {
      const loading = { started: touched.value, progress: progress.value, bytes: lab.assets.module.bytes };
      return posterTemplate(poster, loading, start, link());
    }
    const { playing, undo, cursor } = view.value;
    const act = actOf(command, view.value, target.value);
    const refusal = refusalOf(view.value, target.value, act);
    return html`<div class="embed-bar">
      <button type="button" class="play" @click=${() => (playing ? lab.pause() : play(lab))}><span
        aria-hidden="true">${playing ? '❚❚' : '▶'}</span> ${playing ? 'Pause' : 'Play'}</button>
      <output class="readout" aria-live="off">${formatInstant(cursor.t)}</output>
      <button type="button" class="icon" aria-label=${`Undo: ${undo}`} title=${`Undo: ${undo}`} ?hidden=${!undo}
        @click=${() => run('undo')}>↶</button>
      <button type="button" class="act" aria-disabled=${refusal ? 'true' : 'false'} title=${refusal || nothing}
        @click=${() => run(command)}>${actLabel(hello.value.acts, act, target.value)}</button>
      ${link()}
    </div>`;
  });
}

/**
 * Answers the page around the frame.
 * @param {Page} page
 * @param {string | null} named the origin in the address
 * @param {{touch: () => void, isOpen: () => boolean}} on
 */
function answerHost({ state, lab }, named, { touch, isOpen }) {
  const log = (/** @type {string} */ sentence) => console.warn(sentence);
  const host = originOf(named);
  if (named && !host)
    log(`leaselab accepts no messages: “${named}” is not an origin. Write it as https://docs.example.com.`);
  const tell = (/** @type {string} */ event, more = {}) => {
    if (host) window.parent.postMessage({ leaselab: event, ...more }, host);
  };

  const take = inTurn(async (request) => {
    touch();
    const why = await obey({ state, lab, isOpen, play: () => play(lab) }, request);
    if (why) tell('refused', { verb: request.verb, why });
  });
  addEventListener('message', reader({ host, parent: window.parent, take, log }));
  tell('ready');

  let news = '';
  effect(() => {
    const report = reportOf(state.view.value, state.phase.value);
    if (!isOpen() || newsOf(report) === news) return;
    news = newsOf(report);
    tell('state', report);
  });
}
