package evidence

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"time"
)

// A log does not say under which identity its candidate competes. client-go's default is HOSTNAME_UUID, with a new
// UUID for each process; others use the pod's name, or anything. identity.go finds the identity of each process from
// what its log says: the time at which it acquired the Lease is also in the Lease, as acquireTime, by the same clock.
// Only if the log shows no acquisition does the name of the pod or the file decide.

// speaker is what wrote the lines of a log: a pod, or a file, and klog's process number if the lines have one.
type speaker struct {
	speakerKey
	names    []string // of the pod, the host, the file and its folders
	lastLock string   // lock that a line named; later lines may name none
}

type speakerKey struct {
	file         int32
	pod, process string
}

// speaker returns the number of the speaker of a line.
func (r *Reader) speaker(f *file, o *origin) int32 {
	key := speakerKey{file: f.number, process: o.process}
	if len(o.names) > 0 {
		key.pod = o.names[0]
	}
	n, known := r.speaking[key]
	if !known {
		n = int32(len(r.speakers))
		one := &speaker{speakerKey: speakerKey{key.file, r.words.of([]byte(key.pod)), r.words.of([]byte(key.process))}}
		names := slices.Clone(o.names)
		for _, name := range o.names {
			names = append(names, namesOfPath(name)...) // of a tag such as kube.var.log.containers.POD_NAMESPACE_…
		}
		for _, name := range append(names, namesOfPath(f.name)...) {
			if name = r.words.of([]byte(name)); !slices.Contains(one.names, name) {
				one.names = append(one.names, name)
			}
		}
		r.speakers = append(r.speakers, one)
		r.speaking[one.speakerKey] = n
	}
	return n
}

// chosen returns the name that the user gave to the file's candidate.
func (r *Reader) chosen(f *file) string {
	return cmp.Or(r.options.Nodes[f.name], r.options.Nodes[base(f.name)])
}

// plainName returns the name of a speaker whose identity nothing shows: the pod's name, else the file's stem.
func (r *Reader) plainName(s *speaker) string {
	return cmp.Or(r.chosen(r.files[s.file]), s.pod, s.names[0])
}

