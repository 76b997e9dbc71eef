package scenario

// bounds are a number's limits. In a Scenario a missing number is 0. If orZero is true, a document may write 0 for a
// missing number, even outside the limits.
type bounds struct {
	min, max int64 // both allowed
	orZero   bool
	hint     string
}

// rule returns the second half of an error, which states the bounds.
func (b bounds) rule() string {
	rule := "must be between " + thousands(b.min) + " and " + thousands(b.max)
	if b.hint != "" {
		rule += "; " + b.hint
	}
	return rule
}

func (b bounds) allows(n int64) bool {
	return (b.orZero && n == 0) || (n >= b.min && n <= b.max)
}

// tooMany refuses a list with more entries than its limit.
func tooMany(path string, have, limit int) *FieldError {
	return refuseField(path, thousands(int64(have))+" are more than the limit of "+thousands(int64(limit)))
}
