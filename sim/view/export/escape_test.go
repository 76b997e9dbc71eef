package export_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/view/export"
)

var hostile = []string{
	"<script>alert(1)</script>", `"quoted" & 'quoted'`, "two\nlines\r\nand three", "a | b", "`code` and ``more``", "end", "end;", "x; participant y", "#35; # heading", "%%{init: {}}%%",
	"]]>", "-->", "\x00\x01\x1f", "\u2028\u2029", "style:#x;", "classDef x:#y;", "\xff\xfe", "[x](javascript:alert(1))", "![](x)", "@everybody #1", "$$x$$", "a->>b: c", "*b* _i_ ~~s~~", "Note over a: x", "",
	strings.Repeat("W", 500), "日本語 ﷽ 👩‍👩‍👧", "|\n|--|", "> quote", "1. list", "&amp;lt;", "\\", "`", "</title>",
}

// namedScenario is a small run in which everything that a user may name has a name.
func namedScenario(text string) scenario.Scenario {
	s, _ := shipped.ByName("a-leader-dies")
	s.Title, s.Name = text, text
	return s
}

// A line of a diagram, by the grammar of Mermaid (packages/mermaid/src/diagrams/sequence/parser/sequenceDiagram.jison): a text goes up
// to a semicolon, a number sign or the end of the line. A number sign begins a character by its code, which Mermaid takes out before.
var (
	entity       = regexp.MustCompile(`#\d+;`)
	mermaidLines = regexp.MustCompile(`^  (participant (n\d+|api) as [^#\n;]+|Note over (n\d+,)?api: [^#\n;]+|n\d+(->>|-x)api: [^#\n;]+|api(-->>|--x)n\d+: [^#\n;]+|%% [^{}\n]+)$`)
	rewritten    = regexp.MustCompile(`style.*:\S*#.*;|classDef.*:\S*#.*;`)
)

func assertMermaid(t testing.TB, diagram string) {
	t.Helper()
	head, rest, _ := strings.Cut(diagram, "\n")
	require.Equal(t, "sequenceDiagram", head)
	named := map[string]bool{}
	for line := range strings.Lines(rest) {
		line = strings.TrimSuffix(line, "\n")
		if !strings.HasPrefix(line, "  %%") {
			require.NotRegexp(t, rewritten, line)
			line = entity.ReplaceAllString(line, "x")
			require.NotContains(t, line, "%%")
		}
		require.Regexp(t, mermaidLines, line)
		words := strings.Fields(line)
		if words[0] == "participant" {
			named[words[1]] = true
		}
	}
	assert.True(t, named["api"])
}

// assertMarkdown fails unless a report has its own headings, lists and tables and no others, and no text that Markdown would read.
func assertMarkdown(t testing.TB, report string) {
	t.Helper()
	require.True(t, utf8.ValidString(report))
	lines := strings.Split(report, "\n")
	headings := 0
	for _, line := range lines {
		plain := withoutCode(line)
		if strings.HasPrefix(plain, "#") {
			headings++
		}
		assert.NotRegexp(t, `(^|[^\\])<[^h]`, plain, "only links stand in angle brackets")
		assert.NotRegexp(t, `[^\\]\]\(`, plain)
		if strings.HasPrefix(line, "|") {
			cells := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|")
			assert.Equal(t, 3, cells, line)
		}
	}
	assert.Equal(t, 3, headings, report)
}

// withoutCode removes the code spans of a line: each ends at the next run of as many backticks as it began with.
func withoutCode(line string) string {
	ticks := regexp.MustCompile("`+")
	plain := ""
	for {
		begin := ticks.FindStringIndex(line)
		if begin == nil {
			return plain + line
		}
		fence, rest := line[begin[0]:begin[1]], line[begin[1]:]
		plain += line[:begin[0]]
		line = rest
		for _, end := range ticks.FindAllStringIndex(rest, -1) {
			if rest[end[0]:end[1]] == fence {
				line = rest[end[1]:]
				break
			}
		}
	}
}

// Whatever a scenario calls itself, the texts stay what they are.
func TestHostileTitles(t *testing.T) {
	for _, text := range hostile {
		checkNamed(t, text)
	}
}

func FuzzExport(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { checkNamed(t, text) })
}

func checkNamed(t testing.TB, text string) {
	t.Helper()
	s := namedScenario(text)
	if scenario.Validate(s) != nil {
		return // no run has this name
	}
	run := look(t, s, 25e9)
	o := export.Options{FromNs: 18e9, ToNs: 25e9, Link: "https://example.com/#" + text}
	for _, one := range texts(t, of(t, run, export.SVG, o)) {
		assert.True(t, utf8.ValidString(one))
	}
	assertMermaid(t, of(t, run, export.Mermaid, o))
	assertMarkdown(t, of(t, run, export.Markdown, o))
}

// The names of nodes, rules and sentences cannot hold what a title can, but their texts are escaped alike.
func FuzzEscapes(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		diagram := "sequenceDiagram\n  participant api as API server\n  Note over api: x" + export.ForMermaid(text) + "\n"
		assertMermaid(t, diagram)
		assertMarkdown(t, "# a\n# b\n# "+export.ForMarkdown(text)+"\n- "+export.Code(text)+"\n| 1 | "+export.ForMarkdown(text)+" |\n<"+"h"+export.Address(text)+">")
		assert.Len(t, texts(t, `<svg><text x="`+export.ForXML(text)+`">x`+export.ForXML(text)+"</text></svg>"), 1)
	})
}
