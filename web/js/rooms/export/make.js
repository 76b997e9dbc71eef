/** Makes an export of a span. Each export is a text; for a PNG, the browser turns that text into pixels. */
import { formatInstant } from '../../lib/format.js';
import { linkUrl } from '../../lib/share.js';
import { FORMATS } from './formats.js';

/** @import { Lab } from '../../page/lab.js' */
/** @import { State, Viewport } from '../../page/state.js' */
/** @import { Ask } from '../../protocol.js' */
/** @import { Format } from './formats.js' */

/** @typedef {'png' | 'svg' | 'mermaid' | 'markdown' | 'go' | Format} Kind */
/** @typedef {{kind: Kind, span: Viewport, theme: 'light' | 'dark'}} ExportOptions */
/** The result of an export. linkless: the run has no link. */
/** @typedef {{wanted: ExportOptions, text: string, problem?: string, linkless?: boolean}} ExportResult */

/** Pixels of a PNG per pixel of the picture. */
const SHARP = 2;

/**
 * The label, the file ending and the type of each kind.
 * @type {Record<Kind, [label: string, ending: string, type: string]>}
 */
export const KINDS = {
  png: ['Picture (PNG)', 'png', 'image/png'],
  svg: ['Picture (SVG)', 'svg', 'image/svg+xml'],
  mermaid: ['Diagram (Mermaid)', 'mmd', 'text/plain'],
  markdown: ['Report (Markdown)', 'md', 'text/markdown'],
  go: ['Go test', 'go', 'text/plain'],
  ...FORMATS,
};

/** @param {Viewport} span */
export const spanText = ({ from, to }) => `${formatInstant(from)} to ${formatInstant(to)}`;

/** @param {Viewport} span @param {number} end @returns {Viewport} */
function clampSpan({ from, to }, end) {
  const clamp = (/** @type {number} */ t) => Math.max(0, Math.min(Math.round(t), end));
  return { from: clamp(from), to: clamp(to) };
}

/**
 * The spans to choose from: the visible part of the timeline, the selection, the run so far.
 * @param {Pick<State, 'view' | 'viewport' | 'selection'>} state
 * @returns {{label: string, span: Viewport}[]}
 */
export function spansOf({ view, viewport, selection }) {
  const { live, end } = view.value;
  const all = [{ label: 'What the timeline shows', span: clampSpan(viewport.value, end) }];
  const { from = 0, to = 0 } = selection.value ?? {};
  if (to > from) all.push({ label: 'What is selected', span: clampSpan({ from, to }, end) });
  all.push({ label: 'The run so far', span: { from: 0, to: live.t } });
  return all.filter(({ span }) => span.from < span.to);
}

/**
 * @param {{state: State, lab: Pick<Lab, 'ask' | 'share'>}} ports
 * @param {Ask} tools the second engine, which writes every format
 */
export function maker({ state, lab }, tools) {
  /** The link to the run; "" if it is too long for an address. */
  const linkTo = async () => linkUrl(await lab.share());

  /** @param {ExportOptions} wanted @param {string} link */
  async function makeText({ kind, span, theme }, link) {
    const { scenario } = await lab.ask('save');
    const live = state.view.value.live.t;
    if (kind === 'go') return tools('goTest', { scenario });
    if (kind in FORMATS)
      return tools('history', { scenario, format: kind, from: span.from, to: Math.min(span.to, live) });
    const format = kind === 'png' ? 'svg' : /** @type {'svg' | 'mermaid' | 'markdown'} */ (kind);
    return tools('export', { scenario, live, format, ...span, link, dark: theme === 'dark' });
  }

  /**
   * Makes an export. It never throws, because a problem becomes a sentence for the reader.
   * @param {ExportOptions} wanted @returns {Promise<ExportResult>}
   */
  return async (wanted) => {
    try {
      const link = await linkTo();
      return { wanted, text: (await makeText(wanted, link)).text, linkless: link === '' };
    } catch (error) {
      return { wanted, text: '', problem: /** @type {Error} */ (error).message };
    }
  };
}

/** A data URL for an SVG picture. @param {string} svg */
export const addressOf = (svg) => `data:image/svg+xml,${encodeURIComponent(svg)}`;

/** @param {ExportResult} one @returns {Promise<Blob>} */
export async function fileOf({ wanted: { kind }, text }) {
  const [, , type] = KINDS[kind];
  if (kind !== 'png') return new Blob([text], { type });
  const image = new Image();
  image.src = addressOf(text);
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth * SHARP;
  canvas.height = image.naturalHeight * SHARP;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The browser made no picture.'))), type);
  });
}
