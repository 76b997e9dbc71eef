// Package served starts the API for real clients, either in this process or as the built command.
package served

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/rest"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/serve"
	"github.com/leaselab/leaselab/sim/serve/kinds"
)

// API is a served API.
type API struct {
	URL string

	// Process is the process id of the command, 0 for an API in this process.
	Process int

	kill func() // the command

	server   *apiserver.Server
	handler  *serve.Handler
	listener *httptest.Server

	mu      sync.Mutex
	asked   []string
	refused string // requests with this text in their query get no answer; "" refuses none
	quiet   bool
}

// Start serves the API in this process, on a real listener and a real clock. The argument kept is how many events the
// server keeps; 0 means the command's default.
func Start(t testing.TB, kept int) *API {
	t.Helper()
	config := apiserver.Config{Coordinated: true, Versions: []string{"v1beta1", "v1alpha2"}, Seed: 1, FirstRevision: 1000, KeptEvents: kept, InParts: true, Core: true, Kinds: kinds.BuiltIn()}
	serve.Native(&config)
	a := &API{server: apiserver.New(config)}
	require.NoError(t, serve.Prepare(a.server, time.Now(), ""))
	a.handler = serve.New(a.server, clock.New())
	a.listener = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.mu.Lock()
		if !a.quiet {
			a.asked = append(a.asked, r.Method+" "+r.URL.RequestURI())
		}
		refused := a.refused != "" && strings.Contains(r.URL.RawQuery, a.refused)
		a.mu.Unlock()
		if refused {
			panic(http.ErrAbortHandler) // breaks the connection
		}
		a.handler.ServeHTTP(w, r)
	}))
	a.URL = a.listener.URL
	t.Cleanup(func() {
		a.handler.Close()
		a.listener.CloseClientConnections()
		a.listener.Close()
	})
	return a
}

// Kill kills the command, as kill -9 does, and waits until it has ended.
func (a *API) Kill(t testing.TB) {
	t.Helper()
	require.NotNil(t, a.kill, "the API is a command of its own")
	a.kill()
}

// Requests lists the requests so far in order, each in the form "GET /apis/…?…".
func (a *API) Requests() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]string(nil), a.asked...)
}

// Quietly stops recording requests.
func (a *API) Quietly() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.quiet = true
}

// Leases returns client-go's typed client for the Leases of the namespace default.
func (a *API) Leases(t testing.TB) coordinationv1.LeaseInterface {
	t.Helper()
	c, err := coordinationv1.NewForConfig(&rest.Config{Host: a.URL, QPS: -1})
	require.NoError(t, err)
	return c.Leases("default")
}

// Drop kills every connection, as a network failure does. It closes idle connections first. Otherwise a watch could
// move to an idle connection and lose that connection, too, within a second and before its first event. After such a
// short watch, client-go's reflector lists again.
func (a *API) Drop() {
	a.listener.Config.SetKeepAlivesEnabled(false) // closes idle connections
	a.listener.Config.SetKeepAlivesEnabled(true)
	a.listener.CloseClientConnections()
}

// Refuse breaks the connections of requests with a text in their query until the caller calls release.
func (a *API) Refuse(text string) (release func()) {
	set := func(text string) {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.refused = text
	}
	set(text)
	return func() { set("") }
}

// Restart empties the watch cache and kills every connection, as a restart of the server does.
func (a *API) Restart() {
	a.handler.WithLock(a.server.Restart)
	a.Drop()
}

// Handle answers a request without a network.
func (a *API) Handle(r *apiserver.Request) apiserver.Response { return a.handler.Handle(r) }

// Command builds `leaselab` and runs `leaselab serve` on a free port until the test ends.
func Command(t testing.TB, flags ...string) *API {
	t.Helper()
	command := exec.Command(BuildCommand(t), append([]string{
		"serve", "--addr", "127.0.0.1:0", "--feature-gates", "CoordinatedLeaderElection=true",
	}, flags...)...)
	var said bytes.Buffer
	command.Stderr = &said
	command.Dir = t.TempDir()
	out, err := command.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	ended := make(chan error, 1)
	var killed atomic.Bool
	t.Cleanup(func() {
		if killed.Load() {
			return
		}
		_ = command.Process.Signal(syscall.SIGTERM) // if it has already ended, the next lines report that
		select {
		case err := <-ended:
			require.NoError(t, err, "leaselab serve exits with 0 after a SIGTERM: %s", said.String())
		case <-time.After(10 * time.Second):
			_ = command.Process.Kill()
			require.Fail(t, "leaselab serve did not end")
		}
	})
	lines := bufio.NewScanner(out)
	address := make(chan string, 1)
	go func() {
		for lines.Scan() {
			if _, rest, found := strings.Cut(lines.Text(), " at "); found {
				url, _, _ := strings.Cut(rest, " ")
				select {
				case address <- strings.TrimSuffix(url, "/"):
				default: // a later line
				}
			}
		}
		ended <- command.Wait()
	}()
	select {
	case url := <-address:
		return &API{URL: url, Process: command.Process.Pid, kill: func() {
			killed.Store(true)
			_ = command.Process.Kill()
			<-ended
		}}
	case <-time.After(20 * time.Second):
		require.FailNow(t, "leaselab serve printed no address")
		return nil
	}
}

var build struct {
	sync.Once
	dir, path string
	err       error
}

// Clean removes the built command.
func Clean() {
	if build.dir != "" {
		_ = os.RemoveAll(build.dir) // it is temporary anyway
	}
}

// BuildCommand builds the command from the engine's module and returns its path.
func BuildCommand(t testing.TB) string {
	t.Helper()
	build.Do(func() {
		root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/leaselab/leaselab").Output()
		if err != nil {
			build.err = fmt.Errorf("finding the engine's module: %w", err)
			return
		}
		if build.dir, build.err = os.MkdirTemp("", "leaselab-"); build.err != nil {
			return
		}
		build.path = filepath.Join(build.dir, "leaselab")
		command := exec.Command("go", "build", "-o", build.path, "./sim/cmd/leaselab")
		command.Dir = strings.TrimSpace(string(root))
		if out, err := command.CombinedOutput(); err != nil {
			build.err = fmt.Errorf("%w: %s", err, out)
		}
	})
	require.NoError(t, build.err)
	return build.path
}

// NotRun ends a test that needs a missing program. The last line of `make conformance` counts and names these tests.
func NotRun(t testing.TB, because string) {
	t.Helper()
	fmt.Printf("not run: %s: %s\n", t.Name(), because)
	t.Skip(because)
}

// Until waits until there returns true. It fails the test if that takes longer than within.
func Until(t testing.TB, within time.Duration, what string, there func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	for !there() {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			require.FailNow(t, "not within "+within.String(), what)
		}
	}
}
