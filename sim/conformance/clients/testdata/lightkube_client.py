"""lightkube's verbs on Leases, against the server that is named by the first argument."""

import sys

from lightkube import ApiError, Client, KubeConfig
from lightkube.config.kubeconfig import Cluster, User
from lightkube.models.coordination_v1 import LeaseSpec
from lightkube.models.meta_v1 import ObjectMeta
from lightkube.resources.coordination_v1 import Lease
from lightkube.types import PatchType

client = Client(config=KubeConfig.from_one(cluster=Cluster(server=sys.argv[1]), user=User()), namespace="default", field_manager="lightkube")
made = client.create(Lease(metadata=ObjectMeta(name="x", labels={"app": "it"}), spec=LeaseSpec(holderIdentity="a", leaseDurationSeconds=15)))
assert made.metadata.uid, made
assert client.get(Lease, "x").spec.holderIdentity == "a"
made.spec.holderIdentity = "b"
replaced = client.replace(made)
assert replaced.metadata.resourceVersion != made.metadata.resourceVersion
try:
    client.replace(made)
    raise AssertionError("a stale write must conflict")
except ApiError as e:
    assert e.status.code == 409, e
assert client.patch(Lease, "x", {"spec": {"holderIdentity": "c"}}).spec.holderIdentity == "c"
assert client.patch(Lease, "x", {"spec": {"holderIdentity": "d"}}, patch_type=PatchType.MERGE).spec.holderIdentity == "d"
applied = client.apply(
    Lease(apiVersion="coordination.k8s.io/v1", kind="Lease", metadata=ObjectMeta(name="x"), spec=LeaseSpec(holderIdentity="e")), force=True
)
assert applied.spec.holderIdentity == "e"
assert [o.metadata.name for o in client.list(Lease, labels={"app": "it"})] == ["x"]
for event, o in client.watch(Lease, resource_version=made.metadata.resourceVersion):
    assert (event, o.metadata.name) == ("MODIFIED", "x"), (event, o)
    break
client.delete(Lease, "x")
client.deletecollection(Lease)
assert not list(client.list(Lease))
print("lightkube did everything")
