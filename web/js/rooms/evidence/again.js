/** Runs the same incident in the laboratory. Shows what would have helped, and which exhibits resemble the incident. */
import { signal } from '@preact/signals-core';
import { againTemplate } from './templates.js';

/** @import { EvidenceAgain, EvidenceRun, Like, WhatIfLine } from '../../protocol.js' */
/** @import { Page } from '../desk/index.js' */
/** @import { Inquiry } from './inquiry.js' */

export class Again {
  /** The run of a Lease; "running" while the engine computes the run. */
  result = signal(/** @type {{lease: string, answer: EvidenceAgain} | 'running' | null} */ (null));
  /** The number of the run that this has opened. */
  #run = -1;

  /**
   * @param {Pick<Page, "state" | "lab" | "notifier" | "run">} page
   * @param {Inquiry} inquiry
   * @param {() => void} close the room
   */
  constructor({ state, lab, notifier, run }, inquiry, close) {
    this.state = state;
    this.lab = lab;
    this.notifier = notifier;
    this.run = run;
    this.inquiry = inquiry;
    this.close = close;
  }

  async start() {
    const lease = this.inquiry.chosen.value;
    this.result.value = 'running';
    try {
      const answer = await this.inquiry.reading.scenarioOf(lease);
      this.result.value = (await this.#open(answer)) ? { lease, answer } : null;
    } catch (failure) {
      this.result.value = null;
      this.inquiry.tellFailure(failure);
    }
  }

  /** Opens the run at the end of its overlap, or else at its last leader change. @param {EvidenceAgain} answer */
  async #open({ scenario, at, end }) {
    const params = { scenario, cursor: { t: at, n: -1 }, live: { t: end, n: -1 } };
    const done = await this.lab.open(params, 'The run of the evidence will open');
    this.#run = this.state.view.value.run;
    return done;
  }

  /** Opens the run of a trace file at the end of the file. @param {EvidenceRun} run */
  async trace({ scenario, end }) {
    const place = { t: end, n: -1 };
    const done = await this.lab.open({ scenario, cursor: place, live: place }, 'The run of the trace will open');
    if (done) this.#leave('The run of the trace is open.');
  }

  /** @param {string} sentence */
  #leave(sentence) {
    this.close();
    const action = { label: 'Back to the evidence', run: () => this.run('evidence') };
    this.notifier.notify(sentence, { action });
  }

  /** Opens a branch with one change. @param {EvidenceAgain} answer @param {WhatIfLine} line */
  async #cure(answer, { number: line, sentence }) {
    if (this.state.view.value.run !== this.#run && !(await this.#open(answer))) return;
    const { kind, number } = answer;
    if (await this.lab.change('try', { kind, number, line })) this.#leave(`With ${sentence}.`);
  }

  /** What the room shows; nothing for another Lease. */
  template() {
    const current = this.result.value;
    if (!current || current === 'running' || current.lease !== this.inquiry.chosen.value) return undefined;
    return againTemplate(current.answer, {
      look: () => this.#leave('The run of the evidence is open.'),
      cure: (line) => this.#cure(current.answer, line),
      museum: (/** @type {Like} */ { id }) => {
        this.close();
        this.run('museum', id);
      },
    });
  }
}
