// @kubernetes/client-node's verbs on Leases, ConfigMaps and Events, an informer and a watch, against the server that the first
// argument names. The second argument is the folder that has the package.

import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import assert from 'node:assert/strict';

const [server, modules] = process.argv.slice(2);
const found = createRequire(`${modules}/package.json`).resolve('@kubernetes/client-node');
const k8s = await import(pathToFileURL(found).href);

const config = new k8s.KubeConfig();
config.loadFromClusterAndUser({ name: 'it', server, skipTLSVerify: true }, { name: 'it' });
const leases = config.makeApiClient(k8s.CoordinationV1Api);
const core = config.makeApiClient(k8s.CoreV1Api);
const namespace = 'default';

/** Runs a call that must fail with a status. */
async function fails(code, call) {
  await assert.rejects(call, (e) => e.code === code);
}

const spec = { holderIdentity: 'a', leaseDurationSeconds: 15, renewTime: new k8s.V1MicroTime() };
const made = await leases.createNamespacedLease({ namespace, body: { metadata: { name: 'x', labels: { app: 'it' } }, spec } });
assert.ok(made.metadata.uid);
await fails(409, () => leases.createNamespacedLease({ namespace, body: { metadata: { name: 'x' }, spec } }));
made.spec.holderIdentity = 'b';
const replaced = await leases.replaceNamespacedLease({ namespace, name: 'x', body: made });
assert.notEqual(replaced.metadata.resourceVersion, made.metadata.resourceVersion);
await fails(409, () => leases.replaceNamespacedLease({ namespace, name: 'x', body: made }));
const patched = await leases.patchNamespacedLease(
  { namespace, name: 'x', body: { spec: { holderIdentity: 'c' } } },
  k8s.setHeaderOptions('Content-Type', k8s.PatchStrategy.MergePatch),
);
assert.equal(patched.spec.holderIdentity, 'c');
const listed = await leases.listNamespacedLease({ namespace, labelSelector: 'app=it' });
assert.deepEqual(
  listed.items.map((l) => l.metadata.name),
  ['x'],
);

const informer = k8s.makeInformer(config, `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`, () =>
  leases.listNamespacedLease({ namespace }),
);
const seen = new Promise((resolve) => informer.on('update', resolve));
await informer.start();
await leases.replaceNamespacedLease({ namespace, name: 'x', body: { ...patched, spec: { ...patched.spec, holderIdentity: 'd' } } });
assert.equal((await seen).spec.holderIdentity, 'd');
await informer.stop();

await core.createNamespacedConfigMap({ namespace, body: { metadata: { name: 'cm' }, data: { a: '1' } } });
assert.deepEqual((await core.readNamespacedConfigMap({ namespace, name: 'cm' })).data, { a: '1' });
const involvedObject = { kind: 'Lease', namespace, name: 'x', uid: made.metadata.uid };
await core.createNamespacedEvent({ namespace, body: { metadata: { generateName: 'x.' }, involvedObject, reason: 'LeaderElection' } });
assert.equal((await core.listNamespacedEvent({ namespace, fieldSelector: 'involvedObject.name=x' })).items.length, 1);

await core.createNamespace({ body: { metadata: { name: 'mine' } } });
await leases.createNamespacedLease({ namespace: 'mine', body: { metadata: { name: 'y' } } });
await core.deleteNamespace({ name: 'mine' });
for (let gone = false; !gone; ) {
  gone = await core.readNamespace({ name: 'mine' }).then(
    () => false,
    (e) => e.code === 404,
  );
}
await leases.deleteNamespacedLease({ namespace, name: 'x' });
await leases.deleteCollectionNamespacedLease({ namespace });
assert.deepEqual((await leases.listNamespacedLease({ namespace })).items, []);
console.log('client-node did everything');
process.exit(0);
