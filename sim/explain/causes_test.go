package explain

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
)

// causeWords are the words by which a story names a cause.
var causeWords = map[string]string{
	"crash":       `\bcrashed at|: a crash`,
	"stop":        `was asked to stop`,
	"release":     `released the Lease`,
	"drain":       `its work went on|ended its work`,
	"pause":       `had been paused|\b[ab] is paused\.`,
	"hang":        `hanging|hangs: its elector`,
	"suspend":     `suspended`,
	"rate":        `of the true rate`,
	"jump":        `now has a clock with offset`,
	"slow":        `now has a re(quest|sponse) latency|renewal took`,
	"lostAnswers": `answers are lost`,
	"cut":         `cut off from the API server`,
	"outage":      `All nodes are cut off|cp-1 crashes`,
	"refusal":     `gets? errors: `,
	"edit":        `An administrator (puts|patches)`,
	"delete":      `An administrator deletes`,
	"restore":     `restores the store`,
	"twin":        `same holderIdentity`,
	"dialect":     `does not follow client-go`,
	"intercept":   `an act (drops|holds|loses)`,
	"kill":        `was killed \(SIGKILL\)`,
	"share":       `for \d+ % of its (requests|messages)`,
	"serverPause": `cp-1 is paused`,
	"capacity":    `overloaded API server`,
	"newCapacity": `capacity of the API server changes`,
	"handOver":    `preferredHolder`,
}

// cell is one combination of a cause with a gap, an overlap or a stale write.
type cell struct {
	cause    string
	also     []string // what else the story must name, because it takes more than one thing
	body     string   // %s: an instant, where a race decides: the first of a few that shows the cell
	neighbor string   // without the cause; its stories must not name it
}

const (
	two       = `"candidates":[{"name":"a"},{"name":"b","startAt":"500ms"}],`
	aCrashes  = two + `"actions":[{"at":"20s","act":"crash","target":"a"}]`
	aStops    = two + `"actions":[{"at":"20s","act":"stop","target":"a"}]`
	releasing = `"elector":{"releaseOnCancel":true},`
	afterWork = `"elector":{"releaseOnCancel":true,"releaseAfterWork":true},`
	acted     = two + `"actions":[{"at":"20s","act":`
	aSlowly   = `"candidates":[{"name":"a","network":{"requestLatency":"400ms"}},{"name":"b","startAt":"5s"}],"actions":[`
	stopsOne  = aSlowly + `{"at":"%s","act":"intercept","target":"a",`
	thenCrash = `{"at":"30s","act":"crash","target":"a"}]`
	aCut      = acted + `"cut","target":"a"}]`
	// b has its own API server, which a's cannot slow down.
	twoServers = `"apiServers":[{"name":"cp-1"},{"name":"cp-2"}],"elector":{"releaseOnCancel":true,"requestTimeout":"0s"},` +
		`"candidates":[{"name":"a","apiServer":"cp-1"},{"name":"b","apiServer":"cp-2","startAt":"500ms"}],"actions":[{"at":"20s","act":`
	oneServer  = `"apiServers":[{"name":"cp-1"}],"candidates":[{"name":"a","apiServer":"cp-1"},{"name":"b","apiServer":"cp-1","startAt":"500ms"}],"actions":[{"at":"20s","act":`
	serverDies = oneServer + `"crash","target":"cp-1","for":"30s"}]`
	crowd      = `{"at":"20s","act":"add","candidate":{"name":"w","replicas":30}}`
	versions   = `"binaryVersion":"1.37.0","strategy":"OldestEmulationVersion","emulationVersion":`
	elected    = `"elector":{"coordinated":true},"apiServers":[{"name":"cp-1"}],"candidates":[{"name":"a",` + versions + `"1.37.0"}],"actions":[`
	olderJoins = elected + `{"at":"40s","act":"add","candidate":{"name":"b",` + versions + `"1.36.0"}}]`
	dyingLeads = elected + `{"at":"40s","act":"add","candidate":{"name":"b",` + versions + `"1.37.0"}},{"at":"50s","act":"crash","target":"a"}]`
)

