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

func postmortem(r *evidence.Report) string {
	var out strings.Builder
	WritePostmortem(&out, r, func() {})
	return out.String()
}

// A post-mortem has everything that a reader asks for: the answer, the picture, the cause, the cures and the way back.
func TestAPostmortemOfAPause(t *testing.T) {
	l := demo(t, "pause-1/*")
	report := evidence.Report{Leases: []evidence.LeaseReport{*l},
		Files: []evidence.FileReport{{Name: "audit.jsonl"}, {Name: "node a's|.log"}}}
	text := postmortem(&report)
	for _, part := range []string{
		"# Lease `ns-a/demo`: node-a and node-b both believed that they led, for 16.008 s.\n",
		"- Likely cause: **pause** (confidence 0.95)\n",
		"| 19:17:13.564 | node-b leads after node-a: pause (confidence 0.95). | `",
		"\nnode-a  ██████████████░░░░░░░░░░░░░░░▓▓▓▓▓▓▓▓▓▓▓▓▓▓·····················\n" +
			"node-b  ·····························███████████████████████████████████\n" +
			"        19:16:38                                                19:17:54\n",
		"| leaseDuration 30 s | two never led | after a crash the takeover takes up to 38.952 s instead of 23.952 s |\n",
		"| no pause of node-a at 17.389s | two never led | none |\n",
		"\nNo setting helps against every pause: only a fence at the data does.\n",
		`leaselab import audit.jsonl 'node a'\''s|.log' --lease ns-a/demo -o scenario > again.yaml`,
		"## What these files cannot show\n\n- ",
	} {
		assert.Contains(t, text, part)
	}
	assert.NotContains(t, text, "Other Leases")
}

// Evidence that is too long to run again says so, and has no cures.
func TestAPostmortemWithoutARun(t *testing.T) {
	r := evidence.NewReader(evidence.Options{})
	write := func(holder string, transitions int) string {
		return fmt.Sprintf(`{"type":"MODIFIED","receivedAt":"2026-11-20T19:16:%02dZ","object":{"apiVersion":"coordination.k8s.io/v1",`+
			`"kind":"Lease","metadata":{"namespace":"x","name":"y\u001b[31m","resourceVersion":"%d"},`+
			`"spec":{"holderIdentity":%q,"leaseDurationSeconds":15,"leaseTransitions":%d,`+
			`"renewTime":"2026-11-20T19:16:%02d.000000Z"}}}`+"\n", 20*transitions, 10+transitions, holder, transitions, 20*transitions)
	}
	r.Feed("watch.jsonl", []byte(write("a", 0)+strings.ReplaceAll(write("b", 1), "2026-11-20", "2027-11-20")))
	r.End("watch.jsonl")
	report := r.Report()
	require.Len(t, report.Leases, 1)
	text := postmortem(&report)
	assert.NotContains(t, text, "\x1b", "a terminal must not take orders from a log")
	assert.Contains(t, text, "cannot run the evidence of x/y\\x1b[31m again: ")
	assert.NotContains(t, text, "## Run it again")
	assert.NotContains(t, text, "| Price |")
}

// Healthy Leases and stopped nodes take a line each, after all incidents.
func TestAPostmortemOfManyLeases(t *testing.T) {
	report := manyLeases(t)
	text := postmortem(&report)
	others := text[strings.Index(text, "## Other Leases"):]
	assert.Equal(t, 1, strings.Count("\n"+text, "\n# Lease "))
	assert.Contains(t, others, "- `kube-node-lease/worker-1`: node worker-1 stopped heartbeating at ")
	assert.Contains(t, others, "- `kube-system/quiet`: q led, as far as these files show. 19 renewals, every 2.000 s")
	assert.NotContains(t, others, "worker-2`: node worker-2 stopped")
}

// manyLeases has two leaders one after the other in z/incident, a healthy Lease, and two nodes of which one stopped.
func manyLeases(t *testing.T) evidence.Report {
	t.Helper()
	begin := time.Date(2026, 11, 20, 19, 0, 0, 0, time.UTC)
	r, version := evidence.NewReader(evidence.Options{}), 1
	feed := func(lease, holder string, seconds, duration, transitions int) {
		namespace, name, _ := strings.Cut(lease, "/")
		at := begin.Add(time.Duration(seconds) * time.Second).Format("2006-01-02T15:04:05.000000Z")
		version++
		r.Feed("watch.jsonl", fmt.Appendf(nil, `{"type":"MODIFIED","receivedAt":%q,"object":{"apiVersion":`+
			`"coordination.k8s.io/v1","kind":"Lease","metadata":{"namespace":%q,"name":%q,"resourceVersion":"%d"},"spec":`+
			`{"holderIdentity":%q,"leaseDurationSeconds":%d,"leaseTransitions":%d,"renewTime":%q}}}`+"\n",
			at, namespace, name, version, holder, duration, transitions, at))
	}
	for s := 0; s < 100; s += 2 {
		if s < 40 {
			feed("kube-system/quiet", "q", s, 15, 0)
		}
		if s < 40 || s > 60 {
			feed("z/incident", map[bool]string{true: "a", false: "b"}[s < 40], s, 15, s/41)
		}
		if s%10 == 0 {
			feed("kube-node-lease/worker-2", "worker-2", s, 40, 0)
		}
		if s%10 == 0 && s < 30 {
			feed("kube-node-lease/worker-1", "worker-1", s, 40, 0)
		}
	}
	r.End("watch.jsonl")
	report := r.Report()
	names := make([]string, len(report.Leases))
	for i := range report.Leases {
		names[i] = report.Leases[i].Name
	}
	require.Equal(t, []string{"z/incident", "kube-node-lease/worker-1", "kube-node-lease/worker-2", "kube-system/quiet"}, names)
	return report
}
