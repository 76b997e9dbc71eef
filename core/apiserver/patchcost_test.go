package apiserver_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The most expensive JSON patches that the limits let through end within 250 ms, and the others get 413.
func TestJSONPatchesEndSoon(t *testing.T) {
	if testing.Short() {
		t.Skip("a limit in milliseconds; make test-long measures it")
	}
	c := newClient(t)
	text := strings.Repeat("x", 1_400_000)
	c.make(leasesA, `{"metadata":{"name":"fat","annotations":{"a":"b"}},"spec":{"holderIdentity":"`+text+`"}}`)
	named := `{"op":"test","path":"/metadata/name","value":"fat"}`
	for _, test := range []struct{ name, patch string }{
		{"tests", `[` + strings.Repeat(named+`,`, 9_999) + named + `]`},
		{"unknown fields", `[` + repeatText(10_000, `{"op":"add","path":"/spec/x%d","value":"v"}`) + `]`},
		{"copies", `[` + repeatText(10_000, `{"op":"copy","from":"/metadata/name","path":"/spec/x%d"}`) + `]`},
		{"annotations", `[` + repeatText(10_000, `{"op":"add","path":"/metadata/annotations/x%d","value":"v"}`) + `]`},
		{"a long text", `[{"op":"replace","path":"/spec/holderIdentity","value":"` + text + `"}]`},
		{"copies of a long text", `[` + repeatText(2, `{"op":"copy","from":"/spec/holderIdentity","path":"/spec/x%d"}`) + `]`},
	} {
		t.Run(test.name, func(t *testing.T) {
			shortest, status := time.Hour, 0
			for range 3 { // the machine may be busy with something else
				begin := time.Now()
				status = c.ask("PATCH", leasesA+"/fat", test.patch, "content-type", jsonPatchBody).Status
				shortest = min(shortest, time.Since(begin))
			}
			t.Logf("%d bytes: %s, status %d", len(test.patch), shortest, status)
			require.Contains(t, []int{200, 413, 422}, status)
			assert.Less(t, shortest, 250*time.Millisecond)
		})
	}
}
