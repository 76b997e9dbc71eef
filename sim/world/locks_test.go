package world_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/testsupport/random"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const oldClient = `"elector":{"dialect":["noFastPath","blindRelease"],"releaseOnCancel":true},`

// candidate is a candidate in JSON with a lock of that kind.
func candidate(name, lock, rest string) string {
	return `{"name":"` + name + `","elector":{"lock":"` + lock + `"}` + rest + `}`
}

var objectWords = [...]string{elector.Lease: "Lease", elector.ConfigMap: "ConfigMap"}

// requestsOf are the requests that a candidate sent in a span of time, and how they ended.
func requestsOf(records []trace.Record, candidate int32, fromNs, toNs int64) string {
	var all []string
	for _, r := range records {
		if (r.Kind == trace.RequestEnded || r.Kind == trace.RequestNotSent) && r.Candidate == candidate &&
			r.At >= fromNs && r.At < toNs {
			all = append(all, fmt.Sprint(r.Verb, " ", objectWords[r.Object], " ", r.Result))
		}
	}
	return strings.Join(all, ", ")
}

// A lock with two objects sends a request for each, with its own latencies.
func TestPartsOfALock(t *testing.T) {
	w, records := all(parse(t, "4s", oldClient+`"candidates":[`+candidate("a", "configmapsleases", "")+`]`))
	assert.Equal(t, "get ConfigMap 404_not_found, create ConfigMap ok, create Lease ok", requestsOf(records, 0, 0, 16*ms))
	assert.Equal(t, "get ConfigMap ok, get Lease ok, update ConfigMap ok, get Lease ok, update Lease ok",
		requestsOf(records, 0, 2*sec, 3*sec))
	seq := int32(0)
	for _, r := range records {
		if r.Kind == trace.RequestSent {
			seq++
			assert.Equal(t, seq, r.Seq)
		}
		if r.Kind == trace.RequestServed && r.Outcome == storage.Updated {
			assert.NotZero(t, r.Spec.RenewTime)
			assert.Equal(t, r.Object == elector.ConfigMap, int64(r.Spec.RenewTime)%1_000_000 == 0,
				"an annotation keeps whole seconds")
		}
	}
	number, _ := w.ConfigMap()
	o, outcome := w.Store().Get(number)
	assert.Equal(t, storage.OK, outcome)
	assert.Equal(t, w.Node(0).Identity(), o.Spec.HolderIdentity)
	assert.Equal(t, world.RoleLeading, w.Node(0).Role())
	w, _ = all(parse(t, "4s", oldClient+`"candidates":[`+candidate("a", "configmapsleases", "")+
		`],"actions":[{"at":"3.95s","act":"write","op":"delete","object":"configmap"}]`))
	assert.Equal(t, world.RoleLost, w.Node(0).Role(), "one of its two objects does not name it any more")
}

// A fault, a timeout, a cut and the end of renewDeadline hit one of the two requests; then client-go's source says what
// comes next.
func TestFaultsHitAPart(t *testing.T) {
	// The sixth renewal begins at 12.165 s; each part takes 5 ms.
	one := oldClient + `"candidates":[` + candidate("a", "configmapsleases", "") + `],"actions":[`
	for _, c := range []struct{ name, acts, asked string }{
		{"the first write fails",
			`{"at":"12.17s","act":"fail","target":"a","error":"http500","verb":"update","count":1}]`,
			"get ConfigMap ok, get Lease ok, update ConfigMap 500"},
		{"the read of the second object",
			`{"at":"12.168s","act":"fail","target":"a","error":"http500","verb":"get","count":1}]`,
			"get ConfigMap ok, get Lease 500"},
		{"the read between the writes",
			`{"at":"12.178s","act":"fail","target":"a","error":"http500","verb":"get","count":1}]`,
			"get ConfigMap ok, get Lease ok, update ConfigMap ok, get Lease 500, update Lease ok"},
		{"a cut between two parts", `{"at":"12.176s","act":"cut","target":"a"}]`,
			"get ConfigMap ok, get Lease ok, update ConfigMap client_timeout"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, records := all(parse(t, "30s", one+c.acts))
			got := requestsOf(records, 0, 12*sec, 24*sec)
			assert.True(t, strings.HasPrefix(got, c.asked), "%s\n%s", c.asked, got)
		})
	}

	// The deadline ends the part that is under way, and no other one is begun.
	_, records := all(parse(t, "30s", one+`{"at":"12.176s","act":"cut","target":"a"}]`))
	assert.Equal(t, "get ConfigMap ctx_deadline, update ConfigMap client_timeout", requestsOf(records, 0, 18*sec, 30*sec),
		"the last is the release")

	// A process paused past its deadline finds an answer, and may not send the next request.
	_, records = all(parse(t, "30s", one+`{"at":"12.166s","act":"pause","target":"a","for":"12s"}]`))
	got := requestsOf(records, 0, 24*sec, 25*sec)
	assert.True(t, strings.HasPrefix(got, "get ConfigMap ok, get Lease not_sent:ctx_deadline, update ConfigMap ok"),
		got)
}

