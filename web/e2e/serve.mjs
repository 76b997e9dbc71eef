/**
 * A plain static host: folders under paths, compressed, and files that are not in a folder. By itself it serves the
 * built
 * site: node e2e/serve.mjs [port] [directory] [path]
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

export const DIST = process.env.E2E_DIST ?? fileURLToPath(new URL('../dist', import.meta.url));
export const BASE = '/leaselab/';
const TYPES = /** @type {Record<string, string>} */ ({
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
});

/** Compressed files by path and time, because hundreds of pages request the same ones. @type {Map<string, Buffer>} */
const bodies = new Map();

/** @param {Map<string, Buffer>} sent @param {string} key @param {() => Uint8Array} content */
function packOnce(sent, key, content) {
  const have = sent.get(key) ?? gzipSync(content(), { level: 6 });
  sent.set(key, have);
  return have;
}

/**
 * @typedef {{show: (path: string, directory: string) => void, address: string, at: (path: string) => string, close: ()
 *   => Promise<void>}} Host
 */

/**
 * @param {object} [how]
 * @param {Record<string, string>} [how.folders] by path. They may change: see show
 * @param {Record<string, Uint8Array | string>} [how.files] by path
 * @param {Record<string, string>} [how.headers] sent with every file
 * @param {number} [how.port]
 * @returns {Promise<Host>} address: of the first folder. show: puts another folder under a path, as a deployment does
 */
export async function openHost({ folders = {}, files = {}, headers = {}, port = 0 } = {}) {
  const shown = new Map(Object.entries(folders));
  const own = new Map();
  const server = createServer((request, response) => {
    const pathname = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname);
    const send = (/** @type {number} */ status, /** @type {string} */ name, /** @type {Buffer} */ body) =>
      response
        .writeHead(status, {
          'content-type': TYPES[extname(name) || name] ?? 'application/octet-stream',
          'content-encoding': 'gzip',
          ...headers,
        })
        .end(body);
    if (pathname in files) {
      const name = pathname.endsWith('/') ? '.html' : pathname;
      send(
        200,
        name,
        packOnce(own, pathname, () => Buffer.from(files[pathname])),
      );
      return;
    }
    const path = [...shown.keys()].find((one) => pathname.startsWith(one));
    const folder = shown.get(path ?? [...shown.keys()][0]) ?? '';
    const wanted =
      path === undefined ? '404.html' : normalize(pathname.slice(path.length).replace(/(^|\/)$/, '$1index.html'));
    const isFile = (/** @type {string} */ name) =>
      !name.startsWith('..') && existsSync(join(folder, name)) && statSync(join(folder, name)).isFile();
    const name = isFile(wanted) ? wanted : '404.html';
    const file = join(folder, name);
    const status = name === '404.html' ? 404 : 200;
    if (!isFile(name)) send(404, '.txt', gzipSync('nothing is here\n'));
    else
      send(
        status,
        name,
        packOnce(bodies, `${file} ${statSync(file).mtimeMs}`, () => readFileSync(file)),
      );
  });
  await new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(undefined)));
  const { port: given } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const at = (/** @type {string} */ path) => `http://127.0.0.1:${given}${path}`;
  return {
    address: at(Object.keys(folders)[0] ?? '/'),
    at,
    show: (path, directory) => shown.set(path, directory),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [port = '8123', directory = DIST, path = BASE] = process.argv.slice(2);
  const headers = { 'cache-control': 'max-age=600' };
  console.log((await openHost({ folders: { [path]: directory }, port: Number(port), headers })).address);
}
