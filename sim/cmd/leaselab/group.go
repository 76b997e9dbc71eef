package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/elements"
	"github.com/leaselab/leaselab/sim/programs"
	"github.com/leaselab/leaselab/sim/programs/replay"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/run/transcript"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/serve"
	"github.com/leaselab/leaselab/sim/serve/controllers"
	"github.com/leaselab/leaselab/sim/serve/incoming"
	"github.com/leaselab/leaselab/sim/serve/rbac"
	"github.com/leaselab/leaselab/sim/words"
)

// group is a group of real programs behind a served API, with the acts of a scenario. `leaselab test` starts the
// programs itself, and `serve --faults` waits for them; everything else is the same for both commands, and this file
// contains it.
//
//	program ──HTTP──> front ──> node ──> network with cuts and latencies ──> API server
//	kubectl ──HTTP──> front ──> api  ───────────────────────────────────────>    │
//	                                     every call ──> record ──> page, verdict ┘
//
// Candidates' requests pass through the simulated network and are subject to its faults. Requests of other clients
// reach the API server at once, because the scenario says nothing about them.
type group struct {
	scenario scenario.Scenario
	cluster  *programs.Cluster
	api      *serve.Handler // for clients other than candidates
	front    *programs.Front
	recorder *programs.Recorder
	file     *os.File         // of the record
	kept     bool             // the file comes from --record
	set      *controllers.Set // nil: none run

	over      chan struct{}  // closed when the record has its last line
	followers sync.WaitGroup // of the record
}

// newGroup loads a scenario and starts its clock. It writes a record to the file named by the argument record, unless
// that is "". It adds the options that both commands need: other clients may write, and a candidate's write counts as a
// piece of work.
func newGroup(s scenario.Scenario, record string, options programs.Options, authority *rbac.Authority) (*group, error) {
	g := &group{scenario: s, over: make(chan struct{})}
	options.Administered, options.WritesAreWork, options.Guard = true, true, authority.Guard
	options.ConfigureAPI = func(config *apiserver.Config) {
		configure(config)
		config.Reviews = authority.Reviews()
	}
	if err := g.openRecord(record, &options); err != nil {
		return nil, err
	}
	g.recorder.Limit(mostRecorded, func() {
		fmt.Fprintf(stderr, "The record has reached %d MiB and ends here. The run goes on without it: the server "+
			"answers reads, elections and deletions, and refuses other writes.\n", mostRecorded>>20)
	})
	begin := options.RecordTo(g.recorder)
	options.Changed = func() { g.api.WithLock(func() {}) } // wakes the watches
	g.cluster = programs.New(s, options)
	begin(g.cluster)
	g.api = serve.New(programs.Administrator{Cluster: g.cluster}, clock.New())
	g.front = &programs.Front{Cluster: g.cluster, Others: g.api, Names: candidatesOf(&s), NodeOf: authority.NodeOf}
	return g, nil
}

// mostRecorded is the maximum number of bytes in a record.
const mostRecorded = 256 << 20

// openRecord begins the record in its file. Without --record it uses a temporary file, from which the page reads.
// That file has no trace, because the page replays the calls and makes the trace itself.
//
// An existing file must be a record or empty. Otherwise a user who mistakenly types `--record pause.yaml` would erase
// that scenario. openRecord removes the name of a temporary file at once, so that the file vanishes however the
// process ends.
func (g *group) openRecord(record string, options *programs.Options) (err error) {
	if g.kept = record != ""; g.kept {
		if info, err := os.Stat(record); err == nil && info.Mode().IsRegular() && info.Size() > 0 && !isRecord(record) {
			return fmt.Errorf(
				"--record %s: the file exists and is not a record; name another file, or move "+
					"this one", record)
		}
		if g.file, err = os.OpenFile(record, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600); err != nil {
			return fmt.Errorf("--record: %w; name a file in an existing folder", err)
		}
	} else if g.file, err = os.CreateTemp("", "leaselab-record-"); err == nil {
		_ = os.Remove(g.file.Name()) // if the system cannot remove an open file, end removes it
	}
	if err == nil && g.kept {
		err = ownerOnly(g.file)
	}
	if err == nil {
		g.recorder, err = programs.NewRecorder(g.file, g.scenario, options)
	}
	switch {
	case err != nil && g.kept:
		return fmt.Errorf("--record %s: %w", record, err)
	case err != nil:
		return fmt.Errorf("leaselab cannot keep the run for the page: %w", err)
	case !g.kept:
		g.recorder.WithoutTrace()
	}
	return nil
}

