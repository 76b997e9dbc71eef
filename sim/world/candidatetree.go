package world

import (
	"strings"
	"time"

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
	spec := coordination.CandidateSpecOf(&o.Spec, p.setup.Lists, p.setup.Symbols)
	tree := wire.Map{"leaseName": spec.LeaseName, "binaryVersion": spec.BinaryVersion}
	switch list := spec.PreferredStrategies; {
	case len(list) == 1: // the store has one strategy, not a list
		tree["strategy"] = list[0]
	case list != nil:
		tree["preferredStrategies"] = anyOf(list)
	default:
		tree["strategy"] = spec.Strategy
	}
	if spec.EmulationVersion != "" {
		tree["emulationVersion"] = spec.EmulationVersion
	}
	if spec.PingTime != nil {
		tree["pingTime"] = spec.PingTime.String()
	}
	if spec.RenewTime != nil {
		tree["renewTime"] = spec.RenewTime.String()
	}
	return wire.Map{"metadata": meta, "spec": tree}
}

// anyOf converts a list of strings to a list in a tree.
func anyOf(list []string) []any {
	all := make([]any, len(list))
	for i := range list {
		all[i] = list[i]
	}
	return all
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
	instant := func(name string) *coordination.MicroTime {
		if wire.Text(tree, name) == "" {
			return nil
		}
		at, err := time.Parse(wire.MicroTimeLayout, wire.Text(tree, name))
		if err != nil {
			panic(err) // the API server has already validated it
		}
		micros := coordination.MicroTime(at.UnixMicro())
		return &micros
	}
	spec := coordination.LeaseCandidateSpec{
		LeaseName: wire.Text(tree, "leaseName"), BinaryVersion: wire.Text(tree, "binaryVersion"),
		EmulationVersion:    wire.Text(tree, "emulationVersion"),
		Strategy:            wire.Text(tree, "strategy"),
		PreferredStrategies: texts(wire.List(tree, "preferredStrategies")),
		PingTime:            instant("pingTime"), RenewTime: instant("renewTime"),
	}
	return spec.Candidate(symbols)
}

// `texts` converts a list in a tree to a list of strings.
func texts(list []any) []string {
	var all []string
	for _, one := range list {
		text, _ := one.(string)
		all = append(all, text)
	}
	return all
}
