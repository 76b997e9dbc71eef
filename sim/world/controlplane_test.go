package world_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/coordinator"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const candidatesPath = "/apis/coordination.k8s.io/v1beta1/namespaces/default/leasecandidates"

// candidateJSON is a coordinated candidate in JSON.
func candidateJSON(name, emulation, more string) string {
	return fmt.Sprintf(
		`{"name":%q,"binaryVersion":"1.37.0","emulationVersion":%q,"strategy":"OldestEmulationVersion"%s}`, name,
		emulation, more)
}

// parseServers is a scenario with API servers.
func parseServers(t testing.TB, duration, servers, candidates, actions string) scenario.Scenario {
	t.Helper()
	return parse(t, duration,
		fmt.Sprintf(`"elector":{"coordinated":true},"apiServers":[%s],"candidates":[%s],"actions":[%s]`, servers,
			candidates, actions))
}

const threeServers = `{"name":"api-1"},{"name":"api-2","startAt":"50ms"},{"name":"api-3","startAt":"100ms"}`

// of picks the records of a kind, and only one node's if name is set.
func of(w *world.World, records []trace.Record, kind trace.Kind, name string) (found []trace.Record) {
	for _, r := range records {
		if r.Kind == kind && (name == "" || r.Candidate >= 0 && w.Node(r.Candidate).Name() == name) {
			found = append(found, r)
		}
	}
	return found
}

// The controller fails over: after a crash when its Lease expires, after a graceful stop at the next poll.
func TestControllersFailOver(t *testing.T) {
	for act, within := range map[string][2]int64{"crash": {9 * sec, 24 * sec}, "stop": {0, 5 * sec}} {
		w, records := all(parseServers(t, "2m", threeServers, candidateJSON("a", "1.36.0", ""),
			fmt.Sprintf(`{"at":"30s","act":%q,"target":"api-1"}`, act)))
		leads := of(w, records, trace.ControllerLeads, "")
		require.Len(t, leads, 2, act)
		assert.Equal(t, "api-1", w.Node(leads[0].Candidate).Name())
		assert.NotEqual(t, "api-1", w.Node(leads[1].Candidate).Name(), act)
		assert.Greater(t, leads[1].At-30*sec, within[0], act)
		assert.Less(t, leads[1].At-30*sec, within[1], act)
	}
}

// A paused API server answers no client and decides nothing; a crashed one refuses connections.
func TestAPIServerDown(t *testing.T) {
	for act, want := range map[string]string{"pause": "lost", "crash": "refused"} {
		s := parseServers(t, "100s", `{"name":"api-1"}`, candidateJSON("a", "1.36.0", ""),
			fmt.Sprintf(`{"at":"30s","act":%q,"target":"api-1"}`, act))
		w, records := all(s)
		for _, r := range records {
			if r.At > 31*sec {
				assert.NotContains(t, []trace.Kind{trace.RequestServed, trace.Decided, trace.CandidateStored,
					trace.Coordinated}, r.Kind, act)
			}
		}
		ended := of(w, records, trace.RequestEnded, "a")
		last := ended[len(ended)-1]
		assert.Equal(t, int64(-1), last.Exchange().ServedNs, "%s: not served", act)
		took := last.At - last.Exchange().SentNs
		if want == "refused" {
			assert.Less(t, took, sec)
		} else {
			assert.GreaterOrEqual(t, took, sec)
		}
	}
	resumed, records := all(parseServers(t, "3m", `{"name":"api-1"}`,
		candidateJSON("a", "1.36.0", `,"restart":"new","restartAfter":"1s"`),
		`{"at":"30s","act":"pause","target":"api-1","for":"40s"},{"at":"120s","act":"crash","target":"api-1"},{"at":"125s","act":"restart","target":"api-1"}`))
	leads := of(resumed, records, trace.StartedLeading, "a")
	require.NotEmpty(t, leads)
	assert.Greater(t, leads[len(leads)-1].At, 70*sec, "a leads again when there is an answer")
}

