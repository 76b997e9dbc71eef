import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { browser, recorder, settle } from '#dom';
import { missing } from '../lib/later.js';
import { openDesk } from './desk.js';
import { rooms } from './rooms.js';

/** A page whose desk may load, and what it told. */
function page() {
  const { document } = browser();
  /** @type {unknown[][]} */
  const done = [];
  /** @type {any[]} */
  const opened = [];
  const unit = openDesk(
    {
      lab: recorder(done, { assets: { styles: 'late.css' } }),
      notifier: recorder(done),
      schedule: recorder(done).schedule,
      rooms,
    },
    (room) => /** @type {any} */ (opened.push(room) && { room }),
  );
  const styles = () => /** @type {any} */ (document.head.lastElementChild);
  return { ...unit, done, opened, styles };
}

test('the desk opens once, when its chunk and its styles have loaded', async () => {
  const { loadDesk, desk, opened, styles } = page();
  const first = loadDesk();
  const second = loadDesk();
  await settle();
  assert.equal(desk.value, null);
  assert.deepEqual([styles().rel, styles().getAttribute('href')], ['stylesheet', 'late.css']);
  styles().onload(new Event('load'));
  assert.ok(await first);
  assert.equal(await second, desk.value);
  assert.equal(opened.length, 1);
  assert.equal(typeof opened[0].NodeGrid, 'function');
});

test('what did not load is told above the picture until the desk is there, and by a message after that', async () => {
  const { loadDesk, done, notLoaded, styles } = page();
  missing.tell('A part is missing.');
  assert.equal(notLoaded(), 'A part is missing.');
  assert.deepEqual(done, [['schedule']]);
  const loading = loadDesk();
  styles().onload(new Event('load'));
  await loading;
  assert.equal(notLoaded(), '');
  missing.tell('Another part is missing.');
  const [, sentence, how] = /** @type {any[]} */ (done.at(-1));
  assert.deepEqual([sentence, how.tone, how.action.label], ['Another part is missing.', 'error', 'Reload']);
  how.action.run();
  assert.deepEqual(done.at(-1), ['reload']);
});

test('a desk without its styles opens, the page says so, and the next call tries again', async () => {
  const silent = mock.method(console, 'error', () => {});
  globalThis.fetch = async () => new Response('', { status: 404 });
  const { loadDesk, styles, notLoaded } = page();
  const loading = loadDesk();
  const failed = styles();
  failed.onerror(new Error('no styles'));
  assert.ok(await loading);
  assert.match(notLoaded(), /could not be loaded/);
  const again = loadDesk();
  assert.notEqual(styles(), failed);
  styles().onload(new Event('load'));
  await again;
  assert.equal(notLoaded(), '');
  silent.mock.restore();
});
