// Command operator is a program for `leaselab test` that elects its leader with client-go, as the author of an
// operator might write it. It does a piece of work every 100 ms. With --careful it checks before each piece that it
// still holds the Lease. Without the check, a process that resumes after a long stop keeps working until its elector
// has failed to renew for renewDeadline.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coordinationclient "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

func main() {
	careful := flag.Bool("careful", false, "check before each piece of work that the Lease is still its own")
	silent := flag.Bool("silent", false, "report the work only by lines of output")
	flag.Parse()
	if err := run(*careful, *silent); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(careful, silent bool) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		return err
	}
	client, err := coordinationclient.NewForConfig(config)
	if err != nil {
		return err
	}
	w := &worker{careful: careful, silent: silent, url: os.Getenv("LEASELAB_WORK")}
	w.elector, err = leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Namespace: os.Getenv("LEASELAB_NAMESPACE"), Name: os.Getenv("LEASELAB_LEASE")},
			Client:     client,
			LockConfig: resourcelock.ResourceLockConfig{Identity: os.Getenv("LEASELAB_IDENTITY")},
		},
		LeaseDuration: 4 * time.Second, RenewDeadline: 3 * time.Second, RetryPeriod: time.Second,
		ReleaseOnCancel: true, Name: os.Getenv("LEASELAB_NODE"),
		Callbacks: leaderelection.LeaderCallbacks{OnStartedLeading: w.work, OnStoppedLeading: func() { fmt.Println("stopped leading") }},
	})
	if err != nil {
		return err
	}
	w.elector.Run(ctx)
	if ctx.Err() == nil {
		return errors.New("the election is lost")
	}
	return nil
}

type worker struct {
	careful, silent bool
	url             string
	elector         *leaderelection.LeaderElector
}

// work is what the leader does until its context ends.
func (w *worker) work(ctx context.Context) {
	fmt.Println("started leading")
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
