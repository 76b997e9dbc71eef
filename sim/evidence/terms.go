package evidence

import (
	"cmp"
	"slices"
	"strings"
)

// ending is how the Lease itself shows the end of a term.
type ending uint8

const (
	ranOut   ending = iota // nothing but the next holder's write
	released               // the holder emptied holderIdentity
	deleted                // a client deleted the Lease
	edited                 // another client emptied holderIdentity
)

// term is a period in which the Lease named one candidate.
type term struct {
	holder     string
	fromNs     int64
	knownStart bool
	renewals   []int64 // instants of the term's writes, including the first
	lastNs     int64   // the last known renewal
	ended      ending
	releasedNs int64   // when a write ended the term; 0 if not seen
	endedBy    *write  // that write
	edit       *write  // the write with which another client than an elector named this holder; nil for an acquisition
	again      bool    // the same holder led again after its log says that it lost the Lease
	unseen     bool    // the files lack the acquisition: fromNs comes from acquireTime
	lacks      bool    // the files lack a write right before the term
	acquiredNs int64   // acquireTime of the term's first write; 0 if that write acquired it
	replaces   int64   // the version that the term's first write replaced; 0 if unknown
	cuts       []int   // indexes of the renewals before which the files lack a write
	lostNs     int64   // when the holder's log says that it could not renew; 0 if not seen
	stopNs     int64   // when the holder's log says that the holder stopped leading, after a release; 0 if not seen
	stopErrNs  int64   // how exact lostNs and stopNs are
	tried      string  // why the release after the loss failed; empty if the log shows no attempt
	places     []Place // lines that show the start of the term
	lastPlaces []Place
	lostPlaces []Place
	endPlaces  []Place // lines of endedBy
	stopPlaces []Place
	fromLogs   bool
	readOnly   bool // another candidate's read shows the holder, and nothing shows the acquisition
}

// authors knows which programs are electors: the ones that renewed. Anything else that changes the holder is an edit.
type authors struct {
	programs, managers map[string]bool            // that renewed the Lease
	of                 map[string]map[string]bool // programs by holder
}

func authorsOf(writes []write) *authors {
	a := &authors{map[string]bool{}, map[string]bool{}, map[string]map[string]bool{}}
	for i := 1; i < len(writes); i++ {
		w, before := &writes[i], &writes[i-1]
		if w.holder != before.holder || !w.renews(before) || w.by.isTool() {
			continue
		}
		if w.by.who != "" {
			if a.of[w.holder] == nil {
				a.of[w.holder] = map[string]bool{}
			}
			a.programs[w.by.who], a.of[w.holder][w.by.who] = true, true
		}
		if w.by.manager != "" {
			a.managers[w.by.manager] = true
		}
	}
	return a
}

// edits reports whether another client than an elector made a write that ends the term of a holder. Only the holder
// itself releases; any elector may take over. An elector that does either also changes renewTime.
// With coordinated leader election, the API server itself names the holder.
func (a *authors) edits(w, before *write, holder string) bool {
	const apiServer = "kube-apiserver"
	if strings.HasPrefix(w.by.agent, apiServer) || w.by.manager == apiServer {
		return false
	}
	if w.renewNs != 0 && w.renewNs == before.renewNs && w.by.kind != Trace {
		return true
	}
	programs := a.programs
	if w.holder == "" {
		programs = a.of[holder]
	}
	return w.by.isTool() || w.by.who != "" && len(programs) > 0 && !programs[w.by.who] ||
		w.by.manager != "" && len(a.managers) > 0 && !a.managers[w.by.manager]
}

