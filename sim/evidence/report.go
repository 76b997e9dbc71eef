package evidence

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/leaselab/leaselab/sim/run/history"
)

// Report contains what the evidence shows. `leaselab import -o json` prints it.
type Report struct {
	Leases   []LeaseReport `json:"leases"`
	Files    []FileReport  `json:"files"`
	Problems []Problem     `json:"problems,omitempty" jsonschema:"the first 20 unreadable lines, and where it stopped"`
	// ProblemCount counts all unreadable lines.
	ProblemCount int `json:"problemCount,omitempty"`
}

// FileReport says how leaselab understood a file.
type FileReport struct {
	Name    string         `json:"name"`
	Lines   int            `json:"lines"`
	Records map[string]int `json:"records" jsonschema:"records of each kind: audit, watch, klog, lease or trace"`
	Skipped int            `json:"skipped,omitempty" jsonschema:"records of other kinds"`
	Node    string         `json:"node,omitempty" jsonschema:"the candidate whose log it is"`
	Says    string         `json:"says,omitempty"`
	Run     *EqualRun      `json:"run,omitempty"`
	Unequal error          `json:"-"` // why the trace of a run has no Run
	Broken  string         `json:"-"` // why the rest of the file is unreadable
}

// EqualRun is the run that a trace file records. Every record in the file matches the engine's run, and so does the
// hash.
type EqualRun struct {
	Scenario string `json:"scenario"`
	Seed     uint64 `json:"seed"`
	Engine   int    `json:"engine"`
	Hash     string `json:"hash"`
	Records  int    `json:"records"`

	Traced history.Traced `json:"-"`
}

// Sentence says that the trace file called name matches this run.
func (r *EqualRun) Sentence(name string) string {
	return fmt.Sprintf("%s reproduces exactly the same run: %s, seed %d, engine %d, trace hash %s, %d records.", name,
		r.Scenario, r.Seed, r.Engine, r.Hash, r.Records)
}

// LeaseReport is the timeline of one Lease. Cause and Confidence are about its worst leader change: an overlap is
// worse than a loss, and a loss is worse than a release. The fields that are not in the JSON are for the chart, the
// history and the verdict.
type LeaseReport struct {
	Name          string     `json:"name" jsonschema:"namespace/name"`
	LeaderChanges []Change   `json:"leaderChanges"`
	Gaps          []Gap      `json:"gaps" jsonschema:"nobody renewed, from the last renewal to the takeover"`
	Leaderless    []Gap      `json:"leaderless,omitempty" jsonschema:"nobody led"`
	Overlaps      []Overlap  `json:"overlaps"`
	Renewals      Renewals   `json:"renewals"`
	Cause         string     `json:"cause" jsonschema:"crash, pause, control plane, and so on; or none"`
	Alternatives  []string   `json:"alternatives,omitempty" jsonschema:"other causes that fit the evidence"`
	Confidence    float64    `json:"confidence" jsonschema:"0 to 1"`
	Evidence      []Finding  `json:"evidence"`
	Unattributed  int        `json:"unattributed" jsonschema:"requests of electors that name no candidate"`
	Limits        []string   `json:"limits" jsonschema:"what the evidence cannot show"`
	Conflicts     []Conflict `json:"conflicts,omitempty"`
	NearExpiries  []Gap      `json:"nearExpiries,omitempty" jsonschema:"renewals later than 2/3 of leaseDuration"`
	Clocks        []Clock    `json:"clocks,omitempty"`
	Settings      []Setting  `json:"settings,omitempty"`
	FromTime      string     `json:"from,omitempty"`
	ToTime        string     `json:"to,omitempty"`
	Stopped       string     `json:"stopped,omitempty" jsonschema:"when the heartbeats of a node stopped"`

	terms   []term
	changes []change
	retryNs int64
	leaseNs int64
	// whether an elector released the Lease or tried to
	releases bool

	miscounts []Violation // without the Lease and the rule
	lives     []*life
	refusals  []Problem // logs that identify gives to nobody

	writes   []write
	attempts []attempt
	gets     []get
	lines    []logLine
	fromNs   int64
	toNs     int64

	stoppedNs int64 // from the last heartbeat to the latest record
}

