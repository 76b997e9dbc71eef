/**
 * For tests: the document of the page in happy-dom, and functions that find and do what a visitor would. Import this
 * module as "#dom", so that it loads before lit-html, which keeps the first document that it finds.
 */
import { readFileSync } from 'node:fs';
import { Window } from 'happy-dom';
import { settle } from './calls.js';
import { canvas } from './canvas.js';

export * from './calls.js';

const HOME = 'https://example.org/lab/';
const settings = { errorCapture: 'disabled', disableJavaScriptFileLoading: true, disableCSSFileLoading: true };
const window = /** @type {any} */ (new Window({ url: HOME, height: 800, settings: /** @type {any} */ (settings) }));
const { document } = window;
const page = readFileSync(new URL('../../../index.html', import.meta.url), 'utf8').replace(/.*<body>|<!--.*/gs, '');
/** Undoes what a test changed outside the body, before the next test. @type {(() => void)[]} */
const left = [];
for (const target of [window, document, document.documentElement, document.body]) {
  const add = target.addEventListener.bind(target);
  target.addEventListener = (/** @type {any[]} */ ...given) => {
    left.push(() => target.removeEventListener(...given));
    add(...given);
  };
}
const sizes = { clientWidth: 800, clientHeight: 400, offsetWidth: 60 };
for (const [name, value] of Object.entries(sizes))
  Object.defineProperty(window.HTMLElement.prototype, name, { value, writable: true, configurable: true });
window.HTMLElement.prototype.getBoundingClientRect = function () {
  return { left: 0, top: 0, width: this.clientWidth, height: this.clientHeight };
};
window.HTMLCanvasElement.prototype.getContext = function () {
  return (this.pen ??= canvas()).ctx;
};
// If two options are selected, the last one counts. happy-dom 21 takes a different one.
const Select = window.HTMLSelectElement.prototype;
const symbols = Object.getOwnPropertySymbols(Select);
const choose = /** @type {symbol} */ (symbols.find(({ description }) => description === 'updateSelectedness'));
const { [choose]: before } = Select;
Select[choose] = function (/** @type {any} */ option) {
  before.call(this, option ?? [...this.options].findLast(({ selected }) => selected));
};
const globals = ['document', 'Element', 'HTMLElement', 'HTMLInputElement', 'KeyboardEvent'];
for (const name of [...globals, 'FormData', 'Node', 'innerHeight', 'innerWidth'])
  Object.defineProperty(globalThis, name, { configurable: true, writable: true, value: window[name] });
Object.assign(globalThis, { __COUNTS__: { lessons: 16, incidents: 57 } });
Object.assign(globalThis, { window: globalThis, addEventListener: window.addEventListener, devicePixelRatio: 1 });

export const { html, nothing, render, svg } = await import('lit-html');

/** The address of the page. happy-dom's own location would report even changes by the page itself. */
const location = Object.assign(new URL(HOME), { reload() {} });
/**
 * The history of the page: `entries` are the addresses that it has added.
 * @type {{state: any, entries: string[], pushState: Function, replaceState: Function}}
 */
const history = {
  state: null,
  entries: [],
  replaceState(/** @type {unknown} */ state, /** @type {string} */ _, /** @type {string} */ to) {
    location.href = new URL(to, location.href).href;
    history.state = state;
  },
  pushState(/** @type {any[]} */ ...given) {
    history.replaceState(...given);
    history.entries.push(location.hash);
  },
};
Object.assign(globalThis, { location, history });

/** The page as the server sends it, with functions for tests to run its frames and change its sizes. */
export function browser() {
  /** @type {(() => void)[]} */
  const frames = [];
  /** The observers of elements' sizes. @type {Set<() => void>} */
  const observers = new Set();
  for (const undo of left.splice(0)) undo();
  const { body, documentElement: root } = document;
  for (const { name } of [...root.attributes]) root.removeAttribute(name);
  document.head.replaceChildren();
  body.innerHTML = page;
  while (body.nextSibling) body.nextSibling.remove();
  const built = body.children.length;
  Object.assign(globalThis, {
    requestAnimationFrame: (/** @type {() => void} */ run) => frames.push(run),
    cancelAnimationFrame: () => {},
    matchMedia: (/** @type {string} */ media) => Object.assign(new EventTarget(), { matches: false, media }),
    ResizeObserver: class {
      constructor(/** @type {() => void} */ changed) {
        this.observe = () => observers.add(changed);
        this.disconnect = () => observers.delete(changed);
      }
    },
    getSelection: () => ({ isCollapsed: true }),
    getComputedStyle: () => ({ getPropertyValue: (/** @type {string} */ name) => name, fontFamily: 'sans' }),
  });
  location.href = HOME;
  Object.assign(history, { state: null, entries: [] });
  return {
    root,
    body,
    document,
    window,
    location,
    history,
    /** An event of the window. @param {string} type @param {object} [more] */
    fire: (type, more) => fire(window, type, more),
    /** An element of the page by its id, or an empty one. @param {string} id @returns {any} */
    at: (id) => document.getElementById(id) ?? body.appendChild(Object.assign(document.createElement('div'), { id })),
    /** The elements that the units added at the end of the page. @returns {any[]} */
    added: () => [...body.children].slice(built),
    /** Runs the callbacks that wait for the next frame. */
    frame() {
      for (const run of frames.splice(0)) run();
    },
    /** Reports new sizes to all observers. */
    resize() {
      for (const notify of observers) notify();
    },
    /** Goes to another address, as a link does. @param {string} rest "?embed#crash" */
    visit: (rest) => Object.assign(location, { href: HOME + rest }),
    focusedId: () => document.activeElement.id,
  };
}

