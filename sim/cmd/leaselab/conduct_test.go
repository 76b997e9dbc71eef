//go:build unix

package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/programs"
	"github.com/leaselab/leaselab/sim/run/summary"
)

// faultyOperator is the argument that turns this test binary into an operator with a mistake.
const faultyOperator = "faulty-operator"

// The durations of the operator's elector. The Lease lasts 3 s.
const (
	operatorDeadline = 2 * time.Second
	operatorRetry    = 300 * time.Millisecond
)

// operator is a small operator over net/http, with one mistake or with none.
type operator struct {
	mistake  string
	identity string
	server   string
	version  string // resourceVersion of the Lease that it last read
	seen     time.Time
}

// operate runs the operator, and exits.
func operate(mistake string) {
	server, _, _ := strings.Cut(os.Getenv("LEASELAB_WORK"), programs.WorkPath)
	o := operator{mistake: mistake, identity: os.Getenv("LEASELAB_IDENTITY"), server: server}
	if mistake == "onlyHTTPS" {
		data, err := os.ReadFile(os.Getenv("KUBECONFIG"))
		_, server, _ := strings.Cut(string(data), `server: "https:`)
		server, _, _ = strings.Cut(server, `"`)
		o.server = "https:" + server
		http.DefaultTransport.(*http.Transport).TLSClientConfig = &tls.Config{InsecureSkipVerify: true}
		_, answer := o.ask(http.MethodGet, leasePath, "", 5*time.Second)
		fmt.Println("by HTTPS:", err == nil && errors.Is(answer, errStatus)) // 404
		os.Exit(0)
	}
	if mistake == "sameIdentity" {
		o.identity = "operator"
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	if mistake == "stopIgnored" {
		ctx = context.WithoutCancel(ctx)
	}
	for !o.attempt(operatorDeadline / 2) {
		if mistake == "silent" && os.Getenv("LEASELAB_NODE") == "b" {
			time.Sleep(time.Hour)
		}
		o.wait(ctx, 0)
	}
	fmt.Println("became leader")
	o.work(http.MethodPut)
	for renewed := time.Now(); mistake == "beyondLease" || time.Since(renewed) < operatorDeadline; {
		o.wait(ctx, map[string]time.Duration{"releasesEarly": 2 * time.Second}[mistake])
		if o.attempt(max(operatorDeadline-time.Since(renewed), operatorRetry)) {
			renewed = time.Now()
		}
	}
	fmt.Println("leader election lost")
	if mistake == "worksOn" {
		time.Sleep(time.Hour)
	}
	o.work(http.MethodDelete)
	switch mistake {
	case "neverExits":
		time.Sleep(time.Hour)
	case "neverCompetes":
		for range time.Tick(time.Second) {
			_, _ = o.ask(http.MethodGet, "/api/v1/namespaces/default/configmaps", "", 500*time.Millisecond)
		}
	}
	fmt.Println("end of main")
	os.Exit(1)
}

// wait waits until the next attempt. On SIGTERM, the process releases the Lease and exits after the work has
// drained.
func (o *operator) wait(ctx context.Context, drain time.Duration) {
	select {
	case <-time.After(operatorRetry):
		return
	case <-ctx.Done():
	}
	if drain == 0 {
		o.work(http.MethodDelete)
	}
	_, _ = o.ask(http.MethodPatch, leasePath, `{"spec":{"holderIdentity":null}}`, time.Second)
	time.Sleep(drain)
	o.work(http.MethodDelete)
	os.Exit(0)
}

const leasePath = "/apis/coordination.k8s.io/v1/namespaces/default/leases/leaselab"

// attempt acquires or renews the Lease.
func (o *operator) attempt(timeout time.Duration) bool {
	data, err := o.ask(http.MethodGet, leasePath, "", timeout)
	var now struct {
		Metadata struct{ ResourceVersion string }
		Spec     struct{ HolderIdentity string }
	}
	spec := fmt.Sprintf(`"spec":{"holderIdentity":%q,"leaseDurationSeconds":3,"renewTime":%q}`, o.identity,
		time.Now().UTC().Format("2006-01-02T15:04:05.000000Z"))
	if errors.Is(err, errStatus) {
		_, err = o.ask(http.MethodPost, strings.TrimSuffix(leasePath, "/leaselab"), `{"metadata":{"name":"leaselab"},`+spec+`}`, timeout)
		return err == nil
	}
	if err != nil || json.Unmarshal(data, &now) != nil {
		return false
	}
	if now.Metadata.ResourceVersion != o.version {
		o.version, o.seen = now.Metadata.ResourceVersion, time.Now()
	}
	if holder := now.Spec.HolderIdentity; holder != "" && holder != o.identity && time.Since(o.seen) < 3*time.Second {
		return false
	}
	_, err = o.ask(http.MethodPatch, leasePath, `{"metadata":{"resourceVersion":"`+o.version+`"},`+spec+`}`, timeout)
	return err == nil
}

func (o *operator) work(method string) { _, _ = o.ask(method, programs.WorkPath, "", time.Second) }

var errStatus = errors.New("the server refused the request")

func (o *operator) ask(method, path, body string, timeout time.Duration) ([]byte, error) {
	ctx, end := context.WithTimeout(context.Background(), timeout)
	defer end()
	r, err := http.NewRequestWithContext(ctx, method, o.server+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", map[bool]string{true: "application/merge-patch+json", false: "application/json"}[method == http.MethodPatch])
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode >= 300 {
		return nil, errStatus
	}
	return io.ReadAll(answer.Body)
}

// cutAway cuts the leader off for good, and stopped stops it.
const (
	cutAway = "{at: 3s, act: cut, target: holder}"
	stopped = "{at: 3s, act: stop, target: holder}"
)

// tested is what `leaselab test` says of an operator with a mistake, and what the record of the run says.
func tested(t *testing.T, mistake, acts string) (out string, findings []summary.Finding, explained string) {
	t.Helper()
	record := filepath.Join(t.TempDir(), "run.ndjson")
	scenario := faultFile(t, "15s", acts)
	data, err := os.ReadFile(scenario)
	require.NoError(t, err)
	text := strings.NewReplacer("duration:", "elector: {leaseDuration: 3s, renewDeadline: 2s, retryPeriod: 300ms}\nduration:",
		"{name: b}", "{name: b, startAt: 1s}").Replace(string(data))
	require.NoError(t, os.WriteFile(scenario, []byte(text), 0o600))
	process := exec.Command(os.Args[0], "test", scenario, "-q", "--record", record, "--", os.Args[0], faultyOperator, mistake)
	process.Env, process.Dir = append(os.Environ(), asCommand+"=1"), t.TempDir()
	var told bytes.Buffer
	process.Stdout = &told
	err = process.Run()
	var exit *exec.ExitError
	require.True(t, err == nil || errors.As(err, &exit), "%v", err)
	explained, err = leaselab("explain", record)
	require.NoError(t, err)
	text, err = leaselab("explain", record, "-o", "json")
	require.NoError(t, err)
	var all struct{ Findings []summary.Finding }
	require.NoError(t, json.Unmarshal([]byte(strings.ReplaceAll(text, `"at":`, `"instant":`)), &all))
	return told.String(), all.Findings, explained
}

// Real processes: each mistake is the first thing that the report says, and the record of the run says the same. The
// correct operator has no finding. What it printed and how it ended is in the story, and no sentence claims to know more.
func TestMistakesOfRealProcesses(t *testing.T) {
	if testing.Short() {
		t.Skip("run without -short: it runs processes for 15 s")
	}
	for _, c := range []struct{ mistake, acts, says string }{
		{"correct", cutAway, ""},
		{"correct", stopped, ""},
		{"correct", "{at: 3s, act: crash, target: holder}", ""},
		{"correct", "{at: 3s, act: cut, target: '*', mode: refuse, for: 5s}", ""},
		{"sameIdentity", cutAway, "write the same holderIdentity."},
		{"releasesEarly", stopped, "released the Lease at 00:03."},
		{"worksOn", cutAway, "printed at 00:0"},
		{"beyondLease", cutAway, "last renewed the Lease at 00:0"},
		{"stopIgnored", "{at: 3s, act: stop, target: holder, grace: 2s}", "got SIGTERM at 00:03.000 and lived on for 2.000 s."},
		{"neverExits", cutAway, "Its process lives, but has not asked for the Lease since 00:0"},
		{"neverCompetes", cutAway, "sends other requests, but has not asked for the Lease since 00:0"},
		{"silent", cutAway, "b's process lives, but has sent nothing since 00:01."},
	} {
		t.Run(c.mistake, func(t *testing.T) {
			t.Parallel()
			out, findings, explained := tested(t, c.mistake, c.acts)
			_, report, _ := strings.Cut(out, "\n") // the first line has the address
			for _, text := range []string{out, explained} {
				assert.NotContains(t, text, "has not given up yet")
				assert.NotContains(t, text, "client-go")
			}
			if c.says == "" {
				assert.Empty(t, findings)
				assert.NotContains(t, report, "(B")
				if c.acts == cutAway {
					assert.Regexp(t, "[ab] printed `leader election lost` at 00:0", report)
					assert.Regexp(t, "[ab] printed `end of main` at 00:0", report)
					assert.Regexp(t, `[ab]'s process ended at 00:0\d\.\d\d\d with exit code 1\.`, explained)
				}
				return
			}
			first, _, _ := strings.Cut(report, "\n")
			assert.Contains(t, first, "  "+c.mistake+": ")
			assert.Contains(t, first, c.says)
			require.NotEmpty(t, findings)
			for _, k := range findings {
				assert.Equal(t, c.mistake, k.Cause, findings)
			}
			assert.Contains(t, explained, first)
		})
	}
}

// With --tls, a client that refuses HTTP reaches the API by the address in its KUBECONFIG. Without it, it does not.
func TestProgramsThatSpeakOnlyHTTPS(t *testing.T) {
	t.Parallel()
	for flag, want := range map[string]string{"--tls": "by HTTPS: true", "--tls=false": "by HTTPS: false"} {
		process := exec.Command(os.Args[0], "test", faultFile(t, "1m", ""), flag, "--", os.Args[0], faultyOperator, "onlyHTTPS")
		process.Env, process.Dir = append(os.Environ(), asCommand+"=1"), t.TempDir()
		said, err := process.CombinedOutput()
		require.Error(t, err, "the copies end before they ask for the Lease")
		assert.Contains(t, string(said), want)
	}
}
