/**
 * Parses the kubectl-like line. It returns the line's meaning, or throws an error that says what a line may contain. It
 * sends no request.
 */
import grammar from './line.json' with { type: 'json' };

/** A mistake in a line, as a sentence. */
export class LineError extends Error {}

/**
 * Splits a line like a shell: spaces separate words, and quotes and backslashes keep them together.
 * @param {string} text
 * @returns {string[]}
 */
export function words(text) {
  /** @type {string[]} */
  const found = [];
  let word = '';
  let inWord = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (/\s/.test(c)) {
      if (inWord) found.push(word);
      word = '';
      inWord = false;
      continue;
    }
    const [operator] = inWord ? [] : (/^(\|\|?|>>?|<|&&?|;)(?=\s|$)/.exec(text.slice(i)) ?? []);
    if (operator)
      throw new LineError(`This line is not a shell, so “${operator}” means nothing. Put it in quotes if it is text.`);
    inWord = true;
    if (c === '"' || c === "'") {
      const { inside, end } = readQuoted(text, i);
      word += inside;
      i = end;
    } else if (c === '\\' && i + 1 < text.length) word += text[++i];
    else word += c;
  }
  if (inWord) found.push(word);
  return found;
}

/** @param {string} text @param {number} begin where the quote starts */
function readQuoted(text, begin) {
  const mark = text[begin];
  let inside = '';
  for (let i = begin + 1; i < text.length; i++) {
    const c = text[i];
    if (c === mark) return { inside, end: i };
    if (mark === '"' && c === '\\' && '"\\$`'.includes(text[i + 1] ?? ' ')) inside += text[++i];
    else inside += c;
  }
  throw new LineError(
    `The quote before “${text.slice(begin + 1, begin + 13)}” is not closed. End it with another ${mark}.`,
  );
}

/**
 * A flag of a verb. takes: a "switch" is on or off, a "value" flag needs a value, and a "maybe" flag may have one.
 * @typedef {{name: string, short?: string, takes: "switch" | "value" | "maybe", one?: string[], as?: string}} Flag
 */
/** @type {Record<string, Flag>} */
const FLAGS = /** @type {any} */ (grammar.flags);
/** Advice for the features that this line lacks. */
const REAL_KUBECTL = 'For others, start `leaselab serve` and use the real kubectl.';

/**
 * Every verb with its arguments and its purpose.
 * @type {Record<string, {flags: Flag[], outputs?: string[], usage: string, help: string}>}
 */
export const VERBS = Object.fromEntries(
  Object.entries(grammar.verbs).map(([verb, one]) => [verb, { ...one, flags: one.flags.map((name) => FLAGS[name]) }]),
);

/** "a, b and c" @param {string[]} all @param {string} [word] */
export function joinWords(all, word = 'and') {
  return all.length < 2 ? all.join() : `${all.slice(0, -1).join(', ')} ${word} ${all[all.length - 1]}`;
}

/** @param {string} name */
export function verbNamed(name) {
  if (Object.hasOwn(VERBS, name)) return VERBS[name];
  throw new LineError(
    `This line has no verb “${name}”. Its verbs are ${joinWords(Object.keys(VERBS))}. ${REAL_KUBECTL}`,
  );
}

/** @param {string} verb */
const flagsOf = (verb) => VERBS[verb].flags;

/** @param {Flag} flag */
const flagText = (flag) => (flag.short ? `-${flag.short}` : `--${flag.name}`);

/**
 * @typedef {object} Line
 * @property {string} verb
 * @property {string[]} args words that are not flags
 * @property {Record<string, string | boolean>} flags by long name
 */

/**
 * Reads a line.
 * @param {string} text
 * @returns {Line}
 */
export function parseLine(text) {
  const all = words(text.replace(/^\s*(\$\s*)?/, ''));
  if (all[0] === 'kubectl' || all[0] === 'k') all.shift();
  if (all.length === 0) throw new LineError('Type a command, such as “get leases”. “help” lists them all.');
  /** @type {string[]} */
  const args = [];
  /** @type {Record<string, string | boolean>} */
  const flags = {};
  const verb = all.find((word, i) => !word.startsWith('-') && !takesNext(all[i - 1])) ?? all[0];
  if (verb === '-h' || verb === '--help') return { verb: 'help', args: [], flags };
  verbNamed(verb);
  all.splice(all.indexOf(verb), 1);
  let onlyArgs = false;
  for (let i = 0; i < all.length; i++) {
    const word = all[i];
    if (onlyArgs || !word.startsWith('-') || word === '-') args.push(word);
    else if (word === '--') onlyArgs = true;
    else if (word === '-h' || word === '--help') return { verb: 'help', args: [verb], flags: {} };
    else i += word.startsWith('--') ? long(verb, all, i, flags) : readLetters(verb, all, i, flags);
  }
  return { verb, args, flags };
}

