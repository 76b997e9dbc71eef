import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Following } from './following.js';

/** A page and an engine that a test advances step by step. */
function scene() {
  const view = { record: 'live', playing: false, cursor: { t: 0, n: -1 }, live: { t: 0, n: -1 } };
  const said = /** @type {string[]} */ ([]);
  const changes = /** @type {any[]} */ ([]);
  const shown = /** @type {any[]} */ ([]);
  const told = /** @type {string[]} */ ([]);
  /** The engine's knowledge of the record after each text. */
  const known = { known: 0, end: 60e9, goesOn: true, whole: false, says: '', view };
  const lab = /** @type {any} */ ({
    touched: false,
    state: { view: { value: view } },
    receive: () => said.push('received'),
    change: async (/** @type {string} */ op, /** @type {any} */ params) => {
      changes.push([op, params]);
      if (op === 'seek') view.cursor = params.cursor;
      if (op === 'play') view.playing = true;
    },
  });
  const following = new Following({
    lab,
    notifier: /** @type {any} */ ({ notify: (/** @type {string} */ text) => said.push(text), say: () => {} }),
    engine: /** @type {any} */ ({
      request: async (/** @type {string} */ op, /** @type {any} */ params) => {
        if (op !== 'recordFeed') return {};
        if (params.text) Object.assign(known, JSON.parse(params.text));
        view.live = { t: known.known, n: -1 };
        return { ...known };
      },
    }),
    banner: /** @type {any} */ ({ show: (/** @type {any} */ one) => shown.push(one) }),
    show: async () => said.push('opened'),
    tell: (follows) => told.push(follows),
  });
  /** Reads the texts of a test, one per step. @param {(() => object)[]} steps */
  const read = (...steps) =>
    following.read(
      (async function* texts() {
        for (const step of steps) yield JSON.stringify(step());
      })(),
    );
  return { view, said, changes, shown, told, known, lab, following, read };
}

test('the page opens what has come with the first line, and stays live', async () => {
  const { read, said, changes, shown, told } = scene();
  await read(
    () => ({ end: 0 }),
    () => ({ end: 60e9, known: 5e9 }),
    () => ({ known: 5.2e9 }),
  );
  assert.equal(said[0], 'opened');
  assert.deepEqual(changes.slice(0, 2), [
    ['seek', { cursor: { t: 5e9, n: -1 } }],
    ['play', { speed: 1 }],
  ]);
  assert.deepEqual(told, ['same']);
  assert.equal(shown[0].text, 'Real programs, live.');
});

test('a page that is behind catches up; one whose reader looks back does not, until it plays live', async () => {
  const { read, changes, view, lab, shown } = scene();
  await read(
    () => ({ known: 5e9 }),
    () => ({ known: 9e9 }),
    () => {
      assert.deepEqual(changes.at(-1), ['seek', { cursor: { t: 9e9, n: -1 } }], 'behind');
      Object.assign(view, { playing: false, cursor: { t: 2e9, n: 3 } });
      lab.touched = true;
      return { known: 12e9 };
    },
    () => {
      assert.deepEqual(view.cursor, { t: 2e9, n: 3 }, 'it stays where the reader looks');
      assert.equal(shown.at(-1).text, 'Real programs. Their run goes on.');
      assert.equal(shown.at(-1).action.label, 'Follow the run');
      Object.assign(view, { playing: true, cursor: { t: 11.9e9, n: -1 } });
      return { known: 12.2e9 };
    },
    () => {
      assert.equal(shown.at(-1).text, 'Real programs, live.');
      assert.equal(lab.touched, false);
      return { known: 12.4e9 };
    },
  );
});

test('the end of the schedule and that of the run are told', async () => {
  const ended = scene();
  await ended.read(
    () => ({ known: 5e9 }),
    () => ({ known: 60e9 }),
    () => ({ known: 61e9 }),
    () => ({ known: 62e9, whole: true, goesOn: false }),
  );
  assert.equal(ended.said.filter((text) => /The schedule has ended/.test(text)).length, 1);
  assert.equal(ended.said.at(-1), 'The run has ended.');
  const broken = scene();
  await broken.following.read(
    (async function* texts() {
      yield JSON.stringify({ known: 5e9 });
      throw new Error('network error');
    })(),
  );
  assert.match(broken.said.at(-1) ?? '', /The server no longer answers \(network error\): the run is shown up to here/);
});

test('a record that does not fit is told; so is another run', async () => {
  const damaged = scene();
  await damaged.read(
    () => ({ known: 5e9 }),
    () => ({ says: 'line 9: the trace has the hash 1, and the record says 2' }),
  );
  assert.match(damaged.said.at(-1) ?? '', /cannot be followed: line 9: the trace has the hash/);
  assert.equal(damaged.told.at(-1), 'different');
  const left = scene();
  await left.read(
    () => ({ known: 5e9 }),
    () => {
      left.view.record = '';
      return { known: 6e9, view: undefined };
    },
    () => assert.fail('it reads no more'),
  );
  assert.match(left.said.at(-1) ?? '', /shows another run now/);
  assert.equal(left.told.at(-1), '');
});
