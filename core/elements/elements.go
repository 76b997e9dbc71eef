// Package elements makes a list from another list. Of converts every element, and If keeps the elements that fit.
//
// Guarantee: the elements keep their order, and the list that you give does not change. Non-guarantee: both call a
// function for every element, which a loop over millions of elements avoids.
package elements

// Of returns what a function makes of each element. It never returns nil.
func Of[From, To any](all []From, convert func(From) To) []To {
	made := make([]To, len(all))
	for i, one := range all {
		made[i] = convert(one)
	}
	return made
}

// If returns the elements that fit. It returns nil if none do.
func If[T any](all []T, fits func(T) bool) (kept []T) {
	for _, one := range all {
		if fits(one) {
			kept = append(kept, one)
		}
	}
	return kept
}
