/**
 * Rooms: parts of the page that load when the visitor opens them. A room is rooms/NAME/index.js and exports one
 * `open(...)`, which takes the parts of the page that the room uses. A new room needs its folder, a line here, and the
 * command that opens it.
 *
 * Rooms import parts of the page. So only app.js imports this file, and it passes `rooms` to the code that opens one.
 */
import { loadOnce } from '../lib/later.js';

const IMPORTS = {
  api: () => import('../rooms/api/index.js'),
  author: () => import('../rooms/author/index.js'),
  branches: () => import('../rooms/branches/index.js'),
  breakpoints: () => import('../rooms/breakpoints/index.js'),
  chooser: () => import('../rooms/chooser/index.js'),
  compare: () => import('../rooms/compare/index.js'),
  desk: () => import('../rooms/desk/index.js'),
  embed: () => import('../rooms/embed/index.js'),
  engine: () => import('../rooms/engine/index.js'),
  evidence: () => import('../rooms/evidence/index.js'),
  export: () => import('../rooms/export/index.js'),
  faults: () => import('../rooms/faults/index.js'),
  follow: () => import('../rooms/follow/index.js'),
  lesson: () => import('../rooms/lesson/index.js'),
  live: () => import('../rooms/live/index.js'),
  messages: () => import('../rooms/messages/index.js'),
  museum: () => import('../rooms/museum/index.js'),
  numbers: () => import('../rooms/numbers/index.js'),
  predict: () => import('../rooms/predict/index.js'),
  presenter: () => import('../rooms/presenter/index.js'),
  qrcode: () => import('../rooms/qrcode/index.js'),
  search: () => import('../rooms/search/index.js'),
  snippet: () => import('../rooms/snippet/index.js'),
  why: () => import('../rooms/why/index.js'),
};

/** @template {keyof typeof IMPORTS} Name @typedef {Awaited<ReturnType<(typeof IMPORTS)[Name]>>} Room */
/** @typedef {typeof rooms} Rooms */

export const rooms = {
  /**
   * Loads and opens a room once, on first use. After a failure the reader sees a message and the next call tries
   * again.
   * @template {keyof typeof IMPORTS} Name
   * @template Opened
   * @param {Name} name
   * @param {(room: Room<Name>) => Opened | Promise<Opened>} open passes the room the parts of the page that it uses
   * @returns {() => Promise<Opened | undefined>} undefined after a failure
   */
  openOnce: (name, open) => loadOnce(async () => open(/** @type {Room<Name>} */ (await IMPORTS[name]()))),
};
