import assert from 'node:assert/strict';
import { test } from 'node:test';
import { all, each, text, the } from '#dom';
import { ActForm, draftOf, markOf } from './acts.js';
import { format, ports } from './format.testsupport.js';

const [crash, sing] = format.rules;

test('a form begins with the selected node, or a free name', () => {
  assert.deepEqual(draftOf(crash, ['a', 'b'], 'b'), { target: 'b' });
  assert.deepEqual(draftOf(crash, ['a'], 'gone'), {});
  assert.deepEqual(draftOf({ ...crash, needs: ['candidate'] }, ['a', 'b', 'd'], 'a'), { candidate: { name: 'c' } });
});

test('a field says whether the act needs it', () => {
  assert.equal(markOf(crash, 'target'), 'needed');
  assert.equal(markOf(sing, 'target'), '');
  assert.equal(markOf({ ...sing, oneOf: ['to', 'by'] }, 'by'), 'needed: one of to, by');
});

/** An act form for the nodes a and b. */
function openActs() {
  const fake = ports();
  const acts = new ActForm(format, fake.ports);
  acts.show(['a', 'b']);
  return { acts, ...fake };
}

test('nothing is chosen: the page says what a fault is, and injects nothing', () => {
  const { acts, asked } = openActs();
  assert.match(text(acts.template()), /Choose a fault\. It becomes part of the run/);
  acts.inject();
  assert.deepEqual(asked, []);
});

test('an act now, and one at an instant', () => {
  const { acts, asked } = openActs();
  acts.choose('crash');
  assert.match(text(acts.template()), /Crash a now/);
  acts.inject();
  acts.when = 'at';
  acts.at = '20';
  acts.inject();
  assert.deepEqual(each(asked, 'params', 'words'), [
    [{ act: 'crash', node: 'a', action: { at: '0s', act: 'crash', target: 'a' }, now: true }, 'Crash a, now'],
    [{ act: 'crash', node: 'a', action: { at: '20s', act: 'crash', target: 'a' }, now: false }, 'Crash a, at 20s'],
  ]);
});

test('only fields of the act go with it, and an empty instant goes as it is, for the engine to refuse', () => {
  const { acts, asked } = openActs();
  acts.choose('sing');
  acts.form.draft = { target: 'a' };
  acts.when = 'at';
  acts.inject();
  assert.deepEqual(asked[0].params, { act: 'sing', action: { at: '-', act: 'sing' }, now: false });
});

test('a refused instant is told at the instant', () => {
  const { acts } = openActs();
  acts.choose('crash');
  all(acts.whenTemplate(), 'input[type="radio"]')[1].click();
  acts.form.refuse({ code: 'input', message: 'after the end', path: 'at' });
  assert.equal(text(the(acts.template(), '#act-at-error[role="alert"]')), 'after the end');
});

test('a target that has left the run is chosen anew', () => {
  const { acts } = openActs();
  acts.choose('crash');
  acts.form.set('target', 'b');
  acts.show(['a']);
  assert.deepEqual(acts.form.draft, { target: 'a' });
});
