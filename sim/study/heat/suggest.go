package heat

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/words"
)

// Field is a field for an axis of a map, with its value in the scenario and values to choose from, in order.
type Field struct {
	Path   string   `json:"path"`
	Label  string   `json:"label"`
	Now    string   `json:"now"`
	Values []string `json:"values"`
}

// Fields lists the fields of a scenario that make a useful axis: the settings of the electors, the latencies, and the
// instant of each act. Any other path of the format works, too.
func Fields(s scenario.Scenario) []Field {
	r := scenario.Resolve(s)
	e, n := &r.Candidates[0].Elector, &r.Candidates[0].Network
	released := strconv.FormatBool(e.ReleaseOnCancel != nil && *e.ReleaseOnCancel)
	all := []Field{
		lengths("elector.leaseDuration", "Followers wait", e.LeaseDuration),
		lengths("elector.renewDeadline", "Leader gives up after", e.RenewDeadline),
		lengths("elector.retryPeriod", "Look again every", e.RetryPeriod),
		lengths("elector.requestTimeout", "A request times out after", e.RequestTimeout),
		lengths("network.requestLatency", "Requests take", n.RequestLatency),
		lengths("network.responseLatency", "Answers take", n.ResponseLatency),
		{"elector.releaseOnCancel", "A stopped leader releases the Lease", released, []string{"false", "true"}},
	}
	for i := range s.Actions {
		if i == maxActs {
			break
		}
		all = append(all, actFields(i, &s.Actions[i])...)
	}
	return all
}

// maxActs limits the number of acts whose fields Fields lists.
const maxActs = 20

func actFields(i int, a *scenario.Action) []Field {
	what := fmt.Sprintf("Act %d, %s of %s", i+1, a.Act, a.TargetName())
	var fields []Field
	for _, of := range []struct {
		field, says string
		now         *scenario.Duration
	}{{"at", "when", &a.At}, {"for", "how long", &a.For}, {"request", "requests take", a.Request},
		{"response", "answers take", a.Response}} {
		if of.now != nil && (of.field == "at" || *of.now > 0) {
			fields = append(fields, lengths(fmt.Sprintf("actions[%d].%s", i, of.field), what+": "+of.says, of.now))
		}
	}
	return fields
}

// steps are the round values of a decade.
var steps = []time.Duration{100, 120, 150, 200, 250, 300, 400, 500, 600, 800}

// lengths returns a field that is a length. Its values are round, from a tenth of its present value to ten times that.
func lengths(path, label string, now *scenario.Duration) Field {
	is := time.Duration(0)
	if now != nil {
		is = time.Duration(*now)
	}
	f, around := Field{Path: path, Label: label, Now: is.String()}, max(is, time.Millisecond)
	listed := false
	for power := time.Duration(1); power <= around; power *= 10 {
		for _, step := range steps {
			value := power * step / 10
			if !listed && value >= is {
				f.Values, listed = append(f.Values, f.Now), true
			}
			if value != is && value >= around/10 && value <= 10*around {
				f.Values = append(f.Values, value.String())
			}
		}
	}
	return f
}

// Preset contains the settings of a real component, and their cell on a map.
type Preset struct {
	Name string `json:"name"`
	Says string `json:"says"`
	Cell int    `json:"cell"` // -1 if the map has no cell with the preset's values
	// Differs describes how the cell differs from the preset, such as "retryPeriod 26 s, here 2 s".
	Differs string `json:"differs,omitempty"`
}

const coordinated = "coordinated"

// `known` lists the settings of real components.
var known = []struct{ name, says, lease, deadline, retry string }{
	{"client-go and controller-runtime 15/10/2",
		"leaseDuration 15 s, renewDeadline 10 s, retryPeriod 2 s, the defaults", "15s", "10s", "2s"},
	{coordinated, "the same with coordinated leader election, whose Lease lasts 15 s", "15s", "10s", "2s"},
	{"OpenShift 137/107/26", "leaseDuration 137 s, renewDeadline 107 s, retryPeriod 26 s", "137s", "107s", "26s"},
	{"kubelet node lease", "leaseDuration 40 s, renewed every 10 s", "40s", "30s", "10s"},
}

// Presets returns the settings of real components, each with the nearest cell of the map. It skips a component if one
// of its three durations is outside an axis by more than the axis's step.
func (m *Map) Presets() []Preset {
	all := []Preset{}
	for _, one := range known {
		value := map[string]string{"elector.leaseDuration": one.lease, "elector.renewDeadline": one.deadline,
			"elector.retryPeriod": one.retry}
		onX, hasX := value[m.Spec.X.Path]
		onY, hasY := value[m.Spec.Y.Path]
		if !hasX || !hasY {
			continue
		}
		x, y := nearest(m.X, onX), nearest(m.Y, onY)
		cell := -1
		if x >= 0 && y >= 0 {
			cell = y*len(m.X) + x
		}
		preset := Preset{Name: one.name, Says: one.says, Cell: cell}
		if cell >= 0 {
			preset.Differs = m.differs(value, map[string]string{m.Spec.X.Path: m.X[x], m.Spec.Y.Path: m.Y[y]},
				one.name == coordinated)
		}
		all = append(all, preset)
	}
	return all
}

// `differs` describes how a cell differs from a preset. Either no axis has a field of the preset, or no point of the
// axis has exactly the preset's value.
func (m *Map) differs(wanted, onAxes map[string]string, coordinated bool) string {
	e := &scenario.Resolve(m.Spec.Scenario).Candidates[0].Elector
	var all []string
	for _, field := range []struct {
		name string
		ns   *scenario.Duration
	}{{"leaseDuration", e.LeaseDuration}, {"renewDeadline", e.RenewDeadline}, {"retryPeriod", e.RetryPeriod}} {
		is, on := onAxes["elector."+field.name]
		if !on && field.ns != nil {
			is = field.ns.String()
		}
		here, err := time.ParseDuration(is)
		if want, bad := time.ParseDuration(wanted["elector."+field.name]); err == nil && bad == nil && here != want {
			all = append(all, fmt.Sprintf("%s %s, here %s", field.name, words.WholeSeconds(int64(want)),
				words.WholeSeconds(int64(here))))
		}
	}
	if coordinated && (e.Coordinated == nil || !*e.Coordinated) {
		all = append(all, "this scenario is not")
	}
	return strings.Join(all, "; ")
}

// `nearest` returns the index of the nearest value. It returns -1 if the nearest value is further away than the
// distance between neighboring values.
func nearest(values []string, to string) int {
	want, err := time.ParseDuration(to)
	best, gap := -1, time.Duration(math.MaxInt64)
	var before, step time.Duration
	for i, value := range values {
		d, bad := time.ParseDuration(value)
		if bad != nil || err != nil {
			return -1
		}
		if i > 0 {
			step = max(step, (d - before).Abs())
		}
		before = d
		if away := (d - want).Abs(); away < gap {
			best, gap = i, away
		}
	}
	if gap > step {
		return -1
	}
	return best
}
