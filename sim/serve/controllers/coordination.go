package controllers

import (
	"bytes"
	"time"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/coordinator"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/core/wire"
	"github.com/leaselab/leaselab/sim/world"
)

// agent is the user agent, and therefore the field manager, of the controllers that run in kube-apiserver.
const agent = "kube-apiserver/v1.36.2 (linux/amd64) kubernetes/98b3519"

// symbolBytes is how much memory names may take. Beyond that the controller drops the names that no object uses any
// more.
const symbolBytes = 64 << 20

// elections runs core/coordinator on the objects of a server. It elects a holder for every leaseName that a
// LeaseCandidate names, and deletes candidates that stop renewing.
//
// Deviation: the controller leads from the start, without its own Lease, because there is only one server. In a Lease
// without holderIdentity it writes the electee, where upstream's kube-apiserver crashes. Pinned by TestElections.
type elections struct {
	cluster Cluster
	// version is the version of LeaseCandidates in requests: coordination.k8s.io/v1beta1.
	version string
	ahead   time.Duration
	// `spared` reports whether another controller elects the holder of a Lease.
	spared  func(namespace, name string) bool
	terms   coordinator.Terms
	begun   time.Time
	symbols *coordination.Symbols
	machine coordinator.Machine

	fresh      bool                             // the machine does not run yet, because some objects are still missing
	candidates map[string]coordinator.Candidate // the candidates that the machine knows, by key
	wanted     map[coordinator.Key]int          // how many candidates name a Lease
	inputs     []coordinator.Input
}

func (e *elections) begin(now time.Time) {
	if e.begun.IsZero() {
		e.begun = now
	}
	lists := e.version == coordination.CandidateV1alpha1APIVersion
	body := coordinator.Newer
	if lists {
		body = coordinator.Older
	}
	e.symbols = coordination.NewSymbols()
	e.machine = coordinator.New(coordinator.Config{Symbols: e.symbols, Body: body, Lists: lists,
		NilHolder: coordinator.Intended, Terms: e.terms})
	e.candidates, e.wanted = map[string]coordinator.Candidate{}, map[coordinator.Key]int{}
	e.inputs, e.fresh = e.inputs[:0], true
}

// `see` queues a change for the machine. It skips a Lease that no candidate names, because such a Lease needs no
// election.
func (e *elections) see(c *apiserver.Change) {
	switch p := placeOf(c.Key); p.resource {
	case "leases":
		if key := e.key(p.namespace, p.name); e.wanted[key] > 0 {
			e.inputs = append(e.inputs, e.leaseInput(key, c))
		}
	case "leasecandidates":
		e.seeCandidate(p, c)
	}
}

func (e *elections) seeCandidate(p place, c *apiserver.Change) {
	known, had := e.candidates[c.Key]
	if c.Object == nil || e.spared(p.namespace, wire.Text(c.Object, "spec", "leaseName")) {
		if had {
			delete(e.candidates, c.Key)
			e.inputs = append(e.inputs, coordinator.Input{Kind: coordinator.CandidateGone, Candidate: known})
			e.want(coordinator.Key{Namespace: known.Namespace, Name: known.Spec.LeaseName}, -1)
		}
		return
	}
	o := e.candidate(p, c)
	e.candidates[c.Key] = o
	before, after := known.Spec.LeaseName, o.Spec.LeaseName
	if had && before != after { // a client deleted the object and created it again
		e.want(coordinator.Key{Namespace: o.Namespace, Name: before}, -1)
	}
	if !had || before != after {
		e.want(coordinator.Key{Namespace: o.Namespace, Name: after}, +1)
	}
	e.inputs = append(e.inputs, coordinator.Input{Kind: coordinator.CandidateSeen, Candidate: o})
}

// `want` counts the candidates that name a Lease. The first such candidate tells the machine about the Lease. When the
// last one goes, the machine forgets the Lease.
func (e *elections) want(key coordinator.Key, more int) {
	e.wanted[key] += more
	switch {
	case e.wanted[key] == 0:
		delete(e.wanted, key)
		e.inputs = append(e.inputs, coordinator.Input{Kind: coordinator.LeaseGone, Lease: coordinator.Lease{Key: key}})
	case e.wanted[key] == 1 && more > 0:
		storageKey := apiserver.LeaseKey(e.symbols.Text(key.Namespace), e.symbols.Text(key.Name))
		if live, has := e.cluster.Objects().ObjectAt(storageKey); has {
			e.inputs = append(e.inputs, e.leaseInput(key, &live))
		}
	}
}

func (e *elections) key(namespace, name string) coordinator.Key {
	return coordinator.Key{Namespace: e.symbols.Intern(namespace), Name: e.symbols.Intern(name)}
}

func (e *elections) leaseInput(key coordinator.Key, c *apiserver.Change) coordinator.Input {
	if c.Object == nil {
		return coordinator.Input{Kind: coordinator.LeaseGone, Lease: coordinator.Lease{Key: key}}
	}
	return coordinator.Input{Kind: coordinator.LeaseSeen, Lease: e.lease(key, c)}
}

