package scenario

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func decodeBody(t *testing.T, body string) Scenario {
	t.Helper()
	s, err := Decode([]byte(`{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","duration":"2m",` + body + `}`))
	require.NoError(t, err, body)
	return s
}

// What a preset sets holds unless the same level says otherwise; the level further in comes before the one further out.
func TestPresets(t *testing.T) {
	for _, c := range []struct{ body, path, want string }{
		{`"preset":"client-go","candidates":[{"name":"a"}]`, "elector.leaseDuration", "15s"},
		{`"preset":"kubelet-node-lease","candidates":[{"name":"a"}]`, "elector.leaseDuration", "40s"},
		{`"preset":"kubelet-node-lease","candidates":[{"name":"a"}]`, "elector.retryPeriod", "10s"},
		{`"preset":"kubelet-node-lease","candidates":[{"name":"a"}]`, "elector.dialect", `["noDeadline"]`},
		{`"preset":"kubelet-node-lease","elector":{"leaseDuration":"50s"},"candidates":[{"name":"a"}]`, "elector.leaseDuration", "50s"},
		{`"elector":{"leaseDuration":"50s"},"candidates":[{"name":"a","preset":"client-go"}]`, "elector.leaseDuration", "15s"},
		{`"preset":"kubelet-node-lease","candidates":[{"name":"a","preset":"client-go"}]`, "elector.dialect", `["current"]`},
		{`"preset":"client-go","candidates":[{"name":"a","elector":{"leaseDuration":"20s"}}]`, "elector.leaseDuration", "20s"},
		{`"preset":"kube-controller-manager","candidates":[{"name":"a"}]`, "process.watchdogTolerance", "20s"},
		{`"preset":"kube-controller-manager","candidates":[{"name":"a"}]`, "process.onLoss", "exit"},
		{`"preset":"controller-runtime","candidates":[{"name":"a"}]`, "elector.releaseAfterWork", "false"},
		{`"preset":"controller-runtime","elector":{"releaseOnCancel":true},"candidates":[{"name":"a"}]`, "elector.releaseAfterWork", "true"},
		{`"preset":"controller-runtime","elector":{"releaseOnCancel":true,"releaseAfterWork":false},"candidates":[{"name":"a"}]`, "elector.releaseAfterWork", "false"},
		{`"preset":"controller-runtime","candidates":[{"name":"a","elector":{"releaseOnCancel":true}}]`, "elector.releaseAfterWork", "true"},
		{`"preset":"client-go","elector":{"dialect":["noRequestTimeout"]},"candidates":[{"name":"a"}]`, "elector.requestTimeout", "0s"},
	} {
		s := decodeBody(t, c.body)
		assert.Equal(t, c.want, Get(s, "candidates[0]."+c.path), c.body)
		filled := Fill(s)
		require.NoError(t, Validate(filled), c.body)
		assert.Equal(t, c.want, Get(filled, "candidates[0]."+c.path), c.body)
		x := expandDraws(s)
		require.NoError(t, Validate(x), c.body)
		assert.Empty(t, x.Preset+x.Candidates[0].Preset)
		assert.Equal(t, Resolve(s).Candidates[0].Elector, Resolve(x).Candidates[0].Elector, c.body)
		assert.Equal(t, Resolve(s).Candidates[0].Process, Resolve(x).Candidates[0].Process, c.body)
	}
}

// Every preset says what it sets, and client-go accepts it.
func TestEveryPresetIsValid(t *testing.T) {
	for i, word := range Choices("Scenario.preset") {
		decodeBody(t, `"preset":"`+word+`","candidates":[{"name":"a"}]`)
		p, says := presetNamed(word), WordHelp("Scenario.preset")[i]
		for name, d := range map[string]*Duration{
			"leaseDuration": p.elector.LeaseDuration, "renewDeadline": p.elector.RenewDeadline, "retryPeriod": p.elector.RetryPeriod,
			"requestTimeout": p.elector.RequestTimeout, "watchdogTolerance": p.process.WatchdogTolerance,
		} {
			if d == nil {
				assert.NotContains(t, says, name, word)
				continue
			}
			assert.Contains(t, says, name+" "+d.String(), word)
		}
		assert.Equal(t, p.process.OnLoss == OnLossExit, strings.Contains(says, "onLoss exit"), word)
		assert.Equal(t, p.elector.Dialect[0] != DialectCurrent, strings.Contains(says, "dialect "+p.elector.Dialect[0]), word)
		assert.Equal(t, WordHelp("Scenario.preset")[i], WordHelp("Candidate.preset")[i])
	}
	_, err := Decode([]byte(`{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","duration":"2m","preset":"client","candidates":[{"name":"a"}]}`))
	assert.ErrorContains(t, err, `preset "client" must be client-go`)
	_, err = Decode([]byte(`{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","duration":"2m","preset":"kubelet-node-lease","elector":{"leaseDuration":"20s"},"candidates":[{"name":"a"}]}`))
	assert.ErrorContains(t, err, `elector.leaseDuration "20s" must be longer than renewDeadline "30s"`)
}