// termsOf divides the writes into terms. A write with the same holder as the current term is a renewal. A write with
// another holder begins a term, and a write without a holder is a release or an edit. If the same holder acquires the
// Lease again after that, a new term begins. A client can create the Lease only after a client deleted it.
func termsOf(j *joinedWrites) []term {
	var all []term
	by := authorsOf(j.writes)
	for i := range j.writes {
		w, before := &j.writes[i], &j.writes[max(0, i-1)]
		var last *term
		if len(all) > 0 {
			last = &all[len(all)-1]
		}
		if last != nil && last.ended == ranOut && w.created && w.by.kind == Audit {
			last.ended, last.releasedNs, last.endPlaces = deleted, last.lastNs, w.places
		}
		switch {
		case w.holder == "":
			if last != nil && last.ended == ranOut {
				last.ended, last.releasedNs, last.endedBy, last.endPlaces = released, w.ns, w, w.places
				if w.deleted {
					last.ended = deleted
				} else if by.edits(w, before, last.holder) {
					last.ended, w.edit = edited, true
				}
			}
		case last != nil && last.holder == w.holder && last.ended == ranOut:
			if w.renews(before) || w.by.kind == Trace {
				if w.lacks {
					last.cuts = append(last.cuts, len(last.renewals))
				}
				last.renewals = append(last.renewals, w.ns)
				last.lastNs, last.lastPlaces = w.ns, w.places
			}
		default:
			// The first write in the evidence begins a term only if it acquired the Lease.
			acquired := w.acquireNs != 0 && w.acquireNs == w.renewNs || w.created
			t := term{
				holder: w.holder, fromNs: w.ns, knownStart: last != nil || acquired, renewals: []int64{w.ns},
				lastNs: w.ns, places: w.places, lastPlaces: w.places, lacks: w.lacks, replaces: w.replaces,
			}
			if last != nil && by.edits(w, before, last.holder) {
				t.edit, w.edit = w, true
			} else if w.acquireNs != 0 && !acquired {
				t.acquiredNs = w.acquireNs + j.clocks[w.holder].ns
				if last != nil && w.ns-t.acquiredNs > missingNs {
					t.fromNs, t.unseen = max(t.acquiredNs, last.lastNs, last.releasedNs), true
				}
			}
			all = append(all, t)
		}
	}
	return all
}

// termsOfLogs derives terms from the electors' logs when no file shows the Lease itself. Acquisitions begin terms. A
// line "held by c" begins a term of c if c has none yet. Otherwise the line may be out of date, since a follower that
// polls slowly still names the previous holder. So the line begins a new term only if the current term is older than
// staleNewsNs.
func termsOfLogs(lines []logLine) []term {
	var all []term
	for i := range lines {
		l := &lines[i]
		p := []Place{l.place}
		last := len(all) - 1
		switch {
		case l.says == saidAcquired:
			if last >= 0 && all[last].holder == l.node {
				// Another log has already mentioned this acquisition, or this log shows it twice.
				if all[last].stopNs == 0 && all[last].lastNs-all[last].fromNs < sameTermNs {
					t := &all[last]
					if t.places = append(t.places, l.place); t.readOnly { // its own log knows better when it began
						t.fromNs, t.lastNs, t.knownStart, t.readOnly = l.ns, l.ns, true, false
					}
					continue
				}
			}
			all = append(all, term{holder: l.node, fromNs: l.ns, knownStart: true, lastNs: l.ns, places: p,
				lastPlaces: p, fromLogs: true})
		case l.says == saidHeld && l.holder != "":
			k := slices.IndexFunc(all, func(t term) bool { return t.holder == l.holder })
			if last >= 0 && all[last].holder == l.holder {
				continue
			}
			if k < 0 || k < last && l.ns > all[last].fromNs+staleNewsNs {
				all = append(all, term{holder: l.holder, fromNs: l.ns, knownStart: last >= 0, lastNs: l.ns, places: p,
					lastPlaces: p, fromLogs: true, readOnly: true})
			}
		}
	}
	return all
}

// beyond adds the terms that only the electors' logs show, because the files about the Lease begin later or end
// earlier. Between their first and their last write, the files would show an acquisition, so a log adds none there.
// After the last write, a read by its holder that another one holds the Lease shows a term, too.
func beyond(terms []term, lines []logLine) []term {
	first, last, holder := terms[0].fromNs, terms[len(terms)-1].lastNs, terms[len(terms)-1].holder
	acquired := slices.DeleteFunc(slices.Clone(lines), func(l logLine) bool {
		return l.says != saidAcquired && (l.says != saidHeld || l.node != holder || l.ns < last+fitNs)
	})
	var before []term
	for _, t := range termsOfLogs(acquired) {
		isNew := len(before) == 0 || before[len(before)-1].holder != t.holder
		switch {
		case isNew && (t.fromNs < first-fitNs || t.fromNs < first && !terms[0].knownStart):
			before = append(before, t)
		case t.fromNs > last && terms[len(terms)-1].holder != t.holder:
			terms[len(terms)-1].fromLogs = true // only logs show how it ended
			terms = append(terms, t)
		}
	}
	if n := len(before); n > 0 && before[n-1].holder == terms[0].holder {
		// The same term, which the files about the Lease show from its middle on.
		terms[0].fromNs, terms[0].places, terms[0].knownStart = before[n-1].fromNs, before[n-1].places, true
		before = before[:n-1]
	}
	if t := &terms[0]; len(before) > 0 && !t.knownStart && t.acquiredNs != 0 {
		t.fromNs, t.unseen, t.knownStart = max(t.acquiredNs, before[len(before)-1].fromNs), true, true
	}
	return append(before, terms...)
}

