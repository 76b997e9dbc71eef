import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browser, recorder, settle } from '../../lib/testsupport/dom.js';
import { all } from '../../lib/testsupport/template.js';
import { createState } from '../../page/state.js';
import { open } from './index.js';

const CHANGES = [{ path: 'candidates[0].name', value: 'Anna' }];

/** The room on a run of a and b. @param {{refused?: Error, differsAt?: number, learning?: boolean}} [given] */
async function opened({ refused, differsAt = -1, learning = false } = {}) {
  const page = browser();
  const state = createState();
  state.phase.value = 'ready';
  state.view.value = /** @type {any} */ ({ nodes: [{ name: 'a' }, { name: 'b' }], live: { t: 36e9, n: -1 } });
  state.selection.value = { kind: 'node', node: 'a', index: 0 };
  /** @type {unknown[][]} */
  const done = [];
  const lab = recorder(done, { ask: async () => ({ scenario: { name: 'x' } }), change: async () => ({}) });
  const tools = {
    ask: async (/** @type {string} */ op, /** @type {{names: any[], until: number}} */ { names, until }) => {
      done.push([op, names, until]);
      if (refused && names.length > 0) throw refused;
      return { nodes: ['a', 'b'], changes: names.length > 0 ? CHANGES : [], differsAt };
    },
  };
  const room = open(
    { state, lab, notifier: recorder(done), select: recorder(done).select, learning: () => learning },
    /** @type {any} */ (tools),
  );
  await room.show();
  const [dialog] = page.body.children;
  return {
    ...room,
    state,
    done,
    dialog,
    submit: async (/** @type {Record<string, string>} */ fields) => {
      all(dialog.drawn, 'form')[0].submit(fields);
      await settle();
    },
  };
}

test('the new names go to the branch, the selection follows, and the message says what stays', async () => {
  const { dialog, done, submit } = await opened();
  assert.deepEqual(
    all(dialog.drawn, 'input').map(({ attributes }) => attributes.name),
    ['a', 'b'],
  );
  await submit({ a: ' Anna ', b: 'b' });
  assert.deepEqual(done.filter(([name]) => name === 'rename').at(-1), ['rename', [{ from: 'a', to: 'Anna' }], 36e9]);
  assert.deepEqual(
    done.filter(([name]) => name === 'change'),
    [['change', 'edit', { path: '', value: '', mode: 'same', changes: CHANGES }]],
  );
  assert.deepEqual(
    done.filter(([name]) => name === 'select'),
    [['select', { kind: 'node', node: 'Anna', index: 0 }]],
  );
  assert.match(String(done.at(-1)?.[1]), /a is now Anna\. The run stays the same/);
  assert.equal(dialog.open, false);
});

test('where a name decides, the message says when', async () => {
  const { done, submit } = await opened({ differsAt: 12.3e9 });
  await submit({ a: 'Anna', b: 'b' });
  assert.match(String(done.at(-1)?.[1]), /differs from 00:12\.300 on/);
});

test('a refusal stands below the fields, and the dialog stays', async () => {
  const refused = Object.assign(new Error('candidates[0].name "Zoë" must be letters'), {
    reply: { path: 'candidates[0].name', value: 'Zoë', rule: 'must be letters' },
  });
  const { dialog, done, submit } = await opened({ refused });
  await submit({ a: 'Zoë', b: 'b' });
  assert.match(dialog.text, /“Zoë” must be letters\./);
  assert.deepEqual(
    all(dialog.drawn, 'input[aria-invalid="true"]').map(({ attributes }) => attributes.name),
    ['a'],
  );
  assert.equal(dialog.open, true);
  assert.equal(done.filter(([name]) => name === 'change').length, 0);
});

test('a lesson keeps the names that its sentences say', async () => {
  const { dialog, done } = await opened({ learning: true });
  assert.match(String(done.at(-1)?.[1]), /Leave the lesson first/);
  assert.equal(dialog.open, false);
});
