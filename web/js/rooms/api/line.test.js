import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LineError, parseLine, VERBS, words } from './line.js';

test('words part at spaces and stay together in quotes', () => {
  assert.deepEqual(words('  get   leases '), ['get', 'leases']);
  assert.deepEqual(words(`-p '{"a": "b c"}'`), ['-p', '{"a": "b c"}']);
  assert.deepEqual(words(`-p "{\\"a\\": 1}"`), ['-p', '{"a": 1}']);
  assert.deepEqual(words(`a"b c"'d e'f`), ['ab cd ef']);
  assert.deepEqual(words(`one\\ word "" ''`), ['one word', '', '']);
  assert.deepEqual(words(`'it'\\''s'`), ["it's"]);
  assert.deepEqual(words(''), []);
  assert.throws(() => words(`-p '{"a": 1}`), /The quote before “\{"a": 1\}” is not closed\. End it with another '\./);
});

/** @type {[string, import('./line.js').Line][]} */
const LINES = [
  ['get leases', { verb: 'get', args: ['leases'], flags: {} }],
  ['kubectl get leases', { verb: 'get', args: ['leases'], flags: {} }],
  ['$ kubectl get leases', { verb: 'get', args: ['leases'], flags: {} }],
  ['k get leases -w', { verb: 'get', args: ['leases'], flags: { watch: true } }],
  ['get -n prod leases demo', { verb: 'get', args: ['leases', 'demo'], flags: { namespace: 'prod' } }],
  ['get leases -nprod', { verb: 'get', args: ['leases'], flags: { namespace: 'prod' } }],
  ['get leases -n=prod', { verb: 'get', args: ['leases'], flags: { namespace: 'prod' } }],
  ['get leases --namespace=prod', { verb: 'get', args: ['leases'], flags: { namespace: 'prod' } }],
  ['get leases --namespace prod', { verb: 'get', args: ['leases'], flags: { namespace: 'prod' } }],
  ['get leases -Aw', { verb: 'get', args: ['leases'], flags: { 'all-namespaces': true, watch: true } }],
  [
    'get leases -wAo yaml',
    { verb: 'get', args: ['leases'], flags: { watch: true, 'all-namespaces': true, output: 'yaml' } },
  ],
  ['get leases -oyaml', { verb: 'get', args: ['leases'], flags: { output: 'yaml' } }],
  ['get leases -o=json', { verb: 'get', args: ['leases'], flags: { output: 'json' } }],
  ['get leases --watch=false', { verb: 'get', args: ['leases'], flags: { watch: false } }],
  ['get leases -l app=web,tier!=x', { verb: 'get', args: ['leases'], flags: { selector: 'app=web,tier!=x' } }],
  ['get leases -lapp=web', { verb: 'get', args: ['leases'], flags: { selector: 'app=web' } }],
  [
    'get leases --field-selector=metadata.name=demo',
    { verb: 'get', args: ['leases'], flags: { 'field-selector': 'metadata.name=demo' } },
  ],
  [
    `patch lease demo --type merge -p '{"spec":{"holderIdentity":"x y"}}'`,
    { verb: 'patch', args: ['lease', 'demo'], flags: { type: 'merge', patch: '{"spec":{"holderIdentity":"x y"}}' } },
  ],
  ['create -f', { verb: 'create', args: [], flags: { filename: true } }],
  ['create -f -', { verb: 'create', args: [], flags: { filename: true } }],
  ['create -f lease', { verb: 'create', args: ['lease'], flags: { filename: true } }],
  ['create -f lease.yaml', { verb: 'create', args: ['lease.yaml'], flags: { filename: true } }],
  [
    'apply -f --server-side --field-manager me --force-conflicts',
    {
      verb: 'apply',
      args: [],
      flags: { filename: true, 'server-side': true, 'field-manager': 'me', 'force-conflicts': true },
    },
  ],
  ['get lease demo -- -x=y', { verb: 'get', args: ['lease', 'demo', '-x=y'], flags: {} }],
  ['delete leases --all', { verb: 'delete', args: ['leases'], flags: { all: true } }],
  ['get --help', { verb: 'help', args: ['get'], flags: {} }],
  ['-h', { verb: 'help', args: [], flags: {} }],
];
for (const [text, line] of LINES) {
  test(`“${text}” is understood`, () => assert.deepEqual(parseLine(text), line));
}

/** @type {[string, RegExp][]} */
const REFUSED = [
  ['', /Type a command, such as “get leases”/],
  ['kubectl', /Type a command/],
  ['log demo', /This line has no verb “log”\. Its verbs are get, describe, .* and help\./],
  ['logs demo', /This line has no verb “logs”\..* start `leaselab serve` and use the real kubectl\.$/],
  ['auth can-i get leases', /This line has no verb “auth”/],
  ['explain lease.spec', /This line has no verb “explain”/],
  ['--as bob get leases', /get has no flag --as here\. .* real kubectl\.$/],
  ['get leases --context=prod', /get has no flag --context here/],
  ['patch lease demo --patch-file p.yaml', /patch has no flag --patch-file here/],
  ['get leases -o jsonpath', /^error: template format specified but no template given$/],
  ...['-o go-template={{.kind}}', '-o custom-columns=N:.metadata.name', '-o jsonpath-as-json={.kind}'].map(
    (format) =>
      /** @type {[string, RegExp]} */ ([
        `get leases ${format}`,
        /^-o is json, yaml, .* here, not “(go-template|custom-columns|jsonpath-as-json)=.* real kubectl\.$/,
      ]),
  ),
  ['get leases -v=6', /^get has no flag -v here/],
  ['label lease demo a=b', /This line has no verb “label”/],
  ['get leases --sort-by .metadata.name', /^get has no flag --sort-by here/],
  ['--template={{.kind}} get leases', /^get has no flag --template here/],
  ['toString x', /This line has no verb “toString”/],
  ['get leases --foo', /get has no flag --foo here\. It takes -n, -A, -w, -o, /],
  ['get leases -wz', /get has no flag -z/],
  ['delete lease demo -w', /delete has no flag -w/],
  ['get leases -o', /-o needs a value, as in -o json\./],
  ['get leases -o -w', /-o needs a value/],
  ['get leases -n', /-n needs a value, as in -n default\./],
  ['get leases -o xml', /-o is json, yaml, name, wide or jsonpath here, not “xml”\./],
  ['get leases -o jsonpathology', /-o is json, .* here, not “jsonpathology”\./],
  ['get leases --watch=maybe', /--watch is on or off: write --watch or --watch=false, not “maybe”\./],
  ['patch lease demo --type best -p x', /--type is strategic, merge or json here, not “best”\./],
  ['get leases | grep demo', /This line is not a shell, so “\|” means nothing/],
  ['get leases -o yaml > file', /so “>” means nothing/],
  ['version -x', /version has no flag -x here\. It takes no flags\./],
];
for (const [text, sentence] of REFUSED) {
  test(`“${text}” is refused in a sentence`, () =>
    assert.throws(
      () => parseLine(text),
      (error) => error instanceof LineError && sentence.test(error.message),
    ));
}

test('every verb says how it is used, and no two of its flags share a name or a letter', () => {
  for (const [verb, { flags, usage, help }] of Object.entries(VERBS)) {
    assert.ok(usage.startsWith(verb) && help, verb);
    const names = flags.flatMap(({ name, short }) => (short ? [name, short] : [name]));
    assert.equal(new Set(names).size, names.length, verb);
  }
});