// ownerOnly lets only the owner read a record, which contains all objects. The file may be older than that rule.
func ownerOnly(file *os.File) error {
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Mode().Perm()&0o077 == 0 {
		return err
	}
	return file.Chmod(0o600)
}

// closeRecord ends the record once its followers have read it. It waits for them, because a page that never gets the
// last line would show a run that never ends. It waits only a moment, because a page on a slow connection must not
// block the command.
//
// It reports a write error only with --record. Nobody asked for the temporary file.
func (g *group) closeRecord() error {
	close(g.over)
	read := make(chan struct{})
	go func() {
		g.followers.Wait()
		close(read)
	}()
	select {
	case <-read:
	case <-time.After(followersGrace):
	}
	err := errors.Join(g.recorder.Err(), g.file.Close())
	if !g.kept {
		_ = os.Remove(g.file.Name()) // it is gone already, or the system removes it
		return nil
	}
	if err != nil {
		return fmt.Errorf("--record: %w", err)
	}
	return nil
}

// followersGrace is how long a finished run waits for pages that are still reading. A page on the same machine needs
// some milliseconds.
const followersGrace = time.Second

// configure turns on features of the API server that the command has but the page does not. A replay needs the same
// configuration, or its trace would differ from the record's.
func configure(config *apiserver.Config) {
	serve.Native(config)
	config.ObjectBytes, config.InParts = serve.ObjectBytes, true
}

// candidatesOf lists the names of a scenario's candidates, including each replica.
func candidatesOf(s *scenario.Scenario) []string {
	return elements.Of(scenario.Resolve(*s).Candidates, func(c scenario.ResolvedCandidate) string { return c.Name })
}

// outcome is what the rules say about a group at its end.
type outcome struct {
	sum     summary.Summary
	told    *explained
	code    int  // exit code of the verdict
	unheard bool // the Lease has a holder, but no program has reported work
}

// end judges the run and ends the record. From then on nothing reaches the programs.
//
// The verdict and the end of the record happen inside one call of Judge, so no request can change the world between
// them. The programs still run at that time. They lose their API, and the command that started them kills them
// afterward, so that their end does not appear as a fault.
func (g *group) end(at time.Duration) (o outcome, err error) {
	g.cluster.Finish()
	g.cluster.Judge(at, func(r *run.Run, ns int64) {
		o.sum = summary.Of(g.scenario, r, ns)
		o.code = summary.Verdict(g.scenario, r, &o.sum)
		o.told, err = (&explainFlags{}).explainRun(g.scenario, r, ns, g.cluster.Conduct())
		o.sum.Findings, o.told.Findings = o.told.Findings, nil
		_, lease, exists := r.World.Holder()
		o.unheard = len(o.sum.LeaderChanges) == 0 && exists && lease.Spec.HolderIdentity != 0
		g.cluster.End(ns)
	})
	g.cluster.Close()
	g.cluster.Quit()
	return o, errors.Join(err, g.closeRecord())
}

// write writes the outcome, as text or as the summary on one line.
//
// The text warns if the Lease has a holder although no candidate reported any work. Without the warning, the verdict
// "nobody led for 60 s" would puzzle the programs' author.
func (o *outcome) write(out io.Writer, output string, stories bool) error {
	if output == "json" {
		buffered := bufio.NewWriter(out)
		writeDocument(buffered, "RunSummary", o.sum)
		return buffered.Flush()
	}
	var text strings.Builder
	writeConduct(&text, o.sum.Findings)
	transcript.Summary(&text, &o.sum, transcript.Plain)
	transcript.Checks(&text, &o.sum, transcript.Plain)
	if stories {
		fmt.Fprintln(&text)
		writeExplained(painter{Writer: &text}, o.told)
	}
	for _, clause := range o.sum.Unmet {
		fmt.Fprintf(&text, "assertion failed: %s\n", clause)
	}
	if o.unheard {
		fmt.Fprintf(&text,
			"The Lease has a holder, but no program has reported that it works: PUT %s in OnStartedLeading, or "+
				"see `leaselab test --help`.\n", programs.WorkPath)
	}
	_, err := io.WriteString(out, wrapLines(text.String(), columnsOf(out)))
	return err
}