// A paused candidate does not answer its ping, a resumed one does; a new process has a new client.
func TestCandidateStops(t *testing.T) {
	w, records := all(parseServers(t, "2m", `{"name":"api-1"}`, candidateJSON("a", "1.35.0", "")+","+
		candidateJSON("b", "1.36.0", "")+","+candidateJSON("c", "1.37.0", `,"restart":"new","restartAfter":"1s"`),
		`{"at":"25s","act":"pause","target":"b","for":"55s"},{"at":"30s","act":"crash","target":"a"},{"at":"110s","act":"restart","target":"a"}`))
	for _, r := range of(w, records, trace.CandidateStored, "b") {
		assert.False(t, r.At > 25*sec && r.At < 80*sec, "%d", r.At)
	}
	var leaders []string
	for _, r := range of(w, records, trace.StartedLeading, "") {
		leaders = append(leaders, w.Node(r.Candidate).Name())
	}
	assert.Equal(t, []string{"a", "c", "b"}, leaders)
	stored := of(w, records, trace.CandidateStored, "a")
	assert.Greater(t, stored[len(stored)-1].At, 110*sec)
}

// A controller acts later by the lag of its informers.
func TestWatchLag(t *testing.T) {
	for _, lag := range []int64{0, 3} {
		w, records := all(parseServers(t, "20s", fmt.Sprintf(`{"name":"api-1","watchLag":"%ds"}`, lag),
			candidateJSON("a", "1.36.0", ""), ""))
		put := of(w, records, trace.CandidateStored, "a")[0].At
		got := of(w, records, trace.Coordinated, "")[0].At
		assert.InDelta(t, float64(lag*sec), float64(got-put), float64(sec/100))
	}
}

// An informer whose watch was cut off lists as soon as it can, and so sees the ping that it missed.
func TestInformerListsAgain(t *testing.T) {
	w, records := all(parseServers(t, "60s", `{"name":"api-1"}`, candidateJSON("a", "1.36.0", ""),
		`{"at":"20s","act":"write","op":"delete"},{"at":"20s","act":"cut","target":"a","direction":"down","for":"3s"}`))
	pinged := of(w, records, trace.CandidatePinged, "a")
	require.NotEmpty(t, pinged)
	var answered int64
	for _, r := range of(w, records, trace.CandidateStored, "a") {
		if r.At > pinged[0].At && answered == 0 {
			answered = r.At
		}
	}
	assert.Greater(t, answered, 23*sec)
	assert.Less(t, answered, 24*sec)
}

// A candidate that joins during a run has its LeaseCandidate; the controller sees an administrator's write of the
// Lease.
func TestJoinsAndWritesAreSeen(t *testing.T) {
	w, records := all(parseServers(t, "60s", `{"name":"api-1"}`, candidateJSON("a", "1.36.0", ""),
		`{"at":"10s","act":"add","candidate":`+candidateJSON("b", "1.37.0", "")+
			`},{"at":"20s","act":"write","op":"delete"}`))
	assert.Len(t, of(w, records, trace.CandidateStored, "b")[:1], 1)
	created := of(w, records, trace.Coordinated, "")
	assert.Less(t, created[len(created)-1].At, 21*sec, "the controller need not wait for its next look")
}

// The world moves on, however fast or slow a clock runs.
func TestClockRatesOfControlPlane(t *testing.T) {
	for _, rate := range []int{100_001, 697_694, 1_540_848, 1_882_621, 9_999_999} {
		s := parseServers(t, "30s", fmt.Sprintf(`{"name":"api-1","clock":{"ratePpm":%d}}`, rate),
			candidateJSON("a", "1.36.0", fmt.Sprintf(`,"clock":{"ratePpm":%d}`, rate)),
			`{"at":"10s","act":"clock","target":"a","ratePpm":777777},{"at":"12s","act":"clock","target":"api-1","ratePpm":1333333}`)
		w := world.New(compile.Scenario(s))
		steps := 0
		for w.Step(int64(s.Duration)) {
			steps++
			require.Less(t, steps, 100_000, "rate %d", rate)
		}
	}
}

