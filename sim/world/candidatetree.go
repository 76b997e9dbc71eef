package world

import (
	"strings"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/core/wire"
)

// `note` stores a version of a LeaseCandidate, so that clients can read and watch it through the API.
func (l *candidateClients) note(w *World, number int32, o *storage.CandidateObject) {
	c := &l.objects[number]
	a := storage.Other{AtNs: w.now, Revision: o.ResourceVersion, Key: c.key}
	if _, outcome := w.store.Candidate(number); outcome == storage.OK {
		a.Candidate, a.Based = *o, c.based
	} else {
		c.based = 0
	}
	w.store.Note(a)
}

// candidateTree is a LeaseCandidate as the API shows it after a client or a controller wrote it. It keeps the
// metadata that an administrator wrote.
func (p API) candidateTree(a *storage.Other) wire.Map {
	o := &a.Candidate
	meta := wire.Map{}
	if a.Based != 0 {
		meta = wire.Object(p.OtherChange(int(a.Based-1)).Object, "metadata")
	}
	name := strings.TrimPrefix(a.Key, apiserver.CandidateKey(p.setup.Namespace, ""))
	meta["name"], meta["namespace"] = name, p.setup.Namespace
	meta["uid"], meta["creationTimestamp"] = p.setup.LeaseUID(0, o.UID), stamp(o.CreatedNs)
	text := p.setup.Symbols.Text
	spec := wire.Map{"leaseName": text(o.Spec.LeaseName), "binaryVersion": text(o.Spec.BinaryVersion)}
	if list := strings.Split(text(o.Spec.Strategy), ","); p.setup.Lists && len(list) > 1 {
		spec["preferredStrategies"] = wire.Texts(list)
	} else {
		spec["strategy"] = text(o.Spec.Strategy)
	}
	if version := text(o.Spec.EmulationVersion); version != "" {
		spec["emulationVersion"] = version
	}
	if o.Spec.Has(coordination.HasPing) {
		spec["pingTime"] = o.Spec.PingTime.String()
	}
	if o.Spec.Has(coordination.HasRenew) {
		spec["renewTime"] = o.Spec.RenewTime.String()
	}
	return wire.Map{"metadata": meta, "spec": spec}
}

// isCandidate reports whether a key belongs to a LeaseCandidate that clients and controllers see.
func (p API) isCandidate(key string) bool {
	return len(p.setup.Servers) > 0 && strings.HasPrefix(key, apiserver.CandidateKey(p.setup.Namespace, ""))
}

// `adopt` stores a LeaseCandidate as an administrator's request left it, and tells the informers.
func (l *candidateClients) adopt(w *World, change *apiserver.Change) {
	symbols := w.setup.Symbols
	number := l.objectNumber(w, symbols.Intern(strings.TrimPrefix(change.Key,
		apiserver.CandidateKey(w.setup.Namespace, ""))))
	if change.Object == nil {
		if o, outcome := w.store.DeleteCandidate(number); outcome == storage.Deleted {
			l.tellChange(w, number, &o)
		}
		return
	}
	o := w.store.AdoptCandidate(w.now, number, CandidateSpec(wire.Object(change.Object, "spec"), symbols))
	w.store.Note(storage.Other{AtNs: w.now, Revision: o.ResourceVersion, Key: change.Key,
		Object: string(wire.Encode(nil, change.Object, nil))})
	l.objects[number].based = int32(len(w.store.Others()))
	l.tellNoted(w, number, &o)
}

// CandidateSpec is the spec of a LeaseCandidate, read from its tree.
func CandidateSpec(tree wire.Map, symbols *coordination.Symbols) coordination.Candidate {
	text := func(name string) coordination.Symbol { return symbols.Intern(wire.Text(tree, name)) }
	c := coordination.Candidate{
		LeaseName: text("leaseName"), BinaryVersion: text("binaryVersion"), EmulationVersion: text("emulationVersion"),
		Strategy: text("strategy"),
	}
	if wire.Text(tree, "pingTime") != "" {
		c.SetPing(instant(tree, "pingTime"))
	}
	if wire.Text(tree, "renewTime") != "" {
		c.SetRenew(instant(tree, "renewTime"))
	}
	if list := wire.List(tree, "preferredStrategies"); list != nil {
		all := make([]string, len(list))
		for i := range list {
			all[i], _ = list[i].(string)
		}
		c.Strategy = symbols.Intern(strings.Join(all, ","))
	}
	return c
}
