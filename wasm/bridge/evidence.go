//go:build !page

package bridge

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/leaselab/leaselab/sim/evidence"
	"github.com/leaselab/leaselab/sim/evidence/checkup"
	"github.com/leaselab/leaselab/sim/evidence/rebuild"
	"github.com/leaselab/leaselab/sim/lab"
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario"
)

func init() {
	beyond = append(beyond, []Operation{
		answers("evidenceBegin", starts, (*Bridge).evidenceBegin),
		answers("evidenceEnd", starts, (*Bridge).evidenceEnd),
		answers("evidenceReport", starts, (*Bridge).evidenceReport),
		answers("evidenceText", starts, (*Bridge).evidenceText),
		answers("evidenceChart", starts, (*Bridge).evidenceChart),
		answers("evidenceAgain", starts, (*Bridge).evidenceAgain),
		answers("evidenceHistory", starts, (*Bridge).evidenceHistory),
		answers("evidenceCheckup", starts, (*Bridge).evidenceCheckup),
	}...)
}

// reading contains the evidence from a visitor's files.
type reading struct {
	reader *evidence.Reader
	report *evidence.Report // nil until the page asks for the report
}

var errNoEvidence = errors.New("no file has arrived: drop a file first")

// recordsMost is the maximum number of Lease records that the page keeps. Together with everything derived from them,
// these records take 150 MiB.
const recordsMost = 500_000

// aroundWithin is how much time to read on each side of an instant.
const aroundWithin = 10 * time.Minute

// evidenceBegin forgets earlier files and starts reading new ones.
func (b *Bridge) evidenceBegin(p *EvidenceBeginParams) (*None, error) {
	o := evidence.Options{Lease: p.Lease, Year: p.Year, Nodes: map[string]string{}, WithinNs: int64(aroundWithin),
		Most: recordsMost, Rerun: historyMost}
	if p.Lease != "" && strings.Count(p.Lease, "/") != 1 {
		return nil, &scenario.FieldError{Path: "lease", Value: p.Lease, Rule: "namespace/name",
			Message: fmt.Sprintf("the Lease %q must be namespace/name, such as kube-system/kube-scheduler", p.Lease)}
	}
	if p.Around != "" {
		at, err := time.Parse(time.RFC3339Nano, p.Around)
		if err != nil {
			return nil, &scenario.FieldError{Path: "around", Value: p.Around, Rule: "an RFC 3339 time",
				Message: fmt.Sprintf("the time %q must be as in RFC 3339, such as 2026-11-20T19:17:00Z", p.Around)}
		}
		o.AroundNs = at.UnixNano()
	}
	for _, one := range p.Nodes {
		o.Nodes[one.File] = one.Node
	}
	b.studied = &reading{reader: evidence.NewReader(o)}
	return &None{}, nil
}

func (b *Bridge) reading() (*reading, error) {
	if r, is := b.studied.(*reading); is {
		return r, nil
	}
	return nil, errNoEvidence
}

// Feed processes the next bytes of a file. It does not keep the chunk.
func (b *Bridge) Feed(name string, chunk []byte) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			b.studied = nil
			err = fmt.Errorf("reading %s failed: %v. This is a bug in leaselab", name, cause)
		}
	}()
	r, err := b.reading()
	if err != nil {
		return err
	}
	r.reader.Feed(name, chunk)
	r.report = nil
	return nil
}

func (b *Bridge) evidenceEnd(p *EvidenceEndParams) (*None, error) {
	r, err := b.reading()
	if err == nil {
		r.reader.End(p.Name)
	}
	return &None{}, err
}

