package evidence

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/leaselab/leaselab/core/elements"
)

// Several sources show the same events on different clocks. align.go finds the offset of each clock. The API server's
// clock is the reference, but not the order: resourceVersion is. Two API servers with different clocks order the writes
// of one Lease wrongly; etcd does not.
//
// A holder's own clock shows in renewTime. The holder sets renewTime just before it sends a write, so the time at which
// the server records the write, minus renewTime, is how much the holder's clock is behind. alignLogs uses this for the
// holder's log. The log of a candidate that never wrote has its reads, and the audit log has them too.

// offset relates a source's clock to the reference clock: an instant on the source's clock plus ns is the same instant
// on the reference clock.
type offset struct {
	source  string
	ns      int64
	errorNs int64 // -1 if unknown
	by      string
}

// sure returns the offset if its error is smaller than the offset itself. Otherwise the clocks agree, as far as the
// evidence shows.
func (o offset) sure() offset {
	if o.ns >= -o.errorNs && o.ns <= o.errorNs || o.errorNs < 0 {
		o.ns = 0
	}
	return o
}

// joinedWrites holds the writes of all sources on the reference clock, in order and without duplicates.
type joinedWrites struct {
	writes   []write
	offsets  []offset          // of the clocks of files
	clocks   map[string]offset // of the clock behind renewTime, by holder
	apartNs  int64             // how far apart the clocks of the API servers are; 0 if nothing shows a difference
	versions []int32           // indexes of the writes with a resourceVersion, in its order
	says     []finding         // what the clocks show
}

// stateKey identifies a state of the Lease across sources. Two states with the same holder, renewTime and
// leaseTransitions are one write: renewTime has microseconds, and a holder does not renew twice within one.
type stateKey struct {
	holder      string
	renewNs     int64
	transitions int64
}

// `join` merges the writes that several sources show. The reference is the audit log's clock, and without an audit log
// the watch's. A copy shows no time but renewTime, so `join` corrects that by the holder's clock. If two
// sources record the same write, `join` takes the time from the more reliable source. The other source adds its line
// references.
func join(m *material) joinedWrites {
	j := joinedWrites{clocks: map[string]offset{}}
	watched := j.merge(m.writes.all())
	for i := range j.writes {
		if j.writes[i].resourceVersion > 0 {
			j.versions = append(j.versions, int32(i))
		}
	}
	slices.SortStableFunc(j.versions, func(a, b int32) int {
		return cmp.Compare(j.writes[a].resourceVersion, j.writes[b].resourceVersion)
	})
	j.servers()
	j.moveWatch(watched)
	j.learnClocks()
	j.timeCopies()
	latest := int64(math.MinInt64)
	for _, i := range j.versions {
		latest = max(latest, j.writes[i].ns)
		j.writes[i].ns = latest
	}
	sort.SliceStable(j.writes, func(i, k int) bool {
		a, b := &j.writes[i], &j.writes[k]
		return cmp.Or(cmp.Compare(a.ns, b.ns), cmp.Compare(a.resourceVersion, b.resourceVersion),
			cmp.Compare(a.transitions, b.transitions), cmp.Compare(a.holder, b.holder)) < 0
	})
	j.versions = j.versions[:0]
	for i := range j.writes {
		if j.writes[i].resourceVersion > 0 {
			j.versions = append(j.versions, int32(i))
		}
		if i > 0 {
			j.writes[i].lacks = j.writes[i].skips(&j.writes[i-1])
		}
	}
	return j
}

// skips reports whether the files lack a write between two neighbors. An elector writes only if the Lease still has the
// version that it read, and an audit log shows that version. Without it, leaseTransitions shows a missing takeover: it
// grows by one with each new holder, and stays when the holder renews.
func (w *write) skips(before *write) bool {
	switch {
	case w.created || w.deleted || before.deleted || w.by.kind == Trace:
		return false
	case w.replaces > 0 && before.resourceVersion > 0:
		return w.replaces != before.resourceVersion
	}
	grown := w.transitions - before.transitions
	return !w.by.isTool() && (grown > 1 || grown == 1 && w.holder == before.holder)
}

// seenAgain is a write of an audit log that a watch shows too, at another time.
type seenAgain struct {
	write  int32
	seenNs int64
}

