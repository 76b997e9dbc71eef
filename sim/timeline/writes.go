package timeline

import (
	"slices"

	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/trace"
)

// `outcomes` names the outcomes of writes to the resource, by the kind of their record.
var outcomes = map[trace.Kind]string{
	trace.ResourceAccepted: "accepted", trace.ResourceRefused: "refused", trace.ResourceLost: "lost",
	trace.ResourceGivenUp: "givenUp", trace.ResourceKept: "kept",
}

// hasRow reports whether records of a kind have a row in the list of events: all kinds that are not minor, and all
// writes to the resource.
func hasRow(kind trace.Kind) bool {
	return kind == trace.ResourceAccepted || kind == trace.ResourceLost || !explain.Minor(kind)
}

// writeOf returns a write to the resource, or false for any other record. A write is stale if another candidate was
// the last to acquire the Lease.
func writeOf(s *State, r *trace.Record, ordinal int32) (Write, bool) {
	outcome, ok := outcomes[r.Kind]
	if !ok {
		return Write{}, false
	}
	newest := s.Checks.NewestHolder()
	token := r.Tokens()
	return Write{
		T: r.At, To: r.At, N: ordinal, Index: r.Candidate, Outcome: outcome, Stale: newest >= 0 &&
			newest != r.Candidate && !gives(outcome),
		Token: token.Sent, LastToken: token.Sent, Highest: token.Highest, Count: 1,
	}, true
}

// `gives` reports whether a write is a leader's last step. That step gives up the resource and has no token.
func gives(outcome string) bool { return outcome == "givenUp" || outcome == "kept" }

// staleWords says who acquired the Lease last before a stale write.
func staleWords(s *State) string {
	return " The write is stale: " + s.World.Node(s.Checks.NewestHolder()).Name() + " acquired the Lease last."
}

// maxWrites is the number of writes that an index keeps one by one.
const maxWrites = 4096

// writes is the log of the writes to the resource. If the log gets longer than its limit, it merges similar writes
// within stretches of equal length.
type writes struct {
	all     []Write
	widthNs int64 // length of the stretches; 0 while the log keeps every write
	most    int
}

func (w *writes) add(one Write) {
	if w.widthNs > 0 && sumUp(w.all, &one, w.widthNs) {
		return
	}
	w.all = append(w.all, one)
	for w.most = max(w.most, maxWrites); len(w.all) > w.most; {
		if w.widthNs >= 1<<55 { // merging does not help, because too many writes differ
			w.most *= 2
			continue
		}
		w.widthNs = max(125_000_000, 2*w.widthNs)
		w.all = summedUp(w.all, w.widthNs)
	}
}

// upTo returns the log up to an instant. A stretch that the instant divides keeps its whole count.
func (w *writes) upTo(toNs int64) writes {
	c := *w
	n := len(c.all)
	for n > 0 && c.all[n-1].T > toNs {
		n--
	}
	c.all = slices.Clone(c.all[:n]) // the original may merge later writes into the last ones
	return c
}

// summedUp merges similar writes that fall into one stretch of time.
func summedUp(all []Write, widthNs int64) []Write {
	out := make([]Write, 0, len(all))
	for k := range all {
		if !sumUp(out, &all[k], widthNs) {
			out = append(out, all[k])
		}
	}
	return out
}

// sumUp merges a write into a recent similar one in the same stretch of time. It returns false if none exists.
func sumUp(all []Write, one *Write, widthNs int64) bool {
	for k := len(all) - 1; k >= 0 && all[k].T/widthNs == one.T/widthNs; k-- {
		m := &all[k]
		if m.Index == one.Index && m.Outcome == one.Outcome && m.Stale == one.Stale {
			m.Count += one.Count
			m.To, m.LastToken, m.Highest = one.To, one.LastToken, one.Highest
			return true
		}
	}
	return false
}

// Stretch is a part of a run. Similar writes within WidthNs of each other become one. If Detail is true, they stay
// apart even where the run has merged them.
type Stretch struct {
	FromNs, ToNs, WidthNs int64
	Detail                bool
}

// Writes returns the writes to the resource in a stretch, up to the live cursor. Writes returns them one by one if
// the run keeps them all or the caller asks for detail. Otherwise it merges similar ones.
func (r *Run) Writes(in Stretch, live Cursor) []Write {
	fromNs, toNs, widthNs, detail := in.FromNs, in.ToNs, in.WidthNs, in.Detail
	out := []Write{}
	add := func(all []Write) {
		for k := range all {
			m := &all[k]
			if m.To < fromNs || m.T > toNs || live.Before(Cursor{T: m.T, N: m.N}) {
				continue
			}
			if widthNs <= 0 || !sumUp(out, m, widthNs) {
				out = append(out, *m)
			}
		}
	}
	log := &r.index.writes
	if log.widthNs == 0 || !detail {
		// A stretch that contains the live cursor may count writes that the page has not shown, so its writes come
		// one by one.
		n := len(log.all)
		for log.widthNs > 0 && n > 0 && log.all[n-1].T/log.widthNs >= live.T/log.widthNs {
			n--
		}
		add(log.all[:n])
		if log.widthNs == 0 {
			return out
		}
		fromNs = max(fromNs, live.T/log.widthNs*log.widthNs)
	}
	if toNs = min(toNs, live.T); fromNs <= toNs {
		r.near(fromNs)
		last := r.near(toNs)
		for k := r.segmentAt(fromNs); k <= last; k++ {
			add(r.load(k).writes)
		}
	}
	return out
}
