//go:build !page

package apiserver

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/random"
	"github.com/leaselab/leaselab/core/wire"
)

// twins are a server that remembers renewals and one that reads every body.
type twins struct {
	t                testing.TB
	remembers, reads *Server
	now              time.Time
	renewals         int // that the first has answered without reading
}

func newTwins(t testing.TB) *twins {
	config := Config{Seed: 1, Coordinated: true, InParts: true, KeptEvents: 50, KeptBytes: 100_000, Quota: 1 << 20, ObjectBytes: 5000}
	w := &twins{t: t, remembers: New(config), reads: New(config), now: time.Unix(1_800_000_000, 0)}
	w.reads.encoded.bytes = mostEncodedBytes // it keeps no JSON, so it remembers nothing
	w.ask(&Request{Method: "POST", Path: "/api/v1/namespaces", Body: []byte(`{"metadata":{"name":"x"}}`)})
	return w
}

// ask sends both the same request, and returns their answer.
func (w *twins) ask(r *Request) string {
	again := *r
	again.Body = append([]byte(nil), r.Body...)
	a := w.remembers.Renew(w.now, r)
	if a.Status == 0 {
		a = w.remembers.Handle(w.now, r)
	} else {
		w.renewals++
	}
	b := w.reads.Handle(w.now, &again)
	said := bodyOf(a)
	require.Equal(w.t, bodyOf(b), said, "%s %s %s", r.Method, r.Path, r.Body)
	require.Equal(w.t, [2]any{b.Status, b.Header}, [2]any{a.Status, a.Header}, "%s %s %s", r.Method, r.Path, r.Body)
	require.Equal(w.t, [2]int64{w.reads.store.Revision(), w.reads.store.Oldest()}, [2]int64{w.remembers.store.Revision(), w.remembers.store.Oldest()})
	return said
}

const renewedLeases = "/apis/coordination.k8s.io/v1/namespaces/x/leases"

// step does one of the things that clients do to a Lease between renewals, or renews it; choice says which, and detail how.
func (w *twins) step(choice, detail byte) {
	name := []string{"a", "b"}[choice&1]
	path, agent := renewedLeases+"/"+name, []string{"elector/v1", "elector/v1", "elector/v1", "other"}[detail>>6]
	header := map[string]string{"content-type": "application/json", "user-agent": agent}
	w.now = w.now.Add([]time.Duration{0, time.Second, 2 * time.Second, 200 * time.Millisecond, -3 * time.Second}[int(detail&31)%5])
	live := w.ask(&Request{Method: "GET", Path: path})
	n, err := wire.Parse([]byte(live))
	require.NoError(w.t, err)
	meta := n.Member("metadata")
	revision, renewTime := textOf(meta, "resourceVersion"), w.now.UTC().Format(wire.MicroTimeLayout)
	spec := `"holderIdentity":"h","leaseDurationSeconds":15,"leaseTransitions":3,"renewTime":%q`
	sent := ""
	switch choice >> 1 & 31 {
	case 0:
		w.ask(&Request{Method: "POST", Path: renewedLeases, Header: header, Body: fmt.Appendf(nil, `{"metadata":{"name":%q,"labels":{"a":"b"}},"spec":{%s}}`, name, fmt.Sprintf(spec, renewTime))})
		return
	case 1:
		w.ask(&Request{Method: "DELETE", Path: path})
		return
	case 2: // another manager owns renewTime, too
		body := fmt.Sprintf(`{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":%q},"spec":{"renewTime":%q}}`, name, textOf(n.Member("spec"), "renewTime"))
		w.ask(&Request{Method: "PATCH", Path: path, Query: []Param{{"fieldManager", "applier"}, {"force", "true"}}, Body: []byte(body), Header: map[string]string{"content-type": "application/apply-patch+yaml"}})
		return
	case 3:
		body := fmt.Sprintf(`{"metadata":{"labels":{"a":"%d"}}}`, detail)
		w.ask(&Request{Method: "PATCH", Path: path, Body: []byte(body), Header: map[string]string{"content-type": mergePatchMedia, "user-agent": agent}})
		return
	case 4:
		w.ask(&Request{Method: "GET", Path: renewedLeases})
		w.ask(&Request{Method: "GET", Path: renewedLeases, Query: []Param{{"labelSelector", "a=b"}}})
		w.ask(&Request{Method: "GET", Path: renewedLeases, Header: map[string]string{"accept": "application/json;as=Table;v=v1;g=meta.k8s.io"}})
		return
	case 5:
		w.remembers.Restart()
		w.reads.Restart()
		return
	case 6: // a finalizer, and a deletion that waits for it
		w.ask(&Request{Method: "PATCH", Path: path, Body: []byte(`{"metadata":{"finalizers":["x/y"]}}`), Header: map[string]string{"content-type": mergePatchMedia}})
		w.ask(&Request{Method: "DELETE", Path: path})
		return
	case 7:
		w.ask(&Request{Method: "PATCH", Path: path, Body: []byte(`{"metadata":{"finalizers":null}}`), Header: map[string]string{"content-type": mergePatchMedia}})
		return
	case 8:
		spec = strings.Replace(spec, "15", fmt.Sprint(int(detail&3)), 1)
	case 9:
		revision = "0" + revision
	case 10:
		revision = "1"
	case 11:
		renewTime = textOf(n.Member("spec"), "renewTime")
	case 12:
		renewTime = "2026-02-30T00:00:00.000000Z"
	case 13:
		renewTime = w.now.In(time.FixedZone("", 3600)).Format(wire.MicroTimeLayout)
	case 14:
		sent = `,"managedFields":[]`
	case 15:
		sent = `,"labels":{"a":"c"}`
	case 16:
		spec += `,"renewTime":"2026-01-01T00:00:00.000000Z"`
	case 17:
		spec += `,"unknown":1`
	case 18:
		sent = `,"uid":"no such uid"`
	case 19:
		renewTime = `2026-01-01T00:00:0\u0030.000000Z`
		spec = strings.Replace(spec, "%q", `"%s"`, 1)
	case 20:
		header["content-type"] = "application/yaml"
	case 21:
		sent = `,"name":"c"`
	case 22:
		spec = strings.Replace(spec, `"h"`, `"i"`, 1)
	case 24: // managedFields with another time
		if entries := meta.Member("managedFields"); entries != nil {
			sent = `,"managedFields":` + strings.ReplaceAll(string(entries.Raw([]byte(live))), `"time":"20`, `"time":"19`)
		}
	case 25: // as another program writes JSON
		spec = strings.ReplaceAll(spec, ",", ", ")
	case 26: // into no namespace
		w.ask(&Request{Method: "DELETE", Path: "/api/v1/namespaces/x"})
		w.ask(&Request{Method: "PUT", Path: "/api/v1/namespaces/x/finalize", Body: []byte(`{"metadata":{"name":"x"},"spec":{"finalizers":[]}}`)})
		defer w.ask(&Request{Method: "POST", Path: "/api/v1/namespaces", Body: []byte(`{"metadata":{"name":"x"}}`)})
	}
	if entries := meta.Member("managedFields"); entries != nil && detail&32 != 0 && sent == "" { // as client-go sends it
		sent = `,"managedFields":` + string(entries.Raw([]byte(live)))
	}
	r := &Request{Method: "PUT", Path: path, Header: header, Body: fmt.Appendf(nil, `{"metadata":{"name":%q,"resourceVersion":%q,"labels":{"a":"b"}%s},"spec":{%s}}`, name, revision, sent, fmt.Sprintf(spec, renewTime))}
	if choice>>1&31 == 23 {
		r.Query = []Param{{"dryRun", "All"}}
	}
	w.ask(r)
}

