/**
 * The resource that leaders write to, as a row of the timeline. It shows where each write arrived, its token and its
 * outcome. Each outcome has a different shape. A button over each mark says it in words and opens its event.
 */

import { html } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { formatInstant, plural } from '../../../lib/format.js';
import { MARGIN } from '../../../page/timeline/labels.js';
import { idColor } from '../../../page/timeline/palette.js';
import { clip, cross, line, shape, write as writeWord } from '../../../page/timeline/pen.js';
import { markLayer, placeStyle } from '../../../page/timeline/twin.js';
import { toX } from '../../../page/timeline/viewport.js';

/** @import { Lane, Nanos, Write } from '../../../protocol.js' */
/** @import { Marked, Selection } from '../../../page/state.js' */
/** @import { Layout } from '../../../page/timeline/layout.js' */
/** @import { Brush } from '../../../page/timeline/pen.js' */
/** @import { TimelineView } from '../../../page/timeline/timeline.js' */
/** @import { Scale } from '../../../page/timeline/viewport.js' */

/**
 * The outcome of a write, the most severe first.
 * @typedef {'staleAccepted' | 'refused' | 'kept' | 'lost' | 'givenUp' | 'accepted'} Fate
 */
/** @type {Record<Fate, string>} */
const FATES = {
  staleAccepted: 'stale and accepted',
  refused: 'refused',
  kept: 'lost at the end of the work',
  lost: 'lost',
  givenUp: 'gave the resource up',
  accepted: 'accepted',
};
const GRAVITY = /** @type {Fate[]} */ (Object.keys(FATES));

/** Writes that are closer than this (px) share a mark. */
const APART = 10;

/**
 * Writes that share a mark.
 * @typedef {object} WriteMark
 * @property {number} x
 * @property {Fate} fate the most severe one
 * @property {Write} write the first of these
 * @property {Write[]} writes
 * @property {number} count
 */

/** @param {Write} write @returns {Fate} */
export function fateOf({ outcome, stale }) {
  return outcome === 'accepted' && stale ? 'staleAccepted' : outcome;
}

/** @param {Write[]} writes in the order of time @param {Scale} scale @param {Nanos} live @returns {WriteMark[]} */
export function writeMarks(writes, scale, live) {
  /** @type {WriteMark[]} */
  const marks = [];
  for (const write of writes) {
    const x = toX(scale, write.t);
    if (write.t > live || x < scale.x - APART || x > scale.x + scale.w + APART) continue;
    const last = marks[marks.length - 1];
    const fate = fateOf(write);
    if (!last || x - last.x >= APART) {
      marks.push({ x, fate, write, writes: [write], count: write.count });
      continue;
    }
    last.writes.push(write);
    last.count += write.count;
    if (GRAVITY.indexOf(fate) < GRAVITY.indexOf(last.fate)) Object.assign(last, { fate, write });
  }
  return marks;
}

/** @param {Write[]} writes @returns {string} "token 3", "tokens 3 to 9" */
function tokensOf(writes) {
  const all = writes.flatMap(({ token, lastToken }) => [token, lastToken]);
  const [least, most] = [Math.min(...all), Math.max(...all)];
  return least === most ? `token ${least}` : `tokens ${least} to ${most}`;
}

/** The words of a mark. @param {WriteMark} mark @param {(index: number) => string} nameOf */
export function markWords({ count, write, writes }, nameOf) {
  const at = formatInstant(writes[0].t);
  if (count === 1) return `${at}: ${nameOf(write.index)} ${writeWords(write)}`;
  const names = [...new Set(writes.map(({ index }) => nameOf(index)))].join(', ');
  const counts = GRAVITY.map((fate) => ({ fate, n: sum(writes.filter((one) => fateOf(one) === fate)) }));
  const parts = counts.filter(({ n }) => n > 0).map(({ fate, n }) => `${n} ${FATES[fate]}`);
  const until = formatInstant(Math.max(...writes.map(({ to }) => to)));
  return `${at} to ${until}: ${plural(count, 'write')} of ${names}, ${tokensOf(writes)}: ${parts.join(', ')}`;
}

