package yaml_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	sigs "sigs.k8s.io/yaml"

	"github.com/leaselab/leaselab/core/wire/yaml"
)

// nasty are identities that a careless printer gets wrong.
var nasty = []string{
	"", " ", "  ", "a", "worker-1", "0", "-0", "+1", "007", "0o17", "0x1F", "0b11", "0b+1", "-0b1", "-0b+1", "1_000", "1__0", "_1", "1.5", ".5", "5.", "1e3",
	"1e999", "-1e-3", "1E+2", "e3", ".e3", "0x1p-2", ".0x1", "..", "18446744073709551615", "18446744073709551616", "9223372036854775808",
	"true", "True", "tRue", "yes", "Y", "n", "off", "OFF", "oN", "null", "Null", "nULL", "~", "~a", ".nan", ".inf", "-.INF", "+.Inf", "NaN", "Inf", "infinity",
	"2001-01-01", "2001-1-1", "2001-13-01", "2001-01-01T00:00:00Z", "2001-01-01t1:2:3Z", "2001-01-01 10:20:30", "2001-01-01 10:20:30 Z", "20010101", "2001-", "2001-01-01T",
	"1:20", "1:20:30", "1:60", "-1:2", "+1:2.5", "1:2.", "1:2._", "1:", ":1", "1:234", "1_0:20", "12:34:56.78.9", "1::2",
	"a: b", "a:b", "a:", ":", ": a", ":a", "a :b", "a:\tb", "#", "# a", "a #b", "a# b", "a\t#b", "-", "- a", "-a", "--", "---", "--- a", "---a", "...", "....", "?", "? a", "?a",
	",", ",a", "[", "[a]", "a]", "{", "{}", "{a: b}", "&a", "*a", "!a", "!!str a", "|", ">", ">-", "'", "''", "it's", "'a'", "\"", "\"a\"", "a\"b", "%", "%a", "@", "@a", "`", "`a`",
	"=", "<<", "\\", "a\\b", "a\\nb", "\\x41", " a", "a ", " a ", "\ta", "a\t", "a\tb", "\n", "\n\n", "a\n", "a\nb", "a\nb\n", "a\nb\n\n", "\na", " \na", "a \nb", "a\n b", "a\n\n b\n",
	"a\n#b", "a\n- b", "\n a", "a\r\nb", "a\rb", "\r", "a\x00b", "\x01", "\x1b[1m", "a\ab\bc\vd\fe", "ü", "Zoë", "日本語", "日本語 で す", "😀", "a😀b\n", "a\u00a0b", "\u00a0", "a\u00adb",
	"\u2028", "a\u2028b", "a \u2028b", "a\u2028 b", "a\u2029", "a\nb\u2028", "a\n\u2028b c", "\ufeff", "\ufeff a b", "a\ufeffb c", "\ue000", "\uffee", "e\u0301",
	strings.Repeat("x", 200), strings.Repeat("word ", 40) + "end", strings.Repeat("it's ", 40), " " + strings.Repeat("two  spaces ", 20), strings.Repeat("tab\there ", 30),
	strings.Repeat("say \"hi\" ", 30), strings.Repeat("日本 ", 60), strings.Repeat("line of words\n", 12), strings.Repeat(" ", 100), strings.Repeat("a: b ", 30), strings.Repeat("x", 90) + " y",
}

// inYAML reports whether a YAML reader accepts every character raw: otherwise sigs.k8s.io/yaml cannot read the JSON, or
// folds U+0085 into a space.
func inYAML(s string) bool {
	for _, r := range s {
		if r >= 0x7f && r < 0xa0 || r == 0xfffe || r == 0xffff {
			return false
		}
	}
	return true
}

// randomText joins nasty strings and random characters.
func randomText(r *rand.Rand) string {
	if r.IntN(3) == 0 {
		return nasty[r.IntN(len(nasty))]
	}
	var b strings.Builder
	for range 1 + r.IntN(6) {
		switch r.IntN(5) {
		case 0, 1:
			b.WriteString(nasty[r.IntN(len(nasty))])
		case 2:
			const syntax = " \n:#-.'\"0123456789eExob_+T"
			b.WriteByte(syntax[r.IntN(len(syntax))])
		case 3:
			b.WriteRune(rune(r.IntN(0x80)))
		case 4:
			b.WriteRune(rune(r.IntN(0x3000)))
		}
	}
	s := strings.ToValidUTF8(b.String(), "")
	if !inYAML(s) {
		return randomText(r)
	}
	return s
}

