package world

import "slices"

// deferrals holds the events that reached paused processes, each with its time of arrival. An answer that arrives
// during a pause is not lost: the kernel keeps it, and the process reads it after it resumes. deferrals does the same
// for timers.
type deferrals []event

// add keeps an event that arrives now until its process resumes. For a message, the event's number is the message's
// order.
func (d *deferrals) add(now int64, e event) {
	e.at = now
	*d = append(*d, e)
}

// `first` returns the index of a candidate's first event by instant, class and order of arrival, or -1.
func (d deferrals) first(candidate int32) int {
	first := -1
	for k := range d {
		e := &d[k]
		if e.candidate() == candidate &&
			(first < 0 || e.at < d[first].at || e.at == d[first].at && e.class() < d[first].class()) {
			first = k
		}
	}
	return first
}

// `take` removes and returns the event at index k.
func (d *deferrals) take(k int) event {
	e := (*d)[k]
	*d = append((*d)[:k], (*d)[k+1:]...)
	return e
}

// removeIf removes every event that meets a condition and keeps the order of the others.
func (d *deferrals) removeIf(is func(event) bool) { *d = slices.DeleteFunc(*d, is) }
