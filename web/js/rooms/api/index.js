/**
 * The API tab: a line as for kubectl, a request to be written by hand, the answer, and every exchange so far. What is sent
 * and what comes back goes through the client; only what the tab shows is decided here. A chunk of its own.
 */
import { effect, signal } from '@preact/signals-core';
import { html, render } from 'lit-html';
import { element } from '../../lib/element.js';
import { formatInstant } from '../../lib/format.js';
import { Latest } from '../../lib/latest.js';
import { Panel } from '../../lib/panel.js';
import { yamlTools } from '../../lib/yaml.js';
import { asCurl, asKubectl } from './copyas.js';
import {
  bodyFor,
  DraftError,
  headersFor,
  readBody,
  readHeaders,
  readTarget,
  resourceOf,
  targetFor,
  verbFor,
  verbOf,
} from './draft.js';
import { frameText, requestRows, shortTarget, shownExchange, shownSent, statusText } from './exchange.js';
import { runLine } from './kubectl.js';
import { applyPatch, mergePatch, sorted } from './merge.js';
import { answerTemplate, exchangesTemplate, lineTemplate, requestTemplate } from './panel.js';
import { findResource, pathOf, RESOURCES, readPath } from './resources.js';
import { pretty, readJson } from './table.js';

/** @import { Client, Ask, Sent } from '../desk/client.js' */
/** @import { Shown } from './exchange.js' */
/** @import { Draft } from './panel.js' */
/** @import { EventRow } from '../../protocol.js' */

