//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// serving starts `leaselab serve` with flags and returns the address of its API.
func serving(t *testing.T, flags ...string) (process *exec.Cmd, api string, said *bytes.Buffer) {
	t.Helper()
	process, said = exec.Command(os.Args[0], append([]string{"serve", "--addr", "127.0.0.1:0", "--site", ""}, flags...)...), &bytes.Buffer{}
	process.Env, process.Dir, process.Stderr = append(os.Environ(), asCommand+"=1"), t.TempDir(), said
	out, err := process.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, process.Start())
	t.Cleanup(func() { _ = process.Process.Kill() }) // it may already have ended
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err, said)
	_, rest, _ := strings.Cut(line, "http://")
	address, _, _ := strings.Cut(rest, "/")
	return process, "http://" + address, said
}

// written is an object as this test reads it.
type written struct {
	Metadata struct{ Name, ResourceVersion string }
	Spec     struct{ LeaseTransitions int }
}

// send sends a request; ok is false if the answer was incomplete or not a success.
func send(method, url, body string) (o written, ok bool) {
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		return o, false
	}
	r.Header.Set("Content-Type", "application/json")
	if method == "PATCH" {
		r.Header.Set("Content-Type", "application/merge-patch+json")
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return o, false
	}
	defer answer.Body.Close()
	if answer.StatusCode > 299 {
		_, _ = io.Copy(io.Discard, answer.Body) // the process may have died
		return o, false
	}
	return o, json.NewDecoder(answer.Body).Decode(&o) == nil
}

// writer counts up in one Lease until the server dies: answered is the last number that was confirmed. It calls begun after each
// confirmed write.
func writer(api, name string, answered int, begun func()) (now int, revision int64) {
	now = answered
	send("POST", api+defaultLeases, `{"metadata":{"name":"`+name+`"},"spec":{"leaseTransitions":0}}`) // it may be there already
	for ; ; begun() {
		o, ok := send("PATCH", api+defaultLeases+"/"+name, fmt.Sprintf(`{"spec":{"leaseTransitions":%d}}`, now+1))
		if !ok {
			return now, revision
		}
		now++
		revision, _ = strconv.ParseInt(o.Metadata.ResourceVersion, 10, 64)
	}
}

// watcher returns the newest revision that a watch shows before the server dies.
func watcher(api string) (revision int64) {
	answer, err := http.Get(api + defaultLeases + "?watch=1")
	if err != nil {
		return 0
	}
	defer answer.Body.Close()
	for frames := json.NewDecoder(answer.Body); ; {
		var f struct{ Object written }
		if frames.Decode(&f) != nil {
			return revision
		}
		revision, _ = strconv.ParseInt(f.Object.Metadata.ResourceVersion, 10, 64)
	}
}

// A server that is killed at any instant has, after its restart, every write that it has answered and every event that it has
// shown, and of each client at most the one write that was under way.
func TestKilledServerKeepsWhatItAnswered(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "objects")
	const writers = 6
	var numbers [writers]int
	newest := int64(0)
	rounds := 100
	if testing.Short() {
		rounds = 8
	}
	for round := range rounds {
		process, api, said := serving(t, "--data", file)
		for k := range writers {
			o, _ := send("GET", api+defaultLeases+"/w"+strconv.Itoa(k), "")
			have := o.Spec.LeaseTransitions
			require.GreaterOrEqual(t, have, numbers[k], "round %d: what writer %d was told", round, k)
			require.LessOrEqual(t, have, numbers[k]+1)
			numbers[k] = have
		}
		var all written
		all, _ = send("GET", api+defaultLeases, "")
		revision, _ := strconv.ParseInt(all.Metadata.ResourceVersion, 10, 64)
		require.GreaterOrEqual(t, revision, newest, "no revision is given twice")

		var clients sync.WaitGroup
		begun := sync.OnceFunc(func() {
			time.AfterFunc(time.Duration(rand.IntN(200))*time.Millisecond, func() { _ = process.Process.Kill() })
		})
		var seen [writers + 1]int64
		clients.Go(func() { seen[writers] = watcher(api) })
		for k := range writers {
			clients.Go(func() { numbers[k], seen[k] = writer(api, "w"+strconv.Itoa(k), numbers[k], begun) })
		}
		clients.Wait()
		require.Error(t, process.Wait(), said)
		for _, revision := range seen {
			newest = max(newest, revision)
		}
	}
	assert.NotZero(t, numbers)
}

// The file is loaded once, is refused by a second server and, if it is damaged, by every one; a fixture goes into a new file only.
func TestDataOverRestarts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, fixture := filepath.Join(dir, "objects"), filepath.Join(dir, "fixture.yaml")
	require.NoError(t, os.WriteFile(fixture, []byte("apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {name: loaded}\nspec: {leaseTransitions: 3}\n"), 0o600))
	stop := func(process *exec.Cmd, said *bytes.Buffer) {
		require.NoError(t, process.Process.Signal(syscall.SIGTERM))
		require.NoError(t, process.Wait(), said)
	}
	process, api, said := serving(t, "--data", file, "--fixture", fixture, "--seed", "5")
	_, ok := send("DELETE", api+defaultLeases+"/loaded", "")
	require.True(t, ok)
	first, ok := send("POST", api+defaultLeases, `{"metadata":{"name":"kept"}}`)
	require.True(t, ok)

	refused := exec.Command(os.Args[0], "serve", "--addr", "127.0.0.1:0", "--data", file)
	refused.Env = append(os.Environ(), asCommand+"=1")
	out, err := refused.CombinedOutput()
	require.Error(t, err)
	assert.Contains(t, string(out), "is in use by another process; stop it, or name another file")
	stop(process, said)

	process, api, said = serving(t, "--data", file, "--fixture", fixture, "--seed", "5")
	_, ok = send("GET", api+defaultLeases+"/loaded", "")
	assert.False(t, ok, "it was deleted")
	again, ok := send("GET", api+defaultLeases+"/kept", "")
	require.True(t, ok)
	assert.Equal(t, first, again)
	stop(process, said)
	assert.Contains(t, said.String(), "is not loaded: --data "+file+" already has objects")

	whole, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, whole[:len(whole)/2], 0o600))
	refused = exec.Command(os.Args[0], "serve", "--addr", "127.0.0.1:0", "--data", file)
	refused.Env = append(os.Environ(), asCommand+"=1")
	out, err = refused.CombinedOutput()
	require.Error(t, err)
	assert.Contains(t, string(out), "leaselab left it alone; name another file, or restore a copy")
	left, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, whole[:len(whole)/2], left)
}
