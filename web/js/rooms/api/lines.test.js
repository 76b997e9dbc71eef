import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientOf } from './api.testsupport.js';
import { Lines } from './lines.js';
import { Requests } from './requests.js';

/** @param {(ask: any) => object} [answers] */
function openLines(answers) {
  const world = clientOf(answers);
  const requests = new Requests(world.client);
  /** @type {string[]} */
  const said = [];
  /** @type {any[]} */
  const edits = [];
  const lines = new Lines(requests, {
    lease: () => ({ namespace: 'default', name: 'demo' }),
    yaml: async (value) => JSON.stringify(value),
    edit: (ask, how) => edits.push([ask, how]),
    onBegin: () => said.push('begun'),
    say: (sentence) => said.push(sentence),
  });
  const type = (/** @type {string} */ text) => {
    lines.text.value = text;
    return lines.run();
  };
  return {
    ...world,
    lines,
    type,
    said,
    edits,
    output: () => lines.output.value?.map(({ text }) => text).join(''),
  };
}

const table = (/** @type {string} */ holder) => ({
  kind: 'Table',
  columnDefinitions: [
    { name: 'Name', priority: 0 },
    { name: 'Holder', priority: 0 },
  ],
  rows: [{ cells: ['demo', holder] }],
});

test('a line prints itself and its answer, and its end is said', async () => {
  const { type, output, said, lines } = openLines(() => ({ answer: '{"gitVersion":"v1.36.0"}' }));
  await type(' kubectl version ');
  assert.equal(output(), '$ kubectl version\nServer Version: v1.36.0\n');
  assert.deepEqual(said, ['begun', 'Server Version: v1.36.0']);
  assert.deepEqual([lines.isRunning.value, lines.text.value], [false, '']);
});

test('an empty line does nothing', async () => {
  const { type, output, said } = openLines();
  await type('  ');
  assert.deepEqual([output(), said], [undefined, []]);
});

test('the lines before come back, each once', async () => {
  const { type, lines } = openLines();
  for (const text of ['help', 'help', 'version']) await type(text);
  const seen = [-1, -1, -1, 1, 1, 1].map((by) => {
    lines.recall(by);
    return lines.text.value;
  });
  assert.deepEqual(seen, ['version', 'help', 'help', 'version', '', '']);
});

test('a watch prints on until it is stopped; the next line ends it', async () => {
  const watch = (/** @type {any} */ { target }) => /watch=true/.test(target);
  const answer = { ...table('a'), metadata: { resourceVersion: '7' } };
  const { type, output, watches, lines } = openLines((ask) => ({
    answer: JSON.stringify(answer),
    watch: watch(ask) ? 5 : 0,
  }));
  const first = type('get leases -w');
  for (let i = 0; i < 10 && watches.size === 0; i++) await new Promise((resolve) => setTimeout(resolve));
  watches.get(5)?.tell([JSON.stringify({ type: 'MODIFIED', object: table('b') })]);
  await new Promise((resolve) => setTimeout(resolve));
  assert.match(output() ?? '', /demo +a\ndemo +b\n$/);
  assert.equal(lines.isRunning.value, true);
  await type('help version');
  await first;
  assert.equal(watches.size, 0);
  assert.doesNotMatch(output() ?? '', /demo/);
  assert.equal(lines.isRunning.value, false);
});

test('a line that was left prints nothing any more', async () => {
  const { type, lines, output } = openLines(() => ({ answer: '{"gitVersion":"v1"}' }));
  const done = type('version');
  lines.leave();
  await done;
  assert.deepEqual([output(), lines.isRunning.value], [undefined, false]);
});

test('of two lines that run, only the later one prints', async () => {
  /** @type {((answer: object) => void)[]} */
  const answers = [];
  const { type, output } = openLines(() => ({}));
  const { client } = clientOf();
  client.send = /** @type {any} */ (() => new Promise((resolve) => answers.push(resolve)));
  const lines = new Lines(new Requests(client), {
    lease: () => ({ namespace: 'default', name: 'demo' }),
    yaml: async () => '',
    edit: () => {},
    onBegin: () => {},
    say: () => {},
  });
  lines.text.value = 'version';
  const first = lines.run();
  lines.text.value = 'version';
  const second = lines.run();
  answers[0]({ status: 200, headers: [], answer: '{"gitVersion":"first"}', watch: 0 });
  answers[1]({ status: 200, headers: [], answer: '{"gitVersion":"second"}', watch: 0 });
  await Promise.all([first, second]);
  assert.doesNotMatch(lines.output.value?.map(({ text }) => text).join('') ?? '', /first/);
  await type('help version');
  assert.match(output() ?? '', /version/);
});

test('edit opens the editor with the object, and what it was', async () => {
  const object = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'demo' } };
  const { type, edits } = openLines(() => ({ answer: JSON.stringify(object) }));
  await type('edit lease demo');
  await new Promise((resolve) => setTimeout(resolve));
  const [[ask, how]] = edits;
  assert.equal(ask.method, 'PATCH');
  assert.deepEqual([JSON.parse(ask.body), how], [object, { verb: 'edit', before: object }]);
});
