/**
 * What the figures of docs/figures.yaml show: the runs that the values of their fields make, and the numbers of these
 * runs. The build measures each figure once, and live.js measures it again when a reader moves something.
 */
import { formatSeconds, MS, roundUnits, SECOND } from '../lib/format.js';
import { draw, pictureOf } from './picture.js';

/** @import { Ask, ChecksView, Timeline, View } from '../protocol.js' */
/** @import { Picture, Span } from './picture.js' */
/** @typedef {Record<string, any>} Values of the fields, by name */
/**
 * @typedef {{name: string, label: string, value: number | boolean, unit?: string, code?: string, min?: number, max?:
 *   number, step?: number | 'any'}} Field
 * @typedef {{title: string, fields: Field[], says: string, runs: Values[], seeds?: number, at?: string}} Figure
 * @typedef {{view: View, timeline: Timeline, scenario: Values, margin: ChecksView['margin']}} Run
 */

/** client-go's defaults, and when something happens to the leader, in seconds. */
const [LEASE, DEADLINE, RETRY, AT] = [15, 10, 2, 20];
/** client-go's leader election gives up on a request after this share of renewDeadline. */
const TIMEOUT = 0.5;
const COPIES = [{ name: 'a' }, { name: 'b', startAt: '50ms' }, { name: 'c', startAt: '100ms' }];

/** A length as the figures show it. @param {number} ns */
const seconds = (ns) => formatSeconds(ns, 1);
/** @param {string} template @param {Values} values */
const fill = (template, values) => template.replaceAll(/\{(\w+)\}/g, (_, name) => values[name]);

/** The values of a figure's fields, and what follows from them. @param {Values} values @returns {Values} */
function derived(values) {
  const { patience = LEASE, rate = 100, retryPeriod = RETRY, delay = 0, checked } = values;
  const { leaseDuration = LEASE, renewDeadline = DEADLINE } = values;
  // This leaves time for two slow renewals and then for the slowest takeover.
  const cutAt = AT + Math.ceil(2 * (retryPeriod + 2 * delay) + 1);
  return {
    ...{ ...values, cutAt, end: cutAt + Math.ceil(leaseDuration + renewDeadline + 4 * retryPeriod + 10) },
    ...{ twoThirds: (patience * DEADLINE) / LEASE, longer: patience + 10, timeout: renewDeadline * TIMEOUT },
    ...{ ratePpm: rate * 10_000, fence: checked ? 'leaseTransitions' : 'none' },
  };
}

/** The scenarios of a figure. @param {Figure} figure @param {Values} values @returns {Values[]} */
export function scenariosOf({ title, runs, seeds = 1 }, values) {
  const filled = JSON.parse(fill(JSON.stringify(runs), derived(values)), (name, value) =>
    name === 'ratePpm' ? Number(value) : name === 'releaseOnCancel' ? value === 'true' : value,
  );
  return filled.flatMap((/** @type {Values} */ run) =>
    Array.from({ length: seeds }, (_, i) => ({
      ...{ apiVersion: 'leaselab.dev/v1alpha1', kind: 'Scenario', title, seed: i + 1, ...run },
      candidates: (run.candidates ?? COPIES).slice(0, values.copies),
    })),
  );
}

/** The stretches after the first leader in which nobody leads, or two do. @param {Run} run @param {string} kind */
const bandsOf = ({ timeline: { bands } }, kind) => bands.filter((one) => one.kind === kind && one.from > 0);
/** @param {Run} run @param {string[]} roles */
const spansOf = ({ timeline: { lanes } }, ...roles) =>
  lanes.flatMap(({ spans, index }) => spans.flatMap((one) => (roles.includes(one.role) ? [{ ...one, index }] : [])));
/** Rounds a run to tenths of a second, so that lengths and their sum fit together. @param {Timeline} timeline */
function roundTimes({ bands, lanes }) {
  const all = [...bands, ...bands.flatMap(({ addends }) => addends), ...lanes.flatMap(({ spans }) => spans)];
  for (const one of all) [one.from, one.to] = [one.from, one.to].map((t) => roundUnits(t, SECOND / 10) * (SECOND / 10));
}

/** Marks each letter that another copy has already sent in the same second. @param {Timeline} timeline */
function markRepeats({ resource }) {
  const sent = new Set();
  for (const one of resource?.writes ?? []) one.stale = sent.size === sent.add(Math.floor(one.t / SECOND)).size;
}

/** @param {{from: number, to: number}[]} spans */
const sumOf = (spans) => spans.reduce((sum, { from, to }) => sum + to - from, 0);

