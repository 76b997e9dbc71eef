/** Runs copied commands in the available shells, with a stub that records its arguments and with the real curl. */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { askIs as ask } from './api.testsupport.js';
import { asCurl, quote } from './copyas.js';

const SERVER = 'http://127.0.0.1:8765';
const GROUP = '/apis/coordination.k8s.io';
const LEASES = `${GROUP}/v1/namespaces/default/leases`;

const home = mkdtempSync(join(tmpdir(), 'copyas-'));
const programs = join(home, 'programs');
const record = join(home, 'record');
const elsewhere = join(home, 'elsewhere');
after(() => rmSync(home, { recursive: true }));
spawnSync('mkdir', [programs, record, elsewhere]);
for (const name of ['curl', 'use'])
  writeFileSync(
    join(programs, name),
    `#!/bin/sh\nprintf '%s\\0' ${name} "$@" >> ${quote(record)}/argv\ncat > ${quote(record)}/stdin\n`,
    { mode: 0o755 },
  );

const has = (/** @type {string} */ name) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;
const SHELLS = ['sh', 'bash', 'zsh'].filter(has);

/**
 * Runs a copied command. The command must start exactly one program, once, and have no other effect.
 * @param {string} shell
 * @param {string} command
 */
function run(shell, command) {
  rmSync(join(record, 'argv'), { force: true });
  rmSync(join(record, 'stdin'), { force: true });
  for (const left of readdirSync(elsewhere)) rmSync(join(elsewhere, left));
  const env = { ...process.env, PATH: `${programs}:${process.env.PATH}` };
  const { status, stderr } = spawnSync(shell, ['-c', command], { cwd: elsewhere, env, input: '', timeout: 10_000 });
  assert.equal(stderr.toString(), '', command);
  assert.equal(status, 0, command);
  assert.deepEqual(readdirSync(elsewhere), [], `something else was run: ${command}`);
  if (!readdirSync(record).includes('argv')) return { argv: [], input: '' };
  const argv = readFileSync(join(record, 'argv'), 'utf8').split('\0').slice(0, -1);
  return { argv, input: readFileSync(join(record, 'stdin'), 'utf8') };
}

/** Texts that once ended a command early, or began another command. */
const TEXTS = [
  '{"kind":"Lease"}',
  '{"a":1}\nEOF\ntouch here\n',
  'EOF\nEOF2\nEOF3\ntouch here',
  "<<'EOF2'\nEOF",
  'EOF\r\ntouch here\r\n',
  `it's "so", '$(touch here)'`,
  '$(touch here) `touch here` $HOME $PATH !! \\n \\',
  'a; touch here & touch here | touch here > here',
  "'; touch here; '",
  '# no comment\n\n\ntouch here',
  '-x',
  '--all',
  '--raw',
  '@/etc/hostname',
  '%s %d %n \\0101 \\x41',
  '*',
  '=ls',
  '~',
  'a\tb',
  'grün 领导者 🗳️ \u2028touch here',
  '\u001b[201~\ntouch here\n',
  'a\u0000b\u0007\u007f\u009b201~\\033',
];

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them
const clean = (/** @type {string} */ text) => !/[\0-\x08\x0b-\x1f\x7f-\x9f]/.test(text);
for (const shell of SHELLS) {
  test(`${shell}: a body reaches curl as it was sent`, () => {
    for (const text of TEXTS) {
      const { argv, input } = run(shell, asCurl(ask('POST', LEASES, text)));
      assert.deepEqual(argv.slice(0, 4), ['curl', '-X', 'POST', SERVER + LEASES]);
      const data = text.startsWith('@') ? '--data-raw' : '--data-binary';
      if (clean(text)) assert.deepEqual([...argv.slice(4), input], [data, text.trimEnd(), '']);
      else assert.deepEqual([...argv.slice(4), input], ['--data-binary', '@-', text]);
    }
  });

  test(`${shell}: whatever stands in the path is one word`, () => {
    for (const text of TEXTS) {
      const word = text.replaceAll(/[/?#]/g, '');
      for (const target of [
        `${LEASES}/${word}`,
        `${GROUP}/v1/namespaces/${word}/leases`,
        `${GROUP}/${word}/namespaces/default/leasecandidates`,
      ]) {
        const sent = run(shell, asCurl(ask('GET', target))).argv.at(-1) ?? '';
        assert.equal(decodeURIComponent(sent.replaceAll(/%(?![0-9A-F]{2})/g, '%25')), SERVER + target);
      }
    }
  });

  test(`${shell}: a method and a header are words`, () => {
    for (const text of TEXTS) {
      const { argv } = run(shell, asCurl({ ...ask(text, '/version'), headers: [text, `X-Text: ${text}`] }));
      assert.deepEqual(argv.slice(0, 3), ['curl', '-X', text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, encodeURIComponent)]);
      assert.deepEqual(argv.slice(4), clean(text) ? ['-H', `X-Text: ${text}`] : []);
    }
  });
}

test('a target without a slash is no other server', () => {
  assert.equal(asCurl(ask('GET', '@example.com/')), `curl ${SERVER}/@example.com/`);
});

test('curl sends what was copied', { skip: has('curl') ? false : 'there is no curl' }, async () => {
  /** @type {{method?: string, url?: string, type?: string, body: string}[]} */
  const got = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    got.push({ method: request.method, url: request.url, type: request.headers['content-type'], body });
    response.end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  writeFileSync(join(home, '.curlrc'), `silent\nconnect-to = "127.0.0.1:8765:127.0.0.1:${port}"\nnoproxy = "*"\n`);
  const targets = [LEASES, `${LEASES}?labelSelector=a[1-3]{b,c}`, `${LEASES}/../x/./y`, `${LEASES}?watch=true`];
  const env = { ...process.env, CURL_HOME: home };
  for (const target of targets)
    for (const method of ['GET', 'HEAD', 'DELETE']) {
      got.length = 0;
      await promisify(execFile)('sh', ['-c', asCurl(ask(method, target))], { env, timeout: 10_000 });
      assert.deepEqual(got, [{ method, url: target, type: undefined, body: '' }]);
    }
  for (const body of TEXTS) {
    got.length = 0;
    await promisify(execFile)('sh', ['-c', asCurl(ask('PATCH', LEASES, body, 'application/json'))], {
      env,
      timeout: 10_000,
    });
    const told = clean(body) ? body.trimEnd() : body;
    assert.deepEqual(got, [{ method: 'PATCH', url: LEASES, type: 'application/json', body: told }]);
  }
  server.close();
});
