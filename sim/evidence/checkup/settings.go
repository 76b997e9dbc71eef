package checkup

import (
	"strings"
	"time"

	"github.com/leaselab/leaselab/sim/evidence"
	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/study/numbers"
)

// Kind is what a Lease is for.
type Kind string

const (
	Elector   Kind = "elector"
	Node      Kind = "node heartbeat"
	APIServer Kind = "API server identity"
)

// kindOf returns the kind of a Lease by its namespace and name, as kubelets and kube-apiservers choose them.
func kindOf(lease string) Kind {
	switch {
	case strings.HasPrefix(lease, "kube-node-lease/"):
		return Node
	case strings.HasPrefix(lease, "kube-system/apiserver-"), strings.HasPrefix(lease, "kube-system/kube-apiserver-"):
		return APIServer
	}
	return Elector
}

// known are the default settings of programs that many clusters run. Sources: csi-lib-utils leaderelection
// leader_election.go; cert-manager internal/apis/config/shared/v1alpha1 defaults.go; fluxcd/pkg runtime/leaderelection;
// istio pilot/pkg/leaderelection and ingress-nginx internal/ingress/controller status.go, which take 30 s, half and a
// quarter of it.
var known = []struct {
	program string
	setting numbers.Setting
}{
	{"client-go and controller-runtime", setting(15, 10, 2)},
	{"the CSI sidecars", setting(15, 10, 5)},
	{"OpenShift", setting(137, 107, 26)},
	{"cert-manager", setting(60, 40, 15)},
	{"Flux", setting(35, 30, 5)},
	{"Istio and ingress-nginx", setting(30, 15, 7.5)},
}

func setting(lease, deadline, retry float64) numbers.Setting {
	of := func(seconds float64) time.Duration { return time.Duration(seconds * float64(time.Second)) }
	return numbers.Setting{LeaseDuration: of(lease), RenewDeadline: of(deadline), RetryPeriod: of(retry)}
}

// heartbeat is the time between two renewals of a kubelet or a kube-apiserver.
const heartbeat = 10 * time.Second

// Inferred is one of an elector's three durations.
type Inferred struct {
	Name    string          `json:"name"`
	Seconds summary.Seconds `json:"seconds"`
	From    Source          `json:"from"`
	Program string          `json:"program,omitempty" jsonschema:"the program whose default it is"`
}

// Source says where a value comes from.
type Source string

const (
	Stored   Source = "lease"    // it is in the Lease
	Measured Source = "measured" // renewals show it
	Assumed  Source = "assumed"
	Given    Source = "given" // by the caller
)

// settle finds the setting of a Lease, and says where each value comes from.
func settle(s *evidence.Sighted, kind Kind, given *numbers.Setting) (set numbers.Setting, values []Inferred) {
	from, program := [3]Source{Stored, Assumed, Measured}, ""
	period := time.Duration(s.RetryNs)
	set = numbers.Setting{LeaseDuration: time.Duration(s.LeaseNs), RetryPeriod: period, NoDeadline: kind != Elector}
	switch {
	case given != nil:
		set, from = *given, [3]Source{Given, Given, Given}
	case kind != Elector && period == 0:
		set.RetryPeriod, from[2] = heartbeat, Assumed
	case kind == Elector:
		var guess numbers.Setting
		if guess, program = like(set.LeaseDuration, period); period == 0 {
			set.RetryPeriod, from[2] = guess.RetryPeriod, Assumed
		}
		if least := time.Duration(s.LeastNs); period == 0 && 0 < least && least < guess.RetryPeriod {
			guess, program = like(set.LeaseDuration, least)
			set.RetryPeriod, from[2] = least, Measured
		}
		set.RenewDeadline = guess.RenewDeadline
	}
	for i, value := range []time.Duration{set.LeaseDuration, set.RenewDeadline, set.RetryPeriod} {
		if i == 1 && set.NoDeadline {
			continue
		}
		one := Inferred{Name: fields[i], Seconds: summary.Seconds(value), From: from[i]}
		if from[i] == Assumed {
			one.Program = program
		}
		values = append(values, one)
	}
	return set, values
}

var fields = [...]string{"leaseDuration", "renewDeadline", "retryPeriod"}

// like returns the known setting with these values, or one with the proportions of client-go's default. The period is 0
// if nothing shows it.
func like(lease, period time.Duration) (set numbers.Setting, program string) {
	for _, k := range known {
		if k.setting.LeaseDuration == lease && (period == 0 || k.setting.RetryPeriod == period) {
			return k.setting, k.program
		}
	}
	const unit = 100 * time.Millisecond
	return numbers.Setting{LeaseDuration: lease, RenewDeadline: (lease * 2 / 3).Round(unit),
		RetryPeriod: (lease * 2 / 15).Round(unit)}, ""
}
