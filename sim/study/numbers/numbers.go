package numbers

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/study"
	"github.com/leaselab/leaselab/sim/words"
)

// Setting is three numbers. A leader without a deadline, such as a kubelet, never gives up.
type Setting struct {
	LeaseDuration, RenewDeadline, RetryPeriod time.Duration

	NoDeadline bool
}

// Parse reads a setting such as "15s/10s/2s" or "15 / 10 / 2". A number without a unit means seconds, and "-" in the
// place of renewDeadline means a leader that never gives up.
func Parse(text string) (s Setting, err error) {
	parts := strings.Split(text, "/")
	if len(parts) != 3 {
		return s, fmt.Errorf("%q must be three durations, such as 15s/10s/2s", text)
	}
	for i, to := range []*time.Duration{&s.LeaseDuration, &s.RenewDeadline, &s.RetryPeriod} {
		part := strings.ReplaceAll(parts[i], " ", "")
		if s.NoDeadline = s.NoDeadline || i == 1 && (part == "-" || part == "–"); s.NoDeadline && i == 1 {
			continue
		}
		if part != "" && strings.Trim(part, "0123456789.") == "" {
			part += "s"
		}
		if *to, err = time.ParseDuration(part); err != nil {
			return s, fmt.Errorf("%s %q must be a duration, such as 15s", fields[i], parts[i])
		}
	}
	return s, nil
}

var fields = [...]string{"leaseDuration", "renewDeadline", "retryPeriod"}

// String writes the setting in seconds, such as "15s/10s/2s", the way Parse reads it.
func (s Setting) String() string {
	deadline := text(s.RenewDeadline)
	if s.NoDeadline {
		deadline = "-"
	}
	return text(s.LeaseDuration) + "/" + deadline + "/" + text(s.RetryPeriod)
}

func text(d time.Duration) string {
	seconds, _ := summary.Seconds(d).MarshalJSON()
	return string(seconds) + "s"
}

// The limits of what leaselab measures. With a shorter retryPeriod, requests would take longer than the waits.
const (
	leastRetry = 10 * time.Millisecond
	mostPolls  = 1000
	mostLease  = 24 * time.Hour
)

// Refusal returns an error if client-go or the API server refuses the setting. The error quotes them, and says how to
// repair the setting. A setting outside leaselab's limits is an error, too.
func (s Setting) Refusal() error {
	refuse := func(field int, value time.Duration, why, fix string) error {
		return fmt.Errorf("%s %s: %s. %s", fields[field], text(value), why, fix)
	}
	checked := elector.Config{LeaseDuration: s.LeaseDuration, RenewDeadline: s.deadline(), RetryPeriod: s.RetryPeriod,
		Identity: 1}
	jittered := text(time.Duration(elector.JitterFactor * float64(s.RetryPeriod)))
	switch err := checked.Validate(); {
	case errors.Is(err, elector.ErrLeaseDuration):
		return refuse(0, s.LeaseDuration, "client-go refuses it: "+err.Error(),
			"Make it longer than "+text(s.deadline())+", or others take over while the leader still leads.")
	case errors.Is(err, elector.ErrRenewDeadline):
		return refuse(1, s.deadline(), "client-go refuses it: "+err.Error(),
			"Make it longer than "+jittered+", so that the leader can try twice.")
	case err != nil:
		i := slices.Index([]error{elector.ErrLeaseDurationMin, elector.ErrRenewDeadlineMin, elector.ErrRetryPeriodMin},
			err)
		return refuse(i, [...]time.Duration{s.LeaseDuration, s.RenewDeadline, s.RetryPeriod}[i],
			"client-go refuses it: "+err.Error(), "Make it "+[...]string{"15s", "10s", "2s"}[i]+", for example.")
	case s.LeaseDuration < time.Second:
		return refuse(0, s.LeaseDuration, "the API server refuses it: leaseDurationSeconds must be greater than 0",
			"A Lease stores whole seconds. Make it 1s or more.")
	case s.pause() <= 0:
		return refuse(0, s.LeaseDuration, "others take the Lease from a healthy leader",
			"A Lease stores whole seconds, and renewals within one second look alike. Make it "+
				text(max(s.RetryPeriod.Truncate(time.Second), time.Second)+time.Second)+" or more.")
	case s.RetryPeriod < leastRetry:
		return refuse(2, s.RetryPeriod, "leaselab measures 10ms and more", "Make it longer.")
	case s.LeaseDuration > mostLease || s.LeaseDuration > mostPolls*s.RetryPeriod:
		return refuse(0, s.LeaseDuration, "leaselab measures at most 24 hours and 1,000 × retryPeriod",
			"Make it shorter.")
	}
	return nil
}

// deadline returns the renewDeadline for the checks. Without a deadline, any value that passes them is fine.
func (s Setting) deadline() time.Duration {
	if s.NoDeadline {
		return (s.LeaseDuration + s.RetryPeriod*6/5) / 2
	}
	return s.RenewDeadline
}

