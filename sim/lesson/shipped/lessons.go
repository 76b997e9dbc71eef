// Package shipped holds the lessons that come with leaselab: NAME.yaml is a lesson, NAME.LANGUAGE.yaml has its
// sentences, and player.LANGUAGE.yaml has the sentences of the page's player. Only native programs use this package:
// for the page, the site's build turns the files into JSON. Load reads all lessons, and Find returns one.
//
// Guarantee: each lesson is valid, and its runs do not contradict its text. Non-guarantee: a lesson may change
// between versions.
package shipped

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/leaselab/leaselab/core/elements"
	"github.com/leaselab/leaselab/sim/lesson"
	"github.com/leaselab/leaselab/sim/lesson/file"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
)

//go:embed *.yaml
var files embed.FS

// Lesson is a lesson with its sentences by language.
type Lesson struct {
	File   string
	Lesson *lesson.Lesson
	Texts  map[string]*lesson.Text
}

var load = sync.OnceValue(func() []Lesson {
	all, problems := Load()
	if len(problems) > 0 {
		panic("the shipped lessons are wrong:\n" + problems.Error())
	}
	return all
})

// Load reads every lesson, in the order of their numbers. It also returns their problems.
func Load() ([]Lesson, lesson.Problems) {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(err) // the file is embedded
	}
	var all []Lesson
	var problems lesson.Problems
	texts := map[string][]string{}
	for _, e := range entries {
		name, language, isText := strings.Cut(strings.TrimSuffix(e.Name(), ".yaml"), ".")
		if name == player {
			continue
		}
		if isText {
			texts[name] = append(texts[name], language)
			continue
		}
		one, wrong := file.Read(e.Name(), source(e.Name()))
		problems = append(problems, wrong...)
		if one.Name != name {
			problems = append(problems, lesson.Problem{File: e.Name(), Path: "name",
				Message: fmt.Sprintf("is %q; the file has another name", one.Name)})
		}
		if one.Own() && len(wrong) == 0 {
			problems = append(problems, lesson.Problem{File: e.Name(), Path: "number",
				Message: "is missing: the lessons of the course are numbered"})
		}
		all = append(all, Lesson{e.Name(), one, map[string]*lesson.Text{}})
	}
	for _, one := range all {
		for _, language := range texts[one.Lesson.Name] {
			name := one.Lesson.Name + "." + language + ".yaml"
			text, wrong := file.ReadText(name, source(name), one.Lesson)
			problems = append(problems, wrong...)
			one.Texts[language] = text
		}
		if one.Texts["en"] == nil {
			problems = append(problems, lesson.Problem{File: one.File, Message: "has no English text: " +
				one.Lesson.Name + ".en.yaml"})
		}
	}
	slices.SortFunc(all, func(a, b Lesson) int { return a.Lesson.Number - b.Lesson.Number })
	return all, problems
}

func source(file string) []byte {
	data, err := files.ReadFile(file)
	if err != nil {
		panic(err) // the file is embedded
	}
	return data
}

// player is the name of the files with the player's sentences.
const player = "player"

// Players reads the player's sentences by language. It also returns their problems.
func Players() (map[string]*lesson.Player, lesson.Problems) {
	english, problems := file.ReadPlayer(player+".en.yaml", source(player+".en.yaml"), nil)
	all := map[string]*lesson.Player{"en": english}
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(err) // the file is embedded
	}
	for _, e := range entries {
		name, language, _ := strings.Cut(strings.TrimSuffix(e.Name(), ".yaml"), ".")
		if name != player || language == "en" {
			continue
		}
		one, wrong := file.ReadPlayer(e.Name(), source(e.Name()), english)
		problems = append(problems, wrong...)
		all[language] = one
	}
	return all, problems
}

// PlayerJSON returns the player's sentences by language, as JSON for the page.
func PlayerJSON() []byte {
	players, problems := Players()
	if len(problems) > 0 {
		panic("the sentences of the player are wrong:\n" + problems.Error())
	}
	all := map[string]map[string]string{}
	for language, one := range players {
		all[language] = one.Sentences
	}
	return encode(all)
}

// Find returns a shipped lesson by its name or by its number in the course, or nil.
func Find(name string) *lesson.Lesson {
	for _, one := range load() {
		if one.Lesson.Name == name || strconv.Itoa(one.Lesson.Number) == name {
			return one.Lesson
		}
	}
	return nil
}

// Catalogue lists the lessons.
func Catalogue() []lesson.Entry {
	return elements.Of(load(), func(one Lesson) lesson.Entry { return lesson.EntryOf(one.Lesson, one.Texts["en"]) })
}

// JSON returns all lessons as one array, for the page.
func JSON() []byte {
	all := []lesson.Whole{}
	for _, one := range load() {
		texts := map[string]lesson.Text{}
		for language, text := range one.Texts {
			texts[language] = *text
		}
		all = append(all, lesson.WholeOf(one.Lesson, texts, exhibits(one.Lesson.Number)))
	}
	return encode(all)
}

func encode(all any) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(all); err != nil {
		panic("a lesson is plain data, yet it does not encode: " + err.Error())
	}
	return out.Bytes()
}

// `exhibits` returns the incidents of the museum that name a lesson.
func exhibits(number int) []lesson.Exhibit {
	var all []lesson.Exhibit
	for _, s := range shipped.List() {
		if m := s.Museum; m != nil && m.Lesson == number && m.Variant == scenario.VariantFailing {
			all = append(all, lesson.Exhibit{ID: m.Catalogue, Title: s.Title})
		}
	}
	return all
}
