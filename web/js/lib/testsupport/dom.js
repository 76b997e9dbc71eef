/**
 * For tests: what of a browser the units of the page use. An element keeps the template that lit-html renders into it,
 * so that a test reads and presses what a visitor would. There is no layout, no parser and no style.
 */
import { canvas } from './canvas.js';
import { all, Drawn, text } from './template.js';

export class Place extends EventTarget {
  /** What was drawn last, and how often. @type {unknown} */
  drawn = undefined;
  drawings = 0;
  hidden = false;
  textContent = '';
  value = '';
  className = '';
  tabIndex = -1;
  open = false;
  clientWidth = 800;
  clientHeight = 400;
  offsetWidth = 60;
  /** @type {Place | undefined} */
  parent = undefined;
  /** @type {Place[]} */
  children = [];
  /** @type {Record<string, string>} */
  attributes = {};
  /** @type {Record<string, string | undefined>} */
  dataset = {};
  /** @type {Record<string, string>} */
  styles = {};
  style = {
    setProperty: (/** @type {string} */ name, /** @type {string} */ value) => {
      this.styles[name] = value;
    },
  };
  classList = { add: () => {} };
  /** Selectors that it matches now, besides those of what it is: ":popover-open". @type {Set<string>} */
  states = new Set();
  /** What lit-html left in a container the last time: this one keeps the template. */
  _$litPart$ = { _$AI: (/** @type {unknown} */ template) => this.draw(template) };
  pen = canvas();
  /** What querySelector found in the template. @type {Map<string, Place>} */
  #found = new Map();

  /** @param {string} id @param {string} [tag] */
  constructor(id, tag = 'div') {
    super();
    this.id = id;
    this.tag = tag;
  }

  /** @param {unknown} template */
  draw(template) {
    this.drawn = template;
    this.drawings++;
  }

  /** What a visitor reads in it. */
  get text() {
    return text(this.drawn);
  }

  get firstChild() {
    return this.textContent === '' ? null : { nodeValue: this.textContent };
  }

  append(/** @type {Place} */ child) {
    child.parent = this;
    this.children.push(child);
  }

  prepend(/** @type {Place} */ child) {
    child.parent = this;
    this.children.unshift(child);
  }

  remove() {
    if (this.parent) this.parent.children = this.parent.children.filter((one) => one !== this);
  }

  setAttribute(/** @type {string} */ name, /** @type {string} */ value) {
    this.attributes[name] = value;
  }

  getAttribute(/** @type {string} */ name) {
    return this.attributes[name] ?? null;
  }

  hasAttribute(/** @type {string} */ name) {
    return name in this.attributes;
  }

  toggleAttribute(/** @type {string} */ name, /** @type {boolean} */ on) {
    if (on) this.attributes[name] = '';
    else delete this.attributes[name];
  }

  removeAttribute(/** @type {string} */ name) {
    delete this.attributes[name];
  }

  matches(/** @type {string} */ selector) {
    return selector.split(',').some((one) => this.states.has(one.trim()) || `#${this.id}` === one.trim());
  }

  closest(/** @type {string} */ selector) {
    return this.matches(selector) ? this : null;
  }

