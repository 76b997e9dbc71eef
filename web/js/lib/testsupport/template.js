/** For tests: what a lit-html template says, and the handlers in it, without a document. */

/** @typedef {{strings: readonly string[], values: unknown[]}} Result */
/**
 * A list as lit-html's repeat gets it: the entries, perhaps their keys, and the template of one.
 * @typedef {{values: [unknown[], ...Function[]]}} Repeated
 */

/** @param {unknown} one @returns {one is Result} */
const isResult = (one) => typeof one === 'object' && one !== null && '_$litType$' in one;

/** @param {unknown} one @returns {one is Repeated} */
const isRepeated = (one) =>
  typeof one === 'object' &&
  one !== null &&
  '_$litDirective$' in one &&
  'values' in one &&
  Array.isArray(one.values) &&
  Array.isArray(one.values[0]);

/** What a list of entries draws. @param {Repeated} list */
const entriesOf = ({ values: [all, ...functions] }) => all.map((one, i) => functions[functions.length - 1](one, i));

/**
 * The template as text: nested templates written out, handlers left out. Spaces and line breaks become one space.
 * @param {unknown} template
 * @returns {string}
 */
export function markup(template) {
  return written(template).replace(/\s+/g, ' ').trim();
}

/** @param {unknown} one @returns {string} */
function written(one) {
  if (Array.isArray(one)) return one.map(written).join('');
  if (isResult(one)) return one.strings.map((part, i) => part + written(one.values[i])).join('');
  if (isRepeated(one)) return written(entriesOf(one));
  if (typeof one === 'function' || typeof one === 'symbol' || one === undefined || one === null) return '';
  return typeof one === 'object' ? written(Object.values(one)) : String(one);
}

/** What a visitor reads of it. @param {unknown} template */
export const text = (template) => markup(markup(template).replace(/<!--.*?-->|<[^>]*>/g, ' '));

/**
 * The handlers of an event, in the order of the page.
 * @param {unknown} template
 * @param {string} name "click"
 * @returns {Function[]}
 */
export function handlers(template, name) {
  if (Array.isArray(template)) return template.flatMap((one) => handlers(one, name));
  if (isRepeated(template)) return handlers(entriesOf(template), name);
  if (!isResult(template)) return [];
  return template.values.flatMap((value, i) => {
    if (typeof value !== 'function') return handlers(value, name);
    return template.strings[i].endsWith(`@${name}=`) ? [value] : [];
  });
}

/* ---- the elements of a template ---- */

