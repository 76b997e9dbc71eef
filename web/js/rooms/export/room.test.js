import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mock, test } from 'node:test';
import { all, browser, button, each, enter, placeAt, press, settle, the } from '#dom';
import { pageAt } from '../../page/page.testsupport.js';
import { createState } from '../../page/state.js';
import { open } from './index.js';
import { fileOf, KINDS, maker, spansOf } from './make.js';

const recorded = JSON.parse(
  readFileSync(new URL('../../page/timeline/testdata/leader-dies.json', import.meta.url), 'utf8'),
);

/** The room with the recorded run. @param {() => {text: string}} [write] the second engine's answers */
function room(write = () => ({ text: 'sequenceDiagram' })) {
  const { window } = browser();
  window.HTMLCanvasElement.prototype.toBlob = (/** @type {(blob: Blob) => void} */ tell, /** @type {string} */ type) =>
    tell(new Blob(['pixels'], { type }));
  /** @type {Blob[]} */
  const saved = [];
  /** @type {string[]} */
  const names = [];
  const clipboard = { write: async () => {} };
  Object.assign(globalThis, {
    ClipboardItem: class {},
    Image: class {
      naturalWidth = 1200;
      naturalHeight = 400;
      decode = async () => {};
    },
  });
  Object.defineProperty(globalThis, 'navigator', { configurable: true, value: { clipboard } });
  URL.createObjectURL = (/** @type {any} */ blob) => {
    saved.push(blob);
    return 'blob:x';
  };
  URL.revokeObjectURL = () => {};
  mock.method(
    window.HTMLAnchorElement.prototype,
    'click',
    /** @this {any} */ function () {
      names.push(this.download);
    },
  );
  const view = { ...recorded.views.at36, live: { t: 36e9, n: -1 }, end: 120e9, scenario: 'crash', seed: 7 };
  const page = pageAt(
    { ...view, title: 'Crash' },
    {
      share: async () => ({ scenario: 'crash', ...placeAt(0), patch: [], actions: [] }),
      ask: async (/** @type {string} */ op) =>
        op === 'timeline' ? recorded.timeline : { scenario: { name: 'crash' } },
      copy: async () => true,
    },
  );
  const ask = async (/** @type {string} */ op, /** @type {unknown} */ given) => {
    page.done.push(['tools', op, given]);
    return write();
  };
  const unit = open(page.ports, /** @type {any} */ ({ ask }));
  const [dialog] = page.added();
  return {
    ...page,
    ...unit,
    dialog,
    saved,
    names,
    clipboard,
    /** Waits for the preview. */
    made: async () => {
      do await settle();
      while (the(dialog, '.export-preview').getAttribute('aria-busy') === 'true');
      await settle();
    },
    choose: (/** @type {string} */ kind) => enter(the(dialog, `input[value="${kind}"]`), kind),
    asked: () =>
      page.done
        .filter(([name, op]) => name === 'tools' && op === 'export')
        .map(([, , given]) => /** @type {any} */ (given)),
  };
}

test('the spans: what the timeline shows, what is selected, the run so far', () => {
  const state = /** @type {any} */ ({
    view: { value: { live: { t: 30e9 }, end: 60e9 } },
    viewport: { value: { from: -5, to: 70e9 } },
    selection: { value: { kind: 'span', from: 3, to: 9 } },
  });
  assert.deepEqual(each(spansOf(state), 'span'), [
    { from: 0, to: 60e9 },
    { from: 3, to: 9 },
    { from: 0, to: 30e9 },
  ]);
  state.selection.value = { kind: 'event', from: 5, to: 5 };
  state.view.value.live.t = 0;
  assert.deepEqual(each(spansOf(state), 'label'), ['What the timeline shows']);
});

test('it opens with the picture; a run that plays is paused; without an engine it stays closed', async () => {
  const { show, state, dialog, done, made, added } = room();
  state.view.value = { ...state.view.value, playing: true };
  await show();
  await made();
  assert.deepEqual(done[0], ['pause']);
  assert.equal(dialog.open, true);
  assert.equal(all(dialog, 'input[type="radio"]').length, Object.keys(KINDS).length);
  assert.equal(all(dialog, 'select').length, 2, 'span and colors');
  assert.ok(button(dialog, 'Copy'));
  dialog.close();
  state.phase.value = 'opening';
  await show();
  assert.deepEqual(done.at(-1), ['notify', 'The simulator is still loading.']);
  assert.equal(added().filter(({ open }) => open).length, 0);
});

