/** Where the service worker sends a request. */

/** The first parts of the paths that a Kubernetes API server answers. */
const API = new Set(['api', 'apis', 'openapi', 'version', 'healthz', 'livez', 'readyz']);

/** @typedef {"refuse" | "api" | "page" | "part" | "network"} Route */

/**
 * Path and query for the API server, under the site's path or at the root; "" for any other request.
 * @param {URL} url
 * @param {string} scope the path of the site
 */
export function targetOf({ pathname, search }, scope) {
  const inside = pathname.startsWith(scope) ? pathname.slice(scope.length) : pathname.slice(1);
  return API.has(inside.split('/', 1)[0]) ? `/${inside}${search}` : '';
}

/**
 * Lets no request leave the origin. It also stops forms on other sites: the form's request would be a navigation, and
 * the relay would pass it to the most recently used page.
 * @param {{url: string, method: string, mode: string}} request @param {URL} site @returns {Route}
 */
export function routeOf({ url, method, mode }, site) {
  const to = new URL(url);
  if (to.origin !== site.origin || (mode === 'navigate' && method !== 'GET')) return 'refuse';
  if (targetOf(to, site.pathname)) return 'api';
  if (method !== 'GET') return 'network';
  return mode === 'navigate' ? 'page' : 'part';
}