/** The numbers of a figure's runs. A text uses the ones that it needs. @param {Run[]} runs */
function numbersOf(runs) {
  const [first, last] = [runs[0], runs[runs.length - 1]];
  const { leaseDuration = LEASE, renewDeadline = DEADLINE } = first.scenario.elector ?? {};
  const [lease, deadline] = [Number.parseFloat(leaseDuration), Number.parseFloat(renewDeadline)];
  const gaps = runs.map((one) => sumOf(bandsOf(one, 'nobody'))).sort((a, b) => a - b);
  const [gap, two] = [sumOf(bandsOf(first, 'nobody')), sumOf(bandsOf(last, 'two'))];
  const waited = sumOf(bandsOf(first, 'nobody').flatMap(({ addends }) => addends.filter((one) => one.counting)));
  const leads = spansOf(first, 'leading', 'lost');
  const ends = leads.filter(({ index }) => index === 0).map(({ to }) => to);
  const starts = leads.filter(({ index }) => index > 0).map(({ from }) => from);
  const since = (/** @type {number} */ t) => seconds(t - AT * SECOND);
  const writes = first.timeline.resource?.writes ?? [];
  const stale = (/** @type {string} */ outcome) =>
    `${writes.reduce((sum, one) => sum + (one.stale && one.outcome === outcome ? one.count : 0), 0)}`;
  const [due, sent] = [first.timeline.to / SECOND, writes.reduce((sum, { count }) => sum + count, 0)];
  const served = new Set(writes.map(({ t }) => Math.floor(t / SECOND))).size;
  const nobody = gap > 0 ? `nobody leads for ${seconds(gap)}` : 'one leads all the time';
  const outcome = two > 0 ? `two lead for ${seconds(two)}` : nobody;
  const versionOf = (/** @type {number} */ i) => first.scenario.candidates[i]?.emulationVersion?.replace(/\.0$/, '');
  return {
    ...{ outcome, Outcome: `${outcome[0].toUpperCase()}${outcome.slice(1)}`, holder: first.view.lease.holder },
    ...{ lease: `${lease} s`, deadline: `${Math.round(deadline * 10) / 10} s`, retry: `${RETRY} s` },
    ...{ harmless: `${lease - RETRY} s`, limit: `${Math.round((100 * (deadline + RETRY)) / lease)} %` },
    ...{ gap: seconds(gap), two: seconds(two), waited: seconds(waited), rest: seconds(gap - waited) },
    ...{ share: `${Math.round((100 * waited) / gap)} %`, slept: seconds(sumOf(spansOf(first, 'paused'))) },
    ...{ harm: two > 0 ? `works on for ${seconds(sumOf(spansOf(last, 'lost')))}` : 'keeps the Lease' },
    ...{ least: seconds(gaps[0]), middle: seconds(gaps[gaps.length >> 1]), most: seconds(gaps[gaps.length - 1]) },
    ...{ stop: since(Math.max(...ends)), start: since(Math.min(...starts)) },
    ...{ due: `${due}`, sent: `${sent}`, missed: `${due - served}`, extra: `${sent - served}` },
    ...{ late: stale('accepted'), refused: stale('refused'), first: versionOf(0), second: versionOf(1) },
  };
}

/** The last run at an instant: the stored Lease, and what each copy does. @param {Ask} ask @param {number} now in ns */
async function lookAt(ask, now) {
  const { lease, nodes } = await ask('seek', { cursor: { t: now, n: -1 } });
  const object = await ask('object', { version: lease.version });
  const { spec } = JSON.parse(object.json);
  const does = nodes.map(({ name, role, roleWord, countdown }) => {
    const left = (countdown?.zeroAt ?? 0) - now;
    const waits = left > 0 ? `waits ${seconds(left)} more` : 'may acquire it at its next look';
    return [name, role === 'following' ? waits : `is ${roleWord}`];
  });
  return {
    ...{ named: lease.holder, written: `${lease.version}`, age: seconds(now - object.t) },
    ...{ wall: nodes[0].wall.slice(11, 19), transitions: `${spec.leaseTransitions}`, ...Object.fromEntries(does) },
    fields: [...Object.entries(spec), ['resourceVersion', lease.version]].map((field) => field.join(': ')).join('\n'),
  };
}

