package lesson

// Text has the sentences of a lesson in one language. **bold** and *emphasis* are all the markup there is, and braces
// hold values.
type Text struct {
	APIVersion string              `json:"apiVersion" words:"leaselab.dev/v1alpha1"`
	Kind       string              `json:"kind" words:"LessonText"`
	Lesson     string              `json:"lesson"`
	Language   string              `json:"language"`
	Title      string              `json:"title"`
	Teaser     string              `json:"teaser"`
	Steps      map[string]StepText `json:"steps"`
	Takeaway   string              `json:"takeaway"`
	Goal       string              `json:"goal"`

	lines map[string]int
}

// StepText has the sentences of one step. Which of them it needs depends on the kind of the step.
type StepText struct {
	Title    string            `json:"title"`
	Text     []string          `json:"text,omitempty"`
	Done     string            `json:"done,omitempty"`
	Wrong    string            `json:"wrong,omitempty"`
	Options  map[string]string `json:"options,omitempty"`
	Outcome  string            `json:"outcome,omitempty"`
	Missed   string            `json:"missed,omitempty"`
	Exact    string            `json:"exact,omitempty"`
	Sides    []string          `json:"sides,omitempty"`
	Thoughts map[string]string `json:"thoughts,omitempty"`
	Sum      string            `json:"sum,omitempty"`
	Parts    []string          `json:"parts,omitempty"`
	Other    string            `json:"other,omitempty"`
	Choices  map[string]string `json:"choices,omitempty"`
	Answers  map[string]string `json:"answers,omitempty"`
	Right    string            `json:"right,omitempty"`
	Notes    string            `json:"notes,omitempty"`
}
