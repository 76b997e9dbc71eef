// An elector over plain HTTP: node elector.mjs [--give-up-at-once]. It stops its work after renewDeadline, whatever its
// request does. With --give-up-at-once it has a fault: the leader gives up when one renewal fails.
import { readFileSync } from 'node:fs';

const LEASE = 15, RENEW = 10, RETRY = 2; // seconds
const { KUBECONFIG, LEASELAB_IDENTITY: me, LEASELAB_NAMESPACE: space, LEASELAB_LEASE: name, LEASELAB_WORK: work } = process.env;
const server = /server: "(.*?)"/.exec(readFileSync(KUBECONFIG, 'utf8'))[1];
const all = `${server}/apis/coordination.k8s.io/v1/namespaces/${space}/leases`;
const givesUp = process.argv.includes('--give-up-at-once');
const seconds = () => performance.now() / 1000;
const sleep = (s) => new Promise((done) => setTimeout(done, 1000 * s));

async function ask(method, url, body, within) {
  const answer = await fetch(url, { method, body: body && JSON.stringify(body), signal: AbortSignal.timeout(Math.ceil(1000 * within)),
    headers: { 'Content-Type': 'application/json' } });
  const found = await answer.json();
  if (!answer.ok && answer.status !== 404) throw new Error(`${method}: ${answer.status}`);
  return answer.ok ? found : undefined;
}

let seen = '', seenAt = 0; // the record that it read last, and when it first saw it

// attempt renews or acquires the Lease; it returns whether this process holds it.
async function attempt(within) {
  const lease = await ask('GET', `${all}/${name}`, undefined, within);
  const now = new Date().toISOString().replace('Z', '000Z'), old = lease?.spec ?? {};
  if (JSON.stringify(old) !== seen) [seen, seenAt] = [JSON.stringify(old), seconds()];
  const mine = old.holderIdentity === me;
  if (old.holderIdentity && !mine && seconds() < seenAt + old.leaseDurationSeconds) return false;
  const spec = { holderIdentity: me, leaseDurationSeconds: LEASE, renewTime: now, acquireTime: mine ? old.acquireTime : now,
    leaseTransitions: (old.leaseTransitions ?? 0) + (lease && !mine ? 1 : 0) };
  if (lease) await ask('PUT', `${all}/${name}`, { ...lease, spec }, within);
  else await ask('POST', all, { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name }, spec }, within);
  return true;
}

async function lead() {
  let renewed = seconds();
  await fetch(work, { method: 'PUT' });
  for (let wait = RETRY; ; ) {
    await sleep(Math.min(wait, renewed + RENEW - seconds()));
    const begun = seconds(), left = renewed + RENEW - begun;
    if (left <= 0) break;
    try {
      if (!(await attempt(Math.min(left, 5)))) break;
      renewed = begun;
    } catch (error) {
      console.log('renewal failed:', error.message);
      if (givesUp) break;
    }
  }
  await fetch(work, { method: 'DELETE' });
  console.log('lost the Lease');
}

process.on('SIGTERM', () => process.exit(0));
for (;;) {
  try {
    if (await attempt(5)) await lead();
  } catch (error) {
    console.log('attempt failed:', error.message);
  }
  await sleep(RETRY * (1 + 1.2 * Math.random()));
}
