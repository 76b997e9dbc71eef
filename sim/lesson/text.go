package lesson

// Text has the sentences of a lesson in one language. **bold** and *emphasis* are all the markup there is, and braces
// hold values.
type Text struct {
	APIVersion string              `json:"apiVersion" words:"leaselab.dev/v1alpha1"`
	Kind       string              `json:"kind" words:"LessonText"`
	Lesson     string              `json:"lesson" help:"The name of the lesson."`
	Language   string              `json:"language" help:"en, de, pt-BR and so on."`
	Title      string              `json:"title"`
	Teaser     string              `json:"teaser" help:"What the list of lessons says about it."`
	Steps      map[string]StepText `json:"steps" help:"By the names of the steps."`
	Takeaway   string              `json:"takeaway" help:"One sentence to keep."`
	Goal       string              `json:"goal" help:"What to try with the settings."`

	lines map[string]int
}

// StepText has the sentences of one step. Which of them it needs depends on the kind of the step.
type StepText struct {
	Title    string            `json:"title"`
	Text     []string          `json:"text,omitempty" help:"Paragraphs."`
	Done     string            `json:"done,omitempty" help:"act: when it is done."`
	Wrong    string            `json:"wrong,omitempty" help:"act: when the visitor did {verb} instead."`
	Options  map[string]string `json:"options,omitempty" help:"bet: the answers of a choice."`
	Outcome  string            `json:"outcome,omitempty" help:"see: what happened."`
	Missed   string            `json:"missed,omitempty" help:"see: the same, with {bet}, {off} and {side}."`
	Exact    string            `json:"exact,omitempty" help:"see: the same, for a prediction that is right."`
	Sides    []string          `json:"sides,omitempty" help:"see: the words for {side}: too little, too much."`
	Thoughts map[string]string `json:"thoughts,omitempty" help:"see: by the names of the thoughts, or of a choice's options; none: without a prediction."`
	Sum      string            `json:"sum,omitempty" help:"why: the sentence around {chain}."`
	Parts    []string          `json:"parts,omitempty" help:"why: the parts of the sum."`
	Other    string            `json:"other,omitempty" help:"why: about the candidate that did not win."`
	Choices  map[string]string `json:"choices,omitempty" help:"transfer: the choices."`
	Answers  map[string]string `json:"answers,omitempty" help:"transfer: what the run of each choice shows."`
	Right    string            `json:"right,omitempty" help:"transfer: the word before the right answer."`
	Notes    string            `json:"notes,omitempty" help:"For the teacher: the window of notes shows them, the lesson does not."`
}