// changes compares all that the servers have kept, and their watches.
func (w *twins) changes() {
	from := w.reads.store.Oldest()
	a, b := w.remembers.Changes(from), w.reads.Changes(from)
	require.Len(w.t, a, len(b))
	for i := range a {
		require.Equal(w.t, string(wire.Encode(nil, b[i].Object, leases.versions[0].kind)), string(wire.Encode(nil, a[i].Object, leases.versions[0].kind)), a[i].Key)
	}
	r := Request{Method: "GET", Path: renewedLeases, Query: []Param{{"watch", "1"}, {"resourceVersion", fmt.Sprint(from)}, {"labelSelector", "a=b"}}}
	watch, other := w.remembers.Handle(w.now, &r).Watch, w.reads.Handle(w.now, &r).Watch
	for {
		got, _ := w.remembers.Poll(w.now, watch)
		want, _ := w.reads.Poll(w.now, other)
		require.Equal(w.t, fmt.Sprintf("%s", want), fmt.Sprintf("%s", got))
		if len(want) == 0 {
			return
		}
	}
}

// A server that remembers how a Lease is renewed answers and stores as one that reads every body.
func TestRenewalsAreUpdates(t *testing.T) {
	seeds, steps := 40, 400
	if testing.Short() {
		seeds = 6
	}
	stream, renewals := random.New(1), 0
	for range seeds {
		w := newTwins(t)
		for n := range steps {
			choice, detail := byte(stream.Uint64()), byte(stream.Uint64())
			if stream.Uint64()%10 != 0 { // a renewal
				choice |= 31 << 1
			}
			switch stream.Uint64() % 8 { // by the elector, later
			case 0:
			case 1: // in the same second
				detail = detail&(3<<6) + choice&1<<5 + 3
			case 2: // in the past
				detail = choice&1<<5 + 4
			default:
				detail = choice&1<<5 + 1
			}
			if n < 2 {
				choice = byte(n)
			}
			for range 1 + stream.Uint64()%4*(stream.Uint64()%2) { // the second may do as the first
				w.step(choice, detail)
			}
		}
		w.changes()
		renewals += w.renewals
	}
	t.Logf("%d of %d steps answered without reading", renewals, seeds*steps)
	assert.Greater(t, renewals, seeds*steps/10, "answered without reading")
}

func FuzzRenewals(f *testing.F) {
	renews := []byte{62, 1, 62, 1, 62, 33, 62, 33, 62, 1, 62, 1}
	for choice := range byte(27) {
		for detail := range byte(5) {
			for _, from := range []byte{0, 32, 192} {
				again := []byte{choice << 1, from + detail}
				f.Add(slices.Concat([]byte{0, 1}, renews, again, again, again, again, renews))
				f.Add(slices.Concat([]byte{0, 1}, again, again, again, []byte{62, from + 3, 62, 3, 62, 3, 62, 3, 62, 1}, again, again, again, renews))
			}
		}
	}
	f.Fuzz(func(t *testing.T, did []byte) {
		w := newTwins(t)
		for i := 0; i+1 < min(len(did), 400); i += 2 {
			w.step(did[i], did[i+1])
		}
		w.changes()
	})
}