// Two processes with one identity have one LeaseCandidate.
func TestSharedIdentity(t *testing.T) {
	w, _ := all(parseServers(t, "20s", `{"name":"api-1"}`, candidateJSON("a", "1.36.0", `,"identity":"same"`)+","+
		candidateJSON("b", "1.36.0", `,"identity":"same","startAt":"1s"`), ""))
	a, hasA := w.Node(0).LeaseCandidate()
	b, hasB := w.Node(1).LeaseCandidate()
	require.True(t, hasA && hasB)
	assert.Equal(t, a, b)
	assert.Equal(t, 1, strings.Count(get(w, candidatesPath), `"leaseName"`))
}

func get(w *world.World, path string) string {
	answer, _ := w.API().Try(w.Now(), &apiserver.Request{Method: "GET", Path: path,
		Header: map[string]string{"accept": "application/json"}})
	return string(answer.Body)
}

// An administrator's request about a LeaseCandidate reaches the store, the controllers and the client, and metadata
// that it wrote stays when the client writes.
func TestRequestsOnCandidates(t *testing.T) {
	label := `{"at":"10s","act":"request","method":"PATCH","path":"` + candidatesPath +
		`/a","headers":["Content-Type: application/merge-patch+json"],"body":"{\"metadata\":{\"labels\":{\"l\":\"x\"}},\"spec\":{\"pingTime\":\"2000-01-01T00:00:10.000000Z\"}}"}`
	w, records := all(parseServers(t, "20s", `{"name":"api-1"}`, candidateJSON("a", "1.36.0", ""), label))
	stored := of(w, records, trace.CandidateStored, "a")
	last := stored[len(stored)-1]
	assert.Greater(t, last.At, 10*sec, "it answers the administrator's ping")
	assert.Less(t, last.At, 11*sec)
	assert.Contains(t, get(w, candidatesPath+"/a"), `"labels":{"l":"x"}`)
	assert.Contains(t, get(w, candidatesPath+"/a"), `"pingTime":"2000-01-01T00:00:10.000000Z"`)

	ghost := `{"at":"10s","act":"request","method":"POST","path":"` + candidatesPath +
		`","body":"{\"metadata\":{\"name\":\"ghost\"},\"spec\":{\"leaseName\":\"demo\",\"binaryVersion\":\"1.35.0\",\"emulationVersion\":\"1.35.0\",\"strategy\":\"OldestEmulationVersion\",\"renewTime\":\"2000-01-01T00:00:10.000000Z\"}}"}`
	w, _ = all(parseServers(t, "12s", `{"name":"api-1"}`, candidateJSON("a", "1.36.0", ""), ghost))
	o, outcome := w.Store().Get(0)
	require.Equal(t, storage.OK, outcome)
	assert.Equal(t, "ghost", w.Setup().Symbols.Text(o.Spec.PreferredHolder),
		"nobody is behind it, and it is the oldest")

	gone := `{"at":"10s","act":"request","method":"DELETE","path":"` + candidatesPath + `/a"}`
	w, _ = all(parseServers(t, "12s", `{"name":"api-1"}`, candidateJSON("a", "1.36.0", ""), gone))
	_, has := w.Node(0).LeaseCandidate()
	assert.False(t, has)
	assert.Contains(t, get(w, candidatesPath+"/a"), `"code":404`)
}

// A mirror that follows shows every LeaseCandidate as the world's own API does, at every instant.
func TestMirrorShowsCandidates(t *testing.T) {
	s := parseServers(t, "40s", `{"name":"api-1"}`, candidateJSON("a", "1.37.0", "")+","+
		candidateJSON("b", "1.36.0", `,"startAt":"8s"`),
		`{"at":"20s","act":"request","method":"DELETE","path":"`+candidatesPath+`/a"}`)
	w := world.New(compile.Scenario(s))
	m := w.NewMirror(100)
	r := apiserver.Request{Method: "GET", Path: candidatesPath, Header: map[string]string{"accept": "application/json"}}
	compared := 0
	for w.Step(int64(s.Duration)) {
		if len(w.Records()) == 0 {
			continue
		}
		m.Follow(w)
		answer := m.Server.Handle(world.Clock(w.Now()), &r)
		require.JSONEq(t, get(w, candidatesPath), string(answer.Body), "at %d", w.Now())
		compared++
	}
	assert.Greater(t, compared, 100)
}

