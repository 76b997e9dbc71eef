"""An elector over plain HTTP, as many scripts have it. Its fault: the leader tries to renew for ever, and works until it
reads that the Lease has another holder. It knows no renewDeadline."""
import datetime
import json
import os
import random
import re
import time
import urllib.error
import urllib.request

LEASE, RETRY = 15, 2
ME, NAME, WORK = os.environ["LEASELAB_IDENTITY"], os.environ["LEASELAB_LEASE"], os.environ["LEASELAB_WORK"]
with open(os.environ["KUBECONFIG"]) as file:
    SERVER = re.search('server: "(.*?)"', file.read())[1]
ALL = f"{SERVER}/apis/coordination.k8s.io/v1/namespaces/{os.environ['LEASELAB_NAMESPACE']}/leases"


def ask(method, url, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method=method)
    with urllib.request.urlopen(request, timeout=5) as answer:
        return answer.read()


class Elector:
    seen, seen_at = None, 0.0

    def attempt(self):
        """Renews or acquires the Lease, and tells whether this process holds it."""
        try:
            lease = json.loads(ask("GET", f"{ALL}/{NAME}"))
        except urllib.error.HTTPError as error:
            if error.code != 404:
                raise
            lease = None
        old = lease["spec"] if lease else {}
        if old != self.seen:
            self.seen, self.seen_at = old, time.monotonic()
        holder, now = old.get("holderIdentity"), datetime.datetime.utcnow().isoformat(timespec="microseconds") + "Z"
        if holder and holder != ME and time.monotonic() < self.seen_at + old["leaseDurationSeconds"]:
            return False
        spec = {"holderIdentity": ME, "leaseDurationSeconds": LEASE, "renewTime": now,
                "acquireTime": old["acquireTime"] if holder == ME else now,
                "leaseTransitions": old.get("leaseTransitions", 0) + (lease is not None and holder != ME)}
        if lease:
            ask("PUT", f"{ALL}/{NAME}", {**lease, "spec": spec})
        else:
            ask("POST", ALL, {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": NAME}, "spec": spec})
        return True


elector, leads = Elector(), False
while True:
    try:
        holds = elector.attempt()
        if holds != leads:
            ask("PUT" if holds else "DELETE", WORK)
            leads = holds
    except OSError as error:
        print("attempt failed:", error, flush=True)
    time.sleep(RETRY if leads else RETRY * (1 + 1.2 * random.random()))
