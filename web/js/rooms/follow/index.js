/**
 * Shows the run of the server that sent the page: `leaselab serve --scenario`. The server reports its instant, its
 * trace hash and the writes of its clients. The page computes the same run from them and plays up to that instant. If
 * there are many writes, each answer has some of these writes, and the next answer continues the list.
 *
 * Guarantee: the page shows the server's run, or a message says that it does not. The page compares the hashes whenever
 * it reaches an instant that the server reported. Non-guarantee: a visitor's act changes the page's copy, not the
 * server's run, and the page then stops following.
 */

import { markFollowing } from '../live/following.js';

/** @import { Lab } from '../../page/lab.js' */
/** @import { Notifier } from '../../lib/notify.js' */
/** @import { Nanos, View } from '../../protocol.js' */

/**
 * @typedef {{scenario: object, engine: number, speed: number, now: Nanos, hash: string, acts: object[], over: string}}
 *   ServerRun
 */
/**
 * @typedef {object} Ports
 * @property {Pick<Lab, 'change' | 'resetPage' | 'touched' | 'state'>} lab
 * @property {Pick<Notifier, 'notify'>} notifier
 * @property {(after: number) => Promise<ServerRun>} ask fetches the server's run, without its first `after` acts
 * @property {(run: () => void, ms: number) => unknown} schedule
 * @property {(follows: "same" | "different" | "") => void} tell whether the page's run is the server's; "" when it no
 *   longer follows
 */

const EVERY_MS = 250;
const CANNOT = "The page cannot open the server's run.";

/**
 * The server marks its page as a simulation or as a record of real programs.
 * @param {{lab: Lab, notifier: Notifier}} page
 */
export async function open({ lab, notifier }) {
  const [visit] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType('navigation'));
  if (!(await withoutWorker(navigator.serviceWorker, visit?.type === 'reload'))) {
    location.reload();
    return undefined;
  }
  const mark = document.querySelector('meta[name=leaselab-run]')?.getAttribute('content') ?? '';
  if (mark === 'leaselab/record') return (await import('../live/index.js')).open({ lab, notifier }).follow();
  const address = new URL('leaselab/run', document.baseURI);
  const following = new Following({
    lab,
    notifier,
    ask: async (after) => {
      address.search = `after=${after}`;
      const answer = await fetch(address, { cache: 'no-store' });
      if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
      return answer.json();
    },
    schedule: (run, ms) => setTimeout(run, ms),
    tell: markFollowing,
  });
  await following.begin();
  return following;
}

/**
 * Requests to the API must go to the server. A service worker from an earlier visit would send these requests to the
 * page. Even an unregistered service worker does so until the page reloads.
 * @param {Pick<ServiceWorkerContainer, "controller" | "getRegistrations"> | undefined} container
 * @param {boolean} again the page has already reloaded
 * @returns {Promise<boolean>} whether the page talks to the server directly; if not, reload the page
 */
export async function withoutWorker(container, again) {
  const workers = (await container?.getRegistrations()) ?? [];
  await Promise.all(workers.map((one) => one.unregister()));
  return again || !container?.controller;
}

export class Following {
  /** @param {Ports} ports */
  constructor(ports) {
    this.ports = ports;
    /** How many of the server's acts the page has. */
    this.acts = 0;
    /** The server's last report. @type {ServerRun | undefined} */
    this.told = undefined;
    /** The number of the page's run. A different number means that the visitor has made another run. */
    this.run = -1;
  }

  /** Opens the server's run at its current instant. */
  async begin() {
    const { lab, notifier } = this.ports;
    this.told = await this.ports.ask(0);
    this.acts = this.told.acts.length;
    lab.touched = false;
    if (!(await this.#open())) return;
    lab.resetPage({});
    notifier.notify("The page follows the server's run. Writes by kubectl appear here.");
    this.#scheduleBeat();
  }

  #scheduleBeat() {
    this.ports.schedule(() => {
      this.beat().catch(() => this.#end('The server no longer answers.'));
    }, EVERY_MS);
  }

  /** Asks the server once, and advances the run to the instant in the server's report. */
  async beat() {
    const { lab, ask } = this.ports;
    const before = this.told;
    if (before) this.#compare(lab.state.view.value, before);
    if (this.#hasLeft()) return;
    const report = await ask(this.acts);
    if (this.#hasLeft()) return;
    this.told = report;
    const { cursor, end } = lab.state.view.value;
    if (cursor.t >= end) return this.#end("The scenario ends here. The server's run goes on.");
    if (report.acts.length > 0) {
      const view = await lab.change('extend', { actions: report.acts });
      if (!view) return this.#end(CANNOT);
      this.run = view.run;
      this.acts += report.acts.length;
    } else if (report.over && cursor.t >= report.now)
      return this.#end(`${report.over} The page no longer follows the server.`);
    // Play as fast as the server's run, or faster if the page is behind.
    const behind = (report.now - cursor.t) / 1e6 / EVERY_MS;
    const speed = behind > 2 * report.speed ? behind : report.speed;
    await lab.change('play', { speed: Math.min(Math.max(speed, 0.01), 1000), until: report.now });
    this.#scheduleBeat();
  }

  /** Opens the run with the server's acts, at the server's instant. @returns {Promise<boolean>} */
  async #open() {
    const { lab } = this.ports;
    const { scenario, acts, now } = /** @type {ServerRun} */ (this.told);
    const at = { t: now, n: -1 };
    const view = await lab.change('open', { scenario, actions: acts, cursor: at, live: at });
    if (!view) {
      this.#end(CANNOT);
      return false;
    }
    this.run = view.run;
    this.#compare(view, /** @type {ServerRun} */ (this.told));
    return true;
  }

  /** @param {View} view @param {ServerRun} told */
  #compare(view, told) {
    if (view.run !== this.run || view.cursor.t !== told.now || !told.hash) return;
    const isSame = view.hash === told.hash;
    this.ports.tell(isSame ? 'same' : 'different');
    if (!isSame)
      this.ports.notifier.notify("The page's run differs from the server's: the trace hashes are not the same.", {
        tone: 'error',
      });
  }

  /** Whether the visitor has left the server's run. */
  #hasLeft() {
    const { lab } = this.ports;
    if (!lab.touched && lab.state.view.value.run === this.run) return false;
    this.#end('This is your own copy now: the page no longer follows the server.');
    return true;
  }

  /** @param {string} sentence */
  #end(sentence) {
    this.ports.tell('');
    const followAgain = () => {
      this.begin().catch(() => this.#end('The server does not answer.'));
    };
    this.ports.notifier.notify(sentence, { action: { label: 'Follow the server', run: followAgain } });
  }
}
