//go:build unix

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/programs"
	"github.com/leaselab/leaselab/sim/programs/replay"
	"github.com/leaselab/leaselab/sim/serve/rbac"
)

// Mistakes in test, serve --faults and records get a sentence that names the fix.
func TestBadInputForPrograms(t *testing.T) {
	calm := faultFile(t, "1s", "")
	pause := faultFile(t, "30s", "{at: 10s, act: pause, target: holder, for: 5s}")
	suspends := faultFile(t, "30s", "{at: 10s, act: suspend, target: holder, for: 5s}")
	record := filepath.Join(t.TempDir(), "run.ndjson")
	require.NoError(t, os.WriteFile(record, []byte(`{"record":"leaselab.dev/record/v1","engine":4,"scenario":{"seed":-1}}`), 0o600))
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"test"}, "leaselab test pause.yaml -- ./operator"},
		{[]string{"test", calm}, "leaselab test pause.yaml -- ./operator"},
		{[]string{"test", calm, "true"}, "leaselab test pause.yaml -- ./operator"},
		{[]string{"test", calm, "--", "sh", "-c", "echo {what}"}, "unknown placeholder {what}"},
		{[]string{"test", calm, "--suite", "operator", "--", "true"}, "test takes a scenario or --suite operator"},
		{[]string{"test", "--suite", "none", "--", "true"}, "--suite none must be operator, or a folder with scenarios"},
		{[]string{"test", "--suite", t.TempDir(), "--", "true"}, "the folder has no scenario"},
		{[]string{"test", "--suite", filepath.Dir(suspends), "--", "true"}, "faults.yaml: the act \"suspend\" at 10s"},
		{[]string{"test", "--suite", "operator", "--parallel", "0", "--", "true"}, "--parallel 0 must be at least 1"},
		{[]string{"test", "--suite", "operator", "--record", "x", "--", "true"}, "--record keeps one run"},
		{[]string{"test", calm, "--set", "elector.leaseDuratio=3s", "--", "true"}, "leaseDuratio"},
		{[]string{"test", calm, "-o", "junit", "--", "true"}, "must be text or json"},
		{[]string{"test", calm, "--", "no-such-program"}, `cannot run the program "no-such-program"`},
		{[]string{"test", "nowhere.yaml", "--", "true"}, "nowhere.yaml"},
		{[]string{"test", calm, "--works-from", "x", "--", "true"}, "belong together"},
		{[]string{"test", calm, "--works-from", "(", "--works-until", "x", "--", "true"}, `--works-from "(" must be a Go regular expression`},
		{[]string{"test", calm, "--works-from", "x", "--works-until", "[", "--", "true"}, `--works-until "[" must be a Go regular expression`},
		{[]string{"test", calm, "--work-lasts", "0s", "--", "true"}, "must be longer than 0"},
		{[]string{"test", calm, "-o", "xml", "--", "true"}, "must be text, json, junit or markdown"},
		{[]string{"test", calm, "--addr", "8001", "--", "true"}, "--addr 8001"},
		{[]string{"test", calm, "--seed", "-1", "--", "true"}, "seed"},
		{[]string{"test", calm, "--record", "/none/run.ndjson", "--", "true"}, "--record: open /none/run.ndjson"},
		{[]string{"test", faultFile(t, "30s", "{at: 10s, act: suspend, target: holder, for: 5s}"), "--", "true"}, "The act pause stops the process"},
		{[]string{"test", faultFile(t, "30s", "{at: 10s, act: clock, target: a, jump: 5s}"), "--", "true"}, "faketime"},
		{[]string{"serve", "--faults", "nowhere.yaml"}, "--faults: open nowhere.yaml"},
		{[]string{"serve", "--faults", pause}, "`leaselab test SCENARIO -- PROGRAM`"},
		{[]string{"serve", "--faults", calm, "--scenario", "crash"}, "--scenario crash cannot be combined with --faults"},
		{[]string{"serve", "--faults", calm, "--record", "/none/run.ndjson"}, "--record: open /none/run.ndjson"},
		{[]string{"serve", "--record", "run.ndjson"}, "--record run.ndjson needs --faults FILE"},
		{[]string{"serve", "--audit-log-path", "/none/audit.jsonl"}, "create the folder first"},
		{[]string{"serve", "--audit-log-path", t.TempDir()}, "a file that leaselab may append to"},
		{[]string{"serve", "--audit-level", "Loud"}, `"Loud" must be Metadata, Request or RequestResponse`},
		{[]string{"explain", record}, "line 1: scenario"},
		{[]string{"run", record, "--seed", "4"}, "so --seed cannot change it"},
		{[]string{"sweep", record}, "-o scenario` turns it into a scenario"},
	} {
		_, err := leaselab(c.args...)
		require.Error(t, err, c.args)
		assert.Contains(t, err.Error(), c.says)
		assert.NotContains(t, err.Error(), "\n")
	}
}

