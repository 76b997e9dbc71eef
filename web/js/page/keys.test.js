import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ariaKeys, entryFor, KEYS, keyName, printedKeys, printKey } from './keys.js';

const here = /** @type {any} */ ({ mode: 'on', inField: false, inDialog: false, inInstrument: false });

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

test('keys are printed as people know them', () => {
  assert.equal(printKey('Shift+ArrowLeft'), 'Shift ←');
  assert.equal(printKey('Mod+Shift+z', false), 'Ctrl Shift Z');
  assert.equal(printKey('Mod+k', true), '⌘ K');
  assert.equal(printedKeys('zoomIn'), 'W or +');
});

test('aria-keyshortcuts has the names of ARIA, alternatives apart by spaces', () => {
  assert.equal(ariaKeys('landmarkBack'), 'Shift+ArrowLeft');
  assert.equal(ariaKeys('zoomIn'), 'W Plus');
  assert.equal(ariaKeys('undo', false), 'Z Control+Z');
  assert.equal(ariaKeys('palette', true), 'Meta+K');
  assert.equal(ariaKeys('playPause'), 'Space');
  const names = /^(((Shift|Control|Meta)\+)*([A-Z0-9]|Plus|[!-/:-@[-`{-~]|[A-Z][A-Za-z0-9]+)( |$))+$/;
  for (const { id } of KEYS) assert.match(ariaKeys(id), names);
});

test('a letter of another script is the key it stands on', () => {
  assert.equal(keyName(press('к', { code: 'KeyR' })), 'r');
  assert.equal(keyName(press('Я', { code: 'KeyZ', shiftKey: true })), 'Shift+z');
  assert.equal(entryFor(press('л', { code: 'KeyK' }), here)?.id, 'crash');
  assert.equal(entryFor(press('л', { code: 'KeyK', ctrlKey: true }), here)?.id, 'palette');
  assert.equal(entryFor(press('х', { code: 'BracketLeft' }), here)?.id, 'slower');
  assert.equal(keyName(press('q', { code: 'KeyA' })), 'q', 'a Latin letter is what it says, wherever it stands');
  assert.equal(keyName(press('ö', { code: 'Semicolon' })), 'ö');
});

test('every key says what it does', () => {
  const labels = KEYS.map(({ label }) => label);
  assert.equal(new Set(labels).size, KEYS.length);
  for (const label of labels) assert.match(label, /^[A-Z]/);
});
