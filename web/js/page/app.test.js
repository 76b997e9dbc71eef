import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mock, test } from 'node:test';
// Not as #dom: the page goes on after its tests, so they need their own process.
import { all, browser, button, placeAt, settle, text, the } from '../lib/testsupport/dom.js';
import { OPENING_LINE } from './hint.js';
import { opening } from './opening.testsupport.js';

const recorded = JSON.parse(readFileSync(new URL('./timeline/testdata/leader-dies.json', import.meta.url), 'utf8'));
/** The recorded run of the tests, in whole views. */
const whole = opening();
const first = {
  ...recorded.views.at20,
  scenario: 'a-leader-dies',
  ...placeAt(0),
  branches: whole.frames[0].branches,
};
Object.assign(whole, { frames: [first, { cursor: { t: 5e9, n: -1 } }], timeline: recorded.timeline });
const scenarios = [{ name: 'a-leader-dies', title: 'S', summary: 'The leader dies at 0.5 s. What then? Wait.' }];
Object.assign(whole.hello, { acts: [], knobs: [], scenarios });

const { at, root, frame, fire, document } = browser();
/** What a browser of today answers without a network, except for the page itself. */
globalThis.fetch = async () => new Response('', { status: 503 });
Object.defineProperty(globalThis, 'navigator', { configurable: true, value: { onLine: false } });
Object.assign(globalThis, {
  localStorage: { getItem: () => null, setItem: () => {} },
  sessionStorage: { getItem: () => null, setItem: () => {}, removeItem: () => {} },
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

test('the recorded run is on screen at once, with its pages, its transport and its events', async () => {
  await runUntil(() => at('bar').childElementCount > 0);
  assert.match(text(at('bar')), /^Lab Lessons/);
  assert.match(text(at('events')), /What happened/);
  assert.equal(the(at('headline'), '.headline-line').textContent, OPENING_LINE);
  assert.equal(the(at('transport'), '.play').title.startsWith('Play or pause'), true);
  assert.equal(root.dataset.state, 'opening');
  assert.equal(root.dataset.layout, 'narrow');
  assert.ok('first' in root.dataset, 'the opening story needs no name');
});

test('without an engine the page says so, and the recorded run stays', async () => {
  await runUntil(() => root.dataset.state === 'failed');
  assert.match(at('status').textContent, /You can still watch this recorded run/);
  await runUntil(() => at('notice').textContent.includes('could not start'));
});

test('the desk opens once its styles are there', async () => {
  /** @type {any} */ (document.head.querySelector('link')).onload(new Event('load'));
  await runUntil(() => at('menu').childElementCount > 0);
  assert.match(text(at('menu')), /Keys, marks, theme and help/);
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
  button(at('transport'), 'Pause').click();
  await runUntil(() => all(at('transport'), 'button[aria-label="Play"]').length === 1);
  silent.mock.restore();
});