// Acts do not change the elector settings of API servers.
func TestSetSparesAPIServers(t *testing.T) {
	text := func(target string) []byte {
		return []byte(
			fmt.Sprintf(
				`{"apiVersion":%q,"kind":"Scenario","seed":1,"duration":"1m","apiServers":[{"name":"api-1"}],"candidates":[{"name":"a"}],"actions":[{"at":"1s","act":"set","target":%q,"elector":{"releaseOnCancel":false}}]}`, scenario.APIVersion, target))
	}
	_, err := scenario.Decode(text("api-1"))
	require.ErrorContains(t, err, "is an API server")
	s, err := scenario.Decode(text("*"))
	require.NoError(t, err)
	w, _ := all(s)
	_, next := w.Node(1).Settings()
	assert.True(t, next.ReleaseOnCancel)
}

// The older rule over lists of strategies, of Kubernetes 1.31: a strategy in front of another supersedes it, and lists
// that contradict each other are a user's error, which leaves the Lease alone. a comes first and gets the Lease; then b
// does.
func TestListsOfStrategies(t *testing.T) {
	const other, oldest = `"example.com/x"`, `"OldestEmulationVersion"`
	listed := func(name, emulation, list, more string) string {
		return fmt.Sprintf(`{"name":%q,"binaryVersion":"1.31.0","emulationVersion":%q,"preferredStrategies":[%s]%s}`,
			name, emulation, list, more)
	}
	for name, c := range map[string]struct {
		first, second    string
		need             coordinator.Need
		strategy, leader string
	}{
		"[Y] and [Y, X] give Y": {oldest, oldest + "," + other, coordinator.HolderIsBest,
			"OldestEmulationVersion", "b"},
		"[X] and [Y, X] give Y": {other, oldest + "," + other, coordinator.HolderIsBest,
			"OldestEmulationVersion", "b"},
		"[Y] and [X, Y] give X, not ours": {oldest, other + "," + oldest, coordinator.ThirdParty,
			"OldestEmulationVersion", "a"},
		"[Y, X] and [X, Y] give nothing": {oldest + "," + other, other + "," + oldest, coordinator.StrategyConflict,
			"OldestEmulationVersion", "a"},
		"[Y] and [X] give nothing": {oldest, other, coordinator.StrategyConflict, "OldestEmulationVersion", "a"},
	} {
		s := parse(t, "60s",
			fmt.Sprintf(
				`"leaseCandidateVersion":"v1alpha1","nilHolder":"intended","elector":{"coordinated":true},"apiServers":[{"name":"api-1"}],"candidates":[%s,%s]`,
				listed("a", "1.31.0", c.first, ""), listed("b", "1.30.0", c.second, `,"startAt":"10s"`)))
		w, _ := all(s)
		last, known := w.Node(2).Decision(0)
		require.True(t, known, name)
		assert.Equal(t, c.need, last.Need, name)
		lease, outcome := w.Store().Get(0)
		require.Equal(t, storage.OK, outcome, name)
		assert.Equal(t, c.strategy, w.Setup().Symbols.Text(lease.Spec.Strategy), name)
		assert.Equal(t, c.leader, w.Setup().Symbols.Text(lease.Spec.HolderIdentity), name)

		answer, _ := w.API().Try(w.Now(),
			&apiserver.Request{Method: "GET",
				Path:   "/apis/coordination.k8s.io/v1alpha1/namespaces/default/leasecandidates/b",
				Header: map[string]string{}})
		assert.Equal(t, 200, answer.Status, name)
		assert.Contains(t, string(answer.Body), `"preferredStrategies":[`+c.second+`]`, name)
		answer, _ = w.API().Try(w.Now(),
			&apiserver.Request{Method: "GET", Path: candidatesPath, Header: map[string]string{}})
		assert.Equal(t, 404, answer.Status, "v1beta1 is not served beside it")
	}
}