/**
 * Whether the word after a flag is the flag's value, for any verb: “-n kube-system get leases”.
 * @param {string} [word]
 */
function takesNext(word = '') {
  const flag = Object.values(FLAGS).find(
    ({ name, short }) => word === `--${name}` || (short && !word.startsWith('--') && word.endsWith(short)),
  );
  // A flag that is unknown to this line most likely takes a value.
  return /^--?[^=]+$/.test(word) && (flag?.takes ?? 'value') === 'value';
}

/**
 * Reads a flag with its whole name: --output yaml, --output=yaml, --watch, --watch=false.
 * @param {string} verb @param {string[]} all @param {number} i @param {Record<string, string | boolean>} flags
 * @returns {number} how many more words the flag took
 */
function long(verb, all, i, flags) {
  const [, name, , value] = /^--([^=]*)(=([\s\S]*))?$/.exec(all[i]) ?? [];
  const flag = flagsOf(verb).find((one) => one.name === name);
  if (!flag) throw unknownFlag(verb, `--${name}`);
  return set(verb, flag, { given: value, next: all[i + 1] }, flags);
}

/**
 * Reads flags with letters, several in one word: -A, -Aw, -oyaml, -o=yaml, -Awo yaml.
 * @param {string} verb @param {string[]} all @param {number} i @param {Record<string, string | boolean>} flags
 */
function readLetters(verb, all, i, flags) {
  const letters = all[i].slice(1);
  for (let k = 0; k < letters.length; k++) {
    const flag = flagsOf(verb).find((one) => one.short === letters[k]);
    if (!flag) throw unknownFlag(verb, `-${letters[k]}`);
    if (flag.takes === 'switch' && letters[k + 1] !== '=') {
      flags[flag.name] = true;
      continue;
    }
    const rest = letters.slice(k + 1).replace(/^=/, '');
    const flagValue = rest !== '' || letters[k + 1] === '=' ? rest : undefined;
    return set(verb, flag, { given: flagValue, next: all[i + 1] }, flags);
  }
  return 0;
}

/**
 * @param {string} verb @param {Flag} flag
 * @param {{given: string | undefined, next: string | undefined}} words given: the value in the same word as the flag
 * @param {Record<string, string | boolean>} flags
 */
function set(verb, flag, { given, next }, flags) {
  if (flag.takes === 'switch') {
    if (given !== undefined && given !== 'true' && given !== 'false')
      throw new LineError(`--${flag.name} is on or off: write --${flag.name} or --${flag.name}=false, not “${given}”.`);
    flags[flag.name] = given !== 'false';
    return 0;
  }
  const separate = given === undefined && next !== undefined && (next === '-' || !next.startsWith('-'));
  const value = given ?? (separate ? next : undefined);
  if (value === undefined && flag.takes === 'value')
    throw new LineError(`${flagText(flag)} needs a value, as in ${flagText(flag)} ${exampleOf(verb, flag)}.`);
  // The editor replaces files, so the word after -f may also be a kind.
  if (flag.takes === 'maybe') {
    flags[flag.name] = given ?? true;
    return next === '-' && given === undefined ? 1 : 0;
  }
  const allowed = flag.one ?? (flag.name === 'output' ? VERBS[verb].outputs : undefined);
  if (value === 'jsonpath' && allowed?.includes(value))
    throw new LineError('error: template format specified but no template given');
  const form = flag.name === 'output' ? value?.replace(/^jsonpath=.*/s, 'jsonpath') : value;
  if (allowed && !allowed.includes(form ?? ''))
    throw new LineError(`${flagText(flag)} is ${joinWords(allowed, 'or')} here, not “${value}”. ${REAL_KUBECTL}`);
  flags[flag.name] = value ?? '';
  return separate ? 1 : 0;
}

/** @param {string} verb @param {Flag} flag */
function exampleOf(verb, flag) {
  return flag.name === 'output' ? (VERBS[verb].outputs ?? ['yaml'])[0] : flag.as;
}

/** @param {string} verb @param {string} flag */
function unknownFlag(verb, flag) {
  const { flags } = VERBS[verb];
  const flagList = flags.length === 0 ? 'no flags' : joinWords(flags.map(flagText));
  return new LineError(`${verb} has no flag ${flag} here. It takes ${flagList}. ${REAL_KUBECTL}`);
}
