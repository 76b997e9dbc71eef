/**
 * A static host inside a test, whose content changes: what stands under a path is swapped as a deployment swaps it, old
 * files and all.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';

const TYPES = /** @type {Record<string, string>} */ ({
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
});

/** @param {Record<string, string>} [headers] sent with every file
 *  @returns {Promise<{show: (path: string, directory: string) => void, at: (path: string) => string, close: () => void}>} */
export function openHost(headers = {}) {
  /** @type {Map<string, string>} */
  const shown = new Map();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const path = [...shown.keys()].find((one) => pathname.startsWith(one)) ?? '';
    const inside = normalize(pathname.slice(path.length) || 'index.html');
    try {
      if (!path) {
        response
          .writeHead(200, { 'content-type': TYPES['.html'] })
          .end('<!doctype html><title>elsewhere</title><link rel="icon" href="data:,">');
        return;
      }
      if (inside.startsWith('..')) throw new Error('outside');
      const body = readFileSync(join(shown.get(path) ?? '', inside));
      const type = TYPES[extname(inside)] ?? 'application/octet-stream';
      response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store', ...headers }).end(body);
    } catch {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('nothing is here\n');
    }
  });
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
      resolve({
        show: (path, directory) => shown.set(path, directory),
        at: (path) => `http://127.0.0.1:${port}${path}`,
        close: () => server.closeAllConnections() ?? server.close(),
      });
    }),
  );
}

/** So many versions of the site, of which no file with a hash in its name is in two. @param {number} count */
export function makeVersions(count) {
  const home = mkdtempSync(join(tmpdir(), 'leaselab-versions-'));
  const versions = Array.from({ length: count }, (_, i) => {
    const directory = join(home, `${i + 1}`);
    cpSync(process.env.E2E_DIST ?? 'dist', directory, { recursive: true });
    const names = new Map();
    for (const name of readdirSync(directory)) {
      const hashed = /^(.*)-([0-9A-Za-z]{8})(\.(?:js|css|json|wasm\.zst))$/.exec(name);
      if (hashed) names.set(name, `${hashed[1]}-${hashed[2].slice(0, 7)}${'xyzuvw'[i]}${hashed[3]}`);
    }
    for (const name of readdirSync(directory)) {
      const path = join(directory, name);
      if (/\.(js|css|html)$/.test(name)) {
        let text = readFileSync(path, 'utf8');
        for (const [old, other] of names) text = text.replaceAll(old, other);
        if (name === 'sw.js') text = text.replace(/"([0-9a-f]{7})[0-9a-f]"/, `"$1${'xyzuvw'[i]}"`);
        writeFileSync(path, text);
      }
      if (names.has(name)) renameSync(path, join(directory, names.get(name)));
    }
    return directory;
  });
  return { versions, remove: () => rmSync(home, { recursive: true }) };
}
