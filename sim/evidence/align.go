package evidence

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Several sources show the same events on different clocks. align.go finds the offset of each clock, in two steps.
// First, join compares writes. If two sources show the same state of the Lease, that state comes from one write. The
// difference between the two recorded times is the offset between the clocks. Then alignLogs handles logs, which show
// no states: it compares acquisitions, or reads of a new holder.

// offset relates a source's clock to the reference clock: an instant on the source's clock plus ns is the same instant
// on the reference clock.
type offset struct {
	source  string
	ns      int64
	errorNs int64 // -1 if unknown
	by      string
}

// joinedWrites holds the writes of all sources on the reference clock, in order and without duplicates. The field
// offsets says by how much the clock of every other source differs, and with what error.
type joinedWrites struct {
	writes  []write
	offsets []offset
}

// stateKey identifies a state of the Lease across sources. Two states with the same holder, renewTime and
// leaseTransitions are one write: renewTime has microseconds, and a holder does not renew twice within one.
type stateKey struct {
	holder      string
	renewNs     int64
	transitions int64
}

// `join` merges the writes that several sources show. The reference is the audit log's clock. Without an audit log it
// is the watch's clock, and without a watch the candidates' own. If two sources record the same write, `join` takes the
// time from the more reliable source. The other source only adds its line references.
func join(m *material) joinedWrites {
	writes := m.writes.all()
	rank := map[Kind]int{Trace: 0, Audit: 0, Watch: 1, Lease: 2}
	slices.SortStableFunc(writes, func(a, b write) int {
		return cmp.Or(cmp.Compare(rank[a.kind], rank[b.kind]), cmp.Compare(a.atNs, b.atNs),
			cmp.Compare(a.resourceVersion, b.resourceVersion))
	})
	at := make(map[stateKey]int32, len(writes))
	// Remove duplicates. If there are none, copy nothing.
	all, copied := writes, false
	apart := map[Kind][]int64{}
	for i := range writes {
		w := &writes[i]
		key := stateKey{w.holder, w.renewNs, w.transitions}
		k, again := at[key]
		if !again && !copied {
			at[key] = int32(i)
			continue
		}
		if !copied {
			all, copied = slices.Clone(writes[:i]), true
		}
		if !again {
			at[key] = int32(len(all))
			all = append(all, *w)
			continue
		}
		if all[k].kind != w.kind {
			apart[w.kind] = append(apart[w.kind], all[k].atNs-w.atNs)
		}
		all[k].places = append(slices.Clip(all[k].places), w.places...)
		all[k].created = all[k].created || w.created
	}
	j := joinedWrites{}
	shift := map[Kind]int64{}
	for _, kind := range []Kind{Watch, Lease} {
		if d := apart[kind]; len(d) > 0 {
			ns, spread := middle(d)
			shift[kind] = ns
			j.offsets = append(j.offsets,
				offset{source: string(kind), ns: ns, errorNs: spread, by: "writes that the audit log also shows"})
		}
	}
	if _, known := shift[Lease]; !known && len(all) > 0 && all[0].kind != Lease {
		// A Lease without a time of receipt has only the candidate's renewTime.
		d := make([]int64, 0, len(all))
		for i := range all {
			if all[i].renewNs != 0 && all[i].kind != Lease {
				d = append(d, all[i].atNs-all[i].renewNs)
			}
		}
		if len(d) > 0 {
			shift[Lease], _ = middle(d)
		}
	}
	for i := range all {
		all[i].ns = all[i].atNs + shift[all[i].kind]
	}
	slices.SortStableFunc(all, func(a, b write) int {
		return cmp.Or(cmp.Compare(a.ns, b.ns), cmp.Compare(a.resourceVersion, b.resourceVersion),
			cmp.Compare(a.transitions, b.transitions), cmp.Compare(a.holder, b.holder))
	})
	j.writes = all
	return j
}

// `middle` returns the median of d, and half the range of all values. The median ignores a few slow answers. The range
// includes them, so it serves as the error.
func middle(d []int64) (median, spread int64) {
	d = slices.Clone(d)
	slices.Sort(d)
	return d[len(d)/2], (d[len(d)-1] - d[0] + 1) / 2
}

