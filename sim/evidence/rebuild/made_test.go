package rebuild

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/evidence"
	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario/yaml"
	"github.com/leaselab/leaselab/sim/trace"
)

// made is the evidence of a simulated run, and what is true of it.
type made struct {
	audit, watch []string
	logs         map[string][]string
	led          []modelWrite
	class        string
}

var madeClasses = []struct{ class, action string }{
	{"crash", "{at: %dms, act: crash, target: holder}"},
	{"pause", "{at: %dms, act: pause, target: holder, for: 27s}"},
	{"partition", "{at: %dms, act: cut, target: holder, for: 40s}"},
	{"release", "{at: %dms, act: stop, target: holder}"},
}

const madeEpoch = 1795202100 * int64(time.Second)

func stamp(ns int64) string { return time.Unix(0, ns).UTC().Format("2006-01-02T15:04:05.000000Z") }

// make runs a scenario with one fault and writes what its API server, a watch and its electors would have written.
func makeEvidence(t *testing.T, random *rand.Rand, watchOffset int64, lease string) made {
	kind := madeClasses[random.IntN(len(madeClasses))]
	m := made{class: kind.class, logs: map[string][]string{}}
	s, err := yaml.Decode([]byte(fmt.Sprintf("apiVersion: leaselab.dev/v1alpha1\nkind: Scenario\nseed: %d\nduration: 100s\nelector: {leaseDuration: 15s, renewDeadline: 10s, retryPeriod: 2s, releaseOnCancel: %t}\n"+
		"network: {requestLatency: 2ms, responseLatency: 3ms}\ncandidates: [{name: n-0}, {name: n-1, startAt: 500ms}, {name: n-2, startAt: 900ms}]\nactions: ["+kind.action+"]\n",
		random.IntN(1e6)+1, kind.class == "release", 30_000+random.IntN(4000))))
	require.NoError(t, err)
	r := run.WithAll(s)
	var ahead [3]int64 // of each node's clock
	for i := range ahead {
		ahead[i] = (random.Int64N(600) - 300) * int64(time.Second)
	}
	name := func(i int32) string { return fmt.Sprintf("n-%d", i) }
	log := func(i int32, ns int64, text string) {
		at := time.Unix(0, madeEpoch+ns+ahead[i]).UTC()
		m.logs[name(i)] = append(m.logs[name(i)], at.Format("I0102 15:04:05.000000")+"   17779 leaderelection.go:272] "+text+fmt.Sprintf(` lock="ns/%s"`, lease))
	}
	r.To(r.EndNs(), func(record *trace.Record, _ explain.Note) {
		ns := madeEpoch + record.At
		switch record.Kind {
		case trace.Started:
			log(record.Candidate, record.At, `"Attempting to acquire leader lease..."`)
		case trace.StartedLeading:
			log(record.Candidate, record.At, `"Successfully acquired lease"`)
		case trace.StoppedLeading:
			if kind.class != "release" {
				log(record.Candidate, record.At, `"Failed to renew lease"`)
			}
		case trace.RequestEnded:
			_, object, ok := r.World.Holder()
			holder := ""
			if ok && object.Spec.HolderIdentity != 0 {
				holder = r.World.Setup().Symbols.Text(object.Spec.HolderIdentity)
			}
			switch {
			case record.Result == step.ClientTimeout || record.Result == step.ContextDeadline:
				log(record.Candidate, record.At, `"Failed to update lease optimistically, falling back to slow path" err="context deadline exceeded"`)
			case record.Verb == elector.Get && record.Result == step.Success && holder != "" && holder != name(record.Candidate):
				log(record.Candidate, record.At, `"Lease is held by and has not yet expired" holder="`+holder+`"`)
			}
		case trace.RequestServed:
			m.writeAudit(r, record, ns, watchOffset, lease)
		}
	})
	return m
}

