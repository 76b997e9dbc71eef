import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseYaml, printYaml, YamlError } from './yamltext.js';

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
