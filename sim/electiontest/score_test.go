package electiontest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/leaselab/leaselab/sim/electiontest"
	"github.com/leaselab/leaselab/sim/programs/probe"
)

var defaults = electiontest.Durations{Lease: 15 * time.Second, Renew: 10 * time.Second, Retry: 2 * time.Second}

const micro = "2006-01-02T15:04:05.000000Z"

// defects are faults of the elector below, each with the probes that must find it, and no other probe.
var defects = map[string][]string{
	"":                  {},
	"treats409AsWon":    {"one-winner", "conflict", "lost-answer", "deleted-lease"},
	"noAcquireTime":     {"whole-record"},
	"slowRenewal":       {"renewal-pace"},
	"noJitter":          {"jitter"},
	"halfLease":         {"waits-full-lease", "clock-ahead", "longer-lease", "foreign-edit"},
	"rareAttempts":      {"takes-over"},
	"countsRenewals":    {"transitions"},
	"noDeadline":        {"stops-when-cut-off", "hung-request", "foreign-edit"},
	"conflictIsLoss":    {"conflict"},
	"errorIsLoss":       {"lost-answer"},
	"wallClock":         {"clock-behind", "clock-ahead"},
	"ownDuration":       {"longer-lease"},
	"ignoresEmpty":      {"empty-holder"},
	"takesBack":         {"foreign-edit"},
	"neverCreatesTwice": {"deleted-lease"},
	"releasesFirst":     {"release-after-work"},
	"releasesBlindly":   {"release-own-lease", "foreign-edit"},
}

// elector is an elector over plain HTTP, with one of the defects.
type elector struct {
	n      *electiontest.Node
	defect string
	random *rand.Rand

	lease     leaseObject
	seen      string    // the record when it last changed
	seenAt    time.Time // when that was
	renewedAt time.Time // zero: it does not lead
	created   bool
	stopWork  context.CancelFunc
	work      sync.WaitGroup
}

type leaseObject struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name            string `json:"name"`
		Namespace       string `json:"namespace"`
		ResourceVersion string `json:"resourceVersion,omitempty"`
	} `json:"metadata"`
	Spec leaseSpec `json:"spec"`
}

type leaseSpec struct {
	HolderIdentity       string `json:"holderIdentity"`
	LeaseDurationSeconds int    `json:"leaseDurationSeconds,omitempty"`
	AcquireTime          string `json:"acquireTime,omitempty"`
	RenewTime            string `json:"renewTime,omitempty"`
	LeaseTransitions     int    `json:"leaseTransitions"`
}

// send sends a request and reads the Lease in its answer.
func (e *elector) send(ctx context.Context, method, path string, body any) (status int, lease leaseObject) {
	if e.defect != "noDeadline" {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
	}
	data, _ := json.Marshal(body)
	url := e.n.Host + "/apis/coordination.k8s.io/v1/namespaces/" + e.n.Settings.Namespace + "/leases" + path
	r, _ := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(data))
	r.Header.Set("Content-Type", "application/json")
	if method == http.MethodPatch {
		r.Header.Set("Content-Type", "application/merge-patch+json")
	}
	answer, err := e.n.Client().Do(r)
	if err != nil {
		return 0, lease
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode < 300 && json.Unmarshal(text, &lease) != nil {
		return 0, lease
	}
	return answer.StatusCode, lease
}

func (e *elector) named() string { return "/" + e.n.Settings.Lease }

// run competes until ctx ends.
func (e *elector) run(ctx context.Context) {
	for {
		e.attempt(ctx)
		if e.stopWork != nil && e.defect != "noDeadline" && time.Since(e.renewedAt) >= defaults.Renew {
			e.lose()
		}
		wait := defaults.Retry
		switch {
		case e.stopWork != nil && e.defect == "slowRenewal" && time.Since(e.renewedAt) < time.Second:
			wait = 7 * time.Second
		case e.stopWork == nil && e.defect == "rareAttempts":
			wait = 13 * time.Second
		}
		if e.stopWork == nil && e.defect != "noJitter" {
			wait += time.Duration(e.random.Int64N(int64(wait)))
		}
		if e.stopWork != nil && e.defect != "noDeadline" {
			wait = min(wait, time.Until(e.renewedAt.Add(defaults.Renew)))
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			e.leave()
			return
		}
	}
}

