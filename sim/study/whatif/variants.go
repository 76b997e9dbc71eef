package whatif

import (
	"strconv"
	"time"

	"github.com/leaselab/leaselab/sim/scenario"
)

// Entry sets one field, in the form that scenario.Set expects.
type Entry struct {
	Path  string
	Value string
}

// Variant is a scenario with one change.
type Variant struct {
	Name     string  // the knob: "releaseOnCancel"
	Label    string  // the change, after "with": "releaseOnCancel"
	Patch    []Entry // the changed fields of the scenario; empty if acts or candidates changed
	Scenario scenario.Scenario
}

// mostActs limits the acts to leave out, one per run. They are the last acts before the subject.
const mostActs = 5

// Variants returns the changes that apply to a scenario and keep it valid, in a fixed order. Some of them leave out
// one act between the two instants.
func Variants(s scenario.Scenario, afterNs, atNs int64) []Variant {
	m := maker{s: s}
	all := scenario.Resolve(s).Candidates
	if len(all) == 0 {
		return nil
	}
	c := &all[0]
	retry, deadline, lease := time.Duration(*c.Elector.RetryPeriod), time.Duration(*c.Elector.RenewDeadline),
		time.Duration(*c.Elector.LeaseDuration)
	timeout, release := time.Duration(*c.Elector.RequestTimeout), *c.Elector.ReleaseOnCancel

	m.knob("releaseOnCancel", onOff("releaseOnCancel", !release), strconv.FormatBool(!release))
	m.duration("retryPeriod", retry/2)
	m.duration("retryPeriod", retry*2)
	m.duration("renewDeadline", deadline/2)
	m.duration("leaseDuration", seconds(lease*2))
	m.terms(retry, deadline/2, seconds(lease/2))
	m.terms(retry, deadline*4, seconds(lease*4))
	if timeout != deadline/5 {
		m.duration("requestTimeout", deadline/5)
	}
	if timeout != 0 {
		m.knob("requestTimeout", "no requestTimeout", "0s")
	}
	m.network()
	if s.Resource != nil && s.Resource.Fence == scenario.FenceNone {
		m.set("fence", "a resource fenced by leaseTransitions", Entry{"resource.fence", scenario.FenceLeaseTransitions})
	}
	m.endings(c)
	if c.Process.WatchdogTolerance == nil {
		m.set("watchdog", "a watchdog (20 s beyond leaseDuration, a probe every 10 s)",
			Entry{"process.watchdogTolerance", "20s"})
	}
	m.whole("dialect", "today's client-go", noDialect)
	m.whole("candidates", "one candidate more", more)
	m.whole("clock", "true clocks", trueClocks)
	m.whole("identity", "a separate identity for everyone", ownIdentities)
	m.whole("workTail", "work that ends with its context", noTails)
	m.acts(afterNs, atNs)
	return m.variants
}

// `endings` changes how a process ends after it was told to stop: its hook, the order of release and work, and how much
// time it has until the kill.
func (m *maker) endings(c *scenario.ResolvedCandidate) {
	hook := time.Duration(*c.Process.DrainAfterCancel)
	if hook == 0 {
		return
	}
	if !*c.Elector.ReleaseAfterWork {
		if *c.Elector.ReleaseOnCancel {
			m.knob("releaseAfterWork", "releaseAfterWork", "true")
		} else {
			m.set("releaseAfterWork", "releaseOnCancel and releaseAfterWork", Entry{"elector.releaseOnCancel", "true"},
				Entry{"elector.releaseAfterWork", "true"})
		}
	}
	shorter := hook / 2
	for i, kill := range m.s.Actions {
		asked := m.stopBefore(i)
		if asked == nil {
			continue
		}
		shorter = min(shorter, time.Duration(kill.At-asked.At)/2)
		if grace := hook + hook/4; time.Duration(kill.At-asked.At) < grace {
			m.whole("grace", "a grace of "+text(grace)+" for "+kill.Target, func(s *scenario.Scenario) bool {
				s.Actions[i].At = asked.At + scenario.Duration(grace)
				return s.Actions[i].At < s.Duration
			})
		}
	}
	m.set("hook", "a shutdown hook of "+text(shorter),
		Entry{"process.drainAfterCancel", scenario.Duration(shorter).String()})
}

