// Package rename gives the nodes of a scenario other names.
//
// Guarantee: every field that names a node follows: targets, assertions, holders, requests of an administrator. Each
// renamed node keeps its random draws by its field stream. A run in which no name decides anything is the same run,
// event by event; only the names in it, and with them the trace hash, differ. Non-guarantee: sentences (title, summary,
// story) stay as they are. An act with probability or within on an API server or a monitor draws anew. Names decide
// between equal candidates of a coordinated election.
package rename

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/leaselab/leaselab/sim/scenario"
)

// Name is a node and its new name.
type Name struct {
	From string // as the scenario's list has it: replicas are renamed together
	To   string
}

// Nodes lists the names that a scenario gives, in the order in which it gives them: those that From takes.
func Nodes(s scenario.Scenario) []string {
	var all []string
	for _, e := range entries(&s) {
		all = append(all, *e.name)
	}
	return all
}

// Changes are the changes that give the nodes of a valid scenario other names, as scenario.SetAll takes them. All names
// change at the same time, so that two nodes can swap theirs. The error is a *scenario.FieldError.
func Changes(s scenario.Scenario, names []Name) ([]scenario.Change, error) {
	s = s.Clone()
	r := renaming{nodes: map[string]string{}, identities: map[string]string{}}
	if s.Heartbeats != nil && len(s.Heartbeats.Monitors) == 0 {
		if i := slices.IndexFunc(names, func(n Name) bool {
			return n.From == scenario.DefaultMonitor && n.To != n.From
		}); i >= 0 {
			s.Heartbeats.Monitors = []scenario.Monitor{{Name: scenario.DefaultMonitor}}
			r.changes = append(r.changes,
				scenario.Change{Path: "heartbeats.monitors", Value: `[{"name":"` + scenario.DefaultMonitor + `"}]`})
		}
	}
	all := entries(&s)
	for _, n := range names {
		i := slices.IndexFunc(all, func(e entry) bool { return *e.name == n.From })
		switch {
		case i < 0:
			return nil, r.unknown(&s, n.From, all)
		case all[i].to != "":
			return nil, refuse(n.From, n.To, "is the second new name of "+n.From+"; give it one")
		case n.To == "":
			return nil, refuse(n.From, "",
				"needs a name: 1 to 63 letters, digits, -, _ or ., beginning and ending with a letter or digit")
		}
		all[i].to = n.To
	}
	updates := 0
	for i := range s.Actions {
		if s.Actions[i].Act == scenario.ActRollingUpdate {
			updates++
		}
	}
	for i := range all {
		if all[i].to != "" && all[i].to != *all[i].name {
			r.add(&s, &all[i], updates)
		}
	}
	r.walk(reflect.ValueOf(&s).Elem(), "", "")
	if r.clash != nil {
		return nil, r.clash
	}
	if _, err := scenario.SetAll(s, r.changes); err != nil {
		return nil, err
	}
	return r.changes, nil
}

// entry is a place of the document that gives a name.
type entry struct {
	path      string // "candidates[0]"
	name      *string
	stream    *string
	candidate *scenario.Candidate // nil of an API server or a monitor
	to        string              // its new name
}

func entries(s *scenario.Scenario) []entry {
	var all []entry
	for i := range s.Candidates {
		c := &s.Candidates[i]
		all = append(all, entry{"candidates[" + strconv.Itoa(i) + "]", &c.Name, &c.Stream, c, ""})
	}
	for i := range s.Actions {
		if c := s.Actions[i].Candidate; c != nil {
			all = append(all, entry{"actions[" + strconv.Itoa(i) + "].candidate", &c.Name, &c.Stream, c, ""})
		}
	}
	for i := range s.APIServers {
		a := &s.APIServers[i]
		all = append(all, entry{"apiServers[" + strconv.Itoa(i) + "]", &a.Name, &a.Stream, nil, ""})
	}
	if s.Heartbeats == nil {
		return all
	}
	for i := range s.Heartbeats.Monitors {
		m := &s.Heartbeats.Monitors[i]
		all = append(all, entry{"heartbeats.monitors[" + strconv.Itoa(i) + "]", &m.Name, &m.Stream, nil, ""})
	}
	if len(s.Heartbeats.Monitors) == 0 {
		all = append(all, entry{name: new(scenario.DefaultMonitor)})
	}
	return all
}

// renaming is a renaming under way.
type renaming struct {
	nodes      map[string]string // new names by old ones, with replicas and the pods that replace them
	identities map[string]string // new holderIdentities by old ones
	changes    []scenario.Change
	clash      error
}