// splitAgain divides a term in which the holder lost the Lease and acquired it again: nobody else had taken it, so the
// Lease shows no change. The holder's log does.
func splitAgain(terms []term, lines []logLine) []term {
	lost := map[string]int64{}
	for i := range lines {
		l := &lines[i]
		lostNs := lost[l.node]
		switch {
		case l.says == saidLost:
			lost[l.node] = l.ns
			continue
		case l.says != saidAcquired || lostNs == 0:
			continue
		}
		delete(lost, l.node)
		k := slices.IndexFunc(terms, func(t term) bool {
			return t.holder == l.node && !t.fromLogs && t.fromNs < lostNs && lostNs < t.lastNs
		})
		if k < 0 {
			continue
		}
		t := &terms[k]
		at, _ := slices.BinarySearch(t.renewals, lostNs)
		if at == 0 || at == len(t.renewals) || t.renewals[at] > l.ns+fitNs {
			continue
		}
		next := *t
		next.again, next.knownStart, next.edit, next.unseen, next.lacks = true, true, nil, false, false
		cut, _ := slices.BinarySearch(t.cuts, at)
		next.cuts = nil
		for _, k := range t.cuts[cut:] {
			next.cuts = append(next.cuts, k-at)
		}
		t.cuts = t.cuts[:cut:cut]
		next.fromNs, next.renewals, next.places = t.renewals[at], t.renewals[at:], []Place{l.place}
		t.lastNs, t.renewals, t.lastPlaces = t.renewals[at-1], t.renewals[:at:at], t.places
		t.ended, t.releasedNs, t.endedBy, t.endPlaces = ranOut, 0, nil, nil
		terms = slices.Insert(terms, k+1, next)
	}
	return terms
}

// stopsOf sets the end of each term according to its holder's log. With releaseOnCancel, an elector that could not
// renew tries to release the Lease, and its work goes on until that attempt ends. So a failed request right after the
// loss is the end: a request lasts for half a renewDeadline at most. A line "attempting to acquire" belongs to a new
// process, and a process may log its end in several words.
func stopsOf(terms []term, lines []logLine, deadlineNs int64) {
	current := map[string]*term{}
	for i := range lines {
		l := &lines[i]
		t := current[l.node]
		switch {
		case l.says == saidLost:
			begun, _ := slices.BinarySearchFunc(terms, l.ns+1+max(0, l.errorNs),
				func(t term, ns int64) int { return cmp.Compare(t.fromNs, ns) })
			for begun--; begun >= 0 && terms[begun].holder != l.node; begun-- {
			}
			if begun < 0 {
				continue
			}
			if same := t == &terms[begun]; !same && terms[begun].lostNs != 0 {
				continue
			}
			t = &terms[begun]
			if current[l.node] = t; t.lostNs == 0 {
				t.lostNs, t.lostPlaces = l.ns, []Place{l.place}
			}
		case t == nil:
			continue
		case l.says == saidFailed && !l.follows && l.ns <= t.lostNs+deadlineNs/2+fitNs:
			t.tried = cmp.Or(l.failure, "the log gives no reason")
		case l.says == saidReleased:
		default:
			if t.tried != "" && (l.says == saidHeld || l.follows) {
				// The log lacks the line "attempting to acquire". So the failed request may come after it, too.
				t.tried, t.stopNs, t.stopPlaces = "", t.lostNs, t.lostPlaces
			}
			delete(current, l.node)
			continue
		}
		t.stopNs, t.stopErrNs, t.stopPlaces = l.ns, l.errorNs, append(slices.Clip(t.stopPlaces), l.place)
	}
}

// cut reports whether the files lack a write right before a renewal.
func (t *term) cut(renewal int) bool {
	_, is := slices.BinarySearch(t.cuts, renewal)
	return is
}

// `intervals` lists the times between renewals over all terms, shortest first. It leaves out the first interval of a
// term if it is very short: an elector renews at once after it acquires the Lease.
func intervals(terms []term) []int64 {
	most := 0
	for i := range terms {
		most += len(terms[i].renewals)
	}
	all := make([]int64, 0, most)
	for i := range terms {
		r := terms[i].renewals
		for k := 1; k < len(r); k++ {
			if k == 1 && r[1]-r[0] < firstRenewalNs {
				continue // an elector renews at once after acquiring
			}
			if terms[i].cut(k) {
				continue
			}
			all = append(all, r[k]-r[k-1])
		}
	}
	slices.Sort(all)
	return all
}

