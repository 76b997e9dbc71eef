package scenario

import (
	_ "embed"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/elements"
	"github.com/leaselab/leaselab/sim/trace"
)

// The Go types say which fields the format has. The table of fields says everything else: meaning, default, limits,
// words, headings, and when a change takes effect. A test checks that each field has a row and each row has a field.

// Field describes one field or group of the format. The schema, the checks of single values, the page's forms and
// knobs, the defaults and the random scenarios follow from it.
//
// Help appears in the schema, the forms and the documentation. It says not only what the field means but also what
// people get wrong.
type Field struct {
	Key     string // "Elector" for a group, "Elector.leaseDuration" for a field
	Help    string // sentences: the field's meaning, and frequent mistakes
	Default string // the value of a missing field, as a document writes it; "" if Help gives the default
	Heading string // its heading in forms; "" for its group's heading
	Effect  Effect // when a change takes effect
	Label   string // label of its knob in the page; "" if it has none
	Lines   bool   // a text of several lines

	words   []string    // the allowed words; nil allows any text
	says    []string    // the meaning of each word; nil if Help explains the words
	whole   *bounds     // bounds of a whole number
	decimal *[2]float64 // bounds of a decimal number, both included; nil for a jitter draw, at least 0 and less than 1
	most    int         // the most entries in a list; 0 for any number
	signed  bool        // a duration that may be negative; the limit of 90 days holds in both directions
	missing string      // completes "missing; …" for a required field
}

// Effect is when a change of a field during a run takes effect. A set act can change fields with AtNextStart and
// AtOnce. client-go reads its configuration once, in NewLeaderElector, so an elector's settings wait for the next
// start.
type Effect string

const (
	AtNextRun   Effect = ""      // only in a new run
	AtNextStart Effect = "start" // at the next start of a node
	AtOnce      Effect = "now"
)

// Headings lists the headings of settings in forms, in their order.
func Headings() []string {
	return []string{
		"The election", "The process", "The client", "The node", "How it differs from client-go",
		"Network and API server", "Start and clock", "The data behind it", "Coordinated election", "Node heartbeats",
		"The run",
	}
}

// help.txt has a line for each group and field: its key and its help. fields.txt has the other texts, and limits that
// no code needs; fieldCode has what depends on code.
//
//go:embed help.txt
var helpLines string

//go:embed fields.txt
var fieldLines string

var fieldCode = map[string]Field{
	"Scenario.seed":         {whole: &bounds{max: MaxSeed}},
	"Scenario.preset":       {words: presetWords(), says: presetSays()},
	"Scenario.candidates":   {most: MaxCandidates},
	"Scenario.actions":      {most: MaxActions},
	"Candidate.replicas":    {whole: &bounds{max: MaxCandidates}},
	"Candidate.preset":      {words: presetWords(), says: presetSays()},
	"Clock.ratePpm":         {whole: clockRate},
	"Elector.dialect":       {words: dialectWords(), says: dialectHelp()},
	"Elector.lock":          {words: elector.LockNames[:]},
	"Action.ratePpm":        {whole: clockRate},
	"Action.clear":          {words: leaseSpecFields},
	"Action.maxSurge":       {whole: &bounds{max: MaxCandidates}},
	"Action.maxUnavailable": {whole: &bounds{max: MaxCandidates}},
	"Expect.event":          {words: trace.EventNames()},
	"Heartbeats.nodes":      {whole: &bounds{min: 1, max: MaxHeartbeatNodes}},
	"Museum.class":          {words: Classes()},
	"Museum.lesson":         {whole: &bounds{max: Lessons}},
}

var clockRate = &bounds{min: MinRatePpm, max: MaxRatePpm, orZero: true, hint: "1,000,000 is a true clock"}

// fieldTable has every group and every field of the format by its key.
var fieldTable = readTable()

func readTable() map[string]*Field {
	all := map[string]*Field{}
	for key, help := range readLines(helpLines) {
		f := fieldCode[key]
		f.Key, f.Help = key, help[0]
		all[key] = &f
	}
	readRows(fieldLines, func(key string) func(name, value string) {
		f := all[key]
		texts := map[string]*string{"heading": &f.Heading, "default": &f.Default, "label": &f.Label,
			"missing": &f.missing, "effect": (*string)(&f.Effect)}
		marks := map[string]*bool{"lines": &f.Lines, "signed": &f.signed}
		return func(name, value string) {
			switch {
			case texts[name] != nil:
				*texts[name] = value
			case name == "words":
				f.words = strings.Fields(value)
			case name == "most":
				f.most = int(numbers(value)[0])
			case name == "range":
				f.whole = &bounds{min: int64(numbers(value)[0]), max: int64(numbers(value)[1])}
			case name == "between":
				f.decimal = (*[2]float64)(numbers(value))
			default:
				*marks[name] = true
			}
		}
	})
	return all
}

