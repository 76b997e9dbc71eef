package checkup_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/evidence"
	"github.com/leaselab/leaselab/sim/evidence/checkup"
	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/study/numbers"
)

func readerOf(t *testing.T, files ...string) *evidence.Reader {
	t.Helper()
	r := evidence.NewReader(evidence.Options{})
	for i, text := range files {
		name := fmt.Sprintf("%d.json", i)
		if data, err := os.ReadFile("testdata/" + text); err == nil {
			name, text = text, string(data)
		}
		r.Feed(name, []byte(text))
		r.End(name)
	}
	return r
}

func leaseOf(t *testing.T, r checkup.Cluster, name string) *checkup.Lease {
	t.Helper()
	i := slices.IndexFunc(r.Leases, func(l checkup.Lease) bool { return l.Name == name })
	require.GreaterOrEqual(t, i, 0, name)
	return &r.Leases[i]
}

// told are the kind, the settings with their sources, and the warnings of a Lease.
func told(l *checkup.Lease) string {
	text := string(l.Kind)
	for _, s := range l.Settings {
		seconds, _ := s.Seconds.MarshalJSON()
		text += fmt.Sprintf(" %s:%s", seconds, s.From)
		if s.Program != "" {
			text += ":" + s.Program
		}
	}
	for _, w := range l.Warnings {
		text += " !" + w.ID
	}
	return text
}

func TestCheck(t *testing.T) {
	const of = " 10:assumed:client-go and controller-runtime"
	usual := "elector 15:lease" + of + " 2:assumed:client-go and controller-runtime"
	for _, c := range []struct {
		files, name, told string
	}{
		{"once.json", "kube-system/kube-scheduler", usual},
		{"once.json again.json", "kube-system/kube-scheduler", usual},
		{"once.json", "default/flapping", usual},
		{"once.json again.json", "default/flapping", usual + " !climbing"},
		{"again.json once.json", "default/flapping", usual + " !climbing"},
		{"once.json", "default/never", "elector 15:lease !neverRenewed"},
		{"once.json", "default/released", "elector 1:lease !released"},
		{"once.json", "default/batch-lock", "elector 30:lease !expired"},
		{"once.json", "kube-node-lease/node-a", "node heartbeat 40:lease 10:assumed"},
		{"once.json", "kube-node-lease/node-c", "node heartbeat 40:lease !expired"},
		{"once.json", "kube-system/apiserver-7ihz6sm5khwjhxlsdjb3whhkqe", "API server identity 3600:lease 10:assumed"},
		{"once.json", "openshift-etcd/openshift-cluster-etcd-operator-lock",
			"elector 137:lease 107:assumed:OpenShift 26:assumed:OpenShift"},
		{"watch.json.gz", "kube-system/kube-scheduler", "elector 15:lease" + of + " 2:measured"},
		{"watch.json.gz", "csi/resizer", "elector 15:lease 10:assumed:the CSI sidecars 5:measured"},
		{"watch.json.gz", "default/odd", "elector 40:lease 26.7:assumed 3:measured"},
		{"watch.json.gz", "default/slow", "elector 10:lease !tooShort"},
		{"watch.json.gz", "kube-node-lease/node-a", "node heartbeat 40:lease 10:measured"},
	} {
		r := checkup.Check(readerOf(t, strings.Fields(c.files)...), checkup.Options{})
		assert.Equal(t, c.told, told(leaseOf(t, r, c.name)), "%s in %s", c.name, c.files)
		assert.Empty(t, r.Problems)
	}
}

// one is a list with one Lease of an elector, renewed some seconds after 18:00.
func one(seconds float64, spec string) string {
	at := time.Date(2026, 11, 27, 18, 0, 0, 0, time.UTC).Add(time.Duration(seconds * 1e9))
	return `{"kind":"List","items":[{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"a","namespace":"ns"},` +
		`"spec":{"holderIdentity":"p","renewTime":"` + at.Format("2006-01-02T15:04:05.000000Z") + `",` + spec + `}}]}`
}

// Two lists show how often a holder renews only if they are close together.
func TestTwoLists(t *testing.T) {
	for later, want := range map[float64]string{
		1: "elector 60:lease 40:assumed 1:measured", 60: "elector 60:lease 40:assumed:cert-manager 15:assumed:cert-manager"} {
		r := checkup.Check(readerOf(t, one(0, `"leaseDurationSeconds":60`), one(later, `"leaseDurationSeconds":60`)), checkup.Options{})
		assert.Equal(t, want, told(&r.Leases[0]))
		assert.Nil(t, r.Leases[0].Period)
	}
}

