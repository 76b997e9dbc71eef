// Package shipped holds the lessons that come with leaselab: NAME.yaml is a lesson. Only native programs use this
// package: for the page, the site's build turns the files into JSON. Load reads all lessons, and Find returns one.
//
// Guarantee: each lesson is valid, and its runs do not contradict its text. Non-guarantee: a lesson may change
// between versions.
package shipped

import (
	"bytes"
	"embed"
	"encoding/json"
	"slices"
	"strconv"
	"sync"

	"github.com/leaselab/leaselab/core/elements"
	"github.com/leaselab/leaselab/sim/lesson"
	"github.com/leaselab/leaselab/sim/lesson/file"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
)

//go:embed *.yaml
var files embed.FS

var load = sync.OnceValue(func() []*lesson.Lesson {
	all, problems := Load()
	if len(problems) > 0 {
		panic("the shipped lessons are wrong:\n" + problems.Error())
	}
	return all
})

// Load reads every lesson, in the order of their numbers. It also returns their problems.
func Load() (all []*lesson.Lesson, problems lesson.Problems) {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(err) // the files are embedded
	}
	for _, e := range entries {
		data, err := files.ReadFile(e.Name())
		if err != nil {
			panic(err) // the files are embedded
		}
		one, wrong := file.Read(e.Name(), data)
		all, problems = append(all, one), append(problems, wrong...)
	}
	slices.SortFunc(all, func(a, b *lesson.Lesson) int { return a.Number - b.Number })
	return all, problems
}

// Find returns a shipped lesson by its name or by its number in the course, or nil.
func Find(name string) *lesson.Lesson {
	for _, one := range load() {
		if one.Name == name || strconv.Itoa(one.Number) == name {
			return one
		}
	}
	return nil
}

// Catalogue lists the lessons.
func Catalogue() []lesson.Entry {
	return elements.Of(load(), lesson.EntryOf)
}

// JSON returns all lessons as one array, for the page.
func JSON() []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(elements.Of(load(), func(l *lesson.Lesson) lesson.Whole {
		return lesson.WholeOf(l, exhibits(l.Number))
	})); err != nil {
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