// Between candidates with equal versions from the same second, the name decides once and for all. With ties: flap, chance
// decides again and again, and the seed determines how.
func TestTiesBetweenCandidates(t *testing.T) {
	holders := func(seed uint64, more string) (names string) {
		s := parse(t, "2m", fmt.Sprintf(`"elector":{"coordinated":true},"apiServers":[{"name":"api-1"}],"candidates":[%s,%s]%s`,
			candidateJSON("b", "1.36.0", ""), candidateJSON("a", "1.36.0", ""), more))
		s.Seed = seed
		w, records := all(s)
		for _, r := range of(w, records, trace.StartedLeading, "") {
			names += w.Node(r.Candidate).Name()
		}
		return names
	}
	assert.Equal(t, "a", holders(1, ""))
	assert.Equal(t, "a", holders(2, `,"coordination":{"ties":"order"}`))
	const flap = `,"coordination":{"ties":"flap"}`
	first := holders(1, flap)
	assert.Contains(t, first, "a")
	assert.Contains(t, first, "b")
	assert.Equal(t, first, holders(1, flap))
	assert.NotEqual(t, first, holders(2, flap))
}

// A plain elector beside coordinated ones takes an expired Lease as any other, erases strategy and preferredHolder with
// every write, and never hands over: it wipes out the controller's preferredHolder again and again.
func TestPlainElectorBesideCoordinatedOnes(t *testing.T) {
	plain := `{"name":"p","startAt":"1s","elector":{"coordinated":false}}`
	w, records := all(parseServers(t, "2m", `{"name":"api-1"}`, candidateJSON("a", "1.36.0", "")+","+plain,
		`{"at":"20s","act":"crash","target":"a"},{"at":"60s","act":"restart","target":"a"}`))
	require.Len(t, of(w, records, trace.StartedLeading, "a"), 1)
	leads := of(w, records, trace.StartedLeading, "p")
	require.Len(t, leads, 1)
	assert.Empty(t, of(w, records, trace.StoppedLeading, "p"))
	wished := 0
	for _, r := range of(w, records, trace.Coordinated, "") {
		if r.At > 60*sec && w.Setup().Symbols.Text(r.Spec.PreferredHolder) == "a" {
			wished++
		}
	}
	assert.Greater(t, wished, 5)
	for _, r := range of(w, records, trace.RequestServed, "p") {
		if r.Outcome == storage.Updated {
			assert.Zero(t, r.Spec.Strategy)
			assert.Zero(t, r.Spec.PreferredHolder)
		}
	}
}

// No client can move a LeaseCandidate to another Lease: the API refuses it.
func TestLeaseNameOfACandidateIsFixed(t *testing.T) {
	w, _ := all(parseServers(t, "20s", `{"name":"api-1"}`, candidateJSON("a", "1.36.0", ""), ""))
	answer, wrote := w.API().Try(w.Now(), &apiserver.Request{
		Method: "PATCH", Path: candidatesPath + "/a", Body: []byte(`{"spec":{"leaseName":"other"}}`),
		Header: map[string]string{"content-type": "application/merge-patch+json"},
	})
	assert.Equal(t, 422, answer.Status)
	assert.Contains(t, string(answer.Body), `spec.leaseName: Invalid value: \"other\": field is immutable`)
	assert.False(t, wrote)
}

