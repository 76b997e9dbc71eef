package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/sim/lab"
	"github.com/leaselab/leaselab/sim/lesson"
	lessons "github.com/leaselab/leaselab/sim/lesson/shipped"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/view"
	"github.com/leaselab/leaselab/sim/view/export"
)

// The size of a still. An embed of 640×360 shows the whole still, and in an embed of 390×300 its words are still
// legible.
const (
	stillWidthPx = 560
	stillLanes   = 5
	// stillAfter is how much time of the run a still shows after the last event.
	stillAfter = int64(10 * time.Second)
)

// A still is the picture that an embed shows until its engine has loaded. Several names share one picture, because an
// embed may address a lesson by number or by name. toNs is 0 for a whole run.
type still struct {
	names        []string // of its files
	scenario     scenario.Scenario
	fromNs, toNs int64
	liveNs       int64
}

// stillsCommand is the hidden `leaselab stills`: it writes an SVG file for each address of an embed into a directory,
// for `make site`, and prints nothing. Given a scenario and a file's name, it draws only that run.
func stillsCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "stills DIRECTORY [SCENARIO NAME]",
		Hidden: true,
		Args:   takes(1, 3, "the directory to write into"),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 3 {
				return drawOne(args[0], args[1], args[2])
			}
			all, err := stills()
			if err != nil {
				return err
			}
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			strips := map[string]strip{}
			for _, one := range all {
				look, err := one.look()
				if err != nil {
					return fmt.Errorf("%s: %w", one.names[0], err)
				}
				strips[one.names[0]] = stripOf(look, &one.scenario)
				if err := one.write(args[0], look); err != nil {
					return err
				}
			}
			data, err := json.Marshal(strips)
			if err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(args[0], "strips.json"), data, 0o644)
		},
	}
}

// drawOne writes the still of a scenario as NAME.svg. The still shows the whole run.
func drawOne(directory, from, name string) error {
	s, err := load(from)
	if err != nil {
		return err
	}
	one := still{names: []string{name}, scenario: s, liveNs: int64(s.Duration), toNs: int64(s.Duration)}
	look, err := one.look()
	if err != nil {
		return err
	}
	return one.write(directory, look)
}

// The function stills lists a still for every shipped scenario, every incident of the museum, and every step of a
// lesson. Their names follow the addresses of embeds: #crash, #museum=B02, #lesson=3, #lesson=3&step=4 become
// crash.svg, museum-B02.svg, lesson-3.svg and lesson-3-4.svg. The page computes the same names, so it needs no list of
// the files.
//
// If an incident has several failing variants, its address shows the one that comes first in the catalog.
func stills() ([]still, error) {
	var all []still
	for _, s := range shipped.List() {
		one := still{names: []string{s.Name}, scenario: s, liveNs: int64(s.Duration)}
		if m := s.Museum; m != nil && m.Variant == scenario.VariantFailing &&
			!slices.ContainsFunc(all, func(s still) bool { return slices.Contains(s.names, "museum-"+m.Catalogue) }) {
			one.names = append(one.names, "museum-"+m.Catalogue)
		}
		all = append(all, one)
	}
	for _, e := range lessons.Catalogue() {
		l := lessons.Find(fmt.Sprint(e.Number))
		for step := range l.Steps {
			one, err := stillOf(l, step)
			if err != nil {
				return nil, fmt.Errorf("lesson %d, step %d: %w", e.Number, step+1, err)
			}
			all = append(all, one)
		}
	}
	return all, nil
}

// stillOf returns the still for a lesson's step: the view when the step opens. The first step also has the address of
// the lesson itself.
func stillOf(l *lesson.Lesson, step int) (still, error) {
	scene, err := l.SceneOf(step)
	end := int64(scene.Scenario.Duration)
	var names []string
	for _, name := range []string{fmt.Sprint(l.Number), l.Name} { // links use either
		if step == 0 {
			names = append(names, "lesson-"+name)
		}
		names = append(names, fmt.Sprintf("lesson-%s-%d", name, step+1))
	}
	return still{
		names: names, scenario: scene.Scenario,
		fromNs: int64(scene.Shows.From), toNs: min(int64(scene.Shows.To), end), liveNs: min(int64(scene.Until), end),
	}, err
}

// look opens the run of a still at its instant.
func (s still) look() (timeline.Look, error) {
	live := timeline.Cursor{T: s.liveNs, N: -1}
	l := newLab()
	err := l.Open(lab.Opening{Whole: &s.scenario, Cursor: &live, Live: &live})
	return l.Look(), err
}

// write draws a still once and writes it under each of its names. Without an end, the still shows the run until a
// while after the last event. Some scenarios continue for ten calm minutes, which would squeeze the failover into a few
// pixels.
func (s still) write(directory string, look timeline.Look) error {
	if s.toNs == 0 {
		s.toNs = min(s.liveNs, lastOf(look)+stillAfter)
	}
	picture, err := export.SVG(look, export.Options{FromNs: s.fromNs, ToNs: s.toNs, Theme: export.System,
		WidthPx: stillWidthPx, Lanes: stillLanes, Small: true})
	for _, name := range s.names {
		if err == nil {
			err = os.WriteFile(filepath.Join(directory, name+".svg"), []byte(picture), 0o644)
		}
	}
	return err
}

// lastOf returns the instant of the last leader change, or the beginning of the last violation, whichever is later.
// So a violation that lasts until the end does not stretch the picture.
func lastOf(look timeline.Look) int64 {
	last := int64(0)
	t := view.Timeline(look, 0, look.Run.EndNs(), stillWidthPx)
	for i := range t.Changes {
		last = max(last, t.Changes[i].At)
	}
	for i := range t.Violations {
		last = max(last, t.Violations[i].From)
	}
	return last
}
