/**
 * Everything for search engines, link previews and browsers: the heads of the pages, the site map and the manifest.
 */

/** The pictures that `make picture` takes: their files and sizes. */
export const CARD = { file: 'card.png', width: 1200, height: 630 };
export const ICONS = [
  { file: 'icon-192.png', width: 192, height: 192 },
  { file: 'icon-512.png', width: 512, height: 512 },
];

/**
 * The site's address, for links that must be absolute. Without it the site has no canonical link, card or site
 * map.
 * @param {string | undefined} given @returns {string} with a slash at its end; "" without an address
 */
export function siteAddress(given) {
  if (!given) return '';
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash)
    throw new Error(`SITE_URL is ${given}: write the address of the site, such as https://example.com/leaselab/`);
  return url.href.endsWith('/') ? url.href : `${url.href}/`;
}

/** @param {string} text */
export const toHtml = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/**
 * The elements of a head that describe a page to other programs.
 * @param {{url: string, path: string, title: string, description: string, type: 'website' | 'article'}} page
 *   url: siteAddress; path: of the page below it
 */
export function metaTags({ url, path, title, description, type }) {
  const property = (/** @type {string} */ name, /** @type {string | number} */ value) =>
    `<meta property="og:${name}" content="${toHtml(String(value))}">`;
  const always = [
    `<meta name="description" content="${toHtml(description)}">`,
    property('site_name', 'leaselab'),
    property('type', type),
    property('title', title),
    property('description', description),
  ];
  if (!url) return always.join('\n');
  return [
    ...always,
    property('url', url + path),
    property('image', url + CARD.file),
    property('image:width', CARD.width),
    property('image:height', CARD.height),
    property('image:alt', 'A timeline of leaselab: a dies, nobody leads for 14 seconds, b takes over'),
    '<meta name="twitter:card" content="summary_large_image">',
    `<link rel="canonical" href="${toHtml(url + path)}">`,
  ].join('\n');
}

/** @param {string} url siteAddress @param {string[]} paths */
export const siteMap = (url, paths) => `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${paths.map((path) => `<url><loc>${toHtml(url + path)}</loc></url>`).join('\n')}
</urlset>
`;

/** @param {string} url siteAddress */
export const robots = (url) => `User-agent: *\nAllow: /\nSitemap: ${url}sitemap.xml\n`;
