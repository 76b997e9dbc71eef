import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { onSubmit, withChecked, withOpen, withValue } from './control.js';
import { loadOnce, missing, tellIfReplaced } from './later.js';
import { seedOf, seedRefusal } from './seed.js';
import { isCursor, isListOf, isObject, isText, isTooDeep, isWhole, MAX_DEPTH } from './shape.js';

test('a seed is a whole number that JavaScript holds exactly', () => {
  assert.deepEqual([' 12 ', '0', '9007199254740991'].map(seedOf), [12, 0, 9007199254740991]);
  for (const text of ['', '1.5', '-1', 'x', '9007199254740992', '1e3']) assert.equal(seedOf(text), undefined, text);
  assert.match(seedRefusal(' x '), /“x”/);
});

test('a text that nests too deep is told apart from brackets within words', () => {
  const deep = (/** @type {number} */ n) => '['.repeat(n) + ']'.repeat(n);
  assert.deepEqual([isTooDeep(deep(MAX_DEPTH)), isTooDeep(deep(MAX_DEPTH + 1))], [false, true]);
  assert.equal(isTooDeep(JSON.stringify('['.repeat(1000))), false);
  assert.equal(isTooDeep(`{"a\\"":${deep(MAX_DEPTH)}}`), true);
  assert.equal(isTooDeep(`[${'[],'.repeat(1000)}[]]`), false, 'side by side is not deep');
});

test('shapes', () => {
  assert.deepEqual([{}, [], null, 'x'].map(isObject), [true, false, false, false]);
  assert.deepEqual([1, 1.5, 2 ** 53, '1'].map(isWhole), [true, false, false, false]);
  assert.deepEqual([isListOf(['a'], isText), isListOf(['a', 1], isText), isListOf('a', isText)], [true, false, false]);
  assert.deepEqual([{ t: 1, n: -1 }, { t: 1 }, null].map(isCursor), [true, false, false]);
});

test('handlers pass on what a control holds, and a form stays on the page', () => {
  /** @type {unknown[]} */
  const told = [];
  const event = (/** @type {object} */ target) =>
    /** @type {any} */ ({ target, preventDefault: () => told.push('stays') });
  withValue((value) => told.push(value))(event({ value: 'x' }));
  withChecked((on) => told.push(on))(event({ checked: true }));
  withOpen((open) => told.push(open))(event({ open: false }));
  Object.assign(globalThis, {
    FormData: class {
      constructor(/** @type {any} */ form) {
        this.form = form;
      }
    },
  });
  const form = {};
  onSubmit((data) => told.push(/** @type {any} */ (data).form === form))(event(form));
  assert.deepEqual(told, ['x', true, false, 'stays', true]);
});

/** A site that answers a request for sw.js, and the messages to the reader. @param {() => Response} answer */
function site(answer) {
  /** @type {string[]} */
  const told = [];
  missing.script = 'https://example.org/lab/app-1.js';
  missing.tell = (sentence) => told.push(sentence);
  globalThis.fetch = async () => answer();
  return told;
}

test('what loads later loads once; after a failure the reader is told and the next call tries again', async () => {
  const silent = mock.method(console, 'error', () => {});
  const told = site(() => new Response('app-1.js'));
  let tries = 0;
  const load = loadOnce(async () => {
    if (++tries === 1) throw new Error('no network');
    return 'loaded';
  });
  assert.deepEqual(await Promise.all([load(), load()]), [undefined, undefined]);
  assert.deepEqual([tries, told.length], [1, 1]);
  assert.match(told[0], /could not be loaded/);
  assert.deepEqual([await load(), await load(), tries], ['loaded', 'loaded', 2]);
  silent.mock.restore();
});

test('a site that has a newer version is told as that; one that does not answer is not', async () => {
  const told = site(() => new Response('app-2.js'));
  assert.equal(await tellIfReplaced(), true);
  assert.match(told[0], /A newer version/);
  for (const answer of [new Response('app-1.js'), new Response('app-2.js', { status: 404 })]) {
    const same = site(() => answer);
    assert.deepEqual([await tellIfReplaced(), same], [false, []]);
  }
  const offline = site(() => {
    throw new TypeError('no network');
  });
  assert.deepEqual([await tellIfReplaced(), offline], [false, []]);
});
