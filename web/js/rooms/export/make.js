/** Makes an export of a span: a picture on a canvas, or a text. */
import { formatInstant } from '../../lib/format.js';
import { encodeLink, MAX_LINK } from '../../lib/share.js';
import { FORMATS } from './formats.js';
import { painter, paletteOf, smallPrint, WIDTH } from './paint.js';

/** @import { Lab } from '../../page/lab.js' */
/** @import { State, Viewport } from '../../page/state.js' */
/** @import { Ask, Nanos } from '../../protocol.js' */
/** @import { Format } from './formats.js' */

/** @typedef {'png' | 'svg' | 'clip' | 'mermaid' | 'markdown' | 'go' | Format} Kind */
/** @typedef {{kind: Kind, span: Viewport, theme: 'light' | 'dark'}} Wanted */
/**
 * What has been made. paint draws the picture as it was known at an instant. linkless: the run has no link.
 * @typedef {{wanted: Wanted, text?: string, paint?: (t: Nanos) => void, problem?: string, linkless?: boolean}} Made
 */

/**
 * What each kind is called, how the name of its file ends, and its type.
 * @type {Record<Kind, [label: string, ending: string, type: string]>}
 */
export const KINDS = {
  png: ['Picture (PNG)', 'png', 'image/png'],
  svg: ['Picture (SVG)', 'svg', 'image/svg+xml'],
  clip: ['Clip', '', ''],
  mermaid: ['Diagram (Mermaid)', 'mmd', 'text/plain'],
  markdown: ['Report (Markdown)', 'md', 'text/markdown'],
  go: ['Go test', 'go', 'text/plain'],
  ...FORMATS,
};

/** @param {Viewport} span */
export const written = ({ from, to }) => `${formatInstant(from)} to ${formatInstant(to)}`;

/** @param {Viewport} span @param {Nanos} end @returns {Viewport} */
function within({ from, to }, end) {
  const clamp = (/** @type {Nanos} */ t) => Math.max(0, Math.min(Math.round(t), end));
  return { from: clamp(from), to: clamp(to) };
}

/**
 * The spans to choose from: what the timeline shows, what is selected, the run so far.
 * @param {Pick<State, 'view' | 'viewport' | 'selection'>} state
 * @returns {{label: string, span: Viewport}[]}
 */
export function spansOf({ view, viewport, selection }) {
  const { live, end } = view.value;
  const all = [{ label: 'What the timeline shows', span: within(viewport.value, end) }];
  const { from = 0, to = 0 } = selection.value ?? {};
  if (to > from) all.push({ label: 'What is selected', span: within({ from, to }, end) });
  all.push({ label: 'The run so far', span: { from: 0, to: live.t } });
  return all.filter(({ span }) => span.from < span.to);
}

/**
 * @param {{state: State, lab: Pick<Lab, 'ask' | 'share'>}} ports
 * @param {HTMLCanvasElement} canvas for pictures and clips
 * @param {Ask} tools the second engine, which writes everything but pictures of pixels
 */
export function maker({ state, lab }, canvas, tools) {
  /** The link to the run, "" if it is too long for an address. */
  async function linkTo() {
    const link = await encodeLink(await lab.share());
    return link.length > MAX_LINK ? '' : new URL(`#${link}`, location.href).href;
  }

  const saved = async () => ({ scenario: (await lab.ask('save')).scenario });

  /** @param {Wanted} wanted @param {string} link @returns {Promise<Made>} */
  async function made(wanted, link) {
    const { kind, span, theme } = wanted;
    if (kind === 'go') return { wanted, text: (await tools('goTest', await saved())).text };
    if (kind in FORMATS) {
      const to = Math.min(span.to, state.view.value.live.t);
      return { wanted, text: (await tools('history', { ...(await saved()), format: kind, from: span.from, to })).text };
    }
    if (kind === 'svg' || kind === 'mermaid' || kind === 'markdown') {
      const live = state.view.value.live.t;
      const params = { ...(await saved()), live, format: kind, ...span, link, dark: theme === 'dark' };
      return { wanted, text: (await tools('export', params)).text };
    }
    const timeline = await lab.ask('timeline', { ...span, widthPx: WIDTH });
    const view = state.view.value;
    const print = smallPrint(view, {
      engine: state.hello.value.engine,
      span: written(span),
      link,
      lanes: timeline.lanes.length,
    });
    const picture = { view, timeline, viewport: span, palette: paletteOf(theme), title: view.title, print };
    const paint = painter(canvas, picture);
    paint(view.live.t);
    return { wanted, paint };
  }

  /** Never fails: a problem is a sentence for the reader. @param {Wanted} wanted @returns {Promise<Made>} */
  return async (wanted) => {
    try {
      const link = await linkTo();
      return { ...(await made(wanted, link)), linkless: link === '' };
    } catch (error) {
      return { wanted, problem: /** @type {Error} */ (error).message };
    }
  };
}

/** @param {Made} one @param {HTMLCanvasElement} canvas @returns {Promise<Blob>} */
export async function fileOf({ wanted, text }, canvas) {
  const [, , type] = KINDS[wanted.kind];
  if (text !== undefined) return new Blob([text], { type });
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The browser made no picture.'))), type);
  });
}