// Change is a leader change.
type Change struct {
	At    string `json:"at"`
	From  string `json:"from" jsonschema:"empty: the first leader"`
	To    string `json:"to"`
	Cause string `json:"cause,omitempty"`
	// Alternatives means the same as LeaseReport.Alternatives.
	Alternatives []string `json:"alternatives,omitempty"`
	Confidence   float64  `json:"confidence,omitempty"`
	Lines        []string `json:"lines" jsonschema:"file:line"`
	editAt       string   // when another client than an elector wrote, and its lines
	editLines    []string
	Earlier      bool `json:"earlier,omitempty" jsonschema:"only a read shows the holder, so it changed before"`
}

// Causes returns the cause, followed by the causes that the evidence cannot tell from it: "crash, pause or partition".
func (l *LeaseReport) Causes() string { return alternating(l.Cause, l.Alternatives) }

// Causes means the same as LeaseReport.Causes.
func (c *Change) Causes() string { return alternating(c.Cause, c.Alternatives) }

func alternating(cause string, others []string) string {
	if len(others) == 0 {
		return cause
	}
	last := len(others) - 1
	return strings.Join(append([]string{cause}, others[:last]...), ", ") + " or " + others[last]
}

// Gap is a time without a leader, or without a renewal.
type Gap struct {
	From    string   `json:"from"`
	Seconds float64  `json:"seconds"`
	Lines   []string `json:"lines,omitempty"`
}

// Overlap is a time in which several candidates believed that they led. It is at least LeastSeconds long and at most
// Seconds. Basis says where the bounds come from.
type Overlap struct {
	From         string   `json:"from"`
	Seconds      float64  `json:"seconds" jsonschema:"at most"`
	Who          []string `json:"who"`
	LeastSeconds float64  `json:"leastSeconds" jsonschema:"at least"`
	Basis        string   `json:"basis,omitempty"`
	Lines        []string `json:"lines,omitempty"`
	open         bool     // it may have begun earlier
}

// Length says how long the overlap was, as exactly as the evidence allows.
func (o *Overlap) Length() string {
	switch {
	case o.open:
		return fmt.Sprintf("for at least %.3f s", o.Seconds)
	case o.LeastSeconds == o.Seconds:
		return fmt.Sprintf("for %.3f s", o.Seconds)
	case o.LeastSeconds > 0:
		return fmt.Sprintf("for %.3f to %.3f s", o.LeastSeconds, o.Seconds)
	}
	return fmt.Sprintf("for up to %.3f s", o.Seconds)
}

// Renewals describes the intervals between a leader's renewals. P50Seconds is close to retryPeriod in a healthy
// cluster; MaxSeconds near leaseDuration is a warning.
type Renewals struct {
	Count      int     `json:"count"`
	P50Seconds float64 `json:"p50Seconds"`
	MaxSeconds float64 `json:"maxSeconds"`
}

// Finding is a sentence with the lines that prove it.
type Finding struct {
	Says  string   `json:"says"`
	At    string   `json:"at,omitempty"`
	Lines []string `json:"lines,omitempty"`
}

// Conflict is a write that the store refused.
type Conflict struct {
	At    string   `json:"at"`
	Who   string   `json:"who"`
	Code  int64    `json:"code"`
	Lines []string `json:"lines"`
}

// Clock says how much a source's clock differs from the timeline's. An offset of minutes is worth investigating by
// itself.
type Clock struct {
	Source       string  `json:"source"`
	Offset       float64 `json:"offsetSeconds" jsonschema:"added to the source's instants"`
	ErrorSeconds float64 `json:"errorSeconds" jsonschema:"-1: unknown"`
	By           string  `json:"by"`
}

