package lesson

// help says what each field of a lesson is for, by its type and its name.
var help = map[string]string{
	"Lesson.number":   "Its place in the course, 1 to 16. A lesson of your own has none.",
	"Lesson.name":     "Lower-case words with hyphens; the file has this name.",
	"Lesson.title":    "Of a lesson that has its English sentences in this file.",
	"Lesson.teaser":   "What lists of lessons say about it.",
	"Lesson.takeaway": "One sentence to keep.",
	"Lesson.scenario": "The scenario that the lesson runs: the name of a shipped one, or a whole one.",
	"Lesson.seed":     "The seed of its run; left out: the scenario's.",
	"Lesson.opens":    "The lesson opens its run at this instant.",
	"Lesson.shows":    "What the timeline shows, unless a step says otherwise.",
	"Lesson.explain": "The leader change whose sum the lesson explains, counted from 0. It gives the texts {winner}, " +
		"{tookAt}, {gap} and the like.",
	"Lesson.act":     "What the visitor does to the run in the step of kind act that names no act of its own.",
	"Lesson.numbers": "Figures of a run, measured by the engine, that the texts name in braces.",
	"Lesson.goal":    "The course needs one.",

	"Act.act": "crash, pause, stop and so on, as a scenario names it.",

	"Number.name":     "Texts name it in braces.",
	"Number.scenario": "Another shipped scenario to measure in; left out: the lesson's.",
	"Number.set":      "Settings changed before the run.",
	"Number.seeds":    "Run this many seeds, 1 to this number, and count those that meet the clause.",
	"Number.expect":   "An assertion as scenarios have it. Its measured value is the figure.",

	"Change.path": "elector.leaseDuration, candidates[0].clock.offset and so on.",

	"Step.name": "The text file has the sentences under this name.",
	"Step.kind": "look: read and watch. act: do it. bet: predict. see: what happened. why: the gap as a sum. " +
		"transfer: a question.",
	"Step.until":      "The run is shown up to here; before the bet no further.",
	"Step.look":       "The one thing to look at.",
	"Step.lease":      "Show the Lease beside the words.",
	"Step.visits":     "Another run that this step shows; only after the outcome.",
	"Step.says":       "The English sentences, in place of a file of sentences.",
	"Step.act":        "Of a step of kind act: what the visitor does. Left out: the lesson's act.",
	"Step.candidates": "Show the LeaseCandidates beside the words.",
	"Step.shows":      "What the timeline shows.",
	"Step.speed":      "Virtual seconds for each second on the way there; left out: story speed.",
	"Step.bet":        "Of a step of kind bet.",
	"Step.thoughts": "Of a step of kind see: the first rule that the prediction meets says which thought it was. The " +
		"last has no rule.",
	"Step.question": "Of a step of kind transfer.",

	"Place.region": "ticks and slope are in the lane of a node; resource is the row of its writes.",

	"Visit.scenario": "A shipped scenario.",

	"Bet.kind": "marker: an instant on the timeline. seconds: a length. count: how often, or how many of so many " +
		"seeds. choice: one of several answers.",
	"Bet.answer": "The number that is the answer; for a marker tookAt, the leader change that the lesson explains; " +
		"for a choice one number or several, with spaces between.",
	"Bet.most":    "seconds and count: the largest answer that makes sense.",
	"Bet.options": "choice: the answers.",
	"Bet.right":   "choice: the option that is right. The text says so, and Check compares it with the runs.",

	"Option.name": "The text file has its words under this name, and the thought behind it.",
	"Option.is":   "The measured answer of which it is the right option.",

	"Thought.name":   "The text file has the sentence under this name.",
	"Thought.near":   "The prediction lies within so much of this point.",
	"Thought.before": "The prediction lies before this point.",

	"Question.number": "The number that is measured again for each choice; gap: the median gap over seeds.",
	"Question.seeds":  "gap: how many seeds.",
	"Question.right":  "The name of the right choice.",
	"Question.by": "What makes it right: it has the least of the number, the most, or as much as the lesson's " +
		"own run.",

	"Alternative.name":     "The text file has its words under this name, and what its run shows.",
	"Alternative.scenario": "Another shipped scenario; left out: the lesson's.",

	"Goal.expect":    "Assertions as scenarios have them: the goal is reached when all are met.",
	"Goal.reachedBy": "One way to reach it; the page does not show it.",
	"Goal.says":      "The goal in English, in place of a file of sentences.",

	"Text.lesson":   "The name of the lesson.",
	"Text.language": "en, de, pt-BR and so on.",
	"Text.teaser":   "What the list of lessons says about it.",
	"Text.steps":    "By the names of the steps.",
	"Text.takeaway": "One sentence to keep.",
	"Text.goal":     "What to try with the settings.",

	"StepText.text":     "Paragraphs.",
	"StepText.done":     "act: when it is done.",
	"StepText.wrong":    "act: when the visitor did {verb} instead.",
	"StepText.options":  "bet: the answers of a choice.",
	"StepText.outcome":  "see: what happened.",
	"StepText.missed":   "see: the same, with {bet}, {off} and {side}.",
	"StepText.exact":    "see: the same, for a prediction that is right.",
	"StepText.sides":    "see: the words for {side}: too little, too much.",
	"StepText.thoughts": "see: by the names of the thoughts, or of a choice's options; none: without a prediction.",
	"StepText.sum":      "why: the sentence around {chain}.",
	"StepText.parts":    "why: the parts of the sum.",
	"StepText.other":    "why: about the candidate that did not win.",
	"StepText.choices":  "transfer: the choices.",
	"StepText.answers":  "transfer: what the run of each choice shows.",
	"StepText.right":    "transfer: the word before the right answer.",
	"StepText.notes":    "For the teacher: the window of notes shows them, the lesson does not.",

	"Player.language":  "en, de, pt-BR and so on.",
	"Player.sentences": "By names that the player knows.",
}
