package rebuild

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
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
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/scenario/yaml"
	"github.com/leaselab/leaselab/sim/trace"
)

// made is the evidence of a simulated run, and what is true of it.
type made struct {
	audit, watch []string
	logs         map[string][]string
	led          []modelWrite
	class        string
	overlapNs    int64 // for how long two led

	acquired  map[string]string // acquireTime by holder
	servers   *rand.Rand        // not nil: the clock of every second server is 20 s ahead
	watchedBy int64             // offset of the watcher's clock
	renewed   string            // the last renewTime
	lease     string
	ahead     map[string]int64 // of each node's clock
}

// madeClass is a fault and its cause.
type madeClass struct{ class, elector, action string }

var madeClasses = []madeClass{
	{"crash", "releaseOnCancel: false", "{at: %dms, act: crash, target: holder}"},
	{"pause", "releaseOnCancel: false", "{at: %dms, act: pause, target: holder, for: 27s}"},
	{"partition", "releaseOnCancel: false", "{at: %dms, act: cut, target: holder, for: 40s}"},
	{"release", "releaseOnCancel: true", "{at: %dms, act: stop, target: holder}"},
}

// takenAway are faults after which the old leader may work on, and faults of the server.
var takenAway = append([]madeClass{
	{"partition", "releaseOnCancel: true", "{at: %dms, act: cut, target: holder, for: 40s}"},
	{"deleted", "releaseOnCancel: false", "{at: %dms, act: write, op: delete}"},
	{"edited", "releaseOnCancel: false", `{at: %dms, act: write, op: patch, spec: {holderIdentity: ""}}`},
	{"control plane", "releaseOnCancel: false", `{at: %dms, act: fail, target: "*", error: http500, for: 30s}`},
	{"control plane", "releaseOnCancel: false", `{at: %dms, act: fail, target: "*", error: http503, for: 40s}`},
}, madeClasses...)

const madeEpoch = 1795202100 * int64(time.Second)

func stamp(ns int64) string { return time.Unix(0, ns).UTC().Format("2006-01-02T15:04:05.000000Z") }

// errorTexts are what client-go logs of an answer.
var errorTexts = map[step.Result]string{
	step.ClientTimeout: "context deadline exceeded", step.ContextDeadline: "context deadline exceeded",
	step.InternalError: "etcdserver: request timed out",
	step.Unavailable:   "the server is currently unable to handle the request",
	step.Conflict:      "the object has been modified; please apply your changes to the latest version and try again",
}

// makeEvidence runs a scenario with one fault and writes what its API server, a watch and its electors would have
// written.
func makeEvidence(t *testing.T, random *rand.Rand, kind madeClass, m *made) *made {
	m.class, m.logs, m.acquired = kind.class, map[string][]string{}, map[string]string{}
	s, err := yaml.Decode([]byte(fmt.Sprintf("apiVersion: leaselab.dev/v1alpha1\nkind: Scenario\nseed: %d\nduration: 100s\nelector: {leaseDuration: 15s, renewDeadline: 10s, retryPeriod: 2s, %s}\n"+
		"network: {requestLatency: 2ms, responseLatency: 3ms}\ncandidates: [{name: n-0}, {name: n-1, startAt: 500ms}, {name: n-2, startAt: 900ms}]\nactions: ["+kind.action+"]\n",
		random.IntN(1e6)+1, kind.elector, 30_000+random.IntN(4000))))
	require.NoError(t, err)
	r := run.WithAll(s)
	name := func(i int32) string { return fmt.Sprintf("n-%d", i) }
	log := func(i int32, ns int64, text string) {
		at := time.Unix(0, madeEpoch+ns+m.ahead[name(i)]).UTC()
		m.logs[name(i)] = append(m.logs[name(i)], at.Format("I0102 15:04:05.000000")+"   17779 leaderelection.go:272] "+text+fmt.Sprintf(` lock="ns/%s"`, m.lease))
	}
	leads, since := map[int32]bool{}, int64(0)
	r.To(r.EndNs(), func(record *trace.Record, _ explain.Note) {
		ns := madeEpoch + record.At
		if len(leads) > 1 {
			m.overlapNs += record.At - since
		}
		since = record.At
		switch record.Kind {
		case trace.Started:
			log(record.Candidate, record.At, `"Attempting to acquire leader lease..."`)
		case trace.StartedLeading:
			leads[record.Candidate] = true
			log(record.Candidate, record.At, `"Successfully acquired lease"`)
		case trace.MetricLeaderOff:
			if kind.class != "release" && leads[record.Candidate] {
				log(record.Candidate, record.At, `"Failed to renew lease" err="context deadline exceeded"`)
			}
		case trace.StoppedLeading, trace.Crashed:
			delete(leads, record.Candidate)
		case trace.RequestEnded:
			_, object, ok := r.World.Holder()
			holder := ""
			if ok && object.Spec.HolderIdentity != 0 {
				holder = r.World.Setup().Symbols.Text(object.Spec.HolderIdentity)
			}
			switch text := errorTexts[record.Result]; {
			case text != "" && record.Verb == elector.Get:
				log(record.Candidate, record.At, fmt.Sprintf(`"Error retrieving lease lock" err=%q`, text))
			case text != "":
				log(record.Candidate, record.At, fmt.Sprintf(`"Failed to update lease optimistically, falling back to slow path" err=%q`, text))
			case record.Verb == elector.Get && record.Result == step.Success && holder != "" && holder != name(record.Candidate):
				log(record.Candidate, record.At, `"Lease is held by and has not yet expired" holder="`+holder+`"`)
			}
		case trace.RequestServed, trace.Written:
			m.writeAudit(r, record, ns)
		}
	})
	return m
}

