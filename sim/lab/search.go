package lab

// search is a way ahead whose length nobody knows beforehand: a day with ten thousand candidates takes minutes.
type search struct {
	toNs int64                   // there it ends
	look func() (Cursor, bool)   // whether what it is about has been computed
	done func(to Cursor, f bool) // what then happens; f: look has found it
}

// nothing is what a search looks for that only has to get there.
func nothing() (Cursor, bool) { return Cursor{}, false }

// Slice bounds what one call computes, for a caller that must stay responsive: after a call that began something long,
// Progress is not nil, and GoOn goes on with it.
func (l *Lab) Slice() { l.sliced = true }

func (l *Lab) begin(s search) {
	l.search = &s
	l.GoOn()
	for !l.sliced && l.search != nil {
		l.GoOn()
	}
}

// GoOn computes the next share of what was begun. Until all of it is there the lab stands where it stood.
func (l *Lab) GoOn() {
	s := l.search
	if s == nil {
		return
	}
	there := l.run().compute(s.toNs, tickRequests)
	to, found := s.look()
	if there || found {
		l.search = nil
		s.done(to, found)
	}
}

// Stop leaves what was begun and is not finished. What was computed stays known.
func (l *Lab) Stop() { l.search = nil }

// Progress is how far the lab is with what was begun, nil if nothing is under way.
func (l *Lab) Progress() *Progress {
	if l.search == nil {
		return nil
	}
	return &Progress{At: min(l.run().frontier.world.Now(), l.search.toNs), Of: l.search.toNs}
}
