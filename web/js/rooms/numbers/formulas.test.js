import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { closed, parse, refusal } from './formulas.js';

const table = JSON.parse(
  readFileSync(new URL('../../../../sim/study/numbers/testdata/table.json', import.meta.url), 'utf8'),
);

/** Compares numbers to twelve digits, because Go adds in another order. @param {any} ours @param {any} theirs */
function agree(ours, theirs, path = '') {
  if (typeof theirs === 'number')
    assert.ok(Math.abs(ours - theirs) <= 1e-12 * Math.abs(theirs), `${path}: ${ours}, not ${theirs}`);
  else if (theirs !== null && typeof theirs === 'object')
    for (const [name, value] of Object.entries(theirs)) agree(ours[name], value, `${path}.${name}`);
  else assert.equal(ours, theirs, path);
}

test('the formulas agree with the table that Go writes', () => {
  assert.ok(table.length > 55);
  for (const { text, candidates, answer, refused = '' } of table) {
    const setting = parse(text);
    const why = typeof setting === 'string' ? setting : refusal(setting);
    assert.equal(why.replace(/\.$/, ''), refused.replace(/\.$/, ''), text);
    if (answer) agree(closed(/** @type {any} */ (setting), candidates), answer, text);
  }
  assert.throws(() => agree({ a: 1 }, { a: 1.001 }), /not 1.001/);
});
