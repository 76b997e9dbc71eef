import assert from 'node:assert/strict';
import { test } from 'node:test';
import { button, text, the } from '#dom';
import { ACT, aLeaderDies } from '../lesson/lesson.testsupport.js';
import { newProgress } from '../lesson/progress.js';
import { clockText } from './clock.js';
import { moveOf } from './keys.js';
import { notesTemplate } from './notes.js';

const moveFor = (/** @type {object} */ event, inDialog = false) =>
  moveOf(/** @type {any} */ ({ ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...event }), inDialog);

test('the keys of clickers move the lesson; a field and a dialog keep their own', () => {
  const field = { closest: () => ({}) };
  assert.deepEqual(
    ['PageDown', 'ArrowRight', 'PageUp', 'ArrowLeft', '.', 'b', 'Escape', 'k'].map((key) => moveFor({ key })),
    ['forth', 'forth', 'back', 'back', 'blank', 'blank', 'leave', undefined],
  );
  assert.equal(moveFor({ key: 'ArrowLeft', target: field }), undefined);
  assert.equal(moveFor({ key: 'PageDown', target: field }), 'forth');
  assert.equal(moveFor({ key: 'PageDown' }, true), undefined);
  assert.equal(moveFor({ key: 'ArrowLeft', altKey: true }), undefined);
});

test('the clock counts minutes, and hours once there are some', () => {
  assert.deepEqual([0, 61_999, 3_725_000].map(clockText), ['0:00', '1:01', '1:02:05']);
});

test('the notes say what the next click does, and what comes after it', () => {
  /** @type {string[]} */
  const done = [];
  const note = (/** @type {string} */ name) => () => done.push(name);
  const on = { forth: note('forth'), back: note('back'), blank: note('blank'), restart: note('restart') };
  const drawn = notesTemplate({ lesson: aLeaderDies, progress: { ...newProgress(), step: ACT } }, '2:05', on);
  assert.match(text(drawn), /2:05.*Lesson 1 · A leader dies · 4 of 8.*The next click: crash a\./s);
  assert.equal(the(drawn, 'h2').textContent, `After it: ${aLeaderDies.steps[ACT + 1].title}`);
  button(drawn, 'Next').click();
  button(drawn, 'Start the clock again').click();
  assert.deepEqual(done, ['forth', 'restart']);
  assert.match(text(notesTemplate(null, '0:00', on)), /No lesson is open/);
});
