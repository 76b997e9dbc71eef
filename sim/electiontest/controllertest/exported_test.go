package controllertest_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/scenario/yaml"
	"github.com/leaselab/leaselab/sim/view/export/gotest"
)

// variant is an exported test under another name, with lines before the one that begins with a text.
func variant(one *gotest.Test, ending, before, lines string) (file, text string) {
	text = strings.Replace(one.Text, "func "+one.Name+"(", "func "+one.Name+ending+"(", 1)
	text = strings.Replace(text, before, lines+before, 1)
	return strings.ToLower(one.Name+ending) + "_test.go", text
}

const (
	// slower makes the answers of every candidate a second later.
	slower = `	for i := range scenario.Candidates {
		scenario.Candidates[i].Network = slower(scenario, i)
	}
`
	slowerFunction = `package election

import (
	"time"

	format "github.com/leaselab/leaselab/sim/scenario"
)

func slower(s *format.Scenario, i int) *format.Network {
	n := format.ResolveCandidate(*s, s.Candidates[i])[0].Network
	latency := format.Duration(time.Second)
	if n.ResponseDistribution == nil {
		latency += *n.ResponseLatency
	}
	n.ResponseLatency, n.ResponseDistribution = &latency, nil
	return &n
}
`
	// shifted moves every interval by a nanosecond more than its width, with the tolerance on both sides.
	shifted = `	for k := range want {
		if width := want[k].latest - want[k].earliest; width > 0 {
			width += 2 * tolerance
			want[k].earliest, want[k].latest = want[k].earliest+width+1, want[k].latest+width+1
		}
	}
`
)

// Every shipped scenario that a test can express passes as one, with real electors of client-go, if it breaks no rule. If it
// breaks one, its test fails, and passes if it expects the violation. A test with an exact leader
// change fails when the answers take a second longer, and one with an interval when that is shifted beyond its width. The
// other scenarios are named with the reason.
func TestExportedTests(t *testing.T) {
	t.Parallel()
	o := newOutside(t)
	o.write(t, "slower_test.go", slowerFunction)
	passes, fails, red := map[string]string{}, []string(nil), []string(nil)
	exact, interval := 0, 0
	for _, s := range shipped.List() {
		one, err := gotest.Export(s, gotest.Options{Encode: yaml.Encode})
		if err != nil {
			t.Logf("no test of %s: %v", s.Name, err)
			continue
		}
		if one.Breach != nil {
			red = append(red, one.Name)
			o.write(t, one.File(), one.Text)
			expecting, err := gotest.Export(s, gotest.Options{Encode: yaml.Encode, Violation: true})
			require.NoError(t, err)
			file, text := variant(expecting, "Expected", "", "")
			o.write(t, file, text)
			passes[one.Name+"Expected"] = s.Name
			continue
		}
		passes[one.Name] = s.Name
		o.write(t, one.File(), one.Text)
		hasExact, hasInterval := false, false
		for k := range one.Changes.All {
			c := &one.Changes.All[k]
			hasExact = hasExact || c.EarliestNs == c.LatestNs && len(c.From) == 1 && len(c.To) == 1
			hasInterval = hasInterval || c.EarliestNs < c.LatestNs && k < one.Changes.Least
		}
		if hasExact {
			exact++
			file, text := variant(one, "Slower", "\n\t// program is", slower)
			o.write(t, file, text)
			fails = append(fails, one.Name+"Slower")
		}
		if hasInterval {
			interval++
			file, text := variant(one, "Shifted", "\tif n := len(", shifted)
			o.write(t, file, text)
			fails = append(fails, one.Name+"Shifted")
		}
	}
	outcome, output := o.tests(t)
	require.GreaterOrEqual(t, len(passes), 40)
	for name, scenario := range passes {
		assert.Equal(t, "pass", outcome[name], "%s: %s", scenario, output[name])
	}
	require.GreaterOrEqual(t, len(red), 8)
	for _, name := range red {
		assert.Equal(t, "fail", outcome[name], name)
		assert.Contains(t, output[name], ", safety]", name)
	}
	for _, name := range fails {
		assert.Equal(t, "fail", outcome[name], name)
		assert.Contains(t, output[name], "leader change", name)
	}
	t.Logf("%d exported tests pass; %d with an exact change fail with slower answers, %d with an interval fail when it is shifted", len(passes), exact, interval)
}
