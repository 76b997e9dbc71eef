/** What of others ships inside the page and the command: which packages, with their licences and their hashes. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/**
 * @typedef {object} Part
 * @property {string} name
 * @property {string} version
 * @property {string} purl its name in every ecosystem
 * @property {string} license an SPDX expression
 * @property {{file: string, text: string}[]} texts the licence, and what must go with it
 * @property {string[]} inside what it is a part of: page, engine, command
 * @property {{algorithm: string, checksumValue: string}[]} checksums
 * @property {string} [comment]
 */

/** Licences by words that only they have. @type {[string, RegExp][]} */
const LICENSES = [
  ['Apache-2.0', /Apache License,?\s+Version 2\.0/],
  ['BSD-3-Clause', /Redistribution and use in source and binary forms[\s\S]*endorse\s+or\s+promote/],
  ['BSD-2-Clause', /Redistribution and use in source and binary forms(?![\s\S]*endorse\s+or\s+promote)/],
  ['ISC', /Permission to use, copy, modify, and(\/or)? distribute this software for any\s+purpose/],
  ['MIT', /Permission is hereby granted, free of charge, to any person obtaining/],
];
/** Names of the files that hold a licence, and of those that go with it. */
const GRANT = /^(licen[sc]e|copying)([.-]|$)/i;
const BESIDE = /^(notice|patents)([.-]|$)/i;

/**
 * The licence of a text, or of several. @param {string} name @param {{file: string, text: string}[]} texts
 */
export function licenseOf(name, texts) {
  const grants = texts.filter(({ file }) => GRANT.test(file.split('/').at(-1) ?? ''));
  if (grants.length === 0) throw new Error(`build: ${name} ships and has no licence file`);
  const found = LICENSES.filter(([, known]) => grants.some(({ text }) => known.test(text))).map(([id]) => id);
  if (found.length === 0) throw new Error(`build: the licence of ${name} is not known by its words`);
  return found.sort().join(' AND ');
}

/** The licence files of the folders from the top of a package down. @param {string} top @param {string[]} folders */
export function licenseTexts(top, folders) {
  const all = new Set([top]);
  for (let folder of folders) for (; folder.length > top.length; folder = dirname(folder)) all.add(folder);
  return [...all].sort().flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => (GRANT.test(file) || BESIDE.test(file)) && !/\.(go|js|mjs|ts|json)$/.test(file))
      .sort()
      .map((file) => ({ file: relative(top, join(folder, file)), text: readFileSync(join(folder, file), 'utf8') })),
  );
}

/** @param {string[]} args @param {Record<string, string>} env @param {string} cwd */
const go = (args, env, cwd) =>
  execFileSync('go', args, { cwd, env: { ...process.env, ...env }, encoding: 'utf8', maxBuffer: 1 << 26 });

/** The command's are those of all systems, so that the list is the same wherever it is made. */
const PROGRAMS = [
  { inside: 'engine', main: './wasm', systems: ['js/wasm'] },
  { inside: 'command', main: './sim/cmd/leaselab', systems: ['linux/amd64', 'darwin/arm64', 'windows/amd64'] },
];

/** Go itself and the modules that are linked into the engine and the command. @param {string} root of the project @returns {Part[]} */
export function goParts(root) {
  /** @type {Map<string, {module: any, folders: Set<string>, inside: Set<string>}>} */
  const modules = new Map();
  for (const { inside, main, systems } of PROGRAMS)
    for (const system of systems) {
      const [GOOS, GOARCH] = system.split('/');
      const listed = go(
        [
          'list',
          '-deps',
          '-f',
          '{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}\t{{$.Dir}}{{end}}{{end}}',
          main,
        ],
        { GOOS, GOARCH },
        root,
      );
      for (const line of listed.split('\n').filter(Boolean)) {
        const [path, version, top, folder] = line.split('\t');
        const known = modules.get(path) ?? { module: { path, version, top }, folders: new Set(), inside: new Set() };
        known.folders.add(folder);
        known.inside.add(inside);
        modules.set(path, known);
      }
    }
  const sums = new Map(
    readFileSync(join(root, 'go.sum'), 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .map(([path, version, sum]) => [`${path}@${version}`, sum]),
  );
  const linked = [...modules.values()].map(({ module: { path, version, top }, folders, inside }) => {
    const sum = sums.get(`${path}@${version}`);
    if (!sum?.startsWith('h1:')) throw new Error(`build: go.sum has no hash of ${path}@${version}`);
    const texts = licenseTexts(top, [...folders]);
    return {
      name: path,
      version,
      purl: `pkg:golang/${path}@${version}`,
      license: licenseOf(path, texts),
      texts,
      inside: [...inside].sort(),
      checksums: [{ algorithm: 'SHA256', checksumValue: Buffer.from(sum.slice(3), 'base64').toString('hex') }],
      comment: "The checksum is the h1 of go.sum: of the list of the module's files and their hashes.",
    };
  });
  return [toolchain(root), ...linked];
}

/** The standard library, with the packages of golang.org/x inside it, and the loader of the engine. @param {string} root @returns {Part} */
function toolchain(root) {
  const [top, version] = go(['env', 'GOROOT', 'GOVERSION'], {}, root).trim().split('\n');
  const texts = licenseTexts(top, []);
  return {
    name: 'Go',
    version: version.replace(/^go/, ''),
    purl: `pkg:golang/stdlib@${version.replace(/^go/, '')}`,
    license: licenseOf('Go', texts),
    texts,
    inside: ['command', 'engine', 'page'],
    checksums: [],
    comment: 'The runtime and the standard library; in the page wasm_exec.js, which loads the engine.',
  };
}

/**
 * The npm packages that a bundle is made of.
 * @param {string} web the folder of the page
 * @param {string[]} inputs the files that went into it
 * @returns {Part[]}
 */
export function npmParts(web, inputs) {
  const names = new Set(inputs.map((file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? ''));
  names.delete('');
  const lock = JSON.parse(readFileSync(join(web, 'package-lock.json'), 'utf8')).packages;
  return [...names].map((name) => {
    const top = join(web, 'node_modules', name);
    const { version, license } = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8'));
    const texts = licenseTexts(top, []);
    const known = licenseOf(name, texts);
    if (known !== license) throw new Error(`build: ${name} says ${license}, its licence file ${known}`);
    const [algorithm, sum] = /^(sha512)-(.+)$/.exec(lock[`node_modules/${name}`]?.integrity ?? '')?.slice(1) ?? [];
    if (!sum) throw new Error(`build: package-lock.json has no SHA-512 of ${name}`);
    return {
      name,
      version,
      purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
      license,
      texts,
      inside: ['page'],
      checksums: [{ algorithm: algorithm.toUpperCase(), checksumValue: Buffer.from(sum, 'base64').toString('hex') }],
    };
  });
}

/** In one order wherever they are made. @param {Part[]} parts */
export const inOrder = (parts) => [...parts].sort((a, b) => (a.purl < b.purl ? -1 : 1));

/** Every licence in one text. @param {string} own @param {Part[]} parts */
export function licensesText(own, parts) {
  const rule = `\n${'-'.repeat(78)}\n\n`;
  const head = (/** @type {Part} */ { name, version, license, inside }) =>
    `${name} ${version}\n${license}\nin the ${inside.join(', the ')}`;
  const ended = (/** @type {string} */ text) => `${text.trimEnd()}\n`;
  return [
    `leaselab\nApache-2.0\n\n${ended(own)}`,
    ...parts.map((part) => [head(part), ...part.texts.map(({ text }) => ended(text))].join('\n\n')),
  ].join(rule);
}
