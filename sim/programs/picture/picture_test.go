package picture_test

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/programs/picture"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/trace"
)

// drawn is the page of a simulated run: it has the same records as one of real programs.
func drawn(t *testing.T, name string, v picture.View) string {
	t.Helper()
	s, ok := shipped.ByName(name)
	require.True(t, ok)
	s.Title = `<script>alert("x")</script>`
	r, p := run.Explained(s), picture.Picture{}
	r.To(r.EndNs(), func(record *trace.Record, note explain.Note) { p.Observe(r, record, note) })
	v.Scenario, v.NowNs = s, r.EndNs()
	return p.Page(r, v)
}

// A page shows who works, who is paused and what has broken, in bars and in words. It is well-formed, has no script, and follows a run
// only while that goes on.
func TestPage(t *testing.T) {
	text := drawn(t, "paused-leader", picture.View{})
	for _, want := range []string{
		`class="work"`, `class="paused"`, `class="broken"`, ">paused<", "both lead, for", "(moreThanOneActive)", "is paused", "This is a record.", `lang="en"`,
		"&lt;script&gt;alert(",
	} {
		assert.Contains(t, text, want)
	}
	for _, unwanted := range []string{"<script", "http-equiv", "http://", "https://"} {
		assert.NotContains(t, text, unwanted)
	}
	assert.Contains(t, drawn(t, "crash", picture.View{}), "No rule is broken.")
	assert.Contains(t, drawn(t, "crash", picture.View{Live: true}), `<meta http-equiv="refresh" content="2">`)
	held := drawn(t, "crash", picture.View{Live: true, Held: true})
	assert.NotContains(t, held, "http-equiv")
	assert.Contains(t, held, "Follow the run")

	svg := text[strings.Index(text, "<svg"):strings.Index(text, "</div>")]
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		_, err := d.Token()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
	}
}
