package failure

import (
	"fmt"

	"github.com/leaselab/leaselab/sim/scenario"
)

// ActWords describes an act on one line: "pause of a at 20s, for 17s".
func ActWords(a *scenario.Action) string {
	text := a.Phrase()
	for _, more := range []struct {
		given bool
		text  string
	}{
		{a.For > 0, "for " + a.For.String()}, {a.Direction != "", a.Direction}, {a.Mode != "", a.Mode},
		{a.Error != "", a.Error}, {a.Verb != "", a.Verb},
		{a.Effect != "", a.Effect}, {a.Op != "", a.Op}, {a.RatePpm != 0, fmt.Sprintf("rate %d ppm", a.RatePpm)},
	} {
		if more.given {
			text += ", " + more.text
		}
	}
	for _, d := range []struct {
		name string
		is   *scenario.Duration
	}{{"request", a.Request}, {"response", a.Response}, {"offset", a.Offset}, {"jump", a.Jump}} {
		if d.is != nil {
			text += ", " + d.name + " " + d.is.String()
		}
	}
	return text
}
