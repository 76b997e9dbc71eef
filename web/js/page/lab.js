/**
 * The run behind the page: the recorded opening until the engine has loaded, and then the engine. Every request about
 * the run goes through this class, which turns answers into state. It never touches the document.
 */

import { formatInstant } from '../lib/format.js';
import { Missing, tellIfReplaced } from '../lib/later.js';
import { isPlain, isUnchanged } from '../lib/share.js';
import { arrivalOf } from './arrival.js';
import { actDone, actPromise, refusalOf } from './commands.js';
import { moveHint } from './hint.js';
import { LONGER, offerLonger } from './longer.js';
import { NotYet, RecordedRun, STORY_FROM, STORY_UNTIL } from './opening.js';
import { instantNow } from './state.js';
import { STORY_VIEW, show, showAll, showInstant, showRelevant } from './timeline/shown.js';

/** @import { Action, Notifier } from '../lib/notify.js' */
/** @import { Linked } from '../lib/share.js' */
/**
 * @import { ActParams, Change, Cursor, ErrorReply, Given, Nanos, Op, OpenParams, Opening, Ops } from '../protocol.js'
 * @import { View } from '../protocol.js'
 */
/** @import { Engine } from '../rooms/engine/engine.js' */
/** @import { Queued, Selection, State } from './state.js' */

/** @typedef {(lab: Lab) => Promise<void>} OpenEngine starts the engine, which takes the run over */
/**
 * A request that a lesson may refuse or change.
 * @typedef {{[O in Change | 'rest']: [op: O, params: Ops[O]['params']]}[Change | 'rest']} Judged
 */
/**
 * @typedef {{refusal?: string, params?: Ops[Change]['params']}} Verdict refusal: the sentence that refuses;
 *   params: what to send instead
 */

export class Lab {
  /**
   * @param {State} state @param {Notifier} notifier
   * @param {{opening: Opening, assets: typeof __ASSETS__, loadEngine: () => Promise<OpenEngine | undefined>}} parts
   */
  constructor(state, notifier, { opening, assets, loadEngine }) {
    this.state = state;
    this.notifier = notifier;
    this.opening = opening;
    this.assets = assets;
    this.loadEngine = loadEngine;
    this.receivedAt = 0;
    /** Leads from a page to the lab. @type {() => void} */
    this.showLab = () => {};
    /** The visitor has acted, so the address now follows the run. */
    this.touched = false;
    /** The number of runs that the visitor has opened: each is an entry of the history. */
    this.opens = 0;
    /** Reloads the page. Once the engine runs, the run, its branches and undo survive. */
    this.reload = () => location.reload();
    /** @type {Linked | undefined} a link that needs the engine */
    this.linked = undefined;
    /** A lesson's verdict on a request. @type {((...request: Judged) => Promise<Verdict>) | undefined} */
    this.guard = undefined;
    /** @type {RecordedRun | Engine} */
    this.source = new RecordedRun(opening, STORY_FROM);
    state.hello.value = opening.hello;
  }

  /** The instant to draw now. @returns {Nanos} */
  now() {
    return instantNow(this.state.view.value, performance.now() - this.receivedAt);
  }

  /** Shows the recorded run at once. @param {{linked: Linked | undefined, autoplay: boolean}} how */
  begin({ linked, autoplay }) {
    const { opening, state } = this;
    const same = linked && linked.scenario === opening.frames[0].scenario && isPlain(linked, opening.frames[0].seed);
    const plain = same && !(linked.plays && autoplay);
    this.linked = linked && !same ? linked : undefined;
    state.shipped.value = !linked || isUnchanged(linked);
    const still = opening.why.change.at;
    const recorded = new RecordedRun(opening, this.linked ? 0 : autoplay ? STORY_FROM : still);
    if (plain) {
      recorded.live = { t: Math.min(linked.live.t, recorded.end), n: linked.live.n };
      recorded.moveTo(linked.cursor);
    }
    recorded.onView = (view) => this.receive(view);
    this.source = recorded;
    show(state, STORY_VIEW);
    const story = autoplay && !plain && !this.linked;
    this.receive(story ? recorded.play(0, STORY_UNTIL) : recorded.view());
    if (plain) this.fit();
    if (!story && !linked) moveHint(state, 'waits');
  }

