/**
 * The copies of the site, one for each version. Names carry a hash, so a file of the same name is the same file in all of
 * them. Another site on the same origin has copies of its own, under its own path.
 */

/** What the copies were called when all sites of an origin shared the name. */
const SHARED = 'leaselab-';
const PAGE = './';
/** The root of `leaselab serve` is the page for a browser, and a list of paths for all who do not ask for a page. */
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
  }

  /** @param {string[]} paths */
  async keep(paths) {
    const cache = await this.caches.open(this.name);
    await cache.addAll(paths.map((path) => new Request(new URL(path, this.site), path === PAGE ? AS_A_BROWSER : {})));
  }

  /** Takes the copies of older versions away. */
  async dropOlder() {
    for (const name of await this.caches.keys()) {
      const older = name.startsWith(this.ours) && name !== this.name;
      if (older || (name.startsWith(SHARED) && (await this.#isOurs(name)))) await this.caches.delete(name);
    }
  }

  /** Whether a copy of the shared name is of this very site. @param {string} name */
  async #isOurs(name) {
    const copy = await this.caches.open(name);
    return (await copy.match(this.site, { ignoreVary: true })) !== undefined;
  }

  /** The page: from the network where there is one. @param {Request} request */
  async page(request) {
    try {
      return await this.fetch(request);
    } catch {
      const copy = await this.caches.match(new URL(PAGE, this.site), { cacheName: this.name, ignoreVary: true });
      return copy ?? Response.error();
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
      const found = name.startsWith(this.ours) && (await this.caches.match(request, { cacheName: name }));
      if (found) return found;
    }
    return undefined;
  }
}