// A scenario without a seed has the default one, and its canonical form says it.
func TestTheDefaultSeed(t *testing.T) {
	s := decodeBody(t, `"candidates":[{"name":"a"}]`)
	assert.EqualValues(t, DefaultSeed, s.Seed)
	assert.Contains(t, string(Encode(s)), `"seed":1,`)
	zero := decodeBody(t, `"seed":0,"candidates":[{"name":"a"}]`)
	assert.Zero(t, zero.Seed)
	again, err := Decode(Encode(zero))
	require.NoError(t, err)
	assert.Zero(t, again.Seed)
	set, err := Set(zero, "seed", "")
	require.NoError(t, err)
	assert.EqualValues(t, DefaultSeed, set.Seed)
	assert.Equal(t, "1", FieldNamed("Scenario.seed").Default)
}

func names(parts []Part) (all []string) {
	for i := range parts {
		p := &parts[i]
		name := p.Target
		if p.Candidate != nil {
			name = p.Candidate.Name
		}
		all = append(all, time.Duration(p.At).String()+" "+p.Act+" "+name)
	}
	return all
}

// What each shorthand stands for.
func TestParts(t *testing.T) {
	of := func(body string, k int) []string {
		s := decodeBody(t, `"candidates":[{"name":"a"},{"name":"n","replicas":2}],"actions":[`+body+`]`)
		return names(Parts(s, &s.Actions[k]))
	}
	assert.Equal(t, []string{"20s crash a", "30s restart a"}, of(`{"at":"20s","act":"crash","target":"a","for":"10s"}`, 0))
	assert.Equal(t, []string{"20s stop holder", "50s crash holder"}, of(`{"at":"20s","act":"stop","target":"holder","grace":"30s"}`, 0))
	assert.Empty(t, of(`{"at":"20s","act":"crash","target":"a"}`, 0))
	assert.Equal(t, []string{"20s add a-v2", "30s stop a", "30s add n-0-v2", "40s stop n-0", "40s add n-1-v2", "50s stop n-1"}, of(`{"at":"20s","act":"rollingUpdate"}`, 0))
	assert.Equal(t, []string{"20s stop a", "20s add a-v2", "30s stop n-0", "30s add n-0-v2", "40s stop n-1", "40s add n-1-v2"}, of(`{"at":"20s","act":"rollingUpdate","maxSurge":0}`, 0))
	assert.Equal(t, []string{"20s add a-v2", "20s stop a", "20s add n-0-v2", "30s stop n-0", "30s stop n-1", "30s add n-1-v2"}, of(`{"at":"20s","act":"rollingUpdate","maxSurge":1,"maxUnavailable":1}`, 0))
	assert.Equal(t, []string{"20s add a-v2", "20s add n-0-v2", "20s add n-1-v2", "35s stop a", "35s stop n-0", "35s stop n-1"}, of(`{"at":"20s","act":"rollingUpdate","maxSurge":3,"preStop":"5s"}`, 0))
	const between = `{"at":"20s","act":"rollingUpdate","every":"1s"},{"at":"30s","act":"remove","target":"n-0-v2"},{"at":"31s","act":"add","candidate":{"name":"z"}},`
	assert.Equal(t, []string{"40s add a-v3", "41s stop a-v2", "41s add n-1-v3", "42s stop n-1-v2", "42s add z-v2", "43s stop z"}, of(between+`{"at":"40s","act":"rollingUpdate","every":"1s"}`, 3))
}

