package heat

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/leaselab/leaselab/sim/scenario"
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

// Preset is a real component with the settings of a cell.
type Preset struct {
	Name string `json:"name"`
	Cell int    `json:"cell"`
}

// `known` lists the settings of real components.
var known = []struct {
	name                   string
	lease, deadline, retry time.Duration
}{
	{"client-go and controller-runtime 15/10/2", 15 * time.Second, 10 * time.Second, 2 * time.Second},
	{"OpenShift 137/107/26", 137 * time.Second, 107 * time.Second, 26 * time.Second},
	{"kubelet node lease", 40 * time.Second, 30 * time.Second, 10 * time.Second},
}

// Presets returns the real components whose settings a cell of the map has.
func (m *Map) Presets() []Preset {
	all := []Preset{}
	e := &scenario.Resolve(m.Spec.Scenario).Candidates[0].Elector
	for _, one := range known {
		x, y, fits := -1, -1, true
		for _, field := range []struct {
			path string
			want time.Duration
			is   *scenario.Duration
		}{{"elector.leaseDuration", one.lease, e.LeaseDuration},
			{"elector.renewDeadline", one.deadline, e.RenewDeadline},
			{"elector.retryPeriod", one.retry, e.RetryPeriod}} {
			same := func(text string) bool {
				d, err := time.ParseDuration(text)
				return err == nil && d == field.want
			}
			switch field.path {
			case m.Spec.X.Path:
				x = slices.IndexFunc(m.X, same)
			case m.Spec.Y.Path:
				y = slices.IndexFunc(m.Y, same)
			default:
				fits = fits && field.is != nil && time.Duration(*field.is) == field.want
			}
		}
		if fits && x >= 0 && y >= 0 {
			all = append(all, Preset{one.name, y*len(m.X) + x})
		}
	}
	return all
}
