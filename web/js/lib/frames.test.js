import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { Frames } from './frames.js';

/** @type {(() => void)[]} */
let asked = [];
/** Runs the next frame. */
const frame = () => {
  for (const run of asked.splice(0)) run();
};

beforeEach(() => {
  asked = [];
  globalThis.requestAnimationFrame = (/** @type {any} */ run) => asked.push(run);
});

test('what a drawing asks for is drawn in the same frame, after it; what asks for itself, in the next', () => {
  const frames = new Frames();
  /** @type {string[]} */
  const drawn = [];
  const canvas = () => drawn.push('canvas');
  const page = () => {
    drawn.push('page');
    frames.want(canvas);
    if (drawn.length < 4) frames.want(page);
  };
  frames.want(page);
  frames.want(page);
  assert.equal(asked.length, 1);
  frame();
  assert.deepEqual(drawn, ['page', 'canvas']);
  frame();
  assert.deepEqual(drawn, ['page', 'canvas', 'page', 'canvas']);
  frame();
  frame();
  assert.deepEqual([drawn.length, asked.length], [6, 0]);
});

test('what failed does not keep the rest from being drawn, in the next frame; what is forgotten is not drawn', () => {
  const frames = new Frames();
  /** @type {string[]} */
  const drawn = [];
  const gone = () => drawn.push('gone');
  frames.want(() => {
    throw new Error('no such lane');
  });
  frames.want(gone);
  frames.want(() => drawn.push('rest'));
  frames.forget(gone);
  assert.throws(frame, /no such lane/);
  frame();
  assert.deepEqual(drawn, ['rest']);
});
