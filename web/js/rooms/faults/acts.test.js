import assert from 'node:assert/strict';
import { test } from 'node:test';
import { all, button, each, text, the } from '#dom';
import { ActForm, draftOf, markOf } from './acts.js';
import { format, ports } from './format.testsupport.js';

const [crash, sing] = format.rules;

test('a form begins with the selected node, or a free name, and the values of the sentence', () => {
  assert.deepEqual(draftOf(crash, ['a', 'b'], 'b'), { target: 'b', for: '20 s' });
  assert.deepEqual(draftOf(crash, ['a'], 'gone'), { for: '20 s' });
  assert.deepEqual(draftOf({ ...sing, needs: ['candidate'] }, ['a', 'b', 'd'], 'a'), { candidate: { name: 'c' } });
  assert.deepEqual(draftOf({ ...sing, sentence: 'at {server.rate=5}' }, [], ''), { server: { rate: '5' } });
});

test('a field says whether the act needs it', () => {
  assert.equal(markOf(crash, 'target'), 'needed');
  assert.equal(markOf(sing, 'target'), '');
  assert.equal(markOf({ ...sing, oneOf: ['to', 'by'] }, 'by'), 'needed: one of to, by');
});

/** @param {string[]} nodes @param {object[]} [actions] */
const settingsOf = (nodes, actions) => /** @type {any} */ ({ nodes, scenario: { actions } });

/** An act form for the nodes a and b. @param {object[]} [actions] of the scenario */
function openActs(actions) {
  const fake = ports();
  const acts = new ActForm(format, fake.ports);
  acts.show(settingsOf(['a', 'b'], actions));
  return { acts, ...fake };
}

test('nothing is chosen: the page says what a fault is, and injects nothing', () => {
  const { acts, asked } = openActs();
  assert.match(text(acts.template()), /Choose a fault\. It becomes part of the run/);
  acts.inject();
  assert.deepEqual(asked, []);
});

test('an act is a sentence with its fields; now, and at an instant', () => {
  const { acts, asked } = openActs();
  acts.choose('crash');
  assert.match(text(acts.template()), /crashes, and starts again after/);
  assert.equal(the(acts.template(), '#act-for').value, '20 s');
  acts.inject();
  acts.form.set('for', '');
  assert.equal(the(acts.template(), '#act-for').getAttribute('placeholder'), 'never');
  acts.at = '20';
  assert.match(text(acts.template()), /Do it at 20/);
  acts.inject();
  const words = 'Crash: a crashes, and starts again after';
  assert.deepEqual(each(asked, 'params', 'words'), [
    [
      { act: 'crash', node: 'a', action: { at: '0s', act: 'crash', target: 'a', for: '20s' }, now: true },
      `${words} 20 s, now`,
    ],
    [
      { act: 'crash', node: 'a', action: { at: '20s', act: 'crash', target: 'a' }, now: false },
      `${words} never, at 20s`,
    ],
  ]);
});

test('what the scenario does by itself is told, and leads to its fields', () => {
  const crashes = { at: '9s', act: 'crash', target: 'holder' };
  const { acts, asked } = openActs([{ at: '5s', act: 'sing' }, ...Array(24).fill(crashes)]);
  const tiles = all(acts.template(), '.fault-tile');
  assert.equal(text(tiles[1]), 'Crash at 9 s the holder crashes, and starts again after never');
  tiles[1].click();
  button(acts.template(), 'All 25').click();
  assert.deepEqual(asked, ['actions[1].at', 'actions']);
  acts.text = 'teapot';
  assert.equal(all(acts.template(), '.fault-tile').length, 0);
});

test('only fields of the act go with it', () => {
  const { acts, asked } = openActs();
  acts.choose('sing');
  acts.form.draft = { target: 'a' };
  acts.inject();
  assert.deepEqual(asked[0].params, { act: 'sing', action: { at: '0s', act: 'sing' }, now: true });
});

test('a refused instant is told under the sentence', () => {
  const { acts } = openActs();
  acts.choose('crash');
  acts.form.refuse({ code: 'input', message: 'after the end', path: 'at' });
  assert.equal(text(the(acts.template(), '#act-at-error[role="alert"]')), 'after the end');
  assert.equal(the(acts.head(), 'input').getAttribute('aria-invalid'), 'true');
});

test('a search finds acts by name and by what they do', () => {
  const { acts } = openActs();
  acts.text = 'ENDS once';
  assert.deepEqual(all(acts.template(), '.fault-tile').length, 1);
  acts.text = 'teapot';
  assert.match(text(acts.template()), /No fault has “ ?teapot ?”/);
});

test('a target that has left the run is chosen anew', () => {
  const { acts } = openActs();
  acts.choose('crash');
  acts.form.set('target', 'b');
  acts.show(settingsOf(['a']));
  assert.deepEqual(acts.form.draft, { target: 'a', for: '20 s' });
});