// Setting is an elector's setting as seen in the evidence.
type Setting struct {
	Name       string  `json:"name"`
	Value      string  `json:"value"`
	Confidence float64 `json:"confidence"`
	By         string  `json:"by"`
}

// Report reports on everything that the Reader has read so far. The caller may go on feeding the Reader.
func (r *Reader) Report() Report {
	out := Report{Leases: []LeaseReport{}, Problems: slices.Clone(r.problems), ProblemCount: r.unreadable}
	r.adopt()
	var names []string
	for name := range r.found {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		m := r.found[name]
		if name == "" && len(names) > 1 ||
			m.writes.len()+m.lines.len()+m.attempts.len()+m.coarse.len()+m.unnamed == 0 {
			continue // only reads, or messages without a Lease
		}
		l := r.leaseReport(m)
		out.Problems = append(out.Problems, l.refusals...)
		out.ProblemCount += len(l.refusals)
		out.Leases = append(out.Leases, l)
	}
	rank(out.Leases)
	out.Files = r.fileReports(out.Leases)
	return out
}

// fileReports says how leaselab understood each file. Of an archive, it lists only the members that say something.
func (r *Reader) fileReports(found []LeaseReport) []FileReport {
	lives := make([][]*life, len(r.files))
	for i := range found {
		for _, l := range found[i].lives {
			file := r.speakers[l.speaker].file
			lives[file] = append(lives[file], l)
		}
	}
	all := []FileReport{}
	// by archive: its number in the report, its members, and how many say nothing
	listed, members, silent := map[*file]int{}, map[*file]int{}, map[*file]int{}
	for i, f := range r.files {
		one := FileReport{Name: f.name, Lines: f.line, Records: map[string]int{}, Skipped: f.others, Run: f.run,
			Unequal: f.unequal, Broken: f.broken}
		total := 0
		for kind, n := range f.records {
			one.Records[string(kind)] = n
			total += n
		}
		if f.archive != nil {
			members[f.archive]++
		}
		if f.archive != nil && total == 0 && f.broken == "" {
			silent[f.archive]++
			continue
		}
		var whose string
		one.Node, whose = candidatesOf(lives[i])
		if one.Says = r.saysOf(f, total, len(found) == 0); one.Says == "" {
			one.Says = whose
		}
		listed[f] = len(all)
		all = append(all, one)
	}
	for f, of := range members {
		one := &all[listed[f]]
		files := "files"
		if of == 1 {
			files = "file"
		}
		switch one.Says = fmt.Sprintf("it has %d %s", of, files); silent[f] {
		case 0:
		case of:
			one.Says += " without a word about a Lease: give the audit log, the Lease or the electors' logs"
		default:
			one.Says += fmt.Sprintf("; %d of them say nothing about a Lease", silent[f])
		}
	}
	return all
}

// saysOf says what a file is, if the Reader understood none of it, or not all. The variable total is the number of its
// records, and nothing says that no file shows a Lease.
func (r *Reader) saysOf(f *file, total int, nothing bool) string {
	kind := f.otherKind
	if f.otherText != "" {
		kind += fmt.Sprintf(" (%s)", f.otherText)
	}
	switch {
	case f.says != "":
		return f.says
	case total == 0 && f.recorded:
		return "it is a record of real programs without their trace, from an older leaselab: leaselab import " +
			f.name + " reads it"
	case total == 0 && f.others == 0 && f.broken == "" && !f.unread:
		if f.line == 0 {
			return "the file is empty"
		}
		return "the file has only blank lines"
	case total == 0 && f.others > 0:
		says := fmt.Sprintf("it says nothing about a Lease; line %d is %s", f.otherLine, kind)
		if f.otherKind == otherText || f.otherKind == otherJSON {
			says += ", which leaselab does not know: give the log as kubectl logs shows it, or what leaselab import " +
				"--help lists"
		}
		return says
	case nothing && total > 0 && (r.options.Lease != "" || r.options.AroundNs != 0):
		return "nothing in it is about the Lease and the time that you named"
	case nothing && f.records[Klog] > 0:
		return "it is a log without a line about an election: give the log of a replica that runs with leader " +
			"election, and kubectl logs --previous, if it restarted"
	case nothing && f.records[Audit] > 0:
		return "it is an audit log without a write of a Lease: its policy needs level Request for leases"
	case f.others > 0:
		if f.others == 1 {
			return fmt.Sprintf("one line is of another kind, line %d: %s", f.otherLine, kind)
		}
		return fmt.Sprintf("%d lines are of other kinds, the first is line %d: %s", f.others, f.otherLine, kind)
	}
	return ""
}

