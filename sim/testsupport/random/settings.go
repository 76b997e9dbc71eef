package random

import (
	"math/rand/v2"
	"reflect"
	"strconv"
	"time"

	"github.com/leaselab/leaselab/core/random"
	"github.com/leaselab/leaselab/sim/scenario"
)

// settings draws, one time in eight, each setting that a scenario does not give, from the table of fields. It leaves
// out a value that makes the scenario invalid. Each setting has its own stream, so that a new setting does not change
// any other draw.
func settings(number uint64, s scenario.Scenario) scenario.Scenario {
	for _, setting := range scenario.Settings() {
		stream := random.NamedStream(number, "setting", setting.Path)
		g := generator{rand.New(&stream)}
		if !g.one(8) || scenario.IsSet(s, setting.Path) {
			continue
		}
		if changed, err := scenario.Set(s, setting.Path, g.value(setting)); err == nil {
			s = changed
		}
	}
	return s
}

// value draws a value of a setting, in the form that scenario.Set takes. For a group or a list it returns "".
func (g generator) value(s scenario.Setting) string {
	words, kind := scenario.Choices(s.Key), s.Type.Kind()
	switch {
	case s.Type == reflect.TypeFor[scenario.Duration]():
		return g.upTo(20 * time.Second).String()
	case kind == reflect.String && words != nil:
		return g.pick(words...)
	case kind == reflect.Bool:
		return strconv.FormatBool(g.one(2))
	case kind == reflect.Float64:
		least, most, _ := scenario.FloatRange(s.Key)
		return strconv.FormatFloat(least+(min(most, 10)-least)*g.Float64(), 'g', -1, 64)
	case kind == reflect.Int:
		return strconv.Itoa(1 + g.IntN(20))
	}
	return ""
}
