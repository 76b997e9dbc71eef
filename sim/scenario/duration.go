package scenario

import (
	"encoding/json"
	"errors"
	"time"
)

// In JSON, a duration is always text with a unit. That costs two quotes and prevents the classic mistake of a factor
// of 1000.

// String returns the duration as package time prints it: "15s".
func (d Duration) String() string { return time.Duration(d).String() }

// MarshalJSON writes the duration as Go does: "15s".
func (d Duration) MarshalJSON() ([]byte, error) { return json.Marshal(d.String()) }

// UnmarshalJSON accepts a string only: a bare 15 could be seconds, milliseconds or nanoseconds.
func (d *Duration) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return errors.New("a duration is text with a unit, such as \"15s\"")
	}
	parsed, err := time.ParseDuration(text)
	*d = Duration(parsed)
	return err
}
