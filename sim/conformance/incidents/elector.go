package main

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"os/signal"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/klog/v2"
)

// event is a call of an elector's callback, or something that this program did to the elector.
type event struct {
	Event string    `json:"event"`
	ID    string    `json:"id"`
	Time  time.Time `json:"time"`
}

// elect runs an elector's process: unmodified client-go, with klog at level 4 on standard error and the callbacks on
// standard output. After it loses the Lease it joins again, as a process in a Deployment does. An interrupt ends it.
func elect(args []string) {
	f := flag.NewFlagSet("elector", flag.ExitOnError)
	server, name := f.String("server", "", ""), f.String("name", "", "")
	klog.InitFlags(f)
	_ = f.Parse(append([]string{"-v=4"}, args...))
	out := json.NewEncoder(os.Stdout)
	tell := func(what string) { _ = out.Encode(event{what, *name, time.Now().UTC()}) }
	client, err := kubernetes.NewForConfig(&rest.Config{Host: *server, Timeout: requestTimeout, UserAgent: "elector/v1"})
	if err != nil {
		klog.Fatal(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	for ctx.Err() == nil {
		lock, err := resourcelock.New(resourcelock.LeasesResourceLock, "ns-a", "demo", client.CoreV1(), client.CoordinationV1(), resourcelock.ResourceLockConfig{Identity: *name})
		if err != nil {
			klog.Fatal(err)
		}
		leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
			Lock: lock, LeaseDuration: leaseDuration, RenewDeadline: renewDeadline, RetryPeriod: retryPeriod, ReleaseOnCancel: true, Name: *name,
			Callbacks: leaderelection.LeaderCallbacks{
				OnStartedLeading: func(ctx context.Context) { tell("started_leading"); <-ctx.Done() },
				OnStoppedLeading: func() { tell("stopped_leading") },
			},
		})
	}
}