// A scenario can choose the constants of the controller and of the candidates' clients; left out they are upstream's.
func TestConstantsOfTheController(t *testing.T) {
	run := func(controllers string) (*world.World, []trace.Record) {
		s := parseServers(t, "10m", `{"name":"api-1"}`, candidateJSON("a", "1.36.0", "")+","+candidateJSON("b", "1.37.0", ""),
			`{"at":"60s","act":"crash","target":"a"}`)
		if controllers != "" {
			c, err := scenario.Set(s, "controllers", controllers)
			require.NoError(t, err)
			s = c
		}
		return all(s)
	}
	// From the first ping to the election without the candidate that does not answer.
	wait := func(w *world.World, records []trace.Record) int64 {
		pinged := int64(0)
		for _, r := range records {
			switch {
			case r.At > 60*sec && r.Kind == trace.CandidatePinged && w.Node(r.Candidate).Name() == "a" && pinged == 0:
				pinged = r.At
			case pinged != 0 && r.Kind == trace.Coordinated && w.Setup().Symbols.Text(r.Spec.HolderIdentity) == "b":
				return r.At - pinged
			}
		}
		return -1
	}
	plain, records := run("")
	assert.InDelta(t, 5*sec, wait(plain, records), float64(sec)/2)
	w, records := run(
		`{"electionDuration":"2s","requeue":"1s","leaseDuration":"9s","candidateRenew":"1m","pingSpacing":"1s"}`)
	assert.InDelta(t, 3*sec, wait(w, records), float64(sec)*11/10)
	given := of(w, records, trace.Coordinated, "")
	assert.Equal(t, int32(9), given[0].Spec.LeaseDurationSeconds)
	renewed := 0
	for _, r := range of(w, records, trace.CandidateStored, "b") {
		if r.Candidacy().PingTime == 0 { // of itself, before any ping
			renewed++
		}
	}
	assert.GreaterOrEqual(t, renewed, 1)
	var pings []int64
	for _, r := range of(w, records, trace.CandidatePinged, "") {
		if r.At > 60*sec {
			pings = append(pings, r.At)
		}
	}
	require.GreaterOrEqual(t, len(pings), 2)
	assert.InDelta(t, sec, pings[1]-pings[0], 1e6, "the pings of a round lie apart")

	for bad, message := range map[string]string{
		`{"requeue":"1ms"}`:          `controllers.requeue "1ms" must be at least 100ms`,
		`{"leaseDuration":"1500ms"}`: `controllers.leaseDuration "1.5s" must be whole seconds`,
	} {
		_, err := scenario.Set(parseServers(t, "1m", `{"name":"api-1"}`, candidateJSON("a", "1.36.0", ""), ""),
			"controllers", bad)
		assert.ErrorContains(t, err, message)
	}
}

// A write of a LeaseCandidate client that a cut holds reaches the API server when the cut heals. The client repeats a
// write that a cut loses after the request timeout, also if only the answer was lost.
func TestCandidateRequestsHeld(t *testing.T) {
	type told struct {
		stored []int64 // when the LeaseCandidate was created
		failed []step.Result
	}
	run := func(act string) (found told) {
		w, records := all(parseServers(t, "20s", `{"name":"api-1"}`, candidateJSON("a", "1.36.0", ""), act))
		for _, r := range of(w, records, trace.CandidateStored, "a") {
			if r.Outcome == storage.Created {
				found.stored = append(found.stored, r.At)
			}
		}
		for _, r := range of(w, records, trace.CandidateFailed, "a") {
			found.failed = append(found.failed, r.Result)
		}
		return found
	}
	const ms = sec / 1000
	calm := run("").stored[0]
	require.Equal(t, 102*ms, calm)

	// On the way to the server, from before it was sent and from while it was under way.
	for _, at := range []string{"50ms", "101ms"} {
		cut := func(more string) told {
			return run(fmt.Sprintf(`{"at":%q,"act":"cut","target":"a","direction":"up",%s}`, at, more))
		}
		assert.Equal(t, []step.Result{step.ClientTimeout}, cut(`"for":"2s"`).failed, at)
		assert.Greater(t, cut(`"for":"2s"`).stored[0], 5*sec, at)
		held := cut(`"for":"2s","mode":"hold"`)
		assert.Empty(t, held.failed, at)
		assert.Less(t, held.stored[0]-2*sec, 110*ms, at)
		// Beyond the timeout the abandoned write is dropped, or comes before the next try.
		assert.Equal(t, []step.Result{step.ClientTimeout}, cut(`"for":"8s","mode":"hold"`).failed, at)
		assert.Equal(t, []step.Result{step.ClientTimeout, step.AlreadyExists}, cut(`"for":"8s","mode":"late"`).failed,
			at)
	}

	// On the way back the LeaseCandidate is there, and its client does not know.
	lost := run(`{"at":"50ms","act":"cut","target":"a","direction":"down","for":"2s"}`)
	assert.Equal(t, []int64{calm}, lost.stored)
	assert.Equal(t, step.ClientTimeout, lost.failed[0])
	held := run(`{"at":"50ms","act":"cut","target":"a","direction":"down","for":"2s","mode":"hold"}`)
	assert.Equal(t, told{stored: []int64{calm}}, held)
}