// evidenceReport reports on everything that it has read so far.
func (b *Bridge) evidenceReport(*None) (*EvidenceFound, error) {
	r, err := b.reading()
	if err != nil {
		return nil, err
	}
	report := r.reader.Report()
	r.report = &report
	out := &EvidenceFound{Files: []EvidenceFile{}, Problems: append([]evidence.Problem{}, report.Problems...),
		ProblemCount: report.ProblemCount, Leases: []EvidenceLease{}, Cluster: len(report.Leases) > 1}
	for _, f := range report.Files {
		for kind := range f.Records {
			out.Cluster = out.Cluster && (kind == string(evidence.Lease) || kind == string(evidence.Watch))
		}
		one := EvidenceFile{Name: f.Name, Lines: f.Lines, Says: f.Says, Node: f.Node, Kinds: []string{}}
		for _, kind := range []evidence.Kind{evidence.Audit, evidence.Watch, evidence.Lease, evidence.Klog,
			evidence.Trace, evidence.Events, evidence.Metrics} {
			if n := f.Records[string(kind)]; n > 0 {
				one.Kinds = append(one.Kinds, fmt.Sprintf("%d %s", n, kind))
			}
		}
		if run := f.Run; run != nil {
			one.Run = &EvidenceRun{Says: run.Sentence(f.Name), Scenario: scenario.Encode(run.Traced.Scenario),
				End: run.Traced.ToNs}
		}
		if len(report.Leases) == 0 && f.Says != "" && f.Broken == "" {
			out.Problems = append(out.Problems, evidence.Problem{File: f.Name, Line: 1, Says: f.Says})
			one.Says, out.ProblemCount = "", out.ProblemCount+1
		}
		out.Files = append(out.Files, one)
	}
	at := map[string]int{} // index in the report, by the Lease's name
	for i := range report.Leases {
		l := &report.Leases[i]
		at[l.Name] = i
		out.Leases = append(out.Leases, EvidenceLease{
			Name: l.Name, Headline: l.Headline(), Answer: l.Answer(), Cause: l.LikelyCause(),
			Confidence: l.Confidence, Changes: len(l.LeaderChanges), Overlaps: len(l.Overlaps),
			From: l.FromTime, To: l.ToTime, Length: l.LengthNs(),
			Renewals: l.Renewals, Settings: append([]evidence.Setting{}, l.Settings...),
			Clocks: append([]evidence.Clock{}, l.Clocks...),
			Limits: l.Limits, Unattributed: l.Unattributed,
		})
	}
	// The most interesting Leases come first: those with two leaders at once, then those with the most changes.
	slices.SortStableFunc(out.Leases, func(a, b EvidenceLease) int {
		if a.Overlaps != b.Overlaps {
			return b.Overlaps - a.Overlaps
		}
		return b.Changes - a.Changes
	})
	left := momentsMost
	for i := range out.Leases {
		one := &out.Leases[i]
		all := report.Leases[at[one.Name]].Moments()
		one.Moments = weightiest(all, min(left, momentsOfLease))
		one.Unlisted = len(all) - len(one.Moments)
		left -= len(one.Moments)
	}
	return out, nil
}

// momentsMost and momentsOfLease limit how many moments the page lists, for all Leases together and for one Lease.
const (
	momentsMost    = 20_000
	momentsOfLease = 2_000
)

// weightiest returns the most important moments, in their original order.
func weightiest(all []evidence.Moment, most int) []evidence.Moment {
	if len(all) <= most {
		return all
	}
	weight := map[string]int{"overlap": 5, "leader": 4, "gap": 3, "near": 2, "conflict": 1}
	kept := make([]int, len(all))
	for i := range kept {
		kept[i] = i
	}
	slices.SortStableFunc(kept, func(a, b int) int { return weight[all[b].Kind] - weight[all[a].Kind] })
	kept = kept[:most]
	slices.Sort(kept)
	out := make([]evidence.Moment, 0, most)
	for _, i := range kept {
		out = append(out, all[i])
	}
	return out
}

// evidenceText writes the last report as `leaselab import` prints it.
func (b *Bridge) evidenceText(p *EvidenceTextParams) (*Text, error) {
	r, err := b.reading()
	if err != nil {
		return nil, err
	}
	if r.report == nil {
		return nil, errNoEvidence
	}
	if p.Format == "json" {
		text, err := json.MarshalIndent(r.report, "", "  ")
		return &Text{Text: string(text)}, err
	}
	var text strings.Builder
	if p.Format == "markdown" {
		rebuild.WritePostmortem(&text, r.report, b.reportProgress)
	} else {
		evidence.WriteStory(&text, r.report)
	}
	return &Text{Text: text.String()}, nil
}

