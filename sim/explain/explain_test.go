package explain

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/coordinator"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/testsupport/random"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// watched is a run with everything that is said about it.
type watched struct {
	world   *world.World
	checks  check.Checks
	tracker Tracker
	records map[int64]int32 // by instant
	said    []string
}

func watch(s scenario.Scenario) *watched { return observe(s, int64(s.Duration), true) }

// observe runs a scenario up to an instant, with a sentence for every record or without.
func observe(s scenario.Scenario, untilNs int64, say bool) *watched {
	r := &watched{world: world.New(compile.Scenario(s)), checks: check.For(compile.Scenario(s)), tracker: New(), records: map[int64]int32{}}
	for r.world.Step(untilNs) {
		records := r.world.Records()
		r.checks.Observe(records)
		for i := range records {
			note := r.tracker.Observe(r.world, &records[i])
			r.records[records[i].At]++
			if say {
				r.said = append(r.said, Say(r.world, &records[i], note).String())
			}
		}
		r.tracker.Follow(r.world, r.checks.Violations)
	}
	r.checks.Settle(untilNs)
	r.tracker.Follow(r.world, r.checks.Violations)
	return r
}

// swarmRuns is over how many random runs explanations are checked.
func swarmRuns() uint64 {
	if testing.Short() {
		return 60
	}
	return 1000
}

// laidEndToEnd asserts that parts follow each other without a hole from one instant to another, and that each names a
// record that exists and does not lie after the end.
func laidEndToEnd(t *testing.T, r *watched, parts []Part, fromNs, toNs int64, what string) {
	t.Helper()
	sum := int64(0)
	at := fromNs
	for k, p := range parts {
		require.Equal(t, at, p.FromNs, what)
		require.Greater(t, p.ToNs, p.FromNs, what)
		require.NotEmpty(t, p.Text)
		require.NotContains(t, p.Text, "%!", what)
		sum += p.ToNs - p.FromNs
		at = p.ToNs
		exists(t, r, p.Event, toNs, p.Text)
		if whole, is := strings.CutSuffix(p.Text, ", before the gap"); is { // the next one is the rest of it
			require.Equal(t, whole+", in the gap", parts[k+1].Text, what)
		} else {
			require.LessOrEqual(t, p.Event.AtNs, p.ToNs, "%s: %s", what, p.Text)
		}
	}
	require.Equal(t, toNs-fromNs, sum, "%s: the pieces add up to the measured duration, to the nanosecond", what)
}

var instants = regexp.MustCompile(`\d\d:\d\d\.\d{3}`)

// leadsWhereItSays asserts that a sentence opens the event at the first instant that it names.
func leadsWhereItSays(t *testing.T, line Line, what string) {
	t.Helper()
	if named := instants.FindString(line.Text); named != "" {
		require.Equal(t, named, words.Instant(line.Event.AtNs), "%s: %s", what, line.Text)
	}
}