// candidatesOf says whose lines a file has: the candidate, if it is only one, and a sentence, if it is not the
// candidate whose name the file has.
func candidatesOf(lives []*life) (node, says string) {
	var names, unknown []string
	for _, l := range lives {
		if !slices.Contains(names, l.identity) {
			names = append(names, l.identity)
			if l.by == byNothing {
				unknown = append(unknown, l.identity)
			}
		}
	}
	switch slices.Sort(names); {
	case len(names) > 1:
		says = "it has lines of " + strings.Join(names, ", ")
	case len(names) == 1:
		node = names[0]
	}
	if len(unknown) > 0 {
		says += map[bool]string{true: "; ", false: ""}[says != ""] +
			"nothing else names its candidate; the report calls it " + strings.Join(unknown, ", ")
	}
	return node, says
}

// `lines` formats at most four different places as file:line. A reader who wants to check does not need more.
func (r *Reader) lines(places ...Place) []string {
	const most = 4
	all := []string{}
	for _, p := range places {
		if line := fmt.Sprintf("%s:%d", r.files[p.file].name, p.line); len(all) < most && !slices.Contains(all, line) {
			all = append(all, line)
		}
	}
	return all
}

// instantText formats an instant. A source with whole seconds, such as managedFields or an Event, gives a text without
// a fraction.
func instantText(ns int64) string {
	if ns%int64(time.Second) == 0 {
		return time.Unix(0, ns).UTC().Format(time.RFC3339)
	}
	return time.Unix(0, ns).UTC().Format("2006-01-02T15:04:05.000000Z07:00")
}

func seconds(ns int64) float64 { return math.Round(float64(ns)/1e6) / 1e3 }

// leaseReport reports on one Lease, from clocks through terms to causes. Each step needs the previous ones: the terms
// need one clock, retryPeriod needs the terms, a log's offset needs retryPeriod, and the causes need everything.
func (r *Reader) leaseReport(m *material) LeaseReport {
	r.settleYears(m)
	lives, refusals := r.identify(m)
	j := join(m)
	terms := termsOf(&j)
	out := LeaseReport{Name: m.name, LeaderChanges: []Change{}, Gaps: []Gap{}, Overlaps: []Overlap{},
		Evidence: []Finding{}, Limits: []string{}}
	spaced := intervals(terms)
	out.retryNs, out.leaseNs = retryOf(spaced), int64(15*time.Second)
	for i := range j.writes {
		if w := &j.writes[i]; w.duration > 0 && w.holder != "" { // a release sets 1 s
			out.leaseNs = w.duration * int64(time.Second)
		}
	}
	gets := getsOf(m, &j)
	lines, offsets := alignLogs(m, &j, gets, out.retryNs)
	for _, o := range offsets {
		if o.ns != j.clocks[o.source].ns {
			k := slices.IndexFunc(lines, func(l logLine) bool { return l.node == o.source })
			j.sayClock(o, lines[k].place)
		}
	}
	if terms = splitAgain(terms, lines); len(terms) == 0 {
		terms = termsOfLogs(lines)
	} else {
		terms = beyond(terms, lines)
	}
	stopsOf(terms, lines, out.leaseNs*2/3)
	unattributed := attribute(gets, j.writes, lines) + m.unnamed
	attempts := slices.Clone(m.attempts.all())
	for i := range attempts {
		if a := &attempts[i]; j.apartNs > 0 && a.atNs-a.renewNs-j.clocks[a.holder].ns > j.apartNs-serversApartNs {
			a.atNs -= j.apartNs
		}
	}
	slices.SortStableFunc(attempts, func(a, b attempt) int { return cmp.Compare(a.atNs, b.atNs) })
	out.writes, out.attempts, out.gets, out.lines, out.terms = j.writes, attempts, gets, lines, terms
	c := caseOf{LeaseReport: &out, m: m, joined: &j, speakers: r.speakers}
	c.bounds()
	c.index()
	c.compareLogs()
	out.Unattributed, out.miscounts = unattributed, r.miscounts(j.writes)
	out.Renewals = Renewals{Count: len(spaced), P50Seconds: seconds(quantile(spaced, 0.5)),
		MaxSeconds: seconds(quantile(spaced, 1))}
	r.tellChanges(&c)
	r.tellRest(&c, append(j.offsets, offsets...))
	r.tellSettings(&c, spaced)
	out.lives, out.refusals = lives, refusals
	out.Limits = append(out.Limits, c.limits()...)
	r.tellCoarse(&c)
	return out
}

