/** The bill of materials: an SPDX 2.3 document, the same for the same source. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';

/** @import { Part } from './parts.mjs' */

/** When the source was committed; a copy without its history can say it by SOURCE_DATE_EPOCH. @param {string} root of the project */
export function sourceDate(root) {
  const given = process.env.SOURCE_DATE_EPOCH ?? committed(root);
  if (!/^\d+$/.test(given)) throw new Error(`build: SOURCE_DATE_EPOCH is “${given}”, and not a number of seconds`);
  return new Date(Number(given) * 1000);
}

/** @param {string} root */
function committed(root) {
  try {
    const quiet = /** @type {const} */ (['ignore', 'pipe', 'ignore']);
    return execFileSync('git', ['log', '-1', '--format=%ct'], {
      cwd: root,
      encoding: 'utf8',
      stdio: [...quiet],
    }).trim();
  } catch {
    return '0';
  }
}

/** What is ours: of the page and the command nothing is hashed, as the one holds this file and the other differs by system. */
const OURS = /** @type {Record<string, {name: string, comment: string}>} */ ({
  page: { name: 'leaselab-page', comment: 'The static site.' },
  engine: { name: 'leaselab-engine', comment: 'engine.wasm as it is unpacked and loaded.' },
  command: { name: 'leaselab', comment: 'The command.' },
});

/**
 * @param {Part[]} parts in order
 * @param {{version: string, sha256: string, created: Date}} build the engine's version, its hash, and the date of the source
 */
export function sbom(parts, { version, sha256, created }) {
  const id = (/** @type {string} */ text) => `SPDXRef-${text.replace(/[^A-Za-z0-9.-]+/g, '-')}`;
  const idOf = (/** @type {Part} */ part) => id(`Package-${part.purl.replace('pkg:', '')}`);
  const relation = (/** @type {string} */ from, /** @type {string} */ how, /** @type {string} */ to) => ({
    spdxElementId: from,
    relationshipType: how,
    relatedSpdxElement: to,
  });
  const ours = Object.entries(OURS).map(([what, { name, comment }]) => ({
    SPDXID: id(what),
    name,
    versionInfo: version,
    supplier: 'NOASSERTION',
    downloadLocation: 'NOASSERTION',
    filesAnalyzed: false,
    ...(what === 'engine' && sha256 ? { checksums: [{ algorithm: 'SHA256', checksumValue: sha256 }] } : {}),
    licenseConcluded: 'NOASSERTION',
    licenseDeclared: 'Apache-2.0',
    copyrightText: 'NOASSERTION',
    comment,
    primaryPackagePurpose: 'APPLICATION',
  }));
  const theirs = parts.map((part) => ({
    SPDXID: idOf(part),
    name: part.name,
    versionInfo: part.version,
    supplier: 'NOASSERTION',
    downloadLocation: 'NOASSERTION',
    filesAnalyzed: false,
    ...(part.checksums.length > 0 ? { checksums: part.checksums } : {}),
    licenseConcluded: 'NOASSERTION',
    licenseDeclared: part.license,
    copyrightText: 'NOASSERTION',
    ...(part.comment ? { comment: part.comment } : {}),
    externalRefs: [{ referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl', referenceLocator: part.purl }],
    primaryPackagePurpose: 'LIBRARY',
  }));
  const content = {
    spdxVersion: 'SPDX-2.3',
    dataLicense: 'CC0-1.0',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: 'leaselab',
    creationInfo: {
      created: created.toISOString().replace(/\.\d+Z$/, 'Z'),
      creators: ['Tool: leaselab-web/build.mjs'],
      comment: 'The date is that of the source: the same source gives the same document.',
    },
    packages: [...ours, ...theirs],
    relationships: [
      ...Object.keys(OURS).map((what) => relation('SPDXRef-DOCUMENT', 'DESCRIBES', id(what))),
      relation(id('page'), 'CONTAINS', id('engine')),
      ...parts.flatMap((part) =>
        part.inside.map((what) => relation(id(what), what === 'page' ? 'CONTAINS' : 'STATIC_LINK', idOf(part))),
      ),
    ],
  };
  const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  const documentNamespace = `https://github.com/leaselab/leaselab/spdx/${digest}`;
  return `${JSON.stringify({ ...content, documentNamespace }, null, 2)}\n`;
}
