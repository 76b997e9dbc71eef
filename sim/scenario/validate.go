package scenario

import (
	"reflect"
	"slices"
	"strconv"
)

// Validate checks everything in a scenario but its types: ranges, words, names, and relations between fields and
// between acts. The error is a *FieldError without a line.
func Validate(s Scenario) error {
	v := validator{s: s, joined: map[string]Duration{}}
	for _, check := range []func() *FieldError{
		v.header, v.values, v.size, v.end, v.network, v.apiServers, v.controllers, v.candidates, v.heartbeats,
		v.actions, v.expectations, v.resource, v.museum,
	} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

type validator struct {
	s      Scenario
	joined map[string]Duration // the instant at which a name exists: 0, or its add action's
	names  []string            // of joined, in the order of the document

	// The state after the acts so far, in the order in which they happen.
	settings settings
	removed  map[string]Duration // when a node left
	cuts     []openCut
	paused   map[string]pause // by node
	// The candidates, replicas and added ones counted; the rolling updates, and the end of the last one.
	total     int
	updates   int
	updatedAt Duration
}

func (v *validator) header() *FieldError {
	if v.s.APIVersion != APIVersion {
		return refuse("apiVersion", v.s.APIVersion, "must be "+quote(APIVersion))
	}
	if v.s.Kind != Kind {
		return refuse("kind", v.s.Kind, "must be "+quote(Kind))
	}
	return nil
}

// values checks every field by itself, with the table of fields.
func (v *validator) values() *FieldError {
	return checkValue(reflect.ValueOf(v.s), place{})
}

func checkValue(v reflect.Value, at place) *FieldError {
	if v.Type() == durationType {
		return checkDuration(Duration(v.Int()), at)
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			return checkValue(v.Elem(), at)
		}
	case reflect.Struct:
		for _, f := range fieldsOf(v.Type()) {
			one := v.Field(f.index)
			if absent(one) { // most fields are: a hunt would spend a sixth of its time on their paths
				continue
			}
			if err := checkValue(one, place{join(at.path, f.name), f.key}); err != nil {
				return err
			}
		}
	case reflect.Slice:
		if most := MaxItems(at.field); most > 0 && v.Len() > most {
			return tooMany(at.path, v.Len(), most)
		}
		for i := range v.Len() {
			if err := checkValue(v.Index(i), place{index(at.path, i), at.field}); err != nil {
				return err
			}
		}
	case reflect.String:
		return checkWord(v.String(), at)
	case reflect.Float64:
		return checkFloat(v.Float(), at)
	case reflect.Uint64:
		return checkNumber(int64(min(v.Uint(), 1<<63-1)), strconv.FormatUint(v.Uint(), 10), at)
	case reflect.Int, reflect.Int32, reflect.Int64:
		return checkNumber(v.Int(), strconv.FormatInt(v.Int(), 10), at)
	}
	return nil
}

// absent reports whether a field has the zero value of a type of which that is always valid.
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
	case d < 0 && !Signed(at.field):
		return refuseDuration(at.path, d, "must not be negative")
	case d > MaxDuration:
		return refuseDuration(at.path, d, "must be at most 2160h (90 days)")
	case d < -MaxDuration:
		return refuseDuration(at.path, d, "must be at least -2160h (90 days)")
	}
	return nil
}

func checkWord(word string, at place) *FieldError {
	words := wordsOf(at.field)
	if words == nil || word == "" || slices.Contains(words, word) {
		return nil
	}
	rule := "must be " + listWords(words, "or")
	if near := nearest(word, words); near != "" {
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

// size counts replicas and added candidates before the other checks create them.
func (v *validator) size() *FieldError {
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
			" candidates, replicas and added ones counted, are more than the limit of "+thousands(MaxCandidates))
		e.Value = strconv.Itoa(total)
		return e
	}
	v.total = total
	if total == 0 {
		return refuseField("candidates",
			"missing; at least one candidate must compete for the Lease, with name: a for example")
	}
	return nil
}

func (v *validator) end() *FieldError {
	if v.s.Duration == 0 {
		return refuseDuration("duration", v.s.Duration, "must be longer than zero: the run ends there")
	}
	return nil
}

// network checks the way to the API server and the server's capacity.
func (v *validator) network() *FieldError {
	if err := checkNetwork(&v.s.Network, "network"); err != nil {
		return err
	}
	return checkServer(v.s.Server, "server")
}
