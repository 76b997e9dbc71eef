import assert from 'node:assert/strict';
import { before, mock, test } from 'node:test';
import { browser, placeAt, settle } from '#dom';
import { Notifier } from '../../lib/notify.js';
import { opening } from '../../page/opening.testsupport.js';
import { createState } from '../../page/state.js';

browser();
/** @type {Map<string, string>} */
const storage = new Map();
Object.assign(globalThis, {
  sessionStorage: {
    getItem: (/** @type {string} */ key) => storage.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ value) => storage.set(key, value),
    removeItem: (/** @type {string} */ key) => storage.delete(key),
  },
});
const { Lab } = await import('../../page/lab.js');
const { open } = await import('./index.js');
const { keepForReload, takeKept } = await import('./keeping.js');

/** The requests to the worker's engine. @type {any[]} */
let asked = [];
/** The page that loads the engine. @type {any} */
let page;
/** The engine's answers. @type {(request: any) => any} */
let engine = () => ({});
/** @type {any} */
let worker;
const view = (/** @type {object} */ more = {}) => ({ ...opening().frames[0], nextT: 0, hash: 'h', ...more });

before(() => {
  mock.method(globalThis, 'setInterval', () => 0);
  globalThis.fetch = async () => new Response('[]');
  Object.assign(globalThis, {
    Worker: class {
      onmessage = /** @type {any} */ (null);
      onerror = /** @type {any} */ (null);
      constructor() {
        worker = this;
      }
      terminate() {}
      tell(/** @type {object} */ data) {
        this.onmessage?.({ data });
      }
      postMessage(/** @type {any} */ { type, request, kept }) {
        if (type === 'start') queueMicrotask(() => this.tell({ type: 'ready' }));
        if (type !== 'request') return;
        asked.push(kept ? { ...request, kept } : request);
        queueMicrotask(() => this.tell({ type: 'reply', ...this.answer(request) }));
      }
      answer(/** @type {any} */ request) {
        try {
          const hello = { hello: { ...opening().hello, engine: 9 }, ops: [{ name: 'act', kind: 'changes' }] };
          const result = request.op === 'hello' ? hello : engine(request);
          return {
            reply: { id: request.id, ok: true, result },
            snapshot: request.op === 'open' ? '{"acts":1}' : undefined,
          };
        } catch (error) {
          const { message, code = 'input' } = /** @type {any} */ (error);
          return { reply: { id: request.id, ok: false, error: { code, message } } };
        }
      }
    },
  });
});

/** A page whose engine has loaded. @param {{linked?: any, playing?: boolean, queued?: string[]}} [how] */
async function pageWithEngine({ linked, playing = false, queued = [] } = {}) {
  asked = [];
  const state = createState();
  const notifier = new Notifier(state, undefined, { now: () => 0, schedule: () => {} });
  const assets = /** @type {any} */ ({ worker: 'w', exec: 'e', wasm: 'm', module: {}, scenarios: 's' });
  const lab = new Lab(state, notifier, { opening: opening(), assets, loadEngine: async () => open });
  page = lab;
  lab.begin({ linked: undefined, autoplay: false });
  lab.linked = linked;
  if (playing) /** @type {any} */ (lab.source).play(0);
  /** @type {string[]} */
  const again = [];
  for (const sentence of queued)
    lab.state.queued.value = [...state.queued.value, { sentence, retry: () => again.push(sentence) }];
  await open(lab);
  const texts = () => state.toasts.value.map(({ text }) => text);
  const ops = () => asked.map(({ op }) => op).filter((op) => op !== 'hello');
  return { lab, state, again, texts, ops };
}

test('the engine opens the run that is on screen, at its instant, and the page is ready', async () => {
  engine = () => view({ title: 'from the engine' });
  const { state, ops, again } = await pageWithEngine({ queued: ['a will crash', 'b will stop'] });
  assert.deepEqual(ops(), ['open']);
  const { params } = asked.find(({ op }) => op === 'open');
  assert.deepEqual([params.scenario, params.cursor], [opening().frames[0].scenario, { t: 9e9, n: -1 }]);
  assert.deepEqual([state.phase.value, state.progress.value, state.view.value.title], ['ready', 1, 'from the engine']);
  assert.equal(state.hello.value.engine, 9);
  assert.deepEqual([again, state.queued.value], [['a will crash', 'b will stop'], []], 'what waited is done, in order');
});

test('a run that plays goes on playing', async () => {
  engine = ({ op }) => {
    if (op === 'open') assert.equal(page.source.playing, false, 'it waits while the engine opens it');
    return view({ playing: op === 'play' });
  };
  const { state, ops } = await pageWithEngine({ playing: true });
  assert.deepEqual(ops(), ['open', 'play']);
  assert.equal(state.view.value.playing, true);
});

