import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conflict } from '../rooms/desk/help/conflict.js';
import { entryFor, KEYS, keyName, printedKeys, printKey } from './keys.js';

const here = /** @type {any} */ ({ mode: 'on', bindings: {}, inField: false, inDialog: false, inInstrument: false });

/** The event that types a key of the table. @param {string} name */
function press(name, more = {}) {
  const mod = name.startsWith('Mod+');
  const rest = name.replace(/^Mod\+/, '');
  const shift = rest.startsWith('Shift+');
  const bare = rest.replace(/^Shift\+/, '');
  const key = bare === 'Space' ? ' ' : shift && bare.length === 1 ? bare.toUpperCase() : bare;
  return /** @type {any} */ ({
    key,
    ctrlKey: mod,
    metaKey: false,
    altKey: false,
    shiftKey: shift || '?+'.includes(key),
    repeat: false,
    isComposing: false,
    ...more,
  });
}

test('no key belongs to two commands', () => {
  const all = KEYS.flatMap((entry) => entry.keys);
  assert.equal(new Set(all).size, all.length);
});

for (const entry of KEYS) {
  for (const name of entry.keys) {
    test(`${printKey(name)} means ${entry.id}, and only where it should`, () => {
      const key = press(name);
      assert.equal(keyName(key), name);
      assert.equal(entryFor(key, here)?.id, entry.id);
      assert.equal(entryFor(key, { ...here, inDialog: true }), undefined);
      assert.equal(entryFor(press(name, { altKey: true }), here), undefined);
      const stays = entry.everywhere ? entry.id : undefined;
      assert.equal(entryFor(key, { ...here, inField: true })?.id, stays);
      assert.equal(entryFor(key, { ...here, mode: 'off' })?.id, stays);
      assert.equal(entryFor(key, { ...here, mode: 'focus' })?.id, stays);
      assert.equal(entryFor(key, { ...here, mode: 'focus', inInstrument: true })?.id, entry.id);
      const repeated = entryFor(press(name, { repeat: true }), here)?.id;
      assert.equal(repeated, entry.act ? undefined : entry.id);
      if (!name.startsWith('Mod+')) {
        const withCtrl = entryFor(press(name, { ctrlKey: true }), here);
        assert.ok(!withCtrl || withCtrl.keys.some((other) => other.startsWith('Mod+')));
      }
    });
  }
}

test('the visitor may choose other keys', () => {
  const bindings = { crash: ['q'] };
  assert.equal(entryFor(press('q'), { ...here, bindings })?.id, 'crash');
  assert.equal(entryFor(press('k'), { ...here, bindings }), undefined);
  assert.equal(conflict('p', 'crash', bindings)?.id, 'pauseNode');
  assert.equal(conflict('k', 'stop', bindings), undefined);
});

test('keys are printed as people know them', () => {
  assert.equal(printKey('Shift+ArrowLeft'), 'Shift ←');
  assert.equal(printKey('Mod+Shift+z'), 'Ctrl Shift Z');
  assert.equal(printedKeys('zoomIn'), 'W or +');
});
