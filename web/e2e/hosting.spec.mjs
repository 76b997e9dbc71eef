/**
 * The zip of a release on the hosts that docs/hosting.md describes: unpacked under a sub-path, behind nginx with the
 * lines of
 * that page if nginx is installed and behind a server that does what they say, and behind one that answers as a bucket
 * does.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, headline, nightly, ready, test } from './lab.mjs';

const root = new URL('../../', import.meta.url).pathname;
const recipe = /^```nginx\n([\s\S]*?)^```$/m.exec(readFileSync(join(root, 'web/docs/hosting.md'), 'utf8'))?.[1] ?? '';

test.describe.configure({ mode: 'default' }); // one zip for all

/** @type {string} */
let home;
test.beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'leaselab-hosting-'));
  chmodSync(home, 0o755); // nginx reads it as another user
  const OUT = join(home, 'release');
  execFileSync('bash', [join(root, '.ci/release'), 'site'], { env: { ...process.env, OUT, VERSION: 'test' } });
  mkdirSync(join(home, 'leaselab'));
  execFileSync('unzip', ['-q', join(OUT, 'leaselab-test-site.zip'), '-d', join(home, 'leaselab')]);
});
test.afterAll(() => rmSync(home, { recursive: true }));

/** @param {import('node:http').RequestListener} answer */
async function listenOn(answer) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { address: `http://127.0.0.1:${port}/leaselab/`, close: () => server.closeAllConnections() ?? server.close() };
}

const isFile = (/** @type {string} */ path) => existsSync(path) && statSync(path).isFile();
const pathOf = (/** @type {import('node:http').IncomingMessage} */ { url }) =>
  decodeURIComponent(new URL(url ?? '/', 'http://localhost').pathname);

/**
 * The recipe without nginx: its types, compression, index, headers, and its page for a file that is not
 * there.
 */
function asNginx() {
  const types = Object.fromEntries(
    [...(/types \{([\s\S]*?)\}/.exec(recipe)?.[1].matchAll(/(\S+\/\S+) (\w+);/g) ?? [])].map(([, type, ext]) => [
      ext,
      type,
    ]),
  );
  const packed = /gzip_types (.*);/.exec(recipe)?.[1].split(' ') ?? [];
  const headers = Object.fromEntries(
    [...recipe.matchAll(/add_header (\S+) (?:"(.*)"|(.*));/g)].map(([, name, quoted, bare]) => [name, quoted ?? bare]),
  );
  return listenOn((request, response) => {
    const path = pathOf(request);
    const wanted = join(home, path.endsWith('/') ? `${path}index.html` : path);
    const found = isFile(wanted);
    const file = found ? wanted : join(home, 'leaselab/404.html');
    const type = types[extname(file).slice(1)] ?? 'application/octet-stream';
    const body = readFileSync(file);
    const gzip = type === 'text/html' || packed.includes(type);
    response.writeHead(found ? 200 : 404, {
      ...(found ? headers : {}),
      'content-type': type.startsWith('text/') ? `${type}; charset=utf-8` : type,
      ...(gzip ? { 'content-encoding': 'gzip' } : {}),
    });
    response.end(gzip ? gzipSync(body) : body);
  });
}

async function nginx() {
  const port = 18_000 + (process.pid % 1000);
  const config = `daemon off; pid ${home}/pid; error_log stderr; events {}
http { access_log off; client_body_temp_path ${home}/body; proxy_temp_path ${home}/proxy; fastcgi_temp_path ${home}/f;
uwsgi_temp_path ${home}/u; scgi_temp_path ${home}/s;
server { listen 127.0.0.1:${port}; ${recipe.replace('/srv/www', home)} } }`;
  writeFileSync(join(home, 'nginx.conf'), config);
  const server = spawn('nginx', ['-c', join(home, 'nginx.conf')], { stdio: 'inherit' });
  const address = `http://127.0.0.1:${port}/leaselab/`;
  await expect.poll(async () => (await fetch(address).catch(() => undefined))?.status).toBe(200);
  return { address, close: () => server.kill() };
}

/** A key is a file or an error; the type is guessed from the name as uploaders do; nothing is compressed. */
const asBucket = () => {
  const types = /** @type {Record<string, string>} */ ({
    '.html': 'text/html',
    '.js': 'text/javascript',
    '.css': 'text/css',
    '.json': 'application/json',
    '.svg': 'image/svg+xml',
    '.png': 'image/png',
  });
  return listenOn((request, response) => {
    const file = join(home, pathOf(request));
    if (!isFile(file) || pathOf(request).endsWith('/')) {
      response.writeHead(404, { 'content-type': 'application/xml' }).end('<Error><Code>NoSuchKey</Code></Error>');
      return;
    }
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'binary/octet-stream' }).end(readFileSync(file));
  });
};

const hasNginx = (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, 'nginx')));
if (!hasNginx) console.log('not run: nginx with the recipe of docs/hosting.md: nginx is not installed');

/** @type {[string, () => Promise<{address: string, close: () => void}>, string][]} */
const HOSTS = [
  ['a server that does what the nginx recipe says', asNginx, ''],
  ['a bucket', asBucket, 'index.html'],
];
if (hasNginx) HOSTS.unshift(['nginx', nginx, '']);
for (const [name, host, index] of HOSTS)
  test(`the zip of a release works on ${name}`, nightly(), async ({ browser }) => {
    const { address, close } = await host();
    const context = await browser.newContext({ serviceWorkers: 'allow' });
    const page = await context.newPage();
    /** @type {string[]} */
    const wrong = [];
    page.on('console', (said) => said.type() === 'error' && wrong.push(said.text()));
    page.on('response', (answer) => answer.status() >= 400 && wrong.push(`${answer.status()} ${answer.url()}`));
    try {
      await page.goto(`${address}${index}#a-leader-dies&t=40s`);
      await ready(page);
      await expect(headline(page)).toContainText('Nobody led for 14.039 s.');
      await page.goto(`${address}docs/${index}`);
      await page.getByRole('link', { name: 'When do I need a fence' }).click();
      await page.getByRole('link', { name: 'a paused leader' }).first().click();
      await ready(page);
      await expect(page.locator('#scenario')).toHaveAttribute('data-scenario', 'paused-leader');
      await page.evaluate(() => navigator.serviceWorker.ready);
      await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
      expect(wrong).toEqual([]);
      await context.setOffline(true);
      await page.goto(`${address}${index}#crash&t=30s`);
      await page.reload();
      await ready(page);
      await page.goto(`${address}docs/checkers.html`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Checkers');
      await page.keyboard.press('/');
      await page.keyboard.type('fencing token');
      await expect(page.locator('#results').getByRole('link').first()).toBeVisible();
    } finally {
      await context.close();
      close();
    }
  });

test('the zip has the whole site and nothing else', nightly(), () => {
  const all = (/** @type {string} */ folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length))
      .sort();
  expect(all(join(home, 'leaselab'))).toEqual(all(join(root, 'web/dist')));
});
