import assert from 'node:assert/strict';
import { test } from 'node:test';
import { all, button, fire, nameOf, placeAt, submit, text, the } from '#dom';
import { pageAt } from '../../page/page.testsupport.js';
import { childrenOf, open } from './index.js';

const branch = (/** @type {number} */ id, /** @type {number} */ parent, /** @type {string} */ name, hidden = false) =>
  /** @type {any} */ ({ id, parent, name, hidden, forkAt: 10e9 * id, live: 40e9 });
const RUN = [branch(0, -1, 'first'), branch(1, 0, 'b crashes'), branch(2, 1, 'gone', true), branch(3, 2, 'b is cut')];

/** Shows the tree of a run with four branches. One is a deleted branch. */
function tree() {
  const view = { branches: RUN, branch: 1, ...placeAt(12e9), undo: 'b crashes', redo: '' };
  const page = pageAt(view, { change: async () => ({}) });
  const { show } = open(page.ports);
  show();
  const [dialog] = page.added();
  const press = (/** @type {string} */ name) => button(dialog, name).click();
  return { ...page, dialog, press, show };
}

test('the branches of a deleted one hang on its parent', () => {
  assert.deepEqual(
    [...childrenOf(RUN)].map(([parent, children]) => [parent, children.map(({ name }) => name)]),
    [
      [-1, ['first']],
      [0, ['b crashes']],
      [1, ['b is cut']],
    ],
  );
});

test('the tree says where each branch forks, and which one is open', () => {
  const { dialog } = tree();
  assert.equal(dialog.open, true);
  assert.match(text(dialog), /first the first run, shown up to 00:40/);
  assert.match(text(dialog), /b crashes forks at 00:10\.000, shown up to 00:40\.000, you are here/);
  assert.equal(the(dialog, '[aria-current="true"]').textContent, 'b crashes');
  assert.ok(!text(dialog).includes('gone'));
  assert.equal(all(dialog, 'li li li').length, 1, 'b is cut below b crashes below first');
});

test('its buttons switch, delete, fork, undo, compare and save', async () => {
  const { press, done } = tree();
  await press('b is cut');
  await press('Delete b is cut');
  await press('Fork at 00:12.000');
  await press('Undo: b crashes');
  await press('Compare two…');
  await press('Save the tree');
  assert.deepEqual(
    done.filter(([name]) => name !== 'touch'),
    [
      ['change', 'branch', { branch: 3 }, 'b is cut.'],
      ['say', 'b is cut.'],
      ['change', 'branch', { branch: 3, do: 'delete' }, 'b is cut is deleted. Undo brings it back.'],
      ['say', 'b is cut is deleted. Undo brings it back.'],
      ['change', 'branch', { branch: 1, do: 'fork' }, 'A branch at 00:12.000.'],
      ['say', 'A branch at 00:12.000.'],
      ['undo'],
      ['run', 'compare'],
      ['run', 'saveSession'],
    ],
  );
});

test('the only branch cannot be deleted', () => {
  const { state, dialog } = tree();
  const disabledNames = () => all(dialog, 'button[disabled]').map(nameOf);
  assert.deepEqual(disabledNames(), ['Redo']);
  state.view.value = { ...state.view.value, branches: [RUN[0]], branch: 0 };
  assert.deepEqual(disabledNames(), ['Delete first', 'Redo']);
});

test('a branch is renamed in its place; the same name or none changes nothing', async () => {
  const { press, done, dialog, document } = tree();
  await press('Rename b crashes');
  assert.equal(document.activeElement, the(dialog, 'input'));
  assert.equal(the(dialog, 'input').value, 'b crashes');
  await submit(the(dialog, 'form'), { name: ' b dies ' });
  assert.deepEqual(done.at(-2), [
    'change',
    'branch',
    { branch: 1, do: 'rename', name: 'b dies' },
    'The branch is called b dies.',
  ]);
  assert.equal(all(dialog, 'form').length, 0);
  const before = done.length;
  for (const name of ['b crashes', '  ']) {
    await press('Rename b crashes');
    await submit(the(dialog, 'form'), { name });
  }
  assert.equal(done.length, before);
});

test('Escape ends the renaming, not the dialog; closing the dialog ends it too', async () => {
  const { press, dialog, show } = tree();
  await press('Rename first');
  const event = fire(the(dialog, 'input'), 'keydown', { key: 'Escape' });
  assert.deepEqual([event.defaultPrevented, dialog.open, all(dialog, 'input').length], [true, true, 0]);
  await press('Rename first');
  dialog.close();
  show();
  assert.match(text(dialog), /the first run/);
  assert.equal(all(dialog, 'input').length, 0);
});
