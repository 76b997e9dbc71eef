import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { filterScenarios, GROUPS, groupScenarios, watchOf } from './groups.js';

const shipped = fileURLToPath(new URL('../../../../bin/scenarios.json', import.meta.url));

const scenarios = [
  { name: 'crash', title: 'Crash', summary: 'The holder crashes at 60 s.' },
  { name: 'same-name', title: 'Two candidates with the same name', summary: 'Both lead.' },
  { name: 'mine', title: 'My own', summary: 'x' },
];

test('every scenario is under one heading, unknown ones under the last', () => {
  assert.deepEqual(
    groupScenarios(scenarios).map(({ heading, scenarios: here }) => [heading, here.map((one) => one.name)]),
    [
      ['The leader goes away', ['crash']],
      ['Clocks and names', ['same-name']],
      ['Others', ['mine']],
    ],
  );
});

test('a search looks through titles, lines, headings and what to watch', () => {
  const search = (/** @type {string} */ text) => filterScenarios(scenarios, text).map((one) => one.name);
  assert.deepEqual(search(''), ['crash', 'same-name', 'mine']);
  assert.deepEqual(search('LEADER goes holder'), ['crash']);
  assert.deepEqual(search('leaseTransitions'), ['same-name']);
  assert.deepEqual(search('nothing of the kind'), []);
});

test('"two leaders" finds every shipped scenario that must have two', { skip: !existsSync(shipped) }, () => {
  const menu = JSON.parse(readFileSync(shipped, 'utf8')).filter((/** @type {any} */ one) => one.summary);
  const hasTwo = (/** @type {any} */ { violation, atMost }) => violation === 'moreThanOneActive' && atMost !== 0;
  const two = menu.filter((/** @type {any} */ { expect = [] }) => expect.some(hasTwo));
  const found = filterScenarios(menu, 'two leaders').map(({ name }) => name);
  const missed = two.filter((/** @type {any} */ { name }) => !found.includes(name));
  assert.ok(two.length >= 4);
  assert.deepEqual(missed, []);
});

test('what to watch is one sentence', () => {
  for (const [, watch] of GROUPS)
    for (const [name, text] of Object.entries(watch)) {
      assert.match(text, /^[^.!?]*(\d\.\d[^.!?]*)*\.$/, `${name}: ${text}`);
      assert.equal(watchOf(name), text);
    }
  assert.equal(watchOf('mine'), '');
});

test('the groups name the scenarios of the menu, and no other', { skip: !existsSync(shipped) }, () => {
  const menu = JSON.parse(readFileSync(shipped, 'utf8')).filter((/** @type {any} */ one) => one.summary);
  const named = GROUPS.flatMap(([, watch]) => Object.keys(watch));
  assert.deepEqual(named.toSorted(), menu.map((/** @type {any} */ one) => one.name).toSorted());
});