// quantile returns the value below which the given share of the sorted values lies; share 1 gives the greatest value.
// Without values it returns 0.
func quantile(sorted []int64, share float64) int64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(len(sorted)-1, int(share*float64(len(sorted))))]
}

// getsOf lists the reads in order.
func getsOf(m *material, j *joinedWrites) []get {
	gets := m.gets.all()
	for i := range gets {
		g := &gets[i]
		g.ns, g.by, g.exact = j.atServer(g.stageNs, g.version), "", j.apartNs == 0 || g.version != 0
		if missing := g.code == 404; missing && j.apartNs > 0 { // before the first write
			g.ns, g.exact = min(g.ns, j.writes[0].ns), true
		}
	}
	slices.SortStableFunc(gets, func(a, b get) int { return cmp.Compare(a.ns, b.ns) })
	return gets
}

// attribute finds the sender of each get: the only candidate that ever wrote through that client, or the candidate
// whose log mentions the answer. A wrong name would do more harm than no name: a stranger's read could "prove" that
// the old leader was alive.
func attribute(gets []get, writes []write, lines []logLine) (unattributed int) {
	owners := map[string]map[string]bool{}
	identities := map[string]bool{}
	for i := range writes {
		w := &writes[i]
		if identities[w.holder] = true; w.by.client == "" || w.holder == "" || w.by.isTool() {
			continue
		}
		if owners[w.by.client] == nil {
			owners[w.by.client] = map[string]bool{}
		}
		owners[w.by.client][w.holder] = true
	}
	for i := range gets {
		g := &gets[i]
		// Even if only one candidate wrote through this client, that proves nothing: others may use it without ever
		// writing.
		if of := owners[g.from.client]; len(of) == 1 && len(owners) > 1 && len(identities) > 1 {
			for name := range of {
				g.by = name
			}
		}
	}
	matchLines(gets, lines)
	for i := range gets {
		unattributed += int(boolNs(gets[i].by == ""))
	}
	return unattributed
}

// matchLines finds the candidates whose logs mention the answers of gets. The closest pairs of a get and a line come
// first, and each get and each line has one partner. A log whose clock is uncertain has none.
func matchLines(gets []get, lines []logLine) {
	type pair struct {
		get, line int32
		apartNs   int64
	}
	var pairs []pair
	first := 0
	for i := range lines {
		l := &lines[i]
		if l.says != saidHeld || l.errorNs < 0 || l.errorNs > nearReadNs {
			continue
		}
		for first < len(gets) && gets[first].ns < l.ns-nearReadNs {
			first++
		}
		for k := first; k < len(gets) && gets[k].ns <= l.ns+nearReadNs; k++ {
			if g := &gets[k]; g.exact && g.by == "" && (g.holder == "" || l.holder == "" || g.holder == l.holder) {
				pairs = append(pairs, pair{int32(k), int32(i), max(g.ns-l.ns, l.ns-g.ns)})
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(a.apartNs, b.apartNs) })
	used := map[int32]bool{}
	for _, p := range pairs {
		if g := &gets[p.get]; g.by == "" && !used[p.line] {
			g.by, used[p.line] = lines[p.line].node, true
		}
	}
}

// `even` finds reads that come exactly one retryPeriod apart, like a leader's attempts. A follower adds jitter to its
// waits, so four evenly spaced reads in a row (evenLeast) are unlikely to come from a follower.
func even(gets []get, retryNs, fromNs, toNs int64) []get {
	// `follows` returns the index of the next attempt by the sender of read k, or len(gets)
	follows := func(k int) int {
		due := gets[k].ns + retryNs
		if rest := from(gets[k+1:], due-evenNs, (*get).atNs); len(rest) > 0 && rest[0].ns <= due+evenNs {
			return len(gets) - len(rest)
		}
		return len(gets)
	}
	first, longest := 0, 0
	for i := len(gets) - len(from(gets, fromNs, (*get).atNs)); i < len(gets) && gets[i].ns <= toNs; i++ {
		length := 0
		for k := i; k < len(gets); k = follows(k) {
			length++
		}
		if length > longest {
			first, longest = i, length
		}
	}
	if longest < evenLeast {
		return nil
	}
	chain := make([]get, 0, longest)
	for k := first; k < len(gets); k = follows(k) {
		chain = append(chain, gets[k])
	}
	return chain
}
