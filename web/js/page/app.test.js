import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mock, test } from 'node:test';
// Not as #dom: the page goes on after its tests, so they need their own process.
import { browser, button, placeAt, settle, text, the } from '../lib/testsupport/dom.js';
import { opening } from './opening.testsupport.js';

const recorded = JSON.parse(readFileSync(new URL('./timeline/testdata/leader-dies.json', import.meta.url), 'utf8'));
/** The recorded run of the tests, in whole views. */
const whole = opening();
const first = {
  ...recorded.views.at20,
  scenario: 's',
  ...placeAt(0),
  branches: whole.frames[0].branches,
};
Object.assign(whole, { frames: [first, { cursor: { t: 5e9, n: -1 } }], timeline: recorded.timeline });
Object.assign(whole.hello, { acts: [], knobs: [] });

const { at, root, frame, fire, document } = browser();
/** What a browser of today answers without a network, except for the page itself. */
globalThis.fetch = async () => new Response('', { status: 503 });
Object.defineProperty(globalThis, 'navigator', { configurable: true, value: { onLine: false } });
Object.assign(globalThis, {
  localStorage: { getItem: () => null, setItem: () => {} },
  sessionStorage: { getItem: () => null, setItem: () => {}, removeItem: () => {} },
  __COMMANDS__: '{}',
  __ASSETS__: {
    worker: 'w.js',
    exec: 'e.js',
    wasm: 'm.zst',
    module: {},
    scenarios: 's.json',
    rest: 'r.json',
    styles: 'l.css',
  },
});
at('opening').textContent = JSON.stringify(whole);
const silent = mock.method(console, 'error', () => {});
await import('./app.js');
/** Runs frames until something holds. @param {() => boolean} holds */
async function runUntil(holds) {
  for (let i = 0; i < 200 && !holds(); i++) {
    frame();
    await settle();
  }
  assert.ok(holds());
}

test('the recorded run is on screen at once, with its bar, its acts and its events', async () => {
  await runUntil(() => at('bar').childElementCount > 0);
  assert.match(text(at('bar')), /Pause|Play/);
  assert.match(text(at('events')), /Events/);
  assert.equal(root.dataset.state, 'opening');
  assert.equal(root.dataset.layout, 'narrow');
});

test('without an engine the page says so, and the recorded run stays', async () => {
  await runUntil(() => root.dataset.state === 'failed');
  assert.match(at('status').textContent, /You can still watch this recorded run/);
  await runUntil(() => at('notice').textContent.includes('could not start'));
});

test('the desk opens once its styles are there', async () => {
  /** @type {any} */ (document.head.querySelector('link')).onload(new Event('load'));
  await runUntil(() => at('menu').childElementCount > 0);
  assert.match(text(at('menu')), /Keys, theme and help/);
});

test('a key runs its command: of the page, or of the desk', async () => {
  const press = (/** @type {string} */ key) => fire('keydown', { key });
  press('?');
  await runUntil(() => at('dialog').open);
  assert.equal(at('dialog').dataset.kind, 'help');
  at('dialog').close();
  at('why').open = true;
  press('Escape');
  assert.equal(at('why').open, false, 'Escape closes a panel of the desk');
  button(at('bar'), 'Pause').click();
  await runUntil(() => /Play/.test(text(at('bar'))));
  silent.mock.restore();
  assert.ok(the(at('bar'), '#speed'));
});
