// Runs @codedependant/kubernetes-leader-election, unmodified, as a program for `leaselab score`.
import { setTimeout as sleep } from 'node:timers/promises';

process.env.KUBERNETES_SERVICE_HOST ??= '127.0.0.1'; // without it, the package leads without an election
const { Elector, EVENTS } = (await import('@codedependant/kubernetes-leader-election')).default;
const { LEASELAB_IDENTITY, LEASELAB_NAMESPACE, LEASELAB_LEASE, LEASELAB_WORK } = process.env;
const elector = new Elector({ identity: LEASELAB_IDENTITY, namespace: LEASELAB_NAMESPACE, lease_name: LEASELAB_LEASE,
  lease_duration_sec: 15, renew_interval_ms: 2000 });

/** Ends the work, which needs half a second. */
async function endWork() {
  await sleep(500);
  await fetch(LEASELAB_WORK, { method: 'DELETE' });
}

elector.on(EVENTS.LEADERSHIP_ACQUIRED, () => fetch(LEASELAB_WORK, { method: 'PUT' }));
elector.on(EVENTS.LEADERSHIP_LOST, endWork);
process.once('SIGTERM', async () => {
  await endWork();
  process.exit();
});
await elector.start();
