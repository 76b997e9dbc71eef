/** Runs the same lines in kubectl and in the page, each with its own server. Requests and output must be the same. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startEngine } from '../../../fuzz/engine.mjs';
import { runLine } from './kubectl.js';
import { words } from './line.js';

/** @typedef {{asked: string[], printed: string}} Ran */

const home = mkdtempSync(join(tmpdir(), 'kubectl-'));
after(() => rmSync(home, { recursive: true }));
writeFileSync(join(home, 'index.html'), '<!doctype html>');
const lease = (/** @type {string} */ name, /** @type {object} */ spec, /** @type {object} */ metadata = {}) => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name, namespace: 'default', ...metadata },
  spec,
});
const fixture = {
  apiVersion: 'v1',
  kind: 'List',
  items: [
    lease(
      'demo',
      { holderIdentity: '<a> & b', leaseDurationSeconds: 15, renewTime: '2026-01-02T03:04:05.678901Z' },
      { labels: { app: 'it', 'a.b/c': 'true' }, annotations: { note: 'line one\nline "two"', yes: 'on', n: '012' } },
    ),
    lease('c', { leaseTransitions: 3 }),
    lease('x.y', { holderIdentity: 'grün', leaseDurationSeconds: 9 }, { labels: { app: 'other' } }),
  ],
};
writeFileSync(join(home, 'fixture.json'), JSON.stringify(fixture));

const LINES = [
  'get leases',
  'get leases --no-headers',
  'get leases -A',
  'get lease c demo',
  'get lease demo nobody c',
  'get lease/demo lease/c',
  'get lease nobody',
  "get leases -l 'app in (it, other)' -o name",
  'get leases -l app=none',
  'get leases -A -l app=none',
  'get leases -l app=none -o yaml',
  'get leases --field-selector metadata.name=demo',
  'get leases -o yaml',
  'get leases -o json',
  'get lease demo -o yaml',
  'get lease demo -o json',
  'get lease demo -o yaml --show-managed-fields',
  'get lease demo c -o yaml',
  'get lease demo -o wide',
  "get lease demo -o jsonpath='{.spec.holderIdentity}'",
  "get lease demo -o jsonpath='{.metadata.labels} {.spec.none}|{.metadata.annotations.n}'",
  "get lease demo -o jsonpath='{.metadata.labels.a\\.b/c}'",
  'get leases -o jsonpath=\'{range .items[*]}{.metadata.name}{"\\t"}{.spec.leaseDurationSeconds}{"\\n"}{end}\'',
  "get leases -o jsonpath='{.items[0].kind} {.kind} {.items[-1].metadata.name} {.items[*].metadata.name}'",
  'get lease demo -o jsonpath=.metadata.name',
  'get lease demo -o jsonpath',
  'get ns -A',
  'get lease nobody --ignore-not-found',
  'get lease nobody demo --ignore-not-found',
  'get leases -l app=none --ignore-not-found',
  '-n default get lease demo',
  '-n kube-system get leases',
  'get ns default -o name',
  'get --raw /version',
  'describe lease demo',
  'describe leases',
  `patch lease demo --dry-run=server -p '{"spec":{"holderIdentity":"z"}}'`,
  `patch lease demo --dry-run=server -p '{"spec":{"holderIdentity":"z"}}' -o json`,
  'delete lease demo --dry-run=server',
  'create namespace lab --dry-run=server',
  `patch lease demo --type merge -p '{"spec":{"holderIdentity":"b"}}'`,
  `patch lease demo --type merge -p '{"spec":{"holderIdentity":"b"}}'`,
  `patch lease demo -p '{"metadata":{"labels":{"app":null}}}' -o yaml`,
  `patch lease demo --type json -p '[{"op":"remove","path":"/spec/nothing"}]'`,
  'create namespace lab',
  'get namespaces',
  'delete lease demo nobody',
  'delete lease nobody --ignore-not-found',
  'delete leases --all',
];
/**
 * For these lines, only the output is the same: kubectl also asks for events, or sends other requests.
 */
const OTHER_REQUESTS = /^(describe|delete|create|api-)|-o jsonpath$/;

