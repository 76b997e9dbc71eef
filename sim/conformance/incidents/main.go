// Command incidents makes evidence of real incidents: three processes with client-go's elector compete for a Lease of
// `leaselab serve`, each through its own relay, and something happens to the leader. It saves the API's audit log, a
// watch, the electors' logs, and the truth: what the program did, and what each elector's callbacks saw. `make
// incidents` runs it.
//
// Guarantee: the seed determines what the program does, to which elector and for how long. The truth comes from this
// program and from the electors' callbacks, never from an inference. Non-guarantee: the processes run in real time,
// so no two recordings are identical.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// The electors' settings are short, so that an incident takes half a minute.
const (
	leaseDuration  = 6 * time.Second
	renewDeadline  = 4 * time.Second
	retryPeriod    = time.Second
	requestTimeout = 2 * time.Second
)

// plan is one incident.
type plan struct {
	name  string
	class string // what the program does: paused, killed, cut off, slow, released, edited, deleted, rollout
	cause string // what the evidence should name
	seed  uint64
	uuid  bool // the identities are HOSTNAME_UUID, as client-go's own programs have them
	do    func(*group, *rand.Rand)
}

// plans lists the 20 incidents.
func plans() []plan {
	var all []plan
	add := func(times int, class, cause string, do func(*group, *rand.Rand)) {
		for range times {
			n := len(all) + 1
			all = append(all, plan{name: fmt.Sprintf("%02d-%s", n, strings.ReplaceAll(class, " ", "-")), class: class,
				cause: cause, seed: uint64(n), uuid: n%5 == 0, do: do})
		}
	}
	add(3, "paused", "pause", pauses)
	add(3, "killed", "crash", kills)
	add(2, "cut off", "partition", holds)
	add(2, "cut off", "partition", refuses)
	add(2, "slow", "slow", slows)
	add(2, "released", "release", releases)
	add(2, "edited", "edited", edits)
	add(2, "deleted", "deleted", deletes)
	add(2, "rollout", "control plane", rollsOut)
	return all
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "elector" {
		elect(os.Args[2:])
		return
	}
	command := flag.String("leaselab", "", "the built command")
	out := flag.String("out", "", "the folder to write to")
	parallel := flag.Int("parallel", 5, "how many incidents at once")
	only := flag.String("only", "", "make only the incidents with this text in their name")
	flag.Parse()
	if *command == "" || *out == "" {
		log.Fatal("incidents needs -leaselab and -out")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := os.MkdirAll(*out, 0o755); err != nil {
		log.Fatal(err)
	}
	all := slices.DeleteFunc(plans(), func(p plan) bool { return !strings.Contains(p.name, *only) })
	free := make(chan struct{}, *parallel)
	var wait sync.WaitGroup
	var failed sync.Map
	for _, p := range all {
		free <- struct{}{}
		wait.Go(func() {
			defer func() { <-free }()
			began := time.Now()
			if err := record(ctx, *command, p, filepath.Join(*out, p.name+".json.gz")); err != nil {
				failed.Store(p.name, err)
				log.Printf("%s: %v", p.name, err)
				return
			}
			log.Printf("%s: %.0f s", p.name, time.Since(began).Seconds())
		})
	}
	wait.Wait()
	failed.Range(func(any, any) bool { os.Exit(1); return false })
}

// drawLength draws a length of time.
func drawLength(r *rand.Rand, least, most time.Duration) time.Duration {
	return least + time.Duration(r.Int64N(int64(most-least)))
}

func pauses(g *group, r *rand.Rand) {
	l := g.leader()
	l.stop(g)
	g.sleep(drawLength(r, 9*time.Second, 13*time.Second))
	l.resume(g)
}

func kills(g *group, _ *rand.Rand) {
	l := g.leader()
	g.tell(l.id, "SIGKILL")
	_ = l.command.Process.Kill()
	g.sleep(leaseDuration + 2*retryPeriod)
}

func holds(g *group, r *rand.Rand) {
	relays(g, r, relayed{holding, "its bytes are held", "its bytes are delivered"})
}

func refuses(g *group, r *rand.Rand) {
	relays(g, r, relayed{refusing, "its connections are refused", "its connections are accepted"})
}

// relayed is what a relay does to the traffic, with a sentence for its begin and one for its end.
type relayed struct {
	does         mode
	begun, ended string
}

// relays changes what the leader's relay does for a while.
func relays(g *group, r *rand.Rand, as relayed) {
	l := g.leader()
	g.tell(l.id, as.begun)
	l.relay.to(as.does)
	g.sleep(drawLength(r, 9*time.Second, 13*time.Second))
	g.tell(l.id, as.ended)
	l.relay.to(passing)
}

func slows(g *group, r *rand.Rand) {
	l := g.leader()
	delay := drawLength(r, 1500*time.Millisecond, 1900*time.Millisecond)
	g.tell(l.id, "its answers are delayed by "+delay.String())
	l.relay.slow(delay)
	g.sleep(drawLength(r, 7*time.Second, 9*time.Second))
	delay = requestTimeout + drawLength(r, 500*time.Millisecond, 3*time.Second)
	g.tell(l.id, "its answers are delayed by "+delay.String())
	l.relay.slow(delay)
	g.sleep(leaseDuration + 4*retryPeriod)
	g.tell(l.id, "its answers are fast")
	l.relay.slow(0)
}

// edits empties holderIdentity, as a person with kubectl does.
func edits(g *group, _ *rand.Rand) {
	g.tell("kubectl", "empties holderIdentity")
	lease := g.kubectl(http.MethodGet, leasePath, nil)
	lease["spec"].(map[string]any)["holderIdentity"] = ""
	g.kubectl(http.MethodPut, leasePath, lease)
	g.sleep(leaseDuration + 2*retryPeriod)
}

func deletes(g *group, _ *rand.Rand) {
	g.tell("kubectl", "deletes the Lease")
	g.kubectl(http.MethodDelete, leasePath, nil)
	g.sleep(leaseDuration + 2*retryPeriod)
}

// rollsOut lets nobody reach the API for a while, as a restart of the only API server does.
func rollsOut(g *group, r *rand.Rand) {
	g.tell("all", "the API server is gone")
	for _, m := range g.members {
		m.relay.to(refusing)
	}
	g.sleep(drawLength(r, 9*time.Second, 13*time.Second))
	g.tell("all", "the API server is back")
	for _, m := range g.members {
		m.relay.to(passing)
	}
	g.sleep(leaseDuration + 2*retryPeriod)
}

func releases(g *group, _ *rand.Rand) {
	l := g.leader()
	g.tell(l.id, "SIGTERM")
	_ = l.command.Process.Signal(os.Interrupt)
	g.sleep(3 * retryPeriod)
}