// Over random runs, full of faults: there is an explanation for every leader change and no other, its gap is the
// leaderless time, and the pieces of the gap, of the whole chain and of the last leader's end each follow each other
// without a hole. The chain's pieces inside the gap add up to the gap too. Each violation has a story, whose parts add
// up to its length.
func TestExplanationsAddUp(t *testing.T) {
	parts, gaps, chains, overlaps := 0, 0, 0, 0
	for n := range swarmRuns() {
		r := observe(random.Scenario(n), int64(75*time.Second), false)
		require.Len(t, r.tracker.Explanations, len(r.checks.Changes), "number %d", n)
		for k, e := range r.tracker.Explanations {
			change := r.checks.Changes[k]
			require.Equal(t, []int64{change.AtNs, int64(change.To), int64(change.From), change.LeaderlessNs},
				[]int64{e.ToNs, int64(e.To), int64(e.From), e.ToNs - e.FromNs}, "number %d change %d", n, k)
			what := fmt.Sprintf("number %d change %d", n, k)
			laidEndToEnd(t, r, e.Parts, e.FromNs, e.ToNs, what)
			laidEndToEnd(t, r, e.Chain, e.ChainFromNs, e.ToNs, what+" chain")
			parts += len(e.Parts)
			inGap := int64(0)
			for _, p := range e.Chain {
				if p.FromNs >= e.FromNs {
					inGap += p.ToNs - p.FromNs
				}
			}
			if e.FromNs < e.ToNs {
				require.Equal(t, e.ToNs-e.FromNs, inGap, what)
				chains++
				if len(e.Ending) > 0 {
					laidEndToEnd(t, r, e.Ending, e.EndingFromNs, e.FromNs, what+" ending")
				}
			}
			for _, line := range e.Story {
				require.NotContains(t, line.Text, "%!", "number %d", n)
				exists(t, r, line.Event, e.ToNs, line.Text)
				leadsWhereItSays(t, line, what)
			}
			if e.FromNs < e.ToNs {
				gaps++
			}
		}
		require.Len(t, r.tracker.Stories, len(r.checks.Violations))
		for k := range r.tracker.Stories {
			v := &r.checks.Violations[k]
			s, end := r.tracker.Stories[k], v.UntilNs
			if end < 0 {
				end = int64(75 * time.Second)
			}
			if s.UntilNs < 0 { // stale writes go on as long as their worker is active
				s = r.tracker.SoFar(r.world, k, v, end)
			}
			what := fmt.Sprintf("number %d violation %d %s", n, k, v.Rule)
			require.NotEmpty(t, s.Lines, what)
			if end > v.FromNs {
				laidEndToEnd(t, r, s.Parts, v.FromNs, end, what)
				overlaps++
			}
			for _, line := range s.Lines {
				require.NotContains(t, line.Text, "%!", what)
				exists(t, r, line.Event, end, line.Text)
				leadsWhereItSays(t, line, what)
			}
		}
	}
	runs := int(swarmRuns())
	assert.Greater(t, gaps, runs)
	assert.Greater(t, parts, 2*gaps)
	assert.Greater(t, chains, runs/2)
	assert.Greater(t, overlaps, runs/8)
}

// exists asserts that a place is that of a record at or before an instant; ordinal -1 is all of its instant.
func exists(t *testing.T, r *watched, p Place, before int64, text string) {
	t.Helper()
	require.LessOrEqual(t, p.AtNs, before, text)
	require.NotZero(t, p.Ordinal, text)
	if p.Ordinal < 0 {
		return // what time alone does leaves no record
	}
	require.LessOrEqual(t, p.Ordinal, r.records[p.AtNs], text)
	require.NotZero(t, r.records[p.AtNs], text)
}

// Every record of every random run has a sentence: with its verb, an end, and no hole where a word should be.
func TestSentences(t *testing.T) {
	runs := uint64(200)
	if testing.Short() {
		runs = 30
	}
	for n := range runs {
		s := random.Scenario(n)
		for _, said := range watch(s).said {
			require.NotContains(t, said, "%!", "number %d", n)
			require.NotContains(t, said, "  ", "number %d: %s", n, said)
			require.NotContains(t, said, " .", "number %d: %s", n, said)
			require.Regexp(t, `^[A-Za-z].*(\.|\))$`, said)
		}
	}
}

// The texts of the opening story, as the page and lesson 1 quote them.
func TestTheStoryOfALeaderWhoDies(t *testing.T) {
	s, err := scenario.Decode([]byte(`{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","seed":1004,"streams":"recorded","duration":"60s",
		"elector":{"renewDeadline":"9.999999999s"},
		"candidates":[{"name":"a","startAt":"11ns","network":{"requestLatency":"2.000001ms","responseLatency":"3.000003ms"}},
			{"name":"b","startAt":"137.000018ms","network":{"requestLatency":"2.001004ms","responseLatency":"3.00078ms"}},
			{"name":"c","startAt":"274.000025ms","network":{"requestLatency":"2.002007ms","responseLatency":"3.001557ms"}}],
		"actions":[{"at":"20.000000013s","act":"crash","target":"a"}]}`))
	require.NoError(t, err)
	e := watch(s).tracker.Explanations[1]
	texts, lengths := []string{}, []int64{}
	for _, p := range e.Parts {
		texts, lengths = append(texts, p.Text), append(lengths, p.ToNs-p.FromNs)
		assert.Equal(t, p.Text == "left on b's countdown", p.Counting, p.Text)
	}
	assert.Equal(t, []string{"left on b's countdown", "until b tried again", "to read and write the Lease"}, texts)
	assert.Equal(t, []int64{13165, 864, 10}, LargestRemainder(lengths, 1e6))
	assert.Equal(t, "14.039 s", words.Seconds(e.ToNs-e.FromNs))
	assert.Equal(t, "00:34.039", words.Instant(e.ToNs))
}

