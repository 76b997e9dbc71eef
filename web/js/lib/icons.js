/** The icons of the page: 16 px, strokes of 1.5 px. One set of paths for the document and for the canvas. */
import { html, svg } from 'lit-html';

/** A circle as a path. @param {number} x @param {number} y @param {number} r */
const circle = (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
/** A dot: a stroke without length has round ends. @param {number} x @param {number} y */
const dot = (x, y) => `M${x} ${y}h.01`;

export const ICONS = {
  add: 'M8 3v10M3 8h10',
  back: 'M10 3.5L5.5 8l4.5 4.5',
  check: 'M3 8.5l3.25 3.25L13 5',
  chevron: 'M4 6l4 4 4-4',
  clock: `${circle(8, 8, 5.75)}M8 4.75V8l2.25 1.5`,
  close: 'M4 4l8 8M12 4l-8 8',
  copy: 'M5.5 5.5h8v8h-8zM10.5 2.5h-8v8',
  crash: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  cut: 'M1.5 8h4M10.5 8h4M9.5 3.5l-3 9',
  down: 'M8 2.5v8M4.75 7.5L8 10.75l3.25-3.25M3 13.5h10',
  errors: 'M8 2.25L14.25 13H1.75zM8 6.5v3M8 11.25h.01',
  fence: 'M3 14V4.5L4.5 3 6 4.5V14M10 14V4.5L11.5 3 13 4.5V14M1.5 6.5h13M1.5 11h13',
  file: 'M4 1.75h5l3 3v9.5H4zM9 1.75v3h3',
  find: `${circle(7, 7, 4.25)}M10.25 10.25L13.5 13.5`,
  first: 'M11.5 3.5L7 8l4.5 4.5M4 3.5v9',
  forth: 'M6 3.5L10.5 8 6 12.5',
  fix: 'M13.5 4.5a3.25 3.25 0 0 1-4.25 4L4.5 13.25 2.75 11.5 7.5 6.75a3.25 3.25 0 0 1 4-4.25l-2 2 2 2z',
  hold: 'M4.5 2h7M4.5 14h7M5.5 2c0 4 5 4 5 6s-5 2-5 6M10.5 2c0 4-5 4-5 6s5 2 5 6',
  last: 'M4.5 3.5L9 8l-4.5 4.5M12 3.5v9',
  learn: 'M8 3.5c-1.5-1-3.5-1.25-6-1v9.75c2.5-.25 4.5 0 6 1 1.5-1 3.5-1.25 6-1V2.5c-2.5-.25-4.5 0-6 1zv9.75',
  lock: 'M3.5 7h9v6.5h-9zM5.5 7V5a2.5 2.5 0 0 1 5 0v2',
  more: `${dot(3.5, 8)}${dot(8, 8)}${dot(12.5, 8)}`,
  open: 'M9.5 2.5h4v4M13.5 2.5l-6 6M11 9.5v4H2.5V5H7',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  play: 'M5 3v10l8-5z',
  present: 'M2 3h12v8H2zM8 11v2.5M5.5 13.5h5',
  redo: 'M10.5 3l3 3-3 3M13.5 6h-7a3.5 3.5 0 0 0 0 7H10',
  remove: 'M3 8h10',
  restart: 'M13 8a5 5 0 1 1-1.5-3.6M13 2.5V5h-2.5',
  server: `M2.5 2.5h11V7h-11zM2.5 9h11v4.5h-11z${dot(5, 4.75)}${dot(5, 11.25)}`,
  share: 'M8 10V2.5M5 5l3-3 3 3M3 9v4.5h10V9',
  signal: 'M2.5 8a5.5 5.5 0 0 1 11 0M5 8a3 3 0 0 1 6 0M8 8.5v5',
  slow: 'M2 12a6 6 0 1 1 12 0M8 12l3-3.5',
  stop: 'M4 3.5h8a.5.5 0 0 1 .5.5v8a.5.5 0 0 1-.5.5H4a.5.5 0 0 1-.5-.5V4a.5.5 0 0 1 .5-.5',
  teach: 'M1.5 6L8 3l6.5 3L8 9zM4.5 7.5v3.25c2 1.75 5 1.75 7 0V7.5',
  two: `${circle(5.75, 8, 3.75)}${circle(10.25, 8, 3.75)}`,
  undo: 'M5.5 3l-3 3 3 3M2.5 6h7a3.5 3.5 0 0 1 0 7H6',
  write: 'M2.5 13.5l1-3.5L11 2.5 13.5 5 6 12.5z',
};

/** @typedef {keyof typeof ICONS} Icon */

/** An icon for the document, drawn in the color of its text. @param {Icon} name */
export const icon = (name) =>
  html`<svg class="icon" data-icon=${name} viewBox="0 0 16 16" aria-hidden="true">${svg`<path
    d=${ICONS[name]} />`}</svg>`;
