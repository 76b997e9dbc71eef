package shipped_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/judge/expect"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
)

// Every shipped scenario is a test: what it expects holds, and no violation happens that it does not name.
func TestScenariosDoWhatTheyExpect(t *testing.T) {
	for _, s := range shipped.List() {
		r := run.WithClauses(s)
		r.To(r.EndNs(), nil)
		sum := summary.Of(s, r, r.EndNs())
		assert.Empty(t, sum.Unmet, s.Name)
		assert.Equal(t, summary.Fine, summary.Verdict(s, r, &sum), "%s: %v", s.Name, sum.Violations)
	}
}

// The two variants of an exhibit differ in what matters: neither does what is expected of the other.
func TestVariantsDiffer(t *testing.T) {
	compared, invalid := 0, 0
	for _, s := range shipped.List() {
		if s.Museum == nil {
			continue
		}
		partner, shipped := shipped.ByName(s.Museum.Partner)
		if !assert.True(t, shipped, "%s has no partner %q", s.Name, s.Museum.Partner) {
			continue
		}
		require.NotNil(t, partner.Museum, s.Name)
		assert.Equal(t, s.Museum.Catalogue, partner.Museum.Catalogue, s.Name)
		assert.NotEqual(t, s.Museum.Variant, partner.Museum.Variant, s.Name)
		exchanged := s
		exchanged.Expect = partner.Expect
		if scenario.Validate(exchanged) != nil {
			invalid++ // the partner's clauses name a node that is not there, or an instant after the end
			continue
		}
		compared++
		r := run.WithClauses(exchanged)
		r.To(r.EndNs(), nil)
		assert.NotEmpty(t, expect.Unmet(r.Outcomes(r.EndNs())), "%s does what is expected of %s", s.Name, partner.Name)
	}
	assert.LessOrEqual(t, invalid, compared/10, "%d pairs are compared, %d are not", compared, invalid)
	assert.Positive(t, compared)
}

// The exhibits of the catalogue that teaching and proofs need are there, in both variants.
func TestTheMuseumIsComplete(t *testing.T) {
	have, lessons := map[string]map[string]bool{}, map[int]bool{}
	for _, e := range shipped.Catalogue() {
		if e.Catalogue == "" {
			continue
		}
		if have[e.Catalogue] == nil {
			have[e.Catalogue] = map[string]bool{}
		}
		have[e.Catalogue][e.Variant], lessons[e.Lesson] = true, true
		assert.NotEmpty(t, e.Source, e.Name)
	}
	for _, wanted := range strings.Fields(
		"B49 B32 B35 B04 B27 B29 B12 B03 B19 B02 B08 B38 B43 B51 B45 B53 B54 " + // the sixteen lessons
			"B05 B47 B33 B21 B36") { // and what else convinces most
		assert.True(t, have[wanted]["failing"] && have[wanted]["fixed"], "%s needs both variants", wanted)
	}
	for lesson := 1; lesson <= scenario.Lessons; lesson++ {
		assert.True(t, lessons[lesson], "no exhibit teaches lesson %d", lesson)
	}
	assert.GreaterOrEqual(t, len(have), 32, "incidents staged")
}

// A story is told of every exhibit, and its class is known.
func TestEveryExhibitTells(t *testing.T) {
	for _, s := range shipped.List() {
		if m := s.Museum; m != nil {
			shortest := 200
			if m.Variant == scenario.VariantFixed {
				shortest = 40 // what is different
			}
			assert.GreaterOrEqual(t, len(m.Story), shortest, "%s: a story is a paragraph", s.Name)
			assert.NotEmpty(t, m.Watch, s.Name)
			assert.True(t, m.Variant == scenario.VariantFixed || m.Class != "", s.Name)
		}
	}
}

// The page uses the format's headings.
func TestThePageHasTheSameClasses(t *testing.T) {
	page, err := os.ReadFile("../../../web/js/rooms/museum/words.json")
	require.NoError(t, err)
	for _, class := range scenario.Classes() {
		assert.Contains(t, string(page), `["`+class+`", "`+scenario.ClassTitle(class)+`"]`)
	}
}