// control runs the controllers whose objects the API server serves. Their clock starts in the year 2000, like the
// world's, so they use Ahead to compute how long to sleep.
func (g *group) control(serves *replay.Serves) {
	config := apiserver.Config{Coordinated: serves.Coordinated, Versions: serves.Versions}
	g.set = controllers.New(programs.Components{Cluster: g.cluster}, controllers.Options{
		Candidates: candidateVersion(&config), Core: serves.Core, Ahead: g.cluster.Ahead(),
	})
}

// keep runs the controllers until ctx ends.
func (g *group) keep(ctx context.Context) {
	if g.set != nil {
		g.api.Keep(ctx, func(time.Time) time.Time { return g.cluster.Keep(g.set.Advance) })
	}
}

// prepareFaults prepares `serve --faults`. Every candidate may send requests from the beginning, whatever its startAt.
// The user starts the programs by hand, and startAt would shut out a program that came early. Acts that affect only a
// process, such as pause, are an error here.
func (f *serveFlags) prepareFaults() (*group, error) {
	seed := ""
	if f.seed != 0 {
		seed = strconv.FormatUint(f.seed, 10)
	}
	s, err := loadWith(f.faults, seed)
	if err != nil {
		return nil, fmt.Errorf("--faults: %w", err)
	}
	if err := programs.Expressible(&s, programs.OnServer); err != nil {
		return nil, fmt.Errorf("--faults %s: %w", f.faults, err)
	}
	for i := range s.Candidates {
		s.Candidates[i].StartAt, s.Candidates[i].StartJitterMax = 0, 0
	}
	authority, err := f.authority()
	if err != nil {
		return nil, err
	}
	serves := replay.Everything(&s)
	if serves.Definitions, err = readDefinitions(f.crds); err != nil {
		return nil, err
	}
	if f.gates != "" || f.runtime != "" {
		config := apiserver.Config{Coordinated: true}
		if err := f.coordination(&config); err != nil {
			return nil, err
		}
		serves.Coordinated, serves.Versions = config.Coordinated, config.Versions
	}
	g, err := newGroup(s, f.record, programs.Options{Serves: serves}, authority)
	if err == nil && f.controllers {
		g.control(serves)
	}
	return g, err
}

// address returns a server's address for clients on this machine. A listener on all addresses prints as [::]:8001 or
// 0.0.0.0:8001, which clients cannot use everywhere.
func address(listening string) string {
	host, port, found := strings.Cut(listening, "]:")
	if found { // [::]:8001
		if host == "[:" {
			return "127.0.0.1:" + port
		}
		return listening
	}
	if port, all := strings.CutPrefix(listening, "0.0.0.0:"); all {
		return "127.0.0.1:" + port
	}
	return listening
}

// kubeconfig returns a kubeconfig for one candidate. The URL contains the candidate's name, so the server knows who
// sent a request, although the program sends no extra header. The client for Node.js refuses plain HTTP unless the
// kubeconfig skips the check of certificates; the other clients ignore that field then.
func kubeconfig(url, name, namespace string) string {
	return fmt.Sprintf(`apiVersion: v1
kind: Config
current-context: leaselab
clusters: [{name: leaselab, cluster: {server: %q, insecure-skip-tls-verify: true}}]
contexts: [{name: leaselab, context: {cluster: leaselab, user: %q, namespace: %q}}]
users: [{name: %q, user: {}}]
`, url, name, namespace, name)
}

// playedActs says which acts a group plays and when the last one ends.
func playedActs(s *scenario.Scenario) string {
	return fmt.Sprintf("%s: %s on %s, until %s", nameOr(s.Name), words.Count(len(s.Actions), "act", "acts"),
		strings.Join(candidatesOf(s), ", "), words.Instant(int64(s.Duration)))
}

// howToJoin says how a program becomes a candidate.
func (g *group) howToJoin(listening string) string {
	return playedActs(&g.scenario) +
		"; then the server runs on without faults.\nA candidate's kubeconfig has the server http://" +
		address(listening) + incoming.NodesPath +
		"NAME; its program may also send the header " + incoming.NodeHeader +
		": NAME, or use node-NAME in its user agent or as its bearer token."
}
