import assert from 'node:assert/strict';
import { test } from 'node:test';
import { button, enter, fire, nameOf, placeAt, settle, submit, text, the } from '#dom';
import { pageAt } from '../../page/page.testsupport.js';
import { schema } from './format.testsupport.js';
import { open } from './index.js';

const SETTINGS = {
  scenario: { seed: 7, elector: { leaseDuration: '15s' }, candidates: [{ name: 'a' }] },
  inForce: { seed: 7, elector: { leaseDuration: '15s' } },
  usual: {},
  nodes: ['a', 'b'],
  outlook: { marginNs: 3e9, failoverNs: 24e9 },
};

/**
 * Shows the room for a run at 12 s.
 * @param {Record<string, (params: any) => any>} [answers] of the engine
 * @param {string} [first]
 */
async function room(answers = {}, first = 'settings') {
  globalThis.fetch = async () => new Response(JSON.stringify(schema));
  const view = { playing: false, ...placeAt(12e9), nodes: [{ name: 'a', role: 'leading' }], lease: {} };
  const page = pageAt(view, {
    assets: { schema: 'schema.json' },
    guard: null,
    ask: async (/** @type {string} */ op, /** @type {any} */ params) =>
      answers[op]?.(params) ?? (op === 'settings' ? SETTINGS : {}),
    change: async (/** @type {string} */ op, /** @type {any} */ params) => (answers.change ?? (() => ({ op })))(params),
  });
  const unit = await open(page.ports);
  await unit.show(first);
  const [dialog] = page.added();
  const changes = () => page.done.filter(([name]) => name === 'change');
  return { ...page, ...unit, lab: page.ports.lab, dialog, changes };
}

test('it opens on the page that was asked for, with the settings of the run as they are now', async () => {
  const { dialog, show, document } = await room();
  assert.equal(dialog.open, true);
  assert.equal(the(dialog, '#setting-seed').getAttribute('value') ?? the(dialog, '#setting-seed').value, '7');
  assert.equal(nameOf(the(dialog, '[aria-pressed="true"]')), 'Settings 6');
  assert.equal(document.activeElement.getAttribute('aria-pressed'), 'true');
  await show('acts');
  assert.equal(nameOf(the(dialog, '[aria-pressed="true"]')), 'Faults 2');
  assert.match(text(dialog), /Choose a fault/);
  button(dialog, 'Settings 6').click();
  assert.match(text(dialog), /Nothing has changed\./);
});

test('it opens at the field of a setting, whose value is selected as a whole', async () => {
  const { dialog, document, show } = await room({}, 'elector.leaseDuration');
  const field = the(dialog, '#setting-elector-leaseDuration');
  assert.equal(document.activeElement, field);
  let selected = 0;
  field.select = () => selected++;
  await show('seed');
  assert.equal(document.activeElement, the(dialog, '#setting-seed'));
  fire(field, 'focus');
  assert.equal(selected, 1);
});

test('a run that plays is paused, and an engine that does not answer keeps the room closed', async () => {
  const { state, done, show } = await room();
  state.view.value = { ...state.view.value, playing: true };
  await show();
  assert.ok(done.some(([name]) => name === 'pause'));
  const refused = await room({
    settings: () => {
      throw new Error('The simulator is still loading.');
    },
  });
  assert.equal(refused.dialog.open, false);
  assert.deepEqual(refused.done.at(-1), ['notify', 'The simulator is still loading.', { tone: 'error' }]);
});

test('a setting is judged while it is typed, then the run begins again with it and the room closes', async () => {
  const { dialog, changes, done } = await room();
  enter(the(dialog, '#setting-seed'), '8');
  assert.match(text(dialog), /1 change: seed\./);
  await settle();
  assert.ok(done.some(([name, op]) => name === 'ask' && op === 'check'));
  await submit(the(dialog, 'form'));
  await settle();
  assert.deepEqual(changes(), [
    ['change', 'edit', { path: '', value: '', changes: [{ path: 'seed', value: '8' }], mode: 'rerun' }, 'seed changed'],
    ['change', 'play', { speed: 0, until: 12e9 }],
  ]);
  assert.deepEqual([dialog.open, done.at(-1)], [false, ['say', 'seed changed.']]);
});

