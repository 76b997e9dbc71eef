// Package live asks a real kube-apiserver the further recorded exchanges again: do the recordings still hold, for a newer
// release, or for a case that somebody adds? `make live SERVER=https://127.0.0.1:6443 TOKEN=...`, with an administrator's
// token and a server that is there for this only: it makes the namespaces ns-a and ns-b and empties them.
//
// Guarantee: requests and comparisons are those that core/apiserver is held to. Non-guarantee: a server whose release has
// other messages differs, and so does one that is so slow that a case takes longer than a second of its clock.
package live

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"flag"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/apiserver/exchange"
)

var (
	server = flag.String("server", "", "address of a kube-apiserver, as https://127.0.0.1:6443; its certificate is not looked at")
	token  = flag.String("token", "", "bearer token of an administrator")
)

// live is the server, as a case is replayed against it.
type live struct {
	t      testing.TB
	client *http.Client
}

// Before has nothing to do: these cases need no hand.
func (l *live) Before(*exchange.Case, int) {}

func (l *live) Send(step *exchange.Step, query [][2]string, path, body string) exchange.Answer {
	var raw []string
	for _, q := range query {
		raw = append(raw, url.QueryEscape(q[0])+"="+url.QueryEscape(q[1]))
	}
	if len(raw) > 0 {
		path += "?" + strings.Join(raw, "&")
	}
	header := map[string]string{"User-Agent": ""}
	for name, value := range step.Header {
		header[http.CanonicalHeaderKey(name)] = value
	}
	return l.ask(step.Method, path, header, body)
}

func (l *live) ask(method, target string, header map[string]string, body string) exchange.Answer {
	r, err := http.NewRequest(method, *server+target, strings.NewReader(body))
	require.NoError(l.t, err)
	r.Header.Set("Authorization", "Bearer "+*token)
	for name, value := range header {
		r.Header.Set(name, value)
	}
	answer, err := l.client.Do(r)
	require.NoError(l.t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	require.NoError(l.t, err)
	a := exchange.Answer{Status: answer.StatusCode, Header: map[string][]string{}, Body: text}
	for name, values := range answer.Header {
		a.Header[strings.ToLower(name)] = values
	}
	return a
}

// empty leaves two namespaces without Leases and LeaseCandidates.
func (l *live) empty() {
	plain, merge := map[string]string{"Content-Type": "application/json"}, map[string]string{"Content-Type": "application/merge-patch+json"}
	for _, namespace := range []string{"ns-a", "ns-b"} {
		l.ask("POST", "/api/v1/namespaces", plain, `{"metadata":{"name":"`+namespace+`"}}`)
		for _, all := range []string{"v1/namespaces/" + namespace + "/leases", "v1beta1/namespaces/" + namespace + "/leasecandidates"} {
			all = "/apis/coordination.k8s.io/" + all
			for _, name := range l.names(all) {
				l.ask("PATCH", all+"/"+name, merge, `{"metadata":{"finalizers":null}}`)
				l.ask("DELETE", all+"/"+name, nil, "")
			}
			require.Empty(l.t, l.names(all), all)
		}
	}
}

func (l *live) names(all string) (names []string) {
	answer := l.ask("GET", all, nil, "")
	require.Equal(l.t, 200, answer.Status, "%s: %s", all, answer.Body)
	var list struct {
		Items []struct{ Metadata struct{ Name string } }
	}
	require.NoError(l.t, json.NewDecoder(bytes.NewReader(answer.Body)).Decode(&list))
	for _, item := range list.Items {
		names = append(names, item.Metadata.Name)
	}
	return names
}

func TestFurtherExchanges(t *testing.T) {
	if *server == "" {
		t.Skip("no server was named: -server")
	}
	cases, err := exchange.Further()
	require.NoError(t, err)
	l := &live{t: t, client: &http.Client{Timeout: time.Minute, Transport: &http.Transport{
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableCompression: true,
	}}}
	matched, steps := 0, 0
	for i := range cases {
		c := &cases[i]
		l.empty()
		// A case is to end in the second in which it begins: wait for the next one.
		now := time.Now()
		time.Sleep(now.Truncate(time.Second).Add(1050 * time.Millisecond).Sub(now))
		bad := map[int]bool{}
		for _, m := range exchange.Run(l, c) {
			bad[m.Step] = true
			step := c.Steps[m.Step]
			assert.Fail(t, "step", "%s/%s %d: %s %s %s: %s", c.File, c.Name, m.Step, step.Method, step.Path, step.Body, m.What)
		}
		matched, steps = matched+len(c.Steps)-len(bad), steps+len(c.Steps)
	}
	t.Logf("further exchanges, of a live server: %d of %d steps matched", matched, steps)
	assert.NotZero(t, steps)
}
