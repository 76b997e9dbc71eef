package compile

import (
	"strings"
	"time"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// Request converts an act to the request that the API server gets. It looks like a request of kubectl edit, but the
// act's own headers take precedence. Header names become lower case, because the server looks them up in lower case.
func Request(a *scenario.Action) *apiserver.Request {
	r := &apiserver.Request{Method: a.Method,
		Header: map[string]string{"user-agent": "kubectl-edit/leaselab", "accept": "application/json"},
		Body:   []byte(a.Body)}
	r.Path, r.Query, _ = apiserver.ParseTarget(a.Path)
	for _, h := range a.Headers {
		name, value, _ := strings.Cut(h, ":")
		r.Header[strings.ToLower(name)] = strings.TrimSpace(value)
	}
	return r
}

var writeOps = map[string]trace.WriteOp{scenario.OpPut: trace.Put, scenario.OpPatch: trace.Patch,
	scenario.OpDelete: trace.Delete, scenario.OpTouch: trace.Touch}

// write compiles an administrator's write. Present says which fields the write sets. So "leaseTransitions: 0" sets a
// 0, and a missing field keeps its value in the Lease. Times in an act count from the run's beginning; the world's
// wall clock begins in the year 2000.
func write(setup *world.Setup, a *scenario.Action) world.Write {
	w := world.Write{
		Op:       writeOps[a.Op],
		RenewNow: a.RenewNow,
	}
	if a.Object == scenario.ObjectConfigMap {
		w.Lease = setup.ConfigMap()
	}
	for _, field := range a.Clear {
		w.Clear |= specFields[field]
	}
	if a.Spec == nil {
		return w
	}
	spec, to := a.Spec, &w.Spec
	instant := func(d *scenario.Duration) coordination.MicroTime {
		return coordination.MicroTimeOf(world.EpochUnixNs + int64(time.Duration(*d)))
	}
	if spec.HolderIdentity != nil {
		to.HolderIdentity, to.Present = setup.Symbols.Intern(*spec.HolderIdentity),
			to.Present|coordination.HasHolderIdentity
	}
	if spec.LeaseDurationSeconds != nil {
		to.LeaseDurationSeconds, to.Present = *spec.LeaseDurationSeconds,
			to.Present|coordination.HasLeaseDurationSeconds
	}
	if spec.AcquireTime != nil {
		to.AcquireTime, to.Present = instant(spec.AcquireTime), to.Present|coordination.HasAcquireTime
	}
	if spec.RenewTime != nil {
		to.RenewTime, to.Present = instant(spec.RenewTime), to.Present|coordination.HasRenewTime
	}
	if spec.LeaseTransitions != nil {
		to.LeaseTransitions, to.Present = *spec.LeaseTransitions, to.Present|coordination.HasLeaseTransitions
	}
	if spec.Strategy != nil {
		to.Strategy, to.Present = setup.Symbols.Intern(*spec.Strategy), to.Present|coordination.HasStrategy
	}
	if spec.PreferredHolder != nil {
		to.PreferredHolder, to.Present = setup.Symbols.Intern(*spec.PreferredHolder),
			to.Present|coordination.HasPreferredHolder
	}
	return w
}

var specFields = map[string]coordination.Fields{
	"holderIdentity": coordination.HasHolderIdentity, "leaseDurationSeconds": coordination.HasLeaseDurationSeconds,
	"acquireTime": coordination.HasAcquireTime, "renewTime": coordination.HasRenewTime,
	"leaseTransitions": coordination.HasLeaseTransitions, "strategy": coordination.HasStrategy,
	"preferredHolder": coordination.HasPreferredHolder,
}
