// Package failure says what went wrong in a run in a form in which two runs can be compared: the rule, and the chain of
// causes that its story tells.
//
// Guarantee: a failure is a function of the run, and its key has no names, instants or numbers, so that the same thing
// happening to another candidate at another time has the same key. Non-guarantee: two keys may have one root; a key is
// as fine as the sentences of package explain.
package failure

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// Failure is a broken rule with its causes.
type Failure struct {
	Rule     string
	Severity rules.Severity
	AtNs     int64
	Causes   []string // what the story blames, without names, instants and numbers; sorted, each once
}

// Key tells failures apart.
func (f *Failure) Key() string { return f.Rule + ": " + strings.Join(f.Causes, " ") }

// Of lists the safety and liveness failures of an explained run that count, in the order in which they happened.
func Of(r *run.Run, counts func(v *check.Violation) bool) []Failure {
	var all []Failure
	for k := range r.Checks.Violations {
		if v := &r.Checks.Violations[k]; v.Severity != rules.Observation && counts(v) {
			all = append(all, At(r, k))
		}
	}
	return all
}

// Happened runs a scenario to its end, explained, and returns the run with what was done in it, as causes: a story
// tells only the last of it, so that leaving one thing out may bring an older one into the story.
func Happened(s scenario.Scenario) (r *run.Run, causes []string) {
	r = run.New(compile.Scenario(s), run.Watchers{Explanation: true})
	names := namesIn(r.World)
	seen := map[string]bool{}
	var cause []byte
	r.To(r.EndNs(), func(record *trace.Record, note explain.Note) {
		if record.Control < 0 || explain.Minor(record.Kind) {
			return
		}
		sentence := explain.Say(r.World, record, note)
		if cause = appendCoarse(cause[:0], sentence.String(), names); !seen[string(cause)] {
			seen[string(cause)] = true
		}
	})
	return r, slices.Sorted(maps.Keys(seen))
}

// At is the failure that a violation is, by its index in an explained run.
func At(r *run.Run, k int) Failure {
	v := &r.Checks.Violations[k]
	return Failure{Rule: v.Rule, Severity: v.Severity, AtNs: v.FromNs,
		Causes: causes(r.World, v, &r.Tracker.Stories[k])}
}

// Worst is the index of the first violation of the worst severity that counts, -1 if none does.
func Worst(c *check.Checks, counts func(v *check.Violation) bool) int {
	for _, severity := range []rules.Severity{rules.Safety, rules.Liveness} {
		k := slices.IndexFunc(c.Violations,
			func(v check.Violation) bool { return v.Severity == severity && counts(&v) })
		if k >= 0 {
			return k
		}
	}
	return -1
}

// causes are the sentences of a story up to the violation, without the ones that only say that it happened.
func causes(w *world.World, v *check.Violation, s *explain.Story) []string {
	names := namesIn(w)
	var all []string
	for _, line := range s.Lines {
		if line.Event.AtNs > v.FromNs ||
			slices.ContainsFunc(told, func(part string) bool { return strings.Contains(line.Text, part) }) {
			continue
		}
		all = append(all, coarse(line.Text, names))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func namesIn(w *world.World) map[string]bool {
	names := map[string]bool{}
	for i := range w.Nodes() {
		names[w.Node(int32(i)).Name()] = true
		names[w.Node(int32(i)).ProcessName()] = true
	}
	return names
}

// told are parts of the sentences that every story of their kind has, whatever caused it, and of those about what
// ended.
var told = []string{
	" led from ", " led at ", "last heard that it had renewed", "What ", "It was over at", "It goes on",
	"Nobody leads for", "nobody leads", "The last fault ended at",
	" had drawn ", " tried at ", " saw the Lease change at ", " first saw the Lease at ", " is skipped",
	"No node matched", " the normal latency again", " the API server again",
	" resumes after ", " wakes after ", " no longer gets", " starts again", " no longer waits for an act",
}

// faults are the sentences about faults of the network and the API, by a part of each, and what they have in common:
// which error it was or which way was cut is a detail.
var faults = []struct{ part, cause string }{
	{" errors: ", "a candidate gets errors"},
	{" cut off from the API server", "a candidate is cut off"},
	{" refused by the API server", "a candidate is cut off"},
	{" request latency ", "requests or answers take longer"},
	{" response latency ", "requests or answers take longer"},
	{": an act ", "a message is lost or held"},
	{" now has a clock ", "a clock changes"},
}

// coarse is a sentence as a cause.
func coarse(text string, names map[string]bool) string {
	return string(appendCoarse(nil, text, names))
}

// appendCoarse adds a sentence as a cause to to.
func appendCoarse(to []byte, text string, names map[string]bool) []byte {
	for _, f := range faults {
		if strings.Contains(text, f.part) {
			return append(to, f.cause...)
		}
	}
	return bytes.TrimRight(appendPlain(to, text, names), ".")
}

// appendPlain leaves out what differs between two runs in which the same happens: names become x, numbers and instants
// #.
func appendPlain(to []byte, text string, names map[string]bool) []byte {
	number := false // the word before was one, without a mark after it
	for word := range strings.FieldsSeq(text) {
		bare := strings.TrimRight(word, ".,:;")
		end := word[len(bare):]
		unit := bare == "s" || bare == "ms" || bare == "µs" || bare == "ns"
		if number && unit {
			to, number = append(to, end...), end == ""
			continue
		}
		if number = false; len(to) > 0 {
			to = append(to, ' ')
		}
		switch {
		case names[bare]:
			to = append(append(to, 'x'), end...)
		case names[strings.TrimSuffix(bare, "'s")]:
			to = append(append(to, "x's"...), end...)
		case strings.ContainsAny(bare, "0123456789"):
			to, number = append(append(to, '#'), end...), end == ""
		default:
			to = append(to, word...)
		}
	}
	return to
}
