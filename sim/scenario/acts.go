package scenario

import (
	"slices"
	"time"
)

// To add an act, write its file act_NAME.go, add it to actTable, give package compile an entry that does it, and add
// fields to Action if it needs new ones. Then the page's menu, the help, the schema, the checks and the random
// scenarios include it.

// Act is one kind of action: its fields, its texts, and its checks. Each act has its own file, and an
// entry in package compile that says what it does to a world. The texts are parts of sentences, from which each part
// of the page builds its own sentence: the event list says "b crashes", the preview of a click "b will crash", and
// the undo list "crash of b at 20s".
type Act struct {
	Word    string   // in a document: "burst"
	Section string   // the heading in forms and help
	Takes   []string // the fields that it may have, besides at and act
	Needs   []string // the fields it must have
	OneOf   []string // fields of which it must have at least one
	Help    string   // one or two sentences
	Stands  string   // for a shorthand: the acts that it stands for, in a sentence or two

	Label   string // label of its button; "" if the page has no button for it
	Key     string // its default key
	Subject string // subject of its clause; "" for the target
	Told    string // what follows the subject when the act happens: "crashes"
	Promise string // what follows the subject before the act happens: "will crash"
	On      On     // the state of a node in which the act makes sense
	Use     Uses   // what else can perform the act

	fill  func(*Action)                             // fills in its defaults
	usual func(*Action)                             // adds the fields that a click leaves out
	fits  func(v *validator, a Action, path string) // checks that its fields fit together
	// checks that the act fits earlier acts, and records what it begins or ends
	follows func(v *validator, a Action, path string)
}

// Uses says what can perform an act besides a simulated run. An act has one meaning, but some of these players cannot
// perform it: leaselab cannot roll back the store of real processes, for example. Each player explains in its own words
// why it refuses an act. A test fails for a zero Use, so the author of a new act must decide about each.
type Uses struct {
	Explore     Use // package explore, which compares all state that the act adds
	GoTest      Use // an exported Go test
	InTest      Use // package electiontest, on programs in one process and in virtual time
	OnServer    Use // `leaselab serve --faults`, on its clients
	AsProcesses Use // `leaselab test`, on processes that it has started
}

// Use says whether a player can perform an act. The zero value means that nobody has decided.
type Use uint8

const (
	Yes Use = iota + 1
	No
)

// On is the state of a node in which an act makes sense. In any other state the world skips a scripted act, and the
// page refuses a click. A scripted act in the wrong state is not an error, because of random scenarios: a restart may
// find its node running, because the earlier crash hit another node.
type On uint8

const (
	OnStarted   On = iota // the node has started at some time
	OnAny                 // any
	OnRunning             // its process runs, paused or not
	OnStoppable           // its process runs, and nothing has told it to stop
	OnAwake               // its process runs without a pause
	OnEnded               // its process has ended or crashed
	OnPaused              // its process is paused
	OnConnected           // messages pass in at least one direction; the node need not have started
	OnCut                 // a cut of the network stops messages in at least one direction
	OnSending             // its elector has a message in flight
	OnHeld                // an intercept holds a message of its elector
)

// Sections of acts in forms and help.
const (
	SectionProcess = "Process"
	SectionNetwork = "Network and API server"
	SectionRest    = "Clock, Lease, settings, data"
)

// Sections lists the sections in their order.
func Sections() []string {
	return []string{SectionProcess, SectionNetwork, SectionRest}
}

// Targets other than the name of a node. Only the run shows which node holds the Lease at an instant, so most checks
// skip "holder".
const (
	TargetHolder    = "holder"
	TargetEverybody = "*"
)

// actTable has every act, in the order of the documentation.
var actTable = []*Act{
	&actCrash, &actRestart, &actPause, &actResume, &actStop, &actCut, &actHeal, &actFail, &actRecover, &actClock,
	&actLatency, &actWrite, &actRequest,
	&actAdd, &actRemove, &actUpgrade, &actSet, &actSuspend, &actHang, &actBurst, &actServer, &actRollback,
	&actCutResource, &actHealResource, &actRollingUpdate,
	&actIntercept, &actDeliver,
}

// Fields that many acts have.
var (
	targetOnly   = []string{"target"}
	targetAndFor = []string{"target", "for"}
)

// Acts lists every act in the order of the documentation. The caller may change the list, but not the acts.
func Acts() []*Act { return slices.Clone(actTable) }

// ActNamed finds an act by its word, or returns nil.
func ActNamed(word string) *Act {
	i := slices.IndexFunc(actTable, func(a *Act) bool { return a.Word == word })
	if i < 0 {
		return nil
	}
	return actTable[i]
}

// TakesField reports whether an action of this kind may have a field.
func (a *Act) TakesField(name string) bool { return slices.Contains(a.Takes, name) }

// Complete adds the fields that the act must have but a click leaves out. A click names a node and an act. If an act
// needs more, it has a usual value, such as 200 requests for a burst.
func (a *Act) Complete(action *Action) {
	if a.usual != nil {
		a.usual(action)
	}
}

// Say returns a clause: "b crashes". `node` is the target, or the name of an added candidate.
func (a *Act) Say(node string) string { return a.subject(node) + " " + a.Told }

// subject returns the subject of the act's clause: the act's own subject, or the target in words.
func (a *Act) subject(node string) string {
	switch {
	case a.Subject != "":
		return a.Subject
	case node == TargetHolder:
		return "the holder"
	case node == TargetEverybody:
		return "every node"
	}
	return node
}

// TargetName returns the target of an action in words, such as "the holder". Without a target it is "an administrator".
func (a *Action) TargetName() string {
	switch a.Target {
	case TargetEverybody:
		return "everybody"
	case TargetHolder:
		return "the holder"
	case "":
		return "an administrator"
	}
	return a.Target
}

// Phrase names an action: "pause of the holder at 20s".
func (a *Action) Phrase() string {
	return a.Act + " of " + a.TargetName() + " at " + a.InstantText()
}

// InstantText returns the instant of an action, to the millisecond.
func (a *Action) InstantText() string {
	return Duration(time.Duration(a.At).Round(time.Millisecond)).String()
}

// actWords lists the words of all acts.
func actWords() []string {
	words := make([]string, len(actTable))
	for i, a := range actTable {
		words[i] = a.Word
	}
	return words
}

// fillDefaults fills in the action's defaults.
func (a *Action) fillDefaults() {
	if act := ActNamed(a.Act); act != nil && act.fill != nil {
		act.fill(a)
	}
}