var gapCells = []cell{
	{cause: "crash", body: aCrashes, neighbor: aStops},
	{cause: "stop", body: aStops, neighbor: aCrashes},
	{cause: "release", also: []string{"stop"}, body: releasing + aStops, neighbor: aStops},
	{
		cause: "drain", also: []string{"stop", "release"}, neighbor: releasing + aStops,
		body: releasing + `"process":{"drainAfterCancel":"5s"},"candidates":[{"name":"a"}],"actions":[{"at":"20s","act":"stop","target":"a"},{"at":"40s","act":"add","candidate":{"name":"b"}}]`,
	},
	{
		cause: "stop", also: []string{"crash"}, neighbor: aCrashes, // the hook outlives the grace
		body: afterWork + `"process":{"drainAfterCancel":"40s"},` + two +
			`"actions":[{"at":"20s","act":"stop","target":"a"},{"at":"50s","act":"crash","target":"a"}]`,
	},
	{cause: "pause", also: []string{"crash"}, body: acted + `"pause","target":"a"},` + thenCrash, neighbor: aCrashes},
	{cause: "hang", also: []string{"crash"}, body: acted + `"hang","target":"a"},` + thenCrash, neighbor: aCrashes},
	{cause: "suspend", also: []string{"crash"}, body: acted + `"suspend","target":"a"},` + thenCrash, neighbor: aCrashes},
	{
		cause: "rate", also: []string{"crash"}, neighbor: aCrashes,
		body: `"candidates":[{"name":"a"},{"name":"b","startAt":"500ms","clock":{"ratePpm":500000}}],"actions":[{"at":"20s","act":"crash","target":"a"}]`,
	},
	{
		cause: "jump", also: []string{"crash", "dialect"}, neighbor: `"elector":{"dialect":["wallClockExpiry"]},` + aCrashes,
		body: `"elector":{"dialect":["wallClockExpiry"]},` + two + `"actions":[{"at":"20s","act":"crash","target":"a"},{"at":"22s","act":"clock","target":"b","jump":"-20s"}]`,
	},
	{cause: "slow", body: acted + `"latency","target":"a","response":"6s","for":"40s"}]`, neighbor: aCrashes},
	{cause: "lostAnswers", also: []string{"cut"}, body: acted + `"cut","target":"a","direction":"down"}]`, neighbor: aCut},
	{cause: "lostAnswers", also: []string{"refusal"}, body: acted + `"fail","target":"a","error":"dropResponse"}]`, neighbor: aCut},
	{cause: "cut", body: aCut, neighbor: aCrashes},
	{cause: "outage", also: []string{"cut"}, body: acted + `"cut","target":"*","for":"30s"}]`, neighbor: aCut},
	{
		cause: "outage", neighbor: aCrashes,
		body: `"apiServers":[{"name":"cp-1"}],"candidates":[{"name":"a","apiServer":"cp-1"},{"name":"b","apiServer":"cp-1","startAt":"500ms"}],` +
			`"actions":[{"at":"20s","act":"crash","target":"cp-1"},{"at":"50s","act":"restart","target":"cp-1"}]`,
	},
	{cause: "refusal", body: acted + `"fail","target":"a","error":"http500","for":"40s"}]`, neighbor: aCrashes},
	{cause: "refusal", body: acted + `"fail","target":"a","error":"refused","for":"40s"}]`, neighbor: aCrashes},
	{cause: "edit", body: acted + `"write","op":"patch","spec":{"holderIdentity":"zed"}}]`, neighbor: aCrashes},
	{
		cause: "restore", neighbor: aCrashes,
		body: releasing + `"candidates":[{"name":"a"},{"name":"b","startAt":"500ms","restart":"new"}],"actions":[{"at":"20s","act":"stop","target":"a"},{"at":"40s","act":"rollback","to":"15s"}]`,
	},
	{cause: "intercept", body: `"elector":{"requestTimeout":"0s"},` + stopsOne + `"effect":"drop"}]`, neighbor: aCut},
	{cause: "intercept", body: `"elector":{"requestTimeout":"0s"},` + stopsOne + `"effect":"dropResponse"}]`, neighbor: aCrashes},
	{cause: "intercept", body: `"elector":{"requestTimeout":"0s"},` + stopsOne + `"effect":"hold","for":"15s"}]`, neighbor: aCut},
	{cause: "dialect", also: []string{"stop", "release"}, body: `"elector":{"releaseOnCancel":true,"dialect":["releaseIgnored"]},` + aStops, neighbor: releasing + aStops},
	{
		cause: "kill", also: []string{"stop"}, body: afterWork + `"process":{"drainAfterCancel":"40s"},` + acted + `"stop","target":"a","grace":"30s"}]`,
		neighbor: afterWork + `"process":{"drainAfterCancel":"20s"},` + acted + `"stop","target":"a","grace":"30s"}]`,
	},
	{cause: "share", also: []string{"refusal"}, body: acted + `"fail","target":"a","error":"http500","probability":0.9,"for":"60s"}]`, neighbor: acted + `"fail","target":"a","error":"http500","for":"60s"}]`},
	{cause: "share", also: []string{"cut"}, body: acted + `"cut","target":"a","probability":0.9}]`, neighbor: aCut},
	{cause: "serverPause", body: oneServer + `"pause","target":"cp-1","for":"30s"}]`, neighbor: serverDies},
	{cause: "newCapacity", also: []string{"capacity"}, body: two + `"actions":[{"at":"20s","act":"add","candidate":{"name":"w","replicas":10}},{"at":"21s","act":"server","server":{"ratePerSecond":1}},{"at":"35s","act":"server","server":{"ratePerSecond":1000}}]`, neighbor: aCrashes},
	{cause: "capacity", body: `"server":{"ratePerSecond":3},` + two + `"actions":[` + crowd + `,{"at":"40s","act":"server","server":{"ratePerSecond":1000}}]`, neighbor: two + `"actions":[` + crowd + `,{"at":"40s","act":"crash","target":"a"}]`},
	{cause: "capacity", body: `"server":{"slowPerRequest":"700ms"},` + two + `"actions":[` + crowd + `]`, neighbor: aCrashes},
	{cause: "capacity", body: `"server":{"newLeaderLatency":"6s","newLeaderFor":"20s"},` + two + `"actions":[]`, neighbor: aCrashes},
	{cause: "capacity", body: `"server":{"ratePerSecond":1,"queue":1,"whenFull":"drop"},` + two + `"actions":[{"at":"20s","act":"add","candidate":{"name":"w","replicas":60}},{"at":"40s","act":"server","server":{"ratePerSecond":1000}}]`, neighbor: aCrashes},
	{cause: "handOver", body: olderJoins, neighbor: dyingLeads},
}

