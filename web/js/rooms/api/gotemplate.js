/**
 * Prints an object by a template of Go, as kubectl -o go-template does: text, and in {{ }} pipelines of fields, variables,
 * constants and functions, with if, range, with, break and continue. There are no named templates (define, template, block).
 *
 * Source: text/template; cli-runtime pkg/printers template.go (the functions exists and base64decode; missing keys print <no value>).
 */
import { isObject } from '../../lib/shape.js';
import { LineError } from './line.js';

/** What is wrong with a template. */
export class TemplateError extends LineError {}

/** A loop that the template leaves, or goes on with. */
class Leaves {
  /** @param {string} word */
  constructor(word) {
    this.word = word;
  }
}

/**
 * @typedef {{op: "text", text: string} | {op: "print", pipe: Pipe} | {op: "leave", word: string}
 *   | {op: "if" | "with" | "range", pipe: Pipe, body: Part[], otherwise: Part[]}} Part
 * @typedef {{names: string[], sets: boolean, commands: Operand[][]}} Pipe names: of variables that get the value; sets: it has them already
 * @typedef {{base: {kind: "dot" | "constant" | "variable" | "function" | "pipe", value?: unknown, name?: string, pipe?: Pipe}, fields: string[]}} Operand
 * @typedef {{name: string, value: unknown}[]} Variables the newest last
 */

/** @param {string} template @param {unknown} root @returns {string} */
export function printTemplate(template, root) {
  const { parts } = told(`error parsing template ${template}, template: output:1: `, () => parse(split(template)));
  /** @type {string[]} */
  const out = [];
  told(`error executing template "${template}": template: output: `, () =>
    run(parts, root, [{ name: '$', value: root }], out),
  );
  return out.join('');
}

/** @template T @param {string} where @param {() => T} work @returns {T} */
function told(where, work) {
  try {
    return work();
  } catch (error) {
    if (error instanceof TemplateError) throw new TemplateError(`error: ${where}${error.message}`);
    throw error;
  }
}

/* ---- reading ---- */

/** A piece of text, or what stands between two pairs of braces. @typedef {{text: string, action: boolean}} Token */

