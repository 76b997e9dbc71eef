/** Tells evidence of a cluster from a scenario, a lesson or a session of the laboratory. */
import { startOf } from './stream.js';

/** leaselab's own files, in JSON or YAML: such a document names leaselab's API or its kind. */
const OURS = /leaselab\.dev\/|["']?kind["']?\s*:\s*["']?(?:Scenario|Lesson|Session|Snapshot)\b/;
/** A single Deployment, from which the engine makes a scenario; not a list that contains one. */
const DEPLOYMENT = /^(?: {0,4}"kind": |kind: )"?Deployment\b/m;
const EVIDENCE = [
  /(?:audit|coordination)\.k8s\.io\/|\b(?:apiVersion|kind)["']?\s*:/, // objects of Kubernetes
  /^(?:[IWEF]\d{4} \d\d:\d\d:\d\d\.\d+|NAME|LAST SEEN|Name:|Error from server|error:|# HELP|# TYPE) /m, // klog, kubectl
  /[\0\ufffd]/, // pictures, databases: the reader says what they are
  /"type"\s*:\s*"(?:ADDED|MODIFIED|DELETED|BOOKMARK)"/,
  /(?:acquire leader lease|leaderelection)/i,
  /^\{"t":[\d.]+,"n":\d+,.*"events":/m, // our own trace
  /^(?:\[pod\/|\S* ?)\S*\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\S*\s/m, // zap, kubectl, container runtimes
  // what collectors write
  /"(?:log|log_s|LogMessage|textPayload|protoPayload|logEvents|podName|MESSAGE|@timestamp|resultType|ObjectRef)"\s*:/,
  /^"?@?(?:timestamp|time|date|timegenerated)\b[^\n]*,/i, // CSV
];
const LOG_NAME = /\.(?:klog|log|jsonl|ndjson|gz|bz2|tgz|tar|zip)(?:\.\d+)?$/i;

/** The first line of a leaselab trace, or of a record of real programs. */
const TRACE = /^\{(?:"apiVersion":"leaselab\.dev\/[^"]+","kind":"Trace"|"record":"leaselab\.dev\/record\/)/;

/** Whether a file is a record of real programs. @param {File} file */
export const isRecord = async (file) =>
  (await startOf(file, 64).catch(() => '')).startsWith('{"record":"leaselab.dev/record/');

/** @param {File} file */
export async function isEvidence(file) {
  const start = await startOf(file).catch(() => '');
  if (TRACE.test(start)) return true;
  if (OURS.test(start.slice(0, 4096)) || DEPLOYMENT.test(start)) return false;
  return LOG_NAME.test(file.name) || EVIDENCE.some((sign) => sign.test(start));
}
