import assert from 'node:assert/strict';
import { test } from 'node:test';
import { effect, signal } from '@preact/signals-core';
import { Notifier } from './notify.js';

/** @typedef {import('./notify.js').Toast} Toast */

/** A notifier with a log of its texts, and a clock that only the test moves. */
class Page {
  now = 0;
  held = false;
  /** @type {{run: () => void, at: number}[]} */
  timers = [];
  /** Every text that the status region has shown. @type {string[]} */
  said = [];
  status = signal('');
  toasts = signal(/** @type {Toast[]} */ ([]));
  notifier = new Notifier(this, () => this.held, {
    now: () => this.now,
    schedule: (run, ms) => this.timers.push({ run, at: this.now + ms }),
  });

  constructor() {
    effect(() => {
      if (this.status.value) this.said.push(this.status.value);
    });
  }

  shown() {
    return this.toasts.value.map(({ text }) => text);
  }

  /** @param {number} ms */
  pass(ms) {
    this.now += ms;
    for (const timer of this.timers.splice(0)) {
      if (timer.at <= this.now) timer.run();
      else this.timers.push(timer);
    }
  }
}

test('landmarks are two seconds apart, the newest wins, and none is said above 8×', () => {
  const it = new Page();
  it.notifier.landmark('one', 1);
  it.notifier.landmark('two', 1);
  it.pass(500);
  it.notifier.landmark('three', 1);
  assert.deepEqual(it.said, ['one']);
  it.pass(1500);
  assert.deepEqual(it.said, ['one', 'three']);
  it.notifier.say('a crashes.');
  it.notifier.landmark('four', 9);
  it.pass(10_000);
  assert.deepEqual(it.said, ['one', 'three', 'a crashes.']);
});

test('a sentence drops the landmark that waits', () => {
  const it = new Page();
  it.notifier.say('a crashes.');
  it.notifier.landmark('b leads.', 1);
  it.notifier.say('Undone.');
  it.pass(10_000);
  assert.deepEqual(it.said, ['a crashes.', 'Undone.']);
});

test('the same sentence twice changes the region twice, and reads the same', () => {
  const it = new Page();
  for (let i = 0; i < 3; i++) it.notifier.say('Nothing to undo.');
  assert.equal(it.said.length, 3);
  const said = it.said.map((text) => text.trim());
  assert.deepEqual(said, Array(3).fill('Nothing to undo.'));
});

test('a message is shown and said; an error is an alert, and only shown', () => {
  const it = new Page();
  it.notifier.notify('Copied: the run.');
  it.notifier.notify('This is not JSON.', { tone: 'error' });
  assert.deepEqual(it.shown(), ['Copied: the run.', 'This is not JSON.']);
  assert.deepEqual(it.said, ['Copied: the run.']);
});

test('three messages at most, and no message twice', () => {
  const it = new Page();
  for (const text of ['1', '2', '1', '3', '4']) it.notifier.notify(text);
  assert.deepEqual(it.shown(), ['1', '3', '4']);
});

test('a message goes after 8 s, an error after 20 s', () => {
  const it = new Page();
  it.notifier.notify('plain');
  it.notifier.notify('wrong', { tone: 'error' });
  it.pass(7999);
  assert.deepEqual(it.shown(), ['plain', 'wrong']);
  it.pass(1);
  assert.deepEqual(it.shown(), ['wrong']);
  it.pass(12_000);
  assert.deepEqual(it.shown(), []);
});

test('no message goes under the pointer or with the focus in it', () => {
  const it = new Page();
  it.notifier.notify('Undo?', { action: { label: 'Undo', run() {} } });
  it.held = true;
  it.pass(8000);
  it.pass(60_000);
  assert.deepEqual(it.shown(), ['Undo?']);
  it.held = false;
  it.pass(2000);
  assert.deepEqual(it.shown(), []);
});

test('messages are withdrawn by what they say, or all at once', () => {
  const it = new Page();
  it.notifier.notify('1', { action: { label: 'Undo', run() {} } });
  it.notifier.notify('2');
  it.notifier.notify('3');
  it.notifier.withdraw((toast) => toast.action?.label === 'Undo');
  assert.deepEqual(it.shown(), ['2', '3']);
  it.notifier.withdraw();
  assert.deepEqual(it.shown(), []);
});
