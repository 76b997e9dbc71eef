import assert from 'node:assert/strict';
import { test } from 'node:test';
import { all, button, enter, fire, nameOf, placeAt, submit, text, the } from '#dom';
import { pageAt } from '../../../page/page.testsupport.js';
import { openDialogs } from './index.js';
import { commandsOf } from './palette/commands.js';

const LESSONS = [
  { number: 1, title: 'A leader dies' },
  { number: 16, title: 'The blind watcher' },
];

/** The dialogs of a page of two nodes. @param {any} [ask] of the second engine */
function opened(ask = async () => ({ matches: [], question: '' })) {
  const node = { role: 'following', cut: '', paused: false, clockOffsetNs: 0, clockRatePpm: 1e6 };
  const view = {
    nodes: [
      { ...node, name: 'a', index: 0, role: 'leading' },
      { ...node, name: 'b', index: 1, cut: 'both' },
    ],
    lease: { holder: 'a' },
    acts: [{ node: 'b', act: 'crash', refusal: 'b is down.' }],
    ...placeAt(20e9, 40e9),
    end: 120e9,
  };
  const page = pageAt(view, { assets: { module: { sha256: 'abc' } } });
  const { state, at, ports } = page;
  state.hello.value = /** @type {any} */ ({
    engine: 9,
    acts: [{ act: 'heal', label: 'Heal' }],
    scenarios: [{ name: 'two-leaders', title: 'Two leaders' }],
  });
  const commands = () => commandsOf(ports, LESSONS);
  const dialogs = openDialogs(ports, { commands, theme: ports.theme }, async () => ({
    ask,
  }));
  return { ...page, ...dialogs, dialog: at('dialog') };
}

test('a dialog has its name and begins without what the last one said', () => {
  const { open, dialog } = opened();
  open('goTo');
  submit(the(dialog, 'form'), { t: 'noon' });
  assert.match(the(dialog, '[role="alert"]').textContent, /“noon” is not a time/);
  open('clock');
  assert.equal(dialog.getAttribute('aria-label'), 'Clock');
  assert.equal(all(dialog, '[role="alert"]').length, 0);
});

test('to a time: the dialog says where live and the end are, and closes', () => {
  const { open, dialog, done } = opened();
  open('goTo');
  assert.match(text(dialog), /The run is live at 00:40\.000 and ends at 02:00\.000/);
  submit(the(dialog, 'form'), { t: '1m' });
  assert.deepEqual([dialog.open, done], [false, [['goTo', 60e9]]]);
});

test('a clock is set for the target; an impossible rate is refused', () => {
  const { open, dialog, done, state } = opened();
  state.selection.value = { kind: 'node', node: 'b' };
  open('clock');
  submit(the(dialog, 'form'), { rate: '20', offset: '' });
  assert.match(text(dialog), /between 0\.1 and 10, not 20/);
  submit(the(dialog, 'form'), { rate: '0.5', offset: '1h' });
  assert.deepEqual(done, [['act', 'clock', 'b', { offset: '1h', ratePpm: 500000 }]]);
  assert.equal(dialog.open, false);
});

test('a link that is too long says how long, and saves the file instead', () => {
  const { tellTooLong, dialog, done } = opened();
  tellTooLong(12345);
  assert.match(text(dialog), /12,345 characters/);
  button(dialog, 'Save the file').click();
  assert.deepEqual([dialog.open, done], [false, [['run', 'saveJson']]]);
});

test('the palette offers acts by what they do now, with what speaks against them', () => {
  const { open, dialog, done, state } = opened();
  state.selection.value = { kind: 'node', node: 'b' };
  open('palette');
  const field = () => the(dialog, '#palette-text');
  enter(field(), 'crash b');
  assert.deepEqual(
    all(dialog, 'li')
      .map(nameOf)
      .filter((name) => name.includes('b is down.')).length,
    1,
  );
  enter(field(), 'heal');
  assert.match(nameOf(all(dialog, 'li')[0]), /^Heal b/, 'b is cut off already');
  fire(field(), 'keydown', { key: 'Enter' });
  assert.deepEqual([dialog.open, done], [false, [['run', 'cut']]]);
});

