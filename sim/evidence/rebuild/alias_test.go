package rebuild

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/evidence"
)

// Identities that a scenario refuses get shorter names, each another; the others keep theirs.
func TestAlias(t *testing.T) {
	const uuid = "_93185140-cc58-4246-97d4-ddfad1d9fde2"
	pod := "payments-controller-manager-7d4f9c6b5-x2x7k"
	holders := []string{"node-a", pod + uuid, "node-b" + uuid, pod + strings.Replace(uuid, "9", "8", 1), pod, "http://x/", strings.Repeat("x", 70),
		strings.Repeat("x", 71), "node-a"}
	terms := make([]evidence.Term, len(holders))
	for i, holder := range holders {
		terms[i].Holder = holder
	}
	sentences := alias(terms)
	var got []string
	for i := range terms {
		got = append(got, terms[i].Holder)
	}
	assert.Equal(t, []string{"node-a", pod + "-2", "node-b" + uuid, pod + "-3", pod, "http---x", strings.Repeat("x", 63), strings.Repeat("x", 61) + "-2",
		"node-a"}, got)
	assert.Len(t, sentences, 5)
	assert.Contains(t, sentences[0], "The scenario calls "+pod+uuid+" "+pod+"-2: a name has at most 63 characters")
}

// An incident whose identities have over 63 characters runs again, with the same leaders.
func TestLongIdentitiesRunAgain(t *testing.T) {
	long := "_" + strings.Repeat("0123456789", 7)
	var log strings.Builder
	at := time.Date(2026, 11, 20, 19, 0, 0, 0, time.UTC)
	for n := range 20 {
		who, acquired := "node-a"+long, at
		if n >= 10 {
			who, acquired = "node-b"+long, at.Add(35*time.Second)
		}
		when := acquired.Add(time.Duration(n%10) * 2 * time.Second)
		fmt.Fprintf(&log, `{"receivedAt":%q,"type":"MODIFIED","object":{"kind":"Lease","metadata":{"name":"x","namespace":"n","resourceVersion":"%d"},`+
			`"spec":{"holderIdentity":%q,"leaseDurationSeconds":15,"acquireTime":%q,"renewTime":%q,"leaseTransitions":%d}}}`+"\n",
			when.Format(time.RFC3339Nano), n+1, who, acquired.Format(time.RFC3339Nano), when.Format(time.RFC3339Nano), n/10)
	}
	r := evidence.NewReader(evidence.Options{})
	r.Feed("watch", []byte(log.String()))
	r.End("watch")
	report := r.Report()
	require.Len(t, report.Leases, 1)
	s, fit, err := Scenario(&report.Leases[0])
	require.NoError(t, err)
	assert.True(t, fit.SameLeaders)
	assert.Equal(t, []string{"node-a", "node-b"}, []string{s.Candidates[0].Name, s.Candidates[1].Name})
	assert.Contains(t, strings.Join(fit.Sentences(), "\n"), "The scenario calls node-a_0123456789")
}
