import assert from 'node:assert/strict';
import { test } from 'node:test';
import { durationOf } from '../../lib/format.js';
import { each } from '../../lib/testsupport/calls.js';
import { format } from './format.testsupport.js';
import { changesBetween, controlOf, isEmpty, objectOf, valueAt, withValue } from './schema.js';

test('fields have kinds, constants have no control', () => {
  assert.deepEqual(each(format.fields('Scenario'), 'name', 'kind'), [
    ['seed', 'number'],
    ['elector', 'group'],
    ['candidates', 'list'],
    ['expect', 'list'],
  ]);
  assert.equal(format.fields('Scenario')[0].range, '0 to 5,000');
  assert.deepEqual(each(format.fields('Elector'), 'kind'), ['duration', 'bool', 'words', 'text']);
  assert.equal(format.fields('Candidate').at(-1)?.numeric, true);
});

test('acts come from the rules, a new one by itself', () => {
  const crash = { act: 'crash', name: 'Crash', short: 'ends at once', section: 'Process', help: 'Gone.' };
  const sentence = '{target} crashes, and starts again after {for=20 s|never}';
  assert.deepEqual(format.rules[0], { ...crash, sentence, takes: ['target', 'for'], needs: ['target'], oneOf: [] });
  assert.equal(format.rules[1].name, 'sing');
  assert.deepEqual(each(format.rules, 'section'), format.sections);
});

test('only what differs is changed, each in its own way', () => {
  const before = {
    seed: 3,
    elector: { leaseDuration: '15s', releaseOnCancel: true },
    candidates: [{ name: 'a' }, { name: 'b', draws: [0.5] }],
    expect: [{ changes: 1 }],
  };
  assert.deepEqual(changesBetween(format, before, structuredClone(before)), []);
  const draft = {
    seed: '4',
    elector: { leaseDuration: '20', releaseOnCancel: '', dialect: ['forLife'] },
    candidates: [{ name: 'a', elector: { leaseDuration: '9 s' } }, { name: 'b' }],
    expect: [{ changes: '2' }],
  };
  assert.deepEqual(changesBetween(format, before, draft), [
    { path: 'seed', value: '4' },
    { path: 'elector.leaseDuration', value: '20s' },
    { path: 'elector.releaseOnCancel', value: '' },
    { path: 'elector.dialect', value: '["forLife"]' },
    { path: 'candidates[0].elector.leaseDuration', value: '9s' },
    { path: 'candidates[1].draws', value: '' },
    { path: 'expect', value: '[{"changes":2}]' },
  ]);
  assert.deepEqual(changesBetween(format, before, { ...before, elector: { leaseDuration: '' } }), [
    { path: 'elector.leaseDuration', value: '' },
    { path: 'elector.releaseOnCancel', value: '' },
  ]);
});

test('a form becomes a document: numbers, truths and lengths; nonsense stays for the engine to refuse', () => {
  assert.deepEqual(
    objectOf(format, 'Candidate', { name: 'x', elector: { releaseOnCancel: 'true' }, draws: ['0.5', 'y'] }),
    { name: 'x', elector: { releaseOnCancel: true }, draws: [0.5, 'y'] },
  );
  assert.equal(durationOf('1 min 5 s'), '1m5s');
  assert.equal(durationOf('−2.5'), '-2.5s');
  assert.equal(durationOf('soon'), 'soon');
});

test('values by path', () => {
  const made = withValue({}, ['candidates', '1', 'elector', 'dialect'], ['forLife']);
  assert.deepEqual(valueAt(made, 'candidates[1].elector.dialect'), ['forLife']);
  assert.ok(Array.isArray(valueAt(made, 'candidates')));
  assert.ok(isEmpty({ a: { b: [] }, c: '' }));
});

test('an error finds its control', () => {
  const controls = ['elector', 'elector.dialect', 'expect[0].event', 'target'];
  assert.equal(controlOf('elector.dialect[1]', controls), 'elector.dialect');
  assert.equal(controlOf('expect[0].event', controls), 'expect[0].event');
  assert.equal(controlOf('targets', controls), '');
});

test('what the schema says beside: headings, lines, meanings, and when a change acts', () => {
  const [leaseDuration, , dialect, note] = format.fields('Elector');
  assert.deepEqual([leaseDuration.heading, dialect.heading, note.multiline], ['', 'Client behavior', true]);
  assert.deepEqual([dialect.help, dialect.meanings.forLife], ['How it differs.', 'never expires (x#1)']);
  const effect = (/** @type {string} */ path) => format.ownerOf(path)?.effect;
  assert.equal(effect('elector.leaseDuration'), 'start');
  assert.equal(effect('candidates[12].clock.offset'), 'now');
  assert.equal(effect('clock.offset'), undefined);
  assert.equal(effect('seed'), '');
});
