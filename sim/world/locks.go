package world

import (
	"encoding/json"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/core/wire"
	"github.com/leaselab/leaselab/sim/trace"
)

// recordAnnotation is the annotation of a ConfigMap that holds the election record. Source: client-go v0.23.0
// tools/leaderelection/resourcelock LeaderElectionRecordAnnotationKey.
const recordAnnotation = "control-plane.alpha.kubernetes.io/leader"

// KindConfigMap is the kind of a ConfigMap.
const KindConfigMap = "ConfigMap"

// ConfigMap returns the number of the ConfigMap in the store, which comes after the Leases. The ConfigMap does not
// exist until something creates it.
func (s *Setup) ConfigMap() int32 { return int32(len(s.LeaseNames)) }

// ConfigMap returns the number of the ConfigMap in the store. ok is false until a lock or an act uses it.
func (w *World) ConfigMap() (number int32, ok bool) {
	return w.setup.ConfigMap(), w.electors.usesConfigMap
}

// objectName returns the name of an object by its number in the store.
func (s *Setup) objectName(number int32) string {
	if number == s.ConfigMap() {
		number = 0 // the ConfigMap has the name of the first Lease
	}
	return s.LeaseNames[number]
}

// takeLock gives a candidate's new elector its lock.
func (e *electors) takeLock(w *World, i int32, lock elector.Lock) {
	n := &w.nodes[i]
	n.lock = lock
	e.usesConfigMap = e.usesConfigMap || lock != elector.Leases
	if lock != elector.ConfigMapsLeases {
		return
	}
	for int(i) >= len(e.locks) {
		e.locks = append(e.locks, elector.MultiLock{})
	}
	e.locks[i] = elector.MultiLock{Identity: n.identity,
		Unknown: w.setup.Symbols.Intern("leaderelection.k8s.io/unknown")}
}

// sendNextPart sends the next request of a lock with two objects. When the lock's call is over, it returns false and
// stores the elector's answer in the parameter "in".
func (e *electors) sendNextPart(w *World, i int32, in *elector.Input) bool {
	n, l := &w.nodes[i], &e.locks[i]
	for !l.Answer(in) {
		why := n.machine.ContextEnd(n.clock.read(w.now))
		if why == step.Success {
			e.sendPart(w, i, l.Part())
			return true
		}
		e.reportUnsent(w, i, l.Part(), why)
		*in = elector.Input{Kind: elector.Answer, Result: why}
	}
	return false
}

// sendPart sends a request of a lock with two objects.
func (e *electors) sendPart(w *World, i int32, p *elector.Part) {
	n := &w.nodes[i]
	slot, m := e.newRequest(w, i, p.Verb, p.Object)
	m.record, m.version, m.uid = p.Record, p.ResourceVersion, p.UID
	e.admit(w, n, slot, m)
}

// reportUnsent records a request that client-go does not send because its context has ended.
func (e *electors) reportUnsent(w *World, i int32, p *elector.Part, why step.Result) {
	n := &w.nodes[i]
	n.seq++
	w.recorder.counts.Requests++
	w.emit(trace.Record{Kind: trace.RequestNotSent, Candidate: i, Run: n.process.Run, Seq: n.seq, Verb: p.Verb,
		Object: p.Object, Result: why, ResourceVersion: p.ResourceVersion, Spec: p.Record})
}

// electionRecord is client-go's LeaderElectionRecord with the fields in the same order.
type electionRecord struct {
	HolderIdentity       string  `json:"holderIdentity"`
	LeaseDurationSeconds int32   `json:"leaseDurationSeconds"`
	AcquireTime          *string `json:"acquireTime"`
	RenewTime            *string `json:"renewTime"`
	LeaderTransitions    int32   `json:"leaderTransitions"`
}

// ConfigMapTree returns a ConfigMap with the given metadata. A record, if any, goes into its annotation.
func (s *Setup) ConfigMapTree(meta wire.Map, r *coordination.Record) wire.Map {
	instant := func(has coordination.Fields, t coordination.MicroTime) *string {
		if !r.Has(has) {
			return nil
		}
		text := stamp(int64(t)*1000 - EpochUnixNs)
		return &text
	}
	text, err := json.Marshal(electionRecord{
		s.Symbols.Text(r.HolderIdentity), r.LeaseDurationSeconds, instant(coordination.HasAcquireTime, r.AcquireTime),
		instant(coordination.HasRenewTime, r.RenewTime), r.LeaseTransitions,
	})
	if err != nil {
		panic(err) // plain values always encode
	}
	if r.Present != 0 {
		wire.Set(meta, string(text), "annotations", recordAnnotation)
	}
	return addMembers(wire.Map{"metadata": meta}, meta)
}
