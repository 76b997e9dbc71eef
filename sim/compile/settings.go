package compile

import (
	"reflect"
	"slices"

	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/world"
	"github.com/leaselab/leaselab/sim/world/process"
)

// change holds the settings of an act "set". It implements world.Change, so that the world can apply settings without
// knowing the format.
type change struct {
	elector *scenario.Elector
	network *scenario.Network
}

// SetElector changes the settings that an elector reads when it starts.
func (c change) SetElector(to *world.Candidate) {
	if c.elector != nil {
		setElector(to, c.elector)
	}
}

// SetNetwork changes the settings that apply from the next request on.
func (c change) SetNetwork(to *world.Candidate) {
	if c.network != nil {
		setNetwork(to, c.network)
	}
}

// Most settings have the same name in the format and in the world, except that the name of a duration may end in Ns
// in the world. copySettings copies these settings.
var (
	copiedElector = sameNames(reflect.TypeFor[scenario.Elector](), reflect.TypeFor[world.Candidate]())
	copiedNetwork = sameNames(reflect.TypeFor[scenario.Network](), reflect.TypeFor[world.Candidate]())
	copiedProcess = sameNames(reflect.TypeFor[scenario.Process](), reflect.TypeFor[process.Settings]())
	copiedClient  = sameNames(reflect.TypeFor[scenario.Client](), reflect.TypeFor[world.Client]())
)

// setElector copies the settings that are present in the argument e and leaves the others unchanged. So it works both
// for a whole candidate and for an act "set" with one field.
//
// Some fields need more than a copy. OwnJitter says whether the elector uses the scenario's jitterFactor instead of
// client-go's constant. If the two are equal, it uses the constant, so that it computes the same bits. A dialect
// without request timeouts turns off the timeout, unless the scenario sets one.
func setElector(to *world.Candidate, e *scenario.Elector) {
	copySettings(copiedElector, to, e)
	if e.JitterFactor != nil {
		to.OwnJitter = *e.JitterFactor != elector.JitterFactor
	}
	if e.ExpiryFactor != nil {
		to.ExpiryPpm = int64(*e.ExpiryFactor * 1e6)
	}
	if e.Lock != "" {
		to.Lock = elector.Lock(slices.Index(elector.LockNames[:], e.Lock))
	}
	if e.Dialect != nil {
		to.Dialect = 0
		for _, word := range e.Dialect {
			to.Dialect |= elector.DialectNamed(word)
		}
	}
	if e.RequestTimeout == nil && to.Dialect&elector.NoRequestTimeout != 0 {
		to.RequestTimeoutNs = 0
	}
}

// setNetwork copies the settings that are present in the argument n. In each direction a constant replaces a
// distribution, and vice versa.
func setNetwork(to *world.Candidate, n *scenario.Network) {
	copySettings(copiedNetwork, to, n)
	nanoseconds(&to.RequestNs, n.RequestLatency)
	nanoseconds(&to.ResponseNs, n.ResponseLatency)
	if n.RequestDistribution != nil || n.RequestLatency != nil {
		to.RequestDraw = distribution(n.RequestDistribution)
	}
	if n.ResponseDistribution != nil || n.ResponseLatency != nil {
		to.ResponseDraw = distribution(n.ResponseDistribution)
	}
	nanoseconds(&to.DeadPeerNs, n.DeadPeerTime)
}

// setProcess copies a resolved process. A flag such as OwnDrains says whether a duration applies at all, because 0 is
// a valid duration.
func setProcess(to *process.Settings, p *scenario.Process) {
	copySettings(copiedProcess, to, p)
	to.OwnDrains = to.DrainAfterCancelNs != to.WorkTailNs || to.DrainAfterLossNs != to.WorkTailNs
	to.OnLoss = lossPolicies[p.OnLoss]
	to.FreshIdentity = p.IdentityAtRestart == scenario.IdentityNew
	to.StartsAfterCrash = p.RestartAfterCrash != nil
	if p.WatchdogTolerance == nil { // the scenario has no watchdog
		to.WatchdogPeriodNs = 0
	}
}

var lossPolicies = map[string]process.LossPolicy{scenario.OnLossExit: process.ExitProcess,
	scenario.OnLossIgnore: process.IgnoreLoss}

// setClient copies a resolved client. QPS is a float32, as in client-go's rest.Config, so that it rounds in the same
// way. A qps of 0 or less means no limit.
func setClient(to *world.Client, c *scenario.Client) {
	copySettings(copiedClient, to, c)
	if *c.QPS > 0 {
		to.PerSecond = float32(*c.QPS)
	}
	if *c.WorkQPS > 0 {
		to.WorkEveryNs = int64(1e9 / *c.WorkQPS)
	}
}

// sameName is a setting that has the same name in a group of the format and in a struct of the world.
type sameName struct {
	from int   // index of the field in the group
	to   []int // path of the field in the struct, through embedded structs
}

// sameNames finds the pointers in a group for which a struct of the world has a field of the same name, with or
// without Ns.
func sameNames(group, world reflect.Type) []sameName {
	var all []sameName
	for i := range group.NumField() {
		from := group.Field(i)
		if from.Type.Kind() == reflect.Pointer {
			if to := indexOf(world, from.Name); to != nil {
				all = append(all, sameName{i, to})
			}
		}
	}
	return all
}

// indexOf finds the field with a name, or with that name and Ns, in a struct or a struct embedded in it. It returns
// nil if none exists. It replaces reflect's FieldByName, which would make the page's engine larger.
func indexOf(t reflect.Type, name string) []int {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Name == name || f.Name == name+"Ns" {
			return []int{i}
		}
		if f.Anonymous {
			if inner := indexOf(f.Type, name); inner != nil {
				return append([]int{i}, inner...)
			}
		}
	}
	return nil
}

// copySettings copies the fields that are present in the group and have a counterpart in the world.
func copySettings(common []sameName, to, group any) {
	all, given := reflect.ValueOf(to).Elem(), reflect.ValueOf(group).Elem()
	for _, f := range common {
		from, field := given.Field(f.from), all
		for _, i := range f.to {
			field = field.Field(i)
		}
		if from.IsNil() {
			continue
		}
		switch from = from.Elem(); from.Kind() {
		case reflect.Bool:
			field.SetBool(from.Bool())
		case reflect.Float64:
			field.SetFloat(from.Float())
		default:
			field.SetInt(from.Int())
		}
	}
}

func nanoseconds(to *int64, from *scenario.Duration) {
	if from != nil {
		*to = int64(*from)
	}
}
