package evidence

import (
	"cmp"
	"slices"
)

// term is a period in which the Lease named one candidate.
type term struct {
	holder     string
	fromNs     int64
	knownStart bool
	renewals   []int64 // instants of the term's writes, including the first
	lastNs     int64   // the last known renewal
	releasedNs int64   // 0 if not seen
	deleted    bool    // deleted instead of released
	stopNs     int64   // when the holder's log says that the holder stopped leading; 0 if not seen
	places     []Place // lines that show the start of the term
	lastPlaces []Place
	stopPlaces []Place
	fromLogs   bool
}

// termsOf divides the writes into terms. A write with the same holder as the current term is a renewal. A write with
// another holder begins a term, and a write without a holder is a release. If the same holder acquires the Lease
// again after a release, that begins a new term.
func termsOf(writes []write) []term {
	var all []term
	for i := range writes {
		w := &writes[i]
		last := len(all) - 1
		switch {
		case w.holder == "":
			if last >= 0 && all[last].releasedNs == 0 {
				all[last].releasedNs, all[last].stopPlaces, all[last].deleted = w.ns, w.places, w.deleted
			}
		case last >= 0 && all[last].holder == w.holder && all[last].releasedNs == 0:
			all[last].renewals = append(all[last].renewals, w.ns)
			all[last].lastNs, all[last].lastPlaces = w.ns, w.places
		default:
			// The first write in the evidence begins a term only if it acquired the Lease.
			acquired := w.acquireNs != 0 && w.acquireNs == w.renewNs || w.created
			all = append(all, term{
				holder: w.holder, fromNs: w.ns, knownStart: last >= 0 || acquired, renewals: []int64{w.ns},
				lastNs: w.ns,
				places: w.places, lastPlaces: w.places,
			})
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
					all[last].places = append(all[last].places, l.place)
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
					lastPlaces: p, fromLogs: true})
			}
		}
	}
	return all
}

// stopsOf sets the end of each term according to its holder's log.
func stopsOf(terms []term, lines []logLine) {
	for i := range lines {
		l := &lines[i]
		if l.says != saidLost {
			continue
		}
		begun, _ := slices.BinarySearchFunc(terms, l.ns+1,
			func(t term, ns int64) int { return cmp.Compare(t.fromNs, ns) })
		for k := begun - 1; k >= 0; k-- {
			if t := &terms[k]; t.holder == l.node {
				if t.stopNs == 0 {
					t.stopNs, t.stopPlaces = l.ns, append(t.stopPlaces, l.place)
				}
				break
			}
		}
	}
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

// attribute finds the sender of each get: the only candidate that ever wrote through that client, or the candidate
// whose log mentions the answer. A wrong name would do more harm than no name: a stranger's read could "prove" that
// the old leader was alive.
func attribute(m *material, writes []write, lines []logLine) (gets []get, unattributed int) {
	owners := map[string]map[string]bool{}
	for i := range writes {
		if w := &writes[i]; w.client != "" && w.holder != "" {
			if owners[w.client] == nil {
				owners[w.client] = map[string]bool{}
			}
			owners[w.client][w.holder] = true
		}
	}
	identities := map[string]bool{}
	for i := range writes {
		identities[writes[i].holder] = true
	}
	gets = m.gets.all()
	slices.SortStableFunc(gets, func(a, b get) int { return cmp.Compare(a.stageNs, b.stageNs) })
	used := map[Place]bool{}
	for i := range gets {
		g := &gets[i]
		g.ns, g.by = g.stageNs, ""
		// Even if only one candidate wrote through this client, that proves nothing: others may use it without ever
		// writing.
		if of := owners[g.client]; len(of) == 1 && len(owners) > 1 && len(identities) > 1 {
			for name := range of {
				g.by = name
			}
			continue
		}
		g.by = readerOf(g.ns, lines, used)
		if g.by == "" {
			unattributed++
		}
	}
	return gets, unattributed + m.unnamed
}

// readerOf finds the candidate that sent a get. Of the log lines that mention the get's answer, it takes the closest
// in time. It uses each line for only one get.
func readerOf(ns int64, lines []logLine, used map[Place]bool) string {
	best, least := -1, nearReadNs
	from, _ := slices.BinarySearchFunc(lines, ns-nearReadNs,
		func(l logLine, ns int64) int { return cmp.Compare(l.ns, ns) })
	for k := from; k < len(lines) && lines[k].ns <= ns+nearReadNs; k++ {
		l := &lines[k]
		if d := max(l.ns-ns, ns-l.ns); l.says == saidHeld && !used[l.place] && d < least {
			best, least = k, d
		}
	}
	if best < 0 {
		return ""
	}
	used[lines[best].place] = true
	return lines[best].node
}

// `even` finds reads that come exactly one retryPeriod apart, like a leader's attempts. A follower adds jitter to its
// waits, so four evenly spaced reads in a row (evenLeast) are unlikely to come from a follower.
func even(gets []get, retryNs, fromNs, toNs int64) []get {
	// `follows` returns the index of the next attempt by the sender of read k, or len(gets)
	follows := func(k int) int {
		due := gets[k].ns + retryNs
		next, _ := slices.BinarySearchFunc(gets[k+1:], due-evenNs,
			func(g get, ns int64) int { return cmp.Compare(g.ns, ns) })
		if k += 1 + next; k < len(gets) && gets[k].ns <= due+evenNs {
			return k
		}
		return len(gets)
	}
	first, longest := 0, 0
	i, _ := slices.BinarySearchFunc(gets, fromNs, func(g get, ns int64) int { return cmp.Compare(g.ns, ns) })
	for ; i < len(gets) && gets[i].ns <= toNs; i++ {
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