// moveWatch puts the writes that only the watch shows on the audit log's clock.
func (j *joinedWrites) moveWatch(watched []seenAgain) {
	if len(watched) == 0 {
		return
	}
	apart := elements.Of(watched, func(s seenAgain) int64 { return j.writes[s.write].ns - s.seenNs })
	ns, spread := middle(apart)
	j.offsets = append(j.offsets,
		offset{source: string(Watch), ns: ns, errorNs: spread, by: "writes that the audit log also shows"})
	for i := range j.writes {
		if j.writes[i].by.kind == Watch {
			j.writes[i].ns += ns
		}
	}
}

// `merge` removes duplicates. If there are none, it copies nothing.
func (j *joinedWrites) merge(writes []write) (watched []seenAgain) {
	rank := map[Kind]int{Trace: 0, Audit: 0, Watch: 1, Lease: 2}
	sort.SliceStable(writes, func(i, k int) bool {
		a, b := &writes[i], &writes[k]
		return cmp.Or(cmp.Compare(rank[a.by.kind], rank[b.by.kind]), cmp.Compare(a.atNs, b.atNs),
			cmp.Compare(a.resourceVersion, b.resourceVersion)) < 0
	})
	latest, twice := int64(0), false
	for i := range writes {
		writes[i].ns = writes[i].atNs
		twice = twice || writes[i].resourceVersion <= latest
		latest = writes[i].resourceVersion
	}
	if j.writes = writes; !twice {
		return nil // a million writes of one source need no maps
	}
	byVersion, byState := map[int64]int32{}, map[stateKey]int32{}
	lacks := slices.ContainsFunc(writes, func(w write) bool { return w.resourceVersion == 0 && !w.deleted })
	var all []write
	for i := range writes {
		w := &writes[i]
		key := stateKey{w.holder, w.renewNs, w.transitions}
		k, again := byVersion[w.resourceVersion]
		if again = again && w.resourceVersion > 0 && all[k].renewNs == w.renewNs; !again && lacks && !w.deleted {
			k, again = byState[key]
			again = again && (w.resourceVersion == 0 || all[k].resourceVersion == 0)
		}
		if w.deleted && !again {
			k, again = sameDeletion(all, w)
		}
		if !again {
			k, all = int32(len(all)), append(all, *w)
			if w.resourceVersion > 0 {
				byVersion[w.resourceVersion] = k
			}
			if lacks && !w.deleted {
				byState[key] = k
			}
			continue
		}
		if w.by.kind == Watch && all[k].by.kind != Watch {
			watched = append(watched, seenAgain{k, w.atNs})
		}
		all[k].places = append(slices.Clip(all[k].places), w.places...)
		all[k].created = all[k].created || w.created
		all[k].resourceVersion = max(all[k].resourceVersion, w.resourceVersion)
		all[k].replaces = max(all[k].replaces, w.replaces)
		if all[k].by.manager == "" && w.by.manager != "" {
			both := *all[k].by
			both.manager = w.by.manager
			all[k].by = &both
		}
	}
	j.writes = all
	return watched
}

// sameDeletion finds the deletion in an audit log that a watch shows too. The audit event of a deletion has no
// resourceVersion.
func sameDeletion(all []write, w *write) (int32, bool) {
	k := slices.IndexFunc(all, func(o write) bool {
		return o.deleted && o.by.kind == Audit && w.by.kind != Audit && o.resourceVersion == 0
	})
	return int32(k), k >= 0
}

// timed reports whether a write's time is a server's or a watcher's, and not the holder's.
func (w *write) timed() bool { return w.by.kind != Lease }

// renews reports whether a write sets renewTime, as an elector's writes do. A client that edits the Lease leaves the
// old renewTime.
func (w *write) renews(before *write) bool {
	return w.holder != "" && w.renewNs != 0 && !w.deleted &&
		(before == nil || before.renewNs != w.renewNs)
}