var overlapCells = []cell{
	{cause: "release", also: []string{"stop", "drain"}, body: releasing + `"process":{"drainAfterCancel":"20s"},` + aStops, neighbor: `"process":{"drainAfterCancel":"20s"},` + aStops},
	{cause: "drain", also: []string{"stop"}, body: `"process":{"drainAfterCancel":"20s"},` + aStops, neighbor: aStops},
	{
		cause: "release", also: []string{"slow", "refusal"}, neighbor: acted + `"pause","target":"a","for":"25s"}]`, // the answer to the release is slow
		body: releasing + `"candidates":[{"name":"a","restart":"new"},{"name":"b","startAt":"500ms","restart":"new"},{"name":"c","startAt":"1s","restart":"new"}],` +
			`"actions":[{"at":"30.8s","act":"fail","target":"holder","error":"http504Applied","for":"7.2s"},{"at":"38s","act":"latency","target":"holder","response":"3.6s","for":"11.9s"}]`,
	},
	{cause: "pause", body: acted + `"pause","target":"a","for":"25s"}]`, neighbor: acted + `"hang","target":"a","for":"25s"}]`},
	{cause: "hang", body: acted + `"hang","target":"a","for":"25s"}]`, neighbor: acted + `"pause","target":"a","for":"25s"}]`},
	{cause: "suspend", body: acted + `"suspend","target":"a","for":"25s"}]`, neighbor: acted + `"pause","target":"a","for":"25s"}]`},
	{cause: "rate", body: `"candidates":[{"name":"a","elector":{"retryPeriod":"6s"}},{"name":"b","startAt":"500ms","clock":{"ratePpm":3000000}}]`, neighbor: `"process":{"drainAfterCancel":"20s"},` + aStops},
	{
		cause: "rate", also: []string{"cut"}, neighbor: `"elector":{"dialect":["noDeadline"]},` + aCut,
		body: `"candidates":[{"name":"a","clock":{"ratePpm":500000}},{"name":"b","startAt":"500ms"}],"actions":[{"at":"20s","act":"cut","target":"a"}]`,
	},
	{
		cause: "jump", also: []string{"dialect"}, neighbor: acted + `"pause","target":"a","for":"25s"}]`,
		body: `"elector":{"dialect":["wallClockExpiry"]},` + acted + `"clock","target":"b","jump":"1h"}]`,
	},
	{
		cause: "slow", also: []string{"cut"}, neighbor: `"elector":{"dialect":["noDeadline"]},` + aCut,
		body: `"elector":{"leaseDuration":"13s"},` + two + `"actions":[{"at":"20s","act":"latency","target":"a","response":"4900ms","for":"3s"},{"at":"25.5s","act":"cut","target":"a"}]`,
	},
	{cause: "cut", body: `"elector":{"releaseOnCancel":true,"requestTimeout":"0s"},` + aCut, neighbor: acted + `"pause","target":"a","for":"25s"}]`},
	{cause: "refusal", also: []string{"dialect"}, body: `"elector":{"dialect":["noDeadline"]},` + acted + `"fail","target":"a","error":"http500","for":"40s"}]`, neighbor: `"elector":{"dialect":["noDeadline"]},` + aCut},
	{cause: "intercept", also: []string{"dialect"}, body: `"elector":{"dialect":["noDeadline"],"requestTimeout":"0s"},` + stopsOne + `"effect":"drop"}]`, neighbor: `"elector":{"dialect":["noDeadline"]},` + aCut},
	{cause: "edit", body: acted + `"write","op":"patch","spec":{"holderIdentity":"b"}}]`, neighbor: acted + `"pause","target":"a","for":"25s"}]`},
	{cause: "delete", body: two + `"actions":[{"at":"%s","act":"write","op":"delete"}]`, neighbor: acted + `"pause","target":"a","for":"25s"}]`},
	{cause: "restore", body: two + `"actions":[{"at":"%s","act":"rollback","to":"0s"}]`, neighbor: acted + `"pause","target":"a","for":"25s"}]`},
	{cause: "twin", body: `"candidates":[{"name":"a","identity":"x"},{"name":"b","identity":"x","startAt":"500ms"}]`, neighbor: acted + `"pause","target":"a","for":"25s"}]`},
	{cause: "share", also: []string{"cut"}, body: `"elector":{"releaseOnCancel":true,"requestTimeout":"0s"},` + acted + `"cut","target":"a","probability":0.99}]`, neighbor: `"elector":{"releaseOnCancel":true,"requestTimeout":"0s"},` + aCut},
	{cause: "serverPause", body: twoServers + `"pause","target":"cp-1","for":"60s"}]`, neighbor: twoServers + `"cut","target":"a","for":"60s"}]`},
	{
		cause: "capacity", also: []string{"newCapacity"}, neighbor: twoServers + `"pause","target":"cp-1","for":"60s"}]`,
		body: twoServers + `"add","candidate":{"name":"w","replicas":60,"apiServer":"cp-1"}},{"at":"21s","act":"server","server":{"ratePerSecond":2}}]`,
	},
	{cause: "handOver", also: []string{"drain"}, body: `"process":{"drainAfterLoss":"40s"},` + olderJoins, neighbor: `"process":{"drainAfterCancel":"40s"},` + elected + `{"at":"40s","act":"add","candidate":{"name":"b",` + versions + `"1.37.0"}},{"at":"50s","act":"stop","target":"a"}]`},
	{cause: "dialect", also: []string{"cut"}, body: `"elector":{"dialect":["noDeadline"]},` + aCut, neighbor: `"elector":{"releaseOnCancel":true,"requestTimeout":"0s"},` + aCut},
}

