/** A request as a curl command. */

/** @import { Ask } from '../desk/client.js' */

/** Where `kubectl proxy` and `leaselab serve` listen. */
const SERVER = 'http://127.0.0.1:8765';

/**
 * Every control character but tab and newline. A terminal may treat a pasted control character as a key press, and a
 * shell word cannot contain NUL.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them
const CONTROLS = /[\0-\x08\x0b-\x1f\x7f-\x9f]/;
/** Quotes a text as one shell word. @param {string} text */
export function quote(text) {
  return /^(?!=)[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** @param {string} text */
const oneLine = (text) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, encodeURIComponent);

/**
 * A target on one line. It always begins with a slash, so that no target can change the server or the port.
 * @param {string} target
 */
const address = (target) => oneLine(target.startsWith('/') ? target : `/${target}`);

/** Pipes a text into a command, byte for byte. @param {string} text @param {string} command */
function pipeInto(text, command) {
  const octal = (/** @type {string} */ one) =>
    [...new TextEncoder().encode(one)].map((byte) => `\\0${byte.toString(8).padStart(3, '0')}`).join('');
  const escaped = text.replaceAll('\\', '\\\\').replace(new RegExp(CONTROLS, 'g'), octal);
  return `printf %b ${quote(escaped)} | ${command}`;
}

/** @param {Ask} ask */
export function asCurl({ method, target, headers, body }) {
  const path = address(target);
  const flags = [
    ...(/[?&]watch=(true|1)/.test(path) ? ['-N'] : []),
    // curl would read brackets as a list of addresses, and would drop dots from the path.
    ...(/[[\]{}]/.test(path) ? ['-g'] : []),
    ...(/\/\.\.?(\/|$)/.test(path.split('?')[0]) ? ['--path-as-is'] : []),
    ...(method === 'HEAD' ? ['-I'] : method === 'GET' && !body ? [] : [`-X ${quote(oneLine(method))}`]),
  ];
  const lines = [['curl', ...flags, quote(SERVER + path)].join(' ')];
  // curl reads an argument such as @secrets as the name of a file, so only real headers pass.
  const isHeader = (/** @type {string} */ header) => /^[\w!#$%&'*+.^`|~-]+:/.test(header) && !CONTROLS.test(header);
  for (const header of headers.filter(isHeader)) lines.push(`-H ${quote(header)}`);
  const hasControls = CONTROLS.test(body);
  if (hasControls) lines.push('--data-binary @-');
  else if (body) lines.push(`${body.startsWith('@') ? '--data-raw' : '--data-binary'} ${quote(body.trimEnd())}`);
  const command = lines.join(' \\\n  ');
  return hasControls ? pipeInto(body, command) : command;
}
