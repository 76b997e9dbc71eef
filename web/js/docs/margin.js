/**
 * The live figure of the margin: the reader changes four lengths, and the engine runs a leader and its followers with
 * them and measures the result. The figure and the engine load when the reader first touches it.
 */
import { Engine } from '../rooms/engine/engine.js';
import { scenarioLink } from './link.js';

/** @import { ChecksView } from '../protocol.js' */
/** Seconds. @typedef {{leaseDuration: number, renewDeadline: number, retryPeriod: number, delay: number}} Lengths */

const SECOND = 1e9;
/** From this second on, the API server answers slowly. */
const SLOW_AT = 20;
/** client-go's leader election gives up on a request after this share of renewDeadline. */
const TIMEOUT = 0.5;

/**
 * With this many followers, the worst case happens: one reads the Lease soon after each renewal, and another soon after
 * the Lease expires.
 */
const FOLLOWERS = 20;

/**
 * Node a leads, and the server answers it slowly. Then its requests stop arriving, and a follower takes over. The cut
 * stops only requests. The leader still gets an answer that is already on its way, so it leads as long as it possibly
 * can.
 * @param {Lengths} lengths
 */
export function scenarioOf({ leaseDuration, renewDeadline, retryPeriod, delay }) {
  // This leaves time for two slow renewals and then for the slowest takeover.
  const cutAt = SLOW_AT + Math.ceil(2 * (retryPeriod + 2 * delay) + 1);
  const seconds = (/** @type {number} */ length) => `${length}s`;
  return {
    apiVersion: 'leaselab.dev/v1alpha1',
    kind: 'Scenario',
    title: 'The margin',
    seed: 1,
    duration: seconds(cutAt + Math.ceil(leaseDuration + renewDeadline + 4 * retryPeriod + 10)),
    candidates: [
      { name: 'a' },
      ...Array.from({ length: FOLLOWERS }, (_, i) => ({ name: `f${i + 1}`, startAt: `${100 * (i + 1)}ms` })),
    ],
    elector: {
      leaseDuration: seconds(leaseDuration),
      renewDeadline: seconds(renewDeadline),
      retryPeriod: seconds(retryPeriod),
      requestTimeout: seconds(renewDeadline * TIMEOUT),
    },
    actions: [
      { at: seconds(SLOW_AT), act: 'latency', target: 'a', response: seconds(delay) },
      { at: seconds(cutAt), act: 'cut', target: 'a', direction: 'up' },
    ],
  };
}

/** A length in words: milliseconds are enough here. @param {number} ns */
const words = (ns) => `${(ns / SECOND).toFixed(3)} s`;

/**
 * What the run says about the margin.
 * @param {NonNullable<ChecksView['margin']>} measured
 * @param {Pick<Lengths, 'renewDeadline' | 'delay'>} lengths
 */
export function outcome({ leastNs, nearestNs }, { renewDeadline, delay }) {
  if (delay >= renewDeadline * TIMEOUT) {
    const timeout = renewDeadline * TIMEOUT;
    return `No answer is read: a gives up on each request after renewDeadline ÷ 2, ${timeout} s. It stops leading.`;
  }
  const least = `The least margin of this run is ${words(leastNs)}.`;
  if (nearestNs === undefined) return `${least} Nobody has taken over by its end.`;
  if (nearestNs < 0) return `${least} A follower starts ${words(-nearestNs)} before a stops: two lead.`;
  const luck = leastNs < 0 ? ' The jitter between their attempts kept them apart, not the settings.' : '';
  return `${least} A follower starts ${words(nearestNs)} after a has stopped.${luck}`;
}

/**
 * @param {HTMLElement} form with a field for each length, an output, a link and bars
 * @param {(file: string) => string} address of a file of the site
 */
export async function openMargin(form, address) {
  const fields = [...form.querySelectorAll('input')];
  const output = /** @type {HTMLOutputElement} */ (form.querySelector('output'));
  const link = /** @type {HTMLAnchorElement} */ (form.querySelector('a'));
  const lengths = () =>
    /** @type {Lengths} */ (Object.fromEntries(fields.map(({ name, valueAsNumber }) => [name, valueAsNumber])));
  const redraw = () => fields.every((field) => field.checkValidity()) && draw(form, lengths());
  form.addEventListener('input', redraw);
  redraw();
  output.textContent = 'The engine is loading …';
  const { worker, exec, wasm, scenarios, module } = __DOCS__.engine;
  const files = { worker: address(worker), exec: address(exec), wasm: address(wasm), scenarios: address(scenarios) };
  const engine = new Engine({ ...files, module, passing: true });
  await engine.start();
  /** The measurement in progress, and the number of the newest measurement that the reader asked for. */
  let turn = Promise.resolve();
  let turns = 0;

  /** @param {Lengths} given @param {object} scenario */
  async function measureMargin(given, scenario) {
    try {
      await engine.request('open', { scenario });
      await engine.request('runTo', { what: 'end' });
      const { margin } = await engine.request('checks');
      return margin ? outcome(margin, given) : 'Nobody led in this run.';
    } catch (error) {
      return /** @type {Error} */ (error).message;
    }
  }

  /** @param {number} mine */
  async function show(mine) {
    if (mine !== turns) return;
    const invalid = fields.find((field) => !field.checkValidity());
    link.hidden = Boolean(invalid);
    if (invalid) {
      output.textContent = `${invalid.name}: ${invalid.validationMessage}`;
      return;
    }
    const values = lengths();
    const scenario = scenarioOf(values);
    const text = await measureMargin(values, scenario);
    if (mine !== turns) return;
    output.textContent = text;
    link.href = `${address('index.html')}#${await scenarioLink(scenario)}`;
  }

  const update = () => {
    const mine = ++turns;
    turn = turn.then(() => show(mine));
    return turn;
  };
  form.addEventListener('input', update);
  await update();
}

/**
 * Draws how long the follower waits and how long the leader continues.
 * @param {HTMLElement} form
 * @param {Lengths} lengths
 */
function draw(form, lengths) {
  for (const bar of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll('[data-length]')))
    bar.style.flexGrow = String(lengths[/** @type {keyof Lengths} */ (bar.dataset.length)]);
  const spare = lengths.leaseDuration - lengths.renewDeadline - lengths.retryPeriod - lengths.delay;
  for (const rest of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll('[data-rest]')))
    rest.style.flexGrow = String(Math.max(0, rest.dataset.rest === 'over' ? -spare : spare));
}
