package checkup

import (
	"fmt"
	"time"

	"github.com/leaselab/leaselab/sim/evidence"
	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/study/numbers"
	"github.com/leaselab/leaselab/sim/words"
)

// Cluster is the state of a cluster's Leases.
type Cluster struct {
	At       string             `json:"at,omitempty" jsonschema:"ages count to this time"`
	Leases   []Lease            `json:"leases"`
	Stall    *Stall             `json:"stall,omitempty"`
	Problems []evidence.Problem `json:"problems" jsonschema:"what the files contain that leaselab cannot read"`
}

// Lease is the state of one Lease. What the files do not show, or does not apply, is absent.
type Lease struct {
	Name     string           `json:"name" jsonschema:"namespace/name"`
	Line     string           `json:"line" jsonschema:"file:line of its last state"`
	Kind     Kind             `json:"kind"`
	Holder   string           `json:"holder"`
	Settings []Inferred       `json:"settings"`
	Period   *summary.Seconds `json:"renewPeriodSeconds,omitempty" jsonschema:"the median that a watch shows"`
	Age      *summary.Seconds `json:"ageSeconds,omitempty" jsonschema:"since the last renewal"`
	Margin   *summary.Seconds `json:"safetyMarginSeconds,omitempty" jsonschema:"see leaselab numbers"`
	Warnings []Warning        `json:"warnings"`

	setting numbers.Setting
	idle    bool // nobody renews it
}

// Options says what the files do not.
type Options struct {
	NowNs int64                      // ages count to it; 0 for the newest time in the files
	Given map[string]numbers.Setting // settings, by the Lease's namespace/name
}

// Check reports on the Leases that a Reader has read.
func Check(r *evidence.Reader, o Options) Cluster {
	all := r.Sighted()
	now := o.NowNs
	for i := range all {
		if o.NowNs == 0 {
			now = max(now, all[i].AtNs, all[i].RenewNs)
		}
	}
	out := Cluster{Leases: []Lease{}, Problems: append([]evidence.Problem{}, r.Problems()...)}
	if now > 0 {
		out.At = time.Unix(0, now).UTC().Format(time.RFC3339)
	}
	for i := range all {
		s := &all[i]
		l := Lease{Name: s.Name, Line: s.Line, Kind: kindOf(s.Name), Holder: s.Holder, Warnings: []Warning{}}
		var given *numbers.Setting
		if one, is := o.Given[s.Name]; is {
			given = &one
		}
		l.setting, l.Settings = settle(s, l.Kind, given)
		if len(s.Spaced) > 0 {
			middle := summary.Seconds(s.Spaced[len(s.Spaced)/2])
			l.Period = &middle
		}
		if s.RenewNs > 0 {
			age := summary.Seconds(max(0, now-s.RenewNs))
			l.Age = &age
		}
		if l.warn(s); l.idle {
			l.Settings = l.Settings[:1] // nobody has the others
		} else if l.setting.Refusal() == nil {
			l.Margin = l.setting.Closed(1).Margin
		}
		out.Leases = append(out.Leases, l)
	}
	return out
}

// Warning is something unusual about a Lease.
type Warning struct {
	ID   string `json:"id" jsonschema:"neverRenewed, expired, released, noDuration, tooShort, refused or climbing"`
	Says string `json:"says"`
}

// warn adds the warnings, and finds out whether anybody renews the Lease.
func (l *Lease) warn(s *evidence.Sighted) {
	add := func(id, format string, args ...any) {
		l.Warnings = append(l.Warnings, Warning{id, fmt.Sprintf(format, args...)})
	}
	text := func(d summary.Seconds) string { return words.WholeSeconds(int64(d)) }
	lease := summary.Seconds(l.setting.LeaseDuration)
	switch {
	case lease <= 0:
		l.idle = true
		add("noDuration", "The Lease has no leaseDurationSeconds, so it never expires. Is it a Lease of an election?")
	case s.Holder == "":
		l.idle = true
		add("released", "Nobody holds the Lease: its last holder released it, or no candidate has acquired it.")
	case s.RenewNs == 0:
		l.idle = true
		add("neverRenewed", "%s holds the Lease, but it has no renewTime: nobody has ever renewed it.", s.Holder)
	case s.RetryNs >= s.LeaseNs:
		l.idle = true
		add("tooShort",
			"Renewals come every %s, and leaseDuration is %s: the Lease expires while its holder is healthy.",
			text(summary.Seconds(s.RetryNs)), text(lease))
	case *l.Age > lease:
		l.idle = true
		add("expired", expired[l.Kind], text(*l.Age/1e9*1e9), s.Holder, text(lease))
	}
	if err := l.setting.Refusal(); err != nil && !l.idle {
		add("refused", "leaselab predicts nothing, because %s is not a setting of client-go: %s", l.setting, err)
	}
	if s.Risen > 0 {
		add("climbing", "leaseTransitions climbs from %d to %d within %s.", s.Transitions-s.Risen, s.Transitions,
			words.WholeSeconds(s.RisenNs/1e9*1e9))
	}
}

var expired = map[Kind]string{
	Elector: "Holder gone: the last renewal is %s old. %s stopped renewing, leaseDuration is %s, and nobody took over.",
	Node: "The node's Lease expired: the last renewal is %s old. Kubernetes takes the node %s for not ready after " +
		"%[3]s or a bit more.",
	APIServer: "API server gone: the last renewal is %s old. kube-apiserver deletes the Lease of %s after %[3]s.",
}