// What is left on a countdown is never more than the countdown: the time until the first look is its own part.
func TestNoMoreIsLeftThanTheCountdown(t *testing.T) {
	lengths := func(rest string) (texts []string, ns []int64) {
		s, err := scenario.Decode([]byte(`{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","seed":1,"duration":"80s",` + rest + `}`))
		require.NoError(t, err)
		e := watch(s).tracker.Explanations[1]
		for _, p := range e.Parts {
			texts, ns = append(texts, p.Text), append(ns, p.ToNs-p.FromNs)
		}
		return texts, ns
	}
	texts, ns := lengths(`"process":{"restartAfterCrash":"500ms","identityAtRestart":"new"},"candidates":[{"name":"a"},{"name":"b"}],"actions":[{"at":"20s","act":"crash","target":"a"}]`)
	assert.Equal(t, []string{"until a-2 started", "until a-2 first saw the Lease", "left on a-2's countdown", "until a-2 tried again", "to read and write the Lease"}, texts)
	assert.Equal(t, []int64{500, 5, 15_000}, []int64{ns[0] / 1e6, ns[1] / 1e6, ns[2] / 1e6})
	for n := range uint64(60) {
		for _, e := range observe(random.Scenario(n), int64(75*time.Second), false).tracker.Explanations {
			for _, p := range e.Parts {
				if strings.HasPrefix(p.Text, "left on ") {
					require.LessOrEqual(t, p.ToNs-p.FromNs, e.CountedNs, "number %d", n)
				}
			}
		}
	}
}

// The story of an observation is about those whom it concerns, and its sentences have subjects.
func TestTheStoryOfAnObservation(t *testing.T) {
	s, known := shipped.ByName("b05-wiped-lease")
	require.True(t, known)
	r := watch(s)
	seen := 0
	for k, v := range r.checks.Violations {
		if v.Rule != rules.KnowsLostStillActive || r.world.Node(v.First).Name() != "c" {
			continue
		}
		seen++
		story := r.tracker.Stories[k]
		text := ""
		for _, line := range story.Lines {
			text += line.Text + "\n"
		}
		assert.Contains(t, text, "c led from ")
		assert.Regexp(t, `c read at \d\d:\d\d\.\d{3} that \w+ holds the Lease`, text)
		assert.Contains(t, text, "on: c stays active although it has read that another holds the Lease.")
		assert.NotContains(t, text, "a is cut off", "that was another one's")
		require.Len(t, story.Parts, 1)
		assert.Equal(t, "c stays active although it has read that another holds the Lease", story.Parts[0].Text)
	}
	assert.Positive(t, seen)
}

// A change of latency says which legs take how long, and a look at the candidates that fails which request did.
func TestSentencesSayWhich(t *testing.T) {
	sentences := func(rest string) string {
		s, err := scenario.Decode([]byte(`{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","seed":1,"duration":"60s",` + rest + `}`))
		require.NoError(t, err)
		return strings.Join(watch(s).said, "\n")
	}
	const ab = `"candidates":[{"name":"a"},{"name":"b"}],"actions":[`
	assert.Contains(t, sentences(ab+`{"at":"20s","act":"latency","target":"a","request":"1s","for":"5s"}]`), "a now has a request latency of 1.000 s.\n")
	assert.Contains(t, sentences(ab+`{"at":"20s","act":"latency","target":"*","request":"3ms","response":"1500ms","verb":"update"}]`),
		"All nodes now have a request latency of 3.0 ms and a response latency of 1.500 s, for each update only.\n")

	symbols := coordination.NewSymbols()
	d := coordinator.Decision{Outcome: coordinator.RequestFailed, Writes: []coordinator.Write{
		{Verb: coordinator.Ping, Name: symbols.Intern("a")}, {Verb: coordinator.Ping, Name: symbols.Intern("b"), Result: step.Conflict},
	}}
	assert.Equal(t, "its ping of b failed, the LeaseCandidate had changed in the meantime", failedRequest(symbols, &d))
	d.Writes = []coordinator.Write{{Verb: coordinator.UpdateLease, Result: step.GatewayTimeout}}
	assert.Equal(t, "its update lease failed, 504 timeout", failedRequest(symbols, &d))
	d.Writes = []coordinator.Write{{Verb: coordinator.CreateLease, Result: step.AlreadyExists}}
	assert.Equal(t, "its get lease failed", failedRequest(symbols, &d))
}

