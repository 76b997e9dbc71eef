// Runs @nullplatform/k8s-lease-lock, unmodified, as a program for `leaselab score --tls`: the package writes only by HTTPS.
import { setTimeout as sleep } from 'node:timers/promises';
import { CoordinationV1Api, KubeConfig } from '@kubernetes/client-node';
import { K8SLock } from '@nullplatform/k8s-lease-lock';

const { LEASELAB_IDENTITY, LEASELAB_NAMESPACE: namespace, LEASELAB_LEASE: name, LEASELAB_WORK } = process.env;
const kubeConfig = new KubeConfig();
kubeConfig.loadFromDefault();
const leases = kubeConfig.makeApiClient(CoordinationV1Api);
const lock = new K8SLock({ kubeConfig, leaseName: name, namespace, lockLeaserId: LEASELAB_IDENTITY,
  leaseDurationInSeconds: 15, refreshLockInterval: 2000, lockTryInterval: 2000 });

process.once('SIGTERM', async () => {
  lock.stopLocking();
  await sleep(500); // what the work needs to end
  process.exit();
});
// The package looks for statusCode 404, which its client calls code. So it never creates the Lease.
await leases.createNamespacedLease({ namespace, body: { metadata: { name } } }).catch(() => {});
for (;;) {
  await lock.startLocking();
  await fetch(LEASELAB_WORK, { method: 'PUT' });
  while (lock.keepLocking) await sleep(100);
  await sleep(500);
  await fetch(LEASELAB_WORK, { method: 'DELETE' });
}