// `servers` notices that several API servers with different clocks wrote the audit log: then the order of the times
// contradicts the order of resourceVersion. For each holder, the smallest difference between the server's time and
// renewTime belongs to the server whose clock is furthest behind. That clock becomes the reference, and renewTime says
// when the other writes happened on it.
func (j *joinedWrites) servers() {
	latest, contradicted := int64(math.MinInt64), 0
	least := map[string]int64{}
	var before *write
	for _, i := range j.versions {
		w := &j.writes[i]
		if w.by.kind != Audit {
			continue
		}
		if w.ns < latest-serversApartNs {
			contradicted++
		}
		latest = max(latest, w.ns)
		if w.renews(before) {
			d, known := least[w.holder]
			if !known || w.ns-w.renewNs < d {
				least[w.holder] = w.ns - w.renewNs
			}
		}
		before = w
	}
	if contradicted == 0 {
		return
	}
	var ahead []int64
	var places []Place
	before = nil
	for _, i := range j.versions {
		w := &j.writes[i]
		if w.by.kind != Audit {
			continue
		}
		if by := w.ns - w.renewNs - least[w.holder]; w.renews(before) && by > serversApartNs {
			ahead, places = append(ahead, by), append(places, w.places[0])
			w.ns -= by
		}
		before = w
	}
	if len(ahead) == 0 {
		return
	}
	j.apartNs, _ = middle(ahead)
	next := int64(math.MaxInt64)
	for k := len(j.versions) - 1; k >= 0; k-- {
		if w := &j.writes[j.versions[k]]; w.by.kind == Audit {
			if w.ns-serversApartNs > next {
				w.ns = min(w.ns-j.apartNs, next) // nothing but the order says which server handled it
			}
			next = min(next, w.ns)
		}
	}
	j.says = append(j.says, finding{ns: j.writes[j.versions[0]].ns, places: places,
		says: sentence("serversApart", "apart", secondsText(j.apartNs), "requests", fmt.Sprint(contradicted))})
}

// atServer corrects the time of a request for the API server that handled it. A read saw a version of the Lease, so it
// happened after that write and before the next one.
func (j *joinedWrites) atServer(ns, version int64) int64 {
	if j.apartNs == 0 || version == 0 {
		return ns
	}
	k, seen := slices.BinarySearchFunc(j.versions, version, func(i int32, version int64) int {
		return cmp.Compare(j.writes[i].resourceVersion, version)
	})
	if seen && k+1 < len(j.versions) && ns > j.writes[j.versions[k+1]].ns+serversApartNs {
		return ns - j.apartNs
	}
	return ns
}

// learnClocks finds the offset of each holder's clock. The quick writes are the most exact, so it takes the tenth
// percentile of the differences. A copy of a Lease may have managedFields, whose time is the server's in whole seconds:
// then each write narrows the offset to within a second, and all of them together narrow it further.
func (j *joinedWrites) learnClocks() {
	apart, least, most := map[string][]int64{}, map[string]int64{}, map[string]int64{}
	first := map[string]Place{}
	var before *write
	for i := range j.writes {
		w := &j.writes[i]
		if w.renews(before) && w.by.kind != Trace {
			switch {
			case w.timed() && len(apart[w.holder]) >= clockSamples: // more would change nothing
			case w.timed():
				apart[w.holder] = append(apart[w.holder], w.ns-w.renewNs)
			case w.secondNs != 0:
				after, seen := least[w.holder]
				if d := w.secondNs - w.renewNs; !seen {
					least[w.holder], most[w.holder] = d, d+int64(time.Second)
				} else {
					least[w.holder], most[w.holder] = max(after, d), min(most[w.holder], d+int64(time.Second))
				}
			}
			if _, seen := first[w.holder]; !seen {
				first[w.holder] = w.places[0]
			}
		}
		before = w
	}
	for holder, d := range apart {
		slices.Sort(d)
		o := offset{source: holder, ns: quantile(d, 0.1), by: "its renewTime at the server"}
		o.errorNs = max(clockErrorNs, quantile(d, 0.5)-o.ns)
		if len(d) < 2 {
			o.errorNs = int64(time.Second)
		}
		j.clocks[holder] = o.sure()
	}
	for holder, d := range least {
		if _, known := j.clocks[holder]; !known {
			j.clocks[holder] = offset{source: holder, ns: (d + most[holder]) / 2,
				errorNs: max(logErrorNs, (most[holder]-d+1)/2),
				by:      "its renewTime and the times in managedFields"}.sure()
		}
	}
	for _, holder := range slices.Sorted(maps.Keys(j.clocks)) {
		j.sayClock(j.clocks[holder], first[holder])
	}
}