func TestOptions(t *testing.T) {
	r := readerOf(t, one(0, `"leaseDurationSeconds":15`))
	now := time.Date(2026, 11, 27, 18, 0, 14, 0, time.UTC)
	alive := checkup.Check(r, checkup.Options{NowNs: now.UnixNano()}).Leases[0]
	assert.Equal(t, summary.Seconds(14e9), *alive.Age)
	assert.Empty(t, alive.Warnings)
	gone := checkup.Check(r, checkup.Options{NowNs: now.Add(2 * time.Second).UnixNano()})
	assert.Equal(t, "elector 15:lease !expired", told(&gone.Leases[0]))
	assert.Empty(t, gone.Predict(time.Minute).Leases, "nobody renews it")
	given := checkup.Check(r, checkup.Options{Given: map[string]numbers.Setting{"ns/a": {LeaseDuration: 30e9, RenewDeadline: 20e9, RetryPeriod: 4e9}}})
	assert.Equal(t, "elector 30:given 20:given 4:given", told(&given.Leases[0]))
}

// What a Lease has in a wrong form is a problem with its line, its field and what the field takes. The rest counts.
func TestWrongFields(t *testing.T) {
	for spec, want := range map[string]string{
		`"leaseDurationSeconds":"15"`:                  "ns/a: spec.leaseDurationSeconds must be a number, such as 15; it counts as absent",
		`"leaseDurationSeconds":-3`:                    "ns/a: spec.leaseDurationSeconds must be above 0, such as 15; it counts as absent",
		`"leaseDurationSeconds":15,"acquireTime":"no"`: "ns/a: spec.acquireTime must be a time as in RFC 3339, such as 2026-11-20T19:17:00.000000Z; it counts as absent",
		`"leaseDurationSeconds":15,"acquireTime":null`: "",
	} {
		r := checkup.Check(readerOf(t, "\n"+one(0, spec)), checkup.Options{})
		require.Len(t, r.Leases, 1)
		assert.Equal(t, "p", r.Leases[0].Holder)
		if want == "" {
			assert.Empty(t, r.Problems)
		} else {
			assert.Equal(t, []evidence.Problem{{File: "0.json", Line: 2, Says: want}}, r.Problems)
		}
	}
}

func TestPredict(t *testing.T) {
	r := checkup.Check(readerOf(t, "once.json"), checkup.Options{})
	for stall, want := range map[time.Duration]string{
		8 * time.Second:  "survives 9, back 34",
		9 * time.Second:  "either csi 10-12 flapping 10-12 kube-controller-manager 10-12 kube-scheduler 10-12, survives 5, back 35",
		10 * time.Second: "loses csi 10-12 flapping 10-12 kube-controller-manager 10-12 kube-scheduler 10-12, survives 5, back 36",
		50 * time.Second: "loses csi 10-12 flapping 10-12 kube-controller-manager 10-12 kube-scheduler 10-12 cert-manager-controller 40-55, expires 2, survives 2, back 176",
		104 * time.Second: "loses csi 10-12 flapping 10-12 kube-controller-manager 10-12 kube-scheduler 10-12 cert-manager-controller 40-55, " +
			"expires 2, survives 2, back 230",
		105 * time.Second: "loses csi 10-12 flapping 10-12 kube-controller-manager 10-12 kube-scheduler 10-12 cert-manager-controller 40-55, " +
			"either openshift-cluster-etcd-operator-lock 107-133, expires 2, survives 1, back 356",
	} {
		s := r.Predict(stall)
		var parts []string
		for _, outcome := range []checkup.Outcome{checkup.Loses, checkup.Either, checkup.Expires, checkup.Survives} {
			text, n := "", 0
			for _, one := range s.Leases {
				if one.Outcome != outcome {
					continue
				}
				n++
				if _, name, _ := strings.Cut(one.Name, "/"); one.Stops != nil {
					name, _, _ = strings.Cut(name, "external-resizer")
					if name == "" {
						name = "csi"
					}
					text += fmt.Sprintf(" %s %d-%d", name, one.Stops.From/1e9, one.Stops.To/1e9)
				}
			}
			if text == "" {
				text = fmt.Sprintf(" %d", n)
			}
			if n > 0 {
				parts = append(parts, string(outcome)+text)
			}
		}
		assert.Equal(t, want, fmt.Sprintf("%s, back %d", strings.Join(parts, ", "), s.Back/1e9), "%v", stall)
	}
}
