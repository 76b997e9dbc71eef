package coordination

import (
	"fmt"
	"strconv"
	"time"
)

// APIVersion and KindLease name the Lease on the wire.
const (
	APIVersion = "coordination.k8s.io/v1"
	KindLease  = "Lease"
)

// microLayout is the layout of metav1.MicroTime for package time.
const microLayout = "2006-01-02T15:04:05.000000Z07:00"

// String returns RFC 3339 with six digits after the second: "2000-01-01T00:00:34.028757Z".
func (t MicroTime) String() string { return time.UnixMicro(int64(t)).UTC().Format(microLayout) }

// MarshalJSON writes RFC 3339 with six digits.
func (t MicroTime) MarshalJSON() ([]byte, error) { return []byte(`"` + t.String() + `"`), nil }

// UnmarshalJSON reads RFC 3339 with six digits, as metav1.MicroTime does.
func (t *MicroTime) UnmarshalJSON(data []byte) error {
	text, err := strconv.Unquote(string(data))
	if err != nil {
		return fmt.Errorf("a time is a string, not %s", data)
	}
	parsed, err := time.Parse(microLayout, text)
	*t = MicroTime(parsed.UnixMicro())
	return err
}