  /** Says which run a link opens, before the engine has loaded. @param {Linked} linked */
  async announce(linked) {
    if (!this.linked && !linked.lesson) return;
    const { arrival } = this.state;
    arrival.value = arrivalOf(linked, []);
    // The browser keeps this file for the engine, which needs it, too.
    const shipped = await fetch(this.assets.scenarios)
      .then((answer) => answer.json())
      .catch(() => []);
    if (arrival.value) arrival.value = arrivalOf(linked, shipped);
  }

  /** Loads the part of the recorded run that follows the story. */
  async fetchRest() {
    const { source } = this;
    if (!(source instanceof RecordedRun)) return;
    const answer = await fetch(this.assets.rest);
    if (answer.ok) source.extend(await answer.json());
  }

  /** Fetches the engine and hands the run over to it. */
  async arrive() {
    const open = await this.loadEngine();
    try {
      if (open) await open(this);
      else this.fail('it could not be loaded');
    } catch (error) {
      this.fail(/** @type {Error} */ (error).message);
      tellIfReplaced();
    }
  }

  /**
   * The engine takes over the run; the recorded one stops and reports nothing more.
   * @param {Engine} engine
   * @param {View} view
   */
  takeOver(engine, view) {
    if (this.source instanceof RecordedRun) {
      this.source.stop();
      this.source.onView = () => {};
    }
    engine.onView = (next) => this.receive(next);
    this.source = engine;
    this.receive(view);
  }

  /** @param {string} message @param {string} [sentence] replaces the default sentence */
  fail(
    message,
    sentence = `The simulator could not start (${reasonOf(message)}). You can still watch this recorded run.`,
  ) {
    const { state } = this;
    state.phase.value = 'failed';
    state.arrival.value = null;
    state.failure.value = sentence;
    const waiting = state.queued.value;
    state.queued.value = [];
    const [first] = waiting;
    const undone = `${first?.sentence}: not done, because the simulator could not start.`;
    if (first) this.notifier.notify(undone, { tone: 'error' });
    if (this.linked) {
      this.linked = undefined;
      this.notifier.notify('This link needs the simulator, so the recorded run is open instead.', { tone: 'error' });
    }
    this.notifier.say(state.failure.value);
  }

  /** @param {View} view */
  receive(view) {
    const { state } = this;
    const before = state.view.value;
    this.receivedAt = performance.now();
    state.view.value = view;
    const paused = before?.playing && !view.playing;
    if (paused && view.cursor.t >= STORY_UNTIL && !this.touched) moveHint(state, 'waits');
    // A message's Undo button is about one act, so the message disappears when the undo stack changes.
    if (before && before.undo !== view.undo) this.notifier.withdraw((toast) => toast.action?.label === 'Undo');
    if (view.toast && view.toast !== before?.toast) {
      this.notifier.notify(view.toast, { action: view.undo ? { label: 'Undo', run: () => this.undo() } : undefined });
    }
  }

  /**
   * Asks about the run without changing it.
   * @template {Op} O
   * @param {O} op @param {Given<O>} given @returns {Promise<Ops[O]['result']>}
   */
  ask(op, ...given) {
    return this.source.request(op, ...given);
  }

  /**
   * Changes the run or the cursor. If the recorded run cannot do it, the change waits for the engine, and the page says
   * so.
   * @template {Change} O
   * @param {O} op @param {Ops[O]['params']} [params]
   * @param {string} [sentence] what the change does, for the status region and the queue
   * @returns {Promise<View | undefined>}
   */
  async change(op, params, sentence) {
    const { state } = this;
    if (this.source instanceof RecordedRun && !this.source.can(op)) {
      this.queue({ sentence: sentence ?? op, retry: () => this.change(op, params, sentence) });
      return undefined;
    }
    const { refusal, params: allowed = params } =
      (await this.guard?.(.../** @type {Judged} */ ([op, params ?? {}]))) ?? {};
    if (refusal) {
      this.notifier.notify(refusal);
      return undefined;
    }
    const before = state.view.value;
    try {
      const view = /** @type {View} */ (await this.source.request(op, .../** @type {Given<O>} */ ([allowed])));
      this.receive(view);
      if (this.source.changes(op)) {
        state.pinnedVersion.value = 0;
        showRelevant(state);
      }
      if (op === 'act' && this.#playsOn(before, view)) await this.change('play', { speed: state.speed.value });
      return view;
    } catch (error) {
      const ended = op === 'act' && before.cursor.t >= before.end;
      if (ended) offerLonger(this, 'The run ends here.', before.end + LONGER, () => this.change(op, params, sentence));
      else this.tellFailure(error);
      return undefined;
    }
  }

  /**
   * Whether the run plays on after an act, to show what the act does. It plays on if the act has just happened at the
   * live end. It stays where it is after an act for a later time, and after a lesson's act.
   * @param {View} before @param {View} after
   */
  #playsOn(before, after) {
    const hasMoved = after.live.t > before.live.t || after.branch !== before.branch;
    return this.state.playOn.value && !this.guard && !after.playing && hasMoved && after.cursor.t >= after.live.t;
  }

