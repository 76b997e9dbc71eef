/** Runs the same incident in the laboratory: what would have helped, and which exhibits resemble it. */
import { signal } from '@preact/signals-core';
import { againTemplate } from './templates.js';

/** @import { EvidenceAgain, EvidenceRun, Like, WhatIfLine } from '../../protocol.js' */
/** @import { Page } from '../desk/index.js' */
/** @import { Inquiry } from './inquiry.js' */

export class Again {
  /** The run of a Lease, or why there is none; null while the engine computes it. */
  result = signal(/** @type {{answer?: EvidenceAgain, error?: string} | null} */ (null));
  /** The Lease that it is about. */
  #lease = '';
  /** The number of the run that this has opened. */
  #run = -1;

  /**
   * @param {Pick<Page, "state" | "lab" | "notifier" | "run">} page
   * @param {Inquiry} inquiry
   * @param {() => void} close the room
   */
  constructor(page, inquiry, close) {
    this.page = page;
    this.inquiry = inquiry;
    this.close = close;
  }

  /** Computes the run of a Lease, and what would have helped. @param {string} lease @param {string} [cause] */
  async prepare(lease, cause) {
    this.#lease = lease;
    this.#run = -1;
    this.result.value = null;
    const result = await this.inquiry.reading.scenarioOf(lease, cause).then(
      (answer) => ({ answer }),
      (/** @type {Error} */ { message }) => ({ error: message }),
    );
    if (this.#lease === lease) this.result.value = result;
  }

  /** Opens the run at the end of its overlap, or else at its last leader change. @param {EvidenceAgain} answer */
  async #open({ scenario, at, end }) {
    const params = { scenario, cursor: { t: at, n: -1 }, live: { t: end, n: -1 } };
    const done = await this.page.lab.open(params, 'The run of the evidence will open');
    this.#run = this.page.state.view.value.run;
    return done;
  }

  /** Opens the run of a trace file at the end of the file. @param {EvidenceRun} run */
  async trace({ scenario, end }) {
    const place = { t: end, n: -1 };
    const done = await this.page.lab.open({ scenario, cursor: place, live: place }, 'The run of the trace will open');
    if (done) this.#leave('The run of the trace is open.');
  }

  /** @param {string} sentence the only message: several would cover the story */
  #leave(sentence) {
    this.close();
    this.page.notifier.withdraw(({ tone }) => tone !== 'error');
    const action = { label: 'Back to your logs', run: () => this.page.run('evidence') };
    this.page.notifier.notify(sentence, { action });
  }

  /** Opens a branch with one change. @param {EvidenceAgain} answer @param {WhatIfLine} line */
  async #cure(answer, { number: line, label }) {
    if (this.page.state.view.value.run !== this.#run && !(await this.#open(answer))) return;
    const { kind, number } = answer;
    if (await this.page.lab.change('try', { kind, number, line })) this.#leave(`Your night with ${label}.`);
  }

  template() {
    return againTemplate(this.result.value, {
      look: async (answer) => {
        if (await this.#open(answer)) this.#leave('Your night is open in the lab.');
      },
      cure: (answer, line) => this.#cure(answer, line),
      goTest: async (answer) => {
        if (!(await this.#open(answer))) return;
        this.#leave('Your night is open in the lab.');
        this.page.run('export', 'go');
      },
      as: (cause) => this.prepare(this.#lease, cause),
      lesson: () => {
        this.close();
        this.page.run('lesson', 9);
      },
      museum: (/** @type {Like} */ { id }) => {
        this.close();
        this.page.run('museum', id);
      },
    });
  }
}
