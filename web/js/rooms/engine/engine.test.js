import assert from 'node:assert/strict';
import { test } from 'node:test';
import { each, placeAt, waitUntil } from '../../lib/testsupport/calls.js';
import { Engine } from './engine.js';

/** @typedef {"panic" | "throw" | "close" | "loop"} End how a worker ends while it is at a request */

/** The kinds of the fake engine's operations. */
const OPS = Object.entries({
  opens: ['open'],
  moves: ['play', 'pause', 'seek', 'runTo'],
  changes: ['act', 'undo'],
  asks: ['ask'],
  watches: ['restPoll'],
}).flatMap(([kind, names]) => names.map((name) => ({ name, kind })));

/**
 * A worker with an engine whose run is a list of letters: an act adds a letter, undo removes it. Messages arrive later
 * and one at a time in both directions, as in a browser.
 */
class FakeWorker {
  /** @type {FakeWorker[]} */
  static made = [];
  /** How the next workers end, by the operation in progress. @type {(op: string, params: any) => End | undefined} */
  static ends = () => undefined;
  /** Whether the next workers start at all. */
  static starts = () => true;

  /** @type {any[]} */
  asked = [];
  /** @type {any[]} */
  inbox = [];
  /** @type {any} */
  onmessage = null;
  /** @type {any} */
  onerror = null;
  run = { acts: '', undone: '', playing: false };
  dead = false;
  deaf = false;

  constructor() {
    FakeWorker.made.push(this);
  }

  static get now() {
    return /** @type {FakeWorker} */ (FakeWorker.made.at(-1));
  }

  terminate() {
    this.dead = true;
  }

  /** The worker stops working and never sends a message again. */
  close() {
    this.deaf = true;
  }

  throw() {
    this.deaf = true;
    setImmediate(() => this.dead || this.onerror?.({ preventDefault() {}, message: 'boom' }));
  }

  /** @param {any} message */
  postMessage(message) {
    this.inbox.push(message);
    setImmediate(() => {
      const next = this.inbox.shift();
      if (next && !this.dead && !this.deaf) this.take(next);
    });
  }

  /** @param {any} data */
  tell(data) {
    setImmediate(() => this.dead || this.onmessage?.({ data }));
  }

  /** @param {any} message */
  take(message) {
    if (message.type === 'ping') return this.tell({ type: 'here', bytes: 7 });
    if (message.type === 'start')
      return this.tell(
        FakeWorker.starts() ? { type: 'ready', compiled: 'module' } : { type: 'failed', message: '404' },
      );
    const { id, op, params } = message.request;
    this.asked.push(message.request);
    this.tell({ type: 'busy', id });
    const end = FakeWorker.ends(op, params);
    if (end === 'panic') {
      const error = { code: 'panic', message: `panic at ${op}`, stack: 'at x' };
      return this.tell({ type: 'reply', reply: { id, ok: false, error } });
    }
    if (end) return end === 'throw' ? this.throw() : this.close();
    const result = this.answer(op, params, message.kept);
    const changes = ['open', 'act', 'undo'].includes(op);
    this.tell({ type: 'reply', reply: { id, ok: true, result }, snapshot: changes ? this.snapshot() : undefined });
  }

  snapshot() {
    return JSON.stringify({ acts: this.run.acts, undone: this.run.undone });
  }

  /** @param {string} op @param {any} params @param {any} kept */
  answer(op, params, kept) {
    const { run } = this;
    if (op === 'hello') return { hello: { engine: 3 }, ops: OPS };
    if (op === 'ask') return { answer: run.acts };
    if (op === 'open') Object.assign(run, kept ? JSON.parse(kept.text) : { acts: '', undone: '' }, { playing: false });
    if (op === 'act') run.acts += params.letter;
    if (op === 'undo') {
      run.undone = run.acts.slice(-1) + run.undone;
      run.acts = run.acts.slice(0, -1);
    }
    if (op === 'play' || op === 'pause') run.playing = op === 'play';
    const cursor = kept?.cursor ?? { t: run.acts.length, n: -1 };
    return { title: op, nextT: 0, cursor, live: cursor, hash: run.acts, playing: run.playing };
  }
}

