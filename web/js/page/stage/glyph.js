/** Roles as shapes, distinct without color. */
import { svg } from 'lit-html';
import { ROLES } from './words.js';

/** Drawn around (0, 0) for a ring of radius 10. @typedef {ReturnType<typeof svg>} Shape */

/** @type {Record<string, Shape>} */
const SHAPES = {
  leading: svg`<rect x="-5" y="-5" width="10" height="10" rx="1" class="glyph-fill" />`,
  following: svg``,
  // An open square: the node still works, but no longer holds the Lease.
  lost: svg`<rect x="-5" y="-5" width="10" height="10" class="glyph-line" stroke-dasharray="6 2.6 4 2.6" />`,
  paused: svg`<rect x="-4.2" y="-5" width="3" height="10" class="glyph-fill" /><rect x="1.2" y="-5" width="3"
    height="10" class="glyph-fill" />`,
  down: svg`<path d="M-3.6 -3.6L3.6 3.6M3.6 -3.6L-3.6 3.6" class="glyph-cross" />`,
  stopped: svg`<path d="M-4 0H4" class="glyph-line" />`,
  waiting: svg`<circle r="5.2" class="glyph-line" stroke-dasharray="1.4 1.9" />`,
};

/** @param {string} role @param {string} [transform] */
export const glyph = (role, transform = '') =>
  svg`<g class="stage-glyph" data-role=${role} transform=${transform}>${SHAPES[role] ?? SHAPES.waiting}</g>`;

/** Roles whose shape has room for the letter inside; the others carry it at their shoulder. */
const LETTER_INSIDE = new Set(['leading', 'following', 'lost', 'waiting']);

/** @param {string} role */
export const hasLetterInside = (role) => LETTER_INSIDE.has(role);

/**
 * Adds a role that only some runs have: its shape, and whether the letter fits inside. It sorts after the other roles.
 * @param {string} role @param {Shape} shape @param {boolean} letterInside
 */
export function registerRole(role, shape, letterInside) {
  SHAPES[role] = shape;
  if (letterInside) LETTER_INSIDE.add(role);
  if (!ROLES.includes(role)) ROLES.push(role);
}
