/**
 * Serves the built site as a plain static host would: under a sub-path, compressed, with no headers of its own.
 * node e2e/serve.mjs [port] [directory] [path]
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const port = Number(process.argv[2] ?? 8123);
const root = process.argv[3] ?? process.env.E2E_DIST ?? fileURLToPath(new URL('../dist', import.meta.url));
const BASE = process.argv[4] ?? '/leaselab/';
const TYPES = /** @type {Record<string, string>} */ ({
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
});

/** Files as they are sent, by path and time: hundreds of pages ask for the same ones. @type {Map<string, Buffer>} */
const sent = new Map();

/** @param {string} file */
function packed(file) {
  const key = `${file} ${statSync(file).mtimeMs}`;
  const have = sent.get(key) ?? gzipSync(readFileSync(file), { level: 6 });
  sent.set(key, have);
  return have;
}

const server = createServer((request, response) => {
  const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname);
  const inside = path.startsWith(BASE) ? path.slice(BASE.length) || 'index.html' : '404.html';
  const file = join(root, normalize(inside));
  const found = file.startsWith(root) && existsSync(file) && statSync(file).isFile();
  const served = found ? file : join(root, '404.html');
  const headers = {
    'content-type': TYPES[extname(served)] ?? 'application/octet-stream',
    'content-encoding': 'gzip',
    'cache-control': 'max-age=600',
  };
  response.writeHead(found && inside !== '404.html' ? 200 : 404, headers);
  response.end(packed(served));
}).listen(port, '127.0.0.1', () => {
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  console.log(`http://127.0.0.1:${address.port}${BASE}`);
});