// stopBefore returns the act that asked the target of a crash to stop, or nil.
func (m *maker) stopBefore(i int) *scenario.Action {
	kill := &m.s.Actions[i]
	if kill.Act != scenario.ActCrash {
		return nil
	}
	var last *scenario.Action
	for k := range m.s.Actions {
		a := &m.s.Actions[k]
		if a.Act == scenario.ActStop && a.At < kill.At && (last == nil || last.At < a.At) &&
			(a.Target == kill.Target || a.Target == scenario.TargetHolder) {
			last = a
		}
	}
	return last
}

func onOff(knob string, on bool) string {
	if on {
		return knob
	}
	return "no " + knob
}

// `seconds` rounds down to whole seconds, because a Lease stores whole seconds, but to at least one.
func seconds(d time.Duration) time.Duration { return max(d.Truncate(time.Second), time.Second) }

type maker struct {
	s        scenario.Scenario
	variants []Variant
}

// add keeps a variant if it is valid and differs from the scenario.
func (m *maker) add(v Variant) {
	if scenario.Validate(v.Scenario) != nil || string(scenario.Encode(v.Scenario)) == string(scenario.Encode(m.s)) {
		return
	}
	m.variants = append(m.variants, v)
}

// `set` builds a variant by changing fields of the elector, in the scenario and in every candidate with its own values.
// It skips a value that is not valid at that step.
func (m *maker) set(name, label string, knobs ...Entry) {
	v := Variant{Name: name, Label: label, Scenario: m.s}
	for _, k := range knobs {
		paths := []string{k.Path}
		for i := range m.s.Candidates {
			if own := "candidates[" + strconv.Itoa(i) + "]." + k.Path; scenario.IsSet(m.s, own) {
				paths = append(paths, own)
			}
		}
		for _, path := range paths {
			changed, err := scenario.Set(v.Scenario, path, k.Value)
			if err != nil {
				return
			}
			v.Scenario = changed
			v.Patch = append(v.Patch, Entry{path, k.Value})
		}
	}
	m.add(v)
}

func (m *maker) knob(name, label, value string) {
	m.set(name, label, Entry{"elector." + name, value})
}

func (m *maker) duration(name string, d time.Duration) {
	m.knob(name, name+" "+text(d), scenario.Duration(d).String())
}

// `text` formats a duration as people write it: "1 s", "500 ms".
func text(d time.Duration) string {
	switch {
	case d%time.Second == 0:
		return strconv.FormatInt(int64(d/time.Second), 10) + " s"
	case d%time.Millisecond == 0 && d < time.Second:
		return strconv.FormatInt(int64(d/time.Millisecond), 10) + " ms"
	}
	return d.String()
}

// `terms` changes leaseDuration and renewDeadline together, in the order that keeps the scenario valid after each
// step. Starting from 15 s and 10 s, for example, a leaseDuration of 7 s is only valid once renewDeadline is 5 s.
func (m *maker) terms(retry, deadline, lease time.Duration) {
	if deadline <= 0 || lease <= deadline || float64(deadline) <= 1.2*float64(retry) {
		return
	}
	longer := Entry{"elector.leaseDuration", scenario.Duration(lease).String()}
	shorter := Entry{"elector.renewDeadline", scenario.Duration(deadline).String()}
	label := "leaseDuration " + text(lease) + " and renewDeadline " + text(deadline)
	if deadline < scenario.DefaultRenewDeadline {
		m.set("leaseDuration", label, shorter, longer)
		return
	}
	m.set("leaseDuration", label, longer, shorter)
}

// `network` builds a variant that makes a slow network fast.
func (m *maker) network() {
	m.set("network", "a network of 1 ms each way", Entry{"network.requestLatency", "1ms"},
		Entry{"network.responseLatency", "1ms"})
}

// `whole` builds a variant by applying the function edit to a copy of the scenario. `edit` returns true if it changed
// anything.
func (m *maker) whole(name, label string, edit func(*scenario.Scenario) bool) {
	s := m.s.Clone()
	if edit(&s) {
		m.add(Variant{Name: name, Label: label, Scenario: s})
	}
}

