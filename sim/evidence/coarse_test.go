package evidence

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// eventsOf are Events as client-go's recorder writes them, newest first as an API may list them.
func eventsOf(at time.Time, first, second string) string {
	one := func(who string, at time.Time, member string) object {
		return object{"kind": "Event", "apiVersion": "v1", "reason": "LeaderElection", "message": who + " became leader",
			"involvedObject": object{"kind": "Lease", "namespace": "ns-a", "name": "demo"}, member: at.Format(time.RFC3339), "count": 1}
	}
	return indented(object{"kind": "List", "items": []object{one(second, at.Add(35*time.Second), "eventTime"), one(first, at, "firstTimestamp"),
		{"kind": "Event", "apiVersion": "v1", "reason": "Scheduled", "message": "x became leader"}}})
}

// seriesOf is what Prometheus answers about a metric every 5 s, with the value 1 for the leader.
func seriesOf(name string, labels func(who string) object) string {
	var result []object
	for i, who := range []string{"node-a", "node-b"} {
		var values [][]any
		for n := range 14 {
			leads := "0"
			if n/7 == i {
				leads = "1"
			}
			values = append(values, []any{1795202199.5 + float64(5*n), leads})
		}
		metric := labels(who)
		metric["__name__"] = name
		result = append(result, object{"metric": metric, "values": values})
	}
	return text(object{"status": "success", "data": object{"resultType": "matrix", "result": result}})
}

var pauseBegan = time.Date(2026, 11, 20, 19, 16, 38, 0, time.UTC)

// Events and metrics corroborate the audit log, and a sentence says how exact they are. The report says so if the leaders
// or the times differ. They change nothing else.
func TestCoarseSignsCorroborate(t *testing.T) {
	_, audit := logsOf(t, "pause-1")
	alone := readFiles(map[string]string{"audit": audit}, 1<<20)
	agreed := "node-a at 19:16:38.000, then node-b at 19:17:13.000."
	for name, c := range map[string]struct{ file, says string }{
		"Events":        {eventsOf(pauseBegan, "node-a", "node-b"), "Coarsely, the Events, exact to 1s, agree: " + agreed},
		"other leaders": {eventsOf(pauseBegan, "node-a", "node-c"), "Coarsely, the Events, exact to 1s, differ: node-a at 19:16:38.000, then node-c at"},
		"other times":   {eventsOf(pauseBegan.Add(time.Hour), "node-a", "node-b"), "Coarsely, the Events, exact to 1s, differ: node-a at 20:16:38.000"},
		"client-go's metric": {seriesOf("leader_election_master_status", func(who string) object { return object{"name": "demo", "pod": who} }),
			"Coarsely, the metrics, exact to 5s, agree: node-a at 19:16:39.500, then node-b at 19:17:14.500."},
		"kube-state-metrics": {seriesOf("kube_lease_owner", func(who string) object {
			return object{"namespace": "ns-a", "lease": "demo", "lease_holder": who}
		}), "Coarsely, the metrics, exact to 5s, agree: node-a at 19:16:39.500, then node-b at 19:17:14.500."},
	} {
		t.Run(name, func(t *testing.T) {
			report := readFiles(map[string]string{"audit": audit, "coarse": c.file}, 1<<20)
			require.Len(t, report.Leases, 1)
			l := &report.Leases[0]
			require.Len(t, l.Evidence, len(alone.Leases[0].Evidence)+1)
			assert.Contains(t, l.Evidence[len(l.Evidence)-1].Says, c.says)
			assert.NotEmpty(t, l.Evidence[len(l.Evidence)-1].Lines)
			assert.Equal(t, changesOf(&alone), changesOf(&report))
			assert.Equal(t, alone.Leases[0].Overlaps, l.Overlaps)
			assert.Equal(t, alone.Leases[0].Limits, l.Limits)
		})
	}
	for _, e := range alone.Leases[0].Evidence {
		assert.NotContains(t, e.Says, "Coarsely")
	}
}

// Alone, they show who led, without a cause, and Judge checks no rule with them.
func TestCoarseSignsAlone(t *testing.T) {
	for name, c := range map[string]struct{ file, says string }{
		"Events":  {eventsOf(pauseBegan, "node-a", "node-b"), "Only the Events, exact to 1s, show the leaders. They do not show renewals, losses or causes."},
		"metrics": {seriesOf("kube_lease_owner", func(who string) object { return object{"namespace": "ns-a", "lease": "demo", "lease_holder": who} }), "Only the metrics, exact to 5s, show the leaders. They do not show renewals, losses or causes."},
	} {
		t.Run(name, func(t *testing.T) {
			report := readFiles(map[string]string{"coarse": c.file}, 1<<20)
			require.Len(t, report.Leases, 1)
			l := &report.Leases[0]
			assert.Equal(t, []string{" → node-a ", "node-a → node-b "}, changesOf(&report))
			assert.Equal(t, []string{c.says}, l.Limits)
			assert.Empty(t, l.Cause)
			assert.Empty(t, Judge(&report, 0).Judged)
			var story strings.Builder
			WriteStory(&story, &report)
			assert.NotContains(t, story.String(), "confidence")
		})
	}
	_, audit := logsOf(t, "pause-1")
	report := readFiles(map[string]string{"audit": audit}, 1<<20)
	assert.NotEmpty(t, Judge(&report, 0).Judged)
}
