/** Shows a growing record at its live edge, or at the visitor's cursor. */

/** @import { Lab } from '../../page/lab.js' */
/** @import { Notifier } from '../../lib/notify.js' */
/** @import { RecordFeedParams, RecordKnown } from '../../protocol.js' */
/** @import { Engine } from '../engine/engine.js' */
/** @import { Banner } from './banner.js' */

/**
 * How far the page may fall behind before it jumps, and how close to the live edge a playing page counts as following.
 */
const BEHIND_NS = 1.5e9;
const NEAR_NS = 0.5e9;

/**
 * @typedef {object} Ports
 * @property {Pick<Lab, 'change' | 'receive' | 'touched' | 'state'>} lab
 * @property {Pick<Notifier, 'notify' | 'say'>} notifier
 * @property {Pick<Engine, 'request'>} engine
 * @property {Pick<Banner, 'show'>} banner
 * @property {() => Promise<unknown>} show opens the record so far
 * @property {(follows: "same" | "different" | "") => void} [tell] whether the page shows the record; "" when it no
 *   longer does
 */

export class Following {
  /** @param {Ports} ports */
  constructor(ports) {
    this.ports = ports;
    this.shown = false;
    /** Whether the page stays at the live edge. */
    this.follows = false;
    /** The end of the acts. */
    this.end = 0;
    /** Whether the acts are over and the page has told the reader. */
    this.played = false;
    this.tell = ports.tell ?? markFollowing;
  }

  /** Reads the record to its end. @param {AsyncIterable<string>} texts */
  async read(texts) {
    const { engine } = this.ports;
    await engine.request('recordBegin');
    let broke = '';
    try {
      for await (const text of texts) {
        if (this.#hasEnded(await this.#take({ text }))) return;
      }
    } catch (error) {
      broke = ` (${/** @type {Error} */ (error).message})`;
    }
    const progress = await this.#take({ text: '', over: true });
    if (this.#hasEnded(progress)) return;
    this.#tellEnd(
      progress.whole ? 'The run has ended.' : `The server no longer answers${broke}: the run is shown up to here.`,
    );
  }

  /** Whether following has ended. @param {RecordKnown} known */
  #hasEnded({ says }) {
    if (says) {
      this.tell('different');
      this.#tellEnd(`The record cannot be followed: ${says}.`, 'error');
      return true;
    }
    if (!this.shown || this.ports.lab.state.view.value.record) return false;
    this.tell('');
    this.#tellEnd('The page shows another run now. Reload it to follow the real programs.');
    return true;
  }

  /** Goes to the edge and stays there. */
  async follow() {
    const { lab } = this.ports;
    const { live } = lab.state.view.value;
    lab.touched = false;
    this.follows = true;
    await lab.change('seek', { cursor: { t: live.t, n: -1 } });
    await lab.change('play', { speed: 1 });
    this.#draw();
  }

  /** Takes a new part of the record and shows it. @param {RecordFeedParams} fed @returns {Promise<RecordKnown>} */
  async #take(fed) {
    const { lab, engine, notifier } = this.ports;
    const progress = await engine.request('recordFeed', fed);
    if (progress.says || progress.end === 0) return progress; // the record's first line is still incomplete
    if (!this.shown) {
      this.shown = true;
      this.end = progress.end;
      await this.ports.show();
      this.tell('same');
      notifier.notify('These are real programs. The page follows them; you can go back while they run.');
      await this.follow();
      return progress;
    }
    if (!progress.view) return progress; // the page shows another run, or one that it computed
    if (!lab.state.view.value.playing) lab.receive(progress.view);
    await this.#keepUp(progress);
    if (!this.played && progress.goesOn && progress.known >= this.end) {
      this.played = true;
      notifier.notify('The schedule has ended. The server runs on without faults.');
    }
    this.#draw();
    return progress;
  }

  /** @param {RecordKnown} known */
  async #keepUp({ known, goesOn }) {
    const { lab } = this.ports;
    const { playing, cursor } = lab.state.view.value;
    if (!playing) this.follows = false;
    // A visitor who plays the run at the live edge is following, whatever happened before.
    if (playing && known - cursor.t < NEAR_NS) {
      this.follows = true;
      lab.touched = false;
    }
    if (this.follows && goesOn && known - cursor.t > BEHIND_NS && !lab.touched)
      await lab.change('seek', { cursor: { t: known, n: -1 } });
  }

  #draw() {
    const again = this.follows ? undefined : { label: 'Follow the run', run: () => this.follow() };
    const text = this.follows ? 'Real programs, live.' : 'Real programs. Their run goes on.';
    this.ports.banner.show({ text, live: this.follows, action: again });
  }

  /** @param {string} sentence @param {"error"} [tone] */
  #tellEnd(sentence, tone) {
    const { banner, notifier } = this.ports;
    banner.show({ text: `Real programs. ${sentence}` });
    notifier.notify(sentence, tone ? { tone } : {});
  }
}

/** Marks the page as one that follows. @param {string} follows */
export function markFollowing(follows) {
  if (follows) document.documentElement.dataset.follows = follows;
  else delete document.documentElement.dataset.follows;
}
