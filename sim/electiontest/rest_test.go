package electiontest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/leaselab/leaselab/sim/electiontest"
)

// program is a small elector over net/http; where it matters here it does what client-go does.
type program struct {
	node *electiontest.Node
	// What OnStartedLeading does; nil: it works until its context ends.
	work func(ctx context.Context, n *electiontest.Node)

	lease    lease
	revision string
	seen     time.Time
}

type lease struct {
	Metadata struct {
		Name            string `json:"name"`
		ResourceVersion string `json:"resourceVersion,omitempty"`
	} `json:"metadata"`
	Spec struct {
		HolderIdentity       string `json:"holderIdentity"`
		LeaseDurationSeconds int    `json:"leaseDurationSeconds"`
		LeaseTransitions     int    `json:"leaseTransitions"`
		AcquireTime          string `json:"acquireTime,omitempty"`
		RenewTime            string `json:"renewTime,omitempty"`
	} `json:"spec"`
}

const leases = "/apis/coordination.k8s.io/v1/namespaces/%s/leases"

// elect runs a program until its context ends or it has lost the Lease.
func elect(ctx context.Context, n *electiontest.Node) { (&program{node: n}).run(ctx) }

func (p *program) run(ctx context.Context) {
	for !p.try(ctx) {
		select {
		case <-time.After(p.node.Settings.RetryPeriod):
		case <-ctx.Done():
			return
		}
	}
	leads, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		defer p.node.Work(leads)()
		if p.work != nil {
			p.work(leads, p.node)
			return
		}
		<-leads.Done()
	}()
	for renewed := time.Now(); time.Since(renewed) < p.node.Settings.RenewDeadline; {
		select {
		case <-time.After(p.node.Settings.RetryPeriod):
		case <-ctx.Done():
			cancel()
			if p.node.Settings.ReleaseOnCancel {
				p.release()
			}
			return
		}
		deadline, end := context.WithDeadline(ctx, renewed.Add(p.node.Settings.RenewDeadline))
		if p.try(deadline) {
			renewed = time.Now()
		}
		end()
	}
}

// try acquires or renews the Lease, and reports whether the program holds it.
func (p *program) try(ctx context.Context) bool {
	s := &p.node.Settings
	var now lease
	collection := fmt.Sprintf(leases, s.Namespace)
	status, err := p.ask(ctx, http.MethodGet, collection+"/"+s.Lease, nil, &now)
	if err != nil || status != 200 && status != 404 {
		return false
	}
	if now.Metadata.ResourceVersion != p.revision {
		p.revision, p.seen = now.Metadata.ResourceVersion, time.Now()
	}
	before := now.Spec.HolderIdentity
	if before != "" && before != s.Identity && time.Since(p.seen) < time.Duration(now.Spec.LeaseDurationSeconds)*time.Second {
		return false
	}
	now.Metadata.Name = s.Lease
	now.Spec.HolderIdentity, now.Spec.LeaseDurationSeconds = s.Identity, int(s.LeaseDuration/time.Second)
	now.Spec.RenewTime = time.Now().UTC().Format("2006-01-02T15:04:05.000000Z")
	if before != s.Identity && status == 200 {
		now.Spec.LeaseTransitions++
	}
	method, path := http.MethodPut, collection+"/"+s.Lease
	if status == 404 {
		method, path = http.MethodPost, collection
	}
	status, err = p.ask(ctx, method, path, &now, &p.lease)
	return err == nil && status < 300
}

// release empties the Lease.
func (p *program) release() {
	s := &p.node.Settings
	now := p.lease
	now.Spec.HolderIdentity, now.Spec.LeaseDurationSeconds = "", 1
	_, _ = p.ask(context.Background(), http.MethodPut, fmt.Sprintf(leases, s.Namespace)+"/"+s.Lease, &now, &p.lease)
}

func (p *program) ask(ctx context.Context, method, path string, send, receive any) (status int, err error) {
	var body io.Reader
	if send != nil {
		data, err := json.Marshal(send)
		if err != nil {
			return 0, err
		}
		body = bytes.NewReader(data)
	}
	r, err := http.NewRequestWithContext(ctx, method, p.node.Host+path, body)
	if err != nil {
		return 0, err
	}
	r.Header.Set("Content-Type", "application/json")
	answer, err := p.node.Client().Do(r)
	if err != nil {
		return 0, err
	}
	data, err := io.ReadAll(answer.Body)
	if err = errors.Join(err, answer.Body.Close()); err != nil {
		return 0, err
	}
	if answer.StatusCode < 300 {
		err = json.Unmarshal(data, receive)
	}
	return answer.StatusCode, err
}