func base(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

// life is the lines of one process: client-go logs its attempt to acquire at the start.
type life struct {
	speaker  int32
	lines    []*logLine
	acquired []*logLine
	held     map[string]bool // whom it read as the holder
	follows  int64           // when it last followed, by its clock; 0 if its log does not say
	identity string
	by       foundBy
}

// lineKey identifies a line that several files may have.
type lineKey struct {
	node string
	atNs int64
	saying
}

// foundBy says what shows the identity of a process.
type foundBy uint8

const (
	byNothing foundBy = iota
	byLease           // its acquisitions, which the Lease shows
	byReaders         // the logs of others, which name it after its acquisition
	byName            // its name
	byHost            // its name, without the UUID of its process
)

// identify gives each log line of the Lease to a candidate. It returns a Problem for each log that it cannot give to
// anybody.
func (r *Reader) identify(m *material) (lives []*life, problems []Problem) {
	all := m.lines.all()
	bySpeaker := map[int32][]*logLine{}
	var speakers []int32
	for i := range all {
		l := &all[i]
		if l.traced {
			continue
		}
		if l.refused, l.begins = false, false; bySpeaker[l.speaker] == nil {
			speakers = append(speakers, l.speaker)
		}
		bySpeaker[l.speaker] = append(bySpeaker[l.speaker], l)
	}
	acquired, known, since := acquisitionsOf(m)
	for _, n := range speakers {
		lines := bySpeaker[n]
		sort.SliceStable(lines, func(i, k int) bool { return lines[i].ns < lines[k].ns })
		one := livesOf(n, lines)
		for _, l := range one {
			l.match(acquired)
		}
		if bad, why := contradiction(one); bad != nil {
			for _, l := range lines {
				l.refused = true
			}
			problems = append(problems, Problem{File: r.files[bad.place.file].name, Line: int(bad.place.line),
				Says: why + ": the file mixes the logs of several electors and does not name them, so the report " +
					"leaves them out; give one file for each pod, or kubectl logs --prefix"})
			continue
		}
		lives = append(lives, one...)
	}
	hosts := r.hostsOf(lives)
	for _, l := range lives {
		if name := r.chosen(r.files[r.speakers[l.speaker].file]); known[name] {
			l.identity, l.by = name, byName
		} else if l.identity == "" {
			r.nameAfter(l, known, since, hosts[r.placeOf(l)])
		}
	}
	if len(acquired) == 0 {
		matchReaders(lives)
	}
	for i, l := range lives {
		// An elector that lost the Lease may begin again in its process. A container's process is always number 1.
		if i > 0 && lives[i-1].speaker == l.speaker && l.by != byLease && l.by != byReaders &&
			len(r.speakers[l.speaker].process) > 1 {
			l.identity, l.by = lives[i-1].identity, lives[i-1].by
		}
	}
	r.separate(lives)
	r.markStarts(lives)
	filesOf := map[string][]int32{} // by identity
	for _, l := range lives {
		if file := r.speakers[l.speaker].file; !slices.Contains(filesOf[l.identity], file) {
			filesOf[l.identity] = append(filesOf[l.identity], file)
		}
	}
	seen := map[lineKey]bool{}
	for _, l := range lives {
		for _, line := range l.lines {
			line.voice = m.voice(voiceKey{l.identity, true})
			if len(filesOf[l.identity]) < 2 {
				continue
			}
			same := lineKey{line.node, line.ns, *line.saying}
			line.refused, seen[same] = seen[same], true // another copy of the same log
		}
		if len(l.acquired) > 0 && l.by == byNothing && len(acquired) > 0 {
			first := l.acquired[0]
			problems = append(problems, Problem{File: r.files[first.place.file].name, Line: int(first.place.line),
				Says: fmt.Sprintf("the log says that its candidate acquired %s, but no write in these files matches. "+
					"The report calls it %s. If it belongs to a candidate, say so with --node NAME=FILE",
					m.name, l.identity)})
		}
	}
	for _, l := range lives {
		l.lines, l.acquired = nil, nil // alignLogs moves the lines
	}
	return lives, problems
}

// markStarts marks the first line of each process that another process of the same candidate came before: the same
// speaker wrote both, or klog numbers them.
func (r *Reader) markStarts(lives []*life) {
	before := map[string]string{} // the process number of each identity's latest process
	for i, l := range lives {
		process := r.speakers[l.speaker].process
		earlier, known := before[l.identity]
		l.lines[0].begins = i > 0 && lives[i-1].speaker == l.speaker ||
			known && earlier != process && earlier != "" && process != ""
		before[l.identity] = process
	}
}

// placeOf returns where a process wrote its log, without its number: a restarted process has the same place.
func (r *Reader) placeOf(l *life) speakerKey {
	s := r.speakers[l.speaker]
	return speakerKey{file: s.file, pod: s.pod}
}

// hostsOf returns the host of each log whose identities have the same host: it names the other processes of the log.
func (r *Reader) hostsOf(lives []*life) map[speakerKey]string {
	hosts := map[speakerKey]string{}
	for _, l := range lives {
		if l.by != byLease || hostOf(l.identity) == l.identity {
			continue // without a UUID, a restarted process has the same identity, and its name or its log shows it
		}
		if host, known := hosts[r.placeOf(l)]; !known {
			hosts[r.placeOf(l)] = hostOf(l.identity)
		} else if host != hostOf(l.identity) {
			hosts[r.placeOf(l)] = "" // the file has several
		}
	}
	return hosts
}

// acquisition is a time at which a candidate acquired the Lease, by its own clock.
type acquisition struct {
	identity string
	ns       int64
}

// acquisitionsOf lists the acquisitions that the Lease shows, all identities that the files name, and since when each
// of them held the Lease.
func acquisitionsOf(m *material) (all []acquisition, known map[string]bool, since map[string]int64) {
	known, since = map[string]bool{}, map[string]int64{}
	see := func(holder string, ns int64) {
		if known[holder] = true; since[holder] == 0 || ns < since[holder] {
			since[holder] = ns
		}
	}
	seen := map[acquisition]bool{}
	for i, writes := 0, m.writes.all(); i < len(writes); i++ {
		w := &writes[i]
		if w.holder == "" {
			continue
		}
		see(w.holder, cmp.Or(w.acquireNs, w.atNs))
		if one := (acquisition{w.holder, w.acquireNs}); w.acquireNs != 0 && !seen[one] {
			seen[one] = true
			all = append(all, one)
		}
	}
	for i, attempts := 0, m.attempts.all(); i < len(attempts); i++ {
		known[attempts[i].holder] = true
	}
	for i, lines := 0, m.lines.all(); i < len(lines); i++ {
		see(lines[i].holder, lines[i].ns)
	}
	delete(known, "")
	return all, known, since
}

// livesOf divides the lines of a speaker into processes. A leader does not try to acquire the Lease. So a line that
// says this belongs to the next process, and the reads right before that line do, too.
func livesOf(speaker int32, lines []*logLine) (all []*life) {
	for i := len(lines) - 1; i >= 0; i-- {
		l := lines[i]
		if l.follows = l.follows || l.says == saidFollows; !l.follows && i+1 < len(lines) && lines[i+1].follows {
			l.follows = l.says == saidHeld || l.says == saidFailed && lines[i+1].ns-l.ns < nearReadNs
		}
	}
	from := 0
	for i, l := range lines {
		if len(all) == 0 || l.says == saidAttempt || l.follows && len(all[len(all)-1].acquired) > 0 {
			from, all = i, append(all, &life{speaker: speaker, held: map[string]bool{}})
		}
		one := all[len(all)-1]
		if l.follows {
			one.follows = l.ns
		}
		switch one.lines = lines[from : i+1]; {
		case l.says == saidAcquired:
			one.acquired = append(one.acquired, l)
		case l.says == saidHeld && l.holder != "":
			one.held[l.holder] = true
		}
	}
	return all
}

// contradiction finds a line that one process cannot have written after the lines before it: a leader does not acquire
// again, or read right after its acquisition that another holds the Lease; a follower does not lose the Lease. A new
// process of the same pod does not read that the old one holds the Lease, unless each has a UUID.
func contradiction(lives []*life) (*logLine, string) {
	var leads *logLine
	host, taken := "", false
	for i, one := range lives {
		if i > 0 && one.lines[0].ns-lives[i-1].lines[0].ns < restartNs && !lives[i-1].troubled() {
			return one.lines[0], "two processes start within 5 s here"
		}
		if one.by == byLease {
			if now := hostOf(one.identity); host != "" && now != host {
				return one.lines[0], "this line and the lines before it belong to two candidates"
			}
			host = hostOf(one.identity)
		}
		follows, begins := false, one.lines[0].says == saidAttempt // a rotated log may begin with a leader
		for _, l := range one.lines {
			soon := leads != nil && !taken && l.ns > leads.ns && l.ns-leads.ns < soonNs
			restarted := leads != nil && !slices.Contains(one.acquired, leads)
			switch {
			case l.says == saidAcquired && leads != nil && !restarted && l.ns-leads.ns > int64(time.Second):
				return l, "this line says that the candidate acquired the Lease that it already holds"
			case l.says == saidAcquired:
				leads, follows, taken = l, false, false
			case l.says == saidHeld && soon && !(restarted && hostOf(l.holder) != l.holder):
				return l, "a candidate that has just acquired the Lease reads here that another holds it"
			case l.says == saidHeld:
				follows = leads == nil && begins || restarted
			case l.says == saidLost && follows:
				return l, "a candidate that does not lead loses the Lease here"
			case l.says == saidLost, l.says == saidReleased:
				leads, follows = nil, false
			case l.missing(), l.replaced():
				taken = true // a client deleted the Lease, so another candidate may hold it at once
			}
		}
	}
	return nil, ""
}

// troubled reports whether a process logged a failure or the loss of the Lease, after which it may start again at once.
func (l *life) troubled() bool {
	return slices.ContainsFunc(l.lines, func(line *logLine) bool {
		return line.says == saidLost || line.says == saidReleased || line.says == saidFailed
	})
}

// hostOf returns an identity without the UUID that client-go's default adds for each process.
func hostOf(identity string) string {
	const uuid = len("123e4567-e89b-12d3-a456-426614174000")
	if n := len(identity) - uuid - 1; n > 0 && (identity[n] == '_' || identity[n] == '-') &&
		strings.Count(identity[n+1:], "-") == 4 {
		return identity[:n]
	}
	return identity
}

// soonNs is how long a candidate surely holds the Lease that it has acquired: nobody else takes it before
// leaseDuration has passed.
const soonNs = int64(10 * time.Second)

// restartNs is the least time between the starts of a process and of the next one in the same place.
const restartNs = int64(5 * time.Second)

// match finds the identity whose acquisitions are the log's. The log line follows acquireTime after one request.
func (l *life) match(acquired []acquisition) {
	const before, after = int64(time.Second), int64(5500 * time.Millisecond)
	var fits []string
	for i, line := range l.acquired {
		var now []string
		for _, a := range acquired {
			if d := line.ns - a.ns; d >= -before && d <= after && !l.held[a.identity] &&
				(i == 0 || slices.Contains(fits, a.identity)) {
				now = append(now, a.identity)
			}
		}
		if len(now) == 0 && i > 0 {
			continue // the files may not show all acquisitions
		}
		fits = now
	}
	slices.Sort(fits)
	if fits = slices.Compact(fits); len(fits) == 1 {
		l.identity, l.by = fits[0], byLease
	}
}

// matchReaders finds identities without the Lease: soon after a candidate acquired it, the logs of others name a new
// holder. That also disproves the name of a file: node-b.log does not belong to node-b, if others first name node-b at
// another time.
func matchReaders(lives []*life) {
	first := map[string]*logLine{}
	for _, l := range lives {
		for _, line := range l.lines {
			if h := line.holder; h != "" && line.says == saidHeld && (first[h] == nil || line.ns < first[h].ns) {
				first[h] = line
			}
		}
	}
	const before, after = int64(time.Second), int64(5 * time.Second) // a follower looks every 2 s to 4.4 s
	// `wait` returns how long after an acquisition of a process others first named a holder, or -1.
	wait := func(l *life, holder string) int64 {
		line := first[holder]
		for k := len(l.acquired) - 1; k >= 0 && line != nil && !l.held[holder]; k-- {
			if d := line.ns - l.acquired[k].ns + before; d >= 0 && d <= before+after {
				return d
			}
		}
		return -1
	}
	claims := map[*life][]string{}
	for _, holder := range slices.Sorted(maps.Keys(first)) {
		var best *life
		for _, l := range lives {
			if d := wait(l, holder); d >= 0 && (best == nil || d < wait(best, holder)) {
				best = l
			}
		}
		if best != nil {
			claims[best] = append(claims[best], holder)
		}
	}
	for _, l := range lives {
		named := l.by == byName && (len(l.acquired) == 0 || first[l.identity] == nil || wait(l, l.identity) >= 0)
		if of := claims[l]; len(of) == 1 && !named {
			l.identity, l.by = of[0], byReaders
		}
	}
}

// nameAfter names a process by the name of its pod or file: a known identity, or the only one that has the name as its
// host. A process with a UUID of which the files show nothing gets the name itself.
func (r *Reader) nameAfter(l *life, known map[string]bool, since map[string]int64, host string) {
	s := r.speakers[l.speaker]
	names := s.names
	if name := cmp.Or(r.chosen(r.files[s.file]), host); name != "" {
		names = []string{name}
	}
	for _, name := range names {
		if known[name] && !l.held[name] {
			l.identity, l.by = name, byName
			return
		}
	}
	if l.identity = cmp.Or(host, r.plainName(s)); known[l.identity] {
		l.identity = base(r.files[s.file].name) // it reads that the candidate of its name is another
	}
	for _, name := range names {
		var of []string
		for id := range known {
			if rest, is := strings.CutPrefix(id, name); is && len(rest) > 1 && (rest[0] == '_' ||
				rest[0] == '-' && len(rest) == len("-123e4567-e89b-12d3-a456-426614174000")) {
				of = append(of, id)
			}
		}
		// A process with a UUID leads once. After that, it does not follow.
		if len(of) == 1 && !l.held[of[0]] && (since[of[0]] == 0 || l.follows < since[of[0]]+soonNs) {
			l.identity, l.by = of[0], byName
			return
		}
		if len(of) > 0 {
			l.by = byHost
			return
		}
	}
}

// separate keeps a process that nothing names apart from the others that ran at the same time and log to the same
// file: klog numbers them.
func (r *Reader) separate(lives []*life) {
	for _, l := range lives {
		if s := r.speakers[l.speaker]; l.by == byNothing && s.pod == "" && r.beside(l, lives) {
			l.identity += " process " + s.process
		}
	}
}

// beside reports whether another process logs to the same place during this one.
func (r *Reader) beside(l *life, lives []*life) bool {
	return slices.ContainsFunc(lives, func(o *life) bool {
		return o.speaker != l.speaker && r.placeOf(o) == r.placeOf(l) &&
			l.lines[0].ns < o.lines[len(o.lines)-1].ns && o.lines[0].ns < l.lines[len(l.lines)-1].ns
	})
}