/** Starts a server and returns its address. @returns {Promise<string>} */
async function serve() {
  const program = fileURLToPath(new URL('../../../../bin/leaselab', import.meta.url));
  const flags = ['--addr', '127.0.0.1:0', '--site', home, '--seed', '7', '--fixture', join(home, 'fixture.json')];
  const server = spawn(program, ['serve', ...flags]);
  after(() => server.kill());
  const said = await new Promise((resolve) => server.stdout.once('data', (data) => resolve(String(data))));
  return /http:\/\/[^/]*/.exec(said)?.[0] ?? '';
}

/** @param {string} server @param {string} line @returns {Ran} */
function kubectl(server, line) {
  const flags = ['--server', server, '--cache-dir', join(home, 'cache'), '-v=6'];
  const { stdout, stderr } = spawnSync('kubectl', [...flags, ...words(line)], {
    encoding: 'utf8',
    env: { ...process.env, HOME: home, KUBECONFIG: '' },
    cwd: home,
  });
  const log = /^[IEW]\d{4} .*?(\[\{\n[\s\S]*?^\}\])?$\n/gm;
  const asked = [...stderr.matchAll(log)].flatMap(([row]) => {
    const [, method, url] =
      /(GET|POST|PATCH|PUT|DELETE) (http\S+)|$/.exec(row.replace(/verb="(\w+)" url="([^"]*)"/, '$1 $2')) ?? [];
    return url && !/\/(api|apis)\?|\/openapi|\/(api|apis)(\/[^/]*)?\/v\w*\?timeout/.test(url)
      ? [`${method} ${url.slice(server.length)}`]
      : [];
  });
  return { asked, printed: stdout + stderr.replace(log, '') };
}

/** @param {string} server @param {string} line @param {(json: string) => string} yaml @returns {Promise<Ran>} */
async function ours(server, line, yaml) {
  /** @type {string[]} */
  const asked = [];
  let printed = '';
  /** @type {Response | undefined} */
  let stream;
  const print = (/** @type {string} */ text) => {
    printed += `${text}\n`;
  };
  await runLine(line, {
    send: async ({ method, target, headers, body }) => {
      asked.push(`${method} ${target}`);
      const answer = await fetch(server + target, {
        method,
        body: body || undefined,
        headers: headers.map((one) => /** @type {[string, string]} */ (one.split(/: (.*)/s).slice(0, 2))),
      });
      const watches = target.includes('watch=true');
      if (watches) stream = answer;
      return { status: answer.status, headers: [], answer: watches ? '' : await answer.text(), watch: Number(watches) };
    },
    print,
    say: print,
    watch: async (_, tell) => {
      for await (const chunk of stream?.body ?? []) tell(new TextDecoder().decode(chunk).trim().split('\n'));
    },
    edit: () => {},
    yaml: async (value) => yaml(JSON.stringify(value)),
    parse: async (text) => JSON.parse(text),
    namespace: 'default',
    lease: 'demo',
  });
  return { asked, printed };
}

/** Removes ages, current times, and the namespace that newer versions of kubectl print. @param {string} text */
const timeless = (text) =>
  text
    .replace(/\b\d+s( +|$)/gm, 'AGE ')
    .replace(/"?20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ"?/g, 'NOW')
    .replace(/ from \w+ namespace(?=$| \()/gm, '')
    .trimEnd();

const missing = spawnSync('kubectl', ['version', '--client']).status === 0 ? false : 'there is no kubectl';
test('every line asks and prints what kubectl asks and prints', { skip: missing }, async (t) => {
  const [theirs, mine] = await Promise.all([serve(), serve()]);
  const engine = await startEngine();
  engine.ask('open', { scenario: 'crash' });
  const yaml = (/** @type {string} */ json) => engine.ask('yaml', { json }).result.text;
  for (const line of LINES)
    await t.test(line, async () => {
      const expected = kubectl(theirs, line);
      const got = await ours(mine, line, yaml);
      assert.equal(timeless(got.printed), timeless(expected.printed));
      if (!OTHER_REQUESTS.test(line)) assert.deepEqual(got.asked, expected.asked);
    });
});
