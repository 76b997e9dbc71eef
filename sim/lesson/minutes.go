package lesson

import (
	"strconv"
	"strings"
)

// pace is how fast a visitor takes a lesson.
type pace struct {
	wordsPerMinute  int
	questionSeconds int // to think about a prediction or about the question at the end, beyond reading it
}

// How long a lesson takes. Adults read English non-fiction at 238 words a minute, most of them at 175 to 300
// (Brysbaert, How many words do we read per minute?, Journal of Memory and Language 109, 2019: 190 studies). In Peer
// Instruction each student has one to two minutes for a question alone, with the reading of it (Crouch and Mazur,
// American Journal of Physics 69, 2001). We count half of the shorter time for the usual visitor, whose reading is
// counted already, and all of it for a slow one. To find a button and press it takes some seconds (Card, Moran and
// Newell, The keystroke-level model, Communications of the ACM 23, 1980: 1.35 s to prepare,
// 0.4 s to the mouse, 1.1 s to point, 0.2 s to click), and twice that where the button must be found first.
var (
	usual = pace{wordsPerMinute: 238, questionSeconds: 30}
	slow  = pace{wordsPerMinute: 175, questionSeconds: 60}
)

const (
	actSeconds   = 6
	playedFaster = 2 // the lesson's own speed: virtual seconds in one

	leastSeconds, mostSeconds = 3 * 60, 6 * 60
)

// Minutes returns about how many minutes a lesson takes the usual visitor: to read the way through it with the longest
// feedback, to watch, to act and to think. It rounds to the nearest minute.
func Minutes(l *Lesson, t *Text) int { return (usual.seconds(l, t) + 30) / 60 }

func (p pace) seconds(l *Lesson, t *Text) int {
	words := count(t.Takeaway) + count(t.Goal)
	think, played, at := 0, 0, l.Opens
	for i := range l.Steps {
		s := &l.Steps[i]
		words += read(t.Steps[s.Name])
		switch s.Kind {
		case DoIt:
			think += actSeconds
		case Predict, Transfer:
			think += p.questionSeconds
		}
		played += int(s.Until-at) / 1e9 / max(s.Speed, playedFaster)
		at = s.Until
	}
	return words*60/p.wordsPerMinute + think + played
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

// CheckText lists what does not fit between a text and its lesson of the course: how long both take, to the second, and
// numbers that no run explains.
func CheckText(file string, l *Lesson, t *Text) Problems {
	r := &report{file: file, lines: t.lines}
	if l.Own() {
		return nil
	}
	if seconds := usual.seconds(l, t); seconds < leastSeconds {
		r.add("steps", "the lesson takes about "+strconv.Itoa(seconds)+" s; it must take at least "+
			strconv.Itoa(leastSeconds)+" s: explain more")
	}
	if seconds := slow.seconds(l, t); seconds > mostSeconds {
		r.add("steps", "the lesson takes a slow reader about "+strconv.Itoa(seconds)+" s; it must take at most "+
			strconv.Itoa(mostSeconds)+" s: say less")
	}
	r.literals(l, t)
	r.sort()
	return r.found
}