func (m *made) writeAudit(r *run.Run, record *trace.Record, ns, watchOffset int64, lease string) {
	head := fmt.Sprintf(`{"kind":"Event","apiVersion":"audit.k8s.io/v1","stage":"ResponseComplete","verb":%q,"user":{"username":"u"},"userAgent":"e","objectRef":{"resource":"leases","namespace":"ns","name":%q,"apiGroup":"coordination.k8s.io"},`, record.Verb.String(), lease)
	tail := fmt.Sprintf(`"requestReceivedTimestamp":%q,"stageTimestamp":%q}`, stamp(ns), stamp(ns))
	object := func(holder string, transitions int32) string {
		return fmt.Sprintf(`{"kind":"Lease","metadata":{"name":%q,"namespace":"ns","resourceVersion":"%d"},"spec":{"holderIdentity":%q,"leaseDurationSeconds":15,"renewTime":%q,"leaseTransitions":%d}}`,
			lease, record.ResourceVersion, holder, stamp(ns-int64(2*time.Millisecond)), transitions)
	}
	switch {
	case record.Verb == elector.Get:
		m.audit = append(m.audit, head+`"responseStatus":{"code":200},`+tail)
	case record.Outcome == storage.Created || record.Outcome == storage.Updated:
		_, o, _ := r.World.Holder()
		holder := ""
		if o.Spec.HolderIdentity != 0 {
			holder = r.World.Setup().Symbols.Text(o.Spec.HolderIdentity)
		}
		if holder != "" && (len(m.led) == 0 || m.led[len(m.led)-1].holder != holder) {
			m.led = append(m.led, modelWrite{holder, ns})
		}
		text := object(holder, o.Spec.LeaseTransitions)
		m.audit = append(m.audit, head+`"responseStatus":{"code":200},"responseObject":`+text+","+tail)
		m.watch = append(m.watch, fmt.Sprintf(`{"receivedAt":%q,"type":"MODIFIED","object":%s}`, stamp(ns+watchOffset), text))
	default:
		m.audit = append(m.audit, head+`"responseStatus":{"code":409},"requestObject":`+object(fmt.Sprintf("n-%d", record.Candidate), 0)+","+tail)
	}
}

// damage loses a line in fifty, doubles as many, shuffles neighbors, and ends every other file in the middle of a line.
func damage(random *rand.Rand, lines []string) string {
	var kept []string
	for _, line := range lines {
		switch random.IntN(50) {
		case 0:
		case 1:
			kept = append(kept, line, line)
		default:
			kept = append(kept, line)
		}
	}
	for i := 1; i < len(kept); i++ {
		if random.IntN(4) == 0 {
			kept[i-1], kept[i] = kept[i], kept[i-1]
		}
	}
	text := strings.Join(kept, "\n") + "\n"
	if last := len(kept) - 1; last >= 0 && random.IntN(2) == 0 {
		text = text[:len(text)-1-len(kept[last])/2]
	}
	return text
}

// Made evidence, damaged and with two Leases in a file, gives back its leaders and its class of fault.
func TestMadeEvidence(t *testing.T) {
	runs := 30
	if !testing.Short() {
		runs = 200
	}
	random := rand.New(rand.NewPCG(1, 2))
	confusion := map[string]int{}
	leaders, classes := 0, 0
	alone := map[string]map[string]int{"audit": {}, "watch": {}, "klog": {}} // what each source says by itself
	for range runs {
		offset := (random.Int64N(600) - 300) * int64(time.Second)
		one, other := makeEvidence(t, random, offset, "one"), makeEvidence(t, random, offset, "other")
		reader := evidence.NewReader(evidence.Options{Lease: "ns/one", Year: 2026})
		feed := func(name, text string) {
			reader.Feed(name, []byte(text))
			reader.End(name)
		}
		by := map[string]*evidence.Reader{}
		for source := range alone {
			by[source] = evidence.NewReader(evidence.Options{Lease: "ns/one", Year: 2026})
		}
		give := func(source, name, text string) {
			feed(name, text)
			by[source].Feed(name, []byte(text))
			by[source].End(name)
		}
		give("audit", "audit", damage(random, append(append([]string{}, one.audit...), other.audit...)))
		give("watch", "watch", damage(random, append(append([]string{}, one.watch...), other.watch...)))
		for i := range 3 {
			name := fmt.Sprintf("n-%d", i)
			give("klog", name+".klog", damage(random, one.logs[name]))
		}
		report := reader.Report()
		require.Len(t, report.Leases, 1)
		l := &report.Leases[0]
		confusion[one.class+" → "+l.Cause]++
		if l.Cause == one.class {
			classes++
		}
		for source, said := range alone {
			said[one.class+" → "+by[source].Report().Leases[0].Causes()]++
		}
		terms, same := l.Terms(), true
		same = len(terms) == len(one.led)
		for i := 0; same && i < len(terms); i++ {
			d := time.Duration(terms[i].FromNs - one.led[i].ns).Abs()
			same = terms[i].Holder == one.led[i].holder && d <= 2500*time.Millisecond
		}
		if same {
			leaders++
		}
	}
	t.Logf("of %d runs: leaders %d, class %d; %v", runs, leaders, classes, confusion)
	for _, source := range []string{"audit", "watch", "klog"} {
		t.Logf("%s alone: %v", source, alone[source])
		among := 0
		for row, n := range alone[source] {
			if class, said, _ := strings.Cut(row, " → "); strings.Contains(said, class) {
				among += n
			}
		}
		if source != "klog" { // it has few lines, and the damage takes the ones that matter
			assert.GreaterOrEqual(t, among*10, runs*9, source)
		}
	}
	assert.GreaterOrEqual(t, leaders*10, runs*9)
	assert.GreaterOrEqual(t, classes*10, runs*9)
}
