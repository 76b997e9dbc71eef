//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/words"
)

// asElector makes this test binary a program with an elector over plain HTTP. Its value is what the program does besides.
const asElector = "LEASELAB_TEST_ELECTOR"

// elect creates the Lease, or gives up; the creator renews the Lease and reports its work until SIGTERM ends it.
func elect() {
	server, err := os.ReadFile(os.Getenv("KUBECONFIG"))
	if err != nil {
		panic(err)
	}
	_, after, _ := strings.Cut(string(server), `server: "`)
	url, _, _ := strings.Cut(after, `"`)
	url += "/apis/coordination.k8s.io/v1/namespaces/" + os.Getenv("LEASELAB_NAMESPACE") + "/leases"
	send := func(method, url, body string) int {
		r, err := http.NewRequest(method, url, strings.NewReader(body))
		if err != nil {
			panic(err)
		}
		r.Header.Set("Content-Type", "application/json")
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			return 0
		}
		answer.Body.Close()
		return answer.StatusCode
	}
	lease := func() string {
		return fmt.Sprintf(`{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":%q},"spec":{"holderIdentity":%q,"leaseDurationSeconds":15,"renewTime":%q}}`,
			os.Getenv("LEASELAB_LEASE"), os.Getenv("LEASELAB_IDENTITY"), time.Now().UTC().Format("2006-01-02T15:04:05.000000Z"))
	}
	if os.Getenv(asElector) == "asks" { // it is never the leader
		send(http.MethodGet, url+"/"+os.Getenv("LEASELAB_LEASE"), "")
		time.Sleep(time.Minute)
	}
	leads := send(http.MethodPost, url, lease()) == http.StatusCreated
	fmt.Println("leads:", leads)
	if leads && os.Getenv(asElector) == "works" {
		send(http.MethodPut, os.Getenv("LEASELAB_WORK"), "")
	}
	for ; ; time.Sleep(200 * time.Millisecond) {
		if leads {
			send(http.MethodPut, url+"/"+os.Getenv("LEASELAB_LEASE"), lease())
		} else {
			send(http.MethodGet, url+"/"+os.Getenv("LEASELAB_LEASE"), "")
		}
	}
}

// A run that proves nothing is never green, ends early, and shows what the copies said last.
func TestNoVerdict(t *testing.T) {
	for _, c := range []struct {
		name, kind string
		program    []string
		why, last  string
		slow       bool
	}{
		{"ends at once", "", []string{"sh", "-c", "echo hello; exit 3"}, "every copy ended before it asked for the Lease",
			"a; its process ended: exit status 3; its last lines:\n    hello", false},
		{"says nothing", "", []string{"true"}, "every copy ended before it asked for the Lease", "a printed nothing; its process ended: exit status 0", false},
		{"never asks", "", []string{"sleep", "1000"}, "no copy asked for the Lease", "", true},
		{"never leads", "asks", []string{os.Args[0]}, "no copy acquired the Lease", "", true},
		{"reports no work", "silent", []string{os.Args[0]}, "no copy reported that it worked", "leads: true", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.slow && testing.Short() {
				t.Skip("a slow case; make test-long runs it")
			}
			duration := "2s"
			if c.slow || c.kind == "" {
				duration = "1m"
			}
			t.Setenv(asElector, c.kind)
			var out, warnings bytes.Buffer
			root := command()
			root.SetOut(&out)
			root.SetErr(&warnings)
			root.SetArgs(append([]string{"test", faultFile(t, duration, ""), "-q", "--"}, c.program...))
			begun := time.Now()
			err := root.Execute()
			assert.Equal(t, exitError{exitUsage, "no verdict: " + c.why}.code, codeOf(err))
			assert.Contains(t, whyOf(err), c.why)
			assert.Contains(t, warnings.String(), c.last)
			assert.Less(t, time.Since(begun), 30*time.Second)
			assert.NotContains(t, out.String(), "no violations")
		})
	}
}

func codeOf(err error) int {
	if exit, is := err.(exitError); is {
		return exit.code
	}
	return 0
}

func whyOf(err error) string {
	exit, _ := err.(exitError)
	return exit.why
}

// A report in text is as wide as the terminal, but the command to play a scenario again stays whole.
func TestSuiteTextWraps(t *testing.T) {
	t.Setenv("COLUMNS", "60")
	again := "leaselab test scenario.yaml -- ./program " + strings.Repeat("--flag ", 20)
	r := suiteReport{Suite: "x", noun: "scenarios", again: func(*suiteResult) string { return again },
		Results: []suiteResult{{Scenario: "bad", Title: strings.Repeat("title ", 20), Reasons: []string{strings.Repeat("reason ", 20)}}}}
	var out strings.Builder
	require.NoError(t, r.writeText(&out))
	assert.Contains(t, out.String(), again+"\n")
	for line := range strings.Lines(strings.Replace(out.String(), again, "", 1)) {
		assert.LessOrEqual(t, len(line), 61, line)
	}
}