// A preStop hook delays SIGTERM and takes its time from the grace period, but leaves 2 s.
func TestShutdown(t *testing.T) {
	for _, c := range [][4]time.Duration{{0, 30, 0, 30}, {5, 30, 5, 25}, {29, 30, 29, 2}, {60, 30, 30, 2}, {0, 1, 0, 1}} {
		hook, grace := (&Action{PreStop: Duration(c[0] * 1e9), Grace: Duration(c[1] * 1e9)}).Shutdown()
		assert.Equal(t, [2]Duration{Duration(c[2] * 1e9), Duration(c[3] * 1e9)}, [2]Duration{hook, grace}, "%v", c)
	}
}

// A scenario has a bounded number of rolling updates: each looks at all acts before it.
func TestTooManyRollingUpdates(t *testing.T) {
	acts := ""
	for i := range maxRollingUpdates + 1 {
		acts += `{"at":"` + time.Duration(i*1e9).String() + `","act":"rollingUpdate","every":"1ns"},`
	}
	_, err := Decode([]byte(`{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","duration":"2m","candidates":[{"name":"a"}],"actions":[` + strings.TrimSuffix(acts, ",") + `]}`))
	assert.ErrorContains(t, err, `actions[100].act "rollingUpdate" is one of more than 100, the limit of a scenario`)
}

func TestShorthandsAreChecked(t *testing.T) {
	for body, says := range map[string]string{
		`{"at":"20s","act":"fail","target":"a","error":"http500","probability":0}`:                   `actions[0].probability 0 must be more than 0 and at most 1; leave out an act`,
		`{"at":"20s","act":"fail","target":"a","error":"http500","probability":1.5}`:                 `actions[0].probability 1.5 must be between 0 and 1`,
		`{"at":"20s","act":"cut","target":"a","probability":-0.1}`:                                   `actions[0].probability -0.1 must be between 0 and 1`,
		`{"at":"20s","act":"pause","target":"a","probability":0.5}`:                                  `actions[0].probability: does not belong to act "pause"`,
		`{"at":"20s","act":"crash","target":"a","grace":"5s"}`:                                       `actions[0].grace: does not belong to act "crash"`,
		`{"at":"20s","act":"rollingUpdate"},{"at":"25s","act":"rollingUpdate"}`:                      `actions[1].at "25s" lies within another rolling update, which ends at 30s`,
		`{"at":"20s","act":"rollingUpdate","readiness":"leader"},{"at":"50s","act":"rollingUpdate"}`: `lies within another rolling update, which ends at 2m`,
		`{"at":"20s","act":"rollingUpdate","maxSurge":0,"maxUnavailable":0}`:                         `actions[0].maxUnavailable: must be at least 1 if maxSurge is 0`,
		`{"at":"20s","act":"rollingUpdate","maxSurge":-1}`:                                           `actions[0].maxSurge -1 must be`,
		`{"at":"20s","act":"rollingUpdate","readiness":"never"}`:                                     `actions[0].readiness "never" must be always or leader`,
		`{"at":"20s","act":"add","candidate":{"name":"a-v2"}},{"at":"30s","act":"rollingUpdate"}`:    `"a-v2" is already taken`,
		`{"at":"20s","act":"remove","target":"a"},{"at":"30s","act":"rollingUpdate"}`:                `actions[1].act "rollingUpdate" finds no candidate to replace`,
		`{"at":"20s","act":"remove","target":"*"},{"at":"30s","act":"rollingUpdate"}`:                `actions[1].act "rollingUpdate" finds no candidate to replace`,
		`{"at":"20s","act":"rollingUpdate"},{"at":"19s","act":"crash","target":"a-v2"}`:              `actions[1].target "a-v2" names no node`,
	} {
		_, err := Decode([]byte(`{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","duration":"2m","candidates":[{"name":"a"}],"actions":[` + body + `]}`))
		assert.ErrorContains(t, err, says, body)
	}
	decodeBody(t, `"candidates":[{"name":"a"}],"actions":[{"at":"20s","act":"rollingUpdate"},{"at":"25s","act":"crash","target":"a-v2"},{"at":"110s","act":"rollingUpdate","every":"1h"}]`)
}
