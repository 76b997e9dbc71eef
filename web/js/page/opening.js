/**
 * The recorded run that the page shows until the engine has loaded. It plays, pauses, seeks, and answers everything
 * that the first view shows. All else waits for the engine.
 *
 * The file stores frames as successive differences: frame 0 is whole, and frame k = merge(frame k−1, difference k).
 * Objects merge member by member, an array replaces an array, and null deletes a member. The build packs them tighter
 * (web/opening.mjs): an object in place of an array patches the array's elements by index, and the file omits members
 * that follow from the cursor.
 *
 * Guarantee: this module hands out no event, object or cause after the live instant. It hands out the whole timeline,
 * and the timeline's layout cuts it at the live instant.
 */

/**
 * @import { Cursor, Events, EventsParams, Given, Nanos, ObjectView, Op, Opening, Ops, Timeline } from '../protocol.js'
 * @import { View, Why } from '../protocol.js'
 */

/** Between these two instants, the recorded run plays at story speed. */
export const STORY_FROM = 12e9;
export const STORY_UNTIL = 36e9;

/** The most wall time that one frame may catch up, so that the run does not jump after the tab slept. */
const MAX_CATCH_UP_MS = 250;

/** The members of an object or of a list. @typedef {{[name: string]: unknown}} Members */

/** @param {unknown} value @returns {value is Members} */
export const hasMembers = (value) => value !== null && typeof value === 'object';

/** @param {unknown} base @param {unknown} delta @returns {unknown} */
export function merge(base, delta) {
  if (!hasMembers(delta) || Array.isArray(delta)) return delta;
  if (!hasMembers(base)) return merge({}, delta);
  const out = /** @type {Members} */ (Array.isArray(base) ? [...base] : { ...base });
  for (const [key, change] of Object.entries(delta)) {
    if (change === null) delete out[key];
    else out[key] = merge(out[key], change);
  }
  return out;
}

/** @param {View[]} deltas @param {View} [before] the frame that the first difference changes @returns {View[]} */
export function decodeFrames(deltas, before) {
  /** @type {View[]} */
  const frames = [];
  let last = before;
  for (const delta of deltas) {
    last = last === undefined ? delta : /** @type {View} */ (merge(last, delta));
    frames.push(last);
  }
  return frames;
}

/**
 * The part after the story, which the page fetches once the story is on screen. It also holds the help texts of fields,
 * which only the inspector shows.
 * @typedef {{frames: View[], rows: Events["rows"], objects: ObjectView[], fieldHelp: Opening["hello"]["fieldHelp"]}}
 *   Rest
 */

/** Order of two cursors; n = −1 comes after every event of its instant. @param {Cursor} a @param {Cursor} b */
export function compareCursors(a, b) {
  if (a.t !== b.t) return a.t - b.t;
  const an = a.n < 0 ? Number.MAX_SAFE_INTEGER : a.n;
  const bn = b.n < 0 ? Number.MAX_SAFE_INTEGER : b.n;
  return an - bn;
}

/** The recorded run cannot do this: the page queues it for the engine. */
export class NotYet extends Error {}

const LOADING = 'The simulator is still loading.';

export class RecordedRun {
  /** @type {(view: View) => void} */
  onView = () => {};