// whole is the leaseDuration that the Lease stores.
func (s Setting) whole() time.Duration { return s.LeaseDuration.Truncate(time.Second) }

// pause is the longest pause of the leader that is harmless. It may begin a retryPeriod after the last renewal that
// others see. client-go compares renewTimes in whole seconds, so others miss a renewal within the same second.
func (s Setting) pause() time.Duration { return s.whole() - max(s.RetryPeriod, time.Second) }

// Answer is what a setting leads to. In a leader without a deadline, four values do not apply, so they are nil.
type Answer struct {
	Setting    string `json:"setting"`
	Candidates int    `json:"candidates"`
	// from the crash of the leader to the start of the next one; no run exceeds Max
	Takeover Spread `json:"takeoverSeconds"`
	// the same for a leader that stops and releases the Lease
	AfterRelease Spread `json:"takeoverAfterReleaseSeconds"`
	// the longest outage that a leader survives in any case if the API server refuses requests at once
	APIOutage *summary.Seconds `json:"apiOutageSurvivedSeconds"`
	// the same if requests get no answer at all: client-go's requests time out after half of renewDeadline. A leader
	// whose write times out reads the Lease in the same attempt.
	SilentOutage *summary.Seconds `json:"silentOutageSurvivedSeconds"`
	Pause        summary.Seconds  `json:"harmlessPauseSeconds"`
	Margin       *summary.Seconds `json:"safetyMarginSeconds"`
	Clock        *float64         `json:"clockTolerancePercent"`
	Writes       float64          `json:"writesPerMinute"`
	Requests     float64          `json:"requestsPerMinute"` // by all candidates
	TestTimeout  int64            `json:"testTimeoutSeconds"`
	Measured     *Measured        `json:"measured,omitempty"`
}

// Spread contains two quantiles and an upper bound.
type Spread struct {
	P50 summary.Seconds `json:"p50"`
	P99 summary.Seconds `json:"p99"`
	Max summary.Seconds `json:"max"`
}

// The network of all answers: a request takes 2 ms to the API server, and the answer 3 ms back.
const (
	answerTime = 3 * time.Millisecond
	roundTrip  = scenario.DefaultRequestLatency + answerTime
)

// Closed returns the part of the answer that follows from formulas. Only the quantiles of Takeover need runs. The
// setting must have no refusal.
func (s Setting) Closed(candidates int) Answer {
	whole, pause, retry, deadline := s.whole(), s.pause(), s.RetryPeriod, s.RenewDeadline
	poll := retry / 1000 * 2200 // the longest wait of a candidate: retryPeriod plus the largest jitter
	a := Answer{Setting: s.String(), Candidates: candidates,
		Takeover:     Spread{Max: summary.Seconds(whole + 2*poll + 4*roundTrip)},
		AfterRelease: released(retry, candidates-1),
		Pause:        summary.Seconds(pause),
		Writes:       float64(time.Minute) / float64(retry+roundTrip),
	}
	a.Requests = a.Writes + float64(candidates-1)*(float64(time.Minute)/float64(retry*8/5+roundTrip))
	a.TestTimeout = (int64(a.Takeover.Max) + 1e9 - 1) / 1e9
	if s.NoDeadline {
		return a
	}
	refused := summary.Seconds(retry * ((deadline+retry-1)/retry - 1))
	silent := summary.Seconds(deadline / 2)
	margin := summary.Seconds(pause - deadline - answerTime)
	clock := 100 * float64(pause-deadline) / float64(whole)
	a.APIOutage, a.SilentOutage, a.Margin, a.Clock = &refused, &silent, &margin, &clock
	return a
}

// Badge returns a badge for a README, as SVG. It is green unless two can lead after a cut.
func (a *Answer) Badge() string {
	return words.Badge("leader election", fmt.Sprintf("%s: takeover ≤ %d s", a.Setting, a.TestTimeout),
		a.Margin == nil || *a.Margin >= 0)
}

// released returns the time until the first of n waiting candidates asks again. A wait lasts 1 to 2.2 retryPeriods, 1.6
// on average, and the release comes at any point of it. The rest of the wait exceeds x with probability s = 1 − x/1.6
// for x up to 1, and (2.2 − x)²/3.84 beyond. The first of n candidates takes longer than x with probability sⁿ.
func released(retry time.Duration, n int) Spread {
	quantile := func(inverse float64) summary.Seconds {
		s := 1 / study.Root(inverse, n)
		x := 1.6 * (1 - s)
		if s < 0.375 {
			x = 2.2 - math.Sqrt(3.84*s)
		}
		return summary.Seconds((time.Duration(x*float64(retry)) + 2*roundTrip).Round(time.Millisecond))
	}
	return Spread{quantile(2), quantile(100), summary.Seconds(retry/1000*2200 + 3*roundTrip)}
}