// Rounded parts add up to the rounded total, and none is off by a millisecond or more.
func TestLargestRemainder(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for range 5000 {
		parts := make([]int64, r.IntN(8))
		total := int64(0)
		for i := range parts {
			parts[i] = r.Int64N([]int64{3, 1_000_000, 2_000_000_000, 1 << 50}[r.IntN(4)])
			total += parts[i]
		}
		shown := LargestRemainder(parts, 1e6)
		require.Len(t, shown, len(parts))
		sum := int64(0)
		for i := range parts {
			sum += shown[i]
			off := shown[i]*1_000_000 - parts[i]
			require.Less(t, max(off, -off), int64(1_000_000))
		}
		require.Equal(t, (total+500_000)/1_000_000, sum)
	}
	assert.Empty(t, LargestRemainder(nil, 1e6))
	assert.Equal(t, []int64{0, 1}, LargestRemainder([]int64{400_000, 600_000}, 1e6))
	assert.Equal(t, []int64{1, 0}, LargestRemainder([]int64{500_000, 500_000}, 1e6), "a tie goes to the first")
}

// Instants and lengths as every text shows them, half up, with the carry.
func TestInstants(t *testing.T) {
	for ns, want := range map[int64]string{
		0: "00:00.000", 499_999: "00:00.000", 500_000: "00:00.001", 34_038_760_571: "00:34.039", 59_999_500_000: "01:00.000", 59_999_499_999: "00:59.999",
		int64(time.Hour) - 500_001: "59:59.999", int64(time.Hour) - 500_000: "01:00:00.000", int64(90 * 24 * time.Hour): "2160:00:00.000",
	} {
		assert.Equal(t, want, words.Instant(ns), "%d ns", ns)
	}
	for ns, want := range map[int64]string{0: "0.000 s", 999_500_000: "1.000 s", 13_164_712_000: "13.165 s", int64(2 * time.Hour): "7200.000 s"} {
		assert.Equal(t, want, words.Seconds(ns), "%d ns", ns)
	}
	for ns, want := range map[int64]string{
		0: "0 ns", 999: "999 ns", 1000: "1 µs", 1_000_000: "1.0 ms", 5_049_999: "5.0 ms", 5_050_000: "5.1 ms", 9_950_000: "10.0 ms", 1_250_000_000: "1.250 s",
	} {
		assert.Equal(t, want, words.Short(ns), "%d ns", ns)
	}
	assert.Equal(t, "-1.500 s", words.Seconds(-1_500_000_000), "clocks may be behind")
}

// A tracker that was cloned goes its own way.
func TestCloneIsIndependent(t *testing.T) {
	open := 0
	paused, _ := shipped.ByName("paused-leader") // an overlap goes on two thirds through, and is the next that ends
	for n := range uint64(20) {
		s := random.Scenario(n)
		if n == 0 {
			s = paused
		}
		setup := compile.Scenario(s)
		w, c, tracker := world.New(setup), check.For(setup), New()
		run := func(w *world.World, c *check.Checks, tracker *Tracker, untilNs int64) {
			for w.Step(untilNs) {
				records := w.Records()
				c.Observe(records)
				for i := range records {
					tracker.Observe(w, &records[i])
				}
				tracker.Follow(w, c.Violations)
			}
		}
		run(w, &c, &tracker, int64(s.Duration)*2/3)
		open += len(tracker.open)
		before := len(tracker.Stories)
		still, stillChecks, stillTracker := w.Clone(), c.Clone(), tracker.Clone()
		other, otherChecks, otherTracker := w.Clone(), c.Clone(), tracker.Clone()
		run(w, &c, &tracker, int64(s.Duration))
		run(other, &otherChecks, &otherTracker, int64(s.Duration))
		wholeWorld, wholeChecks, whole := world.New(setup), check.For(setup), New() // never cloned
		run(wholeWorld, &wholeChecks, &whole, int64(s.Duration))
		assert.Equal(t, whole.Explanations, otherTracker.Explanations)
		assert.Equal(t, whole.Stories, otherTracker.Stories)
		assert.Equal(t, whole.Stories, tracker.Stories)
		// What went on has left the one that stayed alone: it gets there by itself.
		require.Len(t, stillTracker.Stories, before)
		run(still, &stillChecks, &stillTracker, int64(s.Duration))
		assert.Equal(t, whole.Stories, stillTracker.Stories)
	}
	assert.Positive(t, open, "some stories were going on when the clones were made")
}

