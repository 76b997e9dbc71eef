import assert from 'node:assert/strict';
import { test } from 'node:test';
import { each } from './testsupport/calls.js';
import { linesOf, parseYaml, printYaml, YamlError } from './yamltext.js';

/** @param {string} source */
function refusal(source) {
  try {
    parseYaml(source);
  } catch (error) {
    assert.ok(error instanceof YamlError, String(error));
    return error.message;
  }
  return assert.fail(`was read: ${source}`);
}

test('reads an ordinary scenario', () => {
  const read = parseYaml(
    'apiVersion: leaselab.dev/v1alpha1\nseed: 7\nelector:\n  leaseDuration: 15s\n  releaseOnCancel: false\n',
  );
  assert.deepEqual(read, {
    apiVersion: 'leaselab.dev/v1alpha1',
    seed: 7,
    elector: { leaseDuration: '15s', releaseOnCancel: false },
  });
});

for (const word of ['yes', 'No', 'on', 'OFF', 'y', 'n', '0o17', '017', '1_000', '0b11', '1:30', '12:30:45']) {
  test(`refuses the scalar ${word}, with its line`, () => {
    assert.match(refusal(`seed: 1\nname: ${word}\n`), /^Line 2: “.*” means different things/);
    assert.deepEqual(parseYaml(`name: "${word}"\n`), { name: word });
  });
}

test('several objects with a Deployment are a List; a file may end with a separator', () => {
  const list = parseYaml('kind: Service\n---\nkind: Deployment\n---\n');
  assert.deepEqual(list, { kind: 'List', items: [{ kind: 'Service' }, { kind: 'Deployment' }] });
  assert.deepEqual(parseYaml('a: 1\n---\n'), { a: 1 });
});

test('refuses anchors, aliases, tags, merge keys, second documents and repeated keys', () => {
  assert.match(refusal('a: 1\nb: &x 2\n'), /^Line 2: anchors/);
  assert.match(refusal('a: *x\n'), /^Line 1: /);
  assert.match(refusal('a: !!str 2\n'), /^Line 1: tags/);
  assert.match(refusal('a: 1\n<<: {b: 1}\n'), /^Line 2: merge keys/);
  assert.match(refusal('a: 1\n---\nb: 2\n'), /one document/);
  assert.match(refusal('a: 1\na: 2\n'), /^Line 2: /);
  assert.match(refusal('a: [1\nb: 2\n'), /^Line \d: /);
});

test('what it prints, it reads back', () => {
  const value = {
    name: 'no',
    seed: 9_007_199_254_740_991,
    list: ['017', '1:30', 'x', true, null, -1.5],
    text: 'two\nlines\n',
  };
  assert.deepEqual(parseYaml(printYaml(value)), value);
});

test('all refusals of a file are told, each with its line', () => {
  assert.throws(
    () => parseYaml('a: yes\nb: &x 1\nc: 017\n'),
    (/** @type {YamlError} */ error) => {
      assert.deepEqual(each(error.all, 'line'), [1, 2, 3]);
      assert.match(error.all[1].message, /^anchors/);
      return true;
    },
  );
});

test('a field has its line, in YAML and in JSON; one that is missing has that of the field around it', () => {
  const yaml =
    'kind: Scenario\nelector:\n  leaseDuraton: 5s\nactions:\n  - {at: 1s, act: crash}\n  - at: 2s\n    act: kill\n';
  const paths = ['kind', 'elector.leaseDuraton', 'actions[0].act', 'actions[1].act', 'actions[1].target', 'seed', ''];
  assert.deepEqual(linesOf(yaml, paths), [1, 3, 5, 7, 6, 0, 0]);
  const json = '{\n\t"kind": "Scenario",\n\t"actions": [\n\t\t{"at": "1s"},\n\t\t{"act": 5}\n\t]\n}\n';
  assert.deepEqual(linesOf(json, ['kind', 'actions[1].act', 'actions[0].x']), [2, 5, 4]);
  assert.deepEqual(linesOf('a: [', ['a']), [0]);
});
