/**
 * What three durations lead to, as far as formulas say it: the page shows them before its engine has loaded. Package
 * sim/study/numbers has the same formulas and explains them; one table tests both.
 */

/** @import { Answer } from '../../protocol.js' */

/** Nanoseconds; without a deadline, a leader never gives up. @typedef {{lease: number, renew: number, retry: number,
 * noDeadline: boolean}} Setting */

const UNITS = /** @type {Record<string, number>} */ ({ ns: 1, us: 1e3, µs: 1e3, ms: 1e6, s: 1e9, m: 6e10, h: 36e11 });
const SECOND = UNITS.s;
const [REQUEST, RESPONSE] = [2e6, 3e6];
const ROUND_TRIP = REQUEST + RESPONSE;
export const FIELDS = ['leaseDuration', 'renewDeadline', 'retryPeriod'];
export const NAMES = ['Followers wait', 'Leader gives up after', 'Look again every'];
const USUAL = ['15s', '10s', '2s'];

/** @param {number} ns */
export const text = (ns) => `${ns / SECOND}s`;

/** A Go duration in nanoseconds; a bare number means seconds. @param {string} typed */
function durationOf(typed) {
  const bare = typed.replaceAll(' ', '');
  const go = /^[\d.]+$/.test(bare) ? `${bare}s` : bare;
  if (!/^[-+]?(\d+(\.\d*)?(ns|us|µs|ms|s|m|h))+$/.test(go)) return Number.NaN;
  let ns = 0;
  for (const [, n, unit] of go.matchAll(/([\d.]+)(ns|us|µs|ms|s|m|h)/g)) ns += Math.round(Number(n) * UNITS[unit]);
  return go.startsWith('-') ? -ns : ns;
}

/** Reads "15s/10s/2s" or "15 / 10 / 2". @param {string} typed @returns {Setting | string} why it is not a setting */
export function parse(typed) {
  const parts = typed.split('/');
  if (parts.length !== 3) return `"${typed}" must be three durations, such as 15s/10s/2s.`;
  const noDeadline = /^ *[-–] *$/.test(parts[1]);
  const lengths = parts.map((part, i) => (i === 1 && noDeadline ? 0 : durationOf(part)));
  const wrong = lengths.findIndex(Number.isNaN);
  if (wrong >= 0) return `${FIELDS[wrong]} "${parts[wrong]}" must be a duration, such as 15s.`;
  const [lease, renew, retry] = lengths;
  return { lease, renew, retry, noDeadline };
}

/** @param {Setting} setting */
export const settingText = ({ lease, renew, retry, noDeadline }) =>
  `${text(lease)}/${noDeadline ? '-' : text(renew)}/${text(retry)}`;

/** The leaseDuration that a Lease stores, less the time that may pass unseen: see Setting.pause in Go.
 * @param {Setting} setting */
const pauseOf = ({ lease, retry }) => lease - (lease % SECOND) - Math.max(retry, SECOND);

/** Why client-go, or another part of Kubernetes, refuses a setting; "" if it does not. @param {Setting} setting */
export function refusal(setting) {
  const { lease, retry, noDeadline } = setting;
  const renew = noDeadline ? (lease + (retry * 6) / 5) / 2 : setting.renew;
  const values = [lease, renew, retry];
  const jittered = Math.trunc(1.2 * retry);
  const zero = values.findIndex((ns) => ns < 1);
  const more = Math.max(retry - (retry % SECOND), SECOND) + SECOND;
  const [clientGo, whole] = ['client-go refuses it:', 'A Lease stores whole seconds'];
  // In this order. Each names the field to blame, the reason, and the fix.
  // biome-ignore format: a table
  const rules = /** @type {[boolean, number, string, string][]} */ ([
    [lease <= renew, 0, `${clientGo} leaseDuration must be greater than renewDeadline`,
      `Make it longer than ${text(renew)}, or others take over while the leader still leads.`],
    [renew <= jittered, 1, `${clientGo} renewDeadline must be greater than retryPeriod*JitterFactor`,
      `Make it longer than ${text(jittered)}, so that the leader can try twice.`],
    [zero >= 0, zero, `${clientGo} ${FIELDS[zero]} must be greater than zero`, `Make it ${USUAL[zero]}, for example.`],
    [lease < SECOND, 0, 'the API server refuses it: leaseDurationSeconds must be greater than 0',
      `${whole}. Make it 1s or more.`],
    [pauseOf(setting) <= 0, 0, 'others take the Lease from a healthy leader',
      `${whole}, and renewals within one second look alike. Make it ${text(more)} or more.`],
    [retry < 10 * UNITS.ms, 2, 'leaselab measures 10ms and more', 'Make it longer.'],
    [lease > Math.min(24 * UNITS.h, 1000 * retry), 0, 'leaselab measures at most 24 hours and 1,000 × retryPeriod',
      'Make it shorter.'],
  ]);
  const [, field, why, fix] = rules.find(([isBroken]) => isBroken) ?? [];
  return field === undefined ? '' : `${FIELDS[field]} ${text(values[field])}: ${why}. ${fix}`;
}

/** A quantile of the time until the first of n candidates asks again. @param {number} share @param {number} n */
function firstOf(share, n) {
  const s = (1 - share) ** (1 / n);
  return s < 0.375 ? 2.2 - Math.sqrt(3.84 * s) : 1.6 * (1 - s);
}

/** @param {Setting} setting without a refusal @param {number} candidates @returns {Answer} */
export function closed(setting, candidates) {
  const { lease, renew, retry, noDeadline } = setting;
  const [whole, pause] = [lease - (lease % SECOND), pauseOf(setting)];
  const poll = Math.trunc(retry / 1000) * 2200;
  const max = (whole + 2 * poll + 4 * ROUND_TRIP) / SECOND;
  const released = (/** @type {number} */ share) =>
    Math.round((Math.trunc(firstOf(share, candidates - 1) * retry) + 2 * ROUND_TRIP) / UNITS.ms) / 1000;
  const writesPerMinute = UNITS.m / (retry + ROUND_TRIP);
  const ifDeadline = (/** @type {number} */ value) => (noDeadline ? null : value);
  return /** @type {Answer} */ ({
    setting: settingText(setting),
    candidates,
    takeoverSeconds: { p50: 0, p99: 0, max },
    takeoverAfterReleaseSeconds: { p50: released(0.5), p99: released(0.99), max: (poll + 3 * ROUND_TRIP) / SECOND },
    apiOutageSurvivedSeconds: ifDeadline((retry * (Math.ceil(renew / retry) - 1)) / SECOND),
    silentOutageSurvivedSeconds: ifDeadline(Math.trunc(renew / 2) / SECOND),
    harmlessPauseSeconds: pause / SECOND,
    safetyMarginSeconds: ifDeadline((pause - renew - RESPONSE) / SECOND),
    clockTolerancePercent: ifDeadline((100 * (pause - renew)) / whole),
    writesPerMinute,
    requestsPerMinute: writesPerMinute + (candidates - 1) * (UNITS.m / (Math.trunc((retry * 8) / 5) + ROUND_TRIP)),
    testTimeoutSeconds: Math.ceil(max),
  });
}