// add takes a new name of an entry: of its processes, of the pods that replace them, and of their identities.
func (r *renaming) add(s *scenario.Scenario, e *entry, updates int) {
	stream := *e.stream
	if stream == "" {
		stream = *e.name
	}
	if stream == e.to { // back to the name by which it draws
		stream = ""
	}
	r.changes = append(r.changes, scenario.Change{Path: e.path + ".name", Value: e.to},
		scenario.Change{Path: e.path + ".stream", Value: stream})
	if e.candidate == nil {
		r.nodes[*e.name] = e.to
		r.identities[*e.name] = e.to
		return
	}
	renamed := *e.candidate
	renamed.Name = e.to
	if renamed.Identity == *e.name {
		renamed.Identity = e.to
	}
	before, after := scenario.ResolveCandidate(*s, *e.candidate), scenario.ResolveCandidate(*s, renamed)
	for i := range before {
		from, to := before[i].Name, after[i].Name
		for range updates + 1 {
			r.nodes[from] = to
			from, to = scenario.Successor(from), scenario.Successor(to)
			if renamed.Identity == "" {
				r.identities[from] = to
			}
		}
		if before[i].Identity != after[i].Identity {
			r.identities[before[i].Identity] = after[i].Identity
		}
	}
}

// meaning is what a text of the format has to do with names of nodes.
type meaning byte

const (
	given    meaning = iota + 1 // it gives a node its name, or its draws their name; add changes it
	node                        // it names a node
	identity                    // it is a holderIdentity: the node's name, unless the node has another
	path                        // a request's path, which may end with a LeaseCandidate's name
	body                        // a request's body, which may hold a Lease
)

// meanings has every field of the format whose text may name a node.
var meanings = map[string]meaning{
	"Candidate.name": given, "APIServer.name": given, "Monitor.name": given,
	"Candidate.stream": given, "APIServer.stream": given, "Monitor.stream": given,
	"Action.target": node, "Candidate.apiServer": node, "Expect.leader": node, "Expect.node": node,
	"Expect.nodes":       node,
	"Candidate.identity": identity, "Candidate.leaseCandidate": identity, "LeaseSpec.holderIdentity": identity,
	"LeaseSpec.preferredHolder": identity,
	"Action.path":               path, "Action.body": body,
}

// walk adds the changes of all texts that name renamed nodes. field is the value's key in the table of fields.
func (r *renaming) walk(v reflect.Value, at, field string) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			r.walk(v.Elem(), at, field)
		}
	case reflect.Slice:
		for i := range v.Len() {
			r.walk(v.Index(i), at+"["+strconv.Itoa(i)+"]", field)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
			inner := name
			if at != "" {
				inner = at + "." + name
			}
			r.walk(v.Field(i), inner, v.Type().Name()+"."+name)
		}
	case reflect.String:
		if text := r.text(v.String(), at, meanings[field]); text != v.String() {
			r.changes = append(r.changes, scenario.Change{Path: at, Value: text})
		}
	}
}

// text is a text with the new names.
func (r *renaming) text(text, at string, means meaning) string {
	switch means {
	case node:
		return or(r.nodes, text)
	case identity:
		r.free(text, at)
		return or(r.identities, text)
	case path:
		if base, name, found := cutLast(text, "/"); found && strings.HasSuffix(base, "/leasecandidates") {
			return base + "/" + or(r.identities, name)
		}
	case body:
		return r.body(text)
	}
	return text
}

// free refuses a new identity that the scenario already gives another meaning: its holder would become the renamed
// node.
func (r *renaming) free(text, at string) {
	if _, moved := r.identities[text]; moved || r.clash != nil {
		return
	}
	for _, to := range r.identities {
		if to == text {
			r.clash = refuse(at, text,
				"is a holderIdentity of the scenario already; choose another name, or change this field first")
		}
	}
}

func or(names map[string]string, text string) string {
	if to, renamed := names[text]; renamed {
		return to
	}
	return text
}

func cutLast(text, at string) (before, after string, found bool) {
	i := strings.LastIndex(text, at)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(at):], true
}

func (r *renaming) unknown(s *scenario.Scenario, name string, all []entry) error {
	for _, e := range all {
		if e.candidate != nil && e.candidate.Replicas > 0 && strings.HasPrefix(name, *e.name+"-") {
			return refuse(name, name, "is one of the replicas of "+*e.name+"; rename "+*e.name)
		}
	}
	if s.Heartbeats != nil && strings.HasPrefix(name, "node-") {
		return refuse(name, name, "sends heartbeats; the nodes of heartbeats are called node-0, node-1 and so on")
	}
	return refuse(name, name, "names no node; there are "+strings.Join(Nodes(*s), ", "))
}

func refuse(path, value, rule string) error {
	message := path
	if value != "" && value != path {
		message += " " + strconv.Quote(value)
	}
	return &scenario.FieldError{Path: path, Value: value, Rule: rule, Message: message + " " + rule}
}