/** Rows of the event list that are looked through for requests, and how many of those are shown. */
const ROWS = 200;
const SHOWN_ROWS = 40;
/** A longer answer is shown in part at first. */
const MANY_LINES = 2000;
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
const WRITES = ['POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * @param {import('../desk/index.js').Page} page
 * @param {Client} client
 */
export function open(page, client) {
  const { state, lab, announcer, key, schedule } = page;

  /* ---- YAML, when it is wanted ---- */

  /** @type {import('@preact/signals-core').Signal<typeof import('../../lib/yamltext.js') | null>} */
  const yaml = signal(null);
  const loadYaml = async () => {
    yaml.value ??= await yamlTools();
    return yaml.value;
  };
  const asYaml = async (/** @type {unknown} */ value) => (await loadYaml()).printYaml(sorted(value));

  /* ---- what is shown ---- */

  const atCursor = signal(false);
  /** What a line printed, or null while an exchange is shown. @type {import('@preact/signals-core').Signal<import('./panel.js').Block[] | null>} */
  const output = signal(null);
  /** An exchange of a node. @type {import('@preact/signals-core').Signal<Shown | null>} */
  const foreign = signal(null);
  /** One of ours, by its number. */
  const own = signal(0);
  const format = signal('yaml');
  const whole = signal(false);

  /** @returns {Shown | null} */
  function current() {
    const sent = client.sent.value.find((one) => one.id === own.value);
    return sent ? shownSent(sent) : foreign.value;
  }
  /** @param {{sent?: number, exchange?: Shown}} what */
  function show({ sent = 0, exchange }) {
    output.value = null;
    whole.value = false;
    own.value = sent;
    if (exchange) foreign.value = exchange;
  }

  /* ---- the editor ---- */

  const leaseAt = () => {
    const { name, namespace } = state.view.value.lease;
    return { namespace: namespace || 'default', name: name || 'demo' };
  };
  const draft = signal(
    /** @type {Draft} */ ({
      id: '',
      verb: 'list',
      resource: 'leases',
      target: '',
      headers: '',
      body: '',
      error: '',
      asItIs: false,
    }),
  );
  const sending = signal(false);
  /** The body as the verb proposed it: as long as it stands, another verb may propose another. */
  let proposed = '';

  /** @param {Partial<Draft>} change */
  const type = (change) => {
    draft.value = { ...draft.value, error: '', asItIs: false, ...change };
  };

  /** @param {{verb?: string, resource?: string}} change */
  async function choose({ verb: id = draft.value.verb, resource: kind = draft.value.resource }) {
    const verb = verbOf(id);
    const resource = findResource(kind) ?? RESOURCES[0];
    const at = readPath(draft.value.target);
    const named =
      at?.name && at.resource.name === resource.name ? at.name : resource.name === 'leases' ? leaseAt().name : '';
    const name = named || (resource.name === 'namespaces' ? leaseAt().namespace : 'example');
    const where = { namespace: at?.namespace || leaseAt().namespace, name };
    const value = bodyFor(verb, resource, where);
    const kept = draft.value.body !== proposed;
    type({
      verb: id,
      resource: resource.name,
      target: targetFor(verb, resource, where),
      headers: headersFor(verb).join('\n'),
      before: undefined,
    });
    if (kept) return;
    const stood = draft.value.body;
    const text = value === undefined ? '' : Array.isArray(value) ? JSON.stringify(value, null, 2) : await asYaml(value);
    // What was typed while YAML was being fetched stays.
    if (draft.value.verb !== id || draft.value.resource !== resource.name || draft.value.body !== stood) return;
    proposed = text;
    type({ body: text });
  }
  choose({});

  /** Puts a request into the editor. @param {Ask} ask @param {{verb?: string, before?: unknown}} [how] */
  function load(ask, { verb = verbFor(ask), before } = {}) {
    type({
      verb,
      resource: resourceOf(ask.target).name,
      target: ask.target,
      headers: ask.headers.join('\n'),
      body: ask.body,
      before,
    });
    proposed = '';
  }

  /** @param {boolean} [asItIs] without reading the body */
  async function sendDraft(asItIs = false) {
    const { verb: id, target, headers, body, before } = draft.value;
    const verb = verbOf(id);
    if (WRITES.includes(verb.method) && atCursor.value) {
      type({ error: 'At the cursor one can only read. Switch “at cursor” off to write.' });
      return;
    }
    try {
      const ask = { method: verb.method, target: readTarget(target), headers: readHeaders(headers), body: '' };
      const value = asItIs || !takesBody(verb.id) ? undefined : await readBody(body);
      if (asItIs) ask.body = body;
      else if (value !== undefined) ask.body = JSON.stringify(value);
      type({});
      sending.value = true;
      if (verb.id === 'edit') await sendEdit(ask, value, before);
      else if (verb.id === 'applyClient') await sendApply(ask, value);
      else await sendOne(ask);
    } catch (error) {
      if (!(error instanceof DraftError)) throw error;
      type({ error: error.message, asItIs: error.body });
      announcer.act(error.message);
    } finally {
      sending.value = false;
    }
  }

  /** @param {string} id */
  const takesBody = (id) => verbOf(id).method !== 'GET';

  /** @param {Ask} ask @returns {Promise<Sent>} */
  async function sendOne(ask) {
    stop();
    const reads = ask.method === 'GET';
    const sent = await client.send({ ...ask, ...(reads && atCursor.value ? { atCursor: true } : {}) }, 'console');
    show({ sent: sent.id });
    announcer.act(sent.watch ? 'Watching.' : `${statusText(sent.status)}.`);
    if (sent.watch) {
      format.value = 'lines';
      followed = sent.watch;
      client.follow(sent, { tell: () => {}, end: () => announcer.act('The watch has ended.') });
    }
    return sent;
  }

  /** What was changed in the object, as a patch. @param {Ask} ask @param {any} value @param {any} before */
  async function sendEdit(ask, value, before) {
    const patch = before && value && typeof value === 'object' ? mergePatch(before, value) : undefined;
    if (!patch) throw new DraftError('Nothing was changed, so nothing was sent.');
    await sendOne({ ...ask, body: JSON.stringify(patch) });
  }

  /** As kubectl applies without --server-side: what it was, what it is to be, and what was applied last. @param {Ask} ask @param {any} value */
  async function sendApply(ask, value) {
    if (!value || typeof value !== 'object') throw new DraftError('Apply what? The body says how the object is to be.');
    const at = readPath(ask.target);
    const [path, query = ''] = ask.target.split('?');
    const metadata = { ...value.metadata };
    const wanted = { ...value, metadata };
    metadata.annotations = { ...metadata.annotations, [LAST_APPLIED]: `${JSON.stringify(sorted(value))}\n` };
    const there = await sendOne({ method: 'GET', target: path, headers: ['Accept: application/json'], body: '' });
    if (there.status === 404 && at) {
      const headers = ['Accept: application/json', 'Content-Type: application/json'];
      const target = `${pathOf(at.resource, { namespace: at.namespace })}${query ? `?${query}` : ''}`;
      await sendOne({ method: 'POST', target, headers, body: JSON.stringify(wanted) });
      return;
    }
    if (there.status !== 200) return;
    const stored = readJson(there.answer) ?? {};
    const last = readJson(stored.metadata?.annotations?.[LAST_APPLIED] ?? '{}') ?? {};
    const patch = applyPatch(last, stored, wanted);
    if (patch) await sendOne({ ...ask, body: JSON.stringify(patch) });
    else announcer.act('Unchanged.');
  }

  /* ---- watches ---- */

  let followed = 0;
  function stop() {
    if (followed) client.close(followed);
    followed = 0;
  }

  /* ---- the line ---- */

  const line = signal('');
  const running = signal(false);
  /** @type {string[]} */
  const lines = [];
  let place = 0;
  /** Counts lines, so that one that was left says nothing any more. */
  let turn = 0;

  /** @param {number} by */
  function earlier(by) {
    place = Math.max(0, Math.min(lines.length, place + by));
    line.value = lines[place] ?? '';
  }

  async function runNow() {
    const text = line.value.trim();
    if (text === '') return;
    stop();
    if (lines.at(-1) !== text) lines.push(text);
    place = lines.length;
    line.value = '';
    const mine = ++turn;
    const here = () => mine === turn;
    const add = (/** @type {string} */ words, /** @type {boolean} */ prose) => {
      if (here() && output.value !== null) output.value = added(output.value, `${words}\n`, prose);
    };
    own.value = 0;
    foreign.value = null;
    output.value = [{ text: `$ kubectl ${text.replace(/^(\$\s*)?(kubectl|k)\s+/, '')}\n`, prose: true }];
    running.value = true;
    const at = leaseAt();
    try {
      await runLine(text, {
        namespace: at.namespace,
        lease: at.name,
        fieldHelp: state.hello.value.fieldHelp,
        yaml: asYaml,
        parse: async (patch) => readBody(patch),
        print: (words) => add(words, false),
        say: (sentence) => add(sentence, true),
        edit: ({ verb, target, object, before }) => {
          const ready = asYaml(object);
          ready.then((body) => {
            const { method } = verbOf(verb);
            load({ method, target, headers: headersFor(verbOf(verb)), body }, { verb, before });
            requestAnimationFrame(() => {
              const field = /** @type {HTMLTextAreaElement} */ (element('api-body'));
              field.focus();
              field.setSelectionRange(0, 0);
              field.scrollTop = 0;
            });
          });
        },
        send: async (ask) => {
          const reads = ask.method === 'GET';
          if (!reads && atCursor.value) return { status: 403, headers: [], answer: readOnly(), watch: 0 };
          return client.send({ ...ask, ...(reads && atCursor.value ? { atCursor: true } : {}) }, 'console');
        },
        watch: (sent, tell) =>
          new Promise((resolve) => {
            followed = sent.watch;
            if (here()) client.follow(/** @type {Sent} */ (sent), { tell, end: () => resolve() });
            else resolve();
          }),
      });
    } finally {
      if (here()) {
        running.value = false;
        announcer.act(lastLine((output.value ?? []).map((block) => block.text).join('')));
      }
    }
  }

  /* ---- the exchanges ---- */

  const which = signal('all');
  const listOpen = signal(true);
  /** @type {import('@preact/signals-core').Signal<EventRow[]>} */
  const nodeRows = signal([]);
  const fetchRows = new Latest(
    (params) => lab.ask('events', params),
    (events) => {
      const upTo = events ? events.rows.slice(0, Math.max(0, events.at - events.from + 1)) : [];
      nodeRows.value = requestRows(upTo).slice(0, SHOWN_ROWS);
    },
    250,
  );
  const fetchExchange = new Latest(
    (cursor) => lab.ask('exchange', { cursor }).then((exchange) => ({ exchange, cursor })),
    (answer) => {
      if (!answer) return;
      stop();
      turn++;
      running.value = false;
      show({ exchange: shownExchange(answer.exchange, placeId(answer.cursor), lengthText) });
    },
    0,
    { refusals: true },
  );
  /** Selected when its exchange was asked for: what is sent after that is not displaced by it. @type {import('../../page/state.js').Selection} */
  let followedSelection = null;
  let asked = 0;
  const placeId = (/** @type {{t: number, n: number}} */ { t, n }) => `at-${t}-${n}`;

  function rowsShown() {
    const limit = state.view.value.cursor.t;
    const nodes =
      which.value === 'mine'
        ? []
        : nodeRows.value.map((row) => ({
            id: placeId(row),
            t: row.t,
            who: row.node,
            index: row.index,
            what: row.detail || row.text,
            failed: ['conflict', 'error', 'lost'].includes(row.outcome),
            // The whole page follows: the event is selected, and its exchange comes with it.
            choose: () =>
              page.select({ kind: 'event', cursor: { t: row.t, n: row.n }, node: row.node, index: row.index }),
          }));
    const mine =
      which.value === 'nodes'
        ? []
        : client.sent.value.map(shownSent).map((one) => ({
            id: one.id,
            t: one.at,
            who: one.who,
            index: -1,
            what: `${one.ask.method} ${shortTarget(one.ask.target)} ${one.streams ? 'watch' : one.status || '…'}`,
            failed: one.status >= 400,
            choose: () => show({ sent: Number(one.id.slice(5)) }),
          }));
    // The same order as the run; of one instant, what was sent later stands above.
    const all = [...nodes, ...mine.reverse()].filter(
      (row) => which.value === 'mine' || row.t <= limit || row.index < 0,
    );
    return all.sort((a, b) => b.t - a.t).slice(0, SHOWN_ROWS);
  }

  /** What the panel asks of the run: only while somebody looks. */
  function follow() {
    if (page.currentTab() !== 'api' || state.phase.value !== 'ready') return;
    const { cursor, run, branch } = state.view.value;
    fetchRows.want(`${run} ${branch} ${cursor.t} ${cursor.n}`, { around: cursor, count: ROWS });
    const selection = state.selection.value;
    if (selection === followedSelection) return;
    followedSelection = selection;
    if (selection?.kind === 'event' && selection.cursor) fetchExchange.want(`${++asked}`, selection.cursor);
  }

  /* ---- copies ---- */

  /** @param {string} what */
  async function copy(what) {
    const shown = current();
    if (!shown) return;
    const { ask, answer } = shown;
    if (what === 'curl') await lab.copy(asCurl(ask), 'The curl command');
    else if (what === 'kubectl') await lab.copy(asKubectl(ask), 'The kubectl command');
    else if (what === 'yaml') {
      const value = readJson(ask.body || answer);
      await lab.copy(value === undefined ? ask.body || answer : await asYaml(value), 'The YAML');
    } else await lab.copy(answerText(shown).text, 'The answer');
  }

  /* ---- the answer as text ---- */

  /** @param {Shown} shown */
  function formatsOf(shown) {
    if (shown.streams) return ['lines', 'json', 'raw'];
    return readJson(shown.answer) === undefined ? ['raw'] : ['yaml', 'json', 'raw'];
  }
  /** @param {Shown} shown @param {string} as */
  function textIn(shown, as) {
    const { answer, streams } = shown;
    if (as === 'raw') return answer;
    if (streams) {
      const frames = answer.split('\n').filter(Boolean);
      return frames
        .map((frame) => (as === 'lines' ? frameText(frame) : JSON.stringify(readJson(frame), null, 2)))
        .join('\n');
    }
    const value = readJson(answer);
    if (as === 'json') return JSON.stringify(value, null, 2);
    if (yaml.value) return yaml.value.printYaml(value).trimEnd();
    loadYaml().catch(() => {}); // the reader knows
    return '…';
  }
  /** The last text that was made, as making it again takes time. */
  let made = { key: '', text: '', lines: 0 };
  /** @param {Shown} shown */
  function answerText(shown) {
    const formats = formatsOf(shown);
    const as = formats.includes(format.value) ? format.value : formats[0];
    const madeFor = `${shown.id} ${as} ${shown.frames} ${shown.answer.length} ${yaml.value !== null}`;
    if (made.key !== madeFor) {
      const text = textIn(shown, as);
      made = { key: madeFor, text, lines: text.split('\n').length };
    }
    return { formats, as, text: made.text, lines: made.lines };
  }

  /* ---- drawing ---- */

  const root = element('api');
  render(
    html`<h2 class="visually-hidden">API</h2>
      <div class="api-top"><div id="api-line-room"></div><div id="api-request-room"></div></div>
      <section id="api-answer-room" aria-label="Answer"></section>
      <section id="api-exchanges-room" aria-label="Exchanges"></section>`,
    root,
  );

  function note() {
    const { cursor, edge } = state.view.value;
    const before = cursor.t < edge.t;
    if (state.phase.value === 'opening') return 'It is sent as soon as the engine is here.';
    if (atCursor.value) return `Read as it stood at the cursor, ${formatInstant(cursor.t)}.`;
    const writes = verbOf(draft.value.verb).method !== 'GET';
    if (writes && before) return `The cursor is before the edge: a write makes a branch at ${formatInstant(cursor.t)}.`;
    if (writes) return 'A write is an act of the run: undo takes it back.';
    return `Answered from the edge of the run${before ? `, ${formatInstant(edge.t)}` : ''}.`;
  }

  const panels = [
    new Panel(
      element('api-line-room'),
      () => [line.value, running.value, key('api')],
      () =>
        lineTemplate(
          { text: line.value, running: running.value, key: key('api') },
          {
            type: (text) => {
              line.value = text;
            },
            run: runNow,
            earlier,
            stop,
          },
        ),
    ),
    new Panel(
      element('api-request-room'),
      () => [draft.value, atCursor.value, note(), sending.value],
      () => {
        const verb = verbOf(draft.value.verb);
        return requestTemplate(
          draft.value,
          {
            atCursor: atCursor.value,
            note: note(),
            method: verb.method,
            writes: verb.method !== 'GET',
            hasBody: takesBody(verb.id),
            sending: sending.value,
          },
          {
            choose,
            type,
            atCursor: (on) => {
              atCursor.value = on;
              type({});
            },
            send: () => sendDraft(),
            sendAsItIs: () => sendDraft(true),
          },
        );
      },
    ),
    new Panel(
      element('api-answer-room'),
      () => [
        output.value,
        own.value,
        foreign.value,
        format.value,
        whole.value,
        yaml.value,
        own.value ? client.sent.value : null,
      ],
      () => {
        const shown = current();
        const {
          formats,
          as,
          text,
          lines: count,
        } = shown ? answerText(shown) : { formats: [], as: '', text: '', lines: 0 };
        const all = whole.value || count <= MANY_LINES;
        return answerTemplate(
          shown,
          {
            output: output.value,
            format: as,
            formats,
            text: all ? text : text.split('\n').slice(0, MANY_LINES).join('\n'),
            lines: count,
            whole: all,
          },
          {
            format: (id) => {
              format.value = id;
            },
            again: () => {
              const one = current();
              if (!one) return;
              load({ ...one.ask, body: pretty(one.ask.body) });
              element('api-target').focus();
              announcer.act('The request is in the editor.');
            },
            copy,
            stop,
            whole: () => {
              whole.value = true;
            },
          },
        );
      },
    ),
    new Panel(
      element('api-exchanges-room'),
      () => [
        nodeRows.value,
        client.sent.value,
        which.value,
        listOpen.value,
        state.view.value.cursor.t,
        own.value,
        foreign.value,
      ],
      () =>
        exchangesTemplate(
          rowsShown(),
          {
            current: current()?.id ?? '',
            which: which.value,
            at: state.view.value.cursor.t,
            open: listOpen.value,
          },
          {
            which: (id) => {
              which.value = id;
            },
            toggle: (open) => {
              listOpen.value = open;
            },
          },
        ),
    ),
  ];

  effect(() => {
    void [
      line.value,
      running.value,
      draft.value,
      atCursor.value,
      sending.value,
      output.value,
      foreign.value,
      own.value,
    ];
    void [format.value, whole.value, yaml.value, which.value, listOpen.value, nodeRows.value, client.sent.value];
    schedule();
  });
  // What streams is read at its end.
  effect(() => {
    void [output.value, client.sent.value];
    requestAnimationFrame(() => {
      const room = element('api-answer-room').querySelector('.api-body');
      if (room && (running.value || followed)) room.scrollTop = room.scrollHeight;
    });
  });

  // On a narrow page the answer lies below the fold: what was sent brings it into sight.
  let brought = '';
  effect(() => {
    const sent = own.value ? `request ${own.value}` : output.value ? `line ${turn}` : '';
    if (sent === brought) return;
    brought = sent;
    if (sent) requestAnimationFrame(() => element('api-answer-room').scrollIntoView({ block: 'nearest' }));
  });

  return {
    update() {
      follow();
      if (page.currentTab() === 'api') for (const panel of panels) panel.update();
    },
    /** To the line, ready to be typed in. @param {string} typed what was typed on the way */
    focus(typed) {
      line.value += typed;
      for (const panel of panels) panel.update();
      element('api-line').focus();
    },
  };
}

/** What a line that would write is told at the cursor. */
function readOnly() {
  const message = 'At the cursor one can only read. Switch “at cursor” off to write.';
  return JSON.stringify({ kind: 'Status', status: 'Failure', message, reason: 'ReadOnly', code: 403 });
}

/**
 * More of what a line prints. Of a long watch the last lines stay.
 * @param {import('./panel.js').Block[]} blocks
 * @param {string} text
 * @param {boolean} prose
 */
function added(blocks, text, prose) {
  const last = blocks.at(-1);
  if (last?.prose !== prose) return [...blocks.slice(-MANY_LINES), { text, prose }];
  const lines = `${last.text}${text}`.split('\n');
  return [...blocks.slice(0, -1), { text: lines.slice(-MANY_LINES).join('\n'), prose }];
}

/** A length of virtual time, short. @param {number} ns */
const lengthText = (ns) => (ns < 1e9 ? `${(ns / 1e6).toFixed(1)} ms` : `${(ns / 1e9).toFixed(3)} s`);

/** For those who listen: the end of what was printed. @param {string} text */
function lastLine(text) {
  const lines = text.trimEnd().split('\n');
  return lines.length > 2 ? `${lines.length - 1} lines. ${lines.at(-1)}` : (lines.at(-1) ?? '');
}
