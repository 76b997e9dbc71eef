package scenario

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Validate checks everything in a scenario except types: ranges, words, names, and relations between fields and
// between acts. It returns the first error, a *FieldError without a line. Decode has the same checks and adds lines.
// If you build a scenario in Go, call Validate before you run it.
func Validate(s Scenario) error {
	v := validator{problems: problems{most: 1}, s: s}
	v.check()
	return v.first()
}

// check adds the errors of the scenario. The order matters. Single values come first, because the later checks rely
// on them and skip the parts that are in doubt. The method size comes before any check that makes a list of all
// replicas. After that, each check may use the names that earlier checks registered: acts need candidates, and
// expectations need both.
func (v *validator) check() {
	v.joined = map[string]Duration{}
	v.header()
	checkValue(reflect.ValueOf(v.s), place{}, &v.problems)
	if !v.size() {
		return // creating their names would take too long
	}
	if len(v.all) > 0 {
		v.doubt()
	}
	v.end()
	for _, check := range []func(){
		v.network, v.apiServers, v.controllers, v.candidates, v.heartbeats, v.actions, v.expectations, v.resource,
		v.museum,
	} {
		if v.full() {
			return
		}
		check()
	}
}

// validator holds the document and the state of a walk through time: which nodes exist, and which cuts and pauses are
// still in effect.
type validator struct {
	problems
	s        Scenario
	nameless bool // a name is unreadable, so report no name as unknown
	termless bool // the settings of an elector contradict each other, so do not blame an act

	joined map[string]Duration // when a name begins to exist: 0, or at its add action
	names  []string            // the names in joined, in the order of the document

	// The state after the acts so far, in the order in which they happen.
	settings settings
	removed  map[string]Duration // when a node left
	cuts     []openCut
	paused   map[string]pause // by node
	// The number of candidates, including replicas and added candidates. Then the number of rolling updates, and the
	// end of the last one.
	total     int
	updates   int
	updatedAt Duration
}

// `header` checks that the document is a scenario of this version.
func (v *validator) header() {
	if v.s.APIVersion != APIVersion {
		v.add(refuse("apiVersion", v.s.APIVersion, "must be "+quote(APIVersion)))
	}
	if v.s.Kind != Kind {
		v.add(refuse("kind", v.s.Kind, "must be "+quote(Kind)))
	}
}

// checkValue checks each field by itself, with the table of fields. It is for Validate and Set, too, which have no
// document. For a document, the reader in typed.go has already found wrong types.
func checkValue(v reflect.Value, at place, found *problems) {
	if v.Type() == durationType {
		found.add(checkDuration(Duration(v.Int()), at))
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			checkValue(v.Elem(), at, found)
		}
	case reflect.Struct:
		for _, f := range fieldsOf(v.Type()) {
			one := v.Field(f.index)
			if absent(one) { // most fields are absent, and their paths would take a sixth of a hunt's time
				continue
			}
			checkValue(one, place{join(at.path, f.name), f.key}, found)
		}
	case reflect.Slice:
		if most := MaxItems(at.field); most > 0 && v.Len() > most {
			found.add(tooMany(at.path, v.Len(), most))
			return
		}
		for i := 0; i < v.Len() && !found.full(); i++ {
			checkValue(v.Index(i), place{index(at.path, i), at.field}, found)
		}
	case reflect.String:
		found.add(checkWord(v.String(), at))
	case reflect.Float64:
		found.add(checkFloat(v.Float(), at))
	case reflect.Uint64:
		found.add(checkNumber(int64(min(v.Uint(), 1<<63-1)), strconv.FormatUint(v.Uint(), 10), at))
	case reflect.Int, reflect.Int32, reflect.Int64:
		found.add(checkNumber(v.Int(), strconv.FormatInt(v.Int(), 10), at))
	}
}

// `absent` reports whether a field is zero and zero is always valid for its type.
func absent(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Slice:
		return v.IsNil()
	case reflect.String:
		return v.Len() == 0
	}
	return v.Type() == durationType && v.Int() == 0
}

func checkDuration(d Duration, at place) *FieldError {
	switch {
	case d < 0 && !MayBeNegative(at.field):
		return refuseDuration(at.path, d, "must not be negative")
	case d > MaxDuration:
		return refuseDuration(at.path, d, "must be at most 2160h (90 days)")
	case d < -MaxDuration:
		return refuseDuration(at.path, d, "must be at least -2160h (90 days)")
	}
	return nil
}

// checkWord checks a word of an enumeration. The empty word means that the field is missing, which another check
// handles. For an act it also knows words of other tools: "kill" means crash.
func checkWord(word string, at place) *FieldError {
	words := wordsOf(at.field)
	if words == nil || word == "" || slices.Contains(words, word) {
		return nil
	}
	rule := "must be " + listWords(words, "or")
	near := nearest(word, words)
	if meant := actsMeant[strings.ToLower(word)]; at.field == "Action.act" && meant != "" {
		near = meant
	}
	if near != "" {
		rule += "; did you mean " + quote(near) + "?"
	}
	return refuse(at.path, word, rule)
}

func checkNumber(n int64, shown string, at place) *FieldError {
	if r := fieldOf(at.field).whole; r != nil && !r.allows(n) {
		return refuseNumber(at.path, shown, r.rule())
	}
	return nil
}

// `size` counts replicas and added candidates before the other checks create them. If there are too many, it returns
// false: 10,000 replicas with generated names take a moment, but 2 billion would use up the memory.
func (v *validator) size() bool {
	total := 0
	for _, c := range v.s.Candidates {
		total += c.count()
	}
	for _, a := range v.s.Actions {
		if a.Candidate != nil {
			total += a.Candidate.count()
		}
	}
	if total > MaxCandidates {
		e := refuseField("candidates", thousands(int64(total))+
			" candidates, with replicas and added ones, are more than the limit of "+thousands(MaxCandidates))
		e.Value = strconv.Itoa(total)
		v.add(e)
		return false
	}
	v.total = total
	if total == 0 {
		v.add(refuseField("candidates",
			"missing; at least one candidate must compete for the Lease, such as name: a"))
		v.nameless = true
	}
	return true
}

// `end` checks that the run has a duration. If the duration is unreadable, `end` uses the longest one. Otherwise, one
// typo in duration would put every act of the document "after the end".
func (v *validator) end() {
	if v.doubts["duration"] {
		v.s.Duration = MaxDuration
	} else if v.s.Duration == 0 {
		v.add(refuseDuration("duration", v.s.Duration, "must be longer than zero: the run ends there"))
	}
}

// `network` checks the network settings and the API server's capacity.
func (v *validator) network() {
	v.checkNetwork(&v.s.Network, "network")
	v.checkServer(v.s.Server, "server")
}
