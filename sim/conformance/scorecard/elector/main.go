// Command elector runs an elector of a Go module, unmodified, as a program for `leaselab score`. The argument names it.
// Its module is separate, so that no other build needs the modules of all electors.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	csi "github.com/kubernetes-csi/csi-lib-utils/leaderelection"
	"github.com/rancher/wrangler/v3/pkg/leader"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

var (
	namespace, name      = os.Getenv("LEASELAB_NAMESPACE"), os.Getenv("LEASELAB_LEASE")
	identity             = os.Getenv("LEASELAB_IDENTITY")
	lease, renew, retry  = 15 * time.Second, 10 * time.Second, 2 * time.Second
	hasStarted, hasEnded = make(chan struct{}), make(chan struct{})
)

// electors has the electors, by name.
var electors = map[string]func(context.Context, *rest.Config) error{
	"client-go":                  func(ctx context.Context, c *rest.Config) error { return clientGo(ctx, c, false) },
	"client-go-release":          func(ctx context.Context, c *rest.Config) error { return clientGo(ctx, c, true) },
	"controller-runtime":         func(ctx context.Context, c *rest.Config) error { return controllerRuntime(ctx, c, false) },
	"controller-runtime-release": func(ctx context.Context, c *rest.Config) error { return controllerRuntime(ctx, c, true) },
	"csi-lib-utils":              csiLibUtils,
	"wrangler":                   wrangler,
}

func clientGo(ctx context.Context, c *rest.Config, release bool) error {
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{LeaseMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
			Client:     kubernetes.NewForConfigOrDie(c).CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: identity}},
		LeaseDuration: lease, RenewDeadline: renew, RetryPeriod: retry, ReleaseOnCancel: release,
		Callbacks: leaderelection.LeaderCallbacks{OnStartedLeading: work, OnStoppedLeading: func() {}},
	})
	select {
	case <-hasStarted:
		<-hasEnded
	default:
	}
	return nil
}

func controllerRuntime(ctx context.Context, c *rest.Config, release bool) error {
	m, err := ctrl.NewManager(c, manager.Options{LeaderElection: true, LeaderElectionID: name,
		LeaderElectionNamespace: namespace, LeaderElectionReleaseOnCancel: release, LeaseDuration: &lease,
		RenewDeadline: &renew, RetryPeriod: &retry, Metrics: server.Options{BindAddress: "0"}})
	if err != nil {
		return err
	}
	if err := m.Add(manager.RunnableFunc(func(ctx context.Context) error { work(ctx); return nil })); err != nil {
		return err
	}
	return m.Start(ctx)
}

func csiLibUtils(ctx context.Context, c *rest.Config) error {
	e := csi.NewLeaderElection(kubernetes.NewForConfigOrDie(c), name, work)
	e.WithNamespace(namespace)
	e.WithIdentity(identity)
	e.WithLeaseDuration(lease)
	e.WithRenewDeadline(renew)
	e.WithRetryPeriod(retry)
	e.WithReleaseOnCancel(true)
	e.WithContext(ctx)
	return e.Run()
}

// wrangler names its copies by the hostname, and reads its durations from the environment.
func wrangler(ctx context.Context, c *rest.Config) error {
	os.Setenv("CATTLE_ELECTION_LEASE_DURATION", lease.String())
	os.Setenv("CATTLE_ELECTION_RENEW_DEADLINE", renew.String())
	os.Setenv("CATTLE_ELECTION_RETRY_PERIOD", retry.String())
	leader.RunOrDie(ctx, namespace, name, kubernetes.NewForConfigOrDie(c), work)
	return nil
}

// work is what the leader does. It needs half a second to end.
func work(ctx context.Context) {
	close(hasStarted)
	defer close(hasEnded)
	report(http.MethodPut)
	<-ctx.Done()
	time.Sleep(500 * time.Millisecond)
	report(http.MethodDelete)
}

func report(method string) {
	request, err := http.NewRequest(method, os.Getenv("LEASELAB_WORK"), nil)
	if err != nil {
		panic(err)
	}
	if answer, err := http.DefaultClient.Do(request); err == nil {
		answer.Body.Close()
	}
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err == nil {
		err = electors[os.Args[1]](ctx, config)
	}
	if err != nil || ctx.Err() == nil {
		fmt.Fprintln(os.Stderr, "the election is over:", err)
		os.Exit(1)
	}
}
