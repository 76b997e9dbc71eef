import assert from 'node:assert/strict';
import { test } from 'node:test';
import { all, enter, fire, text, the } from '#dom';
import { openAsking } from './asking.js';
import { Form, fieldTemplate } from './form.js';
import { format, ports } from './format.testsupport.js';

/** @param {any} [draft] */
function formOf(draft = {}) {
  const form = new Form('f', format, { ...ports().ports, onChange: () => {} });
  form.draft = draft;
  return form;
}
/** @param {string} type @param {string} name */
const field = (type, name) =>
  /** @type {import('./schema.js').Field} */ (format.fields(type).find((one) => one.name === name));

test('a refusal lands at the nearest control, and above the buttons where there is none', () => {
  const form = formOf();
  form.refuse({ code: 'input', message: 'no such word', path: 'elector.dialect[1]' });
  assert.deepEqual(form.error, { path: 'elector.dialect', message: 'no such word' });
  form.refuse({ code: 'input', message: 'nowhere', path: 'teapot' });
  assert.equal(form.error, null);
  assert.equal(form.astray, 'nowhere');
  form.refuse(null);
  assert.equal(form.astray, '');
});

test('a group unfolds for what it says, for its error, and on request', () => {
  const group = field('Scenario', 'elector');
  const isUnfolded = (/** @type {Form} */ form) => all(fieldTemplate(form, group, 'elector'), '.fields').length > 0;
  assert.equal(isUnfolded(formOf()), false);
  assert.equal(isUnfolded(formOf({ elector: { leaseDuration: '9s' } })), true);
  const wrong = formOf();
  wrong.error = { path: 'elector.leaseDuration', message: 'too short' };
  assert.equal(isUnfolded(wrong), true);
  const form = formOf();
  const details = the(fieldTemplate(form, group, 'elector'), 'details');
  details.open = true;
  fire(details, 'toggle');
  assert.equal(isUnfolded(form), true);
});

test('entries are added, changed and removed', () => {
  const form = formOf({ expect: [{ changes: 1 }, { changes: 2 }] });
  const list = () => fieldTemplate(form, field('Scenario', 'expect'), 'expect');
  assert.match(text(list()), /expect 1 changes 1 expect 2 changes 2/);
  all(list(), 'button').at(-1).click();
  assert.deepEqual(/** @type {any} */ (form.draft).expect, [{ changes: 1 }, { changes: 2 }, {}]);
  assert.match(text(list()), /Remove expect 3/);
  all(list(), 'button')[0].click();
  assert.deepEqual(/** @type {any} */ (form.draft).expect, [{ changes: 1 }, { changes: 2 }]);
});

test('an act in the list says what it does and stands for', () => {
  const form = formOf({ actions: [{ act: 'crash' }, { act: 'none' }] });
  form.open.add('actions[0]').add('actions[1]');
  const list = text(
    fieldTemplate(form, { ...field('Scenario', 'expect'), name: 'actions', type: 'Action' }, 'actions'),
  );
  assert.equal(list.split('Gone.').length, 2);
  const pause = formOf({ actions: [{ at: '20s', act: 'pause', for: '40' }] });
  const one = fieldTemplate(pause, { ...field('Scenario', 'expect'), name: 'actions', type: 'Action' }, 'actions');
  assert.match(text(one), /action 1 at 20 s, act pause, for 40 s/, 'a number of seconds has its unit');
});

test('a choice says what its words mean, and then what the chosen one means', () => {
  const choice = /** @type {any} */ ({ ...field('Elector', 'dialect'), kind: 'choice' });
  const helpText = (/** @type {any} */ draft) => {
    const form = formOf(draft);
    return text(fieldTemplate(form, choice, 'dialect'));
  };
  assert.match(helpText({}), /current: not at all\. forLife: never expires \(x#1\)\./);
  assert.doesNotMatch(helpText({ dialect: 'forLife' }), /not at all/);
  assert.match(helpText({ dialect: 'forLife' }), /forLife: never expires \(x#1\)\./);
});

test('words are check boxes, each with its meaning', () => {
  const form = formOf({ dialect: ['current'] });
  const boxes = () => all(fieldTemplate(form, field('Elector', 'dialect'), 'dialect'), 'input');
  boxes()[1].click();
  assert.deepEqual(/** @type {any} */ (form.draft).dialect, ['current', 'forLife']);
  boxes()[0].click();
  assert.deepEqual(/** @type {any} */ (form.draft).dialect, ['forLife']);
});

test('lines are split, empty ones left out; a choice may be left open', () => {
  const form = formOf();
  const lines = fieldTemplate(form, field('Candidate', 'draws'), 'draws');
  assert.match(text(lines), /One per line\./);
  enter(the(lines, 'textarea'), '0.5\n\n0.7');
  assert.deepEqual(/** @type {any} */ (form.draft).draws, ['0.5', '0.7']);
  form.ports.inForce = () => 'on';
  const choice = fieldTemplate(form, field('Elector', 'releaseOnCancel'), 'releaseOnCancel', { mark: 'needed' });
  assert.match(text(choice), /releaseOnCancel releaseOnCancel needed on on off/);
  const set = formOf({ releaseOnCancel: true });
  const filled = fieldTemplate(set, field('Elector', 'releaseOnCancel'), 'releaseOnCancel', { mark: 'needed' });
  assert.doesNotMatch(text(filled), /needed/, 'what has a value needs none');
});

test('the engine is asked first: a refusal changes nothing, and a second request meanwhile is dropped', async () => {
  /** @type {string[]} */
  const log = [];
  /** @type {any[]} */
  const answers = [{ error: { code: 'input', message: 'no', path: 'seed' } }, {}, {}];
  let changes = true;
  const ask = openAsking({
    check: async (params) => {
      log.push(`check ${JSON.stringify(params)}`);
      return answers.shift();
    },
    change: async (op) => {
      log.push(op);
      return changes;
    },
    redraw: () => {},
    focusInvalid: () => log.push('focus'),
    done: (words) => log.push(words),
  });
  const form = formOf();
  await ask('edit', { path: '', value: '', mode: 'rerun', changes: [] }, form, 'seed changed');
  assert.deepEqual(form.error, { path: 'seed', message: 'no' });
  const first = ask('act', { act: 'crash', node: 'a', action: { act: 'crash' }, now: true }, form, 'Crash a');
  await ask('act', { act: 'crash' }, form, 'Crash a again');
  await first;
  changes = false;
  await ask('edit', { path: '', value: '', mode: 'now' }, form, 'never said');
  assert.deepEqual(log, [
    'check {"path":"","value":"","mode":"rerun","changes":[]}',
    'focus',
    'check {"path":"","value":"","now":true,"action":{"act":"crash"}}',
    'act',
    'Crash a',
    'check {"path":"","value":"","mode":"now"}',
    'edit',
  ]);
});

test('an engine that cannot answer is told above the buttons, and the next request goes through', async () => {
  const form = formOf();
  let fails = true;
  /** @type {string[]} */
  const done = [];
  const ask = openAsking({
    check: async () => {
      if (fails) throw new Error('the engine is gone');
      return {};
    },
    change: async () => true,
    redraw: () => {},
    focusInvalid: () => {},
    done: (words) => done.push(words),
  });
  await ask('act', { act: 'crash' }, form, 'first');
  assert.equal(form.astray, 'the engine is gone');
  fails = false;
  await ask('act', { act: 'crash' }, form, 'second');
  assert.deepEqual(done, ['second']);
});
