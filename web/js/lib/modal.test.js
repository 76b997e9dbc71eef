import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signal } from '@preact/signals-core';
import { nothing } from 'lit-html';
import { modal } from './modal.js';

/** The part of HTMLDialogElement that a modal uses. */
class Dialog extends EventTarget {
  open = false;
  showModal() {
    this.open = true;
  }
  close() {
    this.open = false;
    this.dispatchEvent(new Event('close'));
  }
}

/** @param {() => unknown} contents */
function openModal(contents) {
  const dialog = new Dialog();
  /** @type {unknown[]} */
  const drawn = [];
  const it = modal(/** @type {any} */ (dialog), contents, {
    draw: (template) => drawn.push(template === nothing ? 'nothing' : template),
  });
  drawn.pop(); // before it opens
  return { dialog, drawn, it };
}

test('it is drawn before it opens, and again when a signal it reads has changed', () => {
  const word = signal('one');
  const { dialog, drawn, it } = openModal(() => word.value);
  word.value = 'two';
  assert.deepEqual(drawn, []);
  it.show();
  assert.equal(dialog.open, true);
  word.value = 'three';
  assert.deepEqual(drawn, ['two', 'three']);
});

test('closed, by its button or by the browser, it lets its contents go until it is shown again', () => {
  const word = signal('one');
  const { dialog, drawn, it } = openModal(() => word.value);
  it.show();
  dialog.close();
  word.value = 'two';
  assert.deepEqual(drawn, ['one', 'nothing']);
  it.show();
  assert.deepEqual(drawn, ['one', 'nothing', 'two']);
});

test('shown twice it opens once', () => {
  const { dialog, it } = openModal(() => '');
  dialog.showModal = () => {
    assert.equal(dialog.open, false);
    dialog.open = true;
  };
  it.show();
  it.show();
  assert.equal(dialog.open, true);
});

test('a click on the dialog itself, which is beside its contents, closes it', () => {
  const { dialog, it } = openModal(() => '');
  it.show();
  dialog.dispatchEvent(new Event('click'));
  assert.equal(dialog.open, false);
});

test('redraw draws what no signal tells of', () => {
  let word = 'one';
  const { drawn, it } = openModal(() => word);
  it.show();
  word = 'two';
  it.redraw();
  assert.deepEqual(drawn, ['one', 'two']);
});
