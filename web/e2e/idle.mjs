/**
 * Does a watch survive 75 s without events? An attached debugger would keep the service worker alive and hide the
 * answer, so Chromium runs without one, and the page itself reports to this program.
 *
 *     CHROMIUM=… node e2e/idle.mjs [directory of the site]
 */
import { spawn } from 'node:child_process';
import { createReadStream, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = process.argv[2] ?? fileURLToPath(new URL('../dist', import.meta.url));
const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';
const BASE = '/repo-name/';
const IDLE_MS = 75_000;
const TYPES = /** @type {Record<string, string>} */ ({
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
});

/** Runs in the page, after the page's own script. @param {number} idleMs */
async function probe(idleMs) {
  const LEASES = 'apis/coordination.k8s.io/v1/namespaces/default/leases';
  const sleep = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const waitUntil = async (/** @type {() => unknown} */ holds) => {
    for (let i = 0; i < 600; i++) {
      if (holds()) return;
      await sleep(50);
    }
    throw new Error(`this never happened: ${holds}`);
  };
  /** @param {object} result */
  const report = (result) => fetch('report', { method: 'POST', body: JSON.stringify(result) });
  try {
    await waitUntil(() => document.documentElement.dataset.state === 'ready');
    await waitUntil(() => navigator.serviceWorker.controller);
    const answer = await fetch(`${LEASES}?watch=true`);
    /** @type {any[]} */
    const states = [];
    let ended = false;
    const read = async () => {
      const reader = /** @type {any} */ (answer.body)
        .pipeThrough(new TextDecoderStream())
        .getReader();
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        for (const line of value.split('\n').filter(Boolean)) states.push(JSON.parse(line));
      }
      ended = true;
    };
    read().catch(() => {
      ended = true;
    });
    await waitUntil(() => states.length > 0);
    await sleep(idleMs);
    const cut = ended;
    const before = states.length;
    const askedAt = performance.now();
    const type = 'application/merge-patch+json';
    const body = JSON.stringify({ metadata: { labels: { still: 'here' } } });
    const patched = await fetch(`${LEASES}/demo`, { method: 'PATCH', headers: { 'content-type': type }, body });
    const patchMs = Math.round(performance.now() - askedAt);
    if (!cut) await waitUntil(() => states.length > before || ended);
    const labels = states.at(-1)?.object?.metadata?.labels;
    await report({ cut, patch: patched.status, patchMs, frames: states.length, type: states.at(-1)?.type, labels });
  } catch (error) {
    await report({ error: String(error) });
  }
}

/** @type {(result: any) => void} */
let done = () => {};
const reported = new Promise((resolve) => {
  done = resolve;
});

const server = createServer((request, response) => {
  const path = new URL(request.url ?? '/', 'http://localhost').pathname;
  const inside = path.startsWith(BASE) ? path.slice(BASE.length) || 'index.html' : '';
  if (inside === 'report') {
    let text = '';
    request.on('data', (some) => {
      text += some;
    });
    request.on('end', () => {
      response.end();
      done(JSON.parse(text));
    });
    return;
  }
  if (inside === 'probe.js') {
    response.writeHead(200, { 'content-type': TYPES['.js'] });
    response.end(`(${probe})(${IDLE_MS});`);
    return;
  }
  const file = join(root, normalize(inside));
  const found = inside !== '' && file.startsWith(root) && existsSync(file) && statSync(file).isFile();
  response.writeHead(found ? 200 : 404, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
  if (!found) response.end();
  else if (inside === 'index.html')
    response.end(
      readFileSync(file, 'utf8').replace('</body>', '<script type="module" src="./probe.js"></script></body>'),
    );
  else createReadStream(file).pipe(response);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());

const profile = mkdtempSync(join(tmpdir(), 'leaselab-idle-'));
const browser = spawn(
  chromium,
  [
    '--headless=new',
    '--no-sandbox',
    '--disable-gpu',
    '--no-first-run',
    '--disable-background-networking',
    `--user-data-dir=${profile}`,
    // The run is paused, so nothing gets written or streamed.
    `http://127.0.0.1:${port}${BASE}#a-leader-dies&t=40s`,
  ],
  { stdio: 'ignore' },
);
const late = setTimeout(() => done({ error: 'the page did not report' }), IDLE_MS + 60_000);
const result = await reported;
clearTimeout(late);
browser.kill();
await new Promise((resolve) => browser.once('exit', resolve));
server.close();
server.closeAllConnections();
rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });

console.log(JSON.stringify(result));
const fine =
  result.cut === false && result.patch === 200 && result.type === 'MODIFIED' && result.labels?.still === 'here';
console.log(fine ? `A watch that was idle for ${IDLE_MS / 1000} s goes on.` : 'The watch did not survive.');
process.exitCode = fine ? 0 : 1;
