package lab

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/leaselab/leaselab/core/elements"
	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
)

// shownNodes is the maximum number of nodes that Settings lists. A run may have thousands, and the page's field accepts
// any name.
const shownNodes = 200

// Settings returns the settings of the current branch, and which of them can change during the run.
func (l *Lab) Settings() *protocol.Settings {
	begun := l.history.spec().begun
	usual := scenario.Scenario{APIVersion: scenario.APIVersion, Kind: scenario.Kind, Duration: begun.Duration,
		Candidates: []scenario.Candidate{{Name: "a"}}}
	s := &protocol.Settings{
		Scenario: scenario.Encode(begun), InForce: scenario.Encode(scenario.Fill(begun)),
		Usual: scenario.Encode(scenario.Fill(usual)),
		Nodes: []string{}, Outlook: OutlookOf(begun),
	}
	w := l.stateAfterInstant().World
	for i := range int32(w.Nodes()) {
		if len(s.Nodes) < shownNodes && !w.Node(i).Removed() {
			s.Nodes = append(s.Nodes, w.Node(i).Name())
		}
	}
	return s
}

// OutlookOf returns the least safety margin of a scenario's candidates, and their longest failover.
func OutlookOf(s scenario.Scenario) (out protocol.Outlook) {
	setup := compile.Scenario(s)
	for i := range setup.Candidates {
		margin, failover := check.MarginNs(&setup.Candidates[i]), check.WorstNs(&setup.Candidates[i])
		if i == 0 || margin < out.MarginNs {
			out.MarginNs = margin
		}
		out.FailoverNs = max(out.FailoverNs, failover)
	}
	return out
}

// Outlook returns what changed settings would lead to.
func (l *Lab) Outlook(changes []protocol.PatchEntry) (out protocol.Outlook, err error) {
	changed, err := scenario.SetAll(l.history.spec().begun, changesOf(changes))
	if err == nil {
		out = OutlookOf(changed)
	}
	return out, err
}

func changesOf(patch []protocol.PatchEntry) []scenario.Change {
	return elements.Of(patch, func(p protocol.PatchEntry) scenario.Change { return scenario.Change(p) })
}

// EditAll changes several fields together. mode "rerun" restarts the run from 0 and keeps the old run as a branch.
// "now" changes the fields with acts at the cursor. If a node reads a field only when it starts, the new value takes
// effect at the node's next start. "restart" also restarts the affected nodes. For a setting of all nodes, it
// restarts only the named node. EditAll refuses a field that no act can change, and names it.
//
// The duration is an exception: with "now" the same run lasts longer or ends earlier, but never ends before the live
// cursor.
func (l *Lab) EditAll(changes []protocol.PatchEntry, mode, node string) error {
	if mode == "now" && lastsOnly(changes) {
		return l.keep(changes)
	}
	next, acts, err := l.applyEdits(changes, mode, node)
	switch {
	case err != nil:
		return err
	case mode == "now" || mode == "restart":
		return l.do(l.history.cursor, editLabel(changes)+" for "+targetWords(acts), acts)
	}
	l.history.remember(editLabel(changes))
	l.history.newBranch(editLabel(changes), next, 0)
	l.history.cursor, l.history.live, l.playback.untilNs = timeline.Cursor{N: -1}, timeline.Cursor{N: -1}, 0
	l.liveRun().Compute(0)
	l.dropRuns()
	l.toast = "Run again. The original run is kept."
	return nil
}

// CheckEdit returns the error that EditAll would return, but changes nothing.
func (l *Lab) CheckEdit(changes []protocol.PatchEntry, mode, node string) (err error) {
	if mode == "now" && lastsOnly(changes) {
		_, err = l.withDuration(changes)
	} else {
		_, _, err = l.applyEdits(changes, mode, node)
	}
	return err
}

// lastsOnly reports whether only the run's duration changes.
func lastsOnly(changes []protocol.PatchEntry) bool {
	return len(changes) == 1 && changes[0].Path == "duration"
}

// `keep` changes the duration of the current branch. The run up to the live cursor does not change.
func (l *Lab) keep(changes []protocol.PatchEntry) error {
	next, err := l.withDuration(changes)
	if err != nil {
		return err
	}
	before := l.liveRun().ID()
	l.arrive(next, l.history.live, func() {
		l.history.recall(editLabel(changes) + " at " + words.Instant(l.history.cursor.T))
		l.history.branches[l.history.current].spec = next
		l.api.goOn(before, next.run.ID())
	})
	return nil
}

