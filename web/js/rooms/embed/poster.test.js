import assert from 'node:assert/strict';
import { test } from 'node:test';
import { button, text } from '../../lib/testsupport/template.js';
import { posterOf, posterTemplate } from './poster.js';

const link = (/** @type {unknown} */ scenario, t = 0) => /** @type {any} */ ({ scenario, cursor: { t, n: -1 } });

test('a shipped scenario has its title and its sentence, one of the link its own', async () => {
  globalThis.fetch = async () => new Response(JSON.stringify([{ name: 'crash', title: 'Crash', summary: 'a dies.' }]));
  assert.deepEqual(await posterOf(link('crash', 30e9), 's.json'), { title: 'Crash', summary: 'a dies.', at: 30e9 });
  assert.equal((await posterOf(link('no-such'), 's.json')).title, 'no-such');
  assert.equal((await posterOf(link({ name: 'mine' }), 's.json')).title, 'mine');
  assert.equal((await posterOf(link({}), 's.json')).title, 'A run');
});

test('without a network the poster has the name', async () => {
  globalThis.fetch = async () => {
    throw new Error('offline');
  };
  assert.deepEqual(await posterOf(link('crash'), 's.json'), { title: 'crash', summary: '', at: 0 });
});

test('the poster says what Start loads, and how far it is', () => {
  const poster = { title: 'Crash', summary: '', at: 30e9 };
  let started = 0;
  const before = posterTemplate(poster, { started: false, progress: 0, bytes: 1.25 * 2 ** 20 }, () => started++);
  assert.match(text(before), /Loads the simulator \(1\.3 MiB\) and opens the run at 00:30\.000\./);
  button(before, 'Start').click();
  assert.equal(started, 1);
  assert.match(
    text(posterTemplate(poster, { started: true, progress: 0.42, bytes: 1 }, () => {})),
    /Loading the simulator, 42 %/,
  );
});
