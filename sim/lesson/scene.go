package lesson

import "github.com/leaselab/leaselab/sim/scenario"

// Scene contains what a step shows when it opens.
type Scene struct {
	Scenario scenario.Scenario // the run, with the visitor's acts in the earlier steps
	Until    Length            // the instant of the live cursor
	Shows    Span
}

// SceneOf returns what a step shows when it opens. Before the visitor makes the prediction, a step shows nothing that
// happens after the bet. A link can open any step directly, so the acts of the earlier steps become part of the
// scenario. The live instant is just after the last of these acts.
func (l *Lesson) SceneOf(step int) (Scene, error) {
	s := &l.Steps[step]
	scene := Scene{Until: s.Until, Shows: l.Shows}
	if s.Shows != nil {
		scene.Shows = *s.Shows
	}
	if s.Visits != nil {
		of, err := l.base(s.Visits.Scenario, nil)
		scene.Scenario, scene.Until = of, s.Visits.At
		return scene, err
	}
	of, err := l.plain()
	if err != nil {
		return scene, err
	}
	of = of.Clone()
	for i := range l.Steps[:step] {
		if act := l.actOf(&l.Steps[i]); act != nil {
			of.Actions, of.Expect = append(of.Actions, act.action()), nil // expect needs the run without the act
			scene.Until = max(scene.Until, act.At+1)
		}
	}
	scene.Scenario = of
	return scene, nil
}
