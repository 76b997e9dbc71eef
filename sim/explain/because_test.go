package explain

import (
	"strings"
	"testing"

	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/stretchr/testify/assert"
)

// Each text has a line for every constant of its type.
func TestEveryConstantHasItsLine(t *testing.T) {
	for text, constants := range map[string]int{causeLines: int(byRecord), resultLines: int(step.NotSentUnnamed) + 1,
		stageLines: int(asksNoMore) + 1} {
		assert.Equal(t, constants, strings.Count(text, "\n"), text)
		assert.NotContains(t, "\n"+text, "\n\n", "an empty line")
	}
	assert.Equal(t, "ok", resultWord(step.Success))
}

// Every cause has words, and no two have the same.
func TestCausesInWords(t *testing.T) {
	seen := map[string]Cause{}
	say := func(c Cause) {
		text := c.String()
		assert.NotEmpty(t, text, "cause %d", c)
		assert.NotEqual(t, "x ", text, "cause %d", c)
		other, twice := seen[text]
		assert.False(t, twice, "%q says %d and %d", text, other, c)
		seen[text] = c
	}
	for c := NoCause; c < byRecord; c++ {
		switch c {
		case byPause:
			for kind := range pausedWords {
				say(c.with(uint64(kind)))
			}
		case byOtherLock:
			say(c.with(uint64(elector.Leases)<<8 | uint64(elector.ConfigMaps)))
			say(c.with(uint64(elector.ConfigMaps)<<8 | uint64(elector.Leases)))
		case byDialect:
			for _, rule := range elector.Dialects() {
				say(c.with(uint64(rule.Dialect)))
			}
		case byFailures:
			for r := step.ConnRefused; r <= step.Undecodable; r++ {
				say(c.with(uint64(r)))
			}
		case byEnd:
			for kind := range endWord {
				say(c.with(uint64(kind)))
			}
			say(c.with(killed))
		default:
			say(c)
		}
	}
	for kind := range trace.NoKind {
		c := byRecord + Cause(kind)
		switch r := (trace.Record{Kind: kind}); {
		case CauseOf(&r) == NoCause:
		case kind == trace.Paused:
			for k := range pausedWords {
				r.Payload = trace.Pause{Kind: trace.PauseKind(k)}.Payload()
				say(CauseOf(&r))
			}
		case kind == trace.Crashed:
			for _, crash := range []trace.Crash{{}, {ByWatchdog: true}, {ByGrace: true}} {
				r.Payload = crash.Payload()
				say(CauseOf(&r))
			}
		case kind == trace.NodeNotReady:
			say(c)
			r.Payload = trace.Readiness{Running: true}.Payload()
			say(CauseOf(&r))
		case kind == trace.Written, kind == trace.Asked:
			for op := trace.Put; op <= trace.Requested; op++ {
				for _, outcome := range []storage.Outcome{storage.Updated, storage.Deleted} {
					r.Outcome, r.Payload = outcome, trace.Write{Op: op}.Payload()
					r.Spec.HolderIdentity = 0
					say(CauseOf(&r))
					r.Spec.HolderIdentity = 1
					say(CauseOf(&r))
				}
			}
		default:
			say(CauseOf(&r))
		}
	}
}
