package lesson

import (
	"maps"
	"slices"
	"strconv"
)

// KindPlayer is the kind of a file with the sentences of the player.
const KindPlayer = "LessonPlayer"

// Player contains the sentences of the page's lesson player in one language: the texts of its buttons, what a step
// waits for, and what a step refuses. The player fills in the values in braces.
type Player struct {
	APIVersion string `json:"apiVersion" words:"leaselab.dev/v1alpha1"`
	Kind       string `json:"kind" words:"LessonPlayer"`
	// en, de, pt-BR and so on.
	Language string `json:"language"`
	// Sentences by the names that the player knows.
	Sentences map[string]string `json:"sentences"`
}

// DecodePlayer parses a document with the player's sentences. It compares them with the sentences of another
// language: both need the same names, and the same values in each sentence. The argument "as" is nil for the first
// language.
func DecodePlayer(file string, document []byte, as *Player) (*Player, Problems) {
	p := new(Player)
	r := decode(file, document, p)
	if len(r.found) > 0 {
		return p, r.found
	}
	if !languageForm.MatchString(p.Language) {
		r.add("language", strconv.Quote(p.Language)+" must be a language tag, such as en")
	}
	if as != nil {
		r.compare(p.Sentences, as.Sentences)
	}
	r.sort()
	return p, r.found
}

// compare reports names that one of the languages lacks, and sentences whose values in braces differ.
func (r *report) compare(have, want map[string]string) {
	names := slices.Sorted(maps.Keys(want))
	for _, name := range names {
		switch sentence, there := have[name]; {
		case !there:
			r.add(join("sentences", name), "is missing: "+strconv.Quote(want[name]))
		case !slices.Equal(valuesIn(sentence), valuesIn(want[name])):
			r.add(join("sentences", name), "must name the values of "+strconv.Quote(want[name]))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(have)) {
		if _, known := want[name]; !known {
			r.add(join("sentences", name), "is unknown"+suggestWords(name, names))
		}
	}
}

// valuesIn returns the names in braces, sorted.
func valuesIn(sentence string) []string { return slices.Sorted(slices.Values(namesIn(sentence))) }