test('a link opens in place of the recorded run; one that the engine refuses is told, and the run opens', async () => {
  const linked = { scenario: 'other', patch: [], actions: [], ...placeAt(1) };
  engine = ({ params }) => view({ title: params.scenario });
  const opened = await pageWithEngine({ linked });
  assert.deepEqual([opened.state.view.value.title, opened.ops()], ['other', ['open']]);
  engine = ({ params }) => {
    if (params.scenario === 'other') throw new Error('There is no scenario “other”');
    return view({ title: 'the default' });
  };
  const refused = await pageWithEngine({ linked });
  assert.deepEqual(refused.texts(), [
    'This link could not be opened: There is no scenario “other”. The default scenario is open instead.',
  ]);
  assert.equal(refused.state.view.value.title, 'the default');
});

test('what was kept over a reload opens first, and a run that is computed otherwise is told', async () => {
  const kept = { text: '{"acts":2}', ...placeAt(1, 2), hash: 'h' };
  keepForReload(kept);
  engine = () => view({ title: 'kept' });
  const same = await pageWithEngine();
  assert.deepEqual(asked.find(({ op }) => op === 'open').kept, kept);
  assert.deepEqual([same.lab.touched, same.texts()], [true, []]);
  assert.equal(takeKept(), undefined, 'it is taken once');
  keepForReload({ ...kept, hash: 'older' });
  assert.match((await pageWithEngine()).texts()[0], /computes the run differently/);
});

test('what cannot be opened again is replaced by the recorded run', async () => {
  keepForReload({ text: '{}' });
  let first = true;
  engine = () => {
    if (!first) return view({ title: 'recorded' });
    first = false;
    throw new Error('not a session');
  };
  assert.equal((await pageWithEngine()).state.view.value.title, 'recorded');
});

test('a storage that is full, missing or holds something else keeps nothing', () => {
  storage.set('leaselab kept /lab/', '{"text":5}');
  assert.equal(takeKept(), undefined);
  storage.set('leaselab kept /lab/', '{"text":"{}","edge":{"t":1,"n":-1}}');
  assert.deepEqual(takeKept(), { text: '{}', live: { t: 1, n: -1 } }, 'as earlier versions wrote it');
  const { setItem } = globalThis.sessionStorage;
  globalThis.sessionStorage.setItem = () => {
    throw new Error('full');
  };
  assert.equal(keepForReload({ text: '{}' }), false);
  globalThis.sessionStorage.setItem = setItem;
  assert.equal(keepForReload(undefined), true);
});

test('a reload keeps the run; one that does not fit is not lost', async () => {
  engine = () => view();
  const { lab, texts } = await pageWithEngine();
  let reloads = 0;
  location.reload = () => {
    reloads++;
  };
  lab.reload();
  assert.equal(reloads, 1);
  assert.equal(takeKept()?.text, '{"acts":1}');
  const { setItem } = globalThis.sessionStorage;
  globalThis.sessionStorage.setItem = () => {
    throw new Error('full');
  };
  lab.reload();
  globalThis.sessionStorage.setItem = setItem;
  assert.deepEqual([reloads, texts()], [1, ['The run is too large to survive a reload. Save the session first.']]);
});

test('progress is a share of the file, and a long computation is shown until it ends', async () => {
  engine = () => view();
  const { state, lab } = await pageWithEngine();
  worker.tell({ type: 'progress', loaded: 1, total: 4 });
  assert.equal(state.progress.value, 0.25);
  worker.tell({ type: 'progress', loaded: 9, total: 0 });
  assert.equal(state.progress.value, 0);
  const shown = { at: 1, of: 2, stop: () => {} };
  /** @type {any} */ (lab.source).onComputing(shown);
  assert.equal(state.computing.value, shown);
});

test('a worker that dies is told, with its reason; a panic is told with a report', async () => {
  engine = () => view();
  const { lab, texts, state } = await pageWithEngine();
  const source = /** @type {any} */ (lab.source);
  source.onDeath({ how: 'silent' });
  source.onDeath({ how: 'thrown' });
  source.onDeath({ how: 'panic' });
  assert.deepEqual(texts(), [
    'The simulator has not answered for 5 s, so it restarts. The run is kept.',
    'The simulator stopped without giving a reason, so it restarts. The run is kept.',
  ]);
  source.onPanic({});
  assert.equal(state.toasts.value.at(-1)?.action?.label, 'Copy the bug report');
});

test('an engine that has stopped offers the way on: a reload, or another run', async () => {
  engine = () => view();
  const { lab, state } = await pageWithEngine();
  const source = /** @type {any} */ (lab.source);
  source.onFailed('It could not be loaded again.', true);
  assert.deepEqual([state.phase.value, state.toasts.value.at(-1)?.action?.label], ['failed', 'Reload']);
  source.onFailed('It crashes whenever it opens this run.', false);
  assert.equal(state.toasts.value.at(-1)?.action?.label, 'Open the default scenario');
  source.onReady();
  await settle();
  assert.equal(state.phase.value, 'ready');
});
