package lesson

// StepText contains the sentences of one step. The only markup is **bold** and *emphasis*. Names in braces stand for
// values. The step's kind determines which fields it needs.
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
