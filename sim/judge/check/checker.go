package check

import (
	"slices"

	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// checker is the state of one rule in one run. A rule that needs more than raw records implements some of the
// interfaces below. Every method may read the facts in Checks and record violations there.
type checker interface {
	kinds() []trace.Kind                  // the kinds of records that observe gets
	observe(c *Checks, r *trace.Record)   // called after the facts have taken the record
	figure(c *Checks, nowNs int64) string // what the rule measured, in words
	clone() checker
}

// recordless is for rules that observe no records: they embed it.
type recordless struct{}

func (recordless) kinds() []trace.Kind { return nil }

func (recordless) observe(*Checks, *trace.Record) {}

type (
	// preparer reads the setup of the run.
	preparer interface{ prepare(setup *world.Setup) }
	// preStartHearer hears of a candidate that is about to lead, before the facts change.
	preStartHearer interface {
		willStart(c *Checks, r *trace.Record)
	}
	// startHearer hears of a candidate that has just become active.
	startHearer interface {
		didStart(c *Checks, r *trace.Record)
	}
	// stopHearer hears of a candidate that has just stopped being active.
	stopHearer interface {
		didStop(c *Checks, r *trace.Record)
	}
	// storeHearer hears of a new version of the Lease, unless its holder only renewed it. The facts still describe the
	// old version. The writer is -1 for an administrator or a controller.
	storeHearer interface {
		willStore(c *Checks, r *trace.Record, writer int32)
	}
	// holderHearer hears that the holder in the Lease or the ConfigMap may have changed.
	holderHearer interface {
		didMoveHolder(c *Checks, r *trace.Record)
	}
	// readHearer hears of what an active candidate has read. Most requests are reads by candidates that are not
	// active. Those reads must cost nothing here.
	readHearer interface {
		didRead(c *Checks, r *trace.Record)
	}
	// answerHearer hears of the answer to a write that succeeded.
	answerHearer interface {
		didAnswer(c *Checks, r *trace.Record)
	}
	// timed is a rule that the passage of time alone can break, right after the rule's due instant. If the due instant
	// is `never`, time cannot break the rule.
	timed interface {
		due() int64
		settle(c *Checks, nowNs int64)
	}
	// stateTeller says whether a run can break the rule: Off or NotEvaluated if it cannot, Fine if it can.
	stateTeller interface{ state(c *Checks) State }
)

// check is a rule with its code.
type check struct {
	*rules.Rule
	begin    func() checker
	describe func(v *Violation, first, second string, lengthNs int64) string // describes a violation in one sentence
	clause   func(v *Violation, first, second string) string                 // see Violation.Clause; nil for the title
}

// allChecks lists every rule once. It orders them by severity, worst first, and then by number. Rules hear of an
// event in this order.
var allChecks []check

// `registered` holds the rules' code by name, as the files of the rules register it.
var registered = map[string]check{}

// register adds the code of a rule. Each rule's file calls it once, when the program starts.
func register(rule string, code check) bool {
	registered[rule] = code
	return true
}

// `hears` lists which rules hear of what. It refers to rules by their index in allChecks.
var hears struct {
	records                                                              [trace.NoKind][]int
	starting, started, ended, storing, holding, reading, answered, timed []int
}

// The bits of an entry in the table audience. They say whether the facts, or some rules, hear of records of a kind.
const (
	theFacts  uint8 = 1 << iota
	someRules       // the rules in hears.records hear of it
)

// audience says which rules hear of records of a kind; for most kinds none do. It has 256 entries, so that indexing
// it with a uint8 needs no bounds check.
var audience [256]uint8

func init() {
	for _, kind := range factKinds {
		audience[kind] |= theFacts
	}
	all := rules.All()
	for _, severity := range rules.Severities() {
		for i := range all {
			if all[i].Severity != severity {
				continue
			}
			code, known := registered[all[i].Name]
			if !known {
				panic("check: the rule " + all[i].Name + " has no checker")
			}
			code.Rule = &all[i]
			allChecks = append(allChecks, code)
		}
	}
	if len(registered) > len(allChecks) {
		panic("check: a checker has no rule")
	}
	for k := range allChecks {
		listen(k, allChecks[k].begin())
	}
}

// listen records, once per program, what each rule wants to hear of. So a record costs time only in the rules that
// want it. Most records of a run are followers' reads, which no rule wants.
func listen(k int, rule checker) {
	for _, kind := range rule.kinds() {
		hears.records[kind] = append(hears.records[kind], k)
		audience[kind] |= someRules
	}
	note := func(list *[]int, hears bool) {
		if hears {
			*list = append(*list, k)
		}
	}
	_, is := rule.(preStartHearer)
	note(&hears.starting, is)
	_, is = rule.(startHearer)
	note(&hears.started, is)
	_, is = rule.(stopHearer)
	note(&hears.ended, is)
	_, is = rule.(storeHearer)
	note(&hears.storing, is)
	_, is = rule.(holderHearer)
	note(&hears.holding, is)
	_, is = rule.(readHearer)
	note(&hears.reading, is)
	_, is = rule.(answerHearer)
	note(&hears.answered, is)
	_, is = rule.(timed)
	note(&hears.timed, is)
}

// fineIf returns Fine if a run can break a rule, and otherwise the reason why it cannot.
func fineIf(can bool, why State) State {
	if can {
		return Fine
	}
	return why
}

// withOwn returns a copy of a rule's state, with a separate copy of its list.
func withOwn[T, E any](state T, list func(*T) *[]E) *T {
	all := list(&state)
	*all = slices.Clone(*all)
	return &state
}

// stateOf returns the state of the one rule whose type is T.
func stateOf[T checker](c *Checks) T {
	for _, rule := range c.checkers {
		if rule, is := rule.(T); is {
			return rule
		}
	}
	panic("check: no rule has this state")
}

// entry returns a candidate's entry in a list that grows as candidates appear. The pointer is valid until the next
// call.
func entry[T any](list *[]T, candidate int32) *T {
	if int(candidate) >= len(*list) {
		*list = append(*list, make([]T, int(candidate)+1-len(*list))...)
	}
	return &(*list)[candidate]
}

func severityOf(name string) rules.Severity {
	rule, _ := rules.ByName(name)
	return rule.Severity
}
