package lesson

import "strings"

// How long a lesson takes. People read such a text at about 180 words a minute.
const (
	wordsPerMinute = 180
	playedFaster   = 2  // the lesson's own speed: virtual seconds in one
	secondsToThink = 20 // about a prediction, an act or a question

	leastMinutes, mostMinutes = 3, 6
)

// Minutes returns about how many minutes a lesson takes: to read the way through it with the longest feedback, to watch, and to
// think. It rounds to the nearest minute.
func Minutes(l *Lesson, t *Text) int { return (secondsOf(l, t) + 30) / 60 }

func secondsOf(l *Lesson, t *Text) int {
	words := count(t.Takeaway) + count(t.Goal)
	think, played, at := 0, 0, l.Opens
	for i := range l.Steps {
		s := &l.Steps[i]
		words += read(t.Steps[s.Name])
		if s.Kind == DoIt || s.Kind == Predict || s.Kind == Transfer {
			think += secondsToThink
		}
		played += int(s.Until-at) / 1e9 / max(s.Speed, playedFaster)
		at = s.Until
	}
	return words*60/wordsPerMinute + think + played
}

// read counts the words that a visitor reads of a step: of all feedback the longest.
func read(s StepText) int {
	words := count(s.Title) + count(s.Done) + count(s.Missed) + count(s.Other) + count(s.Sum)
	if s.Missed == "" {
		words += count(s.Outcome)
	}
	for _, all := range [][]string{s.Text, s.Parts} {
		for _, text := range all {
			words += count(text)
		}
	}
	for _, all := range []map[string]string{s.Options, s.Choices} {
		for _, text := range all {
			words += count(text)
		}
	}
	return words + longest(s.Thoughts) + longest(s.Answers)
}

func count(text string) int { return len(strings.Fields(text)) }

func longest(texts map[string]string) int {
	most := 0
	for _, text := range texts {
		most = max(most, count(text))
	}
	return most
}

// CheckText lists what does not fit between a text and its lesson of the course: how long both take, and numbers that no run explains.
func CheckText(file string, l *Lesson, t *Text) Problems {
	r := &report{file: file, lines: t.lines}
	if l.Own() {
		return nil
	}
	if minutes := Minutes(l, t); minutes < leastMinutes || minutes > mostMinutes {
		r.add("steps", "the lesson takes about "+plural(minutes)+"; between "+plural(leastMinutes)+" and "+plural(mostMinutes)+" are right")
	}
	r.literals(l, t)
	r.sort()
	return r.found
}
