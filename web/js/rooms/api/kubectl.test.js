import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printYaml } from '../../lib/yamltext.js';
import { readBody } from './draft.js';
import { runLine } from './kubectl.js';
import { sortMembers } from './merge.js';

const LEASES = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
const demo = {
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: {
    name: 'demo',
    namespace: 'default',
    uid: '1-2',
    resourceVersion: '7',
    creationTimestamp: '2000-01-01T00:00:00Z',
    annotations: { note: 'old' },
    managedFields: [{ manager: 'x' }],
  },
  spec: { holderIdentity: 'b', leaseDurationSeconds: 15 },
};
const table = (/** @type {any[]} */ ...names) => ({
  kind: 'Table',
  metadata: { resourceVersion: '7' },
  columnDefinitions: [
    { name: 'Name', priority: 0 },
    { name: 'LeaseName', priority: 0 },
    { name: 'Secret', priority: 1 },
    { name: 'Age', priority: 0 },
  ],
  rows: names.map((name) => ({ cells: [name, 'b', 's', '40s'], object: { metadata: { name, namespace: 'default' } } })),
});
const status = (/** @type {number} */ code, /** @type {string} */ reason, /** @type {string} */ message) => ({
  kind: 'Status',
  status: 'Failure',
  code,
  reason,
  message,
});

/**
 * Runs a line with answers by "METHOD target". Returns what the line sent, printed and put into the editor.
 * @param {string} text
 * @param {Record<string, [number, any, string[]?]>} [answers]
 * @param {string[][]} [frames] of a watch
 */
async function run(text, answers = {}, frames = []) {
  /** @type {any[]} */
  const sent = [];
  let printed = '';
  /** @type {any} */
  let draft;
  const fine = await runLine(text, {
    send: async (ask) => {
      sent.push(ask);
      const known = answers[`${ask.method} ${ask.target}`];
      assert.ok(known, `nobody expected ${ask.method} ${ask.target}`);
      const [code, body, headers = []] = known;
      return { status: code, answer: JSON.stringify(body), headers, watch: ask.target.includes('watch=true') ? 1 : 0 };
    },
    print: (words) => {
      printed += `${words}\n`;
    },
    say: (sentence) => {
      printed += `${sentence}\n`;
    },
    watch: async (_, tell) => {
      for (const some of frames) tell(some);
    },
    edit: (one) => {
      draft = one;
    },
    yaml: async (value) => printYaml(sortMembers(value)),
    parse: readBody,
    namespace: 'default',
    lease: 'demo',
  });
  return { fine, sent, printed: printed.trimEnd(), draft };
}

test('get prints the columns of the server, wide ones only with -o wide', async () => {
  const { printed, sent } = await run('get leases', { [`GET ${LEASES}?limit=500`]: [200, table('demo', 'x')] });
  assert.equal(printed, 'NAME   LEASENAME   AGE\ndemo   b           40s\nx      b           40s');
  assert.match(sent[0].headers[0], /as=Table/);
  const wide = await run('get lease -o wide', { [`GET ${LEASES}?limit=500`]: [200, table('demo')] });
  assert.equal(wide.printed, 'NAME   LEASENAME   SECRET   AGE\ndemo   b           s        40s');
});

test('get -A names the namespaces; nothing found is a sentence', async () => {
  const all = '/apis/coordination.k8s.io/v1/leases';
  const { printed } = await run('get leases -A', { [`GET ${all}?limit=500`]: [200, table('demo')] });
  assert.equal(printed, 'NAMESPACE   NAME   LEASENAME   AGE\ndefault     demo   b           40s');
  assert.equal(
    (await run('get leases -A', { [`GET ${all}?limit=500`]: [200, table()] })).printed,
    'No resources found',
  );
  const none = await run('get leases -l a=b', { [`GET ${LEASES}?labelSelector=a%3Db&limit=500`]: [200, table()] });
  assert.equal(none.printed, 'No resources found in default namespace.');
});

test('get -o yaml, json and name', async () => {
  const answers = /** @type {any} */ ({ [`GET ${LEASES}/demo`]: [200, demo] });
  const yaml = await run('get lease demo -o yaml', answers);
  assert.match(yaml.printed, /^apiVersion: coordination\.k8s\.io\/v1\nkind: Lease\n/);
  assert.doesNotMatch(yaml.printed, /managedFields/);
  assert.match((await run('get lease/demo -o json --show-managed-fields', answers)).printed, /managedFields/);
  assert.equal((await run('get lease demo -o name', answers)).printed, 'lease.coordination.k8s.io/demo');
});

