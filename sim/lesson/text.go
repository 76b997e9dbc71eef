package lesson

// Text contains a lesson's sentences in one language. The only markup is **bold** and *emphasis*. Names in braces
// stand for values.
type Text struct {
	APIVersion string `json:"apiVersion" words:"leaselab.dev/v1alpha1"`
	Kind       string `json:"kind" words:"LessonText"`
	// The name of the lesson.
	Lesson string `json:"lesson"`
	// en, de, pt-BR and so on.
	Language string `json:"language"`
	Title    string `json:"title"`
	// What the page of lessons asks, and what it says below.
	Question string `json:"question,omitempty"`
	Teaser   string `json:"teaser"`
	// Texts of the steps, by the steps' names.
	Steps map[string]StepText `json:"steps"`
	// One sentence for the visitor to remember.
	Takeaway string `json:"takeaway"`
	// What to try with the settings.
	Goal string `json:"goal"`

	lines map[string]int
}

// StepText contains the sentences of one step. The step's kind determines which fields it needs.
type StepText struct {
	Title string `json:"title"`
	// Paragraphs.
	Text []string `json:"text,omitempty"`
	// act: after the act.
	Done string `json:"done,omitempty"`
	// act: if the visitor did {verb} instead.
	Wrong string `json:"wrong,omitempty"`
	// bet: the answers of a choice.
	Options map[string]string `json:"options,omitempty"`
	// see: what happened.
	Outcome string `json:"outcome,omitempty"`
	// see: what happened, for a wrong prediction; it may name {bet}, {off} and {side}.
	Missed string `json:"missed,omitempty"`
	// see: what happened, for a correct prediction.
	Exact string `json:"exact,omitempty"`
	// see: the words for {side}: too little, too much.
	Sides []string `json:"sides,omitempty"`
	// see: a sentence for each thought, or for each option of a choice; "none" is for a visitor who predicted nothing.
	Thoughts map[string]string `json:"thoughts,omitempty"`
	// why: the sentence around {chain}.
	Sum string `json:"sum,omitempty"`
	// why: the parts of the sum.
	Parts []string `json:"parts,omitempty"`
	// why: about the candidate that did not win.
	Other string `json:"other,omitempty"`
	// transfer: the choices.
	Choices map[string]string `json:"choices,omitempty"`
	// transfer: what the run of each choice shows.
	Answers map[string]string `json:"answers,omitempty"`
	// transfer: the word before the right answer.
	Right string `json:"right,omitempty"`
	// For the teacher: the notes window shows them, but the lesson does not.
	Notes string `json:"notes,omitempty"`
}
