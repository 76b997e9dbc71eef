/**
 * The copies of the site, one for each version. Names carry a hash, so a file of the same name is the same file in all of
 * them. Another site on the same origin has copies of its own, under its own path.
 */

/** What the copies were called when all sites of an origin shared the name. */
const SHARED = 'leaselab-';
const PAGE = './';
/** A folder of `leaselab serve` is a page for a browser, and a list of paths or nothing for all who do not ask for a page. */
const AS_A_BROWSER = { headers: { accept: 'text/html' } };

export class Copies {
  /**
   * @param {CacheStorage} caches
   * @param {{site: URL, version: string, fetch: (request: Request) => Promise<Response>}} of
   */
  constructor(caches, { site, version, fetch }) {
    this.caches = caches;
    this.site = site;
    this.fetch = fetch;
    this.ours = `leaselab ${site.pathname} `;
    this.name = this.ours + version;
    /** Where page/worker.js keeps the engine unpacked: one for all versions, for the file's name has its hash. */
    this.unpacked = `${this.ours}unpacked`;
  }

  /** @param {string[]} paths */
  async keep(paths) {
    const cache = await this.caches.open(this.name);
    await cache.addAll(
      paths.map((path) => new Request(new URL(path, this.site), path.endsWith('/') ? AS_A_BROWSER : {})),
    );
  }

  /** Takes the copies of older versions away, and their engine unpacked. @param {string[]} paths of this version */
  async dropOlder(paths) {
    for (const name of await this.caches.keys()) {
      const older = name.startsWith(this.ours) && name !== this.name && name !== this.unpacked;
      if (older || (name.startsWith(SHARED) && (await this.#isOurs(name)))) await this.caches.delete(name);
    }
    const kept = new Set(paths.map((path) => new URL(path, this.site).href));
    const engines = await this.caches.open(this.unpacked);
    for (const request of await engines.keys()) if (!kept.has(request.url)) await engines.delete(request);
  }

  /** Whether a copy of the shared name is of this very site. @param {string} name */
  async #isOurs(name) {
    const copy = await this.caches.open(name);
    return (await copy.match(this.site, { ignoreVary: true })) !== undefined;
  }

  /** The page, or another page of the site: from the network where there is one. @param {Request} request */
  async page(request) {
    try {
      return await this.fetch(request);
    } catch {
      const kept = (/** @type {Request | URL} */ at) =>
        this.caches.match(at, { cacheName: this.name, ignoreVary: true, ignoreSearch: true });
      return (await kept(request)) ?? (await kept(new URL(PAGE, this.site))) ?? Response.error();
    }
  }

  /** Anything else of the site: from the copy. @param {Request} request */
  async part(request) {
    const kept = await this.caches.match(request, { cacheName: this.name });
    if (kept) return kept;
    try {
      const answer = await this.fetch(request);
      if (answer.ok) return answer;
      return (await this.#elsewhere(request)) ?? answer;
    } catch (error) {
      const other = await this.#elsewhere(request);
      if (other) return other;
      throw error;
    }
  }

  /** From the copy of another version. @param {Request} request */
  async #elsewhere(request) {
    for (const name of await this.caches.keys()) {
      const found =
        name.startsWith(this.ours) && name !== this.unpacked && (await this.caches.match(request, { cacheName: name }));
      if (found) return found;
    }
    return undefined;
  }
}
