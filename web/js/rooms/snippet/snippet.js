/** The text of the iframe that shows leaselab in a page of another site. */
import { engineText } from '../../lib/format.js';
import { isText } from '../../lib/shape.js';
import { originOf } from '../embed/host.js';

/** @import { Linked } from '../../lib/share.js' */

/**
 * The visitor's choices. link: the part after "#"; host: the origin that may send messages.
 * @typedef {{link: string, title: string, act: string, host: string, width: number, height: number}}
 *   Choice
 */

/** A readable link for an unchanged shipped run; else undefined. @param {Linked} share */
export function readable({ scenario, patch, actions, cursor, live, seed }) {
  const plain = isText(scenario) && patch.length === 0 && actions.length === 0;
  if (!plain || cursor.n >= 0 || live.n >= 0) return undefined;
  const fields = [
    ['t', cursor.t > 0 ? engineText(cursor.t) : ''],
    ['e', live.t > cursor.t ? engineText(live.t) : ''],
    ['seed', seed ?? ''],
  ];
  return scenario + fields.map(([name, value]) => (value === '' ? '' : `&${name}=${value}`)).join('');
}

/** @param {string} text */
const escapeHtml = (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** The address of the embed. @param {string} page the address of the page @param {Choice} chosen */
export function addressOf(page, { link, act, host }) {
  const address = new URL(page);
  const fields = [
    ['host', host],
    ['act', act === 'crash' ? '' : act],
  ];
  address.search = `?embed${fields.map(([name, value]) => (value ? `&${name}=${value}` : '')).join('')}`;
  address.hash = link;
  return address.href;
}

/** @param {string} page the address of the page @param {Choice} chosen */
export function snippetOf(page, chosen) {
  const { title, width, height } = chosen;
  return [
    '<iframe',
    `  src="${escapeHtml(addressOf(page, chosen))}"`,
    `  title="leaselab: ${escapeHtml(title)}"`,
    `  width="${width}" height="${height}" loading="lazy"></iframe>`,
  ].join('\n');
}

/**
 * A picture that links to the run, for a site that shows no frames. @param {string} page the address of the page
 * @param {string} still the name of the still @param {Choice} chosen
 */
export function pictureOf(page, still, { link, title }) {
  const address = new URL(`#${link}`, page).href;
  const picture = new URL(`stills/${still}.svg`, page).href;
  return `<a href="${escapeHtml(address)}"><img src="${escapeHtml(picture)}" alt="leaselab: ${escapeHtml(title)}"></a>`;
}

/** The mistake in an origin, or "". @param {string} host */
export function originMistake(host) {
  if (host === '' || originOf(host)) return '';
  return `“${host}” is not an origin. Write scheme, host and port only, such as https://docs.example.com.`;
}