func watchScenario(t *testing.T, body string) *watched {
	t.Helper()
	s, err := scenario.Decode([]byte(`{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","seed":1,"duration":"120s",` + body + `}`))
	require.NoError(t, err, body)
	return observe(s, int64(s.Duration), false)
}

// gapStory is that of the last leader after a time without one, "" if there is none.
func gapStory(r *watched) (text string) {
	for _, e := range r.tracker.Explanations {
		if e.From >= 0 && e.FromNs < e.ToNs {
			text = joinedLines(e.Story)
		}
	}
	return text
}

// violationStory is that of the first violation of a rule, "" if it is not broken.
func violationStory(rule string) func(r *watched) string {
	return func(r *watched) string {
		for k := range r.checks.Violations {
			if v := &r.checks.Violations[k]; v.Rule == rule {
				return joinedLines(r.tracker.SoFar(r.world, k, v, r.world.Setup().DurationNs).Lines)
			}
		}
		return ""
	}
}

func joinedLines(lines []Line) string {
	texts := make([]string, len(lines))
	for i, l := range lines {
		texts[i] = l.Text
	}
	return strings.Join(texts, "\n")
}

// A story names what brought it about, and nothing else that could have: a gap, an overlap, a stale write, by each
// cause that can, beside a neighbor without it.
func TestTheStoryNamesItsCauses(t *testing.T) {
	for _, kind := range []struct {
		name, more string
		cells      []cell
		story      func(*watched) string
	}{
		{"gap", "", gapCells, gapStory},
		{"overlap", "", overlapCells, violationStory(rules.MoreThanOneActive)},
		{"stale write", `"resource":{"fence":"none","writeEvery":"250ms"},`, overlapCells, violationStory(rules.StaleWriteAccepted)},
	} {
		for _, c := range kind.cells {
			what := kind.name + " by " + c.cause + ": " + c.body
			text := ""
			for at := 20.0; text == "" && at < 26; at += 0.3 {
				body := c.body
				if strings.Contains(body, "%s") {
					body = fmt.Sprintf(body, fmt.Sprintf("%.1fs", at))
				}
				text = kind.story(watchScenario(t, kind.more+body))
			}
			if !assert.NotEmpty(t, text, what) {
				continue
			}
			named := append([]string{c.cause}, c.also...)
			for cause, words := range causeWords {
				if wanted := slices.Contains(named, cause); wanted != regexp.MustCompile(words).MatchString(text) {
					assert.Fail(t, what, "names %s: %t, should: %t\n%s", cause, !wanted, wanted, text)
				}
			}
			if neighbor := kind.story(watchScenario(t, kind.more+c.neighbor)); neighbor != "" {
				assert.NotRegexp(t, causeWords[c.cause], neighbor, what)
			}
		}
	}
}