// attempt renews the Lease, or tries to acquire it.
func (e *elector) attempt(ctx context.Context) {
	begun := time.Now()
	if e.stopWork != nil && e.defect != "noDeadline" {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, e.renewedAt.Add(defaults.Renew))
		defer cancel()
	}
	status, found := e.send(ctx, http.MethodGet, e.named(), nil)
	switch {
	case status == http.StatusNotFound:
		if e.defect == "neverCreatesTwice" && e.created {
			return
		}
		e.created = true
		made := e.record(leaseObject{}, begun)
		status, made = e.send(ctx, http.MethodPost, "", made)
		if status == http.StatusCreated || status == http.StatusConflict && e.defect == "treats409AsWon" {
			e.win(made, begun)
		}
		return
	case status != http.StatusOK:
		e.fail(status)
		return
	}
	e.created = true
	text := fmt.Sprint(found.Spec)
	if text != e.seen {
		e.seen, e.seenAt = text, time.Now()
	}
	if e.mayTake(&found) {
		status, written := e.send(ctx, http.MethodPut, e.named(), e.record(found, begun))
		if status == http.StatusOK {
			e.win(written, begun)
		} else {
			e.fail(status)
		}
	}
}

// mayTake reports whether the Lease is its own, or free.
func (e *elector) mayTake(found *leaseObject) bool {
	lasts := time.Duration(found.Spec.LeaseDurationSeconds) * time.Second
	switch e.defect {
	case "halfLease":
		lasts /= 2
	case "ownDuration":
		lasts = defaults.Lease
	}
	switch {
	case found.Spec.HolderIdentity == e.n.Settings.Identity:
		return true
	case e.stopWork != nil: // another holder has it
		return e.defect == "takesBack"
	case found.Spec.HolderIdentity == "" && e.defect != "ignoresEmpty":
		return true
	case e.defect == "wallClock":
		renewed, _ := time.Parse(micro, found.Spec.RenewTime)
		return time.Since(renewed) > lasts
	}
	return time.Since(e.seenAt) >= lasts
}

// record is the Lease that it writes.
func (e *elector) record(found leaseObject, now time.Time) leaseObject {
	lease, text := found, now.UTC().Format(micro)
	lease.APIVersion, lease.Kind = "coordination.k8s.io/v1", "Lease"
	lease.Metadata.Name, lease.Metadata.Namespace = e.n.Settings.Lease, e.n.Settings.Namespace
	own := found.Spec.HolderIdentity == e.n.Settings.Identity
	lease.Spec.HolderIdentity, lease.Spec.LeaseDurationSeconds = e.n.Settings.Identity, int(defaults.Lease.Seconds())
	lease.Spec.RenewTime = text
	if !own {
		lease.Spec.AcquireTime = text
	}
	if e.defect == "noAcquireTime" {
		lease.Spec.AcquireTime = ""
	}
	if found.Metadata.ResourceVersion != "" && (!own || e.defect == "countsRenewals") {
		lease.Spec.LeaseTransitions++
	}
	return lease
}

// win begins the work, or goes on with it.
func (e *elector) win(lease leaseObject, begun time.Time) {
	e.lease, e.renewedAt = lease, begun
	if e.stopWork != nil {
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	e.stopWork = stop
	done := e.n.Work(ctx)
	e.work.Go(func() {
		<-ctx.Done()
		time.Sleep(50 * time.Millisecond)
		if e.defect == "releasesFirst" {
			time.Sleep(2 * time.Second)
		}
		done()
	})
}

func (e *elector) fail(status int) {
	if e.stopWork != nil && (e.defect == "errorIsLoss" && status == 0 || e.defect == "conflictIsLoss" && status == http.StatusConflict) {
		e.lose()
	}
}

// lose ends the work, and then tries to release.
func (e *elector) lose() {
	e.stopWork()
	e.stopWork = nil
	e.work.Wait()
	if e.defect == "releasesBlindly" {
		_, _ = e.send(context.Background(), http.MethodPatch, e.named(), map[string]any{"spec": map[string]any{"holderIdentity": ""}})
	}
}

// leave ends the work, and releases the Lease.
func (e *elector) leave() {
	if e.stopWork == nil {
		return
	}
	e.stopWork()
	if e.defect != "releasesFirst" {
		e.work.Wait()
	}
	free := e.lease
	free.Spec.HolderIdentity = ""
	_, _ = e.send(context.Background(), http.MethodPut, e.named(), free)
	e.work.Wait()
}

// Each defect fails exactly the probes that name it, and the elector without a defect fails none.
func TestScore(t *testing.T) {
	for defect, names := range defects {
		t.Run(defect, func(t *testing.T) {
			all := electiontest.Score(t, defaults, func(ctx context.Context, n *electiontest.Node) {
				seed := uint64(n.Name()[0])
				e := &elector{n: n, defect: defect, random: rand.New(rand.NewPCG(seed, seed))}
				e.run(ctx)
			}, electiontest.Allow(names...))
			var failed []string
			for _, r := range all {
				if r.State == probe.Failed {
					failed = append(failed, r.Probe)
					assert.NotEmpty(t, r.Fix)
				}
			}
			slices.Sort(failed)
			slices.Sort(names)
			assert.Len(t, all, 20)
			assert.ElementsMatch(t, names, failed)
		})
	}
}