// hasEnded reports whether a process has ended; one that nobody has waited for yet has.
func hasEnded(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return true
	}
	state, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && strings.Contains(string(state), ") Z ")
}

// No copy survives leaselab, nor what a copy has started: neither when it is interrupted, nor when a copy is stopped at that moment, nor,
// on Linux, when leaselab is killed.
func TestCopiesDieWithLeaselab(t *testing.T) {
	t.Parallel()
	scenario := faultFile(t, "1m", "{at: 1s, act: pause, target: a, for: 50s}")
	for _, with := range []syscall.Signal{syscall.SIGINT, syscall.SIGKILL} {
		if with == syscall.SIGKILL && runtime.GOOS != "linux" {
			continue
		}
		process := exec.Command(os.Args[0], "test", scenario, "--", "sh", "-c", "sleep 1000 & echo pids $$ $!; wait")
		process.Env, process.Dir = append(os.Environ(), asCommand+"=1"), t.TempDir()
		said, err := process.StderrPipe()
		require.NoError(t, err)
		var out bytes.Buffer
		process.Stdout = &out
		require.NoError(t, process.Start())
		t.Cleanup(func() { _ = process.Process.Kill() }) // it may already have ended
		var heads, pids []int
		for lines := bufio.NewScanner(said); len(heads) < 2 && lines.Scan(); {
			_, after, found := strings.Cut(lines.Text(), "| pids ")
			var head, child int
			if !found {
				continue
			}
			_, err := fmt.Sscan(after, &head, &child)
			require.NoError(t, err)
			heads, pids = append(heads, head), append(pids, head, child)
		}
		require.Len(t, heads, 2)
		time.Sleep(time.Second) // the pause has begun
		require.NoError(t, process.Process.Signal(with))
		go func() { _, _ = bytes.NewBuffer(nil).ReadFrom(said) }() // so that it does not block
		err = process.Wait()
		require.Error(t, err)
		ends := pids
		if with == syscall.SIGKILL {
			ends = heads // the kernel knows no more than leaselab's own children
			t.Cleanup(func() {
				for _, head := range heads {
					_ = syscall.Kill(-head, syscall.SIGKILL)
				}
			})
		} else {
			assert.Equal(t, exitCancelled, process.ProcessState.ExitCode())
			assert.Contains(t, out.String(), "real: seed", "there is a verdict up to then")
		}
		for _, pid := range ends {
			assert.Eventually(t, func() bool { return hasEnded(pid) }, 10*time.Second, 10*time.Millisecond, "%v: process %d", with, pid)
		}
	}
}

// followRecord reads the record of a server to its end.
func followRecord(t *testing.T, url string) <-chan string {
	t.Helper()
	now, err := http.Get(url + recordPath)
	require.NoError(t, err)
	some, err := io.ReadAll(now.Body)
	require.NoError(t, err)
	now.Body.Close()
	assert.Contains(t, string(some), `"do":"passes"`, "what has come so far ends with how far that is")
	answer, err := http.Get(url + recordPath + "?follow")
	require.NoError(t, err)
	assert.Equal(t, "application/x-ndjson", answer.Header.Get("Content-Type"))
	followed := make(chan string, 1)
	lines := bufio.NewReader(answer.Body)
	first, err := lines.ReadString('\n') // it is followed from here on
	require.NoError(t, err)
	go func() {
		defer answer.Body.Close()
		rest, _ := io.ReadAll(lines) // what is missing, isFollowed finds out
		followed <- first + string(rest)
	}()
	return followed
}

// isFollowed checks that what a page has followed is the whole run, without the trace and without credentials.
func isFollowed(t *testing.T, record string) {
	t.Helper()
	assert.True(t, replay.IsRecord([]byte(record)))
	assert.NotContains(t, record, `"events":[`)
	assert.Contains(t, record, `"do":"passes"`)
	r, err := replay.Replay(strings.NewReader(record), configure, nil)
	require.NoError(t, err)
	assert.True(t, r.Whole)
}

