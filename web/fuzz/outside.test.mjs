/**
 * A link, a file or the storage gives a run or a sentence, whatever it holds: the page's own functions read it, and the
 * page's own engine opens it. LINKS, SESSIONS and STORAGES say how many of each, SEED which; a failure prints what it
 * was.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Notifier } from '../js/lib/notify.js';
import { decodeLink, packLink } from '../js/lib/share.js';
import { entryFor } from '../js/page/keys.js';
import { Lab } from '../js/page/lab.js';
import { STORY_UNTIL } from '../js/page/opening.js';
import { createState } from '../js/page/state.js';
import { readScenario } from '../js/rooms/desk/files.js';
import { splitOpening } from '../opening.mjs';
import { opening, scenarios, startEngine } from './engine.mjs';
import { changeText, mutate, NO_WORDS, randomOf } from './mutate.mjs';

/** @type {any} */
const scope = globalThis;
scope.document = { baseURI: 'http://127.0.0.1/leaselab/' };
const { readMemory } = await import('../js/page/memory.js');
const { takeKept } = await import('../js/rooms/engine/keeping.js');

const seed = Number(process.env.SEED ?? 20261122);
const count = (/** @type {string} */ name, /** @type {number} */ usual) => Number(process.env[name] ?? usual);
const engine = await startEngine();

/** @param {unknown} message @param {string} of */
function isSentence(message, of) {
  assert.equal(typeof message, 'string', of);
  const text = /** @type {string} */ (message);
  assert.ok(
    text.length > 10 && text.length < 2000 && /\w \w/.test(text) && !NO_WORDS.test(text),
    `“${text}” for ${of}`,
  );
}

/** The engine goes on, or says why not; and afterwards it works. @param {any} reply @param {string} of */
function runOrSentence(reply, of) {
  const last = engine.goOn(reply);
  if (!last.ok) {
    assert.notEqual(last.error.code, 'panic', `${last.error.message}\n${last.error.stack}\nfor ${of}`);
    isSentence(last.error.message, of);
    return false;
  }
  assert.ok('cursor' in last.result, of);
  for (const [op, params] of /** @type {[string, any][]} */ ([
    ['timeline', { from: 0, to: last.result.cursor.t + 1e9, widthPx: 500 }],
    ['events', { count: 20 }],
  ])) {
    const asked = engine.ask(op, params);
    assert.ok(asked.ok, `${op}: ${asked.error?.message} for ${of}`);
  }
  return true;
}

/** As a failure prints it. @param {string} text */
const printText = (text) => (text.length > 3000 ? `${text.slice(0, 3000)}… (${text.length} characters)` : text);

const base = {
  scenario: 'a-leader-dies',
  patch: [],
  actions: [],
  cursor: { t: 25e9, n: -1 },
  live: { t: 30e9, n: -1 },
};
const request = {
  at: '20s',
  act: 'request',
  method: 'PATCH',
  path: '/apis/coordination.k8s.io/v1/namespaces/default/leases/demo',
  headers: ['Content-Type: application/merge-patch+json'],
  body: '{"metadata":{"labels":{"a":"b"}},"spec":{"holderIdentity":"c"}}',
};
/** Valid links. */
const goodLinks = [
  base,
  { ...base, seed: 7, engine: 1, hash: '0123456789abcdef', selection: { kind: 'node', node: 'b', index: 1 } },
  {
    ...base,
    patch: [{ path: 'elector.leaseDuration', value: '20s' }],
    actions: [{ at: '10s', act: 'crash', target: 'a' }],
  },
  { ...base, actions: [request, { at: '21s', act: 'write', op: 'patch', spec: { holderIdentity: 'x' } }] },
  { ...base, breakpoints: [{ text: 'active = 2' }, { text: 'holder changes', off: true }] },
  { ...base, compare: { a: { scenario: 'crash', until: 20e9 }, b: { branch: 0, seed: 5 } } },
  { ...base, selection: { kind: 'band', band: 'nobody', from: 1, to: 2, count: 1, cursor: { t: 5, n: -1 } } },
  ...scenarios.map((scenario) => ({ ...base, scenario })),
];