// A migration from one lock to another: a candidate that shares an object with the leader waits for it, others do not.
func TestLocksThatMeet(t *testing.T) {
	for _, c := range []struct {
		first, second string
		two           bool
	}{
		{"configmaps", "configmaps", false}, {"configmaps", "configmapsleases", false},
		{"configmapsleases", "configmaps", false},
		{"configmapsleases", "configmapsleases", false}, {"configmapsleases", "leases", false},
		{"leases", "leases", false},
		{"configmaps", "leases", true}, {"leases", "configmaps", true},
		{"leases", "configmapsleases", false}, // its own ConfigMap and another's Lease: neither leads
	} {
		t.Run(c.first+", then "+c.second, func(t *testing.T) {
			w, _ := all(parse(t, "60s", oldClient+`"candidates":[`+candidate("a", c.first, "")+`,`+
				candidate("b", c.second, `,"startAt":"5s"`)+`]`))
			assert.True(t, w.Node(0).Active())
			assert.Equal(t, c.two, w.Node(1).Active())
			assert.Equal(t, world.RoleLeading, w.Node(0).Role())

			w, records := all(parse(t, "60s", oldClient+`"candidates":[`+candidate("a", c.first, "")+`,`+
				candidate("b", c.second, `,"startAt":"5s"`)+`],
				"actions":[{"at":"20s","act":"crash","target":"a"}]`))
			assert.True(t, w.Node(1).Active(), "and takes over when he is gone")
			began := int64(0)
			for _, r := range records {
				if r.Kind == trace.StartedLeading && r.Candidate == 1 {
					began = r.At
				}
			}
			assert.Equal(t, !c.two, began > 33*sec, "after a leaseDuration: at %d", began)
		})
	}
}

// A candidate that crashes between its two writes leaves two names behind. The others wait for a leaseDuration; then
// both objects get one name.
func TestACrashBetweenTheParts(t *testing.T) {
	three := oldClient + `"candidates":[` + candidate("a", "configmapsleases", "") + `,` +
		candidate("b", "configmapsleases", `,"startAt":"50ms"`) + `,` +
		candidate("c", "configmapsleases", `,"startAt":"100ms"`) +
		`],"actions":[{"at":"20s","act":"crash","target":"a"}`
	_, records := all(parse(t, "60s", three+`]`))
	var taken trace.Record
	for _, r := range records {
		if r.Kind == trace.RequestServed && r.Object == elector.ConfigMap && r.Outcome == storage.Updated &&
			r.At > 21*sec {
			taken = r
			break
		}
	}
	w, records := all(parse(t, "90s", three+
		fmt.Sprintf(`,{"at":"%dns","act":"crash","target":%q}]`, taken.At+1, []string{"a", "b", "c"}[taken.Candidate])))
	last := 3 - taken.Candidate
	unknown, began := false, int64(0)
	for _, r := range records {
		if r.Kind == trace.NewLeader && w.Setup().Symbols.Text(r.Name) == "leaderelection.k8s.io/unknown" {
			unknown = true
			assert.Equal(t, last, r.Candidate)
		}
		if r.Kind == trace.StartedLeading && r.Candidate == last {
			began = r.At
		}
	}
	assert.True(t, unknown, "it reports an unknown leader")
	assert.Greater(t, began, taken.At+15*sec)
	number, _ := w.ConfigMap()
	for _, object := range []int32{0, number} {
		o, _ := w.Store().Get(object)
		assert.Equal(t, w.Node(last).Identity(), o.Spec.HolderIdentity)
	}
}

