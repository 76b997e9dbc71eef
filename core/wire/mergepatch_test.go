package wire_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"

	"github.com/leaselab/leaselab/core/wire"
)

// mergesAlike requires the same bytes, or the same error, from the library and from MergePatch.
func mergesAlike(t *testing.T, document, patch string) {
	t.Helper()
	want, theirs := jsonpatch.MergePatch([]byte(document), []byte(patch))
	got, ours := wire.MergePatch([]byte(document), []byte(patch))
	require.Equal(t, string(want), string(got), "%s with %s", document, patch)
	require.Equal(t, fmt.Sprint(theirs), fmt.Sprint(ours), "%s with %s", document, patch)
}

func TestMergePatchEqualsLibrary(t *testing.T) {
	for _, c := range [][2]string{
		{`{"a":1}`, `{"a":null}`}, {`{"a":1}`, `[1,{"b":null,"a":[null]}]`}, {`{"a":1}`, `1`}, {`{}`, `null`}, {`null`, `{}`},
		{`{"a":{"b":1}}`, `{"a":[{"c":null}]}`}, {`{"a":[1]}`, `{"a":[{"c":null}]}`}, {`{"a":"<&>"}`, `{"b":"<\u2028>"}`},
		{`{"a":1,"a":{"x":1}}`, `{"a":{"y":2,"y":null}}`}, {`{"a": { "z" : 1, "b" : [ 1 , 2 ] } }`, `{"c": { } }`}, {`[1]`, `{"a":null,"b":1}`},
		{`{`, `{}`}, {`{}`, `{`}, {`{"a":null}`, `{"a":{"b":null}}`}, {`{"é":"\u00e9"}`, `{"\u00e9":{"` + "\xff" + `":1}}`}, {`1`, `1`},
	} {
		mergesAlike(t, c[0], c[1])
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		mergesAlike(t, document(random, 4), document(random, 4))
	}
	deep := func(n int) string { return strings.Repeat(`{"a":`, n) + "1" + strings.Repeat(`}`, n) }
	mergesAlike(t, deep(300), deep(200))
	_, err := wire.MergePatch([]byte(`{}`), []byte(deep(10_001)))
	require.ErrorIs(t, err, wire.ErrBadPatch, "deeper than encoding/json reads")
}

// document returns random JSON with few distinct names, so that two documents overlap.
func document(random *rand.Rand, depth int) string {
	kind := random.IntN(8)
	if depth == 4 && kind > 0 {
		kind = 7
	}
	if depth == 0 {
		kind %= 5
	}
	inside := func(prefix func(i int) string) string {
		var parts []string
		for i := range random.IntN(4) {
			parts = append(parts, prefix(i)+document(random, depth-1))
		}
		return strings.Join(parts, strings.Repeat(" ", random.IntN(2))+",")
	}
	switch kind {
	case 0, 1:
		return "null"
	case 2:
		return []string{"true", "false", "1.50", "-0", "1e3"}[random.IntN(5)]
	case 3, 4:
		return []string{`"x"`, `"<\u0041>"`, `"\n\\"`, `"é\ud800"`, `" "`}[random.IntN(5)]
	case 5:
		return "[" + inside(func(int) string { return "" }) + "]"
	}
	return "{ " + inside(func(int) string { return fmt.Sprintf(`"%c" :`, 'a'+random.IntN(4)) }) + "}"
}

// tokens returns a document as encoding/json's own reader sees it.
func tokens(d *json.Decoder) (*wire.Node, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t := token.(type) {
	case bool:
		return &wire.Node{Kind: wire.Bool, Truth: t}, nil
	case json.Number:
		return &wire.Node{Kind: wire.Number, Text: t.String()}, nil
	case string:
		return &wire.Node{Kind: wire.String, Text: t}, nil
	case json.Delim:
		n := &wire.Node{Kind: wire.Array}
		if t == '{' {
			n.Kind = wire.ObjectKind
		}
		for d.More() {
			if t == '{' {
				name, err := d.Token()
				if err != nil {
					return nil, err
				}
				n.Names = append(n.Names, name.(string))
			}
			item, err := tokens(d)
			if err != nil {
				return nil, err
			}
			n.Items = append(n.Items, item)
		}
		_, err := d.Token()
		return n, err
	}
	return &wire.Node{Kind: wire.Null}, nil
}

