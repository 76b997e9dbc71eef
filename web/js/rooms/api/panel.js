/** The templates of the API tab: the line, the request, the answer, the exchanges. */

import { html, nothing } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { onSubmit, withOpen, withValue } from '../../lib/control.js';
import { formatInstant } from '../../lib/format.js';
import { optionsTemplate, pair, segmentsTemplate } from '../../lib/parts.js';
import { EDITOR_VERBS } from './draft.js';
import { shortTarget, sizeText, statusText } from './exchange.js';
import { RESOURCES } from './resources.js';
import { prettyJson } from './table.js';

/** @import { ShownExchange } from './exchange.js' */
/** @import { ApiObject } from './objects.js' */

/** What a line printed: columns, or a sentence. @typedef {{text: string, prose: boolean}} Block */
/**
 * @typedef {{id: string, verb: string, resource: string, target: string, headers: string, body: string, error: string,
 *   canForce: boolean, before?: ApiObject}} Draft
 */

/**
 * @param {{text: string, running: boolean, key: string}} shown
 * @param {{type: (text: string) => void, run: () => void, recall: (by: number) => void, stop: () => void}} on
 */
export function lineTemplate({ text, running, key }, on) {
  const keydown = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      event.preventDefault();
      on.recall(event.key === 'ArrowUp' ? -1 : 1);
    } else if (event.key === 'Escape') {
      event.stopPropagation();
      /** @type {HTMLElement} */ (event.target).blur();
    } else if (event.key === 'c' && event.ctrlKey && running && getSelection()?.isCollapsed) on.stop();
  };
  return html`<form class="api-line" @submit=${onSubmit(on.run)}>
    <label for="api-line">kubectl</label>
    <input id="api-line" type="text" placeholder="get leases -w" autocomplete="off" autocapitalize="off"
      spellcheck="false" enterkeyhint="go" aria-label="Command, as for kubectl" aria-keyshortcuts=${key || nothing}
      .value=${live(text)} @input=${withValue(on.type)} @keydown=${keydown} />
    ${running ? html`<button type="button" @click=${on.stop}>Stop</button>` : html`<button type="submit">Run</button>`}
  </form>`;
}

/**
 * @param {Draft} draft
 * @param {{note: string, method: string, sending: boolean}} shown
 * @param {{choose: (change: {verb?: string, resource?: string}) => void, type: (change: Partial<Draft>) => void,
 *   send: () => void, sendAnyway: () => void}} on
 */
export function requestTemplate(draft, { note, method, sending }, on) {
  const writes = method !== 'GET';
  const sendOn = (/** @type {(event: KeyboardEvent) => boolean} */ fits) => (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== 'Enter' || !fits(event)) return;
    event.preventDefault();
    on.send();
  };
  const keydown = sendOn(({ ctrlKey, metaKey }) => ctrlKey || metaKey);
  const offered = EDITOR_VERBS.filter((verb) => !verb.later || verb.id === draft.verb);
  const verbs = offered.map(({ id, label }) => [id, label]);
  const described = draft.error ? 'api-error' : nothing;
  return html`<form class="api-request" aria-label="Request" @submit=${onSubmit(on.send)}>
    <div class="api-row">
      <label><span class="visually-hidden">Verb</span>
        <select id="api-verb" @change=${withValue((verb) => on.choose({ verb }))}>
          ${optionsTemplate(verbs, draft.verb)}
        </select>
      </label>
      <label><span class="visually-hidden">Kind</span>
        <select id="api-kind" @change=${withValue((resource) => on.choose({ resource }))}>
          ${optionsTemplate(KINDS, draft.resource)}
        </select>
      </label>
      <button type="submit" class="primary">${sending ? 'Sending' : 'Send'}</button>
    </div>
    <div class="api-row api-path">
      <code class="api-method">${method}</code>
      <textarea id="api-target" rows="2" autocapitalize="off" spellcheck="false" enterkeyhint="send"
        aria-label="Path" aria-describedby=${described} .value=${live(draft.target)}
        @input=${withValue((target) => on.type({ target }))} @keydown=${sendOn(() => true)}></textarea>
    </div>
    <div class="api-row"><p class="mute api-note">${note}</p></div>
    ${
      draft.error
        ? html`<p class="field-error" id="api-error" role="alert">${draft.error}
            ${
              draft.canForce
                ? html`<button type="button" class="quiet" @click=${on.sendAnyway}>Send it anyway</button>`
                : nothing
            }</p>`
        : nothing
    }
    ${
      writes
        ? html`<label class="api-label" for="api-body">Body <span class="mute">JSON or YAML</span></label>
          <textarea id="api-body" rows=${Math.min(10, Math.max(4, draft.body.split('\n').length))} wrap="off"
            autocapitalize="off" spellcheck="false" aria-describedby=${described} .value=${live(draft.body)}
            @input=${withValue((body) => on.type({ body }))} @keydown=${keydown}></textarea>`
        : nothing
    }
    <details>
      <summary>Headers</summary>
      <textarea id="api-headers" rows="3" spellcheck="false" wrap="off" aria-label="Headers, one per line"
        .value=${live(draft.headers)} @input=${withValue((headers) => on.type({ headers }))}
        @keydown=${keydown}></textarea>
    </details>
  </form>`;
}