/** The elements that show the templates that a test draws itself. @type {WeakMap<object, any>} */
const places = new WeakMap();

/** The element itself, or for a template the element that shows it. @param {any} where @returns {any} */
function mount(where) {
  if (where?.nodeType) return where;
  const key = typeof where === 'object' ? where : {};
  let place = places.get(key);
  if (!place) places.set(key, (place = document.documentElement.appendChild(document.createElement('div'))));
  if (place.childNodes.length === 0) render(where, place);
  return place;
}

/** Every element that a selector finds. @param {unknown} where @param {string} selector @returns {any[]} */
export const all = (where, selector) => [...mount(where).querySelectorAll(selector)];

/** @param {string} words */
const oneLine = (words) => words.replace(/\s+/g, ' ').trim();

/** @param {any} node @param {boolean} said @returns {string} its text, with spaces around each element */
function words(node, said) {
  if (node.nodeType === 3) return node.data;
  if (node.nodeType === 8 || (said && node.getAttribute?.('aria-hidden') === 'true')) return '';
  const inside = [...node.childNodes].map((one) => words(one, said)).join('');
  return said ? inside : ` ${inside} `;
}

/** The text that a visitor reads in an element. @param {unknown} where */
export const text = (where) => oneLine(words(mount(where), false));

/**
 * The name that a screen reader reads for an element, unless another element names it. @param {any} one @returns
 * {string}
 */
export const nameOf = (one) => one.getAttribute('aria-label') ?? oneLine(words(one, true));

/**
 * The only element that a selector finds and, if it is given, has this name.
 * @param {unknown} where @param {string} selector @param {string | RegExp} [name] @returns {any}
 */
export function the(where, selector, name) {
  const fits = (/** @type {any} */ one) => (name instanceof RegExp ? name.test(nameOf(one)) : nameOf(one) === name);
  const found = all(where, selector).filter((one) => name === undefined || fits(one));
  if (found.length !== 1) throw new Error(`${found.length} × ${selector} “${name ?? ''}” in: ${text(where)}`);
  return found[0];
}

/** The button with this name. @param {unknown} where @param {string | RegExp} name */
export const button = (where, name) => the(where, 'button', name);

/**
 * Sends an event, as if from a visitor. @param {any} target @param {string} type @param {object} [more] of the event
 */
export function fire(target, type, more = {}) {
  const bubbles = !/^(focus|blur|pointerenter|pointerleave|scroll|toggle|close)$/.test(type);
  const event = new window.Event(type, { bubbles, cancelable: true });
  for (const [name, value] of Object.entries(more)) Object.defineProperty(event, name, { value });
  target.dispatchEvent(event);
  return event;
}

/** Types or chooses a value, as a visitor does. @param {any} field @param {string} value */
export function enter(field, value) {
  field.value = value;
  fire(field, 'input');
  fire(field, 'change');
}

/** Fills in a form and submits it, as a visitor does. @param {any} form @param {Record<string, string>} [fields] */
export function submit(form, fields = {}) {
  for (const [name, value] of Object.entries(fields)) the(form, `[name="${name}"]`).value = value;
  fire(form, 'submit');
  return settle();
}

/** Counts how often lit-html draws into an element from now on. @param {any} place */
export function drawings(place) {
  const part = place._$litPart$;
  const draw = part._$AI.bind(part);
  let count = 0;
  part._$AI = (/** @type {unknown[]} */ ...given) => {
    count++;
    draw(...given);
  };
  return () => count;
}

/** Clicks an element, and waits for the effects. @param {any} one */
export function press(one) {
  one.click();
  return settle();
}
