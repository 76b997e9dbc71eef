import assert from 'node:assert/strict';
import { test } from 'node:test';
import { all, button, each, enter, press, settle, submit, the } from '#dom';
import { pageAt } from '../../page/page.testsupport.js';
import { KINDS, open } from './index.js';

/** Shows the breakpoints of a run. @param {any[]} breakpoints @param {(params: any) => any} [answer] of the engine */
function openBreakpoints(breakpoints = [], answer = (params) => params) {
  const page = pageAt(
    { nodes: [{ name: 'a' }, { name: 'two words' }], breakpoints },
    {
      ask: async (/** @type {string} */ _, /** @type {any} */ params) => answer(params),
      receive: (/** @type {any} */ { breakpoints }) => (state.view.value = { ...state.view.value, breakpoints }),
    },
  );
  const { state, done, ports } = page;
  const room = open(ports);
  room.show();
  const [dialog] = page.added();
  const sentLists = () =>
    done.filter(([name]) => name === 'ask').map(([, , params]) => /** @type {any} */ (params).breakpoints);
  return { ...page, ...room, dialog, sentLists };
}

test('before the engine is there the room stays closed', () => {
  const { dialog, state, done, show } = openBreakpoints();
  dialog.close();
  state.phase.value = 'opening';
  show();
  assert.equal(dialog.open, false);
  assert.deepEqual(done, [['notify', 'The simulator is still loading.']]);
});

/**
 * Adds a breakpoint with the form.
 * @param {any} dialog @param {string} kind @param {Record<string, string>} fields the values; the form may have only
 * some of these fields
 */
async function add(dialog, kind, fields) {
  enter(the(dialog, 'select[name="kind"]'), kind);
  const [form] = all(dialog, 'form');
  const had = Object.entries(fields).filter(([name]) => form.querySelector(`[name="${name}"]`));
  await submit(form, Object.fromEntries(had));
  await settle();
}

test('the form writes the condition that is chosen, and offers the fields it needs', async () => {
  const { dialog, sentLists } = openBreakpoints();
  const fields = { length: '10s', node: 'two words', role: 'lost' };
  const offered = [];
  for (const { id } of KINDS) {
    await add(dialog, id, fields);
    const named = all(dialog, 'select, input[name="length"]').map((one) => one.getAttribute('name'));
    offered.push(named.join(' '));
  }
  assert.deepEqual(sentLists().at(-1), [
    { text: 'active >= 2' },
    { text: 'leaderless >= 10s' },
    { text: 'holder = "two words"' },
    { text: 'role of "two words" = lost' },
    { text: 'leader change' },
    { text: 'violation' },
  ]);
  assert.deepEqual(offered, ['kind', 'kind length', 'kind node', 'kind node role', 'kind', 'kind']);
});

test('what was added is said, and the address follows the run', async () => {
  const { dialog, done } = openBreakpoints();
  await add(dialog, 'change', {});
  assert.deepEqual(each(done, 0), ['ask', 'touch', 'receive', 'say']);
  assert.deepEqual(done.at(-1), ['say', 'The run stops when leader change.']);
});

test('a refused condition is told beside its field, and stays until it is fixed or the room opens again', async () => {
  const { dialog, show, done } = openBreakpoints([], () => {
    throw new Error('“holder is b” is not a condition.');
  });
  const field = /** @type {any} */ (dialog.querySelector('input[name="text"]'));
  field.value = 'holder is b';
  submit(all(dialog, 'form')[1]);
  await settle();
  assert.equal(the(dialog, '[role="alert"]').textContent, '“holder is b” is not a condition.');
  assert.equal(the(dialog, 'input[name="text"]').getAttribute('aria-invalid'), 'true');
  assert.equal(field.value, 'holder is b', 'the text stays, to be fixed');
  assert.ok(!done.some(([name]) => name === 'say'));
  show();
  assert.equal(all(dialog, '[role="alert"]').length, 0);
});

test('a written condition is added, and its field is empty again', async () => {
  const { dialog, sentLists } = openBreakpoints();
  const field = /** @type {any} */ (dialog.querySelector('input[name="text"]'));
  field.value = 'holder = nobody';
  submit(all(dialog, 'form')[1]);
  await settle();
  assert.deepEqual(sentLists(), [[{ text: 'holder = nobody' }]]);
  assert.equal(field.value, '');
});

test('a breakpoint can be off, and removed', async () => {
  const { dialog, sentLists } = openBreakpoints([{ text: 'violation' }, { text: 'leader change' }]);
  await press(all(dialog, 'input[type="checkbox"]')[0]);
  assert.deepEqual(sentLists().at(-1), [{ text: 'violation', off: true }, { text: 'leader change' }]);
  assert.deepEqual(each(all(dialog, 'input[type="checkbox"]'), 'checked'), [false, true]);
  await press(button(dialog, 'Remove leader change'));
  assert.deepEqual(sentLists().at(-1), [{ text: 'violation', off: true }]);
  assert.equal(button(dialog, 'Run to the next breakpoint').disabled, true, 'none is on');
});

test('the run goes to the next breakpoint, and the room closes', () => {
  const { dialog, done } = openBreakpoints([{ text: 'violation' }]);
  button(dialog, 'Run to the next breakpoint').click();
  assert.equal(dialog.open, false);
  assert.deepEqual(done, [['run', 'toBreakpoint']]);
});

test('the breakpoints of a link are set', async () => {
  const { set, sentLists } = openBreakpoints();
  assert.equal(await set([{ text: 'violation' }]), true);
  assert.deepEqual(sentLists(), [[{ text: 'violation' }]]);
});

test('two conditions written before the engine answers are both kept, and so is what is typed meanwhile', async () => {
  /** @type {(() => void)[]} */
  const answers = [];
  const { dialog, state } = openBreakpoints(
    [],
    (params) => new Promise((resolve) => answers.push(() => resolve(params))),
  );
  const field = /** @type {any} */ (dialog.querySelector('input[name="text"]'));
  const form = all(dialog, 'form')[1];
  const both = [submit(form, { text: 'violation' }), submit(form, { text: 'leader change' })];
  field.value = 'holder = b';
  await settle();
  answers.shift()?.();
  await settle();
  answers.shift()?.();
  await Promise.all(both);
  assert.deepEqual(state.view.value.breakpoints, [{ text: 'violation' }, { text: 'leader change' }]);
  assert.equal(field.value, 'holder = b');
});