/** Elements that hold nothing. */
const EMPTY = new Set(['input', 'br', 'hr', 'img', 'col']);
const TAG = /<(\/?)([a-z][\w-]*)((?:\s+[^\s=>"/]+(?:="[^"]*"|=[^\s">]+)?)*)\s*(\/?)>|<!--.*?-->/gis;
const ATTRIBUTE = /([^\s=>"/]+)(?:="([^"]*)"|=([^\s">]+))?/g;

/** An element as a visitor has it: its attributes, its text, and what its handlers do. */
export class Drawn {
  text = '';
  /** Its text without what is hidden from screen readers. */
  said = '';
  /** @type {Record<string, any>} with "." and "?" left out; a "?" that does not hold is missing */
  attributes = {};
  /** @type {Record<string, Function>} */
  on = {};

  /** @param {string} tag @param {Drawn | undefined} parent */
  constructor(tag, parent) {
    this.tag = tag;
    this.parent = parent;
  }

  /** What a screen reader calls it, if nothing outside it does. @returns {string} */
  get name() {
    return String(this.attributes['aria-label'] ?? this.said.replace(/\s+/g, ' ').trim());
  }

  /**
   * Whether it matches one of the selectors: tags, ids, classes and attributes, below each other.
   * @param {string} selector
   * @returns {boolean}
   */
  matches(selector) {
    return selector.split(',').some((each) => this.#fits(each.trim().split(/\s+/)));
  }

  /** @param {string[]} steps @returns {boolean} */
  #fits(steps) {
    if (!this.#is(steps[steps.length - 1])) return false;
    if (steps.length === 1) return true;
    for (let above = this.parent; above; above = above.parent) if (above.#fits(steps.slice(0, -1))) return true;
    return false;
  }

  /** @param {string} step "button.quiet[aria-pressed="true"]" @returns {boolean} */
  #is(step) {
    return [...step.matchAll(/^[a-z][\w-]*|[#.][\w-]+|\[([\w-]+)(?:="([^"]*)")?\]/g)].every(([part, name, value]) => {
      if (part[0] === '#') return String(this.attributes.id) === part.slice(1);
      if (part[0] === '.') return `${this.attributes.class ?? ''}`.split(' ').includes(part.slice(1));
      if (part[0] !== '[') return this.tag === part;
      return value === undefined ? name in this.attributes : String(this.attributes[name]) === value;
    });
  }

  /**
   * Does something to it: "click", "input", "change", "submit", "keydown".
   * @param {string} type
   * @param {object} [more] of the event
   */
  fire(type, more = {}) {
    const { value = '', checked = false } = this.attributes;
    const event = {
      type,
      target: { value, checked, blur() {}, focus() {} },
      defaultPrevented: false,
      preventDefault() {
        event.defaultPrevented = true;
      },
      stopPropagation() {},
      ...more,
    };
    if (!this.on[type]) throw new Error(`Nothing happens when “${this.name}” gets ${type}.`);
    return { event, done: this.on[type](event) };
  }

  /** @returns {unknown} what its handler returns */
  click() {
    return this.fire('click').done;
  }

  /** A visitor types or chooses a value. @param {string} value */
  enter(value) {
    return this.fire(this.on.input ? 'input' : 'change', { target: { value } }).done;
  }

  /** @param {boolean} checked */
  check(checked) {
    return this.fire('change', { target: { checked } }).done;
  }

  /** Submits a form with these fields. @param {Record<string, string>} [fields] */
  submit(fields = {}) {
    return this.fire('submit', { target: { fields } }).done;
  }
}

/** FormData of what submit() hands over. @extends {Map<string, string>} */
class Fields extends Map {
  /** @param {{fields: Record<string, string>}} form */
  constructor({ fields }) {
    super(Object.entries(fields));
  }
}

/** Every element that a template draws, in the order of the page. @param {unknown} template @returns {Drawn[]} */
export function elements(template) {
  Object.assign(globalThis, { FormData: Fields });
  /** @type {unknown[]} */
  const kept = [];
  const source = marked(template, kept);
  /** @type {Drawn[]} */
  const all = [];
  /** @type {Drawn[]} */
  let open = [];
  let at = 0;
  for (const found of source.matchAll(TAG)) {
    const [whole, closes, tag, attributes, closed] = found;
    const words = unescaped(source.slice(at, found.index));
    const hidden = open.findIndex((one) => one.attributes['aria-hidden'] === 'true');
    for (const [i, one] of open.entries()) {
      one.text += words;
      if (hidden < 0 || i >= hidden) one.said += words;
    }
    at = found.index + whole.length;
    if (tag === undefined) continue;
    if (closes) {
      open = open.slice(
        0,
        open.findLastIndex((one) => one.tag === tag),
      );
      continue;
    }
    const one = new Drawn(tag, open.at(-1));
    for (const [, name, quoted, bare] of attributes.matchAll(ATTRIBUTE)) set(one, name, quoted ?? bare ?? '', kept);
    all.push(one);
    if (!closed && !EMPTY.has(tag)) open = [...open, one];
  }
  return all;
}

/** @param {Drawn} one @param {string} name @param {string} text @param {unknown[]} kept */
function set(one, name, text, kept) {
  const value = text.startsWith('\u0001') ? kept[Number(text.slice(1))] : text;
  const bare = name.replace(/^[.?@]/, '');
  if (typeof value === 'symbol') return;
  if (name[0] === '@') one.on[bare] = /** @type {Function} */ (value);
  else if (name[0] !== '?' || value) one.attributes[bare] = unwrapped(value);
}

/** A value, out of a directive such as live(). @param {unknown} value @returns {unknown} */
const unwrapped = (value) =>
  typeof value === 'object' && value !== null && '_$litDirective$' in value && 'values' in value
    ? /** @type {unknown[]} */ (value.values)[0]
    : value;

/**
 * The template as HTML in which the value of an attribute is a number in kept.
 * @param {unknown} one
 * @param {unknown[]} kept
 * @returns {string}
 */
function marked(one, kept) {
  if (Array.isArray(one)) return one.map((part) => marked(part, kept)).join('');
  if (isRepeated(one)) return marked(entriesOf(one), kept);
  if (!isResult(one)) return typeof one === 'string' || typeof one === 'number' ? escaped(String(one)) : '';
  return one.strings
    .map((part, i) => {
      if (i >= one.values.length) return part;
      return part.endsWith('=') ? `${part}"\u0001${kept.push(one.values[i]) - 1}"` : part + marked(one.values[i], kept);
    })
    .join('');
}

const escaped = (/** @type {string} */ words) => words.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const unescaped = (/** @type {string} */ words) =>
  words.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&nbsp;', ' ').replaceAll('&amp;', '&');

/** The elements that match a selector. @param {unknown} template @param {string} selector */
export const all = (template, selector) => elements(template).filter((one) => one.matches(selector));

/**
 * The only element that matches a selector and, if it is given, has this name.
 * @param {unknown} template
 * @param {string} selector
 * @param {string | RegExp} [name]
 */
export function the(template, selector, name) {
  const fits = (/** @type {Drawn} */ one) => (name instanceof RegExp ? name.test(one.name) : one.name === name);
  const found = all(template, selector).filter((one) => name === undefined || fits(one));
  if (found.length !== 1) throw new Error(`${found.length} × ${selector} “${name ?? ''}” in: ${text(template)}`);
  return found[0];
}

/** The button with this name. @param {unknown} template @param {string | RegExp} name */
export const button = (template, name) => the(template, 'button', name);
