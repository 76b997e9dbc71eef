import assert from 'node:assert/strict';
import { test } from 'node:test';
import { all, button, text, the } from '#dom';
import { format, ports } from './format.testsupport.js';
import { changesText, noteOf, SettingsForm, scopesOf, sectionsOf } from './settings.js';

/** @type {import('../../protocol.js').Settings} */
const known = {
  scenario: { seed: 3, elector: { leaseDuration: '15s' }, candidates: [{ name: 'a' }, { name: 'b', replicas: 3 }] },
  inForce: { seed: 3, elector: { leaseDuration: '15s', releaseOnCancel: true } },
  usual: { seed: 1, elector: { leaseDuration: '15s' }, candidates: [{ elector: { releaseOnCancel: false } }] },
  nodes: ['a', 'b'],
  outlook: { marginNs: 2.997e9, failoverNs: 23.82e9 },
};

test('a note: the default, and what a changed value was', () => {
  const note = (/** @type {string} */ path) => text(noteOf(known, path, true));
  assert.equal(noteOf(known, 'elector.leaseDuration', false), 'Default: 15 s.');
  assert.equal(note('elector.leaseDuration'), 'Was 15 s , the default.');
  assert.equal(note('seed'), 'Was 3 . Default: 1.');
  assert.equal(note('candidates[7].clock.offset'), 'Was not set .');
  const acts = {
    inForce: {
      actions: [
        { at: '20s', act: 'pause' },
        { at: '1m', act: 'crash' },
      ],
    },
    usual: {},
  };
  const was = text(noteOf({ ...known, ...acts }, 'actions', true));
  assert.equal(was, 'Was at 20 s, act pause; at 1 min, act crash .', 'in words, as the entries stand');
});

test('the scopes: the run, its nodes, its API servers', () => {
  assert.deepEqual(scopesOf({ ...known.scenario, apiServers: [{ name: 'api-1' }] }), [
    ['', 'all nodes'],
    ['candidates[0]', 'a'],
    ['candidates[1]', 'b (3 replicas)'],
    ['apiServers[0]', 'API server api-1'],
  ]);
});

test('fields stand under headings, a group shares its fields among them', () => {
  const every = sectionsOf(format, '');
  const paths = Object.fromEntries(every.map(({ heading, rows }) => [heading, rows.map(({ path }) => path)]));
  assert.deepEqual(paths['Client behavior'], ['elector.dialect']);
  assert.deepEqual(paths.Candidate, ['elector.leaseDuration', 'elector.releaseOnCancel', 'elector.note']);
  assert.deepEqual(paths['The run'], ['seed', 'expect']);
  const found = sectionsOf(format, 'candidates[1]', 'client DIALECT');
  const shown = found.flatMap(({ rows }) => rows.map(({ path }) => path));
  assert.deepEqual(shown, ['candidates[1].elector.dialect']);
});

test('the footer counts the changes and names what requires a new run', () => {
  assert.equal(changesText([], undefined, false), 'Nothing has changed.');
  assert.equal(
    changesText(['seed'], 'seed', true),
    '1 change: seed. seed takes effect only when the run restarts from 0.',
  );
  assert.equal(changesText(['a', 'b', 'c', 'd', 'e'], undefined, false), '5 changes: a, b, c, d, ….');
  assert.match(changesText(['a'], undefined, true), /a node uses it from its next start on\.$/);
});

/** A settings form for the run above. */
function openSettings() {
  const fake = ports();
  const settings = new SettingsForm(format, fake.ports);
  settings.show(known);
  return { settings, ...fake };
}

test('a change is judged at once, its refusal lands at the field, and Undo clears both', async () => {
  const { settings, checks, answers } = openSettings();
  answers.push({ error: { code: 'input', message: 'too short', path: 'elector.leaseDuration' } });
  settings.form.set('elector.leaseDuration', '1');
  await Promise.resolve();
  await Promise.resolve();
  assert.deepEqual(checks[0].changes, [{ path: 'elector.leaseDuration', value: '1s' }]);
  assert.deepEqual(settings.form.error, { path: 'elector.leaseDuration', message: 'too short' });
  assert.equal(text(the(settings.template(), '[role="alert"]')), 'too short');
  settings.discard();
  assert.equal(settings.form.error, null);
  assert.deepEqual(settings.changes(), []);
});

test('what can change under way offers two ways more; a restart names its node', () => {
  const { settings, asked } = openSettings();
  settings.form.set('elector.leaseDuration', '20');
  assert.match(
    text(settings.footer()),
    /Run again, stop at 00:12 Change it at 00:12 Restart a with it Undo the change/,
  );
  const footer = settings.footer();
  button(footer, /^Change it/).click();
  button(footer, /^Restart a/).click();
  assert.deepEqual(
    asked.map(({ op, params }) => [op, params.mode, params.node]),
    [
      ['edit', 'now', undefined],
      ['edit', 'restart', 'a'],
    ],
  );
  settings.form.set('seed', '4');
  assert.doesNotMatch(text(settings.footer()), /Restart a/);
  assert.equal(button(settings.footer(), /^Change it/).disabled, true);
  assert.match(text(settings.footer()), /seed takes effect only when the run restarts from 0/);
});

test('a changed row is marked, the bar follows, and the footer says what the change leads to', async () => {
  const { settings, answers } = openSettings();
  answers.push({ outlook: { marginNs: 17.997e9, failoverNs: 38.82e9 } });
  settings.form.set('elector.leaseDuration', '30');
  await Promise.resolve();
  await Promise.resolve();
  const row = the(settings.template(), '[data-path="elector.leaseDuration"]');
  assert.match(text(row), /Followers wait leaseDuration .*Was 15 s/);
  assert.equal(row.getAttribute('data-changed'), 'true');
  assert.match(
    text(settings.footer()),
    /Safety margin 17\.997 s , was 2\.997 s\. Longest possible failover 38\.820 s , was 23/,
  );
});

test('rare groups are folded with their counts', () => {
  const { settings } = openSettings();
  settings.form.set('seed', '4');
  assert.match(text(settings.template()), /The run .*2 ?, 1 changed/);
});

test('a search shows the fields that have all its words', () => {
  const { settings } = openSettings();
  settings.text = 'lease DURATION';
  const countFields = (/** @type {string} */ path) => all(settings.template(), `[data-path="${path}"]`).length;
  assert.deepEqual([countFields('elector.leaseDuration'), countFields('seed')], [1, 0]);
  settings.text = 'teapot';
  assert.match(text(settings.template()), /No setting has “ ?teapot ?”/);
});

test('what lies around a field unfolds', () => {
  const { settings } = openSettings();
  settings.text = 'teapot';
  settings.reveal('expect[0].violation');
  assert.equal(settings.text, '');
  assert.deepEqual([...settings.form.open], ['The run', 'expect', 'expect[0]', 'expect[0].violation']);
});

test('a scope that the run no longer has is left', () => {
  const { settings } = openSettings();
  settings.setScope('candidates[1]');
  assert.equal(settings.nodeName(), 'b');
  settings.show({ ...known, scenario: { candidates: [{ name: 'a' }] } });
  assert.equal(settings.scope, '');
});