// overlapOf is the number of the first overlap.
func overlapOf(t *testing.T, r *watched) int {
	t.Helper()
	k := slices.IndexFunc(r.checks.Violations, func(v check.Violation) bool { return v.Rule == rules.MoreThanOneActive })
	require.GreaterOrEqual(t, k, 0)
	return k
}

// An overlap after a release tells of the release and of the work that goes on, and its length is that of the work.
func TestAnOverlapAfterARelease(t *testing.T) {
	r := watchScenario(t, releasing+`"process":{"drainAfterCancel":"20s"},`+aStops)
	text := violationStory(rules.MoreThanOneActive)(r)
	assert.Regexp(t, `a was asked to stop at 00:20\.000`, text)
	assert.Regexp(t, `a released the Lease at 00:20\.0`, text)
	assert.Contains(t, text, "but its work went on")
	assert.NotContains(t, text, "had not noticed yet")
	story := r.tracker.Stories[overlapOf(t, r)]
	require.Len(t, story.Parts, 1)
	assert.Equal(t, "a's context had ended, but its work went on", story.Parts[0].Text)
}

// A story tells of three active candidates, with who and when. The parts of its length follow the extra ones.
func TestThreeAtOnce(t *testing.T) {
	r := watchScenario(t, releasing+`"process":{"drainAfterCancel":"20s"},"candidates":[{"name":"a"},{"name":"b","startAt":"500ms"},{"name":"c","startAt":"1s"}],`+
		`"actions":[{"at":"20s","act":"stop","target":"a"},{"at":"30s","act":"stop","target":"b"},{"at":"30s","act":"stop","target":"c"},{"at":"25s","act":"add","candidate":{"name":"d"}}]`)
	k := overlapOf(t, r)
	v := r.checks.Violations[k]
	require.NotEmpty(t, v.Others)
	assert.EqualValues(t, 3, v.Number)
	text := violationStory(rules.MoreThanOneActive)(r)
	assert.Regexp(t, `started leading at \d\d:\d\d\.\d{3}: now \w, \w and \w were active\.`, text)
	assert.Regexp(t, `\w stopped being active at \d\d:\d\d\.\d{3}, but \w and \w still were\.`, text)
	laidEndToEnd(t, r, r.tracker.Stories[k].Parts, v.FromNs, v.UntilNs, "three at once")
	assert.Greater(t, len(r.tracker.Stories[k].Parts), 1)
}