/** Waits until all due work has happened. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

function makeEngine() {
  FakeWorker.made = [];
  FakeWorker.ends = () => undefined;
  FakeWorker.starts = () => true;
  const engine = new Engine(
    { worker: 'w', exec: 'e', wasm: 'm', module: { bytes: 1, size: 2, sha256: 'h' }, scenarios: 's' },
    () => /** @type {any} */ (new FakeWorker()),
  );
  engine.shipped = Promise.resolve([{ name: 'x' }]);
  engine.pause = turn;
  let now = 0;
  engine.now = () => now;
  /** Lets time pass, with only the work that is due. @param {number} seconds */
  const pass = async (seconds) => {
    for (let k = 0; k < seconds; k++) {
      now += 1000;
      engine.beat();
      for (let i = 0; i < 4; i++) await turn();
    }
  };
  /** @type {string[]} */
  const deaths = [];
  engine.onDeath = ({ how }) => deaths.push(how);
  /** @type {import('./engine.js').BugReport[]} */
  const reports = [];
  engine.onPanic = (report) => reports.push(report);
  /** @type {any[]} */
  const views = [];
  engine.onView = (view) => views.push(view);
  /** @type {string[]} */
  const failed = [];
  engine.onFailed = (sentence) => failed.push(sentence);
  const sleep = (/** @type {number} */ ms) => {
    now += ms;
  };
  return { engine, deaths, reports, views, failed, pass, sleep };
}

async function openEngine() {
  const made = makeEngine();
  await made.engine.start();
  await request(made.engine, 'open', { scenario: 'x' });
  return made;
}

/**
 * The fake engine has its own operations and parameters.
 * @param {any} engine
 * @param {string} op
 * @param {unknown} [params]
 * @returns {Promise<any>}
 */
const request = (engine, op, params) => engine.request(op, params);
const act = (/** @type {Engine} */ engine, /** @type {string} */ letter) => request(engine, 'act', { letter });

test('a request becomes a promise, and the shipped scenarios are handed over first', async () => {
  const { engine } = makeEngine();
  const early = request(engine, 'open', {});
  assert.deepEqual(await engine.start(), { engine: 3 });
  assert.deepEqual(FakeWorker.made[0].asked[0].params, { scenarios: [{ name: 'x' }] });
  assert.equal((await early).title, 'open');
});

test('a worker that dies while the shipped scenarios are fetched ends the start', async () => {
  const { engine } = makeEngine();
  /** @type {(scenarios: object[]) => void} */
  let onFetched = () => {};
  engine.shipped = new Promise((resolve) => {
    onFetched = resolve;
  });
  const refused = assert.rejects(engine.start(), /boom/);
  await waitUntil(() => engine.loaded);
  FakeWorker.now.throw();
  await waitUntil(() => !engine.worker);
  onFetched([]);
  await refused;
});

test('a panic costs the act alone: new worker, same run, a report', async () => {
  const { engine, reports, views } = await openEngine();
  await act(engine, 'a');
  await act(engine, 'b');
  await request(engine, 'undo');
  FakeWorker.ends = (op, params) => (op === 'act' && params.letter === 'x' ? 'panic' : undefined);
  const crash = assert.rejects(act(engine, 'x'), /panic at act/);
  const behind = act(engine, 'c');
  await crash;
  assert.equal((await behind).hash, 'ac', 'what was pending behind it is sent again');
  await waitUntil(() => reports.length === 1);
  assert.equal(FakeWorker.made.length, 2);
  assert.equal(FakeWorker.made[0].dead, true);
  assert.deepEqual(each(FakeWorker.made[1].asked, 'op'), ['hello', 'open', 'act']);
  assert.equal(FakeWorker.now.run.undone, 'b', 'what can be redone is still there');
  assert.equal(views.at(-1).hash, 'a');
  assert.deepEqual(reports[0], {
    engine: 3,
    op: 'act',
    params: { letter: 'x' },
    message: 'panic at act',
    stack: 'at x',
    session: { acts: 'a', undone: 'b' },
    ...placeAt(1),
  });
  assert.equal((await request(engine, 'seek', {})).title, 'seek');
});

for (const end of /** @type {End[]} */ (['panic', 'throw', 'close'])) {
  test(`an act that panics or ends a second worker is dropped: ${end}`, async () => {
    const { engine, reports, pass } = await openEngine();
    FakeWorker.ends = (op, params) => (op === 'act' && params.letter === 'x' ? end : undefined);
    const lost = assert.rejects(act(engine, 'x'), /panic|boom|did not answer for 5 s/);
    const kept = act(engine, 'a');
    await pass(16);
    await lost;
    assert.equal((await kept).hash, 'a');
    await waitUntil(() => reports.length === 1);
    assert.equal(reports[0].op, 'act');
    assert.equal(FakeWorker.made.length, end === 'panic' ? 2 : 3);
  });
}