// sayClock tells of a clock that is wrong by more than a person would expect.
func (j *joinedWrites) sayClock(o offset, p Place) {
	if o.ns > clockWorthSayingNs || o.ns < -clockWorthSayingNs {
		j.says = append(j.says, finding{ns: j.writes[0].ns, places: []Place{p}, says: sentence("wrongClock",
			"who", o.source, "off", secondsText(max(o.ns, -o.ns)), "by", o.by,
			"way", map[bool]string{true: "behind", false: "ahead"}[o.ns > 0])})
	}
}

// timeCopies finds the instants of writes that no server and no watcher timed. A renewal happened at renewTime, by the
// holder's clock. If nothing shows that clock, the order of resourceVersion does: a takeover before the previous
// holder's last renewal, or before that could expire, means that one of the two clocks is wrong. A deletion or an edit
// happened after the previous write.
func (j *joinedWrites) timeCopies() {
	ahead := map[string]int64{} // assumed, by holder
	for k, i := range j.versions {
		w, before := &j.writes[i], &write{}
		if k > 0 {
			before = &j.writes[j.versions[k-1]]
		}
		who := cmp.Or(w.holder, before.holder)
		if clock, known := j.clocks[who]; known {
			ahead[who] = clock.ns
		}
		switch by, known := ahead[who]; {
		case w.timed():
		case k > 0 && (w.deleted || w.by.isTool() || w.renewNs == before.renewNs):
			w.ns = max(before.ns, w.secondNs)
		case known || k == 0:
			ahead[who] = by
			w.ns = w.renewNs + by
		default:
			from := before.ns
			if before.holder != "" {
				from += max(before.duration, 1) * int64(time.Second)
			}
			w.ns = max(w.renewNs, from)
			ahead[who] = w.ns - w.renewNs
			if w.renewNs < before.ns {
				j.says = append(j.says, finding{ns: before.ns, places: slices.Concat(before.places, w.places),
					says: sentence("clocksDiffer", "who", who, "before", cmp.Or(before.holder, "the release"), "off",
						secondsText(before.ns-w.renewNs))})
			}
		}
	}
	next := int64(math.MaxInt64)
	for k := len(j.versions) - 1; k >= 0; k-- {
		if w := &j.writes[j.versions[k]]; w.timed() {
			next = w.ns
		} else {
			w.ns = min(w.ns, next)
		}
	}
	for i := range j.writes {
		if w := &j.writes[i]; !w.timed() && w.resourceVersion == 0 {
			w.ns = w.renewNs + j.clocks[w.holder].ns
		}
	}
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
func alignLogs(m *material, j *joinedWrites, gets []get, retryNs int64) (lines []logLine, offsets []offset) {
	lines = m.lines.all()
	// Hundreds of thousands of lines need no copy: the ones that count come first.
	kept := 0
	for i := range lines {
		if !lines[i].refused {
			lines[kept], lines[i] = lines[i], lines[kept]
			kept++
		}
	}
	lines = lines[:kept:kept]
	byNode := indexBy(len(lines), func(i int) string { return lines[i].node })
	a := alignment{lines, j, gets, retryNs}
	for _, n := range slices.Sorted(maps.Keys(byNode)) {
		o := a.offset(n, byNode[n]).sure()
		logged := false
		for _, i := range byNode[n] {
			if l := &lines[i]; !l.traced { // a trace's lines are on the clock of its writes
				l.ns, l.movedNs, l.errorNs, logged = l.ns+o.ns, o.ns, o.errorNs, true
			}
		}
		if logged && len(j.writes) > 0 {
			offsets = append(offsets, o)
		}
	}
	slices.SortStableFunc(lines, func(a, b logLine) int {
		return cmp.Or(cmp.Compare(a.ns, b.ns), strings.Compare(a.node, b.node))
	})
	return lines, offsets
}

// indexBy lists the indexes from 0 to n-1 by their keys.
func indexBy(n int, key func(i int) string) map[string][]int32 {
	all := map[string][]int32{}
	for i := range n {
		all[key(i)] = append(all[key(i)], int32(i))
	}
	return all
}

// alignment contains the data for the offset of any log: the lines, the writes, the reads, and how often a follower
// polls.
type alignment struct {
	lines   []logLine
	joined  *joinedWrites
	gets    []get
	retryNs int64
}

// `offset` compares a node's lines with the writes and the reads. The argument "of" has the indexes of these lines. It
// tries several ways, the most reliable first:
//
//	renewTime           the holder's clock, unless the log's acquisitions contradict it: the log may be in local time
//	acquisitions        as many in the log as in the Lease, so they match one to one
//	some acquisitions   the shift that matches the most of them
//	reads               the lines "is held by" against the reads in the audit log
//	new holders         a candidate first reads a new holder half a retryPeriod late on average: a coarse offset
func (a *alignment) offset(node string, of []int32) offset {
	lines, writes, retryNs := a.lines, a.joined.writes, a.retryNs
	var starts, written, acquired, reads, followed, seen, changed []int64
	var read, held []string // the holders of seen and of changed
	last := ""
	for _, i := range of {
		switch l := &lines[i]; {
		case l.traced:
		case l.says == saidAcquired:
			acquired = append(acquired, l.ns)
		case l.says == saidHeld:
			if len(a.gets) > 0 {
				reads = append(reads, l.ns)
			}
			if len(a.gets) > 0 && l.follows {
				followed = append(followed, l.ns)
			}
			if l.holder != "" && l.holder != last {
				seen, read, last = append(seen, l.ns), append(read, l.holder), l.holder
			}
		}
	}
	last = ""
	for i := range writes {
		if h := writes[i].holder; h == node && (i == 0 || writes[i-1].holder != node) {
			starts = append(starts, a.joined.acquired(&writes[i]))
		}
		if writes[i].holder == node {
			written = append(written, writes[i].ns)
		}
		if h := writes[i].holder; h != "" && h != last {
			if last = h; h != node {
				changed, held = append(changed, a.joined.acquired(&writes[i])), append(held, h)
			}
		}
	}
	clock, known := a.joined.clocks[node]
	off := int64(0) // how late the log shows an acquisition, by the holder's clock
	if known && len(acquired) > 0 && len(starts) > 0 {
		off = math.MaxInt64
		for _, at := range acquired {
			for _, ns := range starts {
				if d := at + clock.ns - ns; max(d, -d) < max(off, -off) {
					off = d
				}
			}
		}
	}
	if known && max(off, -off) > logErrorNs {
		// A leader reads every retryPeriod: with a shift of one period, its reads match nearly as well.
		if ns, share := a.matchReads(followed); share >= readsShare {
			return offset{source: node, ns: ns, errorNs: logErrorNs, by: "its reads in the log and in the audit log"}
		}
	}
	switch {
	case known && off > logErrorNs && off < localTimeNs: // the answer got lost, or a collector wrote the stamps
		return offset{source: node, ns: clock.ns, errorNs: max(clock.errorNs, off), by: clock.by +
			"; its log shows an acquisition late"}
	case known && max(off, -off) <= logErrorNs:
		return clock
	case len(starts) > 0 && len(starts) == len(acquired):
		var d []int64
		for i := range starts {
			d = append(d, starts[i]-acquired[i])
		}
		ns, spread := middle(d)
		return offset{source: node, ns: ns, errorNs: max(spread, logErrorNs),
			by: "its acquisitions in the log and in the Lease"}
	case len(starts) > 0 && len(acquired) > 0:
		ns, fits := bestShift(acquired, starts, fitNs)
		if fits == 1 && len(acquired) > 1 {
			ns = shiftOfAgain(acquired, starts, written)
		}
		return offset{source: node, ns: ns, errorNs: fitNs, by: "acquisitions that both its log and the Lease show"}
	}
	if ns, share := a.matchReads(reads); share >= readsShare {
		return offset{source: node, ns: ns, errorNs: logErrorNs, by: "its reads in the log and in the audit log"}
	}
	if len(seen) > 1 && slices.Equal(read, held) {
		var d []int64
		for i := range seen[1:] {
			d = append(d, changed[i+1]-seen[i+1]+retryNs/2)
		}
		ns, _ := middle(d)
		return offset{source: node, ns: ns, errorNs: 3 * retryNs / 2, by: "its reads of a new holder"}
	}
	return offset{source: node, errorNs: -1, by: "nothing: its log and the Lease show no common event"}
}

// acquired returns when the holder of a write acquired the Lease. If the files have a gap, the write may be a later
// one.
func (j *joinedWrites) acquired(w *write) int64 {
	if clock, known := j.clocks[w.holder]; known && w.acquireNs != 0 && w.acquireNs != w.renewNs {
		return w.acquireNs + clock.ns
	}
	return w.ns
}

// matchReads finds the shift that matches the most reads of a log with reads in the audit log, and the share of the
// log's reads that it matches. The waits between a follower's reads are random, so no other shift matches as many.
func (a *alignment) matchReads(reads []int64) (shift int64, share float64) {
	if len(a.gets) == 0 {
		return 0, 0
	}
	from, to := a.gets[0].ns-readsReachNs, a.gets[len(a.gets)-1].ns+readsReachNs
	reads = slices.DeleteFunc(reads, func(ns int64) bool { return ns < from || ns > to })
	reads = reads[:min(len(reads), readsMost)]
	if len(reads) < readsLeast {
		return 0, 0
	}
	var served []int64
	for i := range a.gets {
		if ns := a.gets[i].ns; ns >= reads[0]-readsReachNs && ns <= reads[len(reads)-1]+readsReachNs {
			served = append(served, ns)
		}
	}
	shift, fits := bestShift(reads, served, readFitNs)
	return shift, float64(fits) / float64(len(reads))
}

// shiftOfAgain finds the shift that puts an acquisition of the log on one of the Lease, and the other acquisitions on
// writes of the holder: a holder that loses the Lease and acquires it again leaves no change of holder in the Lease.
func shiftOfAgain(acquired, starts, written []int64) (shift int64) {
	most := -1
	for _, from := range acquired[:min(len(acquired), shiftsMost/10)] {
		for _, to := range starts[:min(len(starts), shiftsMost/10)] {
			d, fits := to-from, 0
			for _, ns := range acquired {
				k, _ := slices.BinarySearch(written, ns+d-logErrorNs)
				fits += int(boolNs(k < len(written) && written[k] <= ns+d+logErrorNs))
			}
			if fits > most || fits == most && max(d, -d) < max(shift, -shift) {
				most, shift = fits, d
			}
		}
	}
	return shift
}

// shiftsMost is the maximum number of events per source that a comparison of two clocks uses.
const shiftsMost = 500

// bestShift finds the shift with which the most events of the first list meet events of the second, to within fitNs. It
// tries every difference between two events, and returns the middle of the ones that meet. An event that meets two
// counts once. If two shifts are equally good, it takes the smaller one, because most clocks are nearly right.
//
// Example: the log begins later and shows acquisitions at 40 s and 95 s, the Lease at 12 s, 43 s and 98 s. With a shift
// of 3 s, both acquisitions match; with any other shift, at most one does.
func bestShift(a, b []int64, fitNs int64) (shift int64, fits int) {
	a, b = a[:min(len(a), shiftsMost)], b[:min(len(b), shiftsMost)]
	type pair struct {
		apart int64
		a, b  int16
	}
	pairs := make([]pair, 0, len(a)*len(b))
	for i, x := range a {
		for k, y := range b {
			pairs = append(pairs, pair{y - x, int16(i), int16(k)})
		}
	}
	slices.SortFunc(pairs, func(p, q pair) int {
		return cmp.Or(cmp.Compare(p.apart, q.apart), cmp.Compare(p.a, q.a), cmp.Compare(p.b, q.b))
	})
	least := int64(math.MaxInt64)
	meetsA, meetsB := make([]int, len(a)), make([]int, len(b)) // pairs of each event between from and to
	from, to, ofA, ofB := 0, 0, 0, 0
	for i, p := range pairs {
		for ; pairs[from].apart <= p.apart-fitNs; from++ {
			meetsA[pairs[from].a]--
			meetsB[pairs[from].b]--
			ofA, ofB = ofA-int(boolNs(meetsA[pairs[from].a] == 0)), ofB-int(boolNs(meetsB[pairs[from].b] == 0))
		}
		for ; to < len(pairs) && (to <= i || pairs[to].apart < p.apart+fitNs); to++ {
			ofA, ofB = ofA+int(boolNs(meetsA[pairs[to].a] == 0)), ofB+int(boolNs(meetsB[pairs[to].b] == 0))
			meetsA[pairs[to].a]++
			meetsB[pairs[to].b]++
		}
		n, size := min(ofA, ofB), max(p.apart, -p.apart)
		if n > fits || n == fits && size < least {
			fits, least, shift = n, size, pairs[(from+to)/2].apart
		}
	}
	return shift, fits
}