func (e *elections) lease(key coordinator.Key, c *apiserver.Change) coordinator.Lease {
	return coordinator.Lease{Key: key, ResourceVersion: c.Revision,
		Spec: world.RecordOf(wire.Object(c.Object, "spec"), e.symbols)}
}

func (e *elections) candidate(p place, c *apiserver.Change) coordinator.Candidate {
	// The server wrote the timestamp, so it is valid.
	created, _ := time.Parse(wire.TimeLayout, wire.Text(c.Object, "metadata", "creationTimestamp"))
	return coordinator.Candidate{
		Key: e.key(p.namespace, p.name), ResourceVersion: c.Revision, CreatedSeconds: created.Unix(),
		Spec: world.CandidateSpec(wire.Object(c.Object, "spec"), e.symbols),
	}
}

// `act` passes the queued changes and the answers to its requests to the machine, one per step.
func (e *elections) act(now time.Time) time.Time {
	if e.symbols.Bytes() > symbolBytes && len(e.inputs) == 0 {
		e.begin(now)
		e.cluster.Objects().Each(func(c apiserver.Change) bool {
			e.see(&c)
			return true
		})
	}
	if e.fresh {
		e.fresh = false
		e.inputs = append(e.inputs, coordinator.Input{Kind: coordinator.Boot},
			coordinator.Input{Kind: coordinator.Lead})
	}
	mono := int64(now.Sub(e.begun))
	at := step.Reading{Now: mono, Mono: mono, Wall: now.Add(e.ahead).UnixNano()}
	if mono >= e.machine.NextWakeNs() {
		e.inputs = append(e.inputs, coordinator.Input{Kind: coordinator.Wake})
	}
	for len(e.inputs) > 0 {
		in := e.inputs[0]
		e.inputs = e.inputs[1:]
		for _, out := range e.machine.Step(at, in, nil) {
			if out.Kind == coordinator.Send {
				e.inputs = append(e.inputs, e.send(now, &out.Request))
			}
		}
	}
	e.inputs = nil
	if due := e.machine.NextWakeNs(); due != step.Never {
		return e.begun.Add(time.Duration(due))
	}
	return time.Time{}
}

// `send` sends a request of the machine and returns the answer as its next input. It answers reads directly from the
// objects, as upstream's informers do. Writes go through the server and may fail like any client's.
func (e *elections) send(now time.Time, r *coordinator.Request) coordinator.Input {
	in := coordinator.Input{Kind: coordinator.Answer, Serial: r.Serial}
	namespace, name := e.symbols.Text(r.Key.Namespace), e.symbols.Text(r.Key.Name)
	server := e.cluster.Objects()
	leasePath := func(name string) string { return objectPath(coordination.APIVersion, namespace, "leases", name) }
	candidatePath := objectPath(e.version, namespace, "leasecandidates", name)
	var sent *apiserver.Request
	switch r.Verb {
	case coordinator.GetLease:
		if live, has := server.ObjectAt(apiserver.LeaseKey(namespace, name)); has {
			in.Lease = e.lease(r.Key, &live)
			return in
		}
		in.Result = step.NotFound
		return in
	case coordinator.GetCandidate:
		key := apiserver.CandidateKey(namespace, name)
		if live, has := server.ObjectAt(key); has {
			in.Candidate = e.candidate(place{"leasecandidates", namespace, name}, &live)
			return in
		}
		in.Result = step.NotFound
		return in
	case coordinator.Ping:
		sent = request(agent, "PATCH", candidatePath, wire.Map{
			"metadata": precondition(r.ResourceVersion), "spec": wire.Map{"pingTime": r.Candidate.PingTime.String()},
		})
	case coordinator.DeleteCandidate:
		sent = request(agent, "DELETE", candidatePath, nil)
	case coordinator.CreateLease:
		sent = request(agent, "POST", leasePath(""), wire.Map{
			"kind": "Lease", "apiVersion": coordination.APIVersion,
			"metadata": wire.Map{"name": name, "namespace": namespace},
			"spec":     world.SpecTree(&r.Lease, e.symbols),
		})
	case coordinator.UpdateLease:
		spec := world.SpecTree(&r.Lease, e.symbols)
		for _, field := range []string{"preferredHolder", "acquireTime"} { // the fields that the controller clears
			if _, has := spec[field]; !has {
				spec[field] = nil
			}
		}
		sent = request(agent, "PATCH", leasePath(name),
			wire.Map{"metadata": precondition(r.ResourceVersion), "spec": spec})
	}
	answer := e.cluster.Do(now, sent)
	in.Result = resultOf(&answer)
	return in
}

// resultOf converts an answer into a result for the machine.
func resultOf(answer *apiserver.Response) step.Result {
	switch answer.Status {
	case 403:
		return step.Forbidden
	case 404:
		return step.NotFound
	case 409:
		if bytes.Contains(answer.Body, []byte(`"reason":"AlreadyExists"`)) {
			return step.AlreadyExists
		}
		return step.Conflict
	case 422:
		return step.Invalid
	}
	if answer.Status < 300 {
		return step.Success
	}
	return step.InternalError
}
