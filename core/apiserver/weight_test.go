package apiserver

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/wire"
)

// The quota and the history are limited by the estimated memory of objects, so real memory must not be much more.
func TestObjectsTakeWhatTheyWeigh(t *testing.T) {
	repeated := func(n int, format string) string {
		var all []string
		for i := range n {
			all = append(all, strings.ReplaceAll(format, "#", fmt.Sprint(i)))
		}
		return strings.Join(all, ",")
	}
	for what, c := range map[string]struct {
		objects        int
		metadata, spec string
	}{
		"bare":   {objects: 4000},
		"usual":  {objects: 4000, spec: `"holderIdentity":"somebody_6c1c3f0e","leaseDurationSeconds":15,"renewTime":"2026-01-01T00:00:00.000000Z","leaseTransitions":1`},
		"owners": {objects: 10, metadata: `,"ownerReferences":[` + repeated(1900, `{"apiVersion":"v1","kind":"Pod","name":"p#","uid":"u#"}`) + `]`},
		"labels": {objects: 6, metadata: `,"labels":{` + repeated(6000, `"l#":"v#"`) + `}`},
		"long":   {objects: 4, spec: `"holderIdentity":"` + strings.Repeat("x", 1_000_000) + `"`},
	} {
		s := New(Config{Seed: 1})
		require.NoError(t, s.Load(time.Unix(0, 0), []byte(`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"default"}}`)))
		heap := func() int64 {
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			return int64(m.HeapAlloc)
		}
		before, weight := heap(), int64(0)
		for i := range c.objects {
			name := fmt.Sprint("l", i)
			r := &Request{Method: "POST", Path: "/apis/coordination.k8s.io/v1/namespaces/default/leases", Header: map[string]string{"content-type": "application/json"}}
			r.Body = []byte(`{"metadata":{"name":"` + name + `"` + c.metadata + `},"spec":{` + c.spec + `}}`)
			require.Equal(t, 201, s.Handle(time.Unix(0, 0), r).Status)
			e, _ := s.store.Get(leases.key("default", name))
			weight += wire.Bytes(e.Value.tree)
		}
		taken := heap() - before
		assert.Less(t, float64(taken), 1.35*float64(weight), "%s: %d bytes taken, %d estimated", what, taken, weight)
		runtime.KeepAlive(s)
	}
}
