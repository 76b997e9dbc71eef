import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Strips, stripOf } from './strip.js';
import { incidentsLike, Subjects } from './subject.js';

const HEAD = 'leader,from,to,seconds,fromTime,toTime\r\n';

test('a strip has who led, the time with two, and the time with none', () => {
  const strip = stripOf(`${HEAD}a,0.5,20,19.5,,\r\nb,18,25,7,,\r\n"c,d",30,,10,,\r\n`, ['a', 'b'], 40e3);
  assert.deepEqual(strip, {
    end: 40e3,
    led: [
      [0, 500, 20e3],
      [1, 18e3, 25e3],
      [2, 30e3, 40e3],
    ],
    bands: [
      [0, 500, 0],
      [18e3, 20e3, 2],
      [25e3, 30e3, 0],
    ],
  });
  assert.deepEqual(stripOf(HEAD, [], 1e3), { end: 1e3, led: [], bands: [[0, 1e3, 0]] });
});

test('a strip is made once, and again after a failure', async () => {
  let asked = 0;
  const strips = new Strips(
    /** @type {any} */ ({
      ask: async () => {
        if (asked++ === 0) throw new Error('stopped');
        return { text: `${HEAD}a,0,,1,,\r\n` };
      },
    }),
  );
  const run = { scenario: { candidates: [{ name: 'a' }] }, end: 1e9 };
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  assert.equal(strips.of(run), undefined);
  await settle();
  strips.of(run);
  await settle();
  assert.equal(strips.of(run)?.led.length, 1);
  assert.equal(asked, 2);
});

test('incidents have the same kinds of faults, and the same outcome', () => {
  const incident = (
    /** @type {string} */ catalogue,
    /** @type {string[]} */ acts,
    of = 'twoLeaders',
    variant = 'failing',
  ) => ({
    title: catalogue,
    actions: acts.map((act) => ({ act })),
    museum: { catalogue, variant, class: of },
  });
  const shipped = [
    incident('B1', ['pause']),
    incident('B2', ['pause', 'crash']),
    incident('B3', ['pause'], 'gap'),
    incident('B4', ['pause'], 'twoLeaders', 'fixed'),
  ];
  assert.deepEqual(incidentsLike(shipped, { actions: [{ act: 'pause' }, { act: 'pause' }] }, true), [
    { id: 'B1', title: 'B1' },
  ]);
  assert.deepEqual(incidentsLike(shipped, {}, true), [], 'no fault is like none');
});

test('the studies are about the run on the page, unless a study has opened it', async () => {
  const subjects = new Subjects(async () => [{ name: 'crash', title: 'Crash' }]);
  subjects.opens({ name: 'mine' });
  assert.equal(subjects.title, 'mine');
  subjects.ours = { name: 'found' };
  subjects.opens({ name: 'found' });
  assert.equal(subjects.title, 'mine');
  subjects.opens({ name: 'another' });
  assert.equal(subjects.title, 'another');
  const elector = { leaseDuration: '30s' };
  assert.deepEqual(await subjects.crash({ elector }), { name: 'crash', title: 'Crash', expect: undefined, elector });
});
