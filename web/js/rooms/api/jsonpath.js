/**
 * Prints an object through a template, like kubectl -o jsonpath. Text outside braces stays unchanged. Braces hold a
 * path, a text in double quotes, or range … end. A path has members (.name, ['name'], .*) and elements ([0], [-1],
 * [*]). A missing member prints nothing.
 *
 * Source: client-go util/jsonpath.
 */
import { isObject } from '../../lib/shape.js';
import { plainText } from './table.js';

/** An error that says what is wrong with a template. */
export class PathError extends Error {}

/** @param {string} template @param {unknown} root @returns {string} */
export function printPath(template, root) {
  try {
    return printParts(parse(tokens(template), false), root, root);
  } catch (error) {
    if (!(error instanceof PathError)) throw error;
    throw new PathError(`error: error parsing jsonpath ${template}, ${error.message}`);
  }
}

/** @typedef {string | {path: string, inside?: Part[]}} Part a text, a path, or a range with what it repeats */

/** Splits a template into texts and actions. An action keeps its opening brace. @param {string} template */
function tokens(template) {
  /** @type {string[]} */
  const found = template.match(/\{(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^"'{}])*\}|[^{]+|\{/g) ?? [];
  const open = found.indexOf('{');
  if (open >= 0) throw new PathError(/\[[^\]]*$/.test(template) ? 'unterminated array' : 'unclosed action');
  return found;
}

/** @param {string[]} all the rest to read; this removes what it reads @param {boolean} inRange @returns {Part[]} */
function parse(all, inRange) {
  /** @type {Part[]} */
  const parts = [];
  for (let token = all.shift(); token !== undefined; token = all.shift()) {
    const action = token.startsWith('{') ? token.slice(1, -1).trim() : undefined;
    if (action === undefined) parts.push(token);
    else if (action.startsWith('"')) parts.push(literal(action));
    else if (action.startsWith('range ')) parts.push({ path: action.slice(6).trim(), inside: parse(all, true) });
    else if (action !== 'end') parts.push({ path: action });
    else if (inRange) return parts;
    else throw new PathError('not in range, nothing to end');
  }
  if (inRange) throw new PathError('unterminated range');
  return parts;
}

/** @param {string} quoted */
function literal(quoted) {
  try {
    return JSON.parse(quoted);
  } catch {
    throw new PathError(`invalid literal ${quoted}`);
  }
}

/** @param {Part[]} parts @param {unknown} root @param {unknown} here @returns {string} */
function printParts(parts, root, here) {
  return parts
    .map((part) => {
      if (typeof part === 'string') return part;
      const { path, inside } = part;
      const values = walk(path, root, here);
      return inside ? values.map((value) => printParts(inside, root, value)).join('') : values.map(plainText).join(' ');
    })
    .join('');
}

const STEP = /^\.(?<name>(?:\\.|[^.[\\\s])+)|^\.?\[(?:'(?<quoted>[^']*)'|(?<index>[^\]]*))\]|^\.$/;

/**
 * The values at a path.
 * @param {string} path
 * @param {unknown} root
 * @param {unknown} here
 * @returns {unknown[]}
 */
function walk(path, root, here) {
  if (!/^[.[$@]/.test(path)) throw new PathError(`unrecognized identifier ${path}`);
  let values = [path.startsWith('$') ? root : here];
  for (let rest = path.replace(/^[$@]/, ''); rest !== ''; ) {
    const step = STEP.exec(rest);
    if (!step) throw new PathError(`unrecognized character in action: ${rest}`);
    const { name, quoted = name?.replace(/\\(.)/g, '$1'), index } = step.groups ?? {};
    if (quoted !== undefined) values = values.flatMap((value) => members(value, quoted));
    else if (index !== undefined) values = values.flatMap((value) => elements(value, index.trim()));
    rest = rest.slice(step[0].length);
  }
  return values;
}

/** @param {unknown} value @param {string} name "*" for all of them @returns {unknown[]} */
function members(value, name) {
  if (Array.isArray(value)) return name === '*' ? value : [];
  if (!isObject(value)) return [];
  const names = name === '*' ? Object.keys(value).sort() : [name];
  return names.filter((one) => Object.hasOwn(value, one)).map((one) => value[one]);
}

/** @param {unknown} value @param {string} index "0", "-1", "*" @returns {unknown[]} */
function elements(value, index) {
  if (index === '*') return members(value, '*');
  if (!/^-?\d+$/.test(index)) throw new PathError(`invalid array index ${index}`);
  if (!Array.isArray(value)) throw new PathError(`${plainText(value)} is not array or slice`);
  const found = value.at(Number(index));
  if (found === undefined) throw new PathError(`array index out of bounds: index ${index}, length ${value.length}`);
  return [found];
}
