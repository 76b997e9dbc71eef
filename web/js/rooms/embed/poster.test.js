import assert from 'node:assert/strict';
import { test } from 'node:test';
import { button, text } from '#dom';
import { incidentOf, posterOf, posterOfLesson, posterTemplate } from './poster.js';

const link = (/** @type {unknown} */ scenario, t = 0, more = {}) =>
  /** @type {any} */ ({ scenario, cursor: { t, n: -1 }, patch: [], actions: [], ...more });

const SHIPPED = [
  { name: 'crash', title: 'Crash', summary: 'a dies.', seed: 7 },
  {
    name: 'm',
    title: 'The margin',
    museum: { catalogue: 'B02', variant: 'failing', partner: 'm-fixed', watch: 'Watch c.' },
  },
  { name: 'm-fixed', title: 'Fixed', museum: { catalogue: 'B02', variant: 'fixed' } },
];

test('without a network the poster has the name, and asks once', async () => {
  let asked = 0;
  globalThis.fetch = async () => {
    asked++;
    throw new Error('offline');
  };
  const fresh = './poster.js?offline';
  const offline = await import(fresh);
  for (const name of ['crash', 'pause'])
    assert.deepEqual(await offline.posterOf(link(name), 's.json'), { title: name, summary: '', at: 0 });
  assert.equal(asked, 1);
});

test('a shipped scenario has its title and its sentence, one of the link its own', async () => {
  globalThis.fetch = async () => new Response(JSON.stringify(SHIPPED));
  const still = { still: './stills/crash.svg', changed: false };
  assert.deepEqual(await posterOf(link('crash', 30e9), 's.json'), {
    title: 'Crash',
    summary: 'a dies.',
    at: 30e9,
    ...still,
  });
  for (const more of [{ seed: 8 }, { actions: [{}] }, { patch: [{}] }])
    assert.equal((await posterOf(link('crash', 0, more), 's.json')).changed, true, JSON.stringify(more));
  assert.equal((await posterOf(link('crash', 0, { seed: 7 }), 's.json')).changed, false);
  const curtained = await posterOf(link('crash', 0, { predict: { ask: 'when' } }), 's.json');
  assert.equal(curtained.still, undefined, 'a still would give the answer away');
  assert.equal((await posterOf(link('no-such'), 's.json')).title, 'no-such');
  assert.equal((await posterOf(link({ name: 'mine' }), 's.json')).title, 'mine');
  for (const words of [{}, { title: { strings: [] }, name: 7 }, { title: '', name: '' }])
    assert.deepEqual(await posterOf(link({ ...words, summary: [1] }), 's.json'), {
      title: 'A run',
      summary: '',
      at: 0,
    });
});

test('an incident of the museum is its failing run, with what to watch', async () => {
  const linked = /** @type {any} */ (await incidentOf({ ...link('a-leader-dies'), museum: 'B02' }, 's.json'));
  assert.equal(linked.scenario, 'm');
  assert.deepEqual(await posterOf(linked, 's.json'), {
    title: 'B02 The margin',
    summary: 'Watch c.',
    at: 0,
    still: './stills/m.svg',
    changed: false,
  });
  assert.equal(await incidentOf(undefined, 's.json'), undefined);
  await assert.rejects(incidentOf({ ...link('a-leader-dies'), museum: 'B99' }, 's.json'), /no incident “B99”/);
});

test('a lesson has its number and its title', async () => {
  const lessons = [{ number: 3, name: 'the-fence', steps: [{}, {}], title: 'The fence', teaser: 'Two leaders.' }];
  globalThis.fetch = async () => new Response(JSON.stringify(lessons));
  for (const name of ['3', 'the-fence'])
    assert.equal((await posterOfLesson({ name }, 'l.json')).title, 'Lesson 3: The fence');
  for (const [step, file] of [
    [undefined, 'lesson-3-1'],
    [2, 'lesson-3-2'],
    [99, 'lesson-3-1'],
  ])
    assert.equal(
      (await posterOfLesson({ name: '3', step: /** @type {any} */ (step) }, 'l.json')).still,
      `./stills/${file}.svg`,
    );
  const own = await posterOfLesson({ document: { title: 'Mine', teaser: 'By me.' } }, 'l.json');
  assert.deepEqual(own, { title: 'Mine', summary: 'By me.', at: 0, lesson: true });
  const poster = await posterOfLesson({ name: '99' }, 'l.json');
  assert.equal(poster.title, 'Lesson 99');
  const words = text(posterTemplate(poster, { started: false, progress: 0, bytes: 2 ** 20 }, () => {}));
  assert.match(words, /opens the lesson/);
});

test('the poster says what Start loads, and how far it is', () => {
  const poster = { title: 'Crash', summary: '', at: 30e9 };
  let started = 0;
  const before = posterTemplate(poster, { started: false, progress: 0, bytes: 1.25 * 2 ** 20 }, () => started++);
  assert.match(text(before), /Loads the simulator \(1\.3 MiB\) and opens the run at 00:30\.000\./);
  button(before, 'Start').click();
  assert.equal(started, 1);
  const loading = text(posterTemplate(poster, { started: true, progress: 0.42, bytes: 1 }, () => {}));
  assert.match(loading, /Loading the simulator, 42 %/);
});
