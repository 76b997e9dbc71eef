/**
 * The room "Embed it": the code of an iframe to copy. The visitor chooses what the iframe opens, what its button does
 * and which site may control it.
 */

import { computed, signal } from '@preact/signals-core';
import { html, nothing } from 'lit-html';
import { withValue } from '../../lib/control.js';
import { formatInstant } from '../../lib/format.js';
import { dialogHead, modal, newDialog } from '../../lib/modal.js';
import { optionsTemplate } from '../../lib/parts.js';
import { isText } from '../../lib/shape.js';
import { encodeLink, MAX_LINK } from '../../lib/share.js';
import { addressOf, originMistake, pictureOf, readable, snippetOf } from './snippet.js';

/** @import { Page } from '../desk/index.js' */

/**
 * A thing to open: the part of the address after "#", and its title.
 * @typedef {{id: string, label: string, title: string, link: string, still?: string}} Start still: the name of its
 *   picture, if the build draws one
 */

const TITLE = 'Embed it in a page';
/** What the host of this page must allow. */
const HOST =
  'The iframe stays empty if the host of this page forbids frames with frame-ancestors or X-Frame-Options. leaselab ' +
  'serve allows pages of this machine, and the origins that --embed-from names.';
const ACTS = { crash: 'Crash', pause: 'Pause', cut: 'Cut', stop: 'Stop' };

/**
 * @param {Pick<Page, "state" | "lab"> & {lessons: {titles: {readonly value: {number: number, title: string}[]},
 *   load: () => unknown}, step: () => {title: string, number: number, step: number, link: string} | undefined}} ports
 *   step: the visitor's place in a lesson
 */
export function open({ state, lab, lessons, step }) {
  const page = new URL('./', location.href).href;
  const run = signal(/** @type {Start[]} */ ([]));
  const ownStarts = signal(/** @type {Start[]} */ ([]));
  const learned = computed(() => [
    ...ownStarts.value,
    ...lessons.titles.value.map(({ number, title }) => ({
      id: `lesson ${number}`,
      label: `Lesson ${number}: ${title}`,
      title,
      link: `lesson=${number}`,
    })),
  ]);
  const chosen = signal({ opens: 'now', act: 'crash', host: '', width: '640', height: '360' });
  const { show, close } = modal(newDialog('snippet', TITLE), contents);

  /** The run at its current instant, and from its start. */
  async function takeRun() {
    const { title, cursor } = state.view.value;
    const share = await lab.share();
    const first = { t: 0, n: -1 };
    const start = { ...share, cursor: first, live: first, hash: '', selection: undefined };
    const short = readable(start);
    const both = { title, ...(short && isText(share.scenario) ? { still: share.scenario } : {}) };
    const [now, whole] = [readable(share) ?? (await encodeLink(share)), short ?? (await encodeLink(start))];
    run.value = [
      { ...both, id: 'now', label: `This run at ${formatInstant(cursor.t)}`, link: now },
      { ...both, id: 'start', label: 'This run from its beginning', link: whole },
    ];
  }

  /** Most likely the visitor means the step of the open lesson. */
  function takeStep() {
    const at = step();
    ownStarts.value = at
      ? [{ ...at, id: 'lesson step', label: `This step: lesson ${at.number}, step ${at.step}: ${at.title}` }]
      : [];
    if (at) choose('opens', 'lesson step');
    else if (chosen.value.opens === 'lesson step') choose('opens', 'now');
  }

  /** @param {string} name @param {string} value */
  function choose(name, value) {
    const { width, height } = chosen.value;
    // A lesson has text beside the plot.
    const room =
      value.startsWith('lesson') && `${width} ${height}` === '640 360' ? { width: '720', height: '480' } : {};
    chosen.value = { ...chosen.value, ...room, [name]: value };
  }
  const set = (/** @type {string} */ name) => withValue((value) => choose(name, value));

  const optionOf = (/** @type {Start} */ { id, label }) => [id, label];
  /** @param {string} label @param {Start[]} starts */
  const group = (label, starts) =>
    starts.length > 0
      ? html`<optgroup label=${label}>${optionsTemplate(starts.map(optionOf), chosen.value.opens)}</optgroup>`
      : nothing;

  /** @param {string} name */
  const size = (name) => html`<label>${name === 'width' ? 'Width' : 'Height'}
    <input name=${name} type="number" min="300" max="4000" .value=${chosen.value[/** @type {'width'} */ (name)]}
      @input=${set(name)} /></label>`;

  function contents() {
    const { opens, act, host, width, height } = chosen.value;
    /** @type {Start} */
    const start = [...run.value, ...learned.value].find(({ id }) => id === opens) ?? run.value[0];
    const choice = { ...start, act, host, width: Number(width) || 640, height: Number(height) || 360 };
    const mistake = originMistake(host);
    const tooLong = start.link.length > MAX_LINK;
    const text = snippetOf(page, choice);
    return html`${dialogHead(TITLE, close)}
      <form class="snippet" @submit=${(/** @type {Event} */ event) => event.preventDefault()}>
        <label>It opens
          <select name="opens"
            @change=${set('opens')}>
            ${group('This run', run.value)}${group('A lesson', learned.value)}</select></label>
        <label>Its button
          <select name="act" @change=${set('act')}>${optionsTemplate(Object.entries(ACTS), act)}</select></label>
        ${size('width')} ${size('height')}
        <label class="wide">Origin of your page, if it sends messages
          <input name="host" type="url" placeholder="https://docs.example.com" autocomplete="off" .value=${host}
            @input=${set('host')} aria-invalid=${mistake ? 'true' : 'false'}
            aria-describedby=${mistake ? 'snippet-error' : nothing} /></label>
        ${mistake ? html`<p class="field-error wide" id="snippet-error" role="alert">${mistake}</p>` : nothing}
      </form>
      ${
        tooLong
          ? html`<p class="field-error"
            role="alert">This run is too long for an address (${start.link.length.toLocaleString('en')} characters).
            Embed a lesson, or a run with fewer changes.</p>`
          : html`<textarea class="snippet-text" readonly rows="6" aria-label="HTML to copy" .value=${text}></textarea>
            <p class="snippet-do"><button type="button" class="primary" aria-disabled=${mistake ? 'true' : 'false'}
              @click=${() => mistake || lab.copy(text, 'the iframe')}>Copy the HTML</button>
              <a href=${addressOf(page, { ...choice, host: '' })} target="_blank" rel="noopener">Try it</a>
              <a href="./docs/embed.html" target="_blank" rel="noopener">Messages and policies</a></p>
            <p class="mute">${HOST}</p>
            ${
              start.still
                ? html`<p><button type="button" class="btn tint" @click=${() =>
                    lab.copy(pictureOf(page, start.still ?? '', choice), 'the picture with its link')}>Copy a picture
                  with a link instead</button> <span class="mute">The picture shows the whole run.</span></p>`
                : nothing
            }`
      }`;
  }

  return {
    async show() {
      lessons.load();
      await takeRun();
      takeStep();
      show();
    },
  };
}