// An elector compares renewTime in whole seconds. If it misses the last renewal of a second, it takes the Lease too
// early, and the story says so; a Lease taken early by a fast clock has another reason.
func TestAMissedRenewalExplainsAnEarlyTakeover(t *testing.T) {
	early := func(body string) (story, clause string) {
		r := watchScenario(t, body)
		k := slices.IndexFunc(r.checks.Violations, func(v check.Violation) bool { return v.Rule == rules.WriteByNonHolder })
		require.GreaterOrEqual(t, k, 0)
		v := r.checks.Violations[k]
		return joinedLines(r.tracker.Stories[k].Lines), describe(r.world, &v, 0)
	}
	const missed = "did not notice the renewal after it: client-go compares renewTime in whole seconds"
	story, clause := early(`"elector":{"leaseDuration":"4s","renewDeadline":"3s","retryPeriod":"400ms"},"candidates":[{"name":"a"},
		{"name":"b","startAt":"137ms"},{"name":"c","startAt":"274ms"}],"actions":[{"at":"20s","act":"crash","target":"a"}]`)
	assert.Contains(t, story, "c "+missed)
	assert.Regexp(t, `^c takes the Lease 0\.\d{3} s before it expires`, clause)
	story, clause = early(`"candidates":[{"name":"a","elector":{"retryPeriod":"6s"}},{"name":"b","startAt":"1s","clock":{"ratePpm":3000000}}]`)
	assert.NotContains(t, story, missed)
	assert.Contains(t, clause, "b takes the Lease ")
}