test('fifty workers end in the middle of an act, and each act happens once', async () => {
  const { engine, reports, pass } = await openEngine();
  const letters = 'abcdefghijklmnopqrstuvwxyABCDEFGHIJKLMNOPQRSTUVWXY';
  for (const [i, letter] of [...letters].entries()) {
    let times = 0;
    FakeWorker.ends = (op) => (op === 'act' && ++times === 1 ? (i % 2 === 0 ? 'close' : 'throw') : undefined);
    const waiting = act(engine, letter);
    await pass(8);
    assert.equal((await waiting).hash, letters.slice(0, i + 1));
  }
  assert.deepEqual([FakeWorker.made.length, reports], [51, []]);
});

test('a worker that ends at nothing costs nothing, and says so once', async () => {
  const { engine, deaths, reports, pass } = await openEngine();
  await act(engine, 'a');
  FakeWorker.now.throw();
  await waitUntil(() => deaths.length === 1);
  assert.equal((await act(engine, 'b')).hash, 'ab');
  FakeWorker.now.close();
  const waiting = act(engine, 'c');
  await pass(7);
  assert.equal((await waiting).hash, 'abc');
  assert.deepEqual([deaths, reports], [['thrown', 'silent'], []]);
});

test('a question is asked again if its worker ended without a word; a second death or a panic refuses it', async () => {
  const { engine, reports, pass } = await openEngine();
  await act(engine, 'a');
  let times = 0;
  FakeWorker.ends = (op) => (op === 'ask' && ++times === 1 ? 'close' : undefined);
  const asked = request(engine, 'ask', 1);
  await pass(8);
  assert.deepEqual(await asked, { answer: 'a' });
  assert.equal(reports.length, 0);
  for (const end of /** @type {End[]} */ (['throw', 'panic'])) {
    FakeWorker.ends = (op) => (op === 'ask' ? end : undefined);
    await assert.rejects(request(engine, 'ask', 2), /boom|panic/);
  }
  await waitUntil(() => reports.length === 2);
  assert.equal((await act(engine, 'b')).hash, 'ab');
});

test('the run is where it was, and plays on', async () => {
  const { engine, deaths, views } = await openEngine();
  await request(engine, 'play', { speed: 5, until: 9 });
  const cursor = { t: 77, n: -1 };
  FakeWorker.now.tell({ type: 'view', view: { nextT: 0, cursor, live: cursor, playing: true, hash: '' } });
  await waitUntil(() => views.length === 1);
  FakeWorker.now.throw();
  await waitUntil(() => deaths.length === 1 && engine.state === 'running');
  const [, open, play] = FakeWorker.now.asked;
  assert.equal(open.op, 'open');
  assert.deepEqual(play, { id: play.id, op: 'play', params: { speed: 5, until: 9 } });
  assert.deepEqual(engine.keep(), {
    hash: '',
    text: '{"acts":"","undone":""}',
    cursor: engine.view?.cursor,
    live: engine.view?.live,
  });
  await request(engine, 'pause');
  FakeWorker.now.throw();
  await waitUntil(() => deaths.length === 2 && engine.state === 'running');
  assert.deepEqual(each(FakeWorker.now.asked, 'op'), ['hello', 'open']);
});

test('a run that panics while it plays, or ends a second worker, comes back and stays paused', async () => {
  const { engine, reports, deaths } = await openEngine();
  await request(engine, 'play', { speed: 1 });
  FakeWorker.now.tell({ type: 'reply', reply: { id: 0, ok: false, error: { code: 'panic', message: 'at a tick' } } });
  await waitUntil(() => reports.length === 1);
  await request(engine, 'play', { speed: 1 });
  for (let death = 1; death <= 2; death++) {
    FakeWorker.now.throw();
    await waitUntil(() => deaths.length === 1 + death && engine.state === 'running');
  }
  await waitUntil(() => reports.length === 2);
  assert.deepEqual(each(reports, 'op'), ['tick', 'tick']);
  assert.deepEqual(each(FakeWorker.now.asked, 'op'), ['hello', 'open']);
});

test('a run that cannot be opened again is said, once, and another one can be opened', async () => {
  const { engine, reports, failed } = await openEngine();
  await act(engine, 'a');
  let ready = 0;
  engine.onReady = () => ready++;
  FakeWorker.ends = (op, params) => (op === 'open' && !params ? 'panic' : undefined);
  FakeWorker.now.throw();
  const waiting = assert.rejects(act(engine, 'b'), /stays closed/);
  await waitUntil(() => failed.length === 1);
  await waiting;
  assert.match(failed[0], /crashes whenever it opens this run, so it stays closed \(panic at open\)/);
  assert.equal(FakeWorker.made.length, 3, 'the first, and two that could not open it');
  await assert.rejects(act(engine, 'b'), /stays closed/);
  assert.equal((await request(engine, 'open', { scenario: 'y' })).title, 'open');
  assert.equal(ready, 1);
  assert.equal((await act(engine, 'c')).hash, 'c');
  assert.equal(reports.length, 0);
});