/** @param {string} template @returns {Token[]} */
function split(template) {
  /** @type {Token[]} */
  const all = [];
  let trims = false;
  for (let at = 0; at < template.length; ) {
    const begin = template.indexOf('{{', at);
    const text = template.slice(at, begin < 0 ? template.length : begin);
    const trimsBefore = begin >= 0 && /^\{\{-\s/.test(template.slice(begin, begin + 4));
    const left = trims ? text.trimStart() : text;
    all.push({ text: trimsBefore ? left.trimEnd() : left, action: false });
    if (begin < 0) break;
    const [whole, inside] =
      /^\{\{((?:"(?:[^"\\\n]|\\.)*"|`[^`]*`|'(?:[^'\\\n]|\\.)*'|\/\*[\s\S]*?\*\/|[^"`'}]|\}(?!\}))*)\}\}/.exec(
        template.slice(begin),
      ) ?? [];
    if (whole === undefined) throw new TemplateError('unclosed action');
    trims = /\s-$/.test(inside);
    all.push({
      text: inside
        .replace(/^-(?=\s)/, '')
        .replace(/\s-$/, '')
        .trim(),
      action: true,
    });
    at = begin + whole.length;
  }
  return all.filter(({ text, action }) => (action ? !/^\/\*[\s\S]*\*\/$/.test(text) : text !== ''));
}

/**
 * The parts up to the end of a block.
 * @param {Token[]} tokens what is read is taken off @param {boolean} [inside] a block @param {boolean} [inLoop]
 * @returns {{parts: Part[], ended: string}} ended: by "end", "else" or "else if …"
 */
function parse(tokens, inside = false, inLoop = false) {
  /** @type {Part[]} */
  const parts = [];
  for (let token = tokens.shift(); token; token = tokens.shift()) {
    const { text, action } = token;
    const [, word = '', rest = ''] =
      /^(if|with|range|else|end|break|continue|define|template|block)\b\s*([\s\S]*)$/.exec(text) ?? [];
    if (!action) parts.push({ op: 'text', text });
    else if (word === 'end' || word === 'else') {
      if (!inside) throw new TemplateError(`unexpected {{${word}}}`);
      return { parts, ended: text };
    } else if (word === 'if' || word === 'with' || word === 'range') parts.push(block(word, rest, tokens, inLoop));
    else if (word === 'break' || word === 'continue') {
      if (!inLoop) throw new TemplateError(`{{${word}}} outside {{range}}`);
      parts.push({ op: 'leave', word });
    } else if (word) throw new TemplateError(`{{${word}}} is not in this page: its templates have no names`);
    else parts.push({ op: 'print', pipe: pipeOf(text) });
  }
  if (inside) throw new TemplateError('unexpected EOF');
  return { parts, ended: '' };
}

/** @param {"if" | "with" | "range"} op @param {string} condition @param {Token[]} tokens @param {boolean} inLoop @returns {Part} */
function block(op, condition, tokens, inLoop) {
  const { parts, ended } = parse(tokens, true, inLoop || op === 'range');
  const [, more, next = ''] = /^else(?:\s+(if|with)\s+([\s\S]*))?$/.exec(ended) ?? [];
  /** @type {Part[]} */
  let otherwise = [];
  if (more === 'if' || more === 'with') otherwise = [block(more, next, tokens, inLoop)];
  else if (ended !== 'end') {
    const last = parse(tokens, true, inLoop);
    if (last.ended !== 'end') throw new TemplateError(`expected end; found {{${last.ended}}}`);
    otherwise = last.parts;
  }
  return { op, pipe: pipeOf(condition), body: parts, otherwise };
}

const WORD =
  /^(?:(?<space>\s+)|(?<text>"(?:[^"\\\n]|\\.)*")|`(?<raw>[^`]*)`|(?<number>[-+]?\d[\d_]*(?:\.\d+)?(?:[eE][-+]?\d+)?)|(?<variable>\$\w*)|(?<field>\.[A-Za-z_]\w*)|(?<dot>\.)|(?<sign>:=|[=|(),])|(?<name>[A-Za-z_]\w*))/;

/** @param {string} text @returns {{kind: string, text: string}[]} */
function wordsOf(text) {
  /** @type {{kind: string, text: string}[]} */
  const all = [];
  for (let rest = text; rest !== ''; ) {
    const found = WORD.exec(rest);
    if (!found) throw new TemplateError(`unexpected ${JSON.stringify(rest[0])} in command`);
    const [kind, value] = Object.entries(found.groups ?? {}).find(([, one]) => one !== undefined) ?? ['', ''];
    all.push({ kind, text: value ?? '' });
    rest = rest.slice(found[0].length);
  }
  return all;
}

/** @param {string} text @returns {Pipe} */
function pipeOf(text) {
  const declared = /^(\$\w+)\s*(?:,\s*(\$\w+)\s*)?(:?=)(?!=)/.exec(text);
  const words = wordsOf(declared ? text.slice(declared[0].length) : text);
  const pipe = readPipe(words, false);
  return {
    ...pipe,
    names: declared ? [declared[1], declared[2]].filter(Boolean) : [],
    sets: declared?.[3] === '=',
  };
}

/** @param {{kind: string, text: string}[]} words what is read is taken off @param {boolean} inside parentheses @returns {Pipe} */
function readPipe(words, inside) {
  /** @type {Operand[][]} */
  const commands = [[]];
  for (let word = words.shift(); word; word = words.shift()) {
    const command = commands[commands.length - 1];
    if (word.kind === 'space') continue;
    if (word.kind === 'sign' && word.text === '|') commands.push([]);
    else if (word.kind === 'sign' && word.text === ')') {
      if (!inside) throw new TemplateError('unexpected ")" in command');
      inside = false;
      break;
    } else command.push(operand(word, words));
  }
  if (inside) throw new TemplateError('unclosed left paren');
  if (commands.some((command) => command.length === 0)) throw new TemplateError('missing value for command');
  return { names: [], sets: false, commands };
}

/** @param {{kind: string, text: string}} word @param {{kind: string, text: string}[]} words @returns {Operand} */
function operand({ kind, text }, words) {
  const fields = kind === 'field' ? [text.slice(1)] : [];
  while (words[0]?.kind === 'field') fields.push(words.shift()?.text.slice(1) ?? '');
  if (kind === 'sign' && text === '(') {
    const pipe = readPipe(words, true);
    while (words[0]?.kind === 'field') fields.push(words.shift()?.text.slice(1) ?? '');
    return { base: { kind: 'pipe', pipe }, fields };
  }
  const constant = (/** @type {unknown} */ value) => ({
    base: { kind: /** @type {const} */ ('constant'), value },
    fields,
  });
  if (kind === 'field' || kind === 'dot') return { base: { kind: 'dot' }, fields };
  if (kind === 'variable') return { base: { kind: 'variable', name: text }, fields };
  if (kind === 'text') return constant(unquoted(text));
  if (kind === 'raw') return constant(text);
  if (kind === 'number') return constant(Number(text.replace(/_/g, '')));
  if (kind === 'name' && CONSTANTS.has(text)) return constant(CONSTANTS.get(text));
  if (kind === 'name' && Object.hasOwn(FUNCTIONS, text)) return { base: { kind: 'function', name: text }, fields };
  if (kind === 'name') throw new TemplateError(`function ${JSON.stringify(text)} not defined`);
  throw new TemplateError(`unexpected ${JSON.stringify(text)} in operand`);
}

const CONSTANTS = new Map(
  /** @type {[string, unknown][]} */ ([
    ['true', true],
    ['false', false],
    ['nil', null],
  ]),
);

/** @param {string} text with its quotes */
function unquoted(text) {
  try {
    return JSON.parse(
      text
        .replace(/\\x([0-9a-fA-F]{2})/g, '\\u00$1')
        .replace(/\\a/g, '\\u0007')
        .replace(/\\v/g, '\\u000b'),
    );
  } catch {
    throw new TemplateError(`malformed string ${text}`);
  }
}

/* ---- printing ---- */

/** @param {Part[]} parts @param {unknown} dot @param {Variables} outer @param {string[]} out */
function run(parts, dot, outer, out) {
  const variables = [...outer];
  for (const part of parts) {
    if (part.op === 'text') out.push(part.text);
    else if (part.op === 'leave') throw new Leaves(part.word);
    else if (part.op === 'print') {
      const value = resultOf(part.pipe, dot, variables);
      if (part.pipe.names.length === 0) out.push(printed(value));
    } else if (part.op === 'range') range(part, dot, variables, out);
    else {
      const scope = [...variables];
      const value = resultOf(part.pipe, dot, scope);
      const inner = part.op === 'with' && truth(value) ? value : dot;
      run(truth(value) ? part.body : part.otherwise, inner, scope, out);
    }
  }
}

/** @param {Extract<Part, {pipe: Pipe, body: Part[]}>} part @param {unknown} dot @param {Variables} variables @param {string[]} out */
function range({ pipe, body, otherwise }, dot, variables, out) {
  const over = resultOf({ ...pipe, names: [] }, dot, variables);
  const pairs = pairsOf(over);
  if (pairs.length === 0) run(otherwise, dot, variables, out);
  for (const [key, value] of pairs) {
    const given = pipe.names.length > 1 ? [key, value] : [value];
    const scope = [...variables, ...pipe.names.map((name, i) => ({ name, value: given[i] }))];
    try {
      run(body, value, scope, out);
    } catch (error) {
      if (!(error instanceof Leaves)) throw error;
      if (error.word === 'break') return;
    }
  }
}

/** What a range goes over: elements, members by name, or numbers. @param {unknown} value @returns {[unknown, unknown][]} */
function pairsOf(value) {
  if (Array.isArray(value)) return value.map((one, i) => [i, one]);
  if (isObject(value))
    return Object.keys(value)
      .sort()
      .map((name) => [name, value[name]]);
  if (value === undefined || value === null) return [];
  throw new TemplateError(`range can't iterate over ${printed(value)}`);
}

/** @param {Pipe} pipe @param {unknown} dot @param {Variables} variables changed by a declaration */
function resultOf({ names, sets, commands }, dot, variables) {
  /** @type {unknown} */
  let value;
  commands.forEach((command, i) => {
    const more = i > 0 ? [value] : [];
    const [{ base }, ...rest] = command;
    const args = () => [...rest.map((one) => evaluated(one, dot, variables)), ...more];
    if (base.kind === 'function') value = call(base.name ?? '', args, command, dot, variables, more);
    else if (rest.length > 0 || more.length > 0)
      throw new TemplateError(`can't give argument to non-function ${named(command[0])}`);
    else value = evaluated(command[0], dot, variables);
  });
  for (const name of names) {
    const known = sets && variables.findLast((one) => one.name === name);
    if (known) known.value = value;
    else variables.push({ name, value });
  }
  return value;
}

/** and and or stop at the value that decides. @param {string} name @param {() => unknown[]} args @param {Operand[]} command @param {unknown} dot @param {Variables} variables @param {unknown[]} more */
function call(name, args, command, dot, variables, more) {
  if (name !== 'and' && name !== 'or') return FUNCTIONS[name](...args());
  /** @type {unknown} */
  let value;
  for (const one of [
    ...command.slice(1).map((operand) => () => evaluated(operand, dot, variables)),
    ...more.map((given) => () => given),
  ]) {
    value = one();
    if (truth(value) === (name === 'or')) break;
  }
  return value;
}

/** @param {Operand} operand */
const named = ({ base, fields }) => `${base.name ?? ''}${fields.map((name) => `.${name}`).join('')}` || '.';

/** @param {Operand} one @param {unknown} dot @param {Variables} variables @returns {unknown} */
function evaluated({ base, fields }, dot, variables) {
  /** @type {unknown} */
  let value = base.value;
  if (base.kind === 'dot') value = dot;
  else if (base.kind === 'pipe' && base.pipe) value = resultOf(base.pipe, dot, variables);
  else if (base.kind === 'function') value = FUNCTIONS[base.name ?? '']();
  else if (base.kind === 'variable') {
    const known = variables.findLast(({ name }) => name === base.name);
    if (!known) throw new TemplateError(`undefined variable ${JSON.stringify(base.name)}`);
    value = known.value;
  }
  for (const field of fields) {
    if (value === undefined || value === null) return undefined;
    if (!isObject(value)) throw new TemplateError(`can't evaluate field ${field} in type interface {}`);
    value = Object.hasOwn(value, field) ? value[field] : undefined;
  }
  return value;
}

/** A value's type in Go. kubectl reads whole numbers as int64. @param {unknown} value */
function typeOf(value) {
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return { string: 'string', boolean: 'bool' }[/** @type {string} */ (typeof value)] ?? 'map[string]interface {}';
}

/** @param {unknown} value */
function truth(value) {
  if (Array.isArray(value)) return value.length > 0;
  return isObject(value) ? Object.keys(value).length > 0 : Boolean(value);
}

/** A value as Go's %v writes it; of JSON, where numbers are float64. @param {unknown} value @returns {string} */
function verbose(value) {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(verbose).join(' ')}]`;
  if (typeof value === 'number') return floatText(value);
  if (!isObject(value)) return String(value);
  return `map[${Object.keys(value)
    .sort()
    .map((name) => `${name}:${verbose(value[name])}`)
    .join(' ')}]`;
}

/** A float64 as %v writes it: with an exponent from 21 digits on. @param {number} value */
const floatText = (value) =>
  Math.abs(value) >= 1e21 || (value !== 0 && Math.abs(value) < 1e-4)
    ? value.toExponential().replace(/e([-+])(\d)$/, 'e$10$2')
    : String(value);

/** @param {unknown} value */
const printed = (value) => (value === undefined || value === null ? '<no value>' : verbose(value));

const INCOMPATIBLE = 'incompatible types for comparison';

/** @param {string} name @param {unknown} one @param {unknown} other */
function less(name, one, other) {
  if (typeOf(one) !== typeOf(other) || !['string', 'number'].includes(typeof one))
    throw new TemplateError(`error calling ${name}: ${INCOMPATIBLE}`);
  return /** @type {string} */ (one) < /** @type {string} */ (other);
}

/** @param {string} name @param {unknown} one @param {unknown} other */
function same(name, one, other) {
  const [a, b] = [one ?? null, other ?? null];
  if (a === null || b === null) return a === b;
  if (typeOf(a) !== typeOf(b)) throw new TemplateError(`error calling ${name}: ${INCOMPATIBLE}`);
  if (typeof a === 'object') throw new TemplateError(`error calling ${name}: non-comparable type`);
  return a === b;
}

/** @param {unknown} value @param {unknown[]} path */
const indexed = (value, path) =>
  path.reduce((/** @type {unknown} */ at, key) => {
    if (Array.isArray(at)) {
      const i = Number(key);
      if (!(i >= 0 && i < at.length)) throw new TemplateError(`error calling index: index out of range: ${key}`);
      return at[i];
    }
    if (isObject(at)) return Object.hasOwn(at, String(key)) ? at[String(key)] : undefined;
    throw new TemplateError('error calling index: index of untyped nil');
  }, value);

/** @param {unknown} value */
function lengthOf(value) {
  if (typeof value === 'string') return new TextEncoder().encode(value).length;
  if (Array.isArray(value)) return value.length;
  if (isObject(value)) return Object.keys(value).length;
  throw new TemplateError(
    `error calling len: len of ${value === undefined || value === null ? 'nil pointer' : `type ${typeOf(value)}`}`,
  );
}

/** %v, %s, %q, %d, %t, %% with a width. @param {unknown} format @param {unknown[]} values */
function formatted(format, values) {
  let next = 0;
  const text = String(format).replace(/%(-?)(\d*)(?:\.(\d+))?([a-zA-Z%])/g, (_, left, width, digits, verb) => {
    if (verb === '%') return '%';
    if (next >= values.length) return `%!${verb}(MISSING)`;
    const value = values[next++];
    const plain = value === null || value === undefined ? '<nil>' : verbose(value);
    const number = typeof value === 'number';
    let shown = `%!${verb}(${value === undefined || value === null ? '<nil>' : `${typeOf(value)}=${plain}`})`;
    if (
      verb === 'v' ||
      (verb === 'd' && Number.isInteger(value)) ||
      (verb === 's' && !number && typeof value !== 'boolean')
    )
      shown = plain;
    else if (verb === 'q' && typeof value === 'string') shown = JSON.stringify(value);
    else if (verb === 't' && typeof value === 'boolean') shown = plain;
    else if (verb === 'f' && number && !Number.isInteger(value))
      shown = value.toFixed(digits === undefined ? 6 : Number(digits));
    else if (verb === 'T') shown = value === undefined || value === null ? '<nil>' : typeOf(value);
    return left ? shown.padEnd(Number(width)) : shown.padStart(Number(width || 0));
  });
  const extra = values.slice(next).map((value) => `${typeOf(value)}=${verbose(value)}`);
  return extra.length > 0 ? `${text}%!(EXTRA ${extra.join(', ')})` : text;
}

/** Values with a space between two of which neither is a text, as fmt.Sprint has them. @param {unknown[]} values */
const joined = (values) =>
  values
    .map((value, i) => {
      const apart = i > 0 && typeof value !== 'string' && typeof values[i - 1] !== 'string';
      return `${apart ? ' ' : ''}${verbose(value)}`;
    })
    .join('');

/** @type {Record<string, (...args: any[]) => unknown>} */
const FUNCTIONS = {
  and: () => undefined,
  or: () => undefined,
  not: (value) => !truth(value),
  len: lengthOf,
  index: (value, ...path) => indexed(value, path),
  slice: (value, from = 0, to = lengthOf(value)) => {
    if (typeof value !== 'string' && !Array.isArray(value))
      throw new TemplateError(`error calling slice: can't slice item of type ${typeOf(value)}`);
    return value.slice(Number(from), Number(to));
  },
  print: (...values) => joined(values),
  println: (...values) => `${values.map(verbose).join(' ')}\n`,
  printf: (format, ...values) => formatted(format, values),
  eq: (one, ...others) => others.some((other) => same('eq', one, other)),
  ne: (one, other) => !same('ne', one, other),
  lt: (one, other) => less('lt', one, other),
  le: (one, other) => !less('le', other, one),
  gt: (one, other) => less('gt', other, one),
  ge: (one, other) => !less('ge', one, other),
  exists: (value, ...path) => {
    try {
      return indexed(value, path) !== undefined;
    } catch {
      return false;
    }
  },
  base64decode: (text) => new TextDecoder().decode(Uint8Array.from(atob(String(text)), (c) => c.charCodeAt(0))),
};
