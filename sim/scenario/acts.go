package scenario

import (
	_ "embed"
	"slices"
	"strings"
	"time"

	"github.com/leaselab/leaselab/core/elements"
)

// To add an act, describe it in acts.txt and names.txt, give package compile an entry that does it, and add fields to
// Action if it needs new ones. Then the page's menu, the help, the schema, the checks and the random scenarios include
// it. An act with special checks also has an entry in actCode.

// Act is one kind of action: its fields, its texts, and its checks. An entry in package compile says what it does to a
// world. The texts are parts of sentences, from which each part
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

// onWords are the states as acts.txt names them. An act without one makes sense after the start.
var onWords = map[string]On{"any": OnAny, "running": OnRunning, "stoppable": OnStoppable, "awake": OnAwake,
	"ended": OnEnded, "paused": OnPaused, "connected": OnConnected, "cut": OnCut, "sending": OnSending, "held": OnHeld}

// Sections lists the sections in their order.
func Sections() []string {
	return []string{"Process", "Network and API server", "Clock, Lease, settings, data"}
}

// Targets other than the name of a node. Only the run shows which node holds the Lease at an instant, so most checks
// skip "holder".
const (
	TargetHolder    = "holder"
	TargetEverybody = "*"
)

// These acts need no file:

// ActBurst starves an elector with many other requests of its process, because client-go's rate limiter sends
// requests in order. At 20 requests per second, a renewal behind 200 other requests waits about 10 s, which is as
// long as the whole renewDeadline.
const ActBurst = "burst"

// ActClock changes a node's clock. client-go tolerates any offset, because each node compares only readings of its
// own clock. It tolerates a difference in rate up to the ratio of leaseDuration to renewDeadline, as the package doc
// of tools/leaderelection says.
const ActClock = "clock"

// ActCrash ends a process as SIGKILL, a panic or a power failure does. Nobody releases the Lease, so the other
// candidates must wait until their countdown ends. The length of this failover depends on leaseDuration.
const ActCrash = "crash"

// ActHang stops the elector's loop in a process that otherwise works: a deadlock in a callback, for example. Liveness
// probes succeed, so nothing restarts the process, and its work goes on. client-go's HealthzAdaptor exists to find
// this.
const ActHang = "hang"

// ActLatency makes messages slow without losing any. If a renewal takes longer than requestTimeout, the leader takes
// it for a failure, even though the server has stored it.
const ActLatency = "latency"

// ActCutResource separates a node from the resource that its leader writes to. The Lease is not affected, so the node
// stays the leader but gets nothing done.
const ActCutResource = "cutResource"
const ActHealResource = "healResource"

// ActRestart starts a new process where one has ended. If the Lease still names the new process's identity, the process
// takes the Lease at its first attempt, because client-go regards the process as the holder.
const ActRestart = "restart"

// ActServer changes the capacity of the API server during a run, as a flood of other clients does.
const ActServer = "server"

// ActStop cancels the context of a process, as the handler of SIGTERM does. With releaseOnCancel the leader empties
// holderIdentity on its way out, and the next candidate need not wait for leaseDuration.
const ActStop = "stop"

// ActSuspend stops a node with its monotonic clock, as suspending a VM does. Go's timers follow that clock on Linux, so
// the elector believes that no time has passed: after an hour of sleep its renewDeadline is as far ahead as before.
const ActSuspend = "suspend"

// actCode has the code of the acts that need some.
var actCode = map[string]Act{
	ActAdd:           {follows: checkAdd},
	ActBurst:         {usual: func(a *Action) { a.Count = orDefault(a.Count, usualBurst) }},
	ActCrash:         {follows: endPause},
	ActCut:           {fill: fillCut, follows: beginCut},
	ActFail:          {follows: checkFail},
	ActHang:          {follows: beginPause},
	ActHeal:          {follows: endCuts},
	ActIntercept:     {fits: checkHeld},
	ActLatency:       {follows: checkRepeated},
	ActPause:         {follows: beginPause},
	ActRemove:        {follows: checkRemove},
	ActRequest:       {fits: checkRequest},
	ActRestart:       {follows: endPause},
	ActResume:        {follows: endPause},
	ActRollback:      {follows: checkRollback},
	ActRollingUpdate: {fill: fillRollingUpdate, follows: checkRollingUpdate},
	ActServer:        {follows: checkNewServer},
	ActSet:           {follows: checkSet},
	ActSuspend:       {follows: beginPause},
	ActUpgrade:       {fits: checkUpgrade},
	ActWrite:         {fits: checkWrite, fill: fillWrite},
}

func checkNewServer(v *validator, a Action, path string) {
	v.checkServer(a.Server, join(path, "server"))
}

// usualBurst is how many requests a click sends. At client-go's default of 5 requests per second, the elector waits
// about 40 s for these.
const usualBurst = 200

// acts.txt describes every act, in the order of the documentation. A line with "can" or "cannot" has fields of Uses.
//
//go:embed acts.txt
var actLines string

var actTable = readActs()

func readActs() []*Act {
	var all []*Act
	readRows(actLines, func(word string) func(name, value string) {
		a := actCode[word]
		a.Word = word
		all = append(all, &a)
		texts := map[string]*string{"section": &a.Section, "help": &a.Help, "stands": &a.Stands, "label": &a.Label,
			"key": &a.Key, "subject": &a.Subject, "told": &a.Told, "promise": &a.Promise}
		lists := map[string]*[]string{"takes": &a.Takes, "needs": &a.Needs, "oneOf": &a.OneOf}
		use := map[string]Use{"can": Yes, "cannot": No}
		players := map[string]*Use{"explore": &a.Use.Explore, "goTest": &a.Use.GoTest, "inTest": &a.Use.InTest,
			"onServer": &a.Use.OnServer, "asProcesses": &a.Use.AsProcesses}
		return func(name, value string) {
			switch {
			case lists[name] != nil:
				*lists[name] = strings.Fields(value)
			case use[name] != 0:
				for player := range strings.FieldsSeq(value) {
					*players[player] = use[name]
				}
			case name == "on":
				a.On = onWords[value]
			default:
				*texts[name] = value
			}
		}
	})
	return all
}

// readRows reads rows of a text. A row begins with a line for its key, and has an indented line for each of its
// attributes: its name and its value. A mistake in a text makes the program panic at its start.
func readRows(text string, begin func(key string) (set func(name, value string))) {
	var set func(name, value string)
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if attribute, is := strings.CutPrefix(line, "  "); is {
			name, value, _ := strings.Cut(attribute, " ")
			set(name, value)
		} else {
			set = begin(line)
		}
	}
}

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
	return elements.Of(actTable, func(a *Act) string { return a.Word })
}

// fillDefaults fills in the action's defaults.
func (a *Action) fillDefaults() {
	if act := ActNamed(a.Act); act != nil && act.fill != nil {
		act.fill(a)
	}
}