// A story goes forwards, and lines of one instant keep the order in which they were told.
func TestStoriesGoForwards(t *testing.T) {
	lines := []Line{{Text: "c", Event: Place{30, 1}}, {Text: "a", Event: Place{10, 5}}, {Text: "d", Event: Place{30, -1}},
		{Text: "b", Event: Place{20, 2}}}
	inOrder(lines)
	text := ""
	for _, line := range lines {
		text += line.Text
	}
	assert.Equal(t, "abcd", text)
}

// parseThree is a scenario of a, b and c.
func parseThree(t *testing.T, duration, rest string) scenario.Scenario {
	t.Helper()
	s, err := scenario.Decode([]byte(fmt.Sprintf(`{"apiVersion":%q,"kind":"Scenario","seed":1,"duration":%q,"candidates":[{"name":"a"},{"name":"b","startAt":"50ms"},{"name":"c","startAt":"100ms"}],%s}`, scenario.APIVersion, duration, rest)))
	require.NoError(t, err)
	return s
}

// The addends of a gap name the time that the new leader waited inside a call, in the gap and on the whole way; the
// leader before tells that its renewal waited too.
func TestWaitsInsideCalls(t *testing.T) {
	texts := func(parts []Part) (all []string) {
		for _, p := range parts {
			all = append(all, fmt.Sprintf("%.3f %s", float64(p.ToNs-p.FromNs)/1e9, p.Text))
		}
		return all
	}
	r := watch(parseThree(t, "60s", `"actions":[{"at":"20s","act":"crash","target":"a"},{"at":"32s","act":"fail","target":"*","error":"http429","retryAfter":"1s","for":"5s"}]`))
	e := r.tracker.Explanations[1]
	const inside = "waiting inside its GET: answered 429 4 times, asked again as Retry-After says"
	assert.Contains(t, strings.Join(texts(e.Parts), "\n"), inside)
	assert.Contains(t, strings.Join(texts(e.Chain), "\n"), inside)
	laidEndToEnd(t, r, e.Parts, e.FromNs, e.ToNs, "the gap")
	assert.Contains(t, r.said, "b gives up its get before it asks again: the client's timeout has passed.")

	r = watch(parseThree(t, "60s", `"elector":{"requestTimeout":"30s"},"actions":[{"at":"20s","act":"fail","target":"a","error":"http429","retryAfter":"30s","for":"5s"}]`))
	assert.Contains(t, strings.Join(texts(r.tracker.Explanations[1].Ending), "\n"), "a was waiting inside a call before asking again")
}

// A sentence about a request that is asked again gives the answer, the wait and the reason.
func TestRetrySentences(t *testing.T) {
	details := func(fault string) (all []string) {
		w, tracker := world.New(compile.Scenario(parseThree(t, "30s", `"actions":[{"at":"10s","act":"fail","target":"a",`+fault+`}]`))), New()
		w.Run(30e9, func(records []trace.Record) {
			for i := range records {
				note := tracker.Observe(w, &records[i])
				if records[i].Kind == trace.RequestRetries {
					all = append(all, Say(w, &records[i], note).Detail)
				}
			}
		})
		return all
	}
	assert.Equal(t, []string{"PUT answered 429, asked again after 1 s (Retry-After)"}, details(`"error":"http429","count":1,"retryAfter":"1s"`))
	assert.Equal(t, []string{"GET failed, asked again after 1 s (connection reset)"}, details(`"error":"reset","verb":"get","count":1,"for":"5s"},{"at":"10s","act":"fail","target":"a","error":"conflict","verb":"update","count":1`))
}