  /** @param {Opening} opening @param {Nanos} startAt the instant shown first; the live instant starts there too */
  constructor(opening, startAt) {
    this.opening = opening;
    this.frames = decodeFrames(opening.frames);
    this.end = this.frames[0].end;
    /** @type {Cursor} */
    this.cursor = { t: startAt, n: -1 };
    /** @type {Cursor} */
    this.live = { t: startAt, n: -1 };
    this.playing = false;
    this.speed = 0;
    /** @type {Nanos} */
    this.until = this.end;
    this.wall = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /** What happens after the story. @param {Rest} rest */
  extend({ frames, rows, objects, fieldHelp }) {
    this.opening.hello.fieldHelp.push(...fieldHelp);
    this.frames = [...this.frames, ...decodeFrames(frames, this.frames[this.frames.length - 1])];
    const { events } = this.opening;
    this.opening = {
      ...this.opening,
      events: { ...events, rows: [...events.rows, ...rows] },
      objects: [...this.opening.objects, ...objects],
    };
  }

  /** @param {Cursor} cursor */
  frameAt(cursor) {
    let low = 0;
    let high = this.frames.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (compareCursors(this.frames[middle].cursor, cursor) <= 0) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** @param {Nanos} t */
  paceAt(t) {
    let factor = 1;
    for (const span of this.opening.pace) {
      if (span.t > t) break;
      factor = span.factor;
    }
    return factor;
  }

  /** @returns {View} */
  view() {
    const at = this.frameAt(this.cursor);
    const frame = this.frames[at];
    const lastFrame = this.frames[this.frameAt(this.live)];
    const following = this.frames[at + 1]?.cursor.t ?? this.end;
    const rest = { ...frame };
    delete rest.undo;
    delete rest.redo;
    return {
      ...rest,
      hash: '',
      cursor: this.cursor,
      live: this.live,
      nextT: Math.max(this.cursor.t, Math.min(following, this.live.t)),
      playing: this.playing,
      speed: this.speed,
      storySpeed: this.paceAt(this.cursor.t),
      lease: { ...frame.lease, versions: lastFrame.lease.version },
      branches: frame.branches.map((branch) => ({ ...branch, live: this.live.t })),
    };
  }

  /**
   * The operations that need no engine; the others wait for it.
   * @type {{[O in Op]?: (params: Ops[O]['params']) => Ops[O]['result']}}
   */
  #answers = {
    play: ({ speed, until }) => this.play(speed, until),
    pause: () => {
      this.stop();
      return this.view();
    },
    seek: ({ cursor }) => {
      this.moveTo(cursor);
      return this.view();
    },
    timeline: ({ from, to }) => ({ ...this.opening.timeline, from, to }),
    events: (params) => this.events(params),
    object: ({ version }) => this.object(version),
    why: ({ change }) => this.why(change),
  };

  /** None of its operations changes the run. */
  changes() {
    return false;
  }

  /** @param {Op} op */
  can(op) {
    return op in this.#answers;
  }

  /** @template {Op} O @param {O} op @param {Given<O>} given @returns {Promise<Ops[O]['result']>} */
  async request(op, ...[params]) {
    const answer = this.#answers[op];
    if (!answer) throw new NotYet(LOADING);
    return answer(/** @type {Ops[O]['params']} */ (params ?? {}));
  }

  /** @param {number} speed @param {Nanos} [until] */
  play(speed, until) {
    this.speed = speed;
    this.until = until ?? this.end;
    if (this.cursor.t >= this.until) this.until = this.end;
    if (this.cursor.t >= this.end) return this.view();
    this.playing = true;
    this.wall = performance.now();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.tick(), 16);
    return this.view();
  }

  stop() {
    this.playing = false;
    clearTimeout(this.timer);
  }

  /** Plays a slice of wall time, but not past the point where the pace changes. */
  tick() {
    const wall = performance.now();
    const slice = Math.min(wall - this.wall, MAX_CATCH_UP_MS) * 1e6;
    this.wall = wall;
    const from = this.cursor.t;
    const change = this.speed ? undefined : this.opening.pace.find((span) => span.t > from)?.t;
    const to = from + Math.ceil(slice * (this.speed || this.paceAt(from)));
    const t = Math.min(to, change ?? to, this.until);
    this.cursor = { t, n: -1 };
    if (compareCursors(this.cursor, this.live) > 0) this.live = this.cursor;
    if (t >= this.until) this.stop();
    else this.timer = setTimeout(() => this.tick(), 16);
    this.onView(this.view());
  }

  /** @param {Cursor} cursor */
  moveTo(cursor) {
    const target = { t: Math.max(0, Math.round(cursor.t)), n: cursor.n };
    this.cursor = compareCursors(target, this.live) > 0 ? this.live : target;
  }

  /** @param {EventsParams} params @returns {Events} */
  events({ around, from, count, filter, node }) {
    if (filter || node) throw new NotYet(LOADING);
    const visibleRows = this.opening.events.rows.filter((row) => compareCursors(row, this.live) <= 0);
    const at = visibleRows.findLastIndex((row) => compareCursors(row, around ?? this.cursor) <= 0);
    const first = from ?? Math.max(0, Math.min(at - Math.floor(count / 2), visibleRows.length - count));
    const rows = visibleRows.slice(first, first + count);
    return { run: this.frames[0].run, total: visibleRows.length, from: first, rows, at };
  }

  /** @param {number} [version] @returns {ObjectView} */
  object(version) {
    const known = this.opening.objects.filter((object) => object.t <= this.live.t);
    const wanted = version || this.view().lease.version;
    const object = known.find((candidate) => candidate.version === wanted);
    if (!object) throw new NotYet('No Lease yet. The first node to ask creates it.');
    return { ...object, versions: known.length };
  }

  /** @param {number} change @returns {Why} */
  why(change) {
    const { why } = this.opening;
    if (why.change.index !== change || why.change.at > this.live.t) throw new NotYet(LOADING);
    return why;
  }
}
