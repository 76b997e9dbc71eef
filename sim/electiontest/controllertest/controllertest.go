// Package controllertest connects client-go and controller-runtime to package electiontest. Config configures a client
// in a node's process, Manager makes a manager there, and Runnable reports work to the rules.
//
// It is a separate module, so that leaselab does not depend on Kubernetes modules. A module that uses it needs one
// command, which also requires leaselab at the same version:
//
//	go get github.com/leaselab/leaselab/sim/electiontest/controllertest@latest
//
// Guarantee: clients that send their requests through Config or Manager open no socket, so virtual time passes.
// Non-guarantee: a program that opens other sockets, such as a webhook server, stops virtual time. Then electiontest
// says which goroutine waits.
package controllertest

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"time"

	"github.com/go-logr/logr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	coordinationclient "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/leaselab/leaselab/sim/electiontest"
)

// The runtime makes its channels for signals at the first signal.Notify. If a program made the first call, in a bubble,
// the process would end with "select on synctest channel from outside bubble".
func init() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	signal.Stop(c)
}

// Config returns the configuration of a client in the node's process, with the scenario's request timeout and without a
// rate limit.
func Config(n *electiontest.Node) *rest.Config {
	quickErrors()
	return &rest.Config{Host: n.Host, Transport: n, Timeout: n.Settings.RequestTimeout, QPS: -1}
}

// quickErrors replaces the back-off after each error of an informer or a controller, in which apimachinery allows at
// most one error in a millisecond. The original compares the clock with the time of the last error or, at first, with
// the start of the process. If the clock has moved back, it sleeps for the difference. In a bubble, where it is the
// year 2000, that takes decades. Source: apimachinery v0.37.2 pkg/util/runtime runtime.go rudimentaryErrorBackoff.
var quickErrors = sync.OnceFunc(func() {
	const period = time.Millisecond
	var mu sync.Mutex
	var last time.Time
	utilruntime.ErrorHandlers = append(utilruntime.ErrorHandlers[:1:1], func(context.Context, error, string, ...any) {
		mu.Lock()
		since := time.Since(last)
		last = time.Now()
		mu.Unlock()
		if since >= 0 && since < period {
			time.Sleep(period - since)
		}
	})
})

// Options returns the options of a manager in the node's process: leader election for the scenario's Lease, with the
// scenario's settings and the node's identity, and no listeners. A test may change them before it creates the manager.
func Options(n *electiontest.Node) (manager.Options, error) {
	client, err := coordinationclient.NewForConfig(Config(n))
	if err != nil {
		return manager.Options{}, err
	}
	s, skip := &n.Settings, true
	return manager.Options{
		LeaderElection: true, LeaderElectionID: s.Lease, LeaderElectionNamespace: s.Namespace,
		LeaderElectionReleaseOnCancel: s.ReleaseOnCancel,
		LeaseDuration:                 &s.LeaseDuration, RenewDeadline: &s.RenewDeadline, RetryPeriod: &s.RetryPeriod,
		LeaderElectionResourceLockInterface: &resourcelock.LeaseLock{
			LeaseMeta: metav1.ObjectMeta{Namespace: s.Namespace, Name: s.Lease}, Client: client,
			LockConfig: resourcelock.ResourceLockConfig{Identity: s.Identity},
		},
		Metrics: metricsserver.Options{BindAddress: "0"}, HealthProbeBindAddress: "0",
		Controller: config.Controller{SkipNameValidation: &skip}, // the managers of a test share one process
		Logger:     logr.Discard(),
	}, nil
}

// Manager returns a manager with Options.
func Manager(n *electiontest.Node) (manager.Manager, error) {
	options, err := Options(n)
	if err != nil {
		return nil, err
	}
	return manager.New(Config(n), options)
}

// Runnable returns a runnable that needs leader election. It tells the cluster that the node works as long as run
// runs.
func Runnable(n *electiontest.Node, run func(ctx context.Context) error) manager.Runnable {
	return manager.RunnableFunc(func(ctx context.Context) error {
		defer n.Work(ctx)()
		return run(ctx)
	})
}
