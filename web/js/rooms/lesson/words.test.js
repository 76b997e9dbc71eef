import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { LESSONS } from './lesson.testsupport.js';
import { sweep } from './measures.js';
import { fill, inSeconds, pieces, plainText, sentence } from './words.js';

test('values go into braces, and a value that is missing is an error', () => {
  assert.equal(fill('{b} leads at {tookAt} s', { b: 'b', tookAt: '34.039' }), 'b leads at 34.039 s');
  assert.throws(() => fill('{nobody}', {}), /nobody/);
});

test('bold and emphasis become pieces', () => {
  assert.deepEqual(pieces('a **b c** d *e*.'), [
    { text: 'a ', as: '' },
    { text: 'b c', as: 'b' },
    { text: ' d ', as: '' },
    { text: 'e', as: 'em' },
    { text: '.', as: '' },
  ]);
  assert.equal(plainText('a **b c** d *e*.'), 'a b c d e.');
});

/** Every text of a lesson. @param {unknown} value @returns {string[]} */
function texts(value) {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(texts) : [];
}

for (const lesson of LESSONS) {
  test(`lesson ${lesson.number} has no mark that does not close`, () => {
    for (const text of texts(lesson)) assert.doesNotMatch(plainText(text), /\*/, text);
  });
  test(`lesson ${lesson.number} asks one question with one right answer`, () => {
    const question = lesson.steps.find((step) => step.kind === 'transfer');
    assert.equal(
      question?.kind === 'transfer' && question.choices.filter(({ name }) => name === question.rightChoice).length,
      1,
    );
  });
}

test('a sweep asks until every seed is done, and not once more after it was stopped', async () => {
  let done = 0;
  const ask = async () => ({ done: (done += 30) > 100 ? 100 : done, of: 100 });
  /** @type {number[]} */
  const told = [];
  const params = { patch: [], after: 0, first: 1, count: 100 };
  const last = await sweep(ask, params, { tell: (swept) => told.push(swept.done), isStopped: () => false });
  assert.equal(last?.done, 100);
  assert.deepEqual(told, [30, 60, 90, 100]);

  done = 0;
  let asked = 0;
  const countingSweep = () => {
    asked++;
    return ask();
  };
  const stopped = await sweep(countingSweep, params, { tell: () => {}, isStopped: () => asked >= 2 });
  assert.equal(stopped, undefined);
  assert.equal(asked, 2);
});

const read = (/** @type {string} */ path) => readFileSync(new URL(path, import.meta.url), 'utf8');
/** @type {Record<string, string>} */
const PLAYER = JSON.parse(read('./sentences.json'));

test('the file of sentences has every sentence that the player says, and no other', () => {
  const rooms = ['./', '../presenter/', '../predict/', '../qrcode/'];
  const files = rooms.flatMap((room) => readdirSync(new URL(room, import.meta.url)).map((name) => room + name));
  const code = files
    .filter((name) => /\/\w+\.js$/.test(name))
    .map((name) => read(name))
    .join('\n');
  for (const [, name] of code.matchAll(/\bsentence\('(\w+)/g)) assert.ok(name in PLAYER, name);
  for (const name of Object.keys(PLAYER)) assert.ok(code.includes(`'${name}'`), `nothing says ${name}`);
});

test('a sentence of the player has its values', () => {
  assert.equal(sentence('back'), 'Back');
  assert.equal(inSeconds('3.5'), '3.5 s');
});