  contains(/** @type {unknown} */ other) {
    return [this, ...this.children, ...this.#found.values()].some((one) => one === other);
  }

  querySelector(/** @type {string} */ selector) {
    return this.querySelectorAll(selector)[0] ?? null;
  }

  querySelectorAll(/** @type {string} */ selector) {
    const bare = selector.replace(':scope > ', '');
    return all(this.drawn, bare).map((found, i) => {
      const key = `${i} ${bare}`;
      const place = this.#found.get(key) ?? new Place(String(found.attributes.id ?? bare), found.tag);
      this.#found.set(key, place);
      Object.assign(place.attributes, found.attributes);
      place.textContent = found.text;
      return place;
    });
  }

  focus() {
    /** @type {any} */ (globalThis.document).activeElement = this;
  }

  blur() {}
  select() {}
  reset() {}
  scrollIntoView() {}
  scrollTo() {}
  setSelectionRange() {}
  setPointerCapture() {}

  click() {
    this.fire('click');
  }

  show() {
    this.open = true;
  }

  showModal() {
    this.open = true;
  }

  close() {
    this.open = false;
    this.fire('close');
  }

  hidePopover() {
    this.states.delete(':popover-open');
    this.fire('toggle');
  }

  getContext() {
    return this.pen.ctx;
  }

  getBoundingClientRect() {
    return { left: 0, top: 0, width: this.clientWidth, height: this.clientHeight };
  }

  /** An event as from a visitor. @param {string} type @param {object} [more] */
  fire(type, more = {}) {
    const event = Object.assign(new Event(type, { cancelable: true }), more);
    this.dispatchEvent(event);
    return event;
  }
}

/** What a browser has for the page, and what a test may do with it. */
export function browser() {
  /** @type {Map<string, Place>} */
  const places = new Map();
  /** @type {(() => void)[]} */
  let frames = [];
  /** What follows the size of an element. @type {Set<() => void>} */
  const observers = new Set();
  const window = new EventTarget();
  /** An element by its id: it is there as soon as a caller asks for it. @param {string} id */
  const at = (id) => {
    let place = places.get(id);
    if (!place) places.set(id, (place = new Place(id)));
    return place;
  };
  const root = new Place('html');
  const body = new Place('body');
  const document = Object.assign(new EventTarget(), {
    baseURI: 'https://example.org/lab/',
    documentElement: root,
    body,
    head: new Place('head'),
    title: '',
    hidden: false,
    activeElement: body,
    fonts: undefined,
    getElementById: (/** @type {string} */ id) => body.children.find((one) => one.id === id) ?? at(id),
    querySelector: () => null,
    createElement: (/** @type {string} */ tag) => new Place('', tag),
    createTreeWalker: () => ({}),
  });
  const globals = {
    document,
    location: { href: 'https://example.org/lab/', hash: '', search: '', reload: () => {} },
    history: {
      replaceState: (/** @type {unknown} */ _state, /** @type {string} */ _title, /** @type {string} */ to) => {
        globals.location.hash = to;
      },
    },
    requestAnimationFrame: (/** @type {() => void} */ run) => frames.push(run),
    matchMedia: (/** @type {string} */ media) => Object.assign(new EventTarget(), { matches: false, media }),
    ResizeObserver: class {
      constructor(/** @type {() => void} */ changed) {
        this.changed = changed;
      }
      observe() {
        observers.add(this.changed);
      }
      disconnect() {
        observers.delete(this.changed);
      }
    },
    cancelAnimationFrame: () => {},
    addEventListener: window.addEventListener.bind(window),
    innerHeight: 800,
    devicePixelRatio: 1,
    getSelection: () => ({ isCollapsed: true }),
    getComputedStyle: () => ({ getPropertyValue: (/** @type {string} */ name) => name, fontFamily: 'sans' }),
    Element: Place,
  };
  for (const [name, value] of Object.entries({ ...globals, window: globalThis }))
    Object.defineProperty(globalThis, name, { configurable: true, writable: true, value });
  return {
    at,
    root,
    body,
    document,
    location: globals.location,
    /** An event of the window. @param {string} type @param {object} [more] */
    fire(type, more = {}) {
      const event = Object.assign(new Event(type, { cancelable: true }), more);
      window.dispatchEvent(event);
      return event;
    },
    /** Runs what waits for the next frame. */
    frame() {
      const now = frames;
      frames = [];
      for (const run of now) run();
    },
    /** Tells of new sizes. */
    resize() {
      for (const changed of observers) changed();
    },
    /** The id of what has the focus. */
    focused: () => document.activeElement.id,
  };
}

/** Lets everything run that waits for nothing. */
export const settle = () => new Promise((resolve) => setTimeout(resolve));

/**
 * Calls by name, written down: every member that a caller asks for is a function that answers with `answers`.
 * @param {unknown[][]} log
 * @param {Record<string, unknown>} [answers]
 */
export const recorder = (log, answers = {}) =>
  /** @type {any} */ (
    new Proxy(answers, {
      get: (_, /** @type {string} */ name) =>
        name in answers && typeof answers[name] !== 'function'
          ? answers[name]
          : (/** @type {unknown[]} */ ...given) => {
              log.push([name, ...given]);
              const answer = answers[name];
              return typeof answer === 'function' ? answer(...given) : undefined;
            },
    })
  );

export { Drawn };
