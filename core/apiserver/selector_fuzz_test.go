package apiserver_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/testsupport/bounded"
)

// FuzzSelectors lists and watches with any label and field selector. Both requests fail, or both show the same objects.
// One more requirement and its opposite split those objects.
func FuzzSelectors(f *testing.F) {
	for _, seed := range [][2]string{
		{"a", ""}, {"!a", ""}, {"a=1", "metadata.name=x"}, {"a==1,b!=2", "metadata.name!=x"}, {"a in (1,2)", "metadata.namespace=ns-a"}, {"a notin (1,)", ""}, {"a>0", ""}, {"a<9,a>1", ""},
		{"a in ()", `metadata.name=a\,b`}, {"in in (in)", "metadata.name==x,metadata.namespace!=ns-b"}, {"notin notin (notin)", "status.phase=Active"}, {"a/b/c=1", "=,="}, {"a=1,,", ","}, {"x y", `a=\`},
		{"a=\x00", "metadata.name"}, {"a\t=\n1 ", `metadata.name=\=`}, {"a>9223372036854775808", "metadata.name=" + "é"}, {"!!a", "!=="}, {"a=1)", "metadata.name!=,"}, {"ä=1", ""},
		{"a in (" + bounded.List + "v" + bounded.Index + bounded.End + ")", ""}, {bounded.List + "l" + bounded.Index + "!=v" + bounded.End, ""}, {bounded.List + "l" + bounded.Index + "=-" + bounded.End, ""},
		{"", bounded.List + "metadata.name!=" + bounded.Index + bounded.End}, {"a in " + bounded.Chain + "(" + bounded.End, bounded.Chain + `\` + bounded.End}, {bounded.Chain + "!" + bounded.End, bounded.Chain + "=" + bounded.End},
		{"a in (" + bounded.List + "-" + bounded.Index + bounded.End + ")", ""},
	} {
		f.Add(seed[0], seed[1])
	}
	now := time.Date(2026, 1, 1, 0, 0, 1, 0, time.UTC)
	s := apiserver.New(apiserver.Config{Seed: 1})
	for _, name := range []string{"ns-a", "ns-b", "ns-c", "ns-d"} {
		require.NoError(f, s.Load(now, []byte(`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"`+name+`"}}`)))
	}
	for i := range 12 {
		require.NoError(f, s.Load(now, fmt.Appendf(nil, `{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"%c","namespace":"ns-%c","labels":{"a":"%d","l%d":"v","in":"in"}}}`, 'x'+i%3, 'a'+i/3, i, i)))
	}
	ask := func(labels, fields string, more ...apiserver.Param) apiserver.Response {
		query := append([]apiserver.Param{{Name: "labelSelector", Value: labels}, {Name: "fieldSelector", Value: fields}}, more...)
		return s.Handle(now, &apiserver.Request{Method: "GET", Path: "/apis/coordination.k8s.io/v1/leases", Query: query})
	}
	cost := bounded.Limit{Fixed: 2 << 20, PerByte: 200}
	f.Fuzz(func(t *testing.T, labels, fields string) {
		if bounded.Repeats(labels+bounded.End+fields) && !testing.Short() {
			bounded.Growth(t, 256, 2048, func(n int) func() {
				l, f := bounded.Repeat(labels, n), bounded.Repeat(fields, n)
				return func() { ask(l, f) }
			})
		}
		labels, fields = bounded.Repeat(labels, 3), bounded.Repeat(fields, 3)
		cost.Do(t, len(labels)+len(fields), func() {
			list := ask(labels, fields)
			watch := ask(labels, fields, apiserver.Param{Name: "watch", Value: "1"}, apiserver.Param{Name: "resourceVersion", Value: "0"})
			require.Equal(t, list.Status, watch.Status, "%s\n%s", list.Body, watch.Body)
			if list.Status != 200 {
				require.Equal(t, 400, list.Status, "%s", list.Body)
				require.Nil(t, watch.Watch)
				return
			}
			names := namesOf(t, list)
			require.Equal(t, names, initialState(t, s, now, watch.Watch))
			if strings.Trim(labels, " \t\r\n") == "" || strings.Contains(labels, "\x00") {
				return // no terms to extend, or the text ends early
			}
			with, without := ask(labels+",l7", fields), ask(labels+",!l7", fields)
			require.Equal(t, 200, with.Status, "%s", with.Body)
			require.ElementsMatch(t, strings.Fields(names), strings.Fields(namesOf(t, with)+namesOf(t, without)))
		})
	})
}

// namesOf returns the namespaces and names in a list.
func namesOf(t *testing.T, answer apiserver.Response) (all string) {
	var list struct {
		Items []struct {
			Metadata struct{ Namespace, Name string }
		}
	}
	require.NoError(t, json.Unmarshal(answer.Body, &list), "%s", answer.Body)
	for _, item := range list.Items {
		all += item.Metadata.Namespace + "/" + item.Metadata.Name + " "
	}
	return all
}

// initialState returns the namespaces and names in a watch's initial state.
func initialState(t *testing.T, s *apiserver.Server, now time.Time, w *apiserver.Watch) (all string) {
	frames, _ := s.Poll(now, w)
	for _, frame := range frames {
		var event struct {
			Type   string
			Object struct {
				Metadata struct{ Namespace, Name string }
			}
		}
		require.NoError(t, json.Unmarshal(frame, &event), "%s", frame)
		require.Equal(t, "ADDED", event.Type)
		all += event.Object.Metadata.Namespace + "/" + event.Object.Metadata.Name + " "
	}
	return all
}