test('links', async (t) => {
  const random = randomOf(seed);
  const links = count('LINKS', 1500);
  let runs = 0;
  const story = splitOpening(structuredClone(opening), STORY_UNTIL).story;
  for (let i = 0; i < links; i++) {
    const text = mutate(random, random.pick(goodLinks));
    let link = await packLink(text);
    if (random.integer(20) === 0) link = changeText(random, link);
    if (random.integer(50) === 0)
      link = changeText(random, random.pick(['crash&t=40s&e=60s&seed=7', 's=crash', 'a-leader-dies&t=1m20s']));
    const of = `link ${i} of seed ${seed}: ${printText(text)} #${printText(link)}`;
    let linked;
    try {
      linked = await decodeLink(link);
    } catch (error) {
      isSentence(/** @type {Error} */ (error).message, of);
      continue;
    }
    const state = createState();
    const lab = new Lab(state, new Notifier(state), {
      opening: story,
      assets: /** @type {any} */ ({}),
      loadEngine: async () => undefined,
    });
    try {
      lab.begin({ linked, autoplay: false });
    } catch (error) {
      assert.fail(`${/** @type {Error} */ (error).stack} for ${of}`);
    }
    assert.ok(state.view.value, of);
    if (!linked) continue;
    if (runOrSentence(engine.ask('open', lab.openParams(linked)), of)) {
      runs++;
      if (linked.compare) {
        const compared = engine.goOn(engine.ask('compare', linked.compare));
        if (!compared.ok) isSentence(compared.error.message, of);
      }
    }
  }
  t.diagnostic(`${links} links, ${runs} runs, seed ${seed}`);
});

test('sessions, snapshots and scenarios in files', async (t) => {
  const random = randomOf(seed + 1);
  const sessions = count('SESSIONS', 1500);
  const documents = [saveSession('saveSession'), saveSession('snapshot'), ...scenarios.slice(0, 20)];
  let runs = 0;
  for (let i = 0; i < sessions; i++) {
    const text = mutate(random, random.integer(3) > 0 ? documents[random.integer(2)] : random.pick(documents));
    const of = `file ${i} of seed ${seed}: ${printText(text)}`;
    let scenario;
    try {
      // What is JSON is YAML too, nearly: both readers get their share.
      scenario = await readScenario(new File([text], random.integer(10) === 0 ? 'a.yaml' : 'a.json'));
    } catch (error) {
      isSentence(/** @type {Error} */ (error).message, of);
      continue;
    }
    if (runOrSentence(engine.ask('open', { scenario }), of)) runs++;
  }
  t.diagnostic(`${sessions} files, ${runs} runs, seed ${seed}`);
});

/** A session with branches, undo, breakpoints. @param {"saveSession" | "snapshot"} op */
function saveSession(op) {
  const ask = (/** @type {string} */ name, /** @type {any} */ params = undefined) => {
    const reply = engine.finish(engine.ask(name, params));
    assert.ok(reply.ok, reply.error?.message);
    return reply.result;
  };
  ask('open', { ...base, actions: [request] });
  ask('act', { act: 'crash', node: 'b' });
  ask('seek', { cursor: { t: 10e9, n: -1 } });
  ask('act', { act: 'cut', node: 'a' });
  ask('edit', { path: 'elector.retryPeriod', value: '1s', mode: 'rerun' });
  ask('breakpoints', { breakpoints: [{ text: 'active = 2' }] });
  ask('undo');
  const result = ask(op);
  return op === 'saveSession' ? result.scenario : result;
}

/** A browser's storage in which everything is this text. @param {string} name @param {string} text */
function storage(name, text) {
  const value = { getItem: () => text, setItem: () => {}, removeItem: () => {} };
  Object.defineProperty(scope, name, { configurable: true, value });
}

test('storages', (t) => {
  const random = randomOf(seed + 2);
  const storages = count('STORAGES', 500);
  const kept = {
    theme: 'dark',
    keyMode: 'focus',
    seen: true,
    eventsPx: 200,
  };
  const snapshot = saveSession('snapshot');
  const press = { key: 'k', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
  for (let i = 0; i < storages; i++) {
    const text = mutate(random, kept);
    const of = `storage ${i} of seed ${seed}: ${printText(text)}`;
    storage('localStorage', text);
    const { theme, keyMode, seen, legend, playOn } = readMemory();
    assert.ok([undefined, 'light', 'dark'].includes(theme), of);
    for (const one of [seen, legend, playOn]) assert.equal(typeof one, 'boolean', of);
    const where = { mode: keyMode ?? 'on', inField: false, inDialog: false, inInstrument: true };
    assert.doesNotThrow(() => entryFor(/** @type {any} */ (press), where), of);

    const session = mutate(random, {
      text: mutate(random, snapshot),
      cursor: { t: 5, n: -1 },
      live: { t: 6, n: -1 },
    });
    storage('sessionStorage', session);
    const taken = takeKept();
    if (!taken) continue;
    const { cursor, live } = taken;
    const place = cursor && live ? `,"cursor":${JSON.stringify(cursor)},"live":${JSON.stringify(live)}` : '';
    runOrSentence(engine.send(`{"id":1,"op":"open","params":{"scenario":${taken.text}${place}}}`), printText(session));
  }
  t.diagnostic(`${storages} storages, seed ${seed}`);
});

test('what all of them left behind', (t) => {
  t.diagnostic(`the engine has ${engine.mebibytes().toFixed(0)} MiB`);
  assert.ok(engine.mebibytes() <= 160);
});
