import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signal } from '@preact/signals-core';
import { panel, track } from './panel.js';

/** @param {() => unknown} template */
function drawPanel(template) {
  /** @type {unknown[]} */
  const shown = [];
  /** @type {(() => void)[]} */
  const frames = [];
  panel(/** @type {any} */ (null), template, { draw: (one) => shown.push(one), frame: (run) => frames.push(run) });
  return { shown, frames, frame: () => frames.splice(0).map((run) => run()) };
}

test('it is drawn at once, and in the next frame after a change', () => {
  const word = signal('one');
  const { shown, frame } = drawPanel(() => word.value);
  word.value = 'two';
  assert.deepEqual(shown, ['one']);
  frame();
  assert.deepEqual(shown, ['one', 'two']);
});

test('many changes before a frame are one drawing, and none are none', () => {
  const a = signal(0);
  const b = signal(0);
  const { shown, frames, frame } = drawPanel(() => a.value + b.value);
  a.value = 1;
  b.value = 2;
  a.value = 3;
  assert.equal(frames.length, 1);
  frame();
  frame();
  assert.deepEqual(shown, [0, 5]);
});

test('it follows what its template reads now, not what it read before', () => {
  const which = signal('a');
  const a = signal(1);
  const b = signal(2);
  const { shown, frames, frame } = drawPanel(() => (which.value === 'a' ? a.value : b.value));
  which.value = 'b';
  frame();
  a.value = 10;
  assert.equal(frames.length, 0);
  b.value = 20;
  frame();
  assert.deepEqual(shown, [1, 2, 20]);
});

test('a drawing that comes early takes the place of the last one: a change is told once', () => {
  const word = signal('one');
  /** @type {string[]} */
  const done = [];
  const redraw = track(
    () => done.push(word.value),
    () => done.push('changed'),
  );
  redraw();
  redraw();
  word.value = 'two';
  assert.deepEqual(done, ['one', 'one', 'changed']);
});