// What an act does to one message is told with the message, where it was, and for how long.
func TestAMessageThatAnActStops(t *testing.T) {
	firstAct := func(effect string) string {
		for at := 20.0; at < 26; at += 0.3 {
			s, err := scenario.Decode([]byte(`{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","seed":1,"duration":"30s",` +
				fmt.Sprintf(stopsOne, fmt.Sprintf("%.1fs", at)) + effect + `}]}`))
			require.NoError(t, err)
			for _, line := range watch(s).said {
				if strings.Contains(line, "an act") {
					return line
				}
			}
		}
		return ""
	}
	for effect, want := range map[string]string{
		`"effect":"drop"`:             `a loses its PUT: an act drops it on its way to the API server.`,
		`"effect":"dropResponse"`:     `a gets no answer to its PUT: an act drops the answer.`,
		`"effect":"hold"`:             `a waits longer: an act holds its PUT on its way to the API server until another act delivers it.`,
		`"effect":"late","for":"15s"`: `a waits longer: an act holds its PUT on its way to the API server for 15 s.`,
	} {
		assert.Contains(t, firstAct(effect), want)
	}
}

// A held message is named after its client, and the story of a stale write names the act that held it.
func TestAHeldWriteIsTold(t *testing.T) {
	text := violationStory(rules.StaleWriteAccepted)(watchScenario(t, `"resource":{"fence":"none","writeEvery":"5s","latency":"400ms"},`+two+`"actions":[{"at":"20.2s","act":"intercept","target":"a","message":"resource","effect":"hold","for":"40s"},{"at":"21s","act":"crash","target":"a"}]`))
	assert.Contains(t, text, "an act holds its write to the resource on its way to the resource for 40 s.")
	assert.Contains(t, text, "the act lets its write to the resource through.")
	for sender, words := range map[network.Sender]string{
		network.Elector: "loses its PUT: an act drops it on its way to the API server.", network.Kubelet: "loses its heartbeat: an act drops it on its way to the API server.",
		network.LeaseCandidate: "loses the write of its LeaseCandidate:", network.Controller: "loses a request of its controllers:",
		network.ResourceWriter: "loses its write to the resource: an act drops it on its way to the resource.",
	} {
		r := trace.Record{Kind: trace.Intercepted, Verb: elector.Update, Payload: trace.Interception{At: network.HeldUp, Sender: sender}.Payload()}
		assert.Contains(t, interception(nil, &r, Note{}, &Sentence{}), words)
	}
}

// How a request failed is said in words.
func TestFailure(t *testing.T) {
	for result, want := range map[step.Result]string{
		step.Success: "", step.Conflict: "", step.ClientTimeout: "", step.ConnReset: "connection reset by peer", step.ConnRefused: "connection refused",
		step.Unavailable: "answered 503 unavailable", step.ConnEOF: "connection closed before an answer (EOF)", step.Undecodable: "the client cannot decode the answer",
	} {
		assert.Equal(t, want, Failure(result))
	}
}

// A rolling update that waits for the only Ready pod says so, and one that goes on does not.
func TestABlockedRollingUpdate(t *testing.T) {
	const blocks, never = "blocks the rolling update, which has 2 old pods left", "never reports success"
	said := func(s scenario.Scenario) string { return strings.Join(watch(s).said, "\n") }
	stuck, _ := shipped.ByName("b60-ready-only-as-leader")
	fixed, _ := shipped.ByName("b60-ready-only-as-leader-fixed")
	assert.Equal(t, 1, strings.Count(said(stuck), "a "+blocks))
	assert.NotContains(t, said(stuck), never)
	assert.NotContains(t, said(fixed), "rolling update")
	all := stuck.Clone()
	all.Actions[0].MaxSurge, all.Actions[0].MaxUnavailable = new(0), new(2)
	assert.NotContains(t, said(all), blocks)
	assert.Equal(t, 1, strings.Count(said(all), never))
	one := all.Clone()
	one.Candidates = one.Candidates[:1]
	assert.NotContains(t, said(one), never)
}
