package lab_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/lab"
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/testsupport/bounded"
)

// fuzzedShares is the number of shares that the test computes before Stop.
const fuzzedShares = 3

// FuzzSession opens any bytes. They are refused with a sentence, and the lab stays unchanged, or they are a session
// that can be drawn, saved and opened again. Each call of an opening does a bounded share of work, however long its
// runs are.
func FuzzSession(f *testing.F) {
	for _, seed := range sessionSeeds(f) {
		f.Add(seed)
	}
	shipped := shipped.List()
	cost := bounded.Limit{Fixed: 96 << 20, PerByte: 1000}
	f.Fuzz(func(t *testing.T, data []byte) {
		cost.Do(t, len(data), func() {
			session, err := lab.ReadSession(data)
			if err != nil {
				var refused *scenario.FieldError
				require.ErrorAs(t, err, &refused)
				return
			}
			l := lab.New(shipped)
			l.Slice()
			require.NoError(t, l.Open(lab.Opening{Name: "crash"}))
			before := text(t, l.View())
			if err := l.OpenSession(session); err != nil {
				require.NotEmpty(t, err.Error())
				same(t, before, text(t, l.View()), "a refused session")
				return
			}
			for range fuzzedShares {
				l.GoOn()
			}
			l.Stop()
			text(t, l.View())
			text(t, l.Share(true))
			text(t, l.Timeline(0, 60e9, 300))
			saved := l.SaveSession()
			again, err := lab.ReadSession(saved.Scenario)
			require.NoError(t, err, "%s", saved.Scenario)
			m := lab.New(shipped)
			m.Slice()
			require.NoError(t, m.OpenSession(again), "%s", saved.Scenario)
			m.Stop()
			if l.Progress() == nil && m.Progress() == nil {
				same(t, string(saved.Scenario), string(m.SaveSession().Scenario), "a session saved twice")
			}
		})
	})
}

// sessionSeeds returns sessions as the lab saves them, and some with contents that it never writes.
func sessionSeeds(f *testing.F) [][]byte {
	var all [][]byte
	for _, name := range []string{"a-leader-dies", "crash", "better-candidate"} {
		l := lab.New(shipped.List())
		require.NoError(f, l.Open(lab.Opening{Name: name}))
		require.NoError(f, l.RunTo("leaderChange"))
		all = append(all, l.SaveSession().Scenario)
		require.NoError(f, l.Act(scenario.ActCrash, "a", protocol.ActOptions{}))
		require.NoError(f, l.Fork("mine"))
		require.NoError(f, l.Edit("elector.retryPeriod", "1s", "rerun", ""))
		require.NoError(f, l.SetBreakpoints([]protocol.Breakpoint{{Text: "violation"}}))
		all = append(all, l.SaveSession().Scenario)
	}
	const whole = `{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","seed":1,"duration":"2160h","candidates":[{"name":"a","replicas":300}]}`
	const head = `{"apiVersion":"leaselab.dev/v1alpha1","kind":"Session","branch":`
	for _, seed := range []string{
		head + `0,"branches":[{"name":"x","parent":-1,"forkAt":-5,"cursor":{"t":7776000000000000,"n":-1},"live":{"t":9223372036854775807,"n":2147483647},"scenario":` + whole + `}]}`,
		head + `1,"branches":[{"name":"x","parent":0,"scenario":` + whole + `}]}`, head + `0,"branches":[{"name":"","parent":-1,"scenario":null}]}`, head + `0,"branches":[]}`,
		head + `0,"branches":[{"name":"x","parent":-1,"base":"crash","patch":[{"path":"seed","value":"7"}],"scenario":` + whole + `,"actions":[{"at":"1s","act":"crash","target":"a"}]}]}`,
		`{"kind":"Session"}`, `null`, `[]`,
	} {
		all = append(all, []byte(seed))
	}
	return all
}
