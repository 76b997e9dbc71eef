package world

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Every field of a world either decides the future, and then Digest adds it, or does not. A new field fails here until
// that is decided.
func TestDigestKnowsEveryField(t *testing.T) {
	for _, c := range []struct {
		of             any
		added, without string
	}{
		{node{}, "machine clock seq flight identity settings running jitter link heardNs drawn special process",
			// fixed, refused by explore, or of the settings and the clock
			"lease kind lock name number client latencies limiter programRuns alike runningAlike plainClock"},
		{clock{}, "baseNow baseMono offsetNs ratePpm awakePpm sleptNs", ""},
		{message{},
			"Request timeoutNs extraNs uid version answer record client order sender object result broke held hold " +
				"onWire waited timeoutSet lostUp lostDown unsent hangs losesAnswer retryAfter call servedNs",
			"reachesNs returnsNs outcome lagNs body subject run cleansUp"}, // shown only, or of what explore refuses
		{event{}, "at key slot what", ""},
		{stoppedMessage{}, "slot client seq source sender leftNs held", "atNs"},
		{World{}, "setup now nodes timers queue deferred acts net store leaseWrittenNs",
			"settings alike recorder electors clients servers heartbeats resource programs restart kept"},
		{transport{}, "rules list stopped calls", "free bodies freeBodies sent held"},
	} {
		kind := reflect.TypeOf(c.of)
		var fields []string
		for i := range kind.NumField() {
			fields = append(fields, kind.Field(i).Name)
		}
		assert.ElementsMatch(t, fields, append(strings.Fields(c.added), strings.Fields(c.without)...), kind.Name())
	}
}
