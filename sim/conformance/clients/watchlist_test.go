package clients

import (
	"bufio"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/client-go/informers"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/conformance/served"
)

// crowd is far more Leases than one poll of a watch sends.
const crowd = 5000

// serveManyLeases returns a server with many Leases and no writers.
func serveManyLeases(t *testing.T) *served.API {
	t.Helper()
	a := served.Start(t, 0)
	for i := range crowd {
		answer := a.Handle(&apiserver.Request{
			Method: "POST", Path: "/apis/coordination.k8s.io/v1/namespaces/default/leases", Header: map[string]string{"content-type": "application/json"},
			Body: fmt.Appendf(nil, `{"metadata":{"name":"l%04d"},"spec":{"holderIdentity":"h"}}`, i),
		})
		require.Equal(t, 201, answer.Status)
	}
	return a
}

// An informer with a watch list receives everything without a write.
func TestWatchListOfManyOnAQuietServer(t *testing.T) {
	t.Parallel()
	a := serveManyLeases(t)
	informer := informers.NewSharedInformerFactory(clientset(t, a), 0).Coordination().V1().Leases().Informer()
	ctx := deadline(t)
	go informer.RunWithContext(ctx)
	served.Until(t, 30*time.Second, "the informer has synced", informer.HasSynced)
	assert.Len(t, informer.GetStore().ListKeys(), crowd)
	asked := a.Requests()
	require.Len(t, asked, 1, "one watch, and no list after it")
	assert.Contains(t, asked[0], "sendInitialEvents=true")
}

// kubectl's watch shows as many objects, and the events after them.
func TestKubectlWatchesManyOnAQuietServer(t *testing.T) {
	t.Parallel()
	a := serveManyLeases(t)
	k := newKubectl(t, a)
	for name, args := range map[string][]string{
		"get -w":        {"get", "leases", "-w", "--no-headers"},
		"a watch alone": {"get", "--raw", "/apis/coordination.k8s.io/v1/namespaces/default/leases?watch=1&resourceVersion=1004"},
	} {
		ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
		watching := k.command(ctx, "", args...)
		out, err := watching.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, watching.Start())
		lines := bufio.NewScanner(out)
		for i := range crowd {
			require.True(t, lines.Scan(), "%s ended after %d", name, i)
			require.Contains(t, lines.Text(), fmt.Sprintf("l%04d", i), name)
		}
		if name == "get -w" {
			k.run("", "annotate", "lease", "l0007", "note=late")
			require.True(t, lines.Scan(), name)
			assert.Equal(t, "l0007", strings.Fields(lines.Text())[0])
		}
		cancel()
		_ = watching.Wait() // the test killed it
	}
}
