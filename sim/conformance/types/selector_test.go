package types

import (
	"encoding/json"
	"fmt"
	"net/url"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
)

// asking lists with a selector and returns the names, or the error message.
func (a *api) asking(parameter, selector string) (names []string, refusal string) {
	code, tree := a.do("GET", leases, url.Values{parameter: {selector}}, "", nil)
	if code != 200 {
		require.Equal(a.t, 400, code, "%s %q: %v", parameter, selector, tree)
		return nil, tree["message"].(string)
	}
	for _, item := range tree["items"].([]any) {
		names = append(names, item.(map[string]any)["metadata"].(map[string]any)["name"].(string))
	}
	return names, ""
}

// Label selectors parse, fail and match as apimachinery's do.
func TestLabelSelectors(t *testing.T) {
	a := newAPI(t)
	d := from(6 << 32)
	all := map[string]labels.Set{}
	for i := range 40 {
		set := labels.Set{}
		for range d.IntN(4) {
			set[d.one("a", "b", "c.d/e", "in")] = d.one("", "1", "2", "10", "x", "a_b.c", "-1")
		}
		for _, name := range []string{"a", "b"} { // a value must be valid, so no "-1"
			if set[name] == "-1" {
				set[name] = "7"
			}
		}
		for name, value := range set {
			if value == "-1" {
				delete(set, name)
			}
		}
		name := fmt.Sprintf("l%02d", i)
		all[name] = set
		body, err := json.Marshal(map[string]any{"metadata": map[string]any{"name": name, "labels": set}})
		require.NoError(t, err)
		code, tree := a.do("POST", leases, nil, "application/json", body)
		require.Equal(t, 201, code, tree)
	}
	pieces := []string{
		"a", "b", "c.d/e", "1", "2", "10", "x", "in", "notin", " in ", " notin ", "=", "==", "!=", "!", "(", ")", ",", ">", "<", " ", "\t", "-", "a_b.c", "é", "\x00",
		"'", "a b", "-1", strings.Repeat("k", 64), "A/", "/a", "gt", "exists",
	}
	terms := []func() string{
		func() string {
			return d.one("a", "b", "c.d/e", "z") + d.one("=", "==", "!=", " = ") + d.one("1", "2", "x", "", "10")
		},
		func() string {
			return d.one("a", "b", "in") + d.one(" in ", " notin ", " in", "  notin") + "(" + d.one("1", "1,2", "", ",1", "1,", "x, 10 ", "1,,2", "a_b.c") + ")"
		},
		func() string { return d.one("", "!", "! ") + d.one("a", "b", "c.d/e", "z") },
		func() string {
			return d.one("a", "b") + d.one(">", "<", " > ") + d.one("0", "1", "5", "x", "-1", "007")
		},
	}
	refused, matched := 0, 0
	for range 30_000 * *times {
		var b strings.Builder
		if d.chance(50) {
			for range d.IntN(7) {
				b.WriteString(pieces[d.IntN(len(pieces))])
			}
		} else {
			for i := range 1 + d.IntN(3) {
				if i > 0 {
					b.WriteString(d.one(",", ", ", " ,"))
				}
				b.WriteString(terms[d.IntN(len(terms))]())
			}
			if d.chance(10) {
				b.WriteString(pieces[d.IntN(len(pieces))])
			}
		}
		text := b.String()
		real, err := labels.Parse(text)
		names, refusal := a.asking("labelSelector", text)
		if err != nil {
			refused++
			require.Equal(t, err.Error(), refusal, "%q", text)
			continue
		}
		require.Empty(t, refusal, "%q", text)
		var want []string
		for name, set := range all {
			if real.Matches(set) {
				want = append(want, name)
			}
		}
		sort.Strings(want)
		matched += len(want)
		require.Equal(t, want, names, "%q", text)
	}
	t.Logf("refused: %d, objects matched: %d", refused, matched)
	assert.Greater(t, refused, 3000)
	assert.Greater(t, matched, 10_000)
}

// Field selectors parse, fail and match as apimachinery's do.
func TestFieldSelectors(t *testing.T) {
	a := newAPI(t)
	d := from(7 << 32)
	var all []string
	for i := range 10 {
		name := fmt.Sprintf("l%02d", i)
		all = append(all, name)
		code, tree := a.do("POST", leases, nil, "application/json", []byte(`{"metadata":{"name":"`+name+`"}}`))
		require.Equal(t, 201, code, tree)
	}
	pieces := []string{"metadata.name", "metadata.namespace", "spec.leaseName", "name", "l01", "l02", "default", "=", "==", "!=", ",", `\`, `\,`, `\=`, `\\`, " ", "!", "é", "\x00"}
	refused, matched := 0, 0
	for range 20_000 * *times {
		var b strings.Builder
		if d.chance(50) {
			for range d.IntN(6) {
				b.WriteString(pieces[d.IntN(len(pieces))])
			}
		} else {
			for i := range 1 + d.IntN(3) {
				if i > 0 {
					b.WriteString(",")
				}
				b.WriteString(d.one("metadata.name", "metadata.name", "metadata.namespace", "spec.x") + d.one("=", "==", "!=") + d.one("l01", "l02", "default", "", `l\,1`, `l0\=1`, "l=1"))
			}
		}
		text := b.String()
		real, err := fields.ParseSelector(text)
		if err == nil {
			real, err = real.Transform(runtime.DefaultMetaV1FieldSelectorConversion)
		}
		names, refusal := a.asking("fieldSelector", text)
		if err != nil {
			refused++
			require.Equal(t, err.Error(), refusal, "%q", text)
			continue
		}
		require.Empty(t, refusal, "%q", text)
		var want []string
		for _, name := range all {
			if real.Matches(fields.Set{"metadata.name": name, "metadata.namespace": "default"}) {
				want = append(want, name)
			}
		}
		matched += len(want)
		require.Equal(t, want, names, "%q", text)
	}
	t.Logf("refused: %d, objects matched: %d", refused, matched)
	assert.Greater(t, refused, 3000)
	assert.Greater(t, matched, 3000)
}
