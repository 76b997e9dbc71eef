package export_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/leaselab/leaselab/sim/view/export"
)

// What only some runs have is in their pictures: writes with their tokens, the monitors' verdict, handovers, the arrows of requests.
func TestSVGHasWhatOnlySomeRunsHave(t *testing.T) {
	for _, c := range []struct {
		scenario     string
		fromNs, toNs int64
		has          []string
	}{
		{"b19-gc-pause-fenced-fixed", 10e9, 115e9, []string{`>Resource<`, `>token \d+<`, `class="panel sn0 edge" x=`}},
		{"b19-gc-pause-fenced", 10e9, 115e9, []string{`>Resource<`, `<path class="n0" d="M`}},
		{"b53-forty-five-over-forty", 40e9, 120e9, []string{`<rect class="two sbad"`}},
		{"elected-ghost", 20e9, 80e9, []string{`>→ c<`, `class="panel sn0 edge" d=`, `<rect class="sn2"`}},
		{"a-leader-dies", 33e9, 35e9, []string{`>API server<`, `>v\d+<`}},
	} {
		picture := of(t, lookAt(t, c.scenario, c.toNs), export.SVG, export.Options{FromNs: c.fromNs, ToNs: c.toNs})
		assert.NotEmpty(t, texts(t, picture))
		for _, want := range c.has {
			assert.True(t, regexp.MustCompile(want).MatchString(picture), "%s: %s", c.scenario, want)
		}
	}
	coarse := texts(t, of(t, lookAt(t, "a-leader-dies", 40e9), export.SVG, export.Options{ToNs: 40e9}))
	assert.NotContains(t, coarse, "API server", "the picture is not close enough")
	assert.NotContains(t, coarse, "Resource")
}

// Lanes that have no room are counted.
func TestSVGSaysWhatItLeavesOut(t *testing.T) {
	run := lookAt(t, "a-leader-dies", 40e9)
	assert.Contains(t, texts(t, of(t, run, export.SVG, export.Options{ToNs: 40e9, Lanes: 1})), "and 2 more nodes")
	assert.NotContains(t, strings.Join(texts(t, of(t, run, export.SVG, export.Options{ToNs: 40e9})), "\n"), "more node")
}