test('in the palette the arrows choose, around both ends, and a scenario opens by its title', async () => {
  const { open, dialog, done } = opened();
  open('palette');
  const field = () => the(dialog, '#palette-text');
  enter(field(), 'theme');
  const chosenNames = () => all(dialog, 'li[aria-selected="true"]').map(nameOf);
  fire(field(), 'keydown', { key: 'ArrowUp' });
  assert.deepEqual(chosenNames(), ['Theme: dark']);
  fire(field(), 'keydown', { key: 'ArrowDown' });
  assert.deepEqual(chosenNames(), ['Theme: same as the system']);
  enter(field(), 'two leaders');
  all(dialog, 'li')[0].click();
  assert.deepEqual(done, [['run', 'scenario', 'two-leaders']]);
  open('palette');
  enter(field(), 'nothing of the kind');
  assert.match(text(dialog), /Looking for incidents and questions/);
  for (let i = 0; i < 5; i++) await Promise.resolve();
  assert.match(text(dialog), /No command contains “nothing of the kind”/);
});

test('the palette looks up an error, with the lines of a log, and keeps no answer to an earlier text', async () => {
  /** @type {string[]} */
  const asked = [];
  const ask = async (/** @type {string} */ _, /** @type {{text: string}} */ { text }) => {
    asked.push(text);
    return { matches: [{ id: 'Q1', title: 'Lost', address: 'q/lost' }], question: 'Which of them?' };
  };
  const { open, dialog } = opened(ask);
  open('palette');
  const field = () => the(dialog, '#palette-text');
  enter(field(), 'two words');
  await Promise.resolve();
  assert.deepEqual(asked, [], 'two words name a command');
  const clipboardData = { getData: () => 'failed to renew lease\nleader election lost\n' };
  fire(field(), 'paste', { clipboardData });
  for (let i = 0; i < 5; i++) await Promise.resolve();
  assert.deepEqual(asked, ['failed to renew lease\nleader election lost\n']);
  assert.equal(field().value, 'failed to renew lease leader election lost');
  assert.deepEqual(all(dialog, 'li').map(nameOf), ['Q1: Lost']);
  assert.match(text(dialog), /Which of them\?/);
  enter(field(), 'theme');
  assert.doesNotMatch(text(dialog), /Which of them\?|Q1/);
});

test('the palette names every lesson', () => {
  const { open, dialog, done } = opened();
  open('palette');
  enter(the(dialog, '#palette-text'), 'lesson 16');
  const found = all(dialog, 'li');
  assert.deepEqual(found.map(nameOf), ['Lesson 16: The blind watcher']);
  found[0].click();
  assert.deepEqual(done, [['run', 'lesson', 16]]);
});

test('the palette begins anew each time', () => {
  const { open, dialog } = opened();
  open('palette');
  enter(the(dialog, '#palette-text'), 'theme');
  open('palette');
  assert.equal(the(dialog, '#palette-text').value, '');
});

test('the help lists the keys of a lesson', () => {
  const { open, dialog } = opened();
  open('help');
  assert.match(text(dialog), /Next step of the lesson/);
});

test('the help says which engine runs, and keeps a chosen mode and theme', () => {
  const { open, dialog, done, state } = opened();
  open('help');
  assert.match(text(dialog), /The simulator is engine 9\. The SHA-256 of its module is abc/);
  enter(the(dialog, '#key-mode'), 'focus');
  enter(the(dialog, '#theme'), 'dark');
  assert.equal(state.keyMode.value, 'focus');
  assert.deepEqual(done, [
    ['remember', { keyMode: 'focus' }],
    ['theme', 'dark'],
  ]);
});
