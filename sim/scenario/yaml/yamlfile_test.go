package yaml

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/testsupport/bounded"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const small = `# A comment of intent.
apiVersion: leaselab.dev/v1alpha1
kind: Scenario
title: "yes"
summary: >-
  Two lines
  make one.
seed: 7
duration: 2m

candidates:
  - name: a
  - {name: b, startAt: 50ms}
actions:
  - at: 20s
    act: crash
    target: holder
`

func TestDecodeReadsYAML(t *testing.T) {
	s, err := Decode([]byte(small))
	require.NoError(t, err)
	assert.Equal(t, "yes", s.Title)
	assert.Equal(t, "Two lines make one.", s.Summary)
	assert.Equal(t, "b", s.Candidates[1].Name)
	assert.Equal(t, scenario.TargetHolder, s.Actions[0].Target)
}

func TestDecodeReadsJSON(t *testing.T) {
	fromYAML, err := Decode([]byte(small))
	require.NoError(t, err)
	fromJSON, err := Decode(append([]byte("\n "), scenario.EncodeIndent(fromYAML)...))
	require.NoError(t, err)
	assert.Equal(t, fromYAML, fromJSON)
}

// The corpus is shared with the page's parser: what both accept they read alike, and what is disputed both refuse.
func TestScalars(t *testing.T) {
	text, err := os.ReadFile("testdata/scalars.json")
	require.NoError(t, err)
	var corpus []struct {
		Scalar  string `json:"scalar"`
		JSON    string `json:"json"`
		Refused bool   `json:"refused"`
	}
	require.NoError(t, json.Unmarshal(text, &corpus))
	for _, c := range corpus {
		got, err := toJSON([]byte("v:\n  - " + c.Scalar + "\n"))
		if c.Refused {
			var e *scenario.FieldError
			if assert.ErrorAs(t, err, &e, "%s must be refused, not %s", c.Scalar, got) {
				assert.Equal(t, 2, e.Line, c.Scalar)
			}
			continue
		}
		require.NoError(t, err, c.Scalar)
		assert.JSONEq(t, `{"v":[`+c.JSON+"]}", string(got), c.Scalar)
	}
}

// Each sentence has the line of the file and says what to do instead.
func TestDecodeRefuses(t *testing.T) {
	for _, c := range []struct{ name, old, new, message string }{
		{"anchor", "name: a", "name: &x a",
			`line 12: YAML anchors (&x) are not supported; repeat the value, or quote it if it begins with &`},
		{"alias", "target: holder", "target: *x",
			`line 17: YAML aliases (*x) are not supported; repeat the value, or quote it if it begins with *`},
		{"tag", "seed: 7", "seed: !!int 7",
			`line 8: YAML tags (!!int) are not supported; remove it, or quote the value if it begins with !`},
		{"merge key", "name: a", "<<: {name: a}",
			`line 12: YAML merge keys (<<) are not supported; repeat the fields`},
		{"second document", "actions:", "---\nactions:",
			`line 14: a second document begins here; put each scenario into its own file`},
		{"directive", "# A comment of intent.\n", "%YAML 1.1\n---\n",
			`line 1: YAML directives (%…) are not supported; remove the line`},
		{"list as a name", "title:", "? [a]\n:",
			`line 4: the name of a field is a list or a group; names are plain words`},
		{"yes", "seed: 7", "elector: {releaseOnCancel: yes}\nseed: 7",
			`line 8: elector.releaseOnCancel "yes" must be true or false`},
		{"octal", "seed: 7", "seed: 017",
			`line 8: seed "017" must be a whole number`},
		{"base 60", "name: a", "name: 12:30",
			`line 12: candidates[0].name: 12:30 is a base-60 number in YAML 1.1 and text in YAML 1.2; write it in quotes if it is text: "12:30", or as a plain decimal number`},
		{"no YAML", "kind: Scenario", "kind: [",
			`line 5: the document is not YAML: found character that cannot start any token`},
		{"unknown field", "target: holder", "traget: holder",
			`line 17: actions[0].traget: unknown field; did you mean "target"?`},
		{"field after folded text", "duration: 2m", "duration: -5s",
			`line 9: duration "-5s" must not be negative`},
		{"number in a flow list", "startAt: 50ms", "startAt: 50",
			`line 13: candidates[1].startAt 50 must be a duration with its unit; write "50s" if you mean seconds`},
		{"the same field twice", "seed: 7", "seed: 7\nseed: 8",
			`line 9: seed: the field appears twice, on lines 8 and 9; keep one`},
		{"nothing", small, "# only a comment\n",
			`the document is empty; it should be a scenario`},
		{"too large", small, strings.Repeat("#", scenario.MaxBytes+1),
			`the document is larger than 4 MiB (4,194,304 bytes), the limit of a scenario`},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(small, c.old, c.new, 1)
			require.NotEqual(t, small, text, "the case changes nothing")
			_, err := Decode([]byte(text))
			var e *scenario.FieldError
			require.ErrorAs(t, err, &e)
			assert.Equal(t, c.message, e.Error())
		})
	}
}

// Of several objects in one file, the first Deployment makes the scenario, and the summary lists the others.
func TestADeploymentAmongOthers(t *testing.T) {
	file := "kind: Service\nmetadata: {name: web}\n---\nkind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: 2\n" +
		"---\nkind: Deployment\nmetadata: {name: other}\n---\n"
	s, err := Decode([]byte(file))
	require.NoError(t, err)
	assert.Equal(t, []scenario.Candidate{{Name: "web", Replicas: 2}}, s.Candidates)
	assert.Contains(t, s.Summary, "Not read: Service web, Deployment other.")
	_, err = Decode([]byte(strings.ReplaceAll(file, "Deployment", "StatefulSet")))
	assert.ErrorContains(t, err, "line 3: a second document begins here")
}

// Text that looks like something else comes back as text.
func TestEncodeQuotesWhatCouldBeMisread(t *testing.T) {
	s, err := Decode([]byte(small))
	require.NoError(t, err)
	s.Candidates[0].JitterDraws = []float64{0, 1e-7, 0.5}
	for _, text := range []string{
		"yes", "n", "017", "0o17", "1e3", "12:30", "1_000", "~", "null", "true", ".inf", "<<", "=", "2001-12-14", "15", "-", "- a", "a: b",
		"a #b", "#", "&a", "*", "!x", "%x", "@x", "`x", "'", "\"", "{", "[", "?", "? a", "two\nlines", " lead", "trail ", "tab\t", "\u2028", "\ufeff",
		"\x01", "\x7f", "é😀", "\\", "---", "...", "",
	} {
		s.Title, s.Candidates[1].Identity = text, text
		again, err := Decode(Encode(s))
		require.NoError(t, err, "%q in\n%s", text, Encode(s))
		assert.Equal(t, s, again, "%q", text)
	}
}