test('get -w lists, then follows from that version', async () => {
  const from = `GET ${LEASES}?resourceVersion=7&watch=true`;
  const later = { ...table('demo'), columnDefinitions: null };
  const frames = [
    [JSON.stringify({ type: 'MODIFIED', object: later })],
    [
      JSON.stringify({ type: 'BOOKMARK', object: demo }),
      JSON.stringify({ type: 'ERROR', object: status(410, 'Expired', 'too old') }),
    ],
  ];
  const { printed, sent } = await run(
    'get leases -w',
    { [`GET ${LEASES}?limit=500`]: [200, table('demo')], [from]: [200, ''] },
    frames,
  );
  assert.equal(
    printed,
    'NAME   LEASENAME   AGE\ndemo   b           40s\ndemo   b           40s\nerror: too old (Expired)',
  );
  assert.equal(sent.length, 2);
});

test('describe shows every field in words', async () => {
  const { printed } = await run('describe lease demo', { [`GET ${LEASES}/demo`]: [200, demo] });
  assert.equal(
    printed,
    `Name:         demo
Namespace:    default
Labels:       <none>
Annotations:  note: old
API Version:  coordination.k8s.io/v1
Kind:         Lease
Metadata:
  Creation Timestamp:  2000-01-01T00:00:00Z
  Resource Version:    7
  UID:                 1-2
Spec:
  Holder Identity:         b
  Lease Duration Seconds:  15
Events:                    <none>`,
  );
});

test('patch sends the type and says what was patched', async () => {
  const target = `${LEASES}/demo?fieldManager=kubectl-patch`;
  const { printed, sent } = await run(`patch lease demo --type merge -p 'spec: {holderIdentity: me}'`, {
    [`GET ${LEASES}/demo`]: [200, { ...demo, spec: {} }],
    [`PATCH ${target}`]: [200, demo, ['warning: 299 - "be \\"careful\\""']],
  });
  assert.equal(printed, 'Warning: be "careful"\nlease.coordination.k8s.io/demo patched');
  assert.deepEqual(sent[1].headers[1], 'Content-Type: application/merge-patch+json');
  assert.deepEqual(JSON.parse(sent[1].body), { spec: { holderIdentity: 'me' } });
  assert.match((await run('patch lease demo')).printed, /patch needs -p/);
  assert.match((await run(`patch lease demo --type json -p '{}'`)).printed, /A JSON patch is a list/);
  assert.match((await run(`patch lease demo -p '{'`)).printed, /The patch is neither JSON nor YAML/);
});

test('a list that the server parts in chunks is read whole', async () => {
  const answers = /** @type {any} */ ({
    [`GET ${LEASES}?limit=500`]: [200, { ...table('a'), metadata: { continue: 'x' }, items: [demo] }],
    [`GET ${LEASES}?continue=x&limit=500`]: [200, { ...table('b'), items: [{ metadata: { name: 'b' } }] }],
  });
  assert.match((await run('get leases', answers)).printed, /\na .*\nb /);
  const names = await run('get leases -o name', answers);
  assert.equal(names.printed, 'lease.coordination.k8s.io/demo\nlease.coordination.k8s.io/b');
});

test('what is refused of several is told at the end', async () => {
  const answers = /** @type {any} */ ({
    [`GET ${LEASES}/x`]: [404, status(404, 'NotFound', 'no x')],
    [`GET ${LEASES}/demo`]: [200, demo],
    [`DELETE ${LEASES}/x`]: [404, status(404, 'NotFound', 'no x')],
    [`DELETE ${LEASES}/demo`]: [200, {}],
  });
  for (const [text, first] of [
    ['get lease x demo -o name', 'lease.coordination.k8s.io/demo'],
    ['delete lease x demo', 'lease.coordination.k8s.io "demo" deleted from default namespace'],
  ]) {
    const { fine, printed } = await run(text, answers);
    assert.deepEqual([fine, printed], [false, `${first}\nError from server (NotFound): no x`]);
  }
});