/** @param {Write[]} writes */
const sum = (writes) => writes.reduce((n, { count }) => n + count, 0);

/** @param {Write} write */
function writeWords({ outcome, stale, token, highest }) {
  const late = stale ? '. The write is stale: another candidate acquired the Lease last' : '';
  switch (outcome) {
    case 'givenUp':
      return 'gives the resource up';
    case 'kept':
      return 'still owns the resource: its last step, to give it up, was lost';
    case 'refused':
      return `writes with token ${token}: refused, because the resource has seen token ${highest}${late}`;
    case 'lost':
      return `writes with token ${token}: lost on the way${late}`;
    default:
      return `writes with token ${token}: accepted${late}`;
  }
}

/** @param {WriteMark} mark @param {Lane[]} lanes @returns {Marked} */
const selectionOf = ({ write: { t, n, index } }, lanes) => ({
  kind: 'event',
  node: lanes[index]?.node,
  index,
  from: t,
  cursor: { t, n },
});

/** @param {WriteMark} mark @param {Selection} [selection] */
function isSelected({ writes }, selection) {
  const { kind, cursor, index } = selection ?? {};
  return kind === 'event' && writes.some((one) => one.index === index && one.t === cursor?.t && one.n === cursor.n);
}

/** @param {TimelineView} timeline @param {(selection: Marked) => void} select */
export function markResource(timeline, select) {
  const { root, draw } = markLayer('tl-writes', 'Writes to the resource');
  root.hidden = true;
  timeline.root.append(root);
  timeline.resourceRow = true;

  timeline.overlays.add((b, l, { timeline: data, view, selection }) => {
    const { resource: row } = l.g;
    root.hidden = row.h === 0;
    if (root.hidden || !data?.resource) return;
    const marks = writeMarks(data.resource.writes, l.scale, view.live.t);
    drawRow(b, l, marks, selection);
    const nameOf = (/** @type {number} */ index) => data.lanes[index]?.node ?? '?';
    const button = (/** @type {WriteMark} */ mark, /** @type {number} */ i) => {
      const left = Math.max(mark.x - 12, i > 0 ? (mark.x + marks[i - 1].x) / 2 : 0);
      const right = Math.min(mark.x + 12, i + 1 < marks.length ? (mark.x + marks[i + 1].x) / 2 : Infinity);
      return html`<button type="button" class="tl-mark" tabindex="-1" data-fate=${mark.fate}
        aria-label=${markWords(mark, nameOf)}
        aria-pressed=${isSelected(mark, selection) ? 'true' : 'false'}
        .style=${placeStyle(left, row.y + 1, right - left, row.h - 2)}
        @click=${() => select(selectionOf(mark, data.lanes))}></button>`;
    };
    const { narrow, gutter } = l.g;
    const isCovered = narrow && marks.some(({ x }) => x < gutter + 64);
    const name = html`<span class="tl-word" ?hidden=${isCovered}
      .style=${placeStyle(narrow ? gutter + 4 : MARGIN, row.y, narrow ? null : gutter - MARGIN - 4, row.h - 2)}
      >Resource</span>`;
    const key = (/** @type {WriteMark} */ { write: { t, n } }) => `${view.run} ${t} ${n}`;
    draw(html`${name}${repeat(marks, key, button)}`);
  });
}