// evidenceCheckup says how the Leases are, and what a stall of the API does to each.
func (b *Bridge) evidenceCheckup(p *EvidenceCheckupParams) (*checkup.Cluster, error) {
	r, err := b.reading()
	if err != nil {
		return nil, err
	}
	report := checkup.Check(r.reader, checkup.Options{})
	report.Stall = report.Predict(time.Duration(p.Stall))
	return &report, nil
}

// leaseOf returns a Lease of the last report.
func (b *Bridge) leaseOf(name string) (*reading, *evidence.LeaseReport, error) {
	r, err := b.reading()
	if err != nil {
		return nil, nil, err
	}
	if r.report != nil {
		for i := range r.report.Leases {
			if r.report.Leases[i].Name == name {
				return r, &r.report.Leases[i], nil
			}
		}
	}
	return nil, nil, &scenario.FieldError{Path: "lease", Value: name, Rule: "a Lease of the report",
		Message: fmt.Sprintf("these files show no Lease %q", name)}
}

// evidenceChart draws a window of a Lease's timeline.
func (b *Bridge) evidenceChart(p *EvidenceChartParams) (*evidence.Chart, error) {
	r, l, err := b.leaseOf(p.Lease)
	if err != nil {
		return nil, err
	}
	c := r.reader.Chart(l, p.From, p.To, p.Steps)
	return &c, nil
}

// evidenceAgain rebuilds the scenario of a Lease, with what would have helped and similar exhibits of the museum.
func (b *Bridge) evidenceAgain(p *EvidenceAgainParams) (*EvidenceAgain, error) {
	_, l, err := b.leaseOf(p.Lease)
	if err != nil {
		return nil, err
	}
	cause := cmp.Or(p.Cause, l.Cause)
	s, fit, err := rebuild.ScenarioAs(l, cause)
	if err != nil {
		return nil, err
	}
	b.reportProgress()
	cures := rebuild.CuresOf(s, fit, b.reportProgress)
	out := &EvidenceAgain{
		Scenario: scenario.Encode(s), At: cures.AtNs, End: int64(s.Duration), Fit: fit.Sentences(), Kind: "change",
		Number: cures.Subject.Number, FailoverNs: lab.OutlookOf(s).FailoverNs,
		Nothing: cures.Nothing(fit), Beyond: cures.Beyond(cause), Cures: []protocol.WhatIfLine{}, Likes: b.likes(s),
		Causes: append([]string{l.Cause}, l.Alternatives...),
	}
	if cures.Subject.Violation {
		out.Kind = "violation"
	}
	for k := range cures.Tried {
		one := &cures.Tried[k]
		line := protocol.WhatIfLine{Number: one.Number, Label: one.Label, Sentence: cures.Sentence(k), Effect: "same",
			LengthNs: one.Totals.LeaderlessNs, FailoverNs: one.Totals.FailoverNs}
		if one.Better {
			line.Effect = "better"
		}
		if cures.Subject.Violation {
			line.LengthNs = one.Totals.TwoNs
		}
		out.Cures = append(out.Cures, line)
	}
	return out, nil
}

// evidenceHistory writes what happened to a Lease for other tools.
func (b *Bridge) evidenceHistory(p *EvidenceHistoryParams) (*Text, error) {
	_, l, err := b.leaseOf(p.Lease)
	if err != nil {
		return nil, err
	}
	h := l.History()
	if len(h.Events) > historyMost {
		return nil, errTooManyRecords()
	}
	return writeHistory(&h, p.Format, nil, 0)
}

// likes returns the museum exhibits that resemble a scenario.
func (b *Bridge) likes(s scenario.Scenario) []Like {
	all, exhibits := []Like{}, b.shelf.exhibits()
	for _, one := range rebuild.Alike(s, exhibits) {
		k := slices.IndexFunc(exhibits, func(e scenario.Scenario) bool { return e.Name == one.Name })
		all = append(all, Like{Name: one.Name, ID: exhibits[k].Museum.Catalogue, Title: one.Title, Why: one.Why})
	}
	return all
}

// exhibits returns the scenarios of the museum, sorted by name.
func (s *shelf) exhibits() (all []scenario.Scenario) {
	for _, name := range s.library().Names() {
		if one, there, err := s.find(name); there && err == nil && one.Museum != nil {
			all = append(all, one)
		}
	}
	return all
}