// withDuration returns the current branch with another duration.
func (l *Lab) withDuration(changes []protocol.PatchEntry) (*spec, error) {
	next, _, err := l.applyEdits(changes, "rerun", "")
	if err != nil {
		return nil, err
	}
	if live := l.history.live.T; int64(next.begun.Duration) < live {
		rule := "must not end before " + words.Instant(live) + ", the end of the part already shown"
		return nil, refuse("duration", next.begun.Duration.String(), rule, "duration "+rule)
	}
	return next, nil
}

// applyEdits returns the changed scenario, or for the modes "now" and "restart" the acts that make the changes. It
// checks both with the rules of the format, so that "now" cannot reach a state that no file could describe.
func (l *Lab) applyEdits(changes []protocol.PatchEntry, mode, node string) (*spec, []scenario.Action, error) {
	old := l.history.spec()
	changed, err := scenario.SetAll(old.begun, changesOf(changes))
	if err != nil {
		return nil, nil, err
	}
	if mode == "now" || mode == "restart" {
		acts, err := l.actsOf(changed, changes, mode == "restart", node)
		if err == nil {
			whole := old.whole()
			before := len(whole.Actions)
			whole.Actions = append(whole.Actions, acts...)
			err = inAct(scenario.Validate(whole), before, "")
		}
		return nil, acts, err
	}
	next := old.with(changed, changes...)
	return next, nil, scenario.Validate(next.whole())
}

// editLabel returns the label of a change on the undo stack.
func editLabel(changes []protocol.PatchEntry) string {
	if len(changes) != 1 {
		return fmt.Sprintf("%d settings", len(changes))
	}
	if c := changes[0]; len(c.Value) <= 24 {
		return strings.TrimSpace(protocol.KnobLabel(c.Path) + " " + c.Value)
	}
	return protocol.KnobLabel(changes[0].Path)
}

// targetWords returns the node that acts target, in words.
func targetWords(acts []scenario.Action) string {
	for _, a := range acts[1:] {
		if a.Target != acts[0].Target {
			return "several"
		}
	}
	if target := acts[0].Target; target != "" && target != scenario.TargetEverybody {
		return target
	}
	return "everybody"
}

// `owned` holds the changes to one candidate of the list, or to the scenario itself.
type owned struct {
	path    string // "candidates[1]"; "" for the scenario
	changes []scenario.Change
	server  bool
	clock   bool
	upgrade bool
}

// actsOf turns changes into acts at the cursor. It groups them by owner first. So several changes to the elector and
// the network of one candidate become one set act, and the run shows one event. For a field that no act can change,
// such as a candidate's name, it returns an error that suggests running again.
func (l *Lab) actsOf(changed scenario.Scenario, changes []protocol.PatchEntry, restart bool,
	node string) ([]scenario.Action, error) {
	var owners []*owned
	for _, c := range changes {
		path, field := ownerOf(c.Path)
		var o *owned
		for _, one := range owners {
			if one.path == path {
				o = one
			}
		}
		if o == nil {
			o = &owned{path: path}
			owners = append(owners, o)
		}
		switch {
		case path == "" && (field == "server" || strings.HasPrefix(field, "server.")):
			o.server = true
		case path != "" && strings.HasPrefix(field, "clock."):
			o.clock = true
		case path != "" && (field == "binaryVersion" || field == "emulationVersion"):
			o.upgrade = true
		case strings.HasPrefix(field, "elector.") || strings.HasPrefix(field, "network."):
			o.set(changed, field)
		default:
			const rule = "takes effect only in a new run. Run again with it"
			return nil, refuse(c.Path, c.Value, rule, c.Path+" "+rule)
		}
	}
	var all []scenario.Action
	for _, o := range owners {
		acts, err := l.actsOfOwner(changed, o, restart, node)
		if err != nil {
			return nil, err
		}
		all = append(all, acts...)
	}
	return all, nil
}

// ownerOf splits a path after the candidate: "candidates[1]" and "elector.retryPeriod".
func ownerOf(path string) (owner, field string) {
	if strings.HasPrefix(path, "candidates[") {
		if owner, field, found := strings.Cut(path, "]."); found {
			return owner + "]", field
		}
	}
	return "", path
}