test('a lesson judges how far a run plays that begins again, and acts that do not play on leave it at 0', async () => {
  const { dialog, changes, state, show, lab } = await room();
  const again = async (/** @type {string} */ seed) => {
    await show();
    enter(the(dialog, '#setting-seed'), seed);
    await submit(the(dialog, 'form'));
    await settle();
    return changes().at(-1)?.[1];
  };
  lab.guard = async () => ({});
  assert.equal(await again('8'), 'play');
  state.playOn.value = false;
  assert.equal(await again('9'), 'edit');
});

test('what was typed while the sheet opened becomes the value of the setting', async () => {
  const { dialog, show } = await room();
  await show('elector.leaseDuration', () => '30');
  assert.equal(the(dialog, '#setting-elector-leaseDuration').value, '30');
  await show('acts', () => 'k');
  assert.match(text(dialog), /Choose a fault/);
});

test('a run that was playing plays on when it begins again', async () => {
  const { dialog, changes, state, show } = await room();
  state.view.value = { ...state.view.value, playing: true };
  await show();
  enter(the(dialog, '#setting-seed'), '8');
  assert.doesNotMatch(text(dialog), /stop at/);
  await submit(the(dialog, 'form'));
  await settle();
  assert.deepEqual(changes().at(-1), ['change', 'play', { speed: 0, until: undefined }]);
});

test('a sheet that closes before its changes are applied keeps them, and says so', async () => {
  const { dialog, done } = await room();
  const notes = () => done.filter(([name]) => name === 'notify');
  button(dialog, 'Close').click();
  assert.deepEqual(notes(), [], 'nothing was changed');
  const again = await room();
  enter(the(again.dialog, '#setting-seed'), '8');
  button(again.dialog, 'Close').click();
  const [, words, { action }] = /** @type {any} */ (again.done.at(-1));
  assert.equal(words, 'Not applied: seed.');
  await action.run();
  assert.equal(again.dialog.open, true);
  assert.equal(the(again.dialog, '#setting-seed').value, '8');
  assert.match(text(again.dialog), /1 change: seed\./);
});

test('what the engine refuses is told at its field, and nothing is changed', async () => {
  const { dialog, changes, document } = await room({
    check: () => ({ error: { code: 'input', path: 'seed', message: 'seed must be at most 5000.' } }),
  });
  enter(the(dialog, '#setting-seed'), '9000');
  await settle();
  assert.equal(the(dialog, '#setting-seed-error').textContent, 'seed must be at most 5000.');
  await submit(the(dialog, 'form'));
  await settle();
  assert.deepEqual(changes(), []);
  assert.equal(/** @type {any} */ (document.activeElement).id, 'setting-seed');
  assert.equal(dialog.open, true);
});

test('a fault is injected into the node that is selected', async () => {
  const { dialog, changes, done } = await room({}, 'acts');
  the(dialog, '[data-act="crash"]').click();
  assert.equal(the(dialog, '#act-target').value, 'a');
  await submit(the(dialog, 'form'));
  await settle();
  assert.deepEqual(changes()[0].slice(1), [
    'act',
    { act: 'crash', node: 'a', action: { at: '0s', act: 'crash', target: 'a', for: '20s' }, now: true },
    'Crash: a crashes, and starts again after 20 s, now',
  ]);
  assert.deepEqual(done.at(-1), ['say', 'Crash: a crashes, and starts again after 20 s, now.']);
});

test('a change that the run does not take leaves the room open', async () => {
  const { dialog } = await room({ change: () => undefined }, 'acts');
  the(dialog, '[data-act="crash"]').click();
  await submit(the(dialog, 'form'));
  await settle();
  assert.equal(dialog.open, true);
});