func (m *made) writeAudit(r *run.Run, record *trace.Record, ns int64) {
	verb, agent, candidate, status := record.Verb.String(), "e", fmt.Sprintf("n-%d", record.Candidate), 409
	if record.Kind == trace.Written {
		verb, agent, candidate = "update", "kubectl/v1.37.0", ""
	}
	at := ns
	if m.servers != nil && m.servers.IntN(2) == 1 {
		at += int64(20 * time.Second)
	}
	_, o, ok := r.World.Holder()
	holder := ""
	if ok && o.Spec.HolderIdentity != 0 {
		holder = r.World.Setup().Symbols.Text(o.Spec.HolderIdentity)
	}
	if !ok && record.Kind == trace.Written {
		verb = "delete"
	}
	head := fmt.Sprintf(`{"kind":"Event","apiVersion":"audit.k8s.io/v1","stage":"ResponseComplete","verb":%q,"user":{"username":"u"},"userAgent":%q,"objectRef":{"resource":"leases","namespace":"ns","name":%q,"apiGroup":"coordination.k8s.io"},`, verb, agent, m.lease)
	tail := fmt.Sprintf(`"requestReceivedTimestamp":%q,"stageTimestamp":%q}`, stamp(at), stamp(at))
	object := func(holder, renewed string, transitions int32) string {
		return fmt.Sprintf(`{"kind":"Lease","metadata":{"name":%q,"namespace":"ns","resourceVersion":"%d"},"spec":{"holderIdentity":%q,"leaseDurationSeconds":15,"acquireTime":%q,"renewTime":%q,"leaseTransitions":%d}}`,
			m.lease, o.ResourceVersion, holder, m.acquired[holder], renewed, transitions)
	}
	wrote := record.Kind == trace.Written || record.Outcome == storage.Created || record.Outcome == storage.Updated
	now := stamp(ns - int64(2*time.Millisecond) + m.ahead[candidate])
	if record.Fault != network.NoFault {
		status = 500
	}
	switch {
	case verb == "delete":
		m.audit = append(m.audit, head+`"responseStatus":{"code":200},`+tail)
		m.watch = append(m.watch, fmt.Sprintf(`{"receivedAt":%q,"type":"DELETED","object":%s}`, stamp(ns+m.watchedBy), object("", m.renewed, 0)))
		m.acquired = map[string]string{}
	case wrote:
		if record.Kind != trace.Written {
			m.renewed = now
		}
		if holder != "" && (len(m.led) == 0 || m.led[len(m.led)-1].holder != holder) {
			m.led = append(m.led, modelWrite{holder, ns})
		}
		if m.acquired[holder] == "" {
			m.acquired = map[string]string{holder: m.renewed}
		}
		text := object(holder, m.renewed, o.Spec.LeaseTransitions)
		m.audit = append(m.audit, head+`"responseStatus":{"code":200},"responseObject":`+text+","+tail)
		m.watch = append(m.watch, fmt.Sprintf(`{"receivedAt":%q,"type":"MODIFIED","object":%s}`, stamp(ns+m.watchedBy), text))
	case record.Verb == elector.Get && status == 500:
		m.audit = append(m.audit, head+`"responseStatus":{"code":500,"message":"etcdserver: request timed out"},`+tail)
	case record.Verb == elector.Get:
		m.audit = append(m.audit, head+`"responseStatus":{"code":200},`+tail)
	default:
		m.audit = append(m.audit, head+fmt.Sprintf(`"responseStatus":{"code":%d},"requestObject":`, status)+object(candidate, now, 0)+","+tail)
	}
}