// randomLease returns the JSON of a Lease with random texts.
func randomLease(r *rand.Rand, change func(metadata, spec map[string]any)) []byte {
	created := time.Unix(946_684_800+r.Int64N(1e9), 0).UTC().Format(time.RFC3339)
	metadata := map[string]any{"name": "demo", "namespace": "a", "uid": "e6b1bd10-3c9f-4b6f-9d7a-0c3c1ad7bd5f", "resourceVersion": "12", "creationTimestamp": created}
	instant := func() string {
		return time.UnixMicro(r.Int64N(4e15) - 1e15).UTC().Format("2006-01-02T15:04:05.000000Z07:00")
	}
	spec := map[string]any{}
	for name, value := range map[string]any{
		"holderIdentity": randomText(r), "leaseDurationSeconds": r.Int32(), "acquireTime": instant(), "renewTime": instant(),
		"leaseTransitions": r.Int32() - 1<<30, "strategy": randomText(r), "preferredHolder": randomText(r),
	} {
		if r.IntN(4) > 0 {
			spec[name] = value
		}
	}
	if r.IntN(2) == 0 { // keys that the API accepts, with digits and letters to sort
		annotations := map[string]any{}
		for range r.IntN(6) {
			key := []string{"a", "b", "A", "1", "10", "9", "09", "a10", "a9", "a09", "a-1", "a.b", "a_b", "leaselab.dev/touched", strings.Repeat("p.", 60) + "io/key-of-a-long-name"}[r.IntN(15)]
			annotations[key] = randomText(r)
		}
		metadata["annotations"] = annotations
	}
	managers := []any{}
	for range r.IntN(3) {
		managers = append(managers, map[string]any{
			"manager": randomText(r), "operation": "Update", "apiVersion": "coordination.k8s.io/v1", "time": created, "fieldsType": "FieldsV1",
			"fieldsV1": map[string]any{"f:spec": map[string]any{"f:holderIdentity": map[string]any{}, "f:renewTime": map[string]any{}}},
		})
	}
	if len(managers) > 0 {
		metadata["managedFields"] = managers
	}
	if change != nil {
		change(metadata, spec)
	}
	text, err := json.Marshal(map[string]any{"kind": "Lease", "apiVersion": "coordination.k8s.io/v1", "metadata": metadata, "spec": spec})
	if err != nil {
		panic(err) // the tree holds only strings and numbers
	}
	return text
}

// The YAML of any Lease is kubectl's, byte for byte.
func TestObjectYAMLIsThatOfKubectl(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	compare := func(text []byte) {
		want, err := sigs.JSONToYAML(text)
		require.NoError(t, err, "%s", text)
		require.Equal(t, string(want), string(yaml.Print(text)), "%s", text)
		var lines []string
		for _, l := range yaml.Lines(text) {
			lines = append(lines, l.Text)
		}
		require.Equal(t, strings.TrimSuffix(string(want), "\n"), strings.Join(lines, "\n"))
	}
	for _, s := range nasty {
		compare(randomLease(r, func(metadata, spec map[string]any) {
			spec["holderIdentity"], spec["strategy"], metadata["labels"] = s, s, map[string]any{"x": s}
		}))
	}
	objects := 4000
	if testing.Short() {
		objects = 400
	}
	for range objects {
		compare(randomLease(r, nil))
	}
}

// Where kubectl fails or loses a character, Print returns YAML for the same object.
func TestYAMLOfWhatKubectlCannotPrint(t *testing.T) {
	for _, s := range []string{"a\x7fb", "a\u0080b", "\u009f", "a\u0085b", "\ufffe", "a \uffff b", "\x7f\n\x7f"} {
		object, err := json.Marshal(map[string]string{"holderIdentity": s})
		require.NoError(t, err)
		text, err := sigs.YAMLToJSON(yaml.Print(object))
		require.NoError(t, err, "%q", s)
		var back map[string]string
		require.NoError(t, json.Unmarshal(text, &back))
		assert.Equal(t, s, back["holderIdentity"])
	}
}