// A suite plays each scenario of a folder and reports all of them in each format; its exit code is the worst.
func TestSuite(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"good.yaml": "name: good\ntitle: Nothing happens\nduration: 1s\nexpect: [{changes: 1}]",
		"bad.yaml":  "name: bad\ntitle: It asks for too much\nduration: 1s\nexpect: [{changes: 7}]",
	} {
		text = "apiVersion: leaselab.dev/v1alpha1\nkind: Scenario\ncandidates: [{name: a}, {name: b}]\n" + text + "\n"
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}
	t.Setenv(asElector, "works")
	report := func(format string) string {
		text, err := leaselab("test", "--suite", folder, "-q", "-o", format, "--", os.Args[0])
		assert.Equal(t, exitError{code: summary.Unexpected}, err)
		return text
	}
	text := report("text")
	assert.Contains(t, text, ": 1 of 2 scenarios passed in ")
	assert.Contains(t, text, "FAILED  "+folder+"/bad.yaml")
	assert.Contains(t, text, "expected: 7 leader changes; measured: 1")
	assert.Contains(t, text, "leaselab test "+folder+"/bad.yaml -- "+os.Args[0])
	assert.Contains(t, text, "passed  "+folder+"/good.yaml")

	var whole struct {
		Passed, Failed int
		Results        []struct {
			Code int `json:"exitCode"`
		}
	}
	require.NoError(t, json.Unmarshal([]byte(report("json")), &whole))
	assert.Equal(t, []int{1, 1, summary.Unexpected, 0}, []int{whole.Passed, whole.Failed, whole.Results[0].Code, whole.Results[1].Code})

	var junit junitSuite
	require.NoError(t, xml.Unmarshal([]byte(report("junit")), &junit))
	assert.Equal(t, []int{2, 1}, []int{junit.Tests, junit.Failures})
	require.NotNil(t, junit.Cases[0].Failure)
	assert.Contains(t, junit.Cases[0].Failure.Text, "expected: 7 leader changes")
	assert.Nil(t, junit.Cases[1].Failure)

	assert.Contains(t, report("markdown"), "/good.yaml: Nothing happens | passed |  |\n")
}

// score asks every probe of a program. This one never takes over, so it fails some, and the report says how to fix it.
func TestScoreOfAProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("a slow case; make test-long runs it")
	}
	t.Setenv(asElector, "works")
	text, err := leaselab("score", "-q", "--parallel", "20", "--", os.Args[0])
	assert.Equal(t, exitError{code: summary.Unexpected}, err)
	assert.Regexp(t, `score: \d+ of 20 probes passed`, text)
	assert.Contains(t, text, "passed  one-winner")
	assert.Contains(t, text, "FAILED  takes-over")
	assert.Contains(t, text, "Fix: Try every retryPeriod, and take a Lease that has expired.")
	assert.Contains(t, text, "open    waits-full-lease")
}

// Mistakes in score get one line, and nothing starts.
func TestBadInputForScore(t *testing.T) {
	for _, c := range []struct{ args, says string }{
		{"score", "score takes -- and the program"},
		{"score crash -- true", "score takes -- and the program"},
		{"score -o xml -- true", "must be text, json, junit, markdown or svg"},
		{"score --parallel 0 -- true", "--parallel 0 must be at least 1"},
		{"score --set elector.leaseDuration=x -- true", "--set elector.leaseDuration"},
		{"score --set elector.renewDeadline=20s -- true", "renewDeadline"},
		{"score -- no-such-program", "cannot run the program"},
	} {
		_, err := leaselab(strings.Fields(c.args)...)
		require.Error(t, err, c.args)
		assert.Contains(t, err.Error(), c.says)
	}
}

// A badge names its value in text, and its label cannot break out of the picture.
func TestBadge(t *testing.T) {
	svg := words.Badge("a<b", "20 of 20", true)
	assert.Contains(t, svg, `aria-label="a&lt;b: 20 of 20"`)
	assert.Contains(t, svg, "#1a7f37")
	assert.Contains(t, words.Badge("x", "y", false), "#b42318")
	require.NoError(t, xml.Unmarshal([]byte(svg), new(struct{ XMLName xml.Name })))
}