// alignLogs puts each candidate's log on the timeline of the writes. Lines of a trace need no offset, because the
// trace's writes use the same clock. Without writes the logs keep their own clocks, and the report states no offset.
func alignLogs(m *material, writes []write, retryNs int64) (lines []logLine, offsets []offset) {
	lines = slices.Clone(m.lines.all())
	byNode := map[string][]int{}
	var nodes []string
	for i := range lines {
		n := lines[i].node
		if lines[i].traced {
			lines[i].ns = lines[i].atNs // on the clock of the trace's writes
			continue
		}
		if byNode[n] == nil {
			nodes = append(nodes, n)
		}
		byNode[n] = append(byNode[n], i)
	}
	slices.Sort(nodes)
	a := alignment{lines, writes, retryNs}
	for _, n := range nodes {
		o := a.offset(n, byNode[n])
		for _, i := range byNode[n] {
			lines[i].ns = lines[i].atNs + o.ns
		}
		if len(writes) > 0 {
			offsets = append(offsets, o)
		}
	}
	slices.SortStableFunc(lines, func(a, b logLine) int {
		return cmp.Or(cmp.Compare(a.ns, b.ns), strings.Compare(a.node, b.node))
	})
	return lines, offsets
}

// alignment contains the data for the offset of any log: the lines, the writes, and how often a follower polls.
type alignment struct {
	lines   []logLine
	writes  []write
	retryNs int64
}

// `offset` compares a node's lines with the writes. The argument "of" has the indexes of these lines. It tries three
// ways, the most reliable first. If the log and the Lease show the same number of acquisitions, they match one to one.
// Otherwise offset picks the shift that matches the most acquisitions. If the candidate never led, offset matches its
// reads of new holders. A candidate first reads a new holder half a retryPeriod late on average, so the error is
// larger.
func (a *alignment) offset(node string, of []int) offset {
	lines, writes, retryNs := a.lines, a.writes, a.retryNs
	var starts, acquired []int64
	for i := range writes {
		if writes[i].holder == node && (i == 0 || writes[i-1].holder != node) {
			starts = append(starts, writes[i].ns)
		}
	}
	for _, i := range of {
		if lines[i].says == saidAcquired {
			acquired = append(acquired, lines[i].atNs)
		}
	}
	if len(starts) > 0 && len(acquired) > 0 {
		if len(starts) == len(acquired) {
			var d []int64
			for i := range starts {
				d = append(d, starts[i]-acquired[i])
			}
			ns, spread := middle(d)
			o := offset{source: node, ns: ns, errorNs: max(spread, logErrorNs),
				by: "its acquisitions in the log and in the Lease"}
			if ns >= -o.errorNs && ns <= o.errorNs {
				o.ns = 0 // the clocks agree, as far as the evidence shows
			}
			return o
		}
		ns, fit := bestShift(acquired, starts)
		return offset{source: node, ns: ns, errorNs: fit,
			by: "acquisitions that both its log and the Lease show"}
	}
	// A follower reads a new holder at its first attempt after the change.
	var seen, changed []int64
	last := ""
	for _, i := range of {
		if h := lines[i].holder; lines[i].says == saidHeld && h != "" && h != last {
			seen, last = append(seen, lines[i].atNs), h
		}
	}
	last = ""
	for i := range writes {
		if h := writes[i].holder; h != "" && h != last && h != node {
			changed, last = append(changed, writes[i].ns), h
		}
	}
	if len(seen) > 1 && len(seen) == len(changed) {
		var d []int64
		for i := range seen[1:] {
			d = append(d, changed[i+1]-seen[i+1]+retryNs/2)
		}
		ns, _ := middle(d)
		return offset{source: node, ns: ns, errorNs: 3 * retryNs / 2, by: "its reads of a new holder"}
	}
	return offset{source: node, errorNs: -1, by: "nothing: its log and the Lease show no common event"}
}

// shiftsMost is the maximum number of events per source that a comparison of two clocks uses.
const shiftsMost = 500

// bestShift finds the shift with which the most events of the first list meet events of the second. It tries every
// difference between two events. If two shifts are equally good, it takes the smaller one, because most clocks are
// nearly right.
//
// Example: the log begins later and shows acquisitions at 40 s and 95 s, the Lease at 12 s, 43 s and 98 s. With a shift
// of 3 s, both acquisitions match; with any other shift, at most one does.
func bestShift(a, b []int64) (shift, errorNs int64) {
	a, b = a[:min(len(a), shiftsMost)], b[:min(len(b), shiftsMost)]
	apart := make([]int64, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			apart = append(apart, y-x)
		}
	}
	slices.Sort(apart)
	most, least := 0, int64(math.MaxInt64)
	for _, x := range a {
		for _, y := range b {
			from, _ := slices.BinarySearch(apart, y-x-fitNs+1)
			to, _ := slices.BinarySearch(apart, y-x+fitNs)
			fits, size := to-from, max(y-x, x-y)
			if fits > most || fits == most && size < least {
				most, least, shift = fits, size, y-x
			}
		}
	}
	return shift, fitNs
}
