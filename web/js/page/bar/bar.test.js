import assert from 'node:assert/strict';
import { test } from 'node:test';
import { all, button, nameOf, recorder, text, the } from '#dom';
import { barTemplate, readout, runTemplate, transportTemplate } from './bar.js';

/** The keys of the commands: each is its name in brackets. */
const KEYS = { key: (/** @type {string} */ id) => `<${id}>`, shortcut: (/** @type {string} */ id) => id };
const NO_KEYS = { key: () => '', shortcut: () => '' };
const VIEW = /** @type {any} */ ({
  ...{ playing: false, undo: '', redo: '', scenario: 'a-leader-dies', title: 'From a file', totals: { violations: 0 } },
});
const HELLO = /** @type {any} */ ({
  scenarios: [{ name: 'a-leader-dies', title: 'A leader dies', summary: 'The leader crashes.' }],
});

/** A template, and the commands that its controls ran. @param {(run: any) => unknown} template */
function drawn(template) {
  /** @type {unknown[][]} */
  const done = [];
  return { template: template(recorder(done).run), ran: () => done.map(([, ...given]) => given) };
}
const transport = (view = {}, speed = 0, keys = KEYS) =>
  drawn((run) => transportTemplate({ ...VIEW, ...view }, { ...keys, speed }, run));

test('the header names the pages, with the number of lessons and incidents; the one on screen is current', () => {
  const { template, ran } = drawn((run) => barTemplate(KEYS, { page: 'museum', learning: false }, run));
  const nav = the(template, 'nav', 'Main');
  assert.equal(text(nav), 'Lab Lessons 16 Museum 57 Studies Numbers Your logs Docs');
  assert.deepEqual(all(nav, '[aria-current="page"]').map(text), ['Museum 57']);
  assert.equal(the(nav, 'a').getAttribute('href'), './docs/index.html');
  for (const one of all(nav, 'button')) one.click();
  assert.deepEqual(ran(), [['lab'], ['lessons'], ['museum'], ['search'], ['numbers'], ['evidence']]);
});

test('the header finds, presents, and opens the menus', () => {
  const { template, ran } = drawn((run) => barTemplate(KEYS, { page: 'lab', learning: false }, run));
  for (const name of ['Find anything', 'Present']) button(template, name).click();
  assert.deepEqual(ran(), [['palette'], ['projector']]);
  assert.equal(the(template, '.find kbd').textContent, '<palette>');
  const menus = ['Share', 'More'].map((name) => button(template, name).getAttribute('popovertarget'));
  assert.deepEqual(menus, ['share', 'menu']);
  const bare = drawn((run) => barTemplate(NO_KEYS, { page: 'lab', learning: true }, run)).template;
  assert.equal(all(bare, 'kbd, [aria-keyshortcuts]').length, 0, 'without keys the header mentions none');
  const lesson = drawn((run) => barTemplate(KEYS, { page: 'lab', learning: true }, run));
  button(lesson.template, 'Present').click();
  assert.deepEqual(lesson.ran(), [['present']], 'a lesson is presented with its question');
});

test('the transport plays or pauses, and steps by landmark and by event', () => {
  const { template, ran } = transport();
  const names = ['Previous landmark', 'Previous event', 'Next event', 'Next landmark'];
  for (const name of ['Play', ...names]) button(template, name).click();
  assert.deepEqual(ran(), [['playPause'], ['landmarkBack'], ['eventBack'], ['eventForth'], ['landmarkForth']]);
  assert.equal(button(template, 'Next event').title, 'Next event (<eventForth>)');
  assert.equal(button(transport({}, 0, NO_KEYS).template, 'Next event').title, 'Next event');
  assert.equal(the(transport({ playing: true }).template, '.play', 'Pause').querySelector('svg').dataset.icon, 'pause');
});

test('the time leads to another time', () => {
  const { template, ran } = transport();
  the(template, '.time').click();
  assert.deepEqual(ran(), [['goTo']]);
  assert.equal(the(template, '.time output').id, 'readout');
});

test('undo and redo say what, or that nothing is left', () => {
  const { template, ran } = transport({ undo: 'crash a' });
  const undo = button(template, 'Undo: crash a');
  const redo = button(template, 'Nothing to redo');
  assert.deepEqual([undo.getAttribute('aria-disabled'), redo.getAttribute('aria-disabled')], [null, 'true']);
  undo.click();
  assert.deepEqual(ran(), [['undo']]);
  assert.ok(button(transport({ redo: 'crash b' }).template, 'Redo: crash b'));
});

test('four speeds have a button; another speed presses none', () => {
  const { template, ran } = transport({}, 0);
  const speeds = all(template, '.speeds button');
  assert.deepEqual(speeds.map(nameOf), ['¼×', '1×', '4×', 'story']);
  for (const one of speeds) one.click();
  assert.deepEqual(ran(), [
    ['speed', 0.25],
    ['speed', 1],
    ['speed', 4],
    ['speed', 0],
  ]);
  const pressed = (/** @type {number} */ speed) =>
    all(transport({}, speed).template, '.speeds [aria-pressed="true"]').map(nameOf);
  assert.deepEqual([pressed(0), pressed(0.25), pressed(20)], [['story'], ['¼×'], []]);
});

test('the buttons for zoom run their commands and name their keys', () => {
  const { template, ran } = transport();
  const zoom = the(template, '[role="group"]', 'Zoom');
  for (const name of ['Zoom out', 'Fit the run', 'Zoom in']) button(zoom, name).click();
  assert.deepEqual(ran(), [['zoomOut'], ['fit'], ['zoomIn']]);
  assert.equal(button(zoom, 'Zoom in').title, 'Zoom in (<zoomIn>)');
});

test('over the headline stands the scenario, and a violation as a tag', () => {
  const run = (view = {}) => drawn((log) => runTemplate({ ...VIEW, ...view }, HELLO, KEYS, log));
  const { template, ran } = run();
  const scenario = button(template, 'Scenario: A leader dies');
  assert.equal(scenario.title, 'The leader crashes. (<scenarios>)');
  scenario.click();
  assert.deepEqual(ran(), [['scenarios']]);
  assert.equal(all(template, '.tag').length, 0);
  const tag = (/** @type {number} */ violations) => text(the(run({ totals: { violations } }).template, '.tag'));
  assert.deepEqual([tag(1), tag(3)], ['Violation', '3 violations']);
  assert.equal(text(run({ scenario: '' }).template), 'Scenario: From a file', 'a run that is not shipped');
  assert.equal(text(run({ scenario: '', title: '' }).template), 'Scenario: Your scenario');
});

test('the readout says the instant, and how far it is behind', () => {
  assert.equal(readout(34_038_760_571, 36e9), '00:34.039 · 2.0 s behind');
  assert.equal(readout(34e9, 34e9 + 5e6), '00:34.000 · 0.005 s behind');
  assert.equal(readout(36e9, 36e9), '00:36.000 · live');
});