test('a scenario that kills the engine is refused, and the run one had is back', async () => {
  const { engine, reports } = await openEngine();
  await act(engine, 'a');
  FakeWorker.ends = (op, params) => (op === 'open' && params?.scenario === 'bad' ? 'panic' : undefined);
  await assert.rejects(request(engine, 'open', { scenario: 'bad' }), /panic at open/);
  await waitUntil(() => reports.length === 1);
  assert.equal((await act(engine, 'b')).hash, 'ab');
});

test('a worker that cannot be loaded is tried again, three times in all, and blames nobody', async () => {
  const { engine, reports, failed } = await openEngine();
  let broken = 1;
  FakeWorker.starts = () => broken-- <= 0;
  FakeWorker.now.throw();
  assert.equal((await act(engine, 'a')).hash, 'a');
  assert.equal(FakeWorker.made.length, 3);
  assert.equal(reports.length, 0);
  broken = 99;
  FakeWorker.now.throw();
  await waitUntil(() => failed.length === 1);
  assert.match(failed[0], /could not be loaded again \(404\)/);
  assert.equal(FakeWorker.made.length, 5);
});

test('three deaths without an answer stop the engine, any number with answers between them do not', async () => {
  const { engine, deaths, failed } = await openEngine();
  for (let death = 1; death <= 6; death++) {
    FakeWorker.now.throw();
    await waitUntil(() => deaths.length === death && engine.state === 'running');
    if (death % 2 === 0) await request(engine, 'ask');
  }
  assert.deepEqual(failed, []);
  for (let death = 7; death <= 9; death++) {
    FakeWorker.now.throw();
    await waitUntil(() => deaths.length === death && engine.state !== 'starting');
  }
  assert.match(failed[0], /stays closed \(boom\)/);
  assert.equal(FakeWorker.made.length, 9);
});

test('only silence of the worker’s own counts: no sleeping machine, no hidden tab, no busy page', async () => {
  const { deaths, pass, sleep } = await openEngine();
  FakeWorker.now.close();
  for (let k = 0; k < 10; k++) {
    await pass(4);
    sleep(5000); // the page's own timer is late
    await pass(1);
  }
  const page = /** @type {any} */ (globalThis);
  page.document = { hidden: true };
  await pass(20);
  delete page.document;
  assert.deepEqual(deaths, []);
  await pass(6);
  assert.deepEqual(deaths, ['silent']);
});

test('a worker that answers between the shares of something long lives for ever', async () => {
  const { engine, deaths, pass } = await openEngine();
  await pass(100);
  assert.deepEqual(deaths, []);
  assert.equal(engine.wasmBytes, 7);
  assert.equal(FakeWorker.made.length, 1);
});

test('a call that takes a minute and gives signs of life is waited for', async () => {
  const { engine, deaths, pass } = await openEngine();
  FakeWorker.ends = (op) => (op === 'act' ? 'close' : undefined);
  act(engine, 'a').catch(() => {});
  for (let k = 0; k < 15; k++) {
    await pass(4);
    FakeWorker.now.tell({ type: 'here', bytes: 8 });
    await pass(0);
    await turn();
  }
  assert.deepEqual([deaths, engine.wasmBytes], [[], 8]);
  await pass(6);
  assert.deepEqual(deaths, ['silent']);
});

test('a worker that falls silent while it opens the run again is replaced too', async () => {
  const { engine, deaths, pass } = await openEngine();
  await act(engine, 'a');
  let times = 0;
  FakeWorker.ends = (op, params) => (op === 'open' && !params && ++times === 1 ? 'close' : undefined);
  FakeWorker.now.throw();
  const waiting = act(engine, 'b');
  await waitUntil(() => times === 1);
  await pass(8);
  assert.equal((await waiting).hash, 'ab');
  assert.deepEqual(deaths, ['thrown']);
});

