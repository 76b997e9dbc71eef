/** Draws the API tab. Each part redraws when a signal that it shows has changed. */

import { computed, effect } from '@preact/signals-core';
import { html, render } from 'lit-html';
import { set } from '../../lib/control.js';
import { element } from '../../lib/element.js';
import { formatInstant } from '../../lib/format.js';
import { ARROWS, Roving } from '../../lib/roving.js';
import { rowsOf } from './exchanges.js';
import { answerTemplate, exchangesTemplate, lineTemplate, requestTemplate } from './panel.js';
import { prettyJson } from './table.js';

/** @import { Signal } from '@preact/signals-core' */
/** @import { SentRequest } from '../desk/client.js' */

/**
 * The note beside a request, which says what the request will do.
 * @param {Pick<import('../../protocol.js').View, "cursor" | "live">} view
 * @param {{phase: string, writes: boolean}} how
 */
export function noteOf({ cursor, live }, { phase, writes }) {
  const behind = cursor.t < live.t;
  if (phase === 'opening') return 'The request waits until the simulator has loaded.';
  if (writes && behind) return `The cursor is behind live: a write makes a branch at ${formatInstant(cursor.t)}.`;
  if (writes) return 'A write becomes part of the run: Undo removes it.';
  return `Reads the live API${behind ? `, at ${formatInstant(live.t)}` : ''}.`;
}

/**
 * @typedef {object} Units
 * @property {import('./requests.js').Requests} requests
 * @property {import('./answer.js').Answer} answer
 * @property {import('./editor.js').Editor} editor
 * @property {import('./lines.js').Lines} lines
 * @property {import('./exchanges.js').Exchanges} exchanges
 * @property {(json: string) => Promise<string>} yaml
 */

/**
 * @param {Pick<import('../desk/index.js').Page, "state" | "lab" | "notifier" | "select" | "currentTab" | "shortcut">}
 *   page
 * @param {Signal<SentRequest[]>} sent
 * @param {Units} units
 */
export function drawTab(page, sent, { requests, answer, editor, lines, exchanges, yaml }) {
  const { state, lab } = page;
  const say = (/** @type {string} */ sentence) => page.notifier.say(sentence);
  const showOwn = (/** @type {number} */ id) => {
    lines.hide();
    answer.showOwn(id);
  };

  const root = element('api');
  render(
    html`<h2 class="visually-hidden">API</h2>
      <div class="api-top"><div id="api-line-room"></div><div id="api-request-room"></div></div>
      <section id="api-answer-room" aria-label="Answer"></section>
      <section id="api-exchanges-room" aria-label="Exchanges"></section>`,
    root,
  );
  const isOpen = computed(() => page.currentTab() === 'api');
  /**
   * While the tab is open, redraws a part when a signal that it shows has changed.
   * @param {string} id
   * @param {() => unknown} template
   */
  const draw = (id, template) =>
    effect(() => {
      if (isOpen.value) render(template(), element(id));
    });

  draw('api-line-room', () => {
    const { text, isRunning } = lines;
    const type = (/** @type {string} */ typed) => set(text, typed);
    const on = { type, run: () => lines.run(), recall: lines.recall.bind(lines), stop: () => requests.stop() };
    return lineTemplate({ text: text.value, running: isRunning.value, key: page.shortcut('api') }, on);
  });

  /** The view changes with every frame, but the note changes rarely. */
  const note = computed(() => {
    const writes = editor.verb().method !== 'GET';
    return noteOf(state.view.value, { phase: state.phase.value, writes });
  });
  draw('api-request-room', () => {
    const { method } = editor.verb();
    const values = { note: note.value, method, sending: editor.isSending.value };
    return requestTemplate(editor.draft.value, values, {
      choose: (change) => editor.choose(change),
      type: (change) => editor.type(change),
      send: () => editor.send(),
      sendAnyway: () => editor.send(true),
    });
  });

  draw('api-answer-room', () => {
    const values = { output: lines.output.value, format: answer.format.value, formats: answer.formats.value };
    return answerTemplate(
      answer.current.value,
      { ...values, ...answer.shownText() },
      {
        format: (id) => set(answer.chosen, id),
        edit: () => {
          const { ask } = /** @type {import('./exchange.js').ShownExchange} */ (answer.current.value);
          editor.load({ ...ask, body: prettyJson(ask.body) });
          element('api-target').focus();
          say('The request is in the editor.');
        },
        copy: async (what) => {
          const copy = await answer.copyOf(what, yaml);
          if (copy) await lab.copy(...copy);
        },
        stop: () => requests.stop(),
        showWhole: () => set(answer.whole, true),
      },
    );
  });

  const until = computed(() => state.view.value.cursor.t);
  const roving = new Roving(element('api-exchanges-room'), '.api-list button', ARROWS.down);
  draw('api-exchanges-room', () => {
    queueMicrotask(() => roving.refresh('.api-list [aria-current="true"]'));
    const { nodes, which, open: listOpen } = exchanges;
    const source = { nodes: nodes.value, sent: sent.value, which: which.value, until: until.value };
    const current = answer.current.value?.id ?? '';
    const values = { current, which: which.value, at: until.value, open: listOpen.value };
    return exchangesTemplate(rowsOf(source, { select: page.select, showOwn }), values, {
      choose: (id) => set(which, id),
      toggle: (isListOpen) => set(listOpen, isListOpen),
    });
  });

  /* ---- scrolling ---- */

  effect(() => {
    if (isOpen.value && state.phase.value === 'ready') exchanges.follow(state.view.value, state.selection.value);
  });
  // A visitor who reads a stream wants to see its end.
  effect(() => {
    const streams = lines.output.value ?? sent.value;
    if (streams.length === 0) return;
    requestAnimationFrame(() => {
      const body = element('api-answer-room').querySelector('.api-body');
      if (body && (lines.isRunning.value || requests.isFollowing())) body.scrollTop = body.scrollHeight;
    });
  });
  // On a narrow page the answer is below the fold, so sending a request scrolls to it.
  const sentLast = computed(() =>
    answer.own.value ? `request ${answer.own.value}` : lines.output.value ? `line ${lines.turn.value}` : '',
  );
  effect(() => {
    if (sentLast.value) requestAnimationFrame(() => element('api-answer-room').scrollIntoView({ block: 'nearest' }));
  });
}