// numbers reads the numbers of an attribute. A mistake in the table makes the program panic at its start.
func numbers(value string) []float64 {
	return elements.Of(strings.Fields(value), func(text string) float64 {
		n, err := strconv.ParseFloat(text, 64)
		if err != nil {
			panic("the table of fields has an invalid number: " + err.Error())
		}
		return n
	})
}

// noField is the empty description of an unknown name.
var noField Field

// fieldOf returns a row of the table. For an unknown key it returns an empty row, so that callers need no check.
func fieldOf(key string) *Field {
	if f := fieldTable[key]; f != nil {
		return f
	}
	return &noField
}

// FieldNamed returns the description of a group such as "Elector" or of a field such as "Elector.leaseDuration". It
// returns the zero value for an unknown name.
func FieldNamed(key string) Field { return *fieldOf(key) }

// Choices returns the allowed words of a field such as "Action.direction", or nil if it is not an enumeration. The
// empty word (leave the field out) is always allowed, unless the document must have the field.
func Choices(key string) []string {
	return slices.Clone(wordsOf(key))
}

// wordsOf returns the words of a field; do not change them. The words of Action.act come from the acts themselves.
func wordsOf(key string) []string {
	if key == "Action.act" {
		return actWords()
	}
	return fieldOf(key).words
}

// WordHelp returns the meanings of Choices in their order, or nil if the field's own help explains the words.
func WordHelp(key string) []string { return slices.Clone(fieldOf(key).says) }

// Range returns the bounds of a whole number such as "Scenario.seed"; ok is false if it has no bounds besides its
// type's. The least value of an optional field is 0.
func Range(key string) (least, most int64, ok bool) {
	b := fieldOf(key).whole
	switch {
	case b == nil:
		return 0, 0, false
	case b.orZero:
		return 0, b.max, true
	}
	return b.min, b.max, true
}

// FloatRange returns the bounds of a number such as "Elector.jitterFactor"; ok is false for a jitter draw.
func FloatRange(key string) (least, most float64, ok bool) {
	b := fieldOf(key).decimal
	if b == nil {
		return 0, 0, false
	}
	return b[0], b[1], true
}

// MaxItems returns the limit of a list such as "Scenario.actions", or 0 for no limit.
func MaxItems(key string) int { return fieldOf(key).most }

// MayBeNegative reports whether the duration may be negative.
func MayBeNegative(key string) bool { return fieldOf(key).signed }

// Setting is a field of Elector, Network, Process or Client. A scenario sets it for all candidates, and a candidate
// sets it for itself.
type Setting struct {
	Field
	Path string       // "elector.leaseDuration"
	Type reflect.Type // without the pointer
}

// Settings lists every setting in the order of the types. The groups are in the order of the struct defaults: elector,
// network, process, client.
func Settings() []Setting {
	var all []Setting
	groups := reflect.TypeOf(defaults)
	for i := range groups.NumField() {
		group := groups.Field(i)
		for _, f := range fieldsOf(group.Type) {
			t := group.Type.Field(f.index).Type
			if t.Kind() == reflect.Pointer {
				t = t.Elem()
			}
			all = append(all, Setting{FieldNamed(f.key), join(strings.ToLower(group.Name), f.name), t})
		}
	}
	return all
}

// Knob is a setting with its own control in the page. A setting gets one if its Field has a Label.
type Knob struct {
	Field
	Path string // "elector.leaseDuration"
	Kind string // "duration", "bool" or "int"
}

// Knobs lists the settings with a Label, in the order of the types.
func Knobs() []Knob {
	var all []Knob
	for _, s := range Settings() {
		if s.Label != "" {
			all = append(all, Knob{Field: s.Field, Path: s.Path, Kind: knobKind(s.Type)})
		}
	}
	return all
}

// knobKind names the control for a type: a length, a switch or a whole number.
func knobKind(t reflect.Type) string {
	switch {
	case t == durationType:
		return "duration"
	case t.Kind() == reflect.Bool:
		return "bool"
	}
	return "int"
}
