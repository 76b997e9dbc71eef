package world

// deferrals are the events that reached paused processes, each with the instant at which it came.
type deferrals []event

// add keeps an event that comes now for a process until it is resumed. Of a message the number is its order.
func (d *deferrals) add(now int64, e event) {
	e.at = now
	*d = append(*d, e)
}

// first is the place of a candidate's first event, by instant, class and order of arrival, -1 if it has none.
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

// take removes the event at a place.
func (d *deferrals) take(k int) event {
	e := (*d)[k]
	*d = append((*d)[:k], (*d)[k+1:]...)
	return e
}

// removeIf removes the events for which is holds, in their order.
func (d *deferrals) removeIf(is func(*event) bool) {
	kept := (*d)[:0]
	for k := range *d {
		if e := (*d)[k]; !is(&e) {
			kept = append(kept, e)
		}
	}
	*d = kept
}