func more(s *scenario.Scenario) bool {
	if len(s.Candidates) == 0 {
		return false
	}
	taken := map[string]bool{}
	for _, c := range s.Candidates {
		taken[c.Name] = true
	}
	for _, a := range s.Actions {
		if a.Candidate != nil {
			taken[a.Candidate.Name] = true
		}
	}
	c := s.Candidates[len(s.Candidates)-1]
	c.Identity, c.Replicas, c.SpreadStart, c.JitterDraws = "", 0, 0, nil
	for name := 'a'; name <= 'z'; name++ {
		if !taken[string(name)] {
			c.Name = string(name)
			s.Candidates = append(s.Candidates[:len(s.Candidates):len(s.Candidates)], c)
			return true
		}
	}
	return false
}

func trueClocks(s *scenario.Scenario) (changed bool) {
	for i := range s.Candidates {
		if s.Candidates[i].Clock != nil {
			s.Candidates[i].Clock, changed = nil, true
		}
	}
	kept := s.Actions[:0:0]
	for _, a := range s.Actions {
		if a.Act == scenario.ActClock {
			changed = true
			continue
		}
		kept = append(kept, a)
	}
	s.Actions = kept
	return changed
}

func ownIdentities(s *scenario.Scenario) (changed bool) {
	for i := range s.Candidates {
		if s.Candidates[i].Identity != "" {
			s.Candidates[i].Identity, changed = "", true
		}
	}
	return changed
}

func noDialect(s *scenario.Scenario) (changed bool) {
	if s.Elector.Dialect != nil {
		s.Elector.Dialect, changed = nil, true
	}
	for i := range s.Candidates {
		if e := s.Candidates[i].Elector; e != nil && e.Dialect != nil {
			e.Dialect, changed = nil, true
		}
	}
	return changed
}

func noTails(s *scenario.Scenario) (changed bool) {
	for i := range s.Candidates {
		if s.Candidates[i].WorkTail != 0 {
			s.Candidates[i].WorkTail, changed = 0, true
		}
		changed = tieWork(s.Candidates[i].Process) || changed
	}
	return tieWork(&s.Process) || changed
}

// tieWork makes the work of a process end with its context.
func tieWork(p *scenario.Process) (changed bool) {
	if p == nil {
		return false
	}
	if p.DrainAfterCancel != nil || p.DrainAfterLoss != nil || p.OnLoss == "ignore" {
		p.DrainAfterCancel, p.DrainAfterLoss, changed = nil, nil, true
		if p.OnLoss == "ignore" {
			p.OnLoss = ""
		}
	}
	return changed
}

// `acts` builds variants that each change one act between two instants: the run goes without the act, a crash becomes a
// graceful stop, or a pause or a cut takes half as long.
func (m *maker) acts(afterNs, atNs int64) {
	var found []int
	for i, a := range m.s.Actions {
		if int64(a.At) > afterNs && int64(a.At) <= atNs && a.Act != scenario.ActClock {
			found = append(found, i)
		}
	}
	if len(found) > mostActs {
		found = found[len(found)-mostActs:]
	}
	for _, i := range found {
		a := m.s.Actions[i]
		who := a.TargetName()
		m.whole(a.Act, "no "+a.Phrase(), func(s *scenario.Scenario) bool {
			s.Actions = append(s.Actions[:i:i], s.Actions[i+1:]...)
			return true
		})
		if a.Act == scenario.ActCrash {
			m.whole("stop", "a graceful stop of "+who+" in place of the crash at "+a.InstantText(),
				func(s *scenario.Scenario) bool {
					s.Actions[i].Act = scenario.ActStop
					return true
				})
		}
		if a.Act == scenario.ActPause || a.Act == scenario.ActCut {
			if half := scenario.Duration(time.Duration(a.For / 2).Truncate(time.Millisecond)); half > 0 {
				m.whole(a.Act, "a "+a.Act+" of "+who+" half as long, "+half.String(), func(s *scenario.Scenario) bool {
					s.Actions[i].For = half
					return true
				})
			}
		}
	}
}
