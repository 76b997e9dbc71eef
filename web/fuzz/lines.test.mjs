/**
 * Whatever is typed into the line of the API tab is a line or a sentence, and so is every template of -o jsonpath:
 * nothing throws anything else, and nothing takes long. LINES says how many, SEED which.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PathError, printPath } from '../js/rooms/api/jsonpath.js';
import { LineError, parseLine } from '../js/rooms/api/line.js';
import { changeText, randomOf } from './mutate.mjs';

const seed = Number(process.env.SEED ?? 20261122);
const count = Number(process.env.LINES ?? 20_000);

const LINES = [
  'kubectl get leases -Awo yaml -l "a in (b, c)"',
  `patch lease demo --type=merge -p '{"spec": {"a": "b\\"c"}}' --dry-run=server`,
  "get lease/demo lease/x -o jsonpath='{.metadata.name}' --show-managed-fields=false -- -x",
];
const TEMPLATES = [
  '{range .items[*]}{.metadata.name}{"\\t"}{.spec.a}{"\\n"}{end}',
  '{.items[?(@.metadata.name=="demo")].spec.leaseDurationSeconds} {..name}',
  "{.items[0:2].metadata['labels'].a\\.b/c}|{$.kind} {@.items[-1]}",
];
const list = {
  kind: 'List',
  items: ['demo', 'x'].map((name) => ({
    metadata: { name, labels: { 'a.b/c': 'd' } },
    spec: { leaseDurationSeconds: 9 },
  })),
};

/**
 * @param {readonly string[]} texts
 * @param {(text: string) => unknown} read
 * @param {new (...args: any[]) => Error} Fault
 */
function readsOrRefuses(texts, read, Fault) {
  const random = randomOf(seed);
  let understood = 0;
  for (let i = 0; i < count; i++) {
    let text = random.pick(texts);
    for (let n = random.integer(6); n > 0; n--) text = changeText(random, text);
    const begun = process.cpuUsage(); // what else runs on the machine is not in it
    try {
      read(text);
      understood++;
    } catch (error) {
      assert.ok(error instanceof Fault, `${JSON.stringify(text)}: ${error}`);
    }
    assert.ok(process.cpuUsage(begun).user < 1e6, `a second for ${JSON.stringify(text)}`);
  }
  assert.ok(understood > count / 20 && understood < count, `${understood} of ${count} were understood`);
}

test(`${count} lines`, () => readsOrRefuses(LINES, parseLine, LineError));

test(`${count} templates`, () => readsOrRefuses(TEMPLATES, (text) => printPath(text, list), PathError));