// settleYears gives klog's lines the year of the other evidence. If logs span a New Year, all their lines still get
// the year of the first write.
func (r *Reader) settleYears(m *material) {
	lines := m.lines.all()
	for i := range lines {
		if l := &lines[i]; !l.refused {
			l.ns -= l.movedNs // by an earlier report
		}
	}
	for _, v := range m.voices {
		v.movedNs = 0
	}
	year := r.options.Year
	if writes := m.writes.all(); len(writes) > 0 {
		year = time.Unix(0, writes[0].atNs).UTC().Year()
	}
	for i := range lines {
		if y := time.Unix(0, lines[i].ns).UTC().Year(); y != unsaidYear && m.writes.len() == 0 {
			year = y // of another log, whose lines have it
			break
		}
	}
	if year == 0 {
		return
	}
	for i := range lines {
		if t := time.Unix(0, lines[i].ns).UTC(); t.Year() == unsaidYear && year != unsaidYear {
			lines[i].ns = t.AddDate(year-unsaidYear, 0, 0).UnixNano()
		}
	}
}

// retryOf infers retryPeriod: most renewals come one retryPeriod plus the duration of one request after the previous
// one. It takes the tenth percentile, because the requests there were quick, and rounds it down to a value that a
// person would configure: 2.03 s is 2 s, and 4.98 s is 5 s. With fewer than three intervals it assumes client-go's
// default, 2 s.
func retryOf(spaced []int64) int64 {
	if len(spaced) < intervalsLeast {
		return int64(2 * time.Second)
	}
	return roundRetry(spaced)
}

func roundRetry(spaced []int64) int64 {
	low := quantile(spaced, 0.1)
	unit := int64(500 * time.Millisecond)
	if low < int64(2*time.Second)-unit/5 {
		unit = int64(100 * time.Millisecond)
	}
	return max(unit, low/unit*unit+boolNs(low%unit > unit*9/10)*unit)
}