test('several objects are a List, and a template that is wrong is told', async () => {
  const answers = /** @type {any} */ ({
    [`GET ${LEASES}?limit=500`]: [200, { items: [demo] }],
    [`GET ${LEASES}/demo`]: [200, demo],
  });
  assert.match((await run('get leases -o json', answers)).printed, /^\{\n {4}"apiVersion": "v1",\n {4}"items"/);
  assert.equal((await run("get leases -o jsonpath='{.kind} {.items[*].kind}'", answers)).printed, 'List Lease');
  assert.match(
    (await run('get lease demo -o jsonpath={', answers)).printed,
    /^error: error parsing jsonpath \{, unclosed/,
  );
});

test('an error of the server is told as kubectl tells it', async () => {
  const { fine, printed } = await run('get lease x', {
    [`GET ${LEASES}/x`]: [404, status(404, 'NotFound', 'leases.coordination.k8s.io "x" not found')],
  });
  assert.ok(!fine);
  assert.equal(printed, 'Error from server (NotFound): leases.coordination.k8s.io "x" not found');
});

test('delete by name, and all of them one by one', async () => {
  const answers = /** @type {any} */ ({
    [`GET ${LEASES}?limit=500`]: [200, { items: [demo, { metadata: { name: 'x' } }] }],
    [`DELETE ${LEASES}/demo`]: [200, {}],
    [`DELETE ${LEASES}/x`]: [200, {}],
  });
  assert.equal(
    (await run('delete lease demo', answers)).printed,
    'lease.coordination.k8s.io "demo" deleted from default namespace',
  );
  assert.equal((await run('delete leases --all', answers)).sent.length, 3);
  assert.match((await run('delete leases')).printed, /delete which\?/);
  assert.match((await run('delete lease demo --all')).printed, /not both/);
});

test('delete asks for what its flags say', async () => {
  const answers = /** @type {any} */ ({ [`DELETE ${LEASES}/demo`]: [200, {}] });
  for (const [flags, body] of /** @type {[string, object][]} */ ([
    ['', { propagationPolicy: 'Background' }],
    ['--dry-run=server', { dryRun: ['All'], propagationPolicy: 'Background' }],
  ]))
    assert.deepEqual(JSON.parse((await run(`delete lease demo ${flags}`, answers)).sent[0].body), body, flags);
});

test('create, apply and edit open the editor', async () => {
  assert.deepEqual(
    (({ verb, target, object }) => ({ verb, target, name: object.metadata.name }))((await run('create -f')).draft),
    { verb: 'create', target: `${LEASES}?fieldManager=kubectl-create`, name: 'example' },
  );
  const apply = await run('apply -f --server-side --field-manager me --force-conflicts');
  assert.equal(apply.draft.target, `${LEASES}/demo?fieldManager=me&force=true`);
  assert.equal(apply.draft.verb, 'apply');
  assert.match((await run('apply -f')).draft.target, /fieldManager=kubectl$/);
  const edit = await run('edit lease demo', { [`GET ${LEASES}/demo`]: [200, demo] });
  assert.equal(edit.draft.verb, 'edit');
  assert.equal(edit.draft.before.metadata.managedFields, undefined);
  const made = await run('create namespace lab', {
    'POST /api/v1/namespaces?fieldManager=kubectl-create': [
      201,
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'lab' } },
    ],
  });
  assert.equal(made.printed, 'namespace/lab created');
});

test('the version of the server, and what the line takes', async () => {
  const version = await run('version', { 'GET /version': [200, { gitVersion: 'v1.36.2' }] });
  assert.equal(version.printed, 'Server Version: v1.36.2');
  assert.match((await run('help')).printed, /^get: lists or reads objects/);
  assert.match((await run('help patch')).printed, /Flags: .*-p, --patch/);
});

test('what does not exist is answered with what does', async () => {
  for (const [text, sentence] of /** @type {[string, RegExp][]} */ ([
    ['get', /get what\? Name leases, leasecandidates or namespaces/],
    ['get pods', /This API does not serve “pods”\. It serves leases, leasecandidates and namespaces\./],
    ['get leases,namespaces', /One kind at a time/],
    ['get lease/a namespace/b', /One kind at a time/],
    ['get lease demo -A', /A name belongs to one namespace/],
    ['edit lease', /edit takes one name/],
    ['create', /create needs -f/],
  ]))
    assert.match((await run(text)).printed, sentence);
});