/** Many runs as one picture, with a thin row for each. @param {Run[]} runs @returns {Picture} */
function rowsOf(runs) {
  const span = (/** @type {string} */ kind) => (/** @type {{from: number, to: number, index?: number}} */ one) =>
    /** @type {Span} */ ([kind, one.from / MS, one.to / MS, one.index]);
  const rows = runs.map((one) => {
    const leads = spansOf(one, 'leading');
    const next = leads.find(({ index }) => index > 0)?.index ?? 0;
    const spans = [...leads.map(span('leading')), ...bandsOf(one, 'nobody').map(span('nobody'))];
    return { index: next, name: COPIES[next].name, spans };
  });
  return { from: 15_000, to: 45_000, row: 12, axis: true, rows };
}

/**
 * What the run says about the margin. @param {ChecksView['margin']} measured @param {Values} lengths
 */
export function marginWords(measured, { renewDeadline, delay }) {
  const timeout = renewDeadline * TIMEOUT;
  if (!measured) return 'Nobody led in this run.';
  const { leastNs, nearestNs } = measured;
  if (delay >= timeout)
    return `a reads no answer: it gives up on each request after renewDeadline ÷ 2, ${timeout} s, and stops leading.`;
  const least = `The least margin of this run is ${formatSeconds(leastNs)}.`;
  if (nearestNs === undefined) return `${least} Nobody has taken over by its end.`;
  if (nearestNs < 0) return `${least} A follower starts ${formatSeconds(-nearestNs)} before a stops: two lead.`;
  const luck = leastNs < 0 ? ' The jitter between their attempts kept them apart, not the settings.' : '';
  return `${least} A follower starts ${formatSeconds(nearestNs)} after a has stopped.${luck}`;
}

/** How long a follower waits, above how long the leader goes on. @param {Values} lengths @returns {Picture} */
function barsOf({ leaseDuration, renewDeadline, retryPeriod, delay }) {
  const end = retryPeriod + renewDeadline;
  /** @param {[string, number, number, string][]} parts */
  const row = (parts) => ({
    index: 0,
    spans: parts.flatMap(([kind, a, b, words]) => (b > a ? [/** @type {Span} */ ([kind, a, b, 0, words])] : [])),
  });
  const follower = row([
    ['try', 0, leaseDuration, 'a follower waits'],
    ['over', leaseDuration, end + delay, 'overlap'],
  ]);
  const leader = row([
    ['wait', 0, retryPeriod, 'a waits'],
    ['try', retryPeriod, end, 'a tries to renew'],
    ['late', end, end + delay, 'delay'],
    ['spare', end + delay, leaseDuration, 'margin'],
  ]);
  return { to: Math.max(leaseDuration, end + delay), row: 40, rows: [follower, leader] };
}

/** A field's value as the text shows it. @param {Field} field @param {number | boolean} value */
export const shown = ({ unit = '' }, value) =>
  typeof value === 'boolean' ? (value ? 'on' : 'off') : `${value}${unit}`;

/**
 * What a figure shows for these values: numbers, and the HTML of its pictures.
 * @param {Figure} figure @param {Values} values @param {Ask} ask
 */
export async function measure(figure, values, ask) {
  /** @type {Run[]} */
  const runs = [];
  for (const scenario of scenariosOf(figure, values)) {
    await ask('open', { scenario });
    const view = await ask('runTo', { what: 'end' });
    const timeline = await ask('timeline', { from: 0, to: view.end, widthPx: 700 });
    if ('rate' in values || 'patience' in values) roundTimes(timeline);
    if ('copies' in values) markRepeats(timeline);
    runs.push({ scenario, view, timeline, margin: (await ask('checks')).margin });
  }
  const at = figure.at && Number(fill(figure.at, values));
  const { fields, ...seen } = await lookAt(ask, (at || AT) * SECOND);
  const given = Object.fromEntries(figure.fields.map((field) => [field.name, shown(field, values[field.name])]));
  const margin = 'delay' in values ? marginWords(runs[0].margin, values) : '';
  /** @type {Record<string, string>} */
  const numbers = { ...numbersOf(runs), ...seen, ...given, margin, longer: `${derived(values).longer} s` };
  const says = fill(figure.says, numbers);
  const drawn = runs.map(({ timeline, scenario: { elector } }) => {
    const full = SECOND * Number.parseFloat(elector?.leaseDuration ?? LEASE);
    return { ...pictureOf(timeline, full), at: at ? at * 1000 : undefined };
  });
  const pictures = margin ? [barsOf(values)] : runs.length > 2 ? [rowsOf(runs)] : drawn;
  const html = pictures.map((one) => draw(one, says)).join('');
  return { numbers, says, html: at ? `${html}<pre>${fields}</pre>` : html };
}
