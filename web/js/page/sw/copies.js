/**
 * The cached copies of the site, one for each version. File names carry a hash, so files with the same name are
 * identical in all versions. Another site on the same origin has separate copies under its own path.
 */

const PAGE = './';
/**
 * For a folder's address, `leaselab serve` sends the page only to a browser. Other clients get a list of paths, or
 * nothing.
 */
const AS_A_BROWSER = { headers: { accept: 'text/html' } };

export class Copies {
  /**
   * @param {CacheStorage} caches
   * @param {{site: URL, version: string, onUse?: string[], fetch: (request: Request) => Promise<Response>}} of onUse:
   *   the files to keep once a page has asked for them
   */
  constructor(caches, { site, version, onUse = [], fetch }) {
    this.caches = caches;
    this.site = site;
    this.fetch = fetch;
    this.onUse = new Set(onUse.map((path) => new URL(path, site).href));
    this.ours = `leaselab ${site.pathname} `;
    this.name = this.ours + version;
    /**
     * The cache in which page/worker.js keeps the unpacked engine: one for all versions, because file names carry a
     * hash.
     */
    this.unpacked = `${this.ours}unpacked`;
  }

  /** @param {string[]} paths */
  async keep(paths) {
    const cache = await this.caches.open(this.name);
    const request = (/** @type {string} */ path) => new Request(new URL(path, this.site));
    await cache.addAll(paths.filter((path) => path !== PAGE).map(request));
    if (paths.includes(PAGE)) await cache.put(request(PAGE), await this.#index());
  }

  /**
   * Keeps a file that a page has used. Copies that a newer version has deleted stay deleted.
   * @param {Request} request
   * @param {Response} answer
   */
  async #keepUsed(request, answer) {
    if (!(await this.caches.keys()).includes(this.name)) return;
    const cache = await this.caches.open(this.name);
    await cache.put(request, answer);
  }

  /** Fetches the page by its folder, or by its name from a bucket, which answers a folder with an error or a list. */
  async #index() {
    for (const path of [PAGE, 'index.html']) {
      const answer = await this.fetch(new Request(new URL(path, this.site), AS_A_BROWSER));
      if (answer.ok && answer.headers.get('content-type')?.startsWith('text/html')) return answer;
    }
    throw new Error(`${this.site} has no page`);
  }

  /** Deletes the copies of older versions and their unpacked engines. @param {string[]} paths of this version */
  async dropOlder(paths) {
    for (const name of await this.caches.keys()) {
      const older = name.startsWith(this.ours) && name !== this.name && name !== this.unpacked;
      if (older) await this.caches.delete(name);
    }
    const current = new Set(paths.map((path) => new URL(path, this.site).href));
    const engines = await this.caches.open(this.unpacked);
    for (const request of await engines.keys()) if (!current.has(request.url)) await engines.delete(request);
  }

  /** Answers with a page of the site: from the network if possible, else from the copy. @param {Request} request */
  async page(request) {
    try {
      return await this.fetch(request);
    } catch {
      const findCopy = (/** @type {Request | URL} */ at) =>
        this.caches.match(at, { cacheName: this.name, ignoreVary: true, ignoreSearch: true });
      for (const at of [request, new URL('index.html', request.url), new URL(PAGE, this.site)]) {
        const copy = await findCopy(at);
        if (copy) return copy;
      }
      return Response.error();
    }
  }

  /**
   * Answers with another file of the site, from the copy. A page that has found its copy broken asks for a new one.
   * @param {Request} request
   */
  async part(request) {
    const isBroken = request.cache === 'reload';
    const copy = !isBroken && (await this.caches.match(request, { cacheName: this.name }));
    if (copy) return copy;
    try {
      const answer = await this.fetch(request);
      if (answer.ok) {
        const isWanted = isBroken || this.onUse.has(request.url);
        if (isWanted) this.#keepUsed(request, answer.clone()).catch(() => {}); // storage may be full
        return answer;
      }
      return (await this.#findElsewhere(request)) ?? answer;
    } catch (error) {
      const other = await this.#findElsewhere(request);
      if (other) return other;
      throw error;
    }
  }

  /** Answers from the copy of another version. @param {Request} request */
  async #findElsewhere(request) {
    for (const name of await this.caches.keys()) {
      const found =
        name.startsWith(this.ours) && name !== this.unpacked && (await this.caches.match(request, { cacheName: name }));
      if (found) return found;
    }
    return undefined;
  }
}
