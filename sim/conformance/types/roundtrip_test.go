package types

import (
	"bytes"
	"encoding/json"
	"fmt"
	printer "github.com/leaselab/leaselab/core/wire/yaml"
	"github.com/leaselab/leaselab/sim/serve/incoming"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"

	"github.com/leaselab/leaselab/core/wire"
)

const objects = 3000

// eachKind passes random objects of every kind to a test.
func eachKind(t *testing.T, seed uint64, text func(d draw) string, see func(t *testing.T, k kind, m maker)) {
	for _, k := range kinds {
		t.Run(k.String(), func(t *testing.T) {
			for i := range objects * *times {
				d := from(seed<<32 + i)
				see(t, k, maker{d, func() string { return text(d) }})
				if t.Failed() {
					t.Fatalf("seed %d, object %d", seed, i)
				}
			}
		})
	}
}

// ours decodes and encodes a document as core does.
func ours(t testing.TB, k kind, document []byte) []byte {
	t.Helper()
	n, err := wire.Parse(document)
	require.NoError(t, err)
	o, strict, err := wire.Decode(n, k.ours)
	require.NoError(t, err)
	require.Empty(t, strict)
	return wire.Encode(nil, o, k.ours)
}

// The JSON of the real types is unchanged after core has decoded and encoded it, and decodes into the real types again.
func TestJSON(t *testing.T) {
	eachKind(t, 1, draw.raw, func(t *testing.T, k kind, m maker) {
		o := k.make(m)
		want, err := json.Marshal(o)
		require.NoError(t, err)
		got := ours(t, k, want)
		require.Equal(t, string(want), string(got))
		back := k.empty()
		require.NoError(t, json.Unmarshal(got, back))
		again, err := json.Marshal(back)
		require.NoError(t, err)
		require.Equal(t, string(want), string(again))
	})
}

// scramble rewrites a document: members in another order, duplicate, unknown, in another letter case or of another
// type.
func (m maker) scramble(out *bytes.Buffer, value any, most int) {
	switch v := value.(type) {
	case map[string]any:
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		sort.Strings(names)
		if most > 0 {
			m.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		}
		if most > 0 && m.chance(most) && len(names) > 0 {
			names = append(names, names[m.IntN(len(names))])
		}
		out.WriteByte('{')
		for i, name := range names {
			if i > 0 {
				out.WriteByte(',')
			}
			written := name
			switch {
			case m.IntN(1000) < most:
				written = strings.ToUpper(name)
			case m.IntN(1000) < most:
				written = name + "x"
			}
			fmt.Fprintf(out, " %s : ", quote(written))
			inside := most
			if name == "fieldsV1" { // the real types keep fieldsV1 unchanged; core/apiserver/fieldmanager decodes and encodes it
				inside = 0
			}
			if v["spec"] != nil && (name == "kind" || name == "apiVersion") { // upstream decodes these two first
				inside = 0
			}
			m.scramble(out, v[name], inside)
		}
		out.WriteByte('}')
	case []any:
		out.WriteByte('[')
		for i, item := range v {
			if i > 0 {
				out.WriteByte(',')
			}
			m.scramble(out, item, most)
		}
		out.WriteByte(']')
	default:
		if m.IntN(1000) < most*2 {
			out.WriteString(m.one("null", "true", "1", "1.5", "1e2", "2147483648", "-3", `"2026-01-02T03:04:05Z"`, `"2026-01-02T03:04:05.678901+02:00"`, `""`, `{}`, `[]`, `[1]`, `{"a":"b"}`))
			return
		}
		data, err := json.Marshal(v)
		if err != nil {
			panic(err) // it comes from JSON, so it encodes
		}
		out.Write(data)
	}
}

func quote(s string) string { return string(wire.Quote(nil, s)) }

// Invalid documents give the values, warnings and errors of sigs.k8s.io/json, which apimachinery uses for every body.
func TestStrictDecoding(t *testing.T) {
	refused, complained := 0, 0
	eachKind(t, 2, draw.text, func(t *testing.T, k kind, m maker) {
		data, err := json.Marshal(k.make(m))
		require.NoError(t, err)
		var tree any
		require.NoError(t, json.Unmarshal(data, &tree))
		var document bytes.Buffer
		m.scramble(&document, tree, 1+m.IntN(20))
		real := k.empty()
		wantStrict, wantErr := kjson.UnmarshalStrict(document.Bytes(), real)
		n, err := wire.Parse(document.Bytes())
		require.NoError(t, err)
		o, strict, err := wire.Decode(n, k.ours)
		if wantErr != nil {
			refused++
			require.EqualError(t, err, wantErr.Error(), document.String())
			return
		}
		require.NoError(t, err, document.String())
		var said []string
		for _, e := range wantStrict {
			said = append(said, e.Error())
		}
		if len(said) > 0 {
			complained++
		}
		require.Equal(t, said, strict, document.String())
		want, err := json.Marshal(real)
		require.NoError(t, err)
		require.Equal(t, string(want), string(wire.Encode(nil, o, k.ours)), document.String())
	})
	t.Logf("refused: %d, with warnings: %d", refused, complained)
	assert.Greater(t, refused, 500)
	assert.Greater(t, complained, 500)
}

// Objects survive kubectl's YAML and back.
func TestYAML(t *testing.T) {
	eachKind(t, 3, draw.text, func(t *testing.T, k kind, m maker) {
		o := k.make(m)
		want, err := yaml.Marshal(o)
		require.NoError(t, err)
		data, err := json.Marshal(o)
		require.NoError(t, err)
		got := printer.Print(data)
		require.Equal(t, string(want), string(got))
		turned, err := yaml.YAMLToJSON(got)
		if err != nil { // for a key "<<" upstream cannot read its own YAML
			_, err = yaml.YAMLToJSON(want)
			require.Error(t, err)
			return
		}
		require.Equal(t, string(data), string(ours(t, k, turned)))
	})
}

// Objects in protobuf, as client-go's typed clients send them, decode to the same objects.
func TestProtobuf(t *testing.T) {
	serializer := protobuf.NewSerializer(scheme, scheme)
	eachKind(t, 4, draw.raw, func(t *testing.T, k kind, m maker) {
		o := k.make(m)
		var body bytes.Buffer
		require.NoError(t, serializer.Encode(o, &body))
		document, err := incoming.FromProtobuf(body.Bytes())
		require.NoError(t, err)
		want, err := json.Marshal(o)
		require.NoError(t, err)
		require.Equal(t, string(want), string(ours(t, k, wire.Encode(nil, document, nil))))
		// A truncated message is an error or an object, but no crash.
		_, _ = incoming.FromProtobuf(body.Bytes()[:m.IntN(body.Len())])
	})
}