func boolNs(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// tellChanges finds the cause of each change and adds the changes to the report, with their findings, gaps and
// overlaps. The cause of the worst change becomes the report's own.
func (r *Reader) tellChanges(c *caseOf) {
	out := c.LeaseReport
	c.judgeAll()
	tell := func(all []finding) {
		for _, f := range all {
			out.Evidence = append(out.Evidence,
				Finding{Says: f.says, At: instantText(f.ns), Lines: r.lines(f.places...)})
		}
	}
	tell(c.joined.says)
	for i := range out.changes {
		g := &out.changes[i]
		to := &c.terms[g.term]
		out.LeaderChanges = append(out.LeaderChanges, Change{
			At: instantText(to.fromNs), From: g.from, To: to.holder, Cause: g.cause, Alternatives: g.alternatives,
			Confidence: g.confidence, Lines: r.lines(to.places...), Earlier: to.readOnly,
		})
		if tell(g.findings); g.from == "" {
			continue
		}
		from, told := &c.terms[g.term-1], &out.LeaderChanges[i]
		if told.editAt, told.editLines = told.At, told.Lines; from.ended == edited {
			told.editAt, told.editLines = instantText(from.releasedNs), r.lines(from.endPlaces...)
		}
		gap := func(fromNs int64, places []Place) Gap {
			return Gap{From: instantText(fromNs), Seconds: seconds(to.fromNs - fromNs),
				Lines: r.lines(slices.Concat(places, to.places)...)}
		}
		if from.ended == ranOut && g.cause != causeEarly && to.edit == nil && !to.unseen && !to.lacks &&
			!from.fromLogs {
			out.Gaps = append(out.Gaps, gap(from.lastNs, from.lastPlaces))
		}
		if stopped := from.stopNs != 0 || from.ended == released; stopped && g.endNs < to.fromNs && g.overlapNs == 0 &&
			!to.lacks {
			out.Leaderless = append(out.Leaderless, gap(g.endNs, slices.Concat(from.endPlaces, from.stopPlaces)))
		}
		if g.overlapNs > 0 {
			out.Overlaps = append(out.Overlaps, Overlap{
				From: instantText(cmp.Or(g.overlapFromNs, to.fromNs)), Seconds: seconds(g.overlapNs),
				LeastSeconds: seconds(g.overlapLeast), open: g.overlapOpen,
				Who: []string{g.overlapWith, to.holder}, Basis: g.overlapBasis, Lines: r.lines(g.overlapPlaces...),
			})
		}
	}
	out.Cause, out.Confidence = "none", 0.9
	if len(c.terms) == 0 {
		out.Confidence = 0
	}
	worst := -1
	for i := range out.changes {
		if g := &out.changes[i]; g.from != "" && (worst < 0 || severity(g) > severity(&out.changes[worst])) {
			worst = i
		}
	}
	if worst >= 0 {
		g := &out.changes[worst]
		out.Cause, out.Alternatives, out.Confidence = g.cause, g.alternatives, g.confidence
	}
	if g, lost := c.lastLoss(); lost {
		if tell(g.findings); worst < 0 {
			out.Cause, out.Alternatives, out.Confidence = g.cause, g.alternatives, g.confidence
		}
	}
}

// `severity` orders changes: an overlap is worse than a loss, and a loss is worse than a release.
func severity(g *change) int {
	switch {
	case g.overlapNs > 0:
		return 2
	case g.cause != causeRelease:
		return 1
	}
	return 0
}

func (r *Reader) tellRest(c *caseOf, offsets []offset) {
	out := c.LeaseReport
	for i := range c.attempts {
		a := &c.attempts[i]
		out.Conflicts = append(out.Conflicts,
			Conflict{At: instantText(a.atNs), Who: a.holder, Code: a.code, Lines: r.lines(a.place)})
	}
	longest := int64(0) // without gaps of an audit log
	for i := range c.terms {
		for k, t := 1, c.terms[i].renewals; k < len(t); k++ {
			d := t[k] - t[k-1]
			if d <= out.leaseNs*2/3 {
				longest = max(longest, d*(1-boolNs(c.terms[i].cut(k))))
				continue
			}
			lines := r.lines(append(c.placesAt(t[k-1]), c.placesAt(t[k])...)...)
			if c.auditGap(t[k-1], t[k]) {
				says, whole := c.sayGap(t[k-1], t[k])
				out.Evidence = append(out.Evidence, Finding{At: instantText(t[k-1]), Lines: lines, Says: says})
				if !whole {
					out.Confidence = min(out.Confidence, 0.5)
					continue
				} else if out.Cause == "none" {
					out.Cause, out.Confidence = causeServer, 0.6
				}
			}
			if c.terms[i].cut(k) {
				continue
			}
			longest = max(longest, d)
			out.NearExpiries = append(out.NearExpiries,
				Gap{From: instantText(t[k-1]), Seconds: seconds(d), Lines: lines})
		}
	}
	out.Renewals.MaxSeconds = seconds(longest)
	for _, o := range offsets {
		e := seconds(o.errorNs)
		if o.errorNs < 0 {
			e = -1
		}
		out.Clocks = append(out.Clocks, Clock{Source: o.source, Offset: seconds(o.ns), ErrorSeconds: e, By: o.by})
	}
	if c.toNs > c.fromNs {
		out.FromTime, out.ToTime = instantText(c.fromNs), instantText(c.toNs)
	}
}

// writeAt returns the write at an instant of the timeline, or nil.
func (c *caseOf) writeAt(ns int64) *write {
	i, there := slices.BinarySearchFunc(c.writes, ns, func(w write, ns int64) int { return cmp.Compare(w.ns, ns) })
	if !there {
		return nil
	}
	return &c.writes[i]
}

// placesAt returns the lines of the write at an instant of the timeline.
func (c *caseOf) placesAt(ns int64) []Place {
	if w := c.writeAt(ns); w != nil {
		return slices.Clone(w.places)
	}
	return nil
}

// tellSettings infers the electors' settings. The Lease itself has only leaseDuration. retryPeriod shows in the
// spacing of renewals. renewDeadline shows only if a leader's requests fail for that long. Otherwise the report
// assumes a value and says so.
func (r *Reader) tellSettings(c *caseOf, spaced []int64) {
	out := c.LeaseReport
	add := func(name, value string, confidence float64, by string) {
		out.Settings = append(out.Settings, Setting{Name: name, Value: value, Confidence: confidence, By: by})
	}
	if slices.ContainsFunc(c.writes, func(w write) bool { return w.duration > 0 && w.holder != "" }) {
		add("leaseDuration", time.Duration(out.leaseNs).String(), 1, "leaseDurationSeconds of the Lease")
	}
	switch {
	case len(spaced) >= intervalsSure:
		add("retryPeriod", time.Duration(out.retryNs).String(), 0.9,
			fmt.Sprintf("the spacing of %d renewals", len(spaced)))
	case len(spaced) > 0:
		add("retryPeriod", time.Duration(out.retryNs).String(), 0.5, "the spacing of few renewals")
	}
	deadline, confidence, by := out.leaseNs*2/3, 0.3, "assumed: the default, two thirds of leaseDuration"
	for i := range out.changes {
		if g := &out.changes[i]; g.deadlineNs > deadlineLeastNs && g.deadlineNs < out.leaseNs {
			unit := int64(500 * time.Millisecond)
			deadline, confidence, by = (g.deadlineNs+unit/2)/unit*unit, 0.8, "how long "+c.terms[g.term-1].holder+
				" tried to renew before it gave up"
		}
	}
	add("renewDeadline", time.Duration(deadline).Round(time.Millisecond).String(), confidence, by)
	for i := range c.terms {
		t := &c.terms[i]
		switch {
		case t.tried != "":
			add("releaseOnCancel", "true", 0.9, t.holder+" tried to release the Lease")
		case t.ended == released && !t.fromLogs:
			add("releaseOnCancel", "true", 0.9, t.holder+" released the Lease")
		default:
			continue
		}
		out.releases = true
		break
	}
	var agents []string
	for _, a := range c.m.agents {
		if a != "" && !slices.Contains(agents, a) {
			agents = append(agents, a)
		}
	}
	slices.Sort(agents)
	if len(agents) > 0 {
		add("client", strings.Join(agents, ", "), 1, "the user agents of its writes")
	}
}
