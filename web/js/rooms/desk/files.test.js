import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readScenario } from './files.js';

/** @param {string} name @param {string} text */
const file = (name, text) => new File([text], name);

test('what is no scenario is refused in a sentence, in either language', async () => {
  for (const [name, text, words] of [
    ['a.json', '[]', 'contains no scenario'],
    ['a.json', 'null', 'contains no scenario'],
    ['a.json', '{"a":\n}', 'line 2: this is not JSON'],
    ['a.yaml', 'just words', 'contains no scenario'],
    ['a.yaml', 'a: [', 'Line 1'],
  ]) {
    await assert.rejects(readScenario(file(name, text)), { message: new RegExp(words) });
  }
});

test('a deep file is refused before anything has to follow it down', async () => {
  for (const levels of [101, 5000, 1_000_000]) {
    const lists = '['.repeat(levels) + ']'.repeat(levels);
    const message = /nested more than 100 levels deep, more than any scenario needs\. Nothing was opened\.$/;
    await assert.rejects(readScenario(file('deep.json', `{"a":${lists}}`)), { message });
    await assert.rejects(readScenario(file('deep.yaml', `a: ${lists}`)), { message });
    await assert.rejects(readScenario(file('deep.yaml', '- '.repeat(levels))), { message });
  }
});

test('a YAML file of the largest size is read', async () => {
  const lines = /** @type {any} */ (await readScenario(file('long.yaml', `a:\n${'- b\n'.repeat(1_000_000)}`)));
  assert.equal(lines.a.length, 1_000_000);
  const text = `${'1_'.repeat(2_000_000)}x`;
  assert.deepEqual(await readScenario(file('long.yml', `a: ${text}`)), { a: text });
});
