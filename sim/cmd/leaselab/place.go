package main

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	lessons "github.com/leaselab/leaselab/sim/lesson/shipped"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/timeline"
)

// lessonOrIncident returns the run and the instant that a link to a lesson's step (#lesson=3&step=4) or to an incident
// of the museum (#museum=B02) shows. A lesson's run includes the visitor's acts in the previous steps. isPlace is false
// for any other link.
//
// Unlike a packed link, such a link changes its meaning when the lesson changes, because it does not contain the run.
func lessonOrIncident(text string) (s scenario.Scenario, live timeline.Cursor, isPlace bool, err error) {
	_, fragment, _ := strings.Cut(text, "#")
	fields, unread := url.ParseQuery(strings.TrimSpace(fragment))
	live.N = -1
	switch {
	case unread != nil:
		return s, live, false, nil
	case fields.Has("lesson"):
		s, live.T, err = stepOf(fields.Get("lesson"), fields.Get("step"))
		return s, live, true, err
	case fields.Has("museum"):
		s, err = incidentOf(fields.Get("museum"))
		return s, live, true, err
	}
	return s, live, false, nil
}

// stepOf returns a lesson's run at the instant at which a step opens, by the lesson's number or name. Steps count from
// 1; if step is empty, stepOf takes the first.
func stepOf(name, step string) (scenario.Scenario, int64, error) {
	l := lessons.Find(name)
	if l == nil {
		return scenario.Scenario{}, 0,
			fmt.Errorf("no lesson is named %q; `leaselab scenarios --lessons` lists them", name)
	}
	at := 1
	if step != "" {
		var err error
		if at, err = strconv.Atoi(step); err != nil || at < 1 || at > len(l.Steps) {
			return scenario.Scenario{}, 0,
				fmt.Errorf("lesson %d has %d steps, but the link names step %q", l.Number, len(l.Steps), step)
		}
	}
	scene, err := l.SceneOf(at - 1)
	return scene.Scenario, int64(scene.Until), err
}

// incidentOf returns the failing run of an incident. Most incidents also have a fixed variant, which has its own name.
func incidentOf(id string) (scenario.Scenario, error) {
	for _, e := range shipped.Catalogue() {
		if e.Catalogue == id && e.Variant == scenario.VariantFailing {
			s, _ := shipped.ByName(e.Name)
			return s, nil
		}
	}
	return scenario.Scenario{}, fmt.Errorf("the museum has no incident %q; `leaselab scenarios` lists them", id)
}
