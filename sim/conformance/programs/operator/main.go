// Command operator is a program for `leaselab test` that elects its leader with client-go, as the author of an
// operator might write it. It does a piece of work every 100 ms. With --careful it checks before each piece that it
// still holds the Lease. Without the check, a process that resumes after a long stop keeps working until its elector
// has failed to renew for renewDeadline.
//
// With --fault it has one of the faults that real operators have: see faults.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coordinationclient "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// faults are the values of --fault.
var faults = map[string]string{
	"":                 "none",
	"outlives":         "the work ignores that the election is lost, and the process competes again",
	"noExit":           "the process hangs after it has lost the election, and sends nothing any more",
	"slowDrain":        "the work goes on for 20 s after the elector has released the Lease",
	"ignoresStop":      "the process ignores SIGTERM",
	"sameIdentity":     "every copy has the same identity",
	"stuckRenewal":     "the elector hangs in a request, and the work goes on",
	"neverAgain":       "the process lives on after it has lost the election, and never competes again",
	"worksBeforeLease": "the work begins before the election",
	"silent":           "the copy b hangs before its first request",
}

// options are the settings of a run.
type options struct {
	careful, silent, release           bool
	fault                              string
	lease, renew, retry                time.Duration
	url, identity, namespace, lockName string
}

func main() {
	var o options
	flag.BoolVar(&o.careful, "careful", false, "check before each piece of work that the Lease is still its own")
	flag.BoolVar(&o.silent, "silent", false, "report the work only by lines of output")
	flag.BoolVar(&o.release, "release", true, "releaseOnCancel: a lost election ends the work only after the release")
	flag.StringVar(&o.fault, "fault", "", "one of the faults")
	flag.DurationVar(&o.lease, "lease", 4*time.Second, "leaseDuration")
	flag.DurationVar(&o.renew, "renew", 3*time.Second, "renewDeadline")
	flag.DurationVar(&o.retry, "retry", time.Second, "retryPeriod")
	flag.Parse()
	o.url, o.identity = os.Getenv("LEASELAB_WORK"), os.Getenv("LEASELAB_IDENTITY")
	o.namespace, o.lockName = os.Getenv("LEASELAB_NAMESPACE"), os.Getenv("LEASELAB_LEASE")
	if _, known := faults[o.fault]; !known {
		fmt.Fprintf(os.Stderr, "--fault %q must be one of %q\n", o.fault, slices.Sorted(maps.Keys(faults)))
		os.Exit(1)
	}
	if o.fault == "sameIdentity" {
		o.identity = "operator"
	}
	if err := run(&o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(o *options) error {
	if o.fault == "silent" && os.Getenv("LEASELAB_NODE") == "b" {
		select {} // SIGTERM still ends it
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	if o.fault == "ignoresStop" {
		signal.Ignore(syscall.SIGTERM)
		ctx = context.Background()
	}
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		return err
	}
	if o.fault == "stuckRenewal" {
		config.Wrap(func(next http.RoundTripper) http.RoundTripper { return &stuck{next: next} })
	}
	w := &worker{options: o}
	if w.elector, err = o.newElector(config, w.work); err != nil {
		return err
	}
	if o.fault == "worksBeforeLease" {
		go w.work(ctx)
	}
	w.elector.Run(ctx)
	switch {
	case ctx.Err() != nil:
		w.drain()
		return nil
	case o.fault == "outlives":
		for ctx.Err() == nil { // it competes again, beside its own work
			if w.elector, err = o.newElector(config, w.work); err != nil {
				return err
			}
			w.elector.Run(ctx)
		}
		return nil
	case o.fault == "noExit":
		select {}
	case o.fault == "neverAgain":
		o.watchOthers(config)
	}
	return errors.New("the election is lost")
}

func (o *options) newElector(config *rest.Config, work func(context.Context)) (*leaderelection.LeaderElector, error) {
	client, err := coordinationclient.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	return leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Namespace: o.namespace, Name: o.lockName},
			Client:     client,
			LockConfig: resourcelock.ResourceLockConfig{Identity: o.identity},
		},
		LeaseDuration: o.lease, RenewDeadline: o.renew, RetryPeriod: o.retry,
		ReleaseOnCancel: o.release, Name: os.Getenv("LEASELAB_NODE"),
		Callbacks: leaderelection.LeaderCallbacks{OnStartedLeading: work,
			OnStoppedLeading: func() { fmt.Println("stopped leading") }},
	})
}

// watchOthers lists the Leases every second, for ever, as the rest of a program might go on with its reads.
func (o *options) watchOthers(config *rest.Config) {
	client := coordinationclient.NewForConfigOrDie(config)
	for range time.Tick(time.Second) {
		_, _ = client.Leases(o.namespace).List(context.Background(), metav1.ListOptions{}) // nobody reads it
	}
}

// stuck is a transport that never answers from 3 s after its first request on.
type stuck struct {
	next  http.RoundTripper
	since time.Time
}

func (s *stuck) RoundTrip(r *http.Request) (*http.Response, error) {
	if s.since.IsZero() {
		s.since = time.Now()
	}
	if time.Since(s.since) > 3*time.Second {
		select {}
	}
	return s.next.RoundTrip(r)
}

type worker struct {
	*options
	elector *leaderelection.LeaderElector
}

// work is what the leader does until its context ends.
func (w *worker) work(ctx context.Context) {
	fmt.Println("started leading")
	if w.fault == "outlives" {
		ctx = context.Background()
	}
	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	for {
		if !w.careful || w.elector.IsLeader() && w.elector.Check(0) == nil {
			w.tell()
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
	}
}

// drain goes on with the work of a leader that got SIGTERM, if the fault says so.
func (w *worker) drain() {
	if w.fault != "slowDrain" {
		return
	}
	for range 200 {
		w.tell()
		time.Sleep(100 * time.Millisecond)
	}
}

// tell reports that the leader has done a piece of work.
func (w *worker) tell() {
	if w.silent {
		return
	}
	answer, err := http.Post(w.url, "", nil)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	answer.Body.Close()
}