// An administrator can write the ConfigMap too. Without a Lease the target "holder" is the candidate that the ConfigMap
// names. The API does not validate the annotation as it validates a Lease.
func TestTheConfigMapOfOthers(t *testing.T) {
	two := func(lock string) string {
		return `"elector":{"lock":"` + lock +
			`","releaseOnCancel":true,"dialect":["noFastPath","blindRelease","zeroDurationRelease"]},"candidates":[{"name":"a"},{"name":"b","startAt":"50ms"}]`
	}
	w, records := all(parse(t, "60s", two("configmaps")+`,"actions":[
		{"at":"10s","act":"crash","target":"holder"},
		{"at":"40s","act":"write","op":"delete","object":"configmap"},
		{"at":"41s","act":"write","op":"put","object":"configmap","spec":{"holderIdentity":"x","leaseDurationSeconds":0,"renewTime":"41.5s"}},
		{"at":"42s","act":"write","op":"delete"}]`))
	var written []string
	for _, r := range records {
		switch r.Kind {
		case trace.Crashed:
			assert.EqualValues(t, 0, r.Candidate)
		case trace.Written:
			written = append(written, fmt.Sprint(objectWords[r.Object], " ", r.Outcome, " ",
				int64(r.Spec.RenewTime)%1_000_000))
		}
	}
	require.Equal(t, []string{"ConfigMap deleted 0", "ConfigMap created 0", "Lease 404_not_found 0"}, written)
	_, _, exists := w.Holder()
	assert.False(t, exists, "there is no Lease")

	for lock, want := range map[string]storage.Outcome{"configmaps": storage.Updated, "leases": storage.Invalid} {
		_, records := all(parse(t, "30s", two(lock)+`,"actions":[{"at":"20s","act":"stop","target":"a"}]`))
		for _, r := range records {
			if r.Kind == trace.RequestServed && r.Verb == elector.Update && r.Candidate == 0 && r.At > 20*sec {
				assert.Equal(t, want, r.Outcome, lock)
			}
		}
	}
}

// An elector takes its lock when it starts, and a set act may change the lock during a run.
func TestSetLock(t *testing.T) {
	w, _ := all(parse(t, "60s", oldClient+`"candidates":[`+candidate("a", "leases", `,"restart":"new"`)+`],"actions":[
		{"at":"10s","act":"set","target":"a","elector":{"lock":"configmapsleases"}},{"at":"20s","act":"crash","target":"a"},{"at":"20s","act":"restart","target":"a"}]`))
	assert.Equal(t, elector.ConfigMapsLeases, w.Node(0).Lock())
	assert.Equal(t, world.RoleLeading, w.Node(0).Role())
}

// Without Core the API serves Leases, not the ConfigMap, and a client that watches sees nothing of the ConfigMap.
func TestTheAPIDoesNotServeTheConfigMap(t *testing.T) {
	w := world.New(compile.Scenario(parse(t, "60s", oldClient+`"candidates":[`+candidate("a", "configmapsleases", "")+
		`]`)))
	mirror := w.NewMirror(100)
	w.Run(30*sec, func([]trace.Record) { mirror.Follow(w) })
	for _, c := range []struct {
		path   string
		status int
	}{{"/api/v1/namespaces/default/configmaps/demo", 404},
		{"/apis/coordination.k8s.io/v1/namespaces/default/leases/demo", 200}} {
		ask := compile.Request(&scenario.Action{Method: "GET", Path: c.path})
		assert.Equal(t, c.status, mirror.Server.Handle(world.Clock(30*sec), ask).Status, c.path)
		answer, _ := w.API().Try(30*sec, ask)
		assert.Equal(t, c.status, answer.Status, c.path)
	}
	list := compile.Request(&scenario.Action{Method: "GET", Path: "/apis/coordination.k8s.io/v1/leases"})
	answer := mirror.Server.Handle(world.Clock(30*sec), list)
	assert.Equal(t, 1, strings.Count(string(answer.Body), `"uid"`))
}

// Random runs with locks of all kinds repeat, and a clone continues alike, also between the two requests of a lock.
func TestRandomLocks(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	mixed := 0
	for n := range runs(120) {
		s := random.Speaking(n)
		for i := range s.Candidates {
			e := scenario.Elector{}
			if s.Candidates[i].Elector != nil {
				e = *s.Candidates[i].Elector
			}
			e.Lock = elector.LockNames[r.IntN(3)]
			s.Candidates[i].Elector = &e
		}
		if scenario.Validate(s) != nil {
			continue // coordinated election and lock servers are of Leases
		}
		mixed++
		w, _ := all(s)
		clone := world.New(compile.Scenario(s))
		clone.Run(r.Int64N(int64(s.Duration)), func([]trace.Record) {})
		for clone.NextAt() <= int64(s.Duration) {
			if clone.Step(int64(s.Duration)); r.IntN(1000) == 0 {
				left := clone
				clone = clone.Clone()
				for range 7 { // so that shared memory would show
					left.Step(int64(s.Duration))
				}
			}
		}
		require.Equal(t, w.Hash(), clone.Hash(), "number %d", n)
	}
	assert.Greater(t, mixed, 10)
}
