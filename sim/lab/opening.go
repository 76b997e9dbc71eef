package lab

// PaceSpans is story speed over a stretch of the run: the factor from each instant on.
func (l *Lab) PaceSpans(fromNs, toNs int64) []PaceSpan {
	r := l.run()
	r.compute(toNs+2*landmarkNs, stepBudget)
	spans := []PaceSpan{}
	for t := fromNs; t < toNs; {
		ppm, untilNs := r.index.story(t)
		if n := len(spans); n == 0 || spans[n-1].Factor != float64(ppm)/1e6 {
			spans = append(spans, PaceSpan{T: t, Factor: float64(ppm) / 1e6})
		}
		t = max(untilNs, t+1)
	}
	return spans
}

// NextInstant is when the next event after an instant happens; the end of the run if none does.
func (l *Lab) NextInstant(afterNs int64) int64 {
	s := l.run().stateAt(Cursor{T: afterNs, N: -1}, nil)
	return min(s.world.NextAt(), l.endNs())
}

// Show moves the cursor to an instant, and the edge with it when it lies beyond.
func (l *Lab) Show(ns int64) { l.move(Cursor{T: ns, N: -1}) }