test('replaced unseen: the same run, what was asked is answered, nothing is said', async () => {
  const { engine, deaths, reports } = await openEngine();
  await act(engine, 'a');
  await request(engine, 'play', { speed: 3 });
  const waiting = [act(engine, 'b'), request(engine, 'ask'), request(engine, 'restPoll', { watch: 1 })];
  const ended = assert.rejects(waiting[2], /The watch ended/);
  assert.equal(await engine.replace(), true);
  assert.equal(FakeWorker.made[0].dead, true);
  assert.equal((await waiting[0]).hash, 'ab');
  assert.deepEqual(await waiting[1], { answer: 'ab' });
  await ended;
  assert.deepEqual([deaths, reports, engine.restarts], [[], [], 1]);
  assert.deepEqual(each(FakeWorker.now.asked, 'op'), ['hello', 'open', 'play', 'act', 'ask']);
});

test('no act is lost in many deaths at random instants', async () => {
  const seed = Number(process.env.SEED ?? 1);
  let random = seed;
  const roll = (/** @type {number} */ n) => {
    random = (Math.imul(random, 1103515245) + 12345) >>> 0;
    return (random >>> 8) % n;
  };
  const { engine, deaths, reports, failed, pass } = await openEngine();
  const ends = /** @type {End[]} */ (['panic', 'throw', 'close']);
  /** Lets time pass until the answer arrives. @template T @param {Promise<T>} asked @returns {Promise<T>} */
  const waitForAnswer = async (asked) => {
    let over = false;
    asked.finally(() => {
      over = true;
    });
    while (!over) await pass(1);
    assert.deepEqual(failed, []);
    return asked;
  };
  let expected = '';
  let dropped = 0;
  let reopenings = 0;
  const kills = Number(process.env.DEATHS ?? 300);
  for (let k = 0; k < kills; k++) {
    const letters = [...'abcdef'].map((letter) => letter + String.fromCharCode(0x4e00 + k));
    /** @type {Promise<string>[]} */
    const asked = [];
    const kill = roll(letters.length);
    const way = roll(6);
    for (const [i, letter] of letters.entries()) {
      asked.push(
        act(engine, letter).then(
          () => letter,
          () => '',
        ),
      );
      if (i !== kill) continue;
      const worker = FakeWorker.now;
      for (let wait = roll(4); wait > 0; wait--) await turn();
      const end = ends[roll(3)];
      const during = way < 4 ? 'open' : 'act'; // the next worker dies, too, when it opens the run again
      let once = way % 2 === 0 || way >= 4;
      FakeWorker.ends = (op, params) => {
        if (op !== during || params?.scenario || !once) return undefined;
        once = false;
        if (op === 'open') reopenings++;
        return end;
      };
      if (way < 2) worker.throw();
      else if (way < 4) worker.close();
    }
    const kept = (await waitForAnswer(Promise.all(asked))).join('');
    FakeWorker.ends = () => undefined;
    dropped += letters.length - kept.length / 2;
    expected += kept;
    if (k % 50 === 49) {
      await waitForAnswer(request(engine, 'open', { scenario: 'x' }));
      expected = '';
    } else assert.equal((await waitForAnswer(request(engine, 'seek'))).hash, expected, `seed ${seed}, death ${k}`);
  }
  assert.equal(dropped, reports.length, 'what was not done was dropped, and said');
  console.log(
    `seed ${seed}: ${kills * 6} acts, ${deaths.length + reopenings} deaths, ${reopenings} of them ` +
      `as the run was opened again, ${dropped} acts dropped, 0 lost`,
  );
});

test('something long goes on share by share, is told, and can be stopped', async () => {
  const { engine } = makeEngine();
  await engine.start();
  engine.patienceMs = 0;
  const [worker] = FakeWorker.made;
  let at = 0;
  let left = false;
  worker.take = (message) => {
    if (message.type !== 'request') return;
    const { id, op } = message.request;
    worker.asked.push(message.request);
    if (op === 'pause') left = true;
    else at += 10;
    const result = at < 50 && !left ? { done: false, at, of: 50 } : { title: op, at };
    worker.tell({ type: 'reply', reply: { id, ok: true, result } });
  };
  /** @type {any[]} */
  const told = [];
  engine.onComputing = (computing) => told.push(computing?.at);
  assert.equal((await request(engine, 'runTo', { what: 'end' })).at, 50);
  assert.deepEqual(told, [10, 20, 30, 40, undefined]);
  const asked = worker.asked.slice(1, 6);
  assert.deepEqual(each(asked, 'op'), ['runTo', 'goOn', 'goOn', 'goOn', 'goOn']);
  assert.equal(new Set(asked.map(({ id }) => id)).size, 1);

  at = 0;
  engine.onComputing = (computing) => computing?.at === 20 && computing.stop();
  const stood = await request(engine, 'runTo', { what: 'end' });
  assert.ok(stood.at < 50, 'what was begun ends where the run stands');
  await waitUntil(() => engine.pending.size === 0);
});
