/** The icons of the page: 16 px, strokes of 1.5 px. One set of paths for the document and for the canvas. */
import { html, svg } from 'lit-html';
import paths from './icons.json' with { type: 'json' };

export const ICONS = paths;

/** @typedef {keyof typeof ICONS} Icon */

/** An icon for the document, drawn in the color of its text. @param {Icon} name */
export const icon = (name) =>
  html`<svg class="icon" data-icon=${name} viewBox="0 0 16 16" aria-hidden="true">${svg`<path
    d=${ICONS[name]} />`}</svg>`;
