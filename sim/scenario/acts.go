package scenario

import "slices"

// Act is one kind of action: what it takes, what it is called, and what undoes it. Each stands in a file of its own with its
// checks; compile.Action says what it does to a world.
type Act struct {
	Word    string   // in a document: "burst"
	Section string   // under which forms and help list it
	Takes   []string // the fields it may have besides at and act
	Needs   []string // of those, the ones it cannot do without
	OneOf   []string // and those of which it needs at least one
	Inverse string   // the act that ends it or takes it back; "" if there is none
	Help    string   // a sentence or two

	Label   string // of its button; "" if the page has none for it
	Key     string // of the keyboard, as a default
	Subject string // who acts; "": the target
	Told    string // what follows the subject when it happens: "crashes"
	Promise string // and while it is still to come: "will crash"
	On      On     // the node on which it makes sense

	fill    func(*Action)                                         // makes explicit what it leaves out
	usual   func(*Action)                                         // completes what a click leaves out
	fits    func(a Action, path string) *FieldError               // checks its fields with each other
	follows func(v *validator, a Action, path string) *FieldError // checks it against the acts before it, and notes what it begins or ends
}

// On is the state of a node in which an act makes sense. A script may be wrong about it, and then the act is skipped; a click
// is refused.
type On uint8

const (
	OnStarted   On = iota // it has started at some time
	OnAny                 // any
	OnRunning             // its process runs, paused or not
	OnStoppable           // its process runs, and nobody has asked it to stop
	OnAwake               // its process runs and is not paused
	OnEnded               // its process has ended or crashed
	OnPaused              // its process is paused
	OnConnected           // messages pass in one direction at least; it need not have started
	OnCut                 // a cut of the network stops messages in one direction at least
)

// Sections in which acts are listed.
const (
	SectionProcess  = "Process"
	SectionNetwork  = "Network and API"
	SectionTime     = "Time"
	SectionLease    = "Lease"
	SectionSettings = "Settings"
	SectionResource = "Resource"
)

// Sections lists them in their order.
func Sections() []string {
	return []string{SectionProcess, SectionNetwork, SectionTime, SectionLease, SectionSettings, SectionResource}
}

// The words of targets.
const (
	TargetHolder    = "holder"
	TargetEverybody = "*"
)

// actTable has every act, in the order of the documentation. Random scenarios draw from it by number.
var actTable = []*Act{
	&actCrash, &actRestart, &actPause, &actResume, &actStop, &actCut, &actHeal, &actFail, &actRecover, &actClock, &actLatency, &actWrite, &actRequest,
	&actAdd, &actRemove, &actUpgrade, &actSet, &actSuspend, &actHang, &actBurst, &actServer, &actRollback, &actCutResource, &actHealResource,
}

// Fields that many acts have.
var (
	targetOnly   = []string{"target"}
	targetAndFor = []string{"target", "for"}
)

// Acts lists every act in the order of the documentation.
func Acts() []*Act { return slices.Clone(actTable) }

// ActNamed finds an act by its word, nil if there is none.
func ActNamed(word string) *Act {
	i := slices.IndexFunc(actTable, func(a *Act) bool { return a.Word == word })
	if i < 0 {
		return nil
	}
	return actTable[i]
}

// TakesField reports whether an action of this kind may have a field.
func (a *Act) TakesField(name string) bool { return slices.Contains(a.Takes, name) }

// Complete fills in what a click leaves out and the act cannot do without.
func (a *Act) Complete(action *Action) {
	if a.usual != nil {
		a.usual(action)
	}
}

// Say is the act as a clause: "b crashes". node is its target or, of add, the name of the candidate.
func (a *Act) Say(node string) string { return a.subject(node) + " " + a.Told }

// SayPromise is the act that is still to come, as a clause: "b will crash".
func (a *Act) SayPromise(node string) string { return a.subject(node) + " " + a.Promise }

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

// actWords lists the words of all acts.
func actWords() []string {
	words := make([]string, len(actTable))
	for i, a := range actTable {
		words[i] = a.Word
	}
	return words
}

// fillDefaults makes explicit what an action leaves out.
func (a *Action) fillDefaults() {
	if act := ActNamed(a.Act); act != nil && act.fill != nil {
		act.fill(a)
	}
}
