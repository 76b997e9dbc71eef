package symptoms

import (
	"cmp"
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
)

// Match is a page that fits a text.
type Match struct {
	ID      string   `json:"id"`      // B03 for an incident, Q7 for a question
	Address string   `json:"address"` // in the documentation, without .html
	Title   string   `json:"title"`
	If      string   `json:"if"`      // completes "It is this one if …"
	Because []string `json:"because"` // what the text has in common with the page, the most telling first
	score   float64
}

// Findings are the pages that fit a text, at most three, the best first, and the question that tells them apart.
type Findings struct {
	Matches  []Match `json:"matches"`
	Question string  `json:"question"` // empty for fewer than two
}

// The most matches that Find returns, and the score of a match that one telling phrase or some words give.
const (
	most   = 3
	enough = 1.5
)

// Find looks for the pages that fit a text best. It finds none if nothing in the text speaks of leader election.
func Find(text string) *Findings {
	all, told := load(), read(text)
	found := []Match{}
	for i := range all {
		if m := all[i].match(told); m.score >= enough {
			found = append(found, m)
		}
	}
	slices.SortStableFunc(found, func(a, b Match) int { return cmp.Compare(b.score, a.score) })
	found = found[:min(most, len(found))]
	return &Findings{Matches: found, Question: question(found)}
}

// question returns the question that tells matches apart.
func question(found []Match) string {
	if len(found) < 2 {
		return ""
	}
	var answers []string
	for _, m := range found {
		answers = append(answers, m.ID+" if "+m.If)
	}
	return "Which of them? " + strings.Join(answers, "; ") + "."
}

// record is one page, and what people write who need it.
type record struct {
	Match
	phrases []clue
	words   []clue
}

// clue is a phrase or a word of a record. Its weight is larger the fewer records have it.
type clue struct {
	text   string
	words  []string // stems; "*" stands for up to six words, and "**" for any number
	weight float64
}

// match compares a record with a text.
func (r *record) match(told *reading) Match {
	m := r.Match
	var because []clue
	for _, c := range r.phrases {
		if told.has(c.words) {
			because = append(because, c)
			m.score += c.weight
		}
	}
	for _, c := range r.words {
		if told.stems[c.words[0]] {
			because = append(because, c)
			m.score += c.weight
		}
	}
	slices.SortStableFunc(because, func(a, b clue) int { return cmp.Compare(b.weight, a.weight) })
	m.Because = tell(because)
	return m
}

// tell returns the most telling clues as a user reads them, without words that are in a phrase before them.
func tell(clues []clue) (told []string) {
	var shown []string
	for _, c := range clues {
		if len(told) < most && c.words[0][0] != '~' && !slices.ContainsFunc(c.words, func(w string) bool {
			return slices.Contains(shown, w)
		}) {
			told = append(told, strings.NewReplacer(" ** ", " … ", " * ", " … ").Replace(c.text))
			shown = append(shown, c.words...)
		}
	}
	return told
}

//go:embed symptoms.txt
var source string

var load = sync.OnceValue(func() []record {
	all, err := parse(source)
	if err != nil {
		panic(err) // a test reads the same file
	}
	return all
})

// parse reads records, and weighs their clues.
func parse(text string) ([]record, error) {
	var all []record
	number := map[string]int{} // how many records have a clue, by its stems
	for i, line := range strings.Split(text, "\n") {
		kind, rest, _ := strings.Cut(line, " ")
		if len(all) == 0 && kind != "" && !strings.Contains("#~", kind) && !isID(kind) {
			return nil, fmt.Errorf("line %d: %s comes before the first record", i+1, kind)
		}
		switch last := len(all) - 1; {
		case kind == "" || kind == "#" || kind == "~":
		case isID(kind):
			all = append(all, record{Match: Match{ID: kind, Address: rest}})
		case kind == "title":
			all[last].Title = rest
		case kind == "if":
			all[last].If = rest
		case kind == "=":
			all[last].phrases = cluesOf(strings.Split(rest, "|"), number)
		case kind == "+":
			all[last].words = cluesOf(strings.Fields(strings.NewReplacer("-", " ", "_", " ").Replace(rest)), number)
		default:
			return nil, fmt.Errorf("line %d: %q is not an id, title, if, = or +", i+1, kind)
		}
	}
	for i := range all {
		weigh(all[i].phrases, number, 2)
		weigh(all[i].words, number, 0.7)
	}
	return all, nil
}

func isID(kind string) bool {
	return len(kind) > 1 && (kind[0] == 'B' || kind[0] == 'Q') && kind[1] >= '0' && kind[1] <= '9'
}

func cluesOf(texts []string, number map[string]int) []clue {
	var all []clue
	for _, text := range texts {
		c := clue{text: strings.TrimSpace(text), words: pattern(text)}
		if key := strings.Join(c.words, " "); len(c.words) > 0 && !slices.ContainsFunc(all, func(other clue) bool {
			return slices.Equal(other.words, c.words)
		}) {
			number[key]++
			all = append(all, c)
		}
	}
	return all
}

// weigh gives a clue that n records share the weight 1/√n, times how much a clue of its kind and length tells.
func weigh(all []clue, number map[string]int, tells float64) {
	for i := range all {
		words := 0
		for _, w := range all[i].words {
			if w[0] != '*' {
				words++
			}
		}
		if all[i].text[0] == '~' { // what the whole log shows
			words = 4
		}
		length := 0.5 + 0.5*float64(min(words, 4))
		all[i].weight = tells * length / math.Sqrt(float64(number[strings.Join(all[i].words, " ")]))
	}
}
