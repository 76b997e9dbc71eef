/**
 * Other people's work inside the page and the command: the text of every license, and the bill of materials. npm writes
 * the bill for the page's packages, and this file adds the Go modules. The same source gives the same bytes.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/**
 * @typedef {{name: string, version: string, texts: {file: string, text: string}[]}} Part texts: the license, and
 *   the files that must accompany the license
 */

/** Names of license files, and of the files that accompany a license. */
const GRANT = /^(licen[sc]e|copying)([.-]|$)/i;
const BESIDE = /^(notice|patents)([.-]|$)/i;
/** The linked programs. The list of the command's modules covers all systems, so it is the same on every system. */
const PROGRAMS = [
  ['./wasm', 'js/wasm'],
  ...['linux/amd64', 'darwin/arm64', 'windows/amd64'].map((system) => ['./sim/cmd/leaselab', system]),
];
const MODULE = '{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}\t{{$.Dir}}{{end}}{{end}}';

/** @param {string} program @param {string[]} args @param {string} cwd @param {Record<string, string>} [env] */
const output = (program, args, cwd, env = {}) =>
  execFileSync(program, args, { cwd, env: { ...process.env, ...env }, encoding: 'utf8', maxBuffer: 1 << 26 }).trim();

/**
 * The license files in the folders of a package, from its top folder down.
 * @param {string} name
 * @param {string} top
 * @param {Iterable<string>} [folders]
 */
export function licenseTexts(name, top, folders = []) {
  const all = new Set([top]);
  for (let folder of folders) for (; folder.length > top.length; folder = dirname(folder)) all.add(folder);
  const files = [...all].sort().flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => (GRANT.test(file) || BESIDE.test(file)) && !/\.(go|js|mjs|ts|json)$/.test(file))
      .sort()
      .map((file) => relative(top, join(folder, file))),
  );
  if (!files.some((file) => GRANT.test(file.split('/').at(-1) ?? '')))
    throw new Error(`build: ${name} ships and has no license file`);
  return files.map((file) => ({ file, text: readFileSync(join(top, file), 'utf8') }));
}

/**
 * Go itself and the modules in the engine and the command.
 * @param {string} root of the project
 * @returns {Part[]}
 */
export function goParts(root) {
  /** @type {Map<string, {version: string, top: string, folders: Set<string>}>} */
  const modules = new Map();
  for (const [main, system] of PROGRAMS) {
    const [GOOS, GOARCH] = system.split('/');
    for (const line of output('go', ['list', '-deps', '-f', MODULE, main], root, { GOOS, GOARCH }).split('\n')) {
      const [path, version, top, folder] = line.split('\t');
      const known = modules.get(path) ?? { version, top, folders: new Set() };
      modules.set(path, known);
      known.folders.add(folder);
    }
  }
  const [top, version] = output('go', ['env', 'GOROOT', 'GOVERSION'], root).split('\n');
  return [
    // The standard library, with the packages of golang.org/x inside it, and the loader of the engine.
    { name: 'stdlib', version: version.replace(/^go/, ''), texts: licenseTexts('Go', top) },
    ...[...modules.keys()].sort().map((name) => {
      const { version, top, folders } = /** @type {NonNullable<ReturnType<typeof modules.get>>} */ (modules.get(name));
      return { name, version, texts: licenseTexts(name, top, folders) };
    }),
  ];
}

/**
 * The npm packages in a bundle.
 * @param {string} web
 * @param {string[]} inputs the files that went into it
 * @returns {Part[]}
 */
export function npmParts(web, inputs) {
  const names = new Set(inputs.map((file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? ''));
  names.delete('');
  return [...names].sort().map((name) => {
    const top = join(web, 'node_modules', name);
    const { version } = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8'));
    return { name, version, texts: licenseTexts(name, top) };
  });
}

/** Every license in one text. @param {string} own @param {Part[]} parts */
export function licensesText(own, parts) {
  const rule = `\n${'-'.repeat(78)}\n\n`;
  const withNewline = (/** @type {string} */ text) => `${text.trimEnd()}\n`;
  return [
    `leaselab\nApache-2.0\n\n${withNewline(own)}`,
    ...parts.map(({ name, version, texts }) =>
      [`${name} ${version}`, ...texts.map(({ text }) => withNewline(text))].join('\n\n'),
    ),
  ].join(rule);
}

/**
 * The date of the source's commit. For a copy without history, SOURCE_DATE_EPOCH can supply it.
 * @param {string} root
 */
export function sourceDate(root) {
  let epoch = process.env.SOURCE_DATE_EPOCH;
  try {
    epoch ??= execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    epoch = '0';
  }
  if (!/^\d+$/.test(epoch)) throw new Error(`build: SOURCE_DATE_EPOCH is “${epoch}”, and not a number of seconds`);
  return new Date(Number(epoch) * 1000);
}

/**
 * The bill of materials, in SPDX.
 * @param {string} web @param {Part[]} modules of Go
 * @param {{version: string, sha256: string, created: Date}} build the engine's version, its hash, and the date of the
 *   source
 */
export function bill(web, modules, { version, sha256, created }) {
  const args = ['sbom', '--omit=dev', '--package-lock-only', '--sbom-format=spdx', '--sbom-type=application'];
  const { documentNamespace, ...document } = JSON.parse(output('npm', args, web));
  document.creationInfo.created = created.toISOString().replace(/\.\d+Z$/, 'Z');
  const [page] = document.packages;
  page.versionInfo = version;
  /** @param {string} name @param {string} versionInfo @param {object} more */
  const add = (name, versionInfo, more) => {
    const SPDXID = `SPDXRef-Package-${name}-${versionInfo}`.replace(/[^A-Za-z0-9.-]+/g, '-');
    const none = { downloadLocation: 'NOASSERTION', filesAnalyzed: false, licenseDeclared: 'NOASSERTION' };
    document.packages.push({ SPDXID, name, versionInfo, ...none, ...more });
    const relation = { spdxElementId: SPDXID, relatedSpdxElement: page.SPDXID, relationshipType: 'DEPENDENCY_OF' };
    document.relationships.push(relation);
  };
  const checksums = sha256 ? [{ algorithm: 'SHA256', checksumValue: sha256 }] : [];
  add('leaselab-engine', version, { licenseDeclared: 'Apache-2.0', checksums });
  for (const { name, version } of modules) {
    const purl = `pkg:golang/${name}@${version}`;
    add(name, version, {
      externalRefs: [{ referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl', referenceLocator: purl }],
    });
  }
  const digest = createHash('sha256').update(JSON.stringify(document)).digest('hex');
  document.documentNamespace = documentNamespace.replace(/[\da-f-]{36}$/, digest);
  return `${JSON.stringify(document, null, 2)}\n`;
}