// sameNode compares two documents and ignores positions.
func sameNode(t *testing.T, want, got *wire.Node) {
	t.Helper()
	require.Equal(t, want.Kind, got.Kind)
	require.Equal(t, want.Text, got.Text)
	require.Equal(t, want.Truth, got.Truth)
	require.Equal(t, want.Names, got.Names)
	require.Len(t, got.Items, len(want.Items))
	for i := range want.Items {
		sameNode(t, want.Items[i], got.Items[i])
	}
}

func parsesAlike(t *testing.T, data string) {
	t.Helper()
	got, err := wire.Parse([]byte(data))
	var whole json.RawMessage
	if wrong := json.Unmarshal([]byte(data), &whole); wrong != nil {
		require.EqualError(t, err, wrong.Error())
		return
	}
	require.NoError(t, err)
	d := json.NewDecoder(strings.NewReader(data))
	d.UseNumber()
	want, err := tokens(d)
	require.NoError(t, err)
	sameNode(t, want, got)
}

func TestParseReadsWhatEncodingJSONReads(t *testing.T) {
	for _, data := range []string{``, `{`, `{"a":1}x`, ` [ ] `, `{ }`, "\t[1 , -2e-3,\n\"\\u00e9\\ud83d\\ude00\" ]\r\n", `"` + "\xff" + `"`, `[{"a":[{}]},true,false,null]`} {
		parsesAlike(t, data)
	}
	random := rand.New(rand.NewPCG(3, 4))
	for range 5000 {
		parsesAlike(t, document(random, 5))
	}
}

// The parser refuses exactly what encoding/json refuses: documents with a byte changed, put in or left out, cut short, every form of a
// number, and nesting at the limit.
func TestParseRefusesWhatEncodingJSONRefuses(t *testing.T) {
	for _, number := range []string{"0", "-0", "-", "+1", "01", "-01", "1.", ".5", "1.5", "1e", "1e+", "1E-07", "0.0e0", "1.e5", "1e5.", "0x1", "1_0", "--1", "NaN"} {
		parsesAlike(t, number)
		parsesAlike(t, "["+number+"]")
	}
	for _, data := range []string{"[1,]", "[,1]", "{,}", `{"a"}`, `{"a":}`, `{"a":1,}`, `{"a",1}`, `{a:1}`, `{1:1}`, "[1 2]", "[1}", `{"a":1]`, "tru", "truex", "nul", "\x00", "[1]\x00", "1 2", "\"\x1f\"", `"\u12"`, `"\x"`, `"\`, "\u00a01", "/"} {
		parsesAlike(t, data)
	}
	for depth := 9_999; depth <= 10_001; depth++ {
		parsesAlike(t, strings.Repeat("[", depth)+strings.Repeat("]", depth))
	}
	const likely = "{}[]\",:\\ \n0-.eEu+tfn\x00\x1f\xff"
	random := rand.New(rand.NewPCG(5, 6))
	for range 20_000 {
		data := []byte(document(random, 4))
		switch at, c := random.IntN(len(data)), likely[random.IntN(len(likely))]; random.IntN(4) {
		case 0:
			data[at] = c
		case 1:
			data = slices.Insert(data, at, c)
		case 2:
			data = slices.Delete(data, at, at+1)
		case 3:
			data = data[:at]
		}
		parsesAlike(t, string(data))
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`{"a":[1,"x",null,true,{"b":-1.5e+3}]}`)
	f.Add("[\"\\ud800\xff\"]")
	f.Fuzz(func(t *testing.T, data string) { parsesAlike(t, data) })
}

func FuzzMergePatch(f *testing.F) {
	f.Add(`{"a":{"b":[1]}}`, `{"a":{"b":[{"c":null}],"d":null}}`)
	f.Fuzz(mergesAlike)
}

func TestParseWithinCountsEveryValue(t *testing.T) {
	const data = `{"a":[1,"x"],"b":{"c":null}}` // six values, the document itself included
	_, err := wire.ParseWithin([]byte(data), 6)
	require.NoError(t, err)
	_, err = wire.ParseWithin([]byte(data), 5)
	require.ErrorIs(t, err, wire.ErrTooManyValues)
}
