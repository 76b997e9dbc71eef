package export_test

import (
	"encoding/xml"
	"flag"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/lab"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/view/export"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const link = "https://example.com/leaselab/#a-leader-dies&t=40s"

// lookAt returns a shipped scenario as a session shows it up to an instant.
func lookAt(t testing.TB, name string, liveNs int64) timeline.Look {
	t.Helper()
	s, known := shipped.ByName(name)
	require.True(t, known)
	return look(t, s, liveNs)
}

func look(t testing.TB, s scenario.Scenario, liveNs int64) timeline.Look {
	t.Helper()
	l := lab.New(nil)
	at := timeline.Cursor{T: liveNs, N: -1}
	require.NoError(t, l.Open(lab.Opening{Whole: &s, Cursor: &at, Live: &at}))
	return l.Look()
}

// format is one of the functions of the package.
type format func(timeline.Look, export.Options) (string, error)

func of(t testing.TB, look timeline.Look, write format, o export.Options) string {
	t.Helper()
	text, err := write(look, o)
	require.NoError(t, err)
	return text
}

// One small run in each format, byte for byte. -update rewrites the files; look at them before you commit them.
func TestGolden(t *testing.T) {
	for _, c := range []struct {
		file, scenario string
		write          format
		o              export.Options
	}{
		{"a-leader-dies.svg", "a-leader-dies", export.SVG, export.Options{ToNs: 40e9, Link: link}},
		{"paused-leader-dark.svg", "paused-leader", export.SVG, export.Options{FromNs: 30e9, ToNs: 60e9, Theme: export.Dark}},
		{"paused-leader.md", "paused-leader", export.Markdown, export.Options{ToNs: 60e9, Link: link}},
		{"a-leader-dies.mmd", "a-leader-dies", export.Mermaid, export.Options{FromNs: 18e9, ToNs: 36e9, Link: link}},
		{"a-leader-dies-folded.mmd", "a-leader-dies", export.Mermaid, export.Options{ToNs: 120e9}},
	} {
		t.Run(c.file, func(t *testing.T) {
			have := of(t, lookAt(t, c.scenario, c.o.ToNs), c.write, c.o)
			path := "testdata/" + c.file
			if *update {
				require.NoError(t, os.WriteFile(path, []byte(have), 0o600))
			}
			want, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.Equal(t, string(want), have)
		})
	}
}

// texts returns the texts of an SVG in order, and fails unless it is XML.
func texts(t testing.TB, svg string) []string {
	t.Helper()
	var all []string
	d := xml.NewDecoder(strings.NewReader(svg))
	inText := false
	for {
		token, err := d.Token()
		if err == io.EOF {
			return all
		}
		require.NoError(t, err, svg)
		switch token := token.(type) {
		case xml.StartElement:
			inText = token.Name.Local == "text" || token.Name.Local == "title"
		case xml.EndElement:
			inText = false
		case xml.CharData:
			if inText {
				all = append(all, string(token))
			}
		}
	}
}

// The picture says what the timeline says: rows, names, the gap with its parts, the fault, where a follower may acquire.
func TestSVGSaysWhatTheTimelineSays(t *testing.T) {
	all := texts(t, of(t, lookAt(t, "a-leader-dies", 40e9), export.SVG, export.Options{ToNs: 40e9, Link: link}))
	for _, want := range []string{
		"Who works", "Lease names", "a", "b", "c", "00:00", "00:20", "nobody, 14.039 s", "a crashes", "may acquire 00:33.165", "0 s",
		"a-leader-dies · seed 1004 · engine 4 · 00:00.000 to 00:40.000 · leaselab", link,
	} {
		assert.Contains(t, all, want)
	}
	assert.Contains(t, strings.Join(all, "\n"), "13.165 s")
	assert.NotContains(t, all, "Violations")
	two := texts(t, of(t, lookAt(t, "paused-leader", 60e9), export.SVG, export.Options{FromNs: 30e9, ToNs: 60e9}))
	assert.Contains(t, strings.Join(two, "\n"), "two lead, ")
	assert.Contains(t, two, "more than one active worker")
}

// Light and dark differ in nothing but colors.
func TestSVGThemes(t *testing.T) {
	run := lookAt(t, "a-leader-dies", 40e9)
	light, dark := of(t, run, export.SVG, export.Options{ToNs: 40e9}), of(t, run, export.SVG, export.Options{ToNs: 40e9, Theme: export.Dark})
	color := regexp.MustCompile(`#[0-9a-f]{6}`)
	assert.NotEqual(t, light, dark)
	assert.Equal(t, color.ReplaceAllString(light, ""), color.ReplaceAllString(dark, ""))
}

// Nothing after the live cursor is exported, in a span that reaches beyond it.
func TestNothingAfterLive(t *testing.T) {
	s, _ := shipped.ByName("a-leader-dies")
	early := look(t, s, 30e9)
	for k, write := range []format{export.SVG, export.Markdown, export.Mermaid} {
		o := export.Options{FromNs: 15e9, ToNs: 60e9}
		before := of(t, early, write, o)
		early.Run.Compute(60e9)
		assert.Equal(t, before, of(t, early, write, o), k)
		assert.NotContains(t, before, "14.039")
	}
}

// Every shipped scenario has a picture and a report; a diagram it has, or a sentence that says what to do.
func TestEveryScenario(t *testing.T) {
	if testing.Short() {
		t.Skip("run without -short: every scenario")
	}
	for _, e := range shipped.Catalogue() {
		s, _ := shipped.ByName(e.Name)
		end := int64(s.Duration)
		run := look(t, s, end)
		picture := of(t, run, export.SVG, export.Options{ToNs: end})
		assert.NotEmpty(t, texts(t, picture), e.Name)
		assert.Less(t, len(picture), 1<<20, e.Name)
		assert.Contains(t, of(t, run, export.Markdown, export.Options{ToNs: end}), "### Leader changes", e.Name)
		if diagram, err := export.Mermaid(run, export.Options{ToNs: end}); err != nil {
			assert.ErrorContains(t, err, "choose a shorter one", e.Name)
		} else {
			assertMermaid(t, diagram)
		}
	}
}

func TestRefusals(t *testing.T) {
	run := lookAt(t, "a-leader-dies", 40e9)
	for _, c := range []struct {
		o    export.Options
		says string
	}{
		{export.Options{ToNs: 121e9}, "to 121.000 s lies after the end of the run, 02:00.000; choose an earlier instant"},
		{export.Options{FromNs: 40e9, ToNs: 40e9}, "from 40.000 s must lie between 0 and the end of the span, 40.000 s"},
		{export.Options{FromNs: -1e9, ToNs: 40e9}, "from -1.000 s must lie between 0"},
	} {
		for _, write := range []format{export.SVG, export.Markdown, export.Mermaid} {
			_, err := write(run, c.o)
			var refused *scenario.FieldError
			require.ErrorAs(t, err, &refused)
			assert.Contains(t, refused.Message, c.says)
			assert.NotEmpty(t, refused.Path)
		}
	}
}
