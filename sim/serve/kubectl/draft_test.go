package kubectl

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/wire"
)

// A verb, written as a request, is read back as that verb.
func TestVerbsOfRequests(t *testing.T) {
	for _, v := range DraftVerbs {
		d := Propose(&DraftParams{Verb: v.ID}, Lease{"default", "demo"}).Draft
		again := Propose(&DraftParams{Request: &WireRequest{Method: d.Method, Target: d.Target, Headers: strings.Split(d.Headers, "\n"), Body: d.Body}}, Lease{}).Draft
		if v.ID == "edit" || v.ID == "applyClient" {
			d.Verb = "merge"
		}
		assert.Equal(t, d, again)
	}
}

// A verb proposes path, headers and body: for the object in the path, or for the Lease.
func TestPropose(t *testing.T) {
	lease := Lease{"default", "demo"}
	for _, one := range []struct{ verb, kind, target, want, body string }{
		{"list", "", "", leases, ""},
		{"get", "leases", leases + "/mine", leases + "/mine", ""},
		{"merge", "leases", "", leases + "/demo", "spec:\n  holderIdentity: me\n"},
		{"json", "leases", leases, leases + "/demo", "[\n"},
		{"get", "namespaces", leases + "/mine", "/api/v1/namespaces/default", ""},
		{"create", "leasecandidates", "", strings.NewReplacer("leases", "leasecandidates", "/v1/", "/v1beta1/").Replace(leases), "leaseName: demo"},
		{"watch", "leases", "", leases + "?watch=true", ""},
	} {
		got := Propose(&DraftParams{Verb: one.verb, Kind: one.kind, Target: one.target}, lease)
		assert.Equal(t, one.want, got.Draft.Target)
		assert.Contains(t, got.Draft.Body, one.body)
		assert.Len(t, got.Verbs, len(DraftVerbs))
	}
}

// sends sends a draft and returns what was asked with its body, and what is wrong with it.
func sends(t *testing.T, p *page, d Draft, asItIs bool) []string {
	t.Helper()
	said := p.do(t, CommandParams{Draft: &d, AsItIs: asItIs})
	var all []string
	for i := range p.asked {
		all = append(all, strings.TrimSpace(p.asked[i]+" "+p.bodies[i]))
	}
	if said += p.last.Error; said != "" {
		all = append(all, said)
	}
	return all
}

// What was typed is put right where that is safe, and refused in a sentence where not.
func TestSendDraft(t *testing.T) {
	merge := "Content-Type: application/merge-patch+json"
	for _, one := range []struct {
		draft Draft
		asked string
	}{
		{Draft{Verb: "get", Target: " version ", Body: "left"}, "GET /version"},
		{Draft{Verb: "get", Target: "http://127.0.0.1:8001/version"}, "GET /version"},
		{Draft{Verb: "get", Target: " "}, "The path is empty. Enter one, such as /apis/coordination.k8s.io/v1/leases."},
		{Draft{Verb: "get", Target: "/a b"}, "“/a b” contains a space: write it as %20."},
		{Draft{Verb: "get", Target: "/a", Headers: "nonsense"}, "“nonsense” is not a header. Write one per line, such as “Accept: application/json”."},
		{Draft{Verb: "merge", Target: leases + "/demo", Headers: merge, Body: `{ "b": 1, "a": 2 }`}, "PATCH " + leases + `/demo {"b":1,"a":2}`},
		{Draft{Verb: "merge", Target: leases + "/demo", Headers: merge, Body: "spec: {holderIdentity: me}"}, "PATCH " + leases + `/demo {"spec":{"holderIdentity":"me"}}`},
		{Draft{Verb: "merge", Target: leases + "/demo", Body: `{"a":}`}, "The body is not JSON: invalid character '}' looking for beginning of value."},
		{Draft{Verb: "merge", Target: leases + "/demo", Body: "a: &x 1"}, "The body is not YAML. Line 1: no."},
		{Draft{Verb: "delete", Target: leases + "/demo", Body: " "}, "DELETE " + leases + "/demo"},
		{Draft{Verb: "edit", Target: leases + "/demo", Before: `{"a":1,"b":2}`, Body: `{"b":2,"a":1}`}, "The object is unchanged, so nothing was sent."},
		{Draft{Verb: "edit", Target: leases + "/demo", Before: `{"a":1,"b":2}`, Body: `{"b":3,"c":4}`}, "PATCH " + leases + `/demo {"a":null,"b":3,"c":4}`},
		{Draft{Verb: "applyClient", Target: leases + "/demo"}, "Nothing to apply: the body is empty."},
	} {
		p := newPage(t)
		assert.Equal(t, one.asked, strings.Join(sends(t, p, one.draft, false), "\n"))
		assert.Equal(t, strings.HasPrefix(one.asked, "The body is not"), p.last.AsItIs)
	}
	p := newPage(t)
	assert.Equal(t, []string{"PATCH " + leases + `/demo {"a":`}, sends(t, p, Draft{Verb: "merge", Target: leases + "/demo", Body: `{"a":`}, true))
}

// A client-side apply creates what is not there, patches what differs, takes back what it applied last, and leaves alone what
// others wrote.
func TestApply(t *testing.T) {
	p := newPage(t)
	d := Draft{Verb: "applyClient", Target: leases + "/x?fieldManager=me", Headers: draftVerb("applyClient").headers()}
	apply := func(spec string) []string {
		d.Body = `{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"x"},"spec":` + spec + `}`
		return sends(t, p, d, false)
	}
	asked := apply(`{"holderIdentity":"b","leaseTransitions":1}`)
	require.Len(t, asked, 2)
	assert.Equal(t, "GET "+leases+"/x", asked[0])
	assert.True(t, strings.HasPrefix(asked[1], "POST "+leases+"?fieldManager=me {"), asked[1])
	sends(t, p, Draft{Verb: "merge", Target: leases + "/x", Headers: draftVerb("merge").headers(), Body: `{"spec":{"leaseDurationSeconds":9}}`}, false)
	apply(`{"holderIdentity":"c"}`)
	stored := object(p.send(began, &WireRequest{Method: "GET", Target: leases + "/x"}).Body)
	assert.Equal(t, wire.Map{"holderIdentity": "c", "leaseDurationSeconds": int64(9)}, stored["spec"])
	assert.Equal(t, []string{"GET " + leases + "/x", "Unchanged."}, apply(`{"holderIdentity":"c"}`))
}

// A patch says what changed, and nothing else.
func TestPatchOf(t *testing.T) {
	for _, one := range []struct{ last, current, wanted, patch string }{
		{`{"a":1,"b":{"c":[1]}}`, ``, `{"b":{"c":[1]},"a":1}`, `{}`},
		{`{"m":{"x":1,"y":2}}`, ``, `{"m":{"x":1}}`, `{"m":{"y":null}}`},
		{`{"l":[1,2]}`, ``, `{"l":[2]}`, `{"l":[2]}`},
		{`{"m":{"x":1}}`, ``, `{"m":"text"}`, `{"m":"text"}`},
		{`{"s":{"mine":1,"old":2}}`, `{"s":{"mine":1,"old":2,"theirs":3}}`, `{"s":{"mine":5}}`, `{"s":{"mine":5,"old":null}}`},
		{`{}`, `{"s":{"theirs":3}}`, `{"s":{"theirs":3},"m":{"a":"b"}}`, `{"m":{"a":"b"}}`},
	} {
		if one.current == "" {
			one.current = one.last
		}
		assert.Equal(t, object(one.patch), patchOf(object(one.last), object(one.current), object(one.wanted)))
	}
}