func TestEncodeKeepsTheOrderOfTheTypes(t *testing.T) {
	s, err := Decode([]byte(small))
	require.NoError(t, err)
	assert.Equal(t, `apiVersion: leaselab.dev/v1alpha1
kind: Scenario
title: "yes"
summary: Two lines make one.
seed: 7
duration: 2m0s
candidates:
  - name: a
  - name: b
    startAt: 50ms
actions:
  - at: 20s
    act: crash
    target: holder
`, string(Encode(s)))
}

// Any bytes are refused with a sentence, or are a scenario that Encode writes and Decode reads again.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte("a: &x [*x, ! y, !!str z, 0o7, ? b]\n"))
	f.Add([]byte("{\"kind\": 1}"))
	f.Add([]byte("apiVersion: leaselab.dev/v1alpha1\nkind: Scenario\ncandidates: [{name: a}, {name: a}, {name: a b}]\nactions: [{}, 1, {act: x}]\nexpect: [{}, []]\n"))
	f.Add([]byte(`{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","a.b":1,"a\"b":{},"seed":null,"heartbeats":{"nodes":-1,"monitors":[{"name":"holder"}]}}`))
	f.Add([]byte("candidates:\n" + bounded.Chain + "- {name: a" + bounded.Index + "}\n" + bounded.End))
	f.Add([]byte(bounded.Chain + "u" + bounded.Index + ": 1\n" + bounded.End))
	f.Add([]byte(bounded.Chain + "[" + bounded.End + bounded.Chain + "]" + bounded.End))
	f.Add([]byte("a: &a0 [x]\n" + bounded.Chain + "b" + bounded.Index + ": &a" + bounded.Index + " [*a0, *a0]\n" + bounded.End))
	cost := bounded.Limit{Fixed: 4 << 20, PerByte: 500}
	f.Fuzz(func(t *testing.T, data []byte) {
		if bounded.Repeats(string(data)) && !testing.Short() {
			bounded.Growth(t, 64, 512, func(n int) func() {
				large := []byte(bounded.Repeat(string(data), n))
				return func() { _, _ = Decode(large) }
			})
		}
		data = []byte(bounded.Repeat(string(data), 3))
		cost.Do(t, len(data), func() { decodeTwice(t, data) })
	})
}

func decodeTwice(t *testing.T, data []byte) {
	s, err := Decode(data)
	if err != nil {
		var all scenario.Errors
		require.ErrorAs(t, err, &all)
		require.NotEmpty(t, all)
		return
	}
	again, err := Decode(Encode(s))
	require.NoError(t, err, "%s", Encode(s))
	assert.Equal(t, s, again)
}

// toJSON is Read with the first plain scalar that is disputed as an error.
func toJSON(data []byte) ([]byte, error) {
	document, disputed, err := read(data)
	if err == nil && len(disputed) > 0 {
		err = disputed[0]
	}
	if err != nil {
		return nil, err
	}
	return document, nil
}