test('a diagram and a report come from the engine, with span and link, and are copied and saved', async () => {
  const { show, choose, dialog, made, done, asked, saved, names } = room();
  await show();
  choose('mermaid');
  await made();
  const { link, ...rest } = asked().at(-1);
  assert.deepEqual(rest, {
    scenario: { name: 'crash' },
    live: 36e9,
    format: 'mermaid',
    from: 0,
    to: 40e9,
    dark: false,
  });
  assert.match(link, /^https:\/\/example\.org\/lab\/#v1\./);
  assert.equal(the(dialog, 'pre').textContent, 'sequenceDiagram');
  await press(button(dialog, 'Copy'));
  assert.deepEqual(done.at(-1), ['copy', 'sequenceDiagram', 'the diagram']);
  await press(button(dialog, 'Save as a file'));
  await made();
  assert.deepEqual(names, ['crash-seed-7.mmd']);
  assert.equal(await saved[0].text(), 'sequenceDiagram');
  enter(the(dialog, 'select[name="span"]'), '1');
  await made();
  assert.deepEqual(asked().at(-1)?.to, 36e9, 'the run so far');
});

test('a refusal stands in place of the preview, and the next choice is tried again', async () => {
  let refuses = true;
  const { show, choose, dialog, made, asked } = room(() => {
    if (refuses) throw new Error('The span has too much; choose a shorter one');
    return { text: '<svg/>' };
  });
  await show();
  choose('markdown');
  await made();
  assert.match(the(dialog, '[role="alert"]').textContent, /choose a shorter one/);
  assert.equal(all(dialog, '.buttons button').length, 0);
  refuses = false;
  choose('svg');
  enter(the(dialog, 'select[name="theme"]'), 'dark');
  await made();
  assert.equal(the(dialog, 'img').getAttribute('src'), 'data:image/svg+xml,%3Csvg%2F%3E');
  assert.deepEqual([asked().at(-1)?.format, asked().at(-1)?.dark], ['svg', true]);
});

test('a picture is copied as an image; where the browser refuses, the file remains', async () => {
  const { show, dialog, made, done, clipboard, names, saved } = room();
  await show();
  await made();
  await press(button(dialog, 'Copy'));
  await made();
  assert.deepEqual(done.at(-1), ['notify', 'Copied: the picture.']);
  clipboard.write = () => Promise.reject(new Error('no'));
  await press(button(dialog, 'Copy'));
  await made();
  assert.match(String(done.at(-1)?.[1]), /Not copied: the picture\. Save it as a file instead\./);
  await press(button(dialog, 'Save as a file'));
  await made();
  assert.deepEqual([names, saved[0].type], [['crash-seed-7.png'], 'image/png']);
});

test('traces and tables come from the second engine, of the whole scenario, up to the live instant', async () => {
  const state = createState();
  state.view.value = { ...recorded.views.at36, live: { t: 36e9, n: -1 }, end: 120e9 };
  /** @type {any[]} */
  const asked = [];
  const lab = /** @type {any} */ ({
    share: async () => ({ scenario: 'crash', ...placeAt(0), patch: [], actions: [] }),
    ask: async (/** @type {string} */ op) => (op === 'save' ? { name: 'x.json', scenario: { name: 'crash' } } : {}),
  });
  const tools = /** @type {any} */ (
    async (/** @type {any[]} */ ...given) => {
      asked.push(given);
      return { text: 'seconds,n\r\n' };
    }
  );
  Object.assign(globalThis, { location: { href: 'https://example.com/' } });
  const make = maker({ state, lab }, tools);
  for (const kind of /** @type {const} */ (['ndjson', 'csv', 'leaders'])) {
    const made = await make({ kind, span: { from: 1e9, to: 120e9 }, theme: 'light' });
    assert.equal(made.text, 'seconds,n\r\n');
    assert.deepEqual(asked.pop(), ['history', { scenario: { name: 'crash' }, format: kind, from: 1e9, to: 36e9 }]);
    assert.equal((await fileOf(made)).size, 11);
  }
});