// set adds the new value of an elector's or a network's field. It sets a distribution as a whole. If a change removes
// a distribution, a constant latency replaces it.
func (o *owned) set(changed scenario.Scenario, field string) {
	group, name, _ := strings.Cut(field, ".")
	name, _, _ = strings.Cut(name, ".")
	own := group + "." + name
	value := scenario.Get(changed, strings.TrimPrefix(o.path+"."+own, "."))
	switch {
	case value == "" && strings.HasSuffix(name, "Distribution"):
		own = strings.TrimSuffix(own, "Distribution") + "Latency"
		value = scenario.Get(changed, strings.TrimPrefix(o.path+"."+own, "."))
	case value == "" && name == "dialect":
		value = `["` + scenario.DialectCurrent + `"]`
	}
	o.changes = append(o.changes, scenario.Change{Path: own, Value: value})
}

// actsOfOwner turns the changes of one owner into acts right after the cursor. With restart, the affected nodes
// restart; for the scenario's own settings, only the named node does.
func (l *Lab) actsOfOwner(changed scenario.Scenario, o *owned, restart bool, node string) ([]scenario.Action, error) {
	at := scenario.Duration(l.history.cursor.T + 1)
	own, targets, err := o.targets(changed)
	if err != nil {
		return nil, err
	}
	if o.path == "" && restart && node != "" {
		targets = []string{node}
	}
	part, err := scenario.Fragment(o.changes)
	if err != nil {
		return nil, err
	}
	var all []scenario.Action
	if o.server {
		server := changed.Server
		if server == nil {
			server = &scenario.Server{RequestTimeout: usualServerTimeout} // an empty group sets nothing
		}
		all = append(all, scenario.Action{At: at, Act: scenario.ActServer, Server: server})
	}
	w := l.stateAfterInstant().World
	for _, target := range targets {
		all = append(all, o.actsOn(target, at, &part, &own)...)
		if restart {
			all = append(all, restartOf(w, target, at)...)
		}
	}
	return all, nil
}

// targets returns the nodes to which an owner's changes apply. It also returns the owner's entry in the list of
// candidates, if any.
func (o *owned) targets(changed scenario.Scenario) (own scenario.Candidate, names []string, err error) {
	if o.path == "" {
		return own, []string{scenario.TargetEverybody}, nil
	}
	i, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(o.path, "candidates["), "]"))
	if err != nil {
		return own, nil, err
	}
	own = changed.Candidates[i] // SetAll has checked it
	if own.Replicas > maxChanged {
		rule := fmt.Sprintf("has more than %d replicas, too many to change one by one. Run again with it",
			maxChanged)
		return own, nil, refuse(o.path, own.Name, rule, o.path+" "+rule)
	}
	for _, r := range scenario.ResolveCandidate(changed, own) {
		names = append(names, r.Name)
	}
	return own, names, nil
}

// actsOn returns the acts that apply an owner's changes to one node.
func (o *owned) actsOn(target string, at scenario.Duration, part *scenario.Scenario,
	own *scenario.Candidate) []scenario.Action {
	var all []scenario.Action
	set := scenario.Action{At: at, Act: scenario.ActSet, Target: target}
	for _, c := range o.changes {
		if strings.HasPrefix(c.Path, "network.") {
			set.Network = &part.Network
		} else {
			set.Elector = &part.Elector
		}
	}
	if set.Network != nil || set.Elector != nil {
		all = append(all, set)
	}
	if o.clock {
		clock := scenario.Clock{}
		if own.Clock != nil {
			clock = *own.Clock
		}
		all = append(all, scenario.Action{At: at, Act: scenario.ActClock, Target: target, Offset: &clock.Offset,
			RatePpm: rateOf(clock)})
	}
	if o.upgrade {
		all = append(all, scenario.Action{At: at, Act: scenario.ActUpgrade, Target: target,
			BinaryVersion: own.BinaryVersion, EmulationVersion: own.EmulationVersion})
	}
	return all
}

const trueRatePpm = 1_000_000

func rateOf(c scenario.Clock) int64 {
	if c.RatePpm == 0 {
		return trueRatePpm
	}
	return c.RatePpm
}

// restartOf returns the acts that end a process, if it runs, and start the next. They use a crash rather than a stop,
// because a stop could release the Lease. That would be another change besides the one under test.
func restartOf(w *world.World, node string, at scenario.Duration) []scenario.Action {
	var all []scenario.Action
	if i := compile.NodeNamed(w, node); i >= 0 && w.Node(i).Alive() {
		all = append(all, scenario.Action{At: at, Act: scenario.ActCrash, Target: node})
	}
	return append(all, scenario.Action{At: at, Act: scenario.ActRestart, Target: node})
}

// maxChanged is the maximum number of replicas of one candidate that acts change one by one.
const maxChanged = 200

// usualServerTimeout is the default of a Server's requestTimeout.
const usualServerTimeout = scenario.Duration(60e9)
