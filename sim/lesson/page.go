package lesson

// Whole is a lesson for the page, with lengths in nanoseconds.
type Whole struct {
	Lesson
	Exhibits []Exhibit `json:"exhibits"`
}

// Exhibit is an incident of the museum that a lesson teaches.
type Exhibit struct {
	ID    string `json:"id"` // "B04"
	Title string `json:"title"`
}

// Entry describes a lesson in a list.
type Entry struct {
	Number   int    `json:"number"`
	Title    string `json:"title"`
	Scenario string `json:"scenario"`
	Steps    int    `json:"steps"`
	Bets     int    `json:"bets"`
}

// WholeOf converts a lesson for the page, without the solution of the goal.
func WholeOf(l *Lesson, exhibits []Exhibit) Whole {
	w := Whole{Lesson: *l, Exhibits: append([]Exhibit{}, exhibits...)}
	w.Goal.ReachedBy = nil
	w.Numbers = append([]Number{}, l.Numbers...)
	for i := range w.Numbers {
		e := withBound(*w.Numbers[i].Expect)
		w.Numbers[i].Expect = &e
	}
	return w
}

// EntryOf returns a lesson's entry for a list.
func EntryOf(l *Lesson) Entry {
	bets := 0
	for i := range l.Steps {
		if l.Steps[i].Kind == Predict {
			bets++
		}
	}
	return Entry{l.Number, l.Title, l.Scenario.Name, len(l.Steps), bets}
}