  /** Goes to an instant. Computes the run up to there first, if the page has not shown it yet. @param {Nanos} t */
  async goTo(t) {
    const { live, end } = this.state.view.value;
    if (t <= live.t) await this.seek({ t, n: -1 });
    else if (t <= end) {
      this.touch();
      await this.change('runTo', { what: 'time', t }, `The run will go to ${formatInstant(t)}`);
    } else offerLonger(this, `The run ends at ${formatInstant(end)}.`, t, () => this.goTo(t));
    showRelevant(this.state);
  }

  /**
   * Tells the reader about a failure: a refusal in its own words, anything else as a bug. Other code reports what the
   * recorded run cannot do and what killed the engine.
   * @param {unknown} error
   * @param {boolean} [expected] the caller handles refusals itself
   */
  tellFailure(error, expected = false) {
    const { message, stack = '', reply } = /** @type {Error & {reply?: ErrorReply}} */ (error ?? {});
    if (error instanceof NotYet || error instanceof Missing || reply?.code === 'panic') return;
    if (reply) {
      if (!expected) this.notifier.notify(message, { tone: 'error' });
      return;
    }
    console.error(error);
    const { engine } = this.state.hello.value;
    const { scenario, seed, cursor } = this.state.view.value ?? {};
    const report = { engine, message: `${error}`, stack, scenario, seed, cursor };
    this.bug('The page failed at this step. This is a bug in leaselab.', report);
  }

  /** @param {string} sentence @param {object} report what a developer needs */
  bug(sentence, report) {
    const run = () => this.copy(JSON.stringify(report, null, 2), 'the bug report');
    this.notifier.notify(sentence, { tone: 'error', action: { label: 'Copy the bug report', run } });
  }

  /** @param {Queued} queued */
  queue(queued) {
    const { state } = this;
    if (state.phase.value === 'failed') {
      this.notifier.notify(state.failure.value, { tone: 'error' });
      return;
    }
    if (this.source instanceof RecordedRun) {
      this.source.stop();
      this.receive(this.source.view());
    }
    state.queued.value = [...state.queued.value, queued];
  }

  /** @param {string} act @param {string} target @param {object} [options] */
  async act(act, target, options) {
    const { state } = this;
    const refusal = act === 'add' ? '' : refusalOf(state.view.value, target, act);
    if (refusal) {
      this.notifier.notify(refusal);
      return;
    }
    this.touch();
    const { cursor, end } = state.view.value;
    if (cursor.t >= end) {
      offerLonger(this, 'The run ends here.', end + LONGER, () => this.act(act, target, options));
      return;
    }
    const params = { act, ...(act === 'add' ? {} : { node: target }), ...(options ? { options } : {}) };
    const early = this.source instanceof RecordedRun;
    const { acts } = state.hello.value;
    const done = await this.change('act', params, actPromise(acts, act, target));
    if (done) this.notifier.say(`${actDone(acts, act, target)}.`);
    else if (early && state.phase.value === 'opening')
      this.notifier.say(`${actPromise(acts, act, target)} as soon as the simulator has loaded.`);
  }

  touch() {
    this.touched = true;
    moveHint(this.state, 'touched');
  }

  async playPause() {
    const { view } = this.state;
    if (view.value.playing) await this.pause();
    else await this.play();
  }