const KINDS = RESOURCES.map(({ name }) => pair(name));
const FORMATS = Object.entries({ lines: 'Lines', yaml: 'YAML', json: 'JSON', raw: 'Raw' });
const WHOSE = Object.entries({ all: 'All', nodes: 'Nodes', mine: 'Mine' });
const COPIES = Object.entries({ answer: 'the answer', curl: 'curl', yaml: 'YAML' });

/**
 * @param {ShownExchange | null} exchange
 * @param {{output: Block[] | null, format: string, formats: string[], text: string, lines: number, whole: boolean}}
 *   shown
 * @param {{format: (id: string) => void, edit: () => void, copy: (what: string) => void, stop: () => void,
 *   showWhole: () => void}} on
 */
export function answerTemplate(exchange, { output, format, formats, text, lines, whole }, on) {
  if (output !== null)
    return html`<div class="api-body"><div class="code" id="api-output" tabindex="0" role="region"
      aria-label="Output">${output.map(
        ({ text, prose }) => html`<pre data-prose=${prose ? 'true' : 'false'}>${text}</pre>`,
      )}</div></div>`;
  if (!exchange)
    return html`<p class="empty">Nothing sent yet. Choose a verb, then Send; type a command; or choose an exchange from
      the list.</p>`;
  const { who, index, ask, status, answer, at, took, open, streams, frames, outcome } = exchange;
  const failed = status >= 400 || status === 0;
  return html`
    <div class="api-head">
      <b class="letter" data-index=${index}>${who}</b>
      <code class="api-what"><b>${ask.method}</b> ${shortTarget(ask.target)}</code>
      <span class="api-status"
        data-failed=${failed ? 'true' : 'false'}>${streams && open ? 'watching' : statusText(status)}</span>
    </div>
    <p class="mute api-note">${formatInstant(at)}${took ? `, ${took}` : ''}${
      outcome && outcome !== 'ok' ? `, for the client: ${outcome}` : ''
    }${
      streams
        ? `, ${frames} ${frames === 1 ? 'frame' : 'frames'}${open ? '' : ', ended'}`
        : answer
          ? `, ${sizeText(answer.length)}`
          : ''
    }</p>
    <div class="api-tools">
      ${
        open
          ? html`<button type="button" class="primary" @click=${on.stop}>Stop</button>`
          : html`<button type="button" title="Put this request into the editor" @click=${on.edit}>Send again…</button>`
      }
      <span class="spacer"></span>
      ${segmentsTemplate(
        FORMATS.filter(([id]) => formats.includes(id)),
        { label: 'Format of the answer', chosen: format },
        on.format,
      )}
    </div>
    <div class="api-copies" role="group" aria-label="Copy">
      <span class="mute" aria-hidden="true">Copy</span>
      ${COPIES.map(
        ([id, label]) =>
          html`<button type="button" class="quiet" aria-label=${`Copy as ${label}`}
            @click=${() => on.copy(id)}>${label}</button>`,
      )}
    </div>
    <details><summary>On the wire</summary><pre class="code" tabindex="0"
      aria-label="Request, and headers of the answer">${wireText(exchange)}</pre></details>
    <div class="api-body" id="api-answer">
      ${
        text === ''
          ? html`<p class="empty">${
              status === 0 ? 'No answer so far.' : streams ? 'Nothing has changed yet.' : 'The answer has no body.'
            }</p>`
          : html`<pre class="code" tabindex="0" aria-label="Answer">${text}</pre>`
      }
      ${
        whole
          ? nothing
          : html`<p class="api-more">Only the first
            ${text.split('\n').length.toLocaleString('en')} of ${lines.toLocaleString('en')} lines.
            <button type="button" class="quiet"
              @click=${on.showWhole}>Show all</button></p>`
      }
    </div>
  `;
}

/** The exchange as sent and received, without the answer's body. @param {ShownExchange} exchange */
function wireText({ ask, status, headers }) {
  const request = [`${ask.method} ${ask.target}`, ...ask.headers, ...(ask.body ? ['', prettyJson(ask.body)] : [])];
  return [...request, '', statusText(status), ...headers].join('\n');
}

/**
 * @typedef {{id: string, t: number, who: string, index: number, what: string, failed: boolean, choose: () => void}}
 *   ExchangeRow
 */

/**
 * @param {ExchangeRow[]} rows newest first
 * @param {{current: string, which: string, at: number, open: boolean}} shown
 * @param {{choose: (which: string) => void, toggle: (open: boolean) => void}} on
 */
export function exchangesTemplate(rows, { current, which, at, open }, on) {
  return html`<details class="api-exchanges" ?open=${open} @toggle=${withOpen(on.toggle)}>
    <summary title=${`Up to ${formatInstant(at)}`}>Exchanges</summary>
    ${segmentsTemplate(WHOSE, { label: 'Whose exchanges', chosen: which }, on.choose)}
    ${
      rows.length === 0
        ? html`<p class="empty">${which === 'mine' ? 'You have sent nothing yet.' : 'No request so far.'}</p>`
        : html`<ol class="api-list">
          ${rows.map(
            (row) => html`<li data-index=${row.index}><button type="button" tabindex="-1"
              aria-current=${row.id === current ? 'true' : 'false'} @click=${row.choose}><span class="time"
              >${formatInstant(row.t)}</span><b class="letter">${row.who}</b><span class="text"
              data-failed=${row.failed ? 'true' : 'false'}>${row.what}</span></button></li>`,
          )}
        </ol>`
    }
  </details>`;
}
