import assert from 'node:assert/strict';
import { test } from 'node:test';
import { all, recorder, text } from '#dom';
import { shareTemplate } from './menu.js';

test('Share passes on a link, a question, a code, a frame or a file', () => {
  const done = /** @type {unknown[][]} */ ([]);
  const template = shareTemplate((id) => (id === 'copyLink' ? 'L' : ''), recorder(done).run);
  const buttons = all(template, 'button');
  assert.equal(text(buttons[0]), 'Copy a link to this instant L');
  for (const one of buttons) one.click();
  assert.deepEqual(
    done.map(([, id]) => id),
    ['copyLink', 'predict', 'qrCode', 'embed', 'export'],
  );
});