  async play() {
    const { view, speed } = this.state;
    if (view.value.cursor.t >= view.value.end) await this.change('seek', { cursor: { t: 0, n: 0 } });
    showInstant(this.state, view.value.cursor.t);
    await this.change('play', { speed: speed.value });
  }

  async pause() {
    this.touched = true;
    await this.change('pause');
  }

  /** @param {number} speed */
  async setSpeed(speed) {
    this.state.speed.value = speed;
    if (this.state.view.value.playing) await this.change('play', { speed });
  }

  /** @param {Cursor} cursor */
  async seek(cursor) {
    this.touched = true;
    if (this.state.view.value.playing) await this.change('pause');
    await this.change('seek', { cursor });
  }

  /** @param {number} direction @param {"event" | "landmark"} unit */
  async step(direction, unit) {
    this.touched = true;
    const where = `${direction < 0 ? 'last' : 'next'} ${unit}`;
    return this.change('step', { direction, unit }, `The run will step to the ${where}`);
  }

  async undo() {
    const { view } = this.state;
    const { undo } = view.value;
    if (!undo) return this.notifier.say('Nothing to undo.');
    if (!(await this.change('undo'))) return;
    if (!view.value.undo) moveHint(this.state, 'undone');
    this.notifier.say(`Undone: ${undo}.`);
  }

  async redo() {
    const { redo } = this.state.view.value;
    if (!redo) return this.notifier.say('Nothing to redo.');
    if (await this.change('redo')) this.notifier.say(`Redone: ${redo}.`);
  }

  /**
   * @param {OpenParams} params @param {string} sentence
   * @param {string} [watch] what to watch in this run; it stays on the page until the visitor dismisses it
   * @returns {Promise<boolean>}
   */
  async open(params, sentence, watch = '') {
    this.touch();
    moveHint(this.state, 'left');
    const view = await this.change('open', params, sentence);
    if (!view) return false;
    this.opens++;
    this.state.shipped.value = isUnchanged(params);
    this.resetPage({});
    this.showLab();
    this.state.watch.value = watch;
    this.notifier.say(`${view.title} is open.`);
    return true;
  }

  /** @param {Linked} linked */
  async openLink(linked) {
    if (await this.open(this.openParams(linked), 'The link will open')) this.resetPage(linked);
  }

  /** The part of a link that the engine opens. @param {Linked} linked @returns {OpenParams} */
  openParams({ scenario, patch, actions, seed, cursor, live, engine, hash }) {
    return { scenario, patch, actions, seed, cursor, live, engine, hash };
  }

  /** Resets the page after another run has opened. @param {{selection?: Selection}} linked */
  resetPage({ selection }) {
    const { state } = this;
    state.selection.value = selection ?? null;
    state.pinnedVersion.value = 0;
    state.eventsFrom.value = -1;
    state.filter.value = '';
    state.filterNode.value = '';
    state.why.value = null;
    this.fit();
  }

  fit() {
    showAll(this.state);
  }

  /** @returns {Promise<Linked>} */
  async share() {
    const { state } = this;
    if (!(this.source instanceof RecordedRun)) {
      const share = await this.source.request('share');
      return state.selection.value ? { ...share, selection: state.selection.value } : share;
    }
    const { scenario, seed, hash, cursor, live } = state.view.value;
    return { scenario, seed, hash, cursor, live, patch: [], actions: [], engine: this.opening.engine };
  }

  /** @param {string} text @param {string} what @param {Action} [action] what else to offer */
  async copy(text, what, action) {
    try {
      await navigator.clipboard.writeText(text);
      this.notifier.notify(`Copied: ${what}.`, { action });
      return true;
    } catch {
      this.notifier.notify(`Not copied: ${what}. The browser refused the clipboard.`, { tone: 'error' });
      return false;
    }
  }
}

/** @param {string} message */
function reasonOf(message) {
  if (/failed to fetch|networkerror|load failed/i.test(message)) {
    return navigator.onLine ? 'WebAssembly is blocked' : 'the network is down';
  }
  if (/webassembly|wasm|compile/i.test(message)) return 'WebAssembly is blocked';
  return message.replace(/^(\w+) is not (defined|a constructor)$/, 'this browser has no $1');
}
