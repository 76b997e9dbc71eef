package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/programs"
	"github.com/leaselab/leaselab/sim/programs/replay"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/serve"
	"github.com/leaselab/leaselab/sim/serve/rbac"
	"github.com/leaselab/leaselab/sim/trace"
)

// trial is one scenario, played on copies of a program in real time.
type trial struct {
	scenario scenario.Scenario
	program  *program
	addr     string
	record   string
	shows    io.Writer                                   // receives what the copies print; nil for nothing
	begins   func(url string)                            // called when the API is ready; may be nil
	see      func(*run.Run, *trace.Record, explain.Note) // receives every record of the trace; may be nil
}

// tried is the result of a trial.
type tried struct {
	outcome
	early       string // why the trial ended before the scenario; "" if it did not
	nothing     string // why the run proves nothing; "" if it has a verdict
	unasked     bool   // because no copy asked for the Lease
	mistaken    bool   // the program made a mistake that breaks no rule in this run
	copies      *processes
	took        time.Duration
	interrupted bool
}

// play starts the server and the copies, waits until the scenario has ended or nothing can happen any more, and judges
// the run.
//
// Once the copies run, every return follows the same order: the cluster ends first (g.end), then the copies die, then
// the server and the listener close. If the copies died first, the world would report a crash of every candidate.
//
// If a copy cannot start, the context ends with that error as its cause. Then play ends and returns the error instead
// of a verdict.
func (t *trial) play(ctx context.Context) (result tried, err error) {
	listener, err := net.Listen("tcp", t.addr)
	if err != nil {
		return result, notListening(t.addr, err)
	}
	defer listener.Close()
	access, err := serve.NewAccess(listener.Addr().String(), nil, nil)
	if err != nil {
		return result, err
	}
	folder, err := os.MkdirTemp("", "leaselab-test-")
	if err != nil {
		return result, err
	}
	defer os.RemoveAll(folder)

	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	p := newProcesses(t.program, &t.scenario)
	p.url, p.folder, p.shows, p.failed = "http://"+address(listener.Addr().String()), folder, t.shows, fail
	p.api = p.url
	encrypted, err := t.program.listenTLS()
	if err != nil {
		return result, err
	}
	if encrypted != nil {
		defer encrypted.Close()
		p.api = "https://" + encrypted.Addr().String()
	}
	ending := sync.OnceFunc(p.End)
	defer ending()
	serves := replay.Everything(&t.scenario)
	serves.Definitions = t.program.definitions
	authority := rbac.New(rbac.Config{Open: true})
	g, err := newGroup(t.scenario, t.record,
		programs.Options{Processes: p, PieceLasts: t.program.lasts, Serves: serves, See: t.see}, authority)
	if err != nil {
		return result, err
	}
	g.control(serves)
	if t.begins != nil {
		t.begins(p.url)
	}
	h := house{access: access, authority: authority}
	server := &http.Server{Handler: h.handler(g.doors(builtIn())),
		ReadHeaderTimeout: 10 * time.Second,
		ErrorLog:          log.New(io.Discard, "", 0)} // a copy that dies breaks its handshakes
	go func() { _ = server.Serve(listener) }() // Close ends it
	if encrypted != nil {
		go func() { _ = server.Serve(encrypted) }()
	}
	defer server.Close()
	go g.cluster.Drive()
	go g.keep(ctx)

	result.early = t.wait(ctx, g.cluster)
	at := g.cluster.Now()
	stopped := context.Cause(ctx)
	if attended := g.cluster.Attendance(); stopped == nil {
		result.nothing, result.unasked = nothingOf(&attended), !attended.Asked
		if attended.Over && result.nothing == "" { // nothing else can happen until the end
			at = max(at, time.Duration(t.scenario.Duration))
		}
	}
	result.copies, result.took = p, g.cluster.Now()
	result.outcome, err = g.end(at)
	ending()
	if result.mistaken = result.code == summary.Fine && len(result.sum.Findings) > 0; result.mistaken {
		result.code = exitLiveness
	}
	if result.interrupted = stopped != nil; stopped != nil && !errors.Is(stopped, context.Canceled) {
		return result, stopped
	}
	return result, err
}

// How long programs may take until they ask for the Lease, and until one of them holds it. A program that still prints
// or sends requests gets the longer time.
const (
	asksWithin     = 10 * time.Second
	busyAsksWithin = 30 * time.Second
	leadsWithin    = 20 * time.Second
)

// wait waits until the scenario has ended, or until the rest of it can prove nothing. Then it returns why. A scenario
// with acts before the first election may well keep every program from leading, so it gets its whole time.
func (t *trial) wait(ctx context.Context, c *programs.Cluster) (early string) {
	end := time.NewTimer(time.Duration(t.scenario.Duration) - c.Now())
	defer end.Stop()
	looks := time.NewTicker(100 * time.Millisecond)
	defer looks.Stop()
	firstAct := time.Duration(t.scenario.Duration)
	for i := range t.scenario.Actions {
		firstAct = min(firstAct, time.Duration(t.scenario.Actions[i].At))
	}
	for {
		select {
		case <-end.C:
			return ""
		case <-ctx.Done():
			return ""
		case <-looks.C:
		}
		a, now := c.Attendance(), c.Now()
		waited := now - a.BegunAt
		switch busy := now-a.HeardAt < 5*time.Second && a.HeardAt > 0; {
		case a.Over:
			return "every copy had ended"
		case !a.Asked && (waited > busyAsksWithin || waited > asksWithin && !busy):
			return "no copy asked for the Lease"
		case a.Asked && !a.Held && now-a.AskedAt > leadsWithin && firstAct > now:
			return "no copy acquired the Lease"
		}
	}
}

// nothingOf says why a run proves nothing about leader election, or returns "".
func nothingOf(a *programs.Attendance) string {
	switch {
	case !a.Asked && a.Over:
		return "every copy ended before it asked for the Lease"
	case !a.Asked:
		return "no copy asked for the Lease"
	case !a.Held:
		return "no copy acquired the Lease"
	case !a.Worked:
		return "a copy held the Lease, but no copy reported that it worked, so the rules had nothing to measure: PUT " +
			"$LEASELAB_WORK in OnStartedLeading, or use --works-from and --works-until"
	}
	return ""
}

// passed reports whether the run has a verdict and breaks nothing.
func (t *tried) passed() bool { return t.nothing == "" && t.code == summary.Fine }

// exit returns the error for main, or nil.
func (t *tried) exit() error {
	switch {
	case t.interrupted:
		return exitError{exitCancelled, "interrupted before the end of the scenario; killed the copies"}
	case t.nothing != "":
		return exitError{exitUsage, "no verdict: " + t.nothing}
	case t.mistaken:
		return exitError{t.code, fmt.Sprintf("exit code %d: %s", t.code, t.sum.Findings[0].Text)}
	case t.code != summary.Fine:
		return exitError{t.code, fmt.Sprintf("exit code %d: %s", t.code, verdictOf(t.code))}
	}
	return nil
}
