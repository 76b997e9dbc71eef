/** Text as kubectl prints it: tables, descriptions, errors. */

/** @typedef {{columnDefinitions?: {name: string, priority: number}[] | null, rows: {cells: any[], object?: any}[]}} ServerTable */

/** Three spaces between columns, as kubectl has it. */
const GAP = 3;

/**
 * Rows as columns of text. Widths only grow, so that rows that come later stand below the earlier ones.
 * @param {string[][]} rows
 * @param {number[]} [widths] changed
 */
export function columns(rows, widths = []) {
  for (const row of rows) {
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length);
  }
  return rows
    .map((row) =>
      row
        .map((cell, i) => (i < row.length - 1 ? cell.padEnd(widths[i] + GAP) : cell))
        .join('')
        .trimEnd(),
    )
    .join('\n');
}

/**
 * Prints the server's own tables, one after the other, under one head.
 * @param {{wide?: boolean, namespaces?: boolean, head?: boolean}} how
 */
export function tablePrinter({ wide = false, namespaces = false, head = true }) {
  /** @type {number[]} */
  const widths = [];
  /** @type {{name: string, priority: number}[]} */
  let definitions = [];
  let headed = !head;
  return (/** @type {ServerTable} */ table) => {
    if (table.columnDefinitions?.length) definitions = table.columnDefinitions;
    const kept = definitions.map((one) => wide || one.priority === 0);
    const rows = table.rows.map(({ cells, object }) => [
      ...(namespaces ? [object?.metadata?.namespace ?? ''] : []),
      ...cells
        .filter((_, i) => kept[i] ?? true)
        .map((cell) => (cell === null || cell === '' ? '<none>' : String(cell))),
    ]);
    const names = definitions
      .filter((_, i) => kept[i])
      .map((one) => one.name.replace(/([a-z])([A-Z])/g, '$1$2').toUpperCase());
    const first = headed ? [] : [[...(namespaces ? ['NAMESPACE'] : []), ...names]];
    headed = true;
    return columns([...first, ...rows], widths);
  };
}

/** "lease.coordination.k8s.io/demo" @param {any} object */
export function nameOf(object) {
  const group = String(object?.apiVersion ?? '').split('/');
  const kind = String(object?.kind ?? 'object').toLowerCase();
  return `${group.length > 1 ? `${kind}.${group[0]}` : kind}/${object?.metadata?.name ?? ''}`;
}

/** @param {string} text @returns {any} undefined for what is not JSON */
export function readJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** JSON for people; what is none stays as it is. @param {string} body */
export function pretty(body) {
  const value = readJson(body);
  return value === undefined ? body : JSON.stringify(value, null, 2);
}

/** What the server's Warning headers say. @param {string[]} headers */
export function warningsOf(headers) {
  return headers
    .filter((header) => /^warning:/i.test(header))
    .map((header) => /"((?:[^"\\]|\\.)*)"/.exec(header)?.[1].replace(/\\(.)/g, '$1') ?? header);
}

/** An answer that is an error, as kubectl tells it. @param {{status: number, answer: string}} sent */
export function errorText({ status, answer }) {
  const said = readJson(answer);
  if (said?.kind === 'Status') {
    const reason = said.reason ? ` (${said.reason})` : '';
    return `Error from server${reason}: ${said.message}`;
  }
  return `Error from server: HTTP ${status}${answer ? `: ${answer.trim().slice(0, 300)}` : ''}`;
}

const WHOLE = new Set(['api', 'uid', 'url', 'id', 'tls', 'ip']);
/** "leaseDurationSeconds" → "Lease Duration Seconds", "uid" → "UID". @param {string} name */
export function label(name) {
  if (/[./_]/.test(name)) return name;
  const parts = name.split(/(?=[A-Z][a-z])/);
  return parts
    .map((part) => (WHOLE.has(part.toLowerCase()) ? part.toUpperCase() : part[0].toUpperCase() + part.slice(1)))
    .join(' ');
}

/** An object as “describe” shows it. @param {any} object */
export function describe(object) {
  const { apiVersion, kind, metadata = {}, ...rest } = object;
  const { name, namespace, labels, annotations, managedFields: _, ...meta } = metadata;
  const pairs = (/** @type {Record<string, string> | undefined} */ map, /** @type {string} */ mark) =>
    map && Object.keys(map).length > 0
      ? Object.keys(map)
          .sort()
          .map((key) => `${key}${mark}${map[key]}`)
      : ['<none>'];
  /** @type {[string, any][]} */
  const head = [
    ['Name', name],
    ['Namespace', namespace ?? ''],
    ['Labels', { lines: pairs(labels, '=') }],
    ['Annotations', { lines: pairs(annotations, ': ') }],
    ['API Version', apiVersion],
    ['Kind', kind],
  ];
  const width = Math.max(...head.map(([key]) => key.length)) + 3;
  const first = head.flatMap(([key, value]) =>
    (value?.lines ?? [value]).map((/** @type {string} */ line, /** @type {number} */ i) =>
      `${(i === 0 ? `${key}:` : '').padEnd(width)}${line}`.trimEnd(),
    ),
  );
  return [...first, ...members({ metadata: meta, ...rest }, 0)].join('\n');
}

/** @param {Record<string, any>} object @param {number} depth @returns {string[]} */
function members(object, depth) {
  const indent = '  '.repeat(depth);
  const names = Object.keys(object).sort();
  const plain = names.filter((name) => typeof object[name] !== 'object' || object[name] === null);
  const width = Math.max(0, ...plain.map((name) => label(name).length)) + 3;
  return names.flatMap((name) => {
    const value = object[name];
    const title = `${indent}${label(name)}:`;
    if (Array.isArray(value))
      return [
        title,
        ...value.flatMap((one) => (one && typeof one === 'object' ? members(one, depth + 1) : [`${indent}  ${one}`])),
      ];
    if (value && typeof value === 'object') return [title, ...members(value, depth + 1)];
    return [`${indent}${`${label(name)}:`.padEnd(width)}${value}`];
  });
}
