/** Follows the run while a teacher writes a lesson, and turns the teacher's acts into steps. */
import { signal } from '@preact/signals-core';
import { actLabel } from '../../page/commands.js';
import { newDraft, runOf, withPlayedActs } from './draft.js';

/** @import { Page } from '../desk/index.js' */
/** @import { Action, Draft, Members } from './draft.js' */
/** @import { Writing } from './writing.js' */

/** @typedef {Pick<Page, "state" | "lab">} RecorderPorts */

export class Recorder {
  /** Acts of the run that are older than the lesson. @type {Action[]} */
  #before = [];

  /** @param {RecorderPorts} page @param {Writing} writing */
  constructor({ state, lab }, writing) {
    this.state = state;
    this.lab = lab;
    this.writing = writing;
    /** Whether the run on screen belongs to the lesson. */
    this.on = signal(false);
  }

  /** Adds the acts since the last call to the lesson. */
  async record() {
    if (!this.on.peek()) return;
    const run = await this.#run();
    const draft = this.writing.draft.peek();
    if (draft?.steps && this.on.peek()) this.writing.change(withPlayedActs(draft, run));
  }

  /** The run now. */
  async #run() {
    const { state, lab } = this;
    const [share, saved] = await Promise.all([lab.share(), lab.ask('save')]);
    const view = state.view.peek();
    const { acts } = state.hello.peek();
    return {
      share: { ...share, seed: share.seed ?? view.seed, actions: /** @type {Action[]} */ (share.actions) },
      saved: /** @type {Members} */ (saved.scenario),
      before: this.#before,
      nodes: view.nodes.map(({ name }) => name),
      label: (/** @type {string} */ act, /** @type {string} */ node) => actLabel(acts, act, node).replace('…', ''),
      told: view.undo ?? '',
    };
  }

  /** Begins a lesson with the run on screen, at its cursor. */
  async begin() {
    const { view, viewport } = this.state;
    const { actions } = await this.lab.share();
    this.#before = /** @type {Action[]} */ (actions);
    const { title, scenario, cursor } = view.peek();
    const empty = newDraft({ title: `My lesson: ${title}`, scenario, opens: cursor.t, shows: viewport.peek() });
    this.writing.change(withPlayedActs(empty, await this.#run()));
    this.on.value = true;
  }

  /** Opens the run of the lesson, with all its acts. @param {Draft} draft */
  async open(draft) {
    this.on.value = false;
    this.#before = [];
    await this.lab.openLink(runOf(draft));
    this.follow();
    this.on.value = this.state.view.peek().scenario === scenarioOf(draft);
  }

  /** Stops when the page has opened another run. */
  follow() {
    const { scenario } = this.state.view.value;
    const draft = this.writing.draft.peek();
    if (draft && scenario !== scenarioOf(draft)) this.on.value = false;
  }

  /** The node that a step would mark: the selected one. */
  markedNode() {
    const chosen = this.state.selection.value?.node;
    const node = this.state.view.value.nodes.find(({ name }) => name === chosen);
    return node && { region: node.role === 'leading' ? 'ticks' : 'slope', node: node.name };
  }

  /** The words for what a new step would mark, or "". */
  get marked() {
    const node = this.markedNode()?.node;
    return node ? `the lane of ${node}` : this.marksLease() ? 'the Lease' : '';
  }

  /** Whether a new step would show the Lease. It would after a click on the Lease. */
  marksLease() {
    return this.state.selection.value?.kind === 'version';
  }
}

/** The name of the scenario that a lesson runs. @param {Draft} draft @returns {string} */
const scenarioOf = ({ scenario }) => (typeof scenario === 'string' ? scenario : (scenario?.name ?? ''));