// With the page, / has it with the mark of a record, and the record and its style have their own paths.
func TestPageOfAGroup(t *testing.T) {
	site := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(site, "index.html"), []byte("<head></head>the page"), 0o644))
	s, err := load(faultFile(t, "1m", "{at: 0s, act: fail, target: a, error: http503}"))
	require.NoError(t, err)
	g, err := newGroup(s, "", programs.Options{}, rbac.New(rbac.Config{Open: true}))
	require.NoError(t, err)
	handler := openHouse(t).handler(g.doors(os.DirFS(site)))
	for path, want := range map[string]string{
		"/": recordMark + "</head>the page", "/index.html": recordMark, recordPath: `{"record":"leaselab.dev/record/v1"`, recordPath + ".css": "Opening the run",
	} {
		answer := httptest.NewRecorder()
		request := httptest.NewRequest(http.MethodGet, "http://127.0.0.1:8765"+path, nil)
		request.Header.Set("Accept", "text/html")
		handler.ServeHTTP(answer, request)
		assert.Equal(t, http.StatusOK, answer.Code, path)
		assert.Contains(t, answer.Body.String(), want, path)
	}
	answer := httptest.NewRecorder()
	request := httptest.NewRequest(http.MethodGet, "http://evil.example"+recordPath, nil)
	handler.ServeHTTP(answer, request)
	assert.Equal(t, http.StatusForbidden, answer.Code, "a record is for this machine")
	go g.cluster.Drive()
	_, err = g.end(g.cluster.Now())
	require.NoError(t, err)
}

// serve --faults plays a fault on the requests of one candidate, by its path, and leaves the others and kubectl alone; the record tells it.
func TestServeWithFaults(t *testing.T) {
	t.Parallel()
	record, auditLog := filepath.Join(t.TempDir(), "run.ndjson"), filepath.Join(t.TempDir(), "audit.jsonl")
	process := exec.Command(os.Args[0], "serve", "--addr", "127.0.0.1:0", "--site", "", "--faults", faultFile(t, "1m", "{at: 0s, act: fail, target: a, error: http503}"), "--record", record, "--audit-log-path", auditLog)
	process.Env, process.Dir = append(os.Environ(), asCommand+"=1"), t.TempDir()
	out, err := process.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, process.Start())
	t.Cleanup(func() { _ = process.Process.Kill() }) // it may already have ended
	lines := bufio.NewScanner(out)
	require.True(t, lines.Scan())
	_, url, _ := strings.Cut(lines.Text(), " at ")
	url, _, _ = strings.Cut(url, "/ ")
	for path, want := range map[string]int{
		"": 200, "/leaselab/nodes/a": 503, "/leaselab/nodes/b": 200,
	} {
		answer, err := http.Get(url + path + "/apis/coordination.k8s.io/v1/namespaces/default/leases")
		require.NoError(t, err)
		answer.Body.Close()
		assert.Equal(t, want, answer.StatusCode, path)
	}
	browser, err := http.NewRequest(http.MethodGet, url+"/", nil)
	require.NoError(t, err)
	browser.Header.Set("Accept", "text/html")
	page, err := http.DefaultClient.Do(browser)
	require.NoError(t, err)
	shown, err := io.ReadAll(page.Body)
	page.Body.Close()
	require.NoError(t, err)
	assert.Equal(t, http.StatusNotFound, page.StatusCode)
	assert.Contains(t, string(shown), "The leaselab of a release contains it: "+releases)
	followed := followRecord(t, url)
	require.NoError(t, process.Process.Signal(syscall.SIGTERM))
	isFollowed(t, <-followed)
	var told strings.Builder
	for lines.Scan() {
		told.WriteString(lines.Text() + "\n")
	}
	require.NoError(t, process.Wait())
	assert.Contains(t, told.String(), "real: 1 act on a, b, until 01:00.000; then the server runs on")
	assert.Contains(t, told.String(), "no violations")
	text, err := leaselab("run", record)
	require.NoError(t, err)
	assert.Contains(t, text, "503")
	table, err := leaselab("export", "csv", record)
	require.NoError(t, err)
	assert.Contains(t, table, "seconds,n,time,node")
	assert.Contains(t, table, ",started,")
	audited, err := os.ReadFile(auditLog)
	require.NoError(t, err)
	assert.Equal(t, 6, bytes.Count(audited, []byte(`"stage":"ResponseComplete"`)), "three to the API, the page, and twice the record")
	assert.Contains(t, string(audited), `"user":{"username":"a"`)
}