/** @param {Brush} b @param {Layout} l @param {WriteMark[]} marks @param {Selection} [selection] */
export function drawRow(b, l, marks, selection) {
  const { ctx, p } = b;
  const { scale } = l;
  const { y, h } = l.g.resource;
  const middle = y + h / 2 - 1;
  const tall = Math.min(16, h - 8);
  clip(ctx, { x: scale.x - 2, y, w: scale.w + 4, h });
  ctx.strokeStyle = p.line;
  ctx.lineWidth = 1;
  const ground = Math.round(middle + tall / 2) + 0.5;
  line(ctx, [scale.x, ground], [l.liveX ?? scale.x + scale.w, ground]);
  ctx.font = `12px ${p.font}`;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  const words = marksWords(marks);
  for (const [i, mark] of marks.entries()) {
    const { x, fate, write } = mark;
    ctx.fillStyle = ctx.strokeStyle = idColor(p, write.index);
    ctx.lineWidth = 1.75;
    drawFate(b, fate, { x, y: middle, h: tall });
    if (isSelected(mark, selection)) {
      ctx.strokeStyle = p.ink;
      ctx.lineWidth = 2;
      ctx.strokeRect(x - 8, middle - tall / 2 - 3, 16, tall + 6);
    }
    const room = Math.min(i + 1 < marks.length ? marks[i + 1].x - 7 : scale.x + scale.w, scale.x + scale.w) - x - 8;
    const label = words[i].find((text) => ctx.measureText(text).width <= room);
    if (!label) continue;
    ctx.fillStyle = p.ink;
    writeWord(b, l.words, { text: label, x: x + 8, y: middle });
  }
  ctx.restore();
}

/**
 * The words beside each mark, the longest first. They include the token where it changes, and where the resource should
 * not have seen that token. At the end of a series with shared marks, they include the number of writes.
 * @param {WriteMark[]} marks @returns {string[][]}
 */
export function marksWords(marks) {
  let token = -1;
  let count = 0;
  let merged = false;
  return marks.map((mark, i) => {
    const { fate, write, writes } = mark;
    const carries = fate !== 'givenUp' && fate !== 'kept';
    const grave = fate === 'refused' || fate === 'staleAccepted';
    count += mark.count;
    merged ||= mark.count > 1;
    const tokenText = `token ${write.token}`;
    const tells = grave || (carries && !merged && write.token !== token);
    const words = tells ? [tokenText, `${write.token}`] : [];
    token = writes[writes.length - 1].lastToken;
    const next = marks[i + 1];
    if (next?.fate === fate && next.write.index === write.index) return words;
    const series = merged ? `×${count}` : '';
    count = 0;
    merged = false;
    if (!series) return words;
    return [
      ...(carries && tokensOf(writes) === tokenText ? [`${tokenText}, ${series}`] : []),
      ...(grave ? words : [series]),
    ];
  });
}

/**
 * The shape of an outcome: an upright bar for an accepted write, a triangle for a stale one, a crossed box for a
 * refused one, a fork for a lost one, a ring for the last step, and a filled ring for a lost last step.
 * @param {Brush} b @param {Fate} fate @param {{x: number, y: number, h: number}} at y: the middle
 */
function drawFate({ ctx, p }, fate, { x, y, h }) {
  const top = y - h / 2;
  switch (fate) {
    case 'staleAccepted':
      shape(ctx, x, y, [
        [0, -h / 2],
        [6.5, h / 2],
        [-6.5, h / 2],
      ]);
      ctx.fill();
      break;
    case 'refused':
      ctx.fillStyle = p.card;
      ctx.fillRect(x - 5.5, y - 5.5, 11, 11);
      ctx.strokeRect(x - 5.5, y - 5.5, 11, 11);
      cross(ctx, x, y, 3);
      break;
    case 'lost':
      line(ctx, [x, y + h / 2], [x, y], [x - 4, top]);
      line(ctx, [x, y], [x + 4, top]);
      break;
    case 'givenUp':
    case 'kept':
      ctx.beginPath();
      ctx.arc(x, y, 4.5, 0, Math.PI * 2);
      ctx.stroke();
      if (fate === 'kept') ctx.fill();
      break;
    default:
      ctx.fillRect(x - 1.25, top, 2.5, h);
  }
}