// skewed returns clocks that are up to a number of seconds wrong, one for each node.
func skewed(random *rand.Rand, most int64) map[string]int64 {
	all := map[string]int64{}
	for i := range 3 {
		all[fmt.Sprintf("n-%d", i)] = (random.Int64N(2*most+1) - most) * int64(time.Second)
	}
	return all
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
		of := func(lease string) *made {
			return makeEvidence(t, random, madeClasses[random.IntN(len(madeClasses))],
				&made{lease: lease, watchedBy: offset, ahead: skewed(random, 300)})
		}
		one, other := of("one"), of("other")
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

// Of made incidents with wrong clocks and missing files, the leaders are right, no file takes a verdict away, and no
// false cause has a confidence over 0.6. With all files, the overlap is right to 0.3 s.
func TestMadeIncidentsLoseNothing(t *testing.T) {
	if testing.Short() {
		loseNothing(t, 3, 90)
		return
	}
	for _, seed := range []uint64{3, 77} {
		loseNothing(t, seed, 2000)
	}
}

func loseNothing(t *testing.T, seed uint64, runs int) {
	random := rand.New(rand.NewPCG(seed, 4))
	causes := map[string]int{}
	for k := range runs {
		kind := takenAway[k%len(takenAway)]
		m := &made{lease: "one", watchedBy: random.Int64N(2 * int64(time.Second)), ahead: skewed(random, 40)}
		if random.IntN(3) == 0 {
			m.servers = random
		}
		makeEvidence(t, random, kind, m)
		what := fmt.Sprintf("seed %d, %d: %s, %s", seed, k, kind.class, kind.elector)
		files := map[string]string{"audit": strings.Join(m.audit, "\n"), "watch": strings.Join(m.watch, "\n")}
		for node, lines := range m.logs {
			files[node+".klog"] = strings.Join(lines, "\n")
		}
		rule := func(names ...string) (*evidence.LeaseReport, int) {
			r := evidence.NewReader(evidence.Options{Lease: "ns/one", Year: 2026})
			for _, name := range names {
				r.Feed(name, []byte(files[name]))
				r.End(name)
			}
			report := r.Report()
			require.Len(t, report.Leases, 1, what)
			code := 0
			for _, v := range evidence.Judge(&report, 0).Violations {
				if v.Severity == rules.Safety.String() {
					code = 3
				}
			}
			return &report.Leases[0], code
		}
		alone, code := rule("audit")
		some := []string{"audit"}
		for _, name := range slices.Sorted(maps.Keys(files)) {
			if name != "audit" && random.IntN(2) == 0 {
				some = append(some, name)
			}
		}
		more, moreCode := rule(some...)
		all, allCode := rule(slices.Sorted(maps.Keys(files))...)
		causes[kind.class+" → "+alone.Causes()+" → "+all.Causes()]++
		if code == 3 {
			assert.Equal(t, []int{3, 3}, []int{moreCode, allCode}, what)
		}
		if m.overlapNs > int64(50*time.Millisecond) {
			assert.Equal(t, 3, allCode, what)
		}
		total := 0.0
		for _, o := range all.Overlaps {
			total += o.Seconds
		}
		assert.InDelta(t, float64(m.overlapNs)/1e9, total, 0.3, what)
		for _, l := range []*evidence.LeaseReport{alone, more, all} {
			terms := slices.CompactFunc(l.Terms(), func(a, b evidence.Term) bool { return a.Holder == b.Holder })
			if assert.Len(t, terms, len(m.led), what) {
				for i := range terms {
					assert.Equal(t, m.led[i].holder, terms[i].Holder, what)
				}
			}
			if l.Confidence > 0.6 {
				assert.Equal(t, kind.class, l.Cause, what)
			}
			assert.Subset(t, append(alone.Alternatives, alone.Cause), append([]string{l.Cause}, l.Alternatives...), what)
		}
	}
	t.Log(causes)
}
